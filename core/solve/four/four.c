/* core/solve/four/four.c: the 4x4x4 by reduction: centres and edges in three phases, then the 3x3x3.
 *
 * Phase 1 brings the centres of two opposite colours to opposite faces, phase 2 the others to their
 * axes and the wings apart by their sides, phase 3 makes the centres whole and pairs the edges, and
 * what is then a 3x3x3 is solved by two_phase. Parities are not a special case: each phase ends
 * only in states that the later phases can solve. Many ways through phases 1 and 2 are looked for,
 * phase 3 is searched from those with the smallest bounds, and of several 3x3x3 the one that gives
 * the shortest whole is taken.
 *
 * Source: C. Tsai's eight steps, http://cubezzz.dyndns.org/drupal/?q=node/view/73#comment-2588, of
 * which S. Chen made three phases and two-phase, https://github.com/cs0x7f/TPR-4x4x4-Solver. */
#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/solve/common/methods.h"
#include "core/solve/four/four_internal.h"
#include "cube/cube.h"

/* The nodes that are tried at first, and four times as many in each further round, for callers that
 * want less than what was found. */
#define NODES_12 200000
#define NODES_3 60000
#define NODES_SHARE 5000
#define TRIES 4
#define ROUNDS 6

static const char *const stages[FOUR_STAGES + 1] = {"direct", "first-centers", "centers",
						    "edges",  "3x3x3",         NULL};

static const char *const texts[FOUR_STAGES] = {
	"Up to four turns away: all ways were tried.",
	"Bring the centers of two opposite colors to two opposite faces.",
	"Bring the others to their axes, and the halves of every edge to different sides.",
	"Make every center one color and pair all edges.",
	"Solve the rest as a 3x3x3.",
};

static void prepare_search(struct four_search *search, const struct four_tables *tables,
			   const struct cube_solve_task *task)
{
	const int hold[FOUR_FRAMES] = {0, cube_hold_table.of[CUBE_R][CUBE_U],
				       cube_hold_table.of[CUBE_F][CUBE_R]};
	memset(search, 0, offsetof(struct four_search, candidate));
	search->tables = tables;
	search->task = task;
	search->best = -1;
	for (int frame = 0; frame < FOUR_FRAMES; frame++) {
		union cube4 held;
		int back = cube_hold_inverse(hold[frame]);
		cube_hold_turn(&held.cube, task->cube, hold[frame]);
		four_read(&search->start[frame], &held.cube);
		memcpy(search->face[frame], cube_hold_table.hold[back].to, CUBE_FACES);
	}
	search->wings_odd = four_wings_odd(&search->start[0]);
}

/* Returns true if the solution is as short as the task wants it. */
static bool is_good(const struct four_search *search)
{
	const struct cube_solve_task *task = search->task;
	return search->best >= 0 && (task->length_max == 0 || search->best <= task->length_max) &&
	       (task->length_enough == 0 || search->best <= task->length_enough);
}

static void search_rounds(struct four_search *search)
{
	uint64_t factor = 1;
	for (int round = 0; round < ROUNDS && !search->stopped && !is_good(search); round++) {
		search->candidates = 0;
		search->nodes_end = search->nodes + factor * NODES_12;
		four_find_candidates(search);
		if (search->stopped || search->candidates == 0)
			continue;
		search->nodes_end = search->nodes + factor * NODES_3;
		search->share = factor * NODES_SHARE;
		search->tries = (int)factor * TRIES;
		four_finish_candidates(search);
		factor *= 4;
	}
}

static void search_near(struct four_search *search)
{
	static const uint8_t as_held[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
	uint8_t moves[FOUR_NEAR];
	search->best = four_near_solve(&search->tables->near, search->task->cube, moves);
	for (int i = 0; i < search->best; i++)
		search->turns[i] = four_turn(moves[i], as_held);
	for (int stage = 0; stage < FOUR_STAGES && search->best >= 0; stage++)
		search->behind[stage] = (size_t)search->best;
}

static void write_solution(const struct four_search *search, struct cube_solution *solution)
{
	size_t before = 0;
	assert(solution->room >= (size_t)search->best);
	solution->length = search->best;
	solution->count = (size_t)search->best;
	memcpy(solution->turns, search->turns, solution->count * sizeof(search->turns[0]));
	for (unsigned char stage = 0; stage < FOUR_STAGES; stage++) {
		/* A turn that joined one of a stage before belongs to that. */
		size_t behind = solution->count;
		for (int later = stage; later < FOUR_STAGES; later++)
			behind = search->behind[later] < behind ? search->behind[later] : behind;
		if (behind == before)
			continue;
		if (solution->steps && solution->step_count < solution->step_room)
			solution->steps[solution->step_count++] = (struct cube_solve_step){
				.stage = stage, .text = texts[stage], .count = behind - before};
		before = behind;
	}
}

static enum cube_solve_end solve(const void *tables, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	struct four_search *search = task->work;
	assert(task->metric == CUBE_SOLVE_HTM && task->cube->size == 4);
	prepare_search(search, tables, task);
	search_near(search);
	solution->bound = search->best >= 0 ? search->best : FOUR_NEAR + 1;
	if (search->best < 0 && (task->length_max == 0 || task->length_max > FOUR_NEAR))
		search_rounds(search);
	solution->nodes = search->nodes;
	solution->count = solution->step_count = 0;
	solution->length = -1;
	if (search->best >= 0 && (task->length_max == 0 || search->best <= task->length_max))
		write_solution(search, solution);
	return solution->length >= 0 && solution->length <= task->length_enough ? CUBE_SOLVE_ENOUGH
	       : search->stopped                                                ? CUBE_SOLVE_STOPPED
										: CUBE_SOLVE_ALL;
}

static size_t work_bytes(int size)
{
	(void)size;
	return sizeof(struct four_search);
}

static size_t room(int size)
{
	(void)size;
	return FOUR_ROOM;
}

static void make(void *memory, unsigned step, unsigned part)
{
	struct four_tables *tables = memory;
	if (step == 0 && part == 0) {
		four_moves_make(&tables->moves);
		four_near_make(&tables->near);
	}
	if (step == 1 && part == 0)
		four_pairs_make(&tables->pairs, &tables->moves);
	if (step == 1 && part == 1)
		four_centers_make(&tables->centers, &tables->moves);
}

static const struct cube_solver_tables rows[] = {{.name = "small",
						  .magic = 0x34726502,
						  .bytes = sizeof(struct four_tables),
						  .steps = 2,
						  .parts = 2,
						  .make = make}};

const struct cube_solver solver_four = {.name = "reduction",
					.size_min = 4,
					.size_max = 4,
					.length_max = {FOUR_ROOM},
					.stages = stages,
					.room = room,
					.work_bytes = work_bytes,
					.base = &solver_two_phase,
					.units = 1,
					.tables = rows,
					.table_count = 1,
					.solve = solve};
