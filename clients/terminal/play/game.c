/* game.c: the cube with its history: what keys do to it. */
#include "clients/terminal/play/game.h"

#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/scramble.h"

#define NO_MEMORY "Out of memory."

/* The method whose tables scrambles of that size need; NULL: none, from 4 on moves are random. */
static const struct cube_solver *scrambler(int size)
{
	const char *method = size == 2 ? "optimal" : "two_phase";
	return size <= 3 ? cube_solver_find(method, strlen(method), size) : NULL;
}

bool play_prepare(struct play *play)
{
	const struct cube_solver *solver = scrambler(play->cube->size);
	if (!solver || play->tables)
		return true;
	const struct cube_solver_tables *tables = &solver->tables[0];
	play->tables = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(tables->bytes));
	if (play->tables)
		cube_solver_make(tables, play->tables);
	return play->tables != NULL;
}

bool play_init(struct play *play, int size, enum play_layout layout, struct cube_random random)
{
	*play = (struct play){.keys.layout = layout, .random = random, .message = ""};
	play_timer_init(&play->timer);
	play->cube = malloc(cube_bytes(size));
	if (play->cube)
		cube_init(play->cube, size);
	return play->cube != NULL;
}

void play_finish(struct play *play)
{
	free(play->cube);
	free(play->shared.base);
	free(play->moves);
	free(play->tables);
}

/* ---- turns ---- */

static bool is_rotation(const struct play *play, struct cube_turn turn)
{
	return turn.from == 1 && turn.to == play->cube->size;
}

void play_changed(struct play *play, bool layers, int64_t now_ms)
{
	if (layers)
		play_timer_turned(&play->timer, now_ms);
	if (cube_is_solved(play->cube))
		play_timer_solved(&play->timer, now_ms);
	if (!play_lesson_follow(play))
		play->message = NO_MEMORY;
}

bool play_make_room(struct play *play)
{
	if (play->done < play->capacity)
		return true;
	const size_t capacity = play->capacity > 0 ? 2 * play->capacity : 64;
	struct play_move *moves = realloc(play->moves, capacity * sizeof *moves);
	if (!moves) {
		play->message = NO_MEMORY;
		return false;
	}
	play->moves = moves;
	play->capacity = capacity;
	return true;
}

static void make_turns(struct play *play, const struct cube_turn *turns, size_t count,
		       int64_t now_ms)
{
	const struct play_shared *shared = &play->shared;
	const char *refusal = shared->calls ? shared->calls->refusal(shared->context) : NULL;
	bool layers = false;
	if (refusal) {
		play->message = refusal;
		return;
	}
	for (size_t i = 0; i < count && play_make_room(play); i++) {
		play->moves[play->done++] = (struct play_move){turns[i], i > 0, now_ms};
		play->count = play->done;
		cube_turn(play->cube, turns[i]);
		layers |= !is_rotation(play, turns[i]);
	}
	play_changed(play, layers, now_ms);
	if (shared->calls)
		shared->calls->turned(shared->context);
}

/* Asks the others for a change, if the cube is shared; false: it is not. */
static bool ask_others(struct play *play, enum play_change change)
{
	const struct play_shared *shared = &play->shared;
	if (!shared->calls)
		return false;
	const char *refusal = shared->calls->refusal(shared->context);
	/* A turn that was taken back here before could only be redone out of order. */
	play->count = play->done;
	if (refusal)
		play->message = refusal;
	else
		shared->calls->change(shared->context, change);
	return true;
}

static void undo(struct play *play, int64_t now_ms)
{
	/* Turns that were not sent are only taken back here. */
	const size_t sent = play->shared.settled + play->shared.sent;
	bool layers = false, more = true;
	if (play->done == sent && ask_others(play, PLAY_UNDO))
		return;
	if (play->done == 0) {
		play->message = "There is nothing to undo.";
		return;
	}
	while (more) {
		const struct play_move *move = &play->moves[--play->done];
		cube_turn(play->cube, cube_turn_inverse(move->turn));
		layers |= !is_rotation(play, move->turn);
		more = move->joined && play->done > sent;
	}
	play_changed(play, layers, now_ms);
}

static void redo(struct play *play, int64_t now_ms)
{
	bool layers = false;
	if (play->done == play->count && ask_others(play, PLAY_REDO))
		return;
	if (play->done == play->count) {
		play->message = "There is nothing to redo.";
		return;
	}
	do {
		const struct play_move *move = &play->moves[play->done++];
		cube_turn(play->cube, move->turn);
		layers |= !is_rotation(play, move->turn);
	} while (play->done < play->count && play->moves[play->done].joined);
	play_changed(play, layers, now_ms);
	if (play->shared.calls)
		play->shared.calls->turned(play->shared.context);
}

/* ---- a new cube ---- */

static void start_solved(struct play *play)
{
	cube_init(play->cube, play->cube->size);
	play->done = play->count = 0;
	play->lesson.shown = false;
	play_timer_reset(&play->timer);
}

