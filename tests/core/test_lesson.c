/* tests/core/test_lesson.c: lessons followed by hands that know only what is said: how the cube is
 * to be held, and the sentences. They turn what a sentence names, when it names it, and look whether every piece
 * is where the sentence says at that moment, and faces where it says. */
#include "cube/libcube.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <ctype.h>
#include <string.h>

#define ROOM 400
#define STEPS 80
#define WORDS_MAX 300

static struct cube_turn turns[ROOM];
static struct cube_solve_step steps[STEPS];
static struct cube_solution solution;

static const struct cube_lesson_words usual = {0};
static const struct cube_lesson_words named = {
	.colors = {"black", "light blue", "pink", "grey", "brown", "purple"}};

/* The hands. */
struct follower {
	const struct cube_lesson_words *words;
	struct cube *cube;
	int size;
	char colors[6];   /* of the piece that was named last, by letter; "" none */
	char made[256];   /* moves that were made in this step */
	char group[64];   /* those of the last row of moves */
	char stays[2][8]; /* what stays: colours, place */
	int claims;
	const char *text;
};

static const char *const side_words[] = {"top", "right", "front", "bottom", "left", "back"};

/* ck_assert writes to a file each time, which would take longer than everything else. */
#define EXPECT(condition, follower)                                                                \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("%s: %s", #condition, (follower)->text);                      \
	} while (0)

/* ---- the cube as it is seen ---- */

static const char *const places[] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL",
				     "DRB", "UR",  "UF",  "UL",  "UB",  "DR",  "DF",
				     "DL",  "DB",  "FR",  "FL",  "BL",  "BR"};
#define PLACES (sizeof places / sizeof places[0])
static size_t place_facelets[PLACES][3];

/* Facelets are at a place if they have the same point in space. */
static void find_places(int size)
{
	for (size_t place = 0; place < PLACES; place++) {
		int count = 0, at[3] = {0, 0, 0};
		for (const char *side = places[place]; *side; side++) {
			size_t face =
				(size_t)(strchr(cube_face_letters, *side) - cube_face_letters);
			struct geo_sticker center = geo_home(3, face * 9 + 4);
			for (int i = 0; i < 3; i++)
				at[i] += center.normal[i] * (size - 1);
		}
		for (size_t i = 0; i < cube_facelets(size); i++) {
			struct geo_sticker sticker = geo_home(size, i);
			if (sticker.at[0] == at[0] && sticker.at[1] == at[1] &&
			    sticker.at[2] == at[2])
				place_facelets[place][count++] = i;
		}
	}
}

/* The place with these sides, in any order; PLACES: none. */
static size_t place_of(const char *sides)
{
	for (size_t place = 0; place < PLACES; place++)
		if (strlen(places[place]) == strlen(sides) &&
		    strspn(sides, places[place]) == strlen(sides))
			return place;
	return PLACES;
}

static char side_of(int size, size_t facelet)
{
	return cube_face_letters[facelet / (size_t)(size * size)];
}

static int color_at(const struct follower *follower, size_t facelet)
{
	return cube_color_at(follower->cube, facelet);
}

/* Whether the piece with these colours is there. */
static bool is_at(const struct follower *follower, const char *colors, const char *sides)
{
	const size_t place = place_of(sides), count = strlen(sides);
	size_t found = 0;
	EXPECT(place < PLACES, follower);
	if (strlen(colors) != count)
		return false;
	for (size_t i = 0; i < count; i++)
		found += strchr(colors,
				cube_face_letters[color_at(follower, place_facelets[place][i])]) !=
			 NULL;
	return found == count;
}

static char center_of(const struct follower *follower, char side)
{
	size_t face = (size_t)(strchr(cube_face_letters, side) - cube_face_letters);
	size_t n = (size_t)follower->size;
	return cube_face_letters[color_at(follower, face * n * n + n / 2 * n + n / 2)];
}

/* Whether the piece with these colours belongs there. */
static bool belongs_at(const struct follower *follower, const char *colors, const char *sides)
{
	int found = 0;
	for (const char *side = sides; *side; side++)
		found += strchr(colors, center_of(follower, *side)) != NULL;
	return found == (int)strlen(colors) && found == (int)strlen(sides);
}

