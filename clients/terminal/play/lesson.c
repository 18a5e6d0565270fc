/* lesson.c: a lesson of `cubed play`, step by step, and how far the player is in a step. */
#include "clients/terminal/play/game.h"
#include "cube/cube.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define METHOD "beginner"

static const struct cube_solver *solver_of(int size)
{
	return cube_solver_find(METHOD, strlen(METHOD), size);
}

bool play_lesson_has(int size)
{
	return solver_of(size) != NULL;
}

/* A lesson is made of whole solutions, of which only the first step is kept. */
static void take_first(struct play_lesson *lesson, const struct cube_solver *solver,
		       const struct cube_solution *solution)
{
	if (solution->step_count == 0)
		return;
	lesson->step = solution->steps[0];
	lesson->stage = solver->stages[lesson->step.stage];
	lesson->count = lesson->step.count;
	assert(lesson->count <= PLAY_LESSON_TURNS);
	memcpy(lesson->turns, solution->turns, lesson->count * sizeof *lesson->turns);
}

bool play_lesson_begin(struct play *play)
{
	const int size = play->cube->size;
	const struct cube_solver *solver = solver_of(size);
	const size_t room = solver->room(size);
	struct cube_solve_step first;
	struct cube_solution solution = {.turns = malloc(room * sizeof *solution.turns),
					 .room = room,
					 .steps = &first,
					 .step_room = 1};
	const struct cube_solve_task task = {.cube = play->cube, .first = CUBE_FACES};
	if (!solution.turns)
		return false;
	assert(!solver->work_bytes);
	play->lesson = (struct play_lesson){.shown = true, .start = play->done};
	solver->solve(NULL, &task, &solution);
	take_first(&play->lesson, solver, &solution);
	free(solution.turns);
	return true;
}

/* The layers of a turn, counted from that face or the opposite one; false if it has another axis. */
static bool seen_from(int face, int size, struct cube_turn *turn)
{
	if (turn->face != face)
		*turn = (struct cube_turn){(uint8_t)((turn->face + CUBE_D) % CUBE_FACES),
					   (uint8_t)(size + 1 - turn->to),
					   (uint8_t)(size + 1 - turn->from),
					   (int8_t)-turn->quarters, CUBE_STYLE_LAYERS};
	return turn->face == face;
}

static bool is_half(struct cube_turn turn)
{
	return turn.quarters == 2 || turn.quarters == -2;
}

/* Returns whether these layers are on the way to `wanted`: none is turned that it does not turn, and
 * none further; half turns go either way. */
static bool on_the_way(const uint8_t *part, int size, struct cube_turn wanted)
{
	for (int layer = 1; layer <= size; layer++) {
		const int made = part[layer - 1];
		const bool in = layer >= wanted.from && layer <= wanted.to;
		if (made != 0 && !(in && (is_half(wanted) || made == (wanted.quarters & 3))))
			return false;
	}
	return true;
}

/* One turn of the player. The layers of a turn may be turned one by one, and half turns as two
 * quarter turns. */
static void follow_turn(struct play_lesson *lesson, int size, struct cube_turn turn)
{
	uint8_t part[CUBE_SIZE_MAX];
	if (lesson->stray > 0 || lesson->made == lesson->count ||
	    !seen_from(lesson->turns[lesson->made].face, size, &turn)) {
		lesson->stray++;
		return;
	}
	const struct cube_turn wanted = lesson->turns[lesson->made];
	memcpy(part, lesson->part, sizeof part);
	for (int layer = turn.from; layer <= turn.to; layer++)
		part[layer - 1] = (uint8_t)((part[layer - 1] + turn.quarters) & 3);
	if (!on_the_way(part, size, wanted)) {
		lesson->stray++;
		return;
	}
	bool complete = true;
	for (int layer = wanted.from; layer <= wanted.to; layer++)
		complete &= part[layer - 1] == (wanted.quarters & 3);
	lesson->made += complete;
	if (complete)
		memset(part, 0, sizeof part);
	memcpy(lesson->part, part, sizeof part);
}

bool play_lesson_follow(struct play *play)
{
	struct play_lesson *lesson = &play->lesson;
	if (!lesson->shown)
		return true;
	if (play->done < lesson->start)
		return play_lesson_begin(play);
	lesson->made = lesson->stray = 0;
	memset(lesson->part, 0, sizeof lesson->part);
	for (size_t i = lesson->start; i < play->done; i++)
		follow_turn(lesson, play->cube->size, play->moves[i].turn);
	const bool complete = lesson->made == lesson->count && lesson->stray == 0;
	if (complete || cube_is_solved(play->cube))
		return play_lesson_begin(play);
	return true;
}

/* Returns the quarter turns of a layer that are left in `wanted`. */
static int left_of(const struct play_lesson *lesson, struct cube_turn wanted, int layer)
{
	const int made = lesson->part[layer - 1];
	return made == 0 ? wanted.quarters : cube_quarters(wanted.quarters - made);
}

/* The rest of the turn that is begun: a turn for each run of layers of which the same is left. */
static size_t rest_of_turn(const struct play_lesson *lesson, int size, struct cube_turn *turns)
{
	const struct cube_turn wanted = lesson->turns[lesson->made];
	size_t count = 0;
	for (int from = wanted.from, to; from <= wanted.to; from = to + 1) {
		const int left = left_of(lesson, wanted, from);
		to = from;
		while (to < wanted.to && left_of(lesson, wanted, to + 1) == left)
			to++;
		if (from == wanted.from && to == wanted.to) {
			turns[count] = wanted;
			turns[count++].quarters = (int8_t)left;
		} else if (left != 0) {
			turns[count++] = cube_turn_make(size, wanted.face, from, to, left);
		}
	}
	return count;
}

size_t play_lesson_left(const struct play_lesson *lesson, int size,
			struct cube_turn turns[PLAY_LESSON_LEFT])
{
	if (lesson->made == lesson->count)
		return 0;
	const size_t left = lesson->count - lesson->made - 1,
		     first = rest_of_turn(lesson, size, turns);
	memcpy(turns + first, lesson->turns + lesson->made + 1, left * sizeof *turns);
	return first + left;
}