static void scramble(struct play *play, int64_t now_ms)
{
	const int size = play->cube->size;
	if (play->timer.state == PLAY_TIMER_RUNNING && !play->scramble_asked) {
		play->scramble_asked = true;
		play->message = "The timer is running. Press Space again for another scramble.";
		return;
	}
	if (ask_others(play, PLAY_SCRAMBLE))
		return;
	struct cube_turn *turns = calloc(cube_scramble_room(size), sizeof *turns);
	if (!turns || !play_prepare(play)) {
		free(turns);
		play->message = NO_MEMORY;
		return;
	}
	play->scramble_asked = false;
	const struct cube_scramble_task task = {.size = size,
						.random = play->random,
						.optimal2 = size == 2 ? play->tables : NULL,
						.two_phase = size == 3 ? play->tables : NULL};
	start_solved(play);
	cube_turn_all(play->cube, turns, cube_scramble(&task, turns));
	free(turns);
	play_timer_scrambled(&play->timer, now_ms);
	play->message = "Scrambled. The first turn starts the timer.";
}

static void reset(struct play *play, int64_t now_ms)
{
	(void)now_ms;
	if (ask_others(play, PLAY_RESET))
		return;
	start_solved(play);
	play->message = "A solved cube.";
}

/* ---- the lesson ---- */

static void begin_lesson(struct play *play)
{
	if (!play_lesson_has(play->cube->size))
		play->message = "There are lessons for 2x2x2 to 7x7x7 only.";
	else if (!play_lesson_begin(play))
		play->message = NO_MEMORY;
	else
		play_timer_assist(&play->timer);
}

static void make_step(struct play *play, int64_t now_ms)
{
	struct cube_turn turns[PLAY_LESSON_LEFT];
	if (!play->lesson.shown)
		play->message = "Enter makes the moves of a lesson's step. Tab shows one.";
	else if (play->lesson.stray > 0)
		play->message = "Take back the other turns first (Left), or press Tab.";
	else if (play->lesson.count > 0)
		make_turns(play, turns, play_lesson_left(&play->lesson, play->cube->size, turns),
			   now_ms);
}

/* Shows a hint; then the moves; then makes them. */
static void lesson_key(struct play *play, int64_t now_ms)
{
	struct play_lesson *lesson = &play->lesson;
	if (!lesson->shown || lesson->stray > 0)
		begin_lesson(play);
	else if (!lesson->moves_shown)
		lesson->moves_shown = true;
	else
		make_step(play, now_ms);
}

static void end_lesson(struct play *play, int64_t now_ms)
{
	(void)now_ms;
	if (play->lesson.shown)
		play->message = "The lesson is over. Tab shows it again.";
	play->lesson.shown = false;
}

/* ---- keys ---- */

static void change_layout(struct play *play, int64_t now_ms)
{
	(void)now_ms;
	const enum play_layout other =
		play->keys.layout == PLAY_LETTERS ? PLAY_SPEED : PLAY_LETTERS;
	play->keys = (struct play_keys){.layout = other};
	play->message =
		other == PLAY_SPEED ? "Keys: speed, as csTimer's virtual cube." : "Keys: letters.";
}

static void change_view(struct play *play, int64_t now_ms)
{
	(void)now_ms;
	play->oblique = !play->oblique;
}

static void show_help(struct play *play, int64_t now_ms)
{
	(void)now_ms;
	play->help = true;
}

static const struct {
	int key;
	void (*run)(struct play *play, int64_t now_ms);
} commands[] = {
	{'?', show_help},
	{' ', scramble},
	{PLAY_KEY_LEFT, undo},
	{PLAY_KEY_BACKSPACE, undo},
	{PLAY_KEY_RIGHT, redo},
	{PLAY_KEY_TAB, lesson_key},
	{'\r', make_step},
	{PLAY_KEY_CTRL_N, reset},
	{'=', change_layout},
	{PLAY_KEY_ESCAPE, end_lesson},
	{PLAY_KEY_CTRL_V, change_view},
};

static bool run_command(struct play *play, int key, int64_t now_ms)
{
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		if (commands[i].key != key)
			continue;
		commands[i].run(play, now_ms);
		return true;
	}
	return false;
}

static void press(struct play *play, int key, int64_t now_ms)
{
	struct cube_turn turn;
	const enum play_press pressed = play_press(&play->keys, key, play->cube->size, &turn);
	if (pressed == PLAY_PRESS_TURN)
		make_turns(play, &turn, 1, now_ms);
	else if (pressed == PLAY_PRESS_NO_LAYER)
		play->message = "This cube does not have that layer.";
	else if (pressed == PLAY_PRESS_NOTHING)
		play->message = "This key has no meaning here. ? shows the keys.";
}

bool play_key(struct play *play, int key, int64_t now_ms)
{
	const bool asked = play->scramble_asked;
	if (key == PLAY_KEY_CTRL_C || key == PLAY_KEY_CTRL_Q ||
	    (key == 'q' && play->keys.layout == PLAY_LETTERS && !play->help))
		return false;
	/* The other layout turns with it. */
	if (key == 'v' && play->keys.layout == PLAY_LETTERS)
		key = PLAY_KEY_CTRL_V;
	play->message = "";
	if (play->help) {
		play->help = false;
		return true;
	}
	if (!run_command(play, key, now_ms))
		press(play, key, now_ms);
	if (asked)
		play->scramble_asked = false;
	return true;
}