/* The side where the sticker of that colour faces. */
static char faces(const struct follower *follower, const char *colors, char color)
{
	for (size_t place = 0; place < PLACES; place++) {
		if (!is_at(follower, colors, places[place]))
			continue;
		for (size_t i = 0; i < strlen(colors); i++) {
			size_t facelet = place_facelets[place][i];
			if (cube_face_letters[color_at(follower, facelet)] == color)
				return side_of(follower->size, facelet);
		}
	}
	return '?';
}

/* ---- reading ---- */

struct word {
	char text[64];
	char mark; /* after it: . , : ; or 0 */
};

static int split(const char *text, struct word *words)
{
	int count = 0;
	while (*text != '\0') {
		size_t length = strcspn(text, " ");
		struct word *word = &words[count++];
		if (count >= WORDS_MAX || length >= sizeof word->text)
			ck_abort_msg("%s", text);
		memcpy(word->text, text, length);
		word->text[length] = '\0';
		word->mark = '\0';
		if (length > 0 && strchr(".,:;?", word->text[length - 1])) {
			word->mark = word->text[length - 1];
			word->text[length - 1] = '\0';
		}
		text += length;
		text += *text == ' ';
	}
	return count;
}

static bool is_move(const char *text)
{
	return text[0] != '\0' && strchr(cube_face_letters, text[0]) &&
	       (text[1] == '\0' || ((text[1] == '2' || text[1] == '\'') && text[2] == '\0'));
}

static void make(struct follower *follower, const char *move)
{
	int quarters = move[1] == '2' ? 2 : move[1] == '\'' ? -1 : 1;
	int face = (int)(strchr(cube_face_letters, move[0]) - cube_face_letters);
	cube_turn(follower->cube, cube_turn_make(follower->size, face, 1, 1, quarters));
	if (follower->made[0])
		strcat(follower->made, " ");
	strcat(follower->made, move);
	EXPECT(strlen(follower->made) < sizeof follower->made - 8, follower);
}

/* The letter of a colour's name at the beginning of a text, and its length. */
static char color_in(const struct follower *follower, const char *text, size_t *length)
{
	for (int color = 0; color < CUBE_FACES; color++) {
		const char *name = cube_lesson_color(follower->words, color);
		if (strncmp(text, name, strlen(name)) == 0) {
			*length = strlen(name);
			return cube_face_letters[color];
		}
	}
	return '\0';
}

static char side_in(const char *word)
{
	for (int side = 0; side < CUBE_FACES; side++)
		if (strcmp(word, side_words[side]) == 0)
			return cube_face_letters[side];
	return '\0';
}

/* "white-green edge" */
static bool hear_piece(struct follower *follower, const char *text)
{
	char colors[4] = "";
	size_t length;
	for (int count = 0; count < 3; count++) {
		colors[count] = color_in(follower, text, &length);
		if (colors[count] == '\0')
			return false;
		text += length;
		if (*text == ' ' && count > 0) {
			const char *kind = count == 1 ? " edge" : " corner";
			EXPECT(strncmp(text, kind, strlen(kind)) == 0, follower);
			memcpy(follower->colors, colors, 4);
			EXPECT(faces(follower, colors, colors[0]) != '?', follower);
			return true;
		}
		if (*text++ != '-')
			return false;
	}
	return false;
}

/* "at the top front right", "to the top front": where the piece is now, or belongs. */
static void hear_place(struct follower *follower, const struct word *words, int at, int count)
{
	char sides[4] = "";
	size_t found = 0;
	for (int i = at + 1; i < count && found < 3 && side_in(words[i].text); i++) {
		sides[found++] = side_in(words[i].text);
		if (words[i].mark)
			break;
	}
	if (found < 2)
		return;
	const char *before = at >= 2 ? words[at - 2].text : "", *how = words[at - 1].text;
	EXPECT(strcmp(how, "at") == 0 || strcmp(how, "to") == 0, follower);
	EXPECT(follower->colors[0] != '\0', follower);
	if (strcmp(before, "belongs") == 0)
		EXPECT(belongs_at(follower, follower->colors, sides), follower);
	else
		EXPECT(is_at(follower, follower->colors, sides), follower);
	if (strcmp(before, "stays") == 0) {
		strcpy(follower->stays[0], follower->colors);
		strcpy(follower->stays[1], sides);
	}
	follower->claims++;
}

