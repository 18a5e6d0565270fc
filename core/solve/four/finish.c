/* core/solve/four/finish.c: phase 3 of the 4x4x4, and the 3x3x3 that it becomes. */
#include <assert.h>
#include <string.h>

#include "core/solve/common/methods.h"
#include "core/solve/four/four_internal.h"
#include "cube/cube.h"

#define ENOUGH_FIRST 24 /* of the first 3x3x3: soon found for each */
#define NODES_TRY 20000 /* of each one, that it be shorter */

/* Adds a turn, or joins it with one that it can be brought next to; returns how many there are. */
static size_t add_turn(struct cube_turn *turns, size_t count, struct cube_turn turn)
{
	for (size_t at = count; at-- > 0 && turns[at].face % 3 == turn.face % 3;) {
		if (turns[at].face != turn.face || turns[at].to != turn.to)
			continue;
		turns[at].quarters = cube_quarters(turns[at].quarters + turn.quarters + 4);
		if (turns[at].quarters == 0)
			memmove(&turns[at], &turns[at + 1], (--count - at) * sizeof(turns[0]));
		return count;
	}
	turns[count] = turn;
	return count + 1;
}

/* ---- the 3x3x3 ---- */

static bool carry_on_3(void *context, const struct cube_solve_progress *progress)
{
	struct four_search *search = context;
	const struct cube_solve_task *task = search->task;
	struct cube_solve_progress whole = {.nodes = search->nodes + progress->nodes,
					    .depth = search->depth,
					    .best = search->best};
	search->stopped = !task->carry_on(task->context, &whole);
	return !search->stopped;
}

/* The turns of the three phases; returns how many. */
static size_t write_phases(const struct four_search *search, struct cube_turn turns[FOUR_ROOM],
			   size_t behind[FOUR_STAGES])
{
	const struct four_candidate *now = search->now;
	const uint8_t *face = search->face[now->frame];
	size_t count = 0;
	memset(behind, 0, FOUR_STAGES * sizeof(behind[0]));
	for (int i = 0; i < now->length + search->length_3; i++) {
		count = add_turn(turns, count, four_turn(search->path[i], face));
		int stage = 1 + (i >= now->length_1) + (i >= now->length);
		for (; stage < FOUR_STAGES; stage++)
			behind[stage] = count;
	}
	return count;
}

/* Solves the 3x3x3 behind `count` turns, in no more than `most` if that is not 0, and keeps the
 * whole if it is the best. */
static void try_3(struct four_search *search, const struct cube *reduced, size_t count,
		  const size_t behind[FOUR_STAGES], int most)
{
	const struct cube_solve_task *task = search->task;
	struct cube_turn turns[FOUR_ROOM], last[CUBE_SOLUTION_MAX];
	struct cube_solution solution = {.turns = last, .room = CUBE_SOLUTION_MAX};
	struct cube_solve_task rest = {.cube = reduced,
				       .length_max = most,
				       .length_enough = most > 0 ? 0 : ENOUGH_FIRST,
				       .nodes_max = most > 0 ? NODES_TRY : 0,
				       .stop = task->stop,
				       .carry_on = task->carry_on ? carry_on_3 : NULL,
				       .context = search};
	solver_two_phase.solve(task->base, &rest, &solution);
	search->nodes += solution.nodes;
	search->nodes_end += solution.nodes;
	if (solution.length < 0)
		return;
	memcpy(turns, search->turns_3, count * sizeof(turns[0]));
	for (size_t i = 0; i < solution.count; i++)
		count = add_turn(turns, count, last[i]);
	if (search->best >= 0 && (int)count >= search->best)
		return;
	search->best = (int)count;
	memcpy(search->turns, turns, count * sizeof(turns[0]));
	memcpy(search->behind, behind, FOUR_STAGES * sizeof(behind[0]));
	search->behind[FOUR_STAGES - 1] = count;
}

