/* test_play.c: cubed play without a terminal: keys, timer, the cube and its lesson, screens. */
#include "tests/core/run.h"

#include "clients/terminal/play/screen.h"
#include "cube/cube.h"
#include "cube/facelets.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static void check_read(const char *bytes, bool final, int key, size_t length)
{
	int found = -1;
	ck_assert_uint_eq(play_key_read(bytes, strlen(bytes), final, &found), length);
	if (length > 0)
		ck_assert_int_eq(found, key);
}

START_TEST(bytes_are_keys)
{
	check_read("r", false, 'r', 1);
	check_read("RU", false, 'R', 1);
	check_read("\b", false, PLAY_KEY_BACKSPACE, 1);
	check_read("\177", false, PLAY_KEY_BACKSPACE, 1);
	check_read("\n", false, '\r', 1);
	check_read("\303\274", false, PLAY_KEY_OTHER, 1);
	check_read("\033[D", false, PLAY_KEY_LEFT, 3);
	check_read("\033OCr", false, PLAY_KEY_RIGHT, 3);
	check_read("\033[1;5D", false, PLAY_KEY_OTHER, 6);
	check_read("\033[200~", false, PLAY_KEY_OTHER, 6);
	check_read("\033r", false, PLAY_KEY_ESCAPE, 1);
	check_read("\033", false, 0, 0);
	check_read("\033", true, PLAY_KEY_ESCAPE, 1);
	check_read("\033[", false, 0, 0);
	check_read("\033[1;", true, PLAY_KEY_OTHER, 4);
	check_read("\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1", false, PLAY_KEY_OTHER, 33);
}
END_TEST

/* The move of the last key; "-" if there is no such layer, "" if it does not turn. */
static void check_keys(enum play_layout layout, const char *keys, int size, const char *move)
{
	struct play_keys state = {.layout = layout};
	struct cube_turn turn;
	char text[CUBE_TURN_TEXT_MAX] = "";
	enum play_press pressed = PLAY_PRESS_NOTHING;
	for (const char *key = keys; *key; key++)
		pressed = play_press(&state, *key, size, &turn);
	if (pressed == PLAY_PRESS_TURN)
		cube_turn_print(size, turn, text);
	else if (pressed == PLAY_PRESS_NO_LAYER)
		strcpy(text, "-");
	if (strcmp(text, move) != 0)
		ck_abort_msg("%s on size %d: %s, not %s", keys, size, text, move);
}