/* "its white side facing you", "its yellow side is on top" */
static void hear_facing(struct follower *follower, const char *text)
{
	static const struct {
		const char *words;
		char side;
	} ways[] = {{" side facing up", 'U'},   {" side facing right", 'R'},
		    {" side facing you", 'F'},  {" side facing down", 'D'},
		    {" side facing left", 'L'}, {" side facing the back", 'B'},
		    {" side is on top", 'U'}};
	size_t length;
	char color = color_in(follower, text, &length);
	if (color == '\0')
		return;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		if (strncmp(text + length, ways[i].words, strlen(ways[i].words)) != 0)
			continue;
		EXPECT(faces(follower, follower->colors, color) == ways[i].side, follower);
		follower->claims++;
		return;
	}
	ck_abort_msg("a side that faces nowhere: %s", follower->text);
}

/* "all four edges show yellow on top": the edges of the top layer. */
static void hear_shows(struct follower *follower, const char *text)
{
	static const char *const top[] = {"UF", "UR", "UB", "UL"};
	size_t length;
	char color = color_in(follower, text, &length);
	for (int i = 0; i < 4; i++) {
		const size_t *facelets = place_facelets[place_of(top[i])];
		int seen = side_of(follower->size, facelets[0]) == 'U' ? 0 : 1;
		EXPECT(cube_face_letters[color_at(follower, facelets[seen])] == color, follower);
	}
	follower->claims++;
}

static bool follows(const char *text, const char *words)
{
	return strncmp(text, words, strlen(words)) == 0;
}

/* Does what the text says, from left to right, and checks what it claims. */
static void follow(struct follower *follower, const char *text)
{
	struct word words[WORDS_MAX];
	int count = split(text, words);
	const char *at = text;
	follower->text = text;
	follower->colors[0] = '\0';
	for (int i = 0; i < count; i++) {
		if (is_move(words[i].text)) {
			if (i == 0 || !is_move(words[i - 1].text) || words[i - 1].mark)
				follower->group[0] = '\0';
			strcat(follower->group, words[i].text);
			strcat(follower->group, " ");
			make(follower, words[i].text);
		} else if (follows(at, "made twice") || follows(at, "made four times")) {
			struct word again[WORDS_MAX];
			int moves = split(follower->group, again);
			for (int k = moves; k < moves * (words[i + 1].text[0] == 't' ? 2 : 4); k++)
				make(follower, again[k % moves].text);
		} else if (follows(at, "the ") || follows(at, "The ")) {
			hear_piece(follower, at + 4);
			hear_place(follower, words, i, count);
		} else if (follows(at, "its ") && strstr(at, " side ") &&
			   color_in(follower, at + 4, &(size_t){0})) {
			hear_facing(follower, at + 4);
		} else if (follows(at, "edges show ")) {
			hear_shows(follower, at + strlen("edges show "));
		}
		at += strcspn(at, " ");
		at += *at == ' ';
	}
}

/* "... until yellow is up and green is in front." */
static void hold(struct follower *follower, const char *text, const struct cube_solve_step *step)
{
	size_t length;
	const bool turns_it = follows(text, "Turn ");
	const char *up = strstr(text, turns_it ? "until " : "with ");
	follower->text = text;
	EXPECT(up && turns_it == (step->rotations > 0), follower);
	up += turns_it ? 6 : 5;
	char color = color_in(follower, up, &length);
	EXPECT(color == center_of(follower, 'U'), follower);
	up = strstr(up + length, " and ") + 5;
	color = color_in(follower, up, &length);
	EXPECT(color == center_of(follower, 'F'), follower);
	EXPECT(strstr(up, "in front."), follower);
	EXPECT(step->note.up ==
		       strchr(cube_face_letters, center_of(follower, 'U')) - cube_face_letters,
	       follower);
}

