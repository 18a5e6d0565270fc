/* core/solve/reduction/reduction.c: cubes of size 4 and more, reduced to a 3x3x3: its centres are solved and
 * its edges paired, and then outer turns, found by two_phase, solve the rest. */
#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/room.h"
#include "core/solve/common/methods.h"
#include "core/solve/common/poll.h"
#include "core/solve/common/table_head.h"
#include "core/solve/reduction/pair.h"
#include "core/solve/reduction/reduction_internal.h"
#include "core/solve/reduction/slices.h"
#include "core/solve/reduction/steps.h"
#include "cube/cube.h"
#include "cube/facelets.h"

#define POLL_NODES 4096
#define SLICES_TRIES 6 /* each from another outer turn; some find no way */
#define ENOUGH_3 20
#define NODES_3 30000 /* for a solution of the 3x3x3 of that length; then any will do */

const uint8_t reduction_sides[CUBE_FACES] = {CUBE_U, CUBE_D, CUBE_F, CUBE_B, CUBE_R, CUBE_L};

struct reduction_tables {
	struct table_head head;
	struct words words;
	struct centers centers;
};

/* ---- geometry ---- */

size_t orbit_facelet(int size, int row, int column, int place)
{
	for (int quarters = place % 4; quarters > 0; quarters--) {
		int right = size - 1 - row;
		row = column;
		column = right;
	}
	return (size_t)((reduction_sides[place / 4] * size + row) * size + column);
}

int orbit_home(const struct cube *cube, int row, int column, int place)
{
	size_t sticker = cube->sticker[orbit_facelet(cube->size, row, column, place)];
	int home = 0;
	while (home < ORBIT && orbit_facelet(cube->size, row, column, home) != sticker)
		home++;
	assert(home < ORBIT);
	return home;
}

void orbit_turn(int size, int row, int column, struct cube_turn turn, uint8_t from[ORBIT])
{
	union {
		struct cube cube;
		uint16_t room[sizeof(struct cube) / 2 + 6 * 7 * 7];
	} room;
	assert(size <= 7);
	cube_init(&room.cube, size);
	cube_turn(&room.cube, turn);
	for (int place = 0; place < ORBIT; place++)
		from[place] = (uint8_t)orbit_home(&room.cube, row, column, place);
}

/* ---- the search ---- */

void reduction_turn(struct reduction *reduction, int face, int from, int to, int quarters)
{
	struct cube_solution *solution = reduction->solution;
	int size = reduction->cube->size;
	if (quarters % 4 == 0 || reduction->stopped)
		return;
	if (solution->count == solution->room) {
		reduction->stopped = true;
		return;
	}
	cube_turn(reduction->cube, cube_turn_make(size, face, from, to, quarters));
	solution->turns[solution->count++] =
		cube_turn_make(size, reduction->face[face], from, to, quarters);
}

bool reduction_go_on(struct reduction *reduction, uint64_t nodes)
{
	reduction->nodes += nodes;
	if (reduction->nodes >= reduction->poll_at && !reduction->stopped) {
		reduction->poll_at = reduction->nodes + POLL_NODES;
		reduction->depth = (int)reduction->solution->count;
		reduction->stopped =
			poll_stopped(reduction->task, reduction->nodes, reduction->depth, -1);
	}
	return !reduction->stopped;
}

int reduction_length(const struct reduction *reduction, size_t from)
{
	const struct cube_solution *solution = reduction->solution;
	int length = 0;
	for (size_t i = from; i < solution->count; i++) {
		const struct cube_turn *turn = &solution->turns[i];
		length += turn->from == 1 || turn->to == reduction->cube->size ? 1 : 2;
	}
	return length;
}

/* Turns of the same block with only turns about the same axis between them become one turn, or
 * cancel. */
static void join(struct cube_solution *solution, size_t begun)
{
	size_t count = begun;
	for (size_t i = begun; i < solution->count; i++) {
		struct cube_turn turn = solution->turns[i];
		size_t at = count;
		while (at > begun && solution->turns[at - 1].face % 3 == turn.face % 3 &&
		       (solution->turns[at - 1].face != turn.face ||
			solution->turns[at - 1].from != turn.from ||
			solution->turns[at - 1].to != turn.to))
			at--;
		if (at == begun || solution->turns[at - 1].face % 3 != turn.face % 3) {
			solution->turns[count++] = turn;
			continue;
		}
		struct cube_turn *same = &solution->turns[at - 1];
		same->quarters = cube_quarters(same->quarters + turn.quarters);
		if (same->quarters == 0) {
			memmove(same, same + 1, (count - at) * sizeof(*same));
			count--;
		}
	}
	solution->count = count;
}

