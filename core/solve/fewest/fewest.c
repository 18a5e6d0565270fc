/* core/solve/fewest/fewest.c: solutions of few moves, by stages: rounds of the search, and the
 * row of the method. search.h has the idea. */
#include <assert.h>

#include "core/solve/common/methods.h"
#include "core/solve/fewest/search.h"

#define NEAR 4  /* up to here shortest solutions are promised */
#define ROOM 96 /* a solution, and the turns of its stages */

/* The usual pass; then what it leaves out, if still wanted. */
static const struct fewest_effort usual = {
	.eo = 7, .open = 6, .tried = 1, .finish = 12, .divided = true};
static const struct fewest_effort whole = {
	.eo = LONGEST, .tried = LONGEST, .finish = LONGEST, .divided = true};
/* Every solution can be divided into stages on the normal alone. There are so few of
 * these that each unit searches all of them. */
static const struct fewest_effort straight = {.eo = LONGEST, .finish = LONGEST};

struct seen {
	struct cube_state3 state[FEWEST_FRAMES];
	bool again[FEWEST_FRAMES]; /* the same as in an earlier frame */
};

static void see(const struct fewest_search *search, struct seen *seen)
{
	for (int i = 0; i < FEWEST_FRAMES; i++) {
		symmetries_conjugate(&search->phases.phases->symmetries, fewest_symmetry(i),
				     &search->phases.held.state, &seen->state[i]);
		seen->again[i] = false;
		for (int k = 0; k < i; k++)
			seen->again[i] |= cube_state3_equal(&seen->state[i], &seen->state[k]);
	}
}

/* All rounds of an effort that can lead to something shorter than what was found. */
static void search_pass(struct fewest_search *search, const struct seen *seen,
			const struct fewest_effort *effort, int frames)
{
	search->effort = *effort;
	for (int round = 0; round <= search->phases.limit && !search->phases.stopped; round++)
		for (int i = 0; i < frames && !search->phases.stopped; i++) {
			search->round = round;
			search->frame = i;
			if (!seen->again[i])
				fewest_round(search, &seen->state[i]);
		}
}

/* Returns the bound that is proved from all frames: no solution is shorter. */
static int bound_of(const struct fewest_search *search, const struct seen *seen)
{
	const struct phases *phases = search->phases.phases;
	int most = 0;
	for (int i = 0; i < FEWEST_FRAMES; i += 2) {
		const struct outside outside = {(uint16_t)coordinate_twist.of(&seen->state[i]),
						(uint16_t)coordinate_flip.of(&seen->state[i]),
						(uint16_t)coordinate_slice.of(&seen->state[i])};
		const uint64_t hash = phase1_hash(phases, outside);
		const int bound =
			phase1_within(phases, hash) ? phase1_nearer(phases, hash) : NEAR_1 + 1;
		most = bound > most ? bound : most;
	}
	return most;
}

/* Lengths up to NEAR, each completely. Returns a length below which there is no solution. */
static int search_near(struct fewest_search *search, const struct seen *seen)
{
	const int limit = search->phases.limit;
	int bound = bound_of(search, seen);
	for (; bound <= NEAR && bound <= limit && !search->phases.stopped; bound++) {
		search->phases.limit = bound;
		search_pass(search, seen, &straight, 1);
		if (search->phases.best_length >= 0)
			return bound;
		search->phases.limit = limit;
		two_phase_poll(&search->phases); /* others may have lowered the limit */
	}
	return bound;
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	const struct small_tables *base = task->base;
	struct fewest_search search = {
		.tables = memory,
		.phases = {.phases = &base->phases,
			   .task = task,
			   .poll_at = 1,
			   .best_length = -1,
			   .limit = task->length_max > 0 ? task->length_max : LONGEST}};
	struct seen seen;
	assert(task->metric == CUBE_SOLVE_HTM);
	if (search.phases.limit > LONGEST)
		search.phases.limit = LONGEST;
	held_home(&search.phases.held, task->cube);
	see(&search, &seen);
	solution->bound = search_near(&search, &seen);
	if (search.phases.best_length >= 0)
		search.phases.limit = -1; /* a shortest one */
	search_pass(&search, &seen, &usual, FEWEST_FRAMES);
	search_pass(&search, &seen, &whole, FEWEST_FRAMES);
	if (!search.phases.stopped && task->step == 0 && solution->bound <= search.phases.limit)
		solution->bound = search.phases.limit + 1;
	solution->count = solution->step_count = solution->step_turns = 0;
	solution->length = -1;
	solution->nodes = search.phases.nodes;
	if (search.phases.best_length >= 0)
		fewest_write(&search, solution);
	return two_phase_is_enough(&search.phases) ? CUBE_SOLVE_ENOUGH
	       : search.phases.stopped             ? CUBE_SOLVE_STOPPED
						   : CUBE_SOLVE_ALL;
}

static size_t room_for(int size)
{
	(void)size;
	return ROOM;
}

static const char *const stages[FEWEST_STAGES + 1] = {"eo", "dr", "htr", "finish", NULL};

const struct cube_solver solver_fewest = {.name = "fewest",
					  .size_min = 3,
					  .size_max = 3,
					  .length_max = {LONGEST},
					  .niss = true,
					  .stages = stages,
					  .room = room_for,
					  .base = &solver_two_phase,
					  .units = FEWEST_UNITS,
					  .tables = &fewest_tables,
					  .table_count = 1,
					  .solve = solve};