/* The sentences of a text stand alone: none refers to another one. */
static void check_text(const char *text)
{
	static const char *const wrong[] = {"the same", "mirror", "the other way", "as before", "{",
					    "}",        "  ",     "(null)"};
	bool good = strlen(text) > 20 && isupper((unsigned char)text[0]) &&
		    strchr(".?", text[strlen(text) - 1]) != NULL;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		good = good && !strstr(text, wrong[i]);
	if (!good)
		ck_abort_msg("%s", text);
}

static void print_moves(const struct cube_turn *from, size_t count, char *text)
{
	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const int quarters = from[i].quarters;
		if (from[i].to != 1)
			ck_abort_msg("a rotation between the moves of a step");
		sprintf(text + strlen(text), "%s%c%s", i > 0 ? " " : "",
			cube_face_letters[from[i].face],
			quarters == 1    ? ""
			: quarters == -1 ? "'"
					 : "2");
	}
}

/* Arrows go from where a piece is before the step to where it is afterwards. */
static struct {
	char colors[4], to[4];
} arrows[CUBE_LESSON_ARROWS];

static void arrows_begin(const struct follower *follower, const struct cube_solve_step *step)
{
	memset(arrows, 0, sizeof arrows);
	for (size_t i = 0; i < CUBE_LESSON_ARROWS; i++) {
		char from[4];
		if (!cube_lesson_arrow(&step->note, i, from, arrows[i].to))
			break;
		const size_t place = place_of(from);
		EXPECT(place < PLACES, follower);
		for (size_t k = 0; k < strlen(from); k++)
			arrows[i].colors[k] =
				cube_face_letters[color_at(follower, place_facelets[place][k])];
	}
}

static void arrows_end(const struct follower *follower)
{
	for (size_t i = 0; i < CUBE_LESSON_ARROWS && arrows[i].to[0]; i++)
		EXPECT(is_at(follower, arrows[i].colors, arrows[i].to), follower);
}

static bool shown;

/* Follows one step; returns where the turns of the next one begin. */
static size_t follow_step(struct follower *follower, const struct cube_solve_step *step, size_t at)
{
	char text[CUBE_LESSON_TEXT], moves[256];
	const int claims = follower->claims;
	cube_turn_all(follower->cube, turns + at, step->rotations);
	hold(follower, cube_lesson_say(follower->words, CUBE_LESSON_HOLD, &step->note, text), step);
	if (shown)
		printf("%s\n", text);
	check_text(text);
	follower->made[0] = '\0';
	follower->stays[0][0] = '\0';
	cube_lesson_say(follower->words, CUBE_LESSON_HINT, &step->note, text);
	if (shown)
		printf("  ? %s\n", text);
	check_text(text);
	follow(follower, text);
	EXPECT(follower->made[0] == '\0', follower);
	cube_lesson_say(follower->words, CUBE_LESSON_STEP, &step->note, text);
	print_moves(turns + at + step->rotations, step->count - step->rotations, moves);
	if (shown)
		printf("  = %s\n    %s\n", text, moves);
	check_text(text);
	arrows_begin(follower, step);
	follow(follower, text);
	arrows_end(follower);
	EXPECT(strcmp(follower->made, moves) == 0, follower);
	if (follower->stays[0][0])
		EXPECT(is_at(follower, follower->stays[0], follower->stays[1]), follower);
	EXPECT(follower->claims > claims, follower);
	return at + step->count;
}

static void solve(const struct cube *cube, int first)
{
	const struct cube_solver *solver = cube_solver_find("beginner", 8, cube->size);
	const struct cube_solve_task task = {
		.cube = cube, .first = (uint8_t)first, .length_enough = 9999};
	solution = (struct cube_solution){
		.turns = turns, .room = ROOM, .steps = steps, .step_room = STEPS};
	ck_assert_int_eq(solver->solve(NULL, &task, &solution), CUBE_SOLVE_ENOUGH);
	ck_assert_uint_lt(solution.step_count, STEPS);
}

/* Any state, held in any way. */
static void scramble(struct cube *cube, int size, struct gen *gen)
{
	cube_init(cube, size);
	for (int i = 0; i < 40; i++)
		cube_turn(cube, gen_turn(gen, size));
}