/* Phase 3 is done: solves what is left, if it makes the whole shorter. */
static void try_solution(struct four_search *search)
{
	size_t behind[FOUR_STAGES], count = write_phases(search, search->turns_3, behind);
	union cube4 room, reduced;
	cube_copy(&room.cube, search->task->cube);
	cube_turn_all(&room.cube, search->turns_3, count);
	bool good = four_reduce(&room.cube, &reduced.cube);
	assert(good);
	search->tries--;
	if (search->best < 0 && good)
		try_3(search, &reduced.cube, count, behind, 0);
	/* As long, not shorter: a turn may join one of phase 3. */
	if (search->best > (int)count && good && !search->stopped)
		try_3(search, &reduced.cube, count, behind, search->best - (int)count);
}

/* ---- phase 3 ---- */

static bool phase_3_done(const struct four_search *search)
{
	bool used_up = search->nodes >= search->nodes_end || search->tries <= 0;
	return search->stopped || (search->best >= 0 && used_up);
}

/* The same, or this candidate has used up its share: if the edges alone and the centres alone are
 * near, but not both, bounds are poor and another candidate is better. */
static bool candidate_done(const struct four_search *search)
{
	return phase_3_done(search) || (search->best < 0 && search->nodes >= search->there_end);
}

/* A move of phase 3 that the centres allow, and where it leads. */
struct onward {
	uint8_t m, ends[FOUR_AXES];
	bool odd;
	const uint8_t *at;
};

/* Finds the moves that may come next, with at most `left` in all; returns how many. */
static size_t find_onward(const struct four_search *search, const uint8_t *pair,
			  const struct onward *here, int before, int left,
			  struct onward onward[FOUR_MOVES_3])
{
	const struct four_centers *centers = &search->tables->centers;
	size_t count = 0;
	for (uint8_t m = 0; m < FOUR_MOVES_3; m++) {
		struct onward *next = &onward[count];
		if (!four_follows(four_block(four_moves_3[m]), before))
			continue;
		for (int axis = 0; axis < FOUR_AXES; axis++)
			next->ends[axis] = centers->axis_move[axis][here->ends[axis]][m];
		next->odd = here->odd != four_is_wide(four_moves_3[m]);
		if (four_distance_3(centers, next->ends, next->odd) >= left)
			continue;
		next->m = m;
		next->at = four_pairs_after_at(&search->tables->pairs, m, pair);
		count++;
	}
	return count;
}

/* All ways from here in `left` moves. */
static void phase3(struct four_search *search, const uint8_t *pair, const struct onward *here,
		   int left)
{
	const int at = search->now->length + search->length_3 - left;
	struct onward onward[FOUR_MOVES_3];
	if (left == 0) {
		try_solution(search);
		return;
	}
	size_t count =
		find_onward(search, pair, here,
			    at > 0 ? four_block(search->path[at - 1]) : FOUR_NONE, left, onward);
	for (size_t i = 0; i < count; i++) {
		uint8_t then[FOUR_EDGES];
		if (four_pairs_distance(onward[i].at, onward[i].odd) >= left)
			continue;
		if (!four_go_on(search) || candidate_done(search))
			return;
		search->path[at] = four_moves_3[onward[i].m];
		four_pairs_after(&search->tables->pairs, onward[i].m, pair, then);
		phase3(search, then, &onward[i], left - 1);
	}
}

/* Length by length, those with the least ranks first. */
void four_finish_candidates(struct four_search *search)
{
	for (int length = search->least; length <= FOUR_LONGEST && !phase_3_done(search);
	     length++) {
		search->depth = length;
		for (size_t i = 0; i < search->candidates && !phase_3_done(search); i++) {
			const struct four_candidate *now = &search->candidate[i];
			struct onward here = {.odd = now->odd};
			if (now->bound > length)
				continue;
			search->now = now;
			search->there_end = search->nodes + search->share;
			search->length_3 = length - now->length;
			memcpy(search->path, now->path, now->length);
			memcpy(here.ends, now->ends, sizeof(here.ends));
			phase3(search, now->pair, &here, search->length_3);
		}
	}
}