void reduction_stage_end(struct reduction *reduction, enum reduction_stage stage)
{
	struct cube_solution *solution = reduction->solution;
	size_t begun = reduction->begun;
	join(solution, begun);
	if (solution->steps && solution->step_count < solution->step_room &&
	    solution->count > begun)
		solution->steps[solution->step_count++] = (struct cube_solve_step){
			.stage = (unsigned char)stage, .count = solution->count - begun};
	reduction->begun = solution->count;
}

/* ---- the 3x3x3 ---- */

static void reduced(const struct cube *cube, struct cube *three)
{
	int n = cube->size;
	const int line[3] = {0, n / 2, n - 1};
	uint8_t colors[54];
	for (int i = 0; i < 54; i++) {
		int at = (i / 9 * n + line[i % 9 / 3]) * n + line[i % 3];
		colors[i] = (uint8_t)cube_color_at(cube, (size_t)at);
	}
	size_t problems = cube_from_colors(three, 3, colors, NULL, 0);
	assert(problems == 0);
	(void)problems;
}

static bool carry_on_3(void *context, const struct cube_solve_progress *progress)
{
	struct reduction *reduction = context;
	return !poll_stopped(reduction->task, reduction->nodes + progress->nodes, reduction->depth,
			     -1);
}

static void solve_3(struct reduction *reduction)
{
	union cube3 three;
	struct cube_turn turns[CUBE_SOLUTION_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
	struct cube_solve_task task = {.cube = &three.cube,
				       .length_enough = ENOUGH_3,
				       .nodes_max = NODES_3,
				       .carry_on = carry_on_3,
				       .context = reduction};
	reduced(reduction->cube, &three.cube);
	for (int tries = 0; tries < 2; tries++) {
		solver_two_phase.solve(reduction->task->base, &task, &solution);
		reduction->nodes += solution.nodes;
		if (solution.length >= 0)
			break;
		task.length_enough = CUBE_SOLUTION_MAX;
		task.nodes_max = 0;
	}
	reduction->stopped |= solution.length < 0;
	for (size_t i = 0; i < solution.count; i++)
		reduction_turn(reduction, turns[i].face, 1, 1, turns[i].quarters);
}

/* ---- the whole ---- */

/* Even sizes have no middle centres, and those of odd ones may be elsewhere: from now on the centres
 * determine how the cube is held. */
static void hold_by_centers(struct reduction *reduction, void *work)
{
	struct cube *cube = reduction->cube, *other = work;
	size_t face = cube_facelets(cube->size) / CUBE_FACES, line = (size_t)cube->size / 2,
	       center = line * (size_t)cube->size + line;
	uint8_t at[CUBE_FACES], old[CUBE_FACES];
	for (uint8_t i = 0; i < CUBE_FACES; i++)
		at[cube_color_at(cube, i * face + center)] = i;
	int hold = cube_hold_table.of[at[CUBE_U]][at[CUBE_F]];
	cube_copy(other, cube);
	cube_hold_turn(cube, other, cube_hold_inverse(hold));
	memcpy(old, reduction->face, sizeof(old));
	for (int i = 0; i < CUBE_FACES; i++)
		reduction->face[i] = old[cube_hold_table.hold[hold].to[i]];
}

/* In few turns, if there is a plan for the size. False if no way is found. */
static bool solve_by_steps(struct reduction *reduction, const struct reduction_tables *tables,
			   void *work)
{
	struct center_way way;
	if (reduction->cube->size > STEPS_SIZE_MAX ||
	    !steps_centers(reduction, &tables->centers, work, &way))
		return false;
	for (int i = 0; i < way.count; i++)
		reduction_turn(reduction, way.turn[i].face, way.turn[i].from, way.turn[i].to,
			       way.turn[i].quarters);
	if (!reduction->stopped)
		hold_by_centers(reduction, work);
	return true;
}

/* The centres, and all wings even permutations. */
static void solve_centers(struct reduction *reduction, const struct reduction_tables *tables,
			  void *work)
{
	if (!solve_by_steps(reduction, tables, work) && !reduction->stopped) {
		blocks_parity(reduction);
		reduction_stage_end(reduction, STAGE_PARITY);
		blocks_centers(reduction);
	}
	if (!reduction->stopped)
		reduction_stage_end(reduction, STAGE_CENTERS);
}

static void pair_edges(struct reduction *reduction, const struct words *words, void *work)
{
	struct pairing pairing;
	uint32_t random = 1;
	int tries = reduction->cube->size <= SLICES_SIZE_MAX ? SLICES_TRIES : 0;
	pairing_of(&pairing, reduction->cube);
	for (; tries > 0 && !reduction->stopped; tries--) {
		if (slices_pair(reduction, words, &pairing, work))
			return;
		pair_stir(reduction, words, &pairing, &random);
	}
	pair_wings(reduction, words, &pairing);
}

static void solve_stages(struct reduction *reduction, const struct reduction_tables *tables,
			 void *work)
{
	solve_centers(reduction, tables, work);
	if (reduction->stopped)
		return;
	pair_edges(reduction, &tables->words, work);
	if (reduction->stopped)
		return;
	reduction_stage_end(reduction, STAGE_EDGES);
	solve_3(reduction);
	reduction_stage_end(reduction, STAGE_3);
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	const struct reduction_tables *tables = memory;
	struct reduction reduction = {
		.task = task, .solution = solution, .cube = task->work, .poll_at = 1};
	int size = task->cube->size;
	assert(task->metric == CUBE_SOLVE_HTM);
	int hold = cube_hold_home(reduction.cube, task->cube);
	memcpy(reduction.face, cube_hold_table.hold[hold].to, sizeof(reduction.face));
	solution->count = 0;
	solution->step_count = 0;
	solution->bound = near_bound(reduction.cube);
	void *work = (uint8_t *)task->work + CUBE_SOLVE_ALIGNED(cube_bytes(size));
	int length = near_solve(&reduction, work);
	if (length <= NEAR_LENGTH) {
		solution->bound = length;
		reduction_stage_end(&reduction, STAGE_DIRECT);
	} else if (!reduction.stopped) {
		solution->bound = solution->bound > length ? solution->bound : length;
		solve_stages(&reduction, tables, work);
	}
	solution->nodes = reduction.nodes;
	solution->length = reduction_length(&reduction, 0);
	if (!reduction.stopped && (task->length_max == 0 || solution->length <= task->length_max))
		return solution->length <= task->length_enough ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_ALL;
	solution->count = 0;
	solution->step_count = 0;
	solution->length = -1;
	return reduction.stopped ? CUBE_SOLVE_STOPPED : CUBE_SOLVE_ALL;
}

static size_t work_bytes(int size)
{
	size_t most = near_bytes(size);
	if (size <= SLICES_SIZE_MAX && slices_bytes() > most)
		most = slices_bytes();
	if (size <= STEPS_SIZE_MAX && steps_bytes() > most)
		most = steps_bytes();
	return CUBE_SOLVE_ALIGNED(cube_bytes(size)) + most;
}

static size_t room(int size)
{
	size_t n = (size_t)size;
	return 45 * (n - 2) * (n - 2) + 400 * n;
}

static void make(void *memory, unsigned step, unsigned part)
{
	struct reduction_tables *tables = memory;
	if (step == 0 && part == 0)
		words_make(&tables->words);
	centers_make(&tables->centers, step, part);
}

static const char *const stages[] = {"direct", "parity", "centers", "edges", "3x3x3", NULL};

static const struct cube_solver_tables rows[] = {{.name = "small",
						  .magic = 0x72656403,
						  .bytes = sizeof(struct reduction_tables),
						  .steps = 2,
						  .parts = CENTER_KINDS,
						  .make = make}};

const struct cube_solver solver_reduction = {.name = "reduction",
					     .size_min = 5,
					     .size_max = CUBE_SIZE_MAX,
					     .stages = stages,
					     .room = room,
					     .work_bytes = work_bytes,
					     .base = &solver_two_phase,
					     .units = 1,
					     .tables = rows,
					     .table_count = 1,
					     .solve = solve};
