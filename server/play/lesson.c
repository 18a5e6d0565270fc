/* lesson.c: a lesson of `cubed play`, step by step, and how far the player is in a step. */
#include "server/play/game.h"

#include <stdlib.h>
#include <string.h>

#define METHOD "beginner"
#define LARGEST 3 /* lessons of larger cubes have more turns than PLAY_LESSON_TURNS */

static const struct cube_solver *solver_of(int size)
{
	return cube_solver_find(METHOD, strlen(METHOD), size);
}

bool play_lesson_has(int size)
{
	return size <= LARGEST && solver_of(size) != NULL;
}

struct lesson_memory {
	struct cube_turn turns[PLAY_LESSON_TURNS];
	struct cube_solve_step steps[PLAY_LESSON_STEPS];
};

static void take_first(struct play_lesson *lesson, const struct cube_solver *solver,
		       const struct cube_solution *solution)
{
	if (solution->step_count == 0)
		return;
	lesson->step = solution->steps[0];
	lesson->stage = solver->stages[lesson->step.stage];
	lesson->count = lesson->step.count;
	memcpy(lesson->turns, solution->turns, lesson->count * sizeof *lesson->turns);
}

bool play_lesson_begin(struct play *play)
{
	const struct cube_solver *solver = solver_of(play->cube->size);
	struct lesson_memory *memory = malloc(sizeof *memory);
	if (!memory)
		return false;
	struct cube_solution solution = {.turns = memory->turns,
					 .room = PLAY_LESSON_TURNS,
					 .steps = memory->steps,
					 .step_room = PLAY_LESSON_STEPS};
	const struct cube_solve_task task = {.cube = play->cube, .first = CUBE_FACES};
	play->lesson = (struct play_lesson){.shown = true, .start = play->done};
	solver->solve(NULL, &task, &solution);
	take_first(&play->lesson, solver, &solution);
	free(memory);
	return true;
}

static bool same_layers(struct cube_turn a, struct cube_turn b)
{
	return a.face == b.face && a.from == b.from && a.to == b.to;
}

/* One turn of the player. Half turns go either way, and may be made as two quarter turns. */
static void follow_turn(struct play_lesson *lesson, struct cube_turn turn, int *first_half)
{
	const bool on = lesson->stray == 0 && lesson->made < lesson->count;
	const struct cube_turn wanted = on ? lesson->turns[lesson->made] : turn;
	const bool half = wanted.quarters == 2 || wanted.quarters == -2;
	if (!on || !same_layers(wanted, turn)) {
		lesson->stray++;
	} else if (!lesson->begun && (turn.quarters == wanted.quarters ||
				      (half && turn.quarters == -wanted.quarters))) {
		lesson->made++;
	} else if (half && (turn.quarters == 1 || turn.quarters == -1) &&
		   (!lesson->begun || turn.quarters == *first_half)) {
		*first_half = turn.quarters;
		lesson->made += lesson->begun;
		lesson->begun = !lesson->begun;
	} else {
		lesson->stray++;
	}
}

bool play_lesson_follow(struct play *play)
{
	struct play_lesson *lesson = &play->lesson;
	int first_half = 0;
	if (!lesson->shown)
		return true;
	if (play->done < lesson->start)
		return play_lesson_begin(play);
	lesson->made = lesson->stray = 0;
	lesson->begun = false;
	for (size_t i = lesson->start; i < play->done; i++)
		follow_turn(lesson, play->moves[i].turn, &first_half);
	const bool complete = lesson->made == lesson->count && lesson->stray == 0;
	if (complete || cube_is_solved(play->cube))
		return play_lesson_begin(play);
	return true;
}

size_t play_lesson_left(const struct play_lesson *lesson, struct cube_turn *turns)
{
	const size_t left = lesson->count - lesson->made;
	memcpy(turns, lesson->turns + lesson->made, left * sizeof *turns);
	if (left > 0 && lesson->begun)
		turns[0].quarters = (int8_t)(turns[0].quarters / 2);
	return left;
}