static void follow_lesson(struct follower *follower, int first)
{
	size_t at = 0;
	solve(follower->cube, first);
	for (size_t i = 0; i < solution.step_count; i++)
		at = follow_step(follower, &steps[i], at);
	ck_assert_uint_eq(at, solution.count);
	ck_assert(cube_is_solved(follower->cube));
}

START_TEST(all_of_it)
{
	struct gen gen = {.state = 20261};
	struct follower follower = {.size = 3, .cube = new_cube(3)};
	const uint32_t rounds = gen_states(1000);
	find_places(3);
	for (uint32_t i = 0; i < rounds; i++) {
		shown = i == 0 && getenv("CUBED_TEST_SHOW");
		scramble(follower.cube, 3, &gen);
		follower.words = i % 2 ? &named : &usual;
		follow_lesson(&follower, (int)(i % (CUBE_FACES + 1)));
	}
	ck_assert_int_gt(follower.claims, 50 * (int)rounds);
	free(follower.cube);
}
END_TEST

/* Asked again after each step, as it is held then: the first step of each lesson goes on from the one before. */
START_TEST(step_by_step)
{
	struct gen gen = {.state = 77};
	struct follower follower = {.size = 3, .cube = new_cube(3), .words = &usual};
	const uint32_t rounds = gen_rounds(100);
	find_places(3);
	for (uint32_t i = 0; i < rounds; i++) {
		scramble(follower.cube, 3, &gen);
		int count = 0, stage = 0;
		for (; !cube_is_solved(follower.cube); count++) {
			solve(follower.cube, (int)(i % (CUBE_FACES + 1)));
			ck_assert_int_ge(steps[0].stage, stage);
			stage = steps[0].stage;
			follow_step(&follower, &steps[0], 0);
			ck_assert_int_lt(count, STEPS);
		}
	}
	free(follower.cube);
}
END_TEST

START_TEST(stages_and_algorithms)
{
	const struct cube_solver *solver = cube_solver_find("beginner", 8, 3);
	char text[CUBE_LESSON_TEXT];
	struct cube_lesson_algorithm algorithm;
	unsigned language = 9;
	for (int i = 0; solver->stages[i]; i++) {
		ck_assert_ptr_nonnull(cube_lesson_title(&usual, solver->stages[i], text));
		ck_assert_uint_gt(strlen(text), 5);
		ck_assert_ptr_nonnull(cube_lesson_aim(&named, solver->stages[i], CUBE_F, text));
		check_text(text);
		ck_assert(cube_lesson_algorithm(&usual, solver->stages[i], 0, 0, &algorithm));
		for (size_t k = 0;
		     cube_lesson_algorithm(&usual, solver->stages[i], k, 0, &algorithm); k++) {
			struct parsed parsed;
			check_text(algorithm.text);
			ck_assert(parsed_read(&parsed, algorithm.moves, 3, CUBE_DIALECT_SIGN));
			parsed_free(&parsed);
		}
	}
	ck_assert_ptr_null(cube_lesson_title(&usual, "centers", text));
	ck_assert_ptr_null(cube_lesson_aim(&usual, "centers", 0, text));
	ck_assert(!cube_lesson_algorithm(&usual, "centers", 0, 0, &algorithm));
	for (size_t i = 0; i < 4; i++) {
		ck_assert_ptr_nonnull(cube_lesson_introduction(&usual, i, CUBE_D, text));
		check_text(text);
	}
	ck_assert_ptr_null(cube_lesson_introduction(&usual, 4, CUBE_D, text));
	ck_assert(cube_lesson_language_find("en", 2, &language));
	ck_assert_uint_eq(language, 0);
	ck_assert(!cube_lesson_language_find("eng", 3, &language));
	ck_assert_ptr_null(cube_lesson_language(1));
}
END_TEST

static Suite *suite_of_lesson(void)
{
	Suite *suite = suite_create("lesson");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, all_of_it);
	tcase_add_test(tcase, step_by_step);
	tcase_add_test(tcase, stages_and_algorithms);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_lesson(), 3);
}