START_TEST(letters_turn)
{
	static const struct {
		const char *keys;
		int size;
		const char *move;
	} rows[] = {
		{"r", 3, "R"},   {"R", 3, "R'"},    {"2r", 3, "R2"},  {"2R", 3, "R2'"},
		{"wr", 3, "Rw"}, {"3wr", 5, "3Rw"}, {"3r", 5, "3R"},  {"2wu", 4, "Uw2"},
		{"m", 3, "M"},   {"M", 3, "M'"},    {"e", 5, "E"},    {"s", 4, "s"},
		{"m", 2, "-"},   {"4r", 3, "-"},    {"x", 3, "x"},    {"Y", 4, "y'"},
		{"2z", 3, "z2"}, {"g", 3, ""},      {"wrr", 3, "R"},  {"4rr", 3, "R"},
		{"wb", 2, "z'"}, {"9wl", 8, "-"},   {"8wl", 8, "x'"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_keys(PLAY_LETTERS, rows[i].keys, rows[i].size, rows[i].move);
}
END_TEST

START_TEST(speed_keys_turn)
{
	static const struct {
		const char *keys;
		int size;
		const char *move;
	} rows[] = {
		{"i", 3, "R"},    {"k", 3, "R'"},        {"d", 3, "L"},     {"q", 3, "z'"},
		{";", 3, "y"},    {"t", 3, "x"},         {"b", 3, "x'"},    {"u", 3, "Rw"},
		{"5", 3, "2L"},   {"6", 3, "2R'"},       {"2", 3, "2D"},    {"2", 5, "2-4Dw"},
		{"2", 2, "-"},    {"7i", 5, "Rw"},       {"77i", 5, "3Rw"}, {"778i", 5, "Rw"},
		{"8i", 5, "R"},   {"777777i", 4, "3Rw"}, {"4d", 4, "Lw"},   {"43d", 4, "L"},
		{"4v", 4, "3Lw"}, {"7.", 5, "3R"},       {"I", 3, "R"},     {"-", 3, ""},
		{"u", 2, "x"},    {"5", 2, "2L"},        {"777.", 4, "4R"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_keys(PLAY_SPEED, rows[i].keys, rows[i].size, rows[i].move);
}
END_TEST

/* Whatever is pressed, turns are turns of the cube; the help fits its lines. */
START_TEST(all_keys_are_safe)
{
	static const int sizes[] = {2, 3, 4, 7, 100};
	char text[PLAY_HELP_BYTES];
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		for (int layout = 0; layout < PLAY_LAYOUTS; layout++) {
			struct play_keys keys = {.layout = (enum play_layout)layout};
			struct cube_turn turn;
			for (int key = 0; key <= 3 * (PLAY_KEY_OTHER + 1); key++) {
				if (play_press(&keys, key * 7 % (PLAY_KEY_OTHER + 1), sizes[i],
					       &turn) != PLAY_PRESS_TURN)
					continue;
				ck_assert_int_lt(turn.face, CUBE_FACES);
				ck_assert_int_ge(turn.from, 1);
				ck_assert_int_ge(turn.to, turn.from);
				ck_assert_int_le(turn.to, sizes[i]);
			}
			size_t rows = 0;
			for (; play_keys_help((enum play_layout)layout, rows, sizes[i], text);
			     rows++)
				ck_assert_uint_le(strlen(text), 78);
			ck_assert_uint_le(rows, 22); /* with two lines above: 24 */
		}
	}
}
END_TEST

/* ---- the timer ---- */

static void check_time(const struct play_timer *timer, int64_t now_ms, const char *expected)
{
	char text[PLAY_TIMER_BYTES];
	play_timer_text(timer, now_ms, text);
	ck_assert_str_eq(text, expected);
}

static void one_solve(struct play_timer *timer, int64_t inspected_ms, int64_t time_ms)
{
	play_timer_scrambled(timer, 1000);
	play_timer_turned(timer, 1000 + inspected_ms);
	play_timer_turned(timer, 1000 + inspected_ms + time_ms / 2);
	play_timer_solved(timer, 1000 + inspected_ms + time_ms);
}

START_TEST(the_timer_times)
{
	struct play_timer timer;
	play_timer_init(&timer);
	check_time(&timer, 5, "");
	play_timer_turned(&timer, 5);
	play_timer_solved(&timer, 7);
	check_time(&timer, 9, "");
	play_timer_scrambled(&timer, 1000);
	check_time(&timer, 1000, "inspection: 15");
	check_time(&timer, 15999, "inspection: 1");
	check_time(&timer, 16000, "inspection: +2");
	check_time(&timer, 18000, "inspection: DNF");
	play_timer_turned(&timer, 3000);
	check_time(&timer, 15349, "12.3");
	check_time(&timer, 65349 + 3000, "1:05.3");
	play_timer_solved(&timer, 15349);
	check_time(&timer, 99999, "solved in 12.34");
	one_solve(&timer, 14999, 9870);
	check_time(&timer, 0, "solved in 9.87");
	one_solve(&timer, 15000, 9999);
	check_time(&timer, 0, "solved in 9.99 + 2 = 11.99");
	one_solve(&timer, 17000, 1000);
	check_time(&timer, 0, "DNF (1.00): inspected for 17 s or more");
	ck_assert_uint_eq(timer.count, 4);
	ck_assert_int_eq(timer.best_ms, 9870);
}
END_TEST

START_TEST(assisted_solves_do_not_count)
{
	struct play_timer timer;
	char text[PLAY_TIMER_BYTES];
	play_timer_init(&timer);
	play_timer_scrambled(&timer, 0);
	play_timer_turned(&timer, 1);
	play_timer_assist(&timer);
	check_time(&timer, 101, "0.1 assisted");
	play_timer_solved(&timer, 1001);
	check_time(&timer, 0, "solved in 1.00 (assisted: not counted)");
	play_timer_summary(&timer, text);
	ck_assert_str_eq(text, "");
	one_solve(&timer, 0, 2000);
	play_timer_summary(&timer, text);
	ck_assert_str_eq(text, "solves 1, best 2.00");
}
END_TEST

START_TEST(averages_leave_out_best_and_worst)
{
	struct play_timer timer;
	char text[PLAY_TIMER_BYTES];
	play_timer_init(&timer);
	static const int64_t times[] = {99000, 10000, 10010, 10010, 20000, 5000};
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		one_solve(&timer, 0, times[i]);
	play_timer_summary(&timer, text);
	ck_assert_str_eq(text, "solves 6, best 5.00, average of 5 10.01"); /* of 10.006 */
	one_solve(&timer, 17000, 1000);
	play_timer_summary(&timer, text);
	ck_assert_str_eq(text, "solves 7, best 5.00, average of 5 13.34"); /* of 13.34 */
	one_solve(&timer, 17000, 1000);
	play_timer_summary(&timer, text);
	ck_assert_str_eq(text, "solves 8, best 5.00, average of 5 DNF");
}
END_TEST

/* ---- the cube ---- */

static struct play play;
static struct play_screen screen;
static struct cube_seeded seeded;

static void begin(int size, enum play_layout layout)
{
	cube_seeded_init(&seeded, "play", 4);
	ck_assert(play_init(&play, size, layout, (struct cube_random){cube_seeded_next, &seeded}));
}

static void press(const char *keys)
{
	for (; *keys; keys++)
		ck_assert(play_key(&play, (unsigned char)*keys, 1000));
}

static void check_moves(const char *expected)
{
	struct cube_turn turns[32];
	char text[256];
	ck_assert_uint_le(play.done, 32);
	for (size_t i = 0; i < play.done; i++)
		turns[i] = play.moves[i].turn;
	cube_turns_print(play.cube->size, turns, play.done, text, sizeof text);
	ck_assert_str_eq(text, expected);
}

/* Returns whether a text is in one line of a screen of 24 x 80. */
static bool screen_has(const char *text)
{
	char line[81] = "";
	bool found = false;
	ck_assert(play_screen_resize(&screen, 24, 80));
	play_draw(&screen, &play, 1000);
	for (int row = 0; row < 24; row++) {
		for (int column = 0; column < 80; column++)
			line[column] = screen.cells[row * 80 + column].letter;
		found |= strstr(line, text) != NULL;
	}
	return found;
}

START_TEST(turns_are_undone_and_redone)
{
	begin(3, PLAY_LETTERS);
	press("ruR2f");
	check_moves("R U R' F2");
	press("\177\177");
	check_moves("R U");
	ck_assert(play_key(&play, PLAY_KEY_RIGHT, 0));
	check_moves("R U R'");
	press("d");
	check_moves("R U R' D");
	ck_assert(play_key(&play, PLAY_KEY_RIGHT, 0));
	ck_assert_str_eq(play.message, "There is nothing to redo.");
	press("\177\177\177\177");
	ck_assert(cube_is_home(play.cube));
	press("\177");
	ck_assert_str_eq(play.message, "There is nothing to undo.");
	press("m4r");
	check_moves("M");
	ck_assert_str_eq(play.message, "This cube does not have that layer.");
	press("\016");
	check_moves("");
	ck_assert(cube_is_home(play.cube));
	for (int i = 0; i < 1000; i++)
		press("r");
	ck_assert(cube_is_home(play.cube));
	play_finish(&play);
}
END_TEST

START_TEST(quitting_and_help)
{
	begin(3, PLAY_LETTERS);
	press("?");
	ck_assert(play.help);
	press("q");
	ck_assert(!play.help);
	ck_assert(!play_key(&play, 'q', 0));
	press("=q");
	check_moves("z'");
	ck_assert(!play_key(&play, PLAY_KEY_CTRL_C, 0));
	ck_assert(!play_key(&play, PLAY_KEY_CTRL_Q, 0));
	play_finish(&play);
}
END_TEST

START_TEST(scrambles_start_the_timer)
{
	static const int sizes[] = {2, 3, 4, 5, 20};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		begin(sizes[i], PLAY_LETTERS);
		press("r ");
		ck_assert(!cube_is_solved(play.cube));
		ck_assert_uint_eq(play.done, 0);
		ck_assert_int_eq(play.timer.state, PLAY_TIMER_INSPECTION);
		press("xyZ");
		ck_assert_int_eq(play.timer.state, PLAY_TIMER_INSPECTION);
		press("r");
		ck_assert_int_eq(play.timer.state, PLAY_TIMER_RUNNING);
		press(" ");
		ck_assert_int_eq(play.timer.state, PLAY_TIMER_RUNNING);
		press("u ");
		ck_assert_int_eq(play.timer.state, PLAY_TIMER_RUNNING);
		press(" ");
		ck_assert_int_eq(play.timer.state, PLAY_TIMER_INSPECTION);
		play_finish(&play);
	}
}
END_TEST

/* Turns a layer clockwise, seen from that face, by keys of the layout `letters`. */
static void turn_layer(int face, int layer, int quarters)
{
	const int size = play.cube->size;
	if (layer == 2 && size == 3) { /* "2r" is a half turn */
		press(face % 3 == CUBE_U ? "e" : face % 3 == CUBE_R ? "m" : "s");
		if ((face == CUBE_L || face == CUBE_D || face == CUBE_F) != (quarters > 0))
			press(face % 3 == CUBE_U ? "ee" : face % 3 == CUBE_R ? "mm" : "ss");
		return;
	}
	if (layer == 2) {
		turn_layer((face + 3) % 6, size - 1, -quarters);
		return;
	}
	if (layer > 2)
		press((char[]){(char)('0' + layer), '\0'});
	press((char[]){(quarters < 0 ? "URFDLB" : "urfdlb")[face], '\0'});
}

/* Makes a turn of the step with keys: layer by layer, and half turns as two quarter turns. */
static void turn_by_hand(struct cube_turn turn)
{
	const int half = turn.quarters == 2 || turn.quarters == -2 ? 2 : 1;
	if (turn.from == 1 && turn.to == play.cube->size) {
		for (int i = 0; i < half; i++)
			press((char[]){(turn.quarters < 0 ? "YXZ" : "yxz")[turn.face], '\0'});
		return;
	}
	for (int i = 0; i < half; i++)
		for (int layer = turn.from; layer <= turn.to; layer++)
			turn_layer(turn.face, layer, turn.quarters);
}

START_TEST(lessons_lead_to_the_solved_cube)
{
	struct cube_turn turns[PLAY_LESSON_LEFT];
	const int largest = getenv("CUBED_TEST_LONG") ? 7 : 4;
	for (int size = 2; size <= largest; size++) {
		begin(size, PLAY_LETTERS);
		for (int round = 0; round < (size <= 3 ? 10 : size == 4 ? 2 : 1); round++) {
			press(" ");
			press(play.timer.state == PLAY_TIMER_RUNNING ? " \t" : "\t");
			const int most = size <= 3 ? 60 : 100 * size;
			int steps = 0;
			for (; play.lesson.count > 0 && steps < most; steps++) {
				if ((round + size) % 2 == 0)
					press(steps % 2 == 0 ? "\r" : "\t\t");
				else if (play_lesson_left(&play.lesson, play.cube->size, turns) > 0)
					while (play.lesson.count > 0 &&
					       play_lesson_left(&play.lesson, play.cube->size,
								turns) > 0 &&
					       play.lesson.made + 1 < play.lesson.count) {
						turn_by_hand(turns[0]);
						ck_assert_uint_eq(play.lesson.stray, 0);
					}
				if ((round + size) % 2 == 1)
					press("\r");
			}
			ck_assert(cube_is_solved(play.cube));
			ck_assert_int_lt(steps, most);
			ck_assert_int_eq(play.timer.state, PLAY_TIMER_DONE);
			ck_assert(play.timer.assisted);
			ck_assert_uint_eq(play.timer.count, 0);
		}
		play_finish(&play);
	}
}
END_TEST

START_TEST(a_lesson_follows_its_player)
{
	struct cube_turn turns[PLAY_LESSON_LEFT];
	begin(3, PLAY_LETTERS);
	press("ruf\t");
	ck_assert(play.lesson.shown);
	while (play.lesson.count < 3)
		press("\r");
	const size_t count = play.lesson.count;
	play_lesson_left(&play.lesson, play.cube->size, turns);
	turn_by_hand(turns[0]);
	ck_assert_uint_eq(play_lesson_left(&play.lesson, play.cube->size, turns), count - 1);
	press("lwl");
	ck_assert_uint_eq(play.lesson.stray, 2);
	press("\r");
	ck_assert_uint_eq(play.lesson.stray, 2);
	press("\177\177");
	ck_assert_uint_eq(play.lesson.stray, 0);
	ck_assert_uint_eq(play.lesson.made, 1);
	press("l\t"); /* lost: a step from here */
	ck_assert(play.lesson.shown);
	ck_assert_uint_eq(play.lesson.stray, 0);
	press("\r\177"); /* the step is taken back as one */
	ck_assert(play.lesson.shown);
	press("\033");
	ck_assert(!play.lesson.shown);
	ck_assert_str_eq(play.message, "The lesson is over. Tab shows it again.");
	play_finish(&play);
	begin(8, PLAY_LETTERS);
	press("\t");
	ck_assert(!play.lesson.shown);
	ck_assert_str_eq(play.message, "There are lessons for 2x2x2 to 7x7x7 only.");
	play_finish(&play);
}
END_TEST

/* A step with turns of several layers, as lessons of the 5x5x5 have. */
START_TEST(layers_may_be_turned_one_by_one)
{
	struct cube_turn turns[PLAY_LESSON_LEFT];
	char text[64];
	begin(5, PLAY_LETTERS);
	press("r\t");
	play.lesson.count = 2;
	play.lesson.turns[0] = cube_turn_make(5, CUBE_U, 2, 4, 2);
	play.lesson.turns[1] = cube_turn_make(5, CUBE_R, 1, 1, 1);
	press("3u4d"); /* the third layer, and the second one counterclockwise */
	ck_assert_uint_eq(play.lesson.stray, 0);
	cube_turns_print(5, turns, play_lesson_left(&play.lesson, 5, turns), text, sizeof text);
	ck_assert_str_eq(text, "2U' 3U 4U2 R");
	press("r"); /* too early */
	ck_assert_uint_eq(play.lesson.stray, 1);
	press("\177");
	ck_assert_uint_eq(play.lesson.stray, 0);
	press("\r");
	ck_assert_uint_eq(play.done, 3 + 4);
	cube_turn_all(play.cube,
		      (struct cube_turn[]){
			      {CUBE_R, 1, 1, -1, 0}, {CUBE_U, 2, 4, 2, 0}, {CUBE_R, 1, 1, -1, 0}},
		      3);
	ck_assert(cube_is_home(play.cube));
	play_finish(&play);
}
END_TEST

START_TEST(a_hint_comes_before_the_moves)
{
	begin(4, PLAY_LETTERS);
	press("ruwrf\t");
	ck_assert(play.lesson.shown && !play.lesson.moves_shown);
	ck_assert(screen_has("(Tab shows the moves)"));
	ck_assert(!screen_has("Moves: "));
	press("\t");
	ck_assert(play.lesson.moves_shown);
	ck_assert(screen_has("Moves: "));
	ck_assert_uint_eq(play.done, 4);
	press("\t");
	ck_assert_uint_gt(play.done, 4);
	ck_assert(play.lesson.shown && !play.lesson.moves_shown);
	play_finish(&play);
	play_screen_free(&screen);
}
END_TEST

/* ---- a shared cube ---- */

/* The others: what was asked of them. */
static struct {
	const char *refusal;
	int turned, asked[4];
} others;

static const char *others_refusal(void *context)
{
	(void)context;
	return others.refusal;
}

static void others_turned(void *context)
{
	(void)context;
	others.turned++;
}

static void others_change(void *context, enum play_change change)
{
	(void)context;
	others.asked[change]++;
}

static const struct play_calls others_calls = {others_refusal, others_turned, others_change};

static void begin_shared(int size)
{
	begin(size, PLAY_LETTERS);
	memset(&others, 0, sizeof others);
	struct cube *cube = malloc(cube_bytes(size));
	cube_init(cube, size);
	ck_assert(play_share(&play, &others_calls, NULL, cube));
	free(cube);
}

static void enter(enum play_entry kind, int face, int quarters)
{
	const struct cube_turn turn = cube_turn_make(play.cube->size, face, 1, 1, quarters);
	ck_assert(play_shared_entry(&play, kind, &turn, 1, 1000));
}

/* The cube that is shown, or that all see, is the one after these turns. */
static void check_cube(const struct cube *cube, const char *faces)
{
	struct cube *wanted = malloc(cube_bytes(cube->size));
	char letters[2][6 * 9];
	cube_init(wanted, cube->size);
	for (; *faces; faces++)
		cube_turn(wanted,
			  cube_turn_make(cube->size, cube_color_of_letter(*faces), 1, 1, 1));
	cube_facelets_print(cube, letters[0]);
	cube_facelets_print(wanted, letters[1]);
	ck_assert_mem_eq(letters[0], letters[1], sizeof letters[0]);
	free(wanted);
}

START_TEST(own_turns_stay_on_top_of_those_of_others)
{
	begin_shared(3);
	press("ru");
	ck_assert_int_eq(others.turned, 2);
	enter(PLAY_ENTRY_MOVES, CUBE_F, 1);
	check_cube(play.shared.base, "F");
	check_cube(play.cube, "FRU");
	check_moves("F R U");
	play.shared.sent = 1;
	play_shared_settle(&play, 1);
	check_cube(play.shared.base, "FR");
	check_cube(play.cube, "FRU");
	press("\177"); /* not sent: taken back here */
	ck_assert_int_eq(others.asked[PLAY_UNDO], 0);
	check_cube(play.cube, "FR");
	ck_assert(play_key(&play, PLAY_KEY_RIGHT, 0));
	check_cube(play.cube, "FRU");
	press("\177\177"); /* the second one is for the others */
	ck_assert_int_eq(others.asked[PLAY_UNDO], 1);
	check_cube(play.cube, "FR");
	enter(PLAY_ENTRY_UNDO, CUBE_R, -1);
	check_cube(play.cube, "F");
	check_moves("F");
	ck_assert(play_key(&play, PLAY_KEY_RIGHT, 0));
	press("\016");
	ck_assert_int_eq(others.asked[PLAY_REDO], 1);
	ck_assert_int_eq(others.asked[PLAY_RESET], 1);
	check_cube(play.cube, "F");
	play_finish(&play);
}
END_TEST

/* Some turns of a step may be under way: these are not taken back here. */
START_TEST(steps_that_are_sent_in_parts_are_undone_in_parts)
{
	begin_shared(3);
	press("rud");
	play.moves[1].joined = play.moves[2].joined = true;
	play.shared.sent = 2;
	press("\177");
	check_moves("R U");
	ck_assert_int_eq(others.asked[PLAY_UNDO], 0);
	press("\177");
	check_moves("R U");
	ck_assert_int_eq(others.asked[PLAY_UNDO], 1);
	play_finish(&play);
}
END_TEST

START_TEST(refused_turns_are_taken_back)
{
	begin_shared(3);
	enter(PLAY_ENTRY_MOVES, CUBE_L, 1);
	press("rud");
	play.shared.sent = 2;
	play_shared_refuse(&play, 1000);
	check_cube(play.cube, "L");
	check_moves("L");
	others.refusal = "No.";
	press("r ");
	ck_assert_str_eq(play.message, "No.");
	ck_assert_int_eq(others.asked[PLAY_SCRAMBLE], 0);
	check_moves("L");
	play_finish(&play);
}
END_TEST

START_TEST(a_new_state_keeps_own_turns)
{
	struct cube *cube = malloc(cube_bytes(3));
	begin_shared(3);
	enter(PLAY_ENTRY_MOVES, CUBE_L, 1);
	press("rb");
	play.shared.sent = 1;
	cube_init(cube, 3);
	cube_turn(cube, cube_turn_make(3, CUBE_R, 1, 1, 1));
	play_shared_restart(&play, cube, 1, 1000); /* r is in it */
	check_cube(play.shared.base, "R");
	check_cube(play.cube, "RB");
	check_moves("B");
	enter(PLAY_ENTRY_SCRAMBLE, CUBE_U, 1);
	check_cube(play.cube, "RUB");
	ck_assert_int_eq(play.timer.state, PLAY_TIMER_INSPECTION);
	check_moves("B");
	play.shared.status = "online   2 here";
	ck_assert(screen_has("? keys   online   2 here"));
	play_finish(&play);
	play_screen_free(&screen);
	free(cube);
}
END_TEST

/* ---- screens ---- */

static void draw(int rows, int columns)
{
	ck_assert(play_screen_resize(&screen, rows, columns));
	play_draw(&screen, &play, 1000);
}

/* Demands that the screen shows all stickers of so many faces. */
static void check_stickers(int faces)
{
	const int n = play.cube->size;
	int letters = 0;
	for (int i = 0; i < screen.rows * screen.columns; i++)
		letters += screen.cells[i].color < CUBE_FACES && screen.cells[i].letter != ' ';
	ck_assert_int_eq(letters, faces * n * n);
}

START_TEST(cubes_fit_the_screen)
{
	static const struct {
		int size, rows, columns, faces;
	} rows[] = {{2, 24, 80, 6},  {3, 24, 80, 6},   {7, 24, 80, 6},     {8, 24, 80, 3},
		    {10, 24, 80, 3}, {12, 24, 80, 0},  {3, 12, 50, 6},     {3, 5, 20, 0},
		    {20, 70, 90, 6}, {30, 63, 100, 3}, {100, 210, 210, 3}, {100, 310, 410, 6}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		begin(rows[i].size, PLAY_LETTERS);
		draw(rows[i].rows, rows[i].columns);
		check_stickers(rows[i].faces);
		press("r");
		draw(rows[i].rows, rows[i].columns);
		check_stickers(rows[i].faces);
		press("g"); /* a message */
		draw(rows[i].rows, rows[i].columns);
		check_stickers(rows[i].faces);
		play_finish(&play);
	}
}
END_TEST

/* The oblique view: U, F and R, each sticker one piece of the same size as the others of its face, with
 * its letter in it, and no gap between the faces. */
START_TEST(cubes_are_shown_obliquely)
{
	static const struct {
		int size, rows, columns, faces;
	} rows[] = {{2, 24, 80, 3}, {3, 24, 80, 3},  {7, 24, 80, 3},  {10, 24, 80, 3},
		    {3, 9, 80, 3},  {3, 8, 80, 0},   {3, 24, 11, 3},  {3, 24, 12, 3},
		    {4, 12, 80, 3}, {11, 24, 80, 0}, {30, 80, 200, 3}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		begin(rows[i].size, PLAY_LETTERS);
		press("v");
		draw(rows[i].rows, rows[i].columns);
		check_stickers(rows[i].faces);
		press("\026"); /* Ctrl-V */
		ck_assert(!play.oblique);
		play_finish(&play);
	}
	begin(3, PLAY_LETTERS);
	press("vru");
	ck_assert(play_screen_resize(&screen, 11, 40));
	play_draw(&screen, &play, 1000);
	struct buffer out = {0};
	play_screen_print(&screen, TERM_DUMB, &out);
	buffer_add(&out, "", 1);
	ck_assert_str_eq(out.bytes, "3x3x3\n"
				    "     W W W\n"
				    "   W W W  B\n"
				    " G G G  B R\n"
				    "R R R W R R\n"
				    "G G Y R R\n"
				    "G G Y R\n"
				    "R U\n"
				    "? keys   Space scramble   Tab lesson   q\n"
				    "quit\n");
	buffer_free(&out);
	press("=v");
	ck_assert(play.oblique); /* v turns there */
	ck_assert_uint_eq(play.done, 3);
	play_finish(&play);
	play_screen_free(&screen);
}
END_TEST

static const char *print(enum term_style style, struct buffer *out)
{
	out->length = 0;
	play_screen_print(&screen, style, out);
	buffer_add(out, "", 1);
	ck_assert(!out->failed);
	return out->bytes;
}

/* Parts that do not fit are left out, and do not mix with the others. */
START_TEST(small_screens_can_be_read)
{
	struct buffer out = {0};
	begin(3, PLAY_LETTERS);
	press("rufd\t\t");
	draw(12, 40);
	const char *text = print(TERM_DUMB, &out);
	ck_assert_msg(strncmp(text, "3x3x3\n", 6) == 0, "%s", text);
	ck_assert_msg(strstr(text, "\nMoves: ") != NULL, "%s", text);
	/* The second line of the lesson, where the end of another text would be. */
	ck_assert_msg(strstr(text, "in front.\n") != NULL, "%s", text);
	draw(4, 40);
	text = print(TERM_DUMB, &out);
	ck_assert_msg(strncmp(text, "3x3x3\n", 6) == 0, "%s", text);
	ck_assert_msg(strstr(text, "\nquit\n") != NULL, "%s", text);
	buffer_free(&out);
	play_screen_free(&screen);
	play_finish(&play);
}
END_TEST

START_TEST(screens_of_any_size_are_drawn)
{
	begin(3, PLAY_LETTERS);
	press("ruf\t");
	for (int rows = 1; rows < 40; rows += 3)
		for (int columns = 1; columns < 120; columns += 7)
			draw(rows, columns);
	press("v");
	for (int rows = 1; rows < 40; rows += 3)
		for (int columns = 1; columns < 120; columns += 7)
			draw(rows, columns);
	press("x\t?");
	for (int columns = 1; columns < 120; columns += 7)
		draw(7, columns);
	play_finish(&play);
}
END_TEST

START_TEST(styles_are_those_of_the_terminal)
{
	struct buffer out = {0};
	ck_assert_int_eq(term_style_of("xterm-256color", NULL), TERM_COLORS);
	ck_assert_int_eq(term_style_of("xterm", ""), TERM_COLORS);
	ck_assert_int_eq(term_style_of("xterm", "1"), TERM_LETTERED);
	ck_assert_int_eq(term_style_of("dumb", NULL), TERM_DUMB);
	ck_assert_int_eq(term_style_of(NULL, NULL), TERM_DUMB);
	begin(2, PLAY_LETTERS);
	press("r");
	draw(12, 40);
	ck_assert_ptr_nonnull(strstr(print(TERM_COLORS, &out), "\033[38;5;16;48;5;231mW"));
	ck_assert_ptr_null(strstr(print(TERM_LETTERED, &out), "\033[38"));
	ck_assert_ptr_nonnull(strstr(print(TERM_LETTERED, &out), "\033[H"));
	ck_assert_str_eq(print(TERM_DUMB, &out), "2x2x2\n"
						 "     W G\n"
						 "     W G\n"
						 "O O  G Y  R R  W B\n"
						 "O O  G Y  R R  W B\n"
						 "     Y B\n"
						 "     Y B\n"
						 "R\n"
						 "? keys   Space scramble   Tab lesson   q\n"
						 "quit\n");
	buffer_free(&out);
	play_screen_free(&screen);
	play_finish(&play);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("play");
	TCase *cases = tcase_create("play");
	tcase_add_test(cases, bytes_are_keys);
	tcase_add_test(cases, letters_turn);
	tcase_add_test(cases, speed_keys_turn);
	tcase_add_test(cases, all_keys_are_safe);
	tcase_add_test(cases, the_timer_times);
	tcase_add_test(cases, assisted_solves_do_not_count);
	tcase_add_test(cases, averages_leave_out_best_and_worst);
	tcase_add_test(cases, turns_are_undone_and_redone);
	tcase_add_test(cases, quitting_and_help);
	tcase_add_test(cases, scrambles_start_the_timer);
	tcase_add_test(cases, lessons_lead_to_the_solved_cube);
	tcase_add_test(cases, a_lesson_follows_its_player);
	tcase_add_test(cases, layers_may_be_turned_one_by_one);
	tcase_add_test(cases, a_hint_comes_before_the_moves);
	tcase_add_test(cases, own_turns_stay_on_top_of_those_of_others);
	tcase_add_test(cases, steps_that_are_sent_in_parts_are_undone_in_parts);
	tcase_add_test(cases, refused_turns_are_taken_back);
	tcase_add_test(cases, a_new_state_keeps_own_turns);
	tcase_add_test(cases, cubes_fit_the_screen);
	tcase_add_test(cases, cubes_are_shown_obliquely);
	tcase_add_test(cases, small_screens_can_be_read);
	tcase_add_test(cases, screens_of_any_size_are_drawn);
	tcase_add_test(cases, styles_are_those_of_the_terminal);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 23);
}
