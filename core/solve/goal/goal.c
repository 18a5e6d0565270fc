/* core/solve/goal/goal.c: goals made ready: which turns, which targets, which tables. */
#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/room.h"
#include "core/solve/goal/goal_internal.h"
#include "cube/algorithm.h"
#include "cube/cube.h"

/* Most generics of a pattern on a 3x3x3 that are tried with all colours. */
#define GENERICS_3 3

/* ---- turns ---- */

/* Its layers as a number that is the same however the turn is written, and rises in the order of
 * cube_turns_order(). */
static uint16_t block_of(int size, struct cube_turn turn)
{
	const bool far = turn.face >= CUBE_D;
	const int low = far ? size + 1 - turn.to : turn.from;
	const int high = far ? size + 1 - turn.from : turn.to;
	return (uint16_t)(low * (size + 1) + high);
}

/* Returns true if the move is among those of the goal by now, seen from either side. */
static bool has_move(const struct cube_goal *goal, const struct goal_move *move)
{
	for (size_t m = 0; m < goal->move_count; m++) {
		const struct goal_move *other = &goal->move[m];
		const bool same_side = (other->turn.face < CUBE_D) == (move->turn.face < CUBE_D);
		const int quarters = same_side ? move->turn.quarters : -move->turn.quarters;
		if (other->axis == move->axis && other->block == move->block &&
		    ((other->turn.quarters - quarters) & 3) == 0)
			return true;
	}
	return false;
}

static uint8_t cost_of(const struct cube_goal *goal, struct cube_turn turn)
{
	struct cube_metrics metrics;
	cube_turns_metrics(goal->size, &turn, 1, &metrics);
	const uint64_t cost = cube_solve_metric_of(&metrics, goal->metric);
	assert(cost > 0);
	return (uint8_t)cost;
}

/* Turns of the same layers never follow each other, so each is added once. */
static void add_moves(struct cube_goal *goal, struct cube_turn turn)
{
	const uint16_t block = block_of(goal->size, turn);
	int first = turn.quarters % 2 == 0 ? 2 : 1, step = turn.quarters % 2 == 0 ? 4 : 1;
	for (int quarters = first; quarters <= 3; quarters += step) {
		struct goal_move *move = &goal->move[goal->move_count];
		*move = (struct goal_move){.turn = turn, .axis = turn.face % 3, .block = block};
		move->turn.quarters = cube_quarters(quarters);
		move->cost = cost_of(goal, move->turn);
		goal->move_count += !has_move(goal, move);
	}
}

/* The outer layers, alone and together up to the middle. The half of a cube of even size need not
 * be turned from both sides, if it does not matter how the cube is held. */
static void add_all_moves(struct cube_goal *goal, bool held)
{
	int n = goal->size;
	for (int depth = 1; depth <= n / 2; depth++)
		for (int face = 0; face < CUBE_FACES; face++) {
			bool spare = !held && 2 * depth == n && face >= 3;
			size_t first = goal->move_count;
			if (spare && n > 2)
				continue;
			add_moves(goal, cube_turn_make(n, face, 1, depth, 1));
			for (size_t m = first; m < goal->move_count; m++)
				goal->move[m].spare = spare;
		}
}

/* M, E and S. */
static void add_slices(struct cube_goal *goal)
{
	static const uint8_t faces[] = {CUBE_L, CUBE_D, CUBE_F};
	for (size_t i = 0; i < sizeof(faces); i++)
		add_moves(goal, (struct cube_turn){.face = faces[i],
						   .from = 2,
						   .to = 2,
						   .quarters = 1,
						   .style = CUBE_STYLE_MIDDLE});
}

static void make_moves(struct cube_goal *goal, const struct cube_goal_plan *plan)
{
	bool held = plan->query->ways != CUBE_FITS_ALL;
	assert(plan->generator_count <= CUBE_GOAL_GENERATORS_MAX);
	for (size_t i = 0; i < plan->generator_count; i++)
		if (plan->generators[i].quarters != 0)
			add_moves(goal, plan->generators[i]);
	if (plan->generator_count == 0)
		add_all_moves(goal, held);
	if (plan->generator_count == 0 && goal->size == 3 && goal->metric >= CUBE_SOLVE_STM)
		add_slices(goal);
}

/* ---- a 3x3x3 with its centres home, or a 2x2x2 ---- */

static size_t hold_index(struct goal_holds *holds, int hold)
{
	size_t at = 0;
	while (at < holds->count && holds->of[at] != hold)
		at++;
	if (at == holds->count)
		holds->of[holds->count++] = (uint8_t)hold;
	return at;
}

int goal_state(struct cube_state3 *state, const struct cube *cube)
{
	union cube3 home;
	struct cube_cubies cubies;
	int hold = 0;
	if (cube->size == 3)
		hold = cube_hold_home(&home.cube, cube);
	else
		cube_copy(&home.cube, cube);
	cube_cubies_of(&cubies, &home.cube);
	cube_state3_from_cubies(state, &cubies);
	return hold;
}

/* Computes what turns make of a solved cube in each hold, and the hold after them. */
static void make_holds(struct cube_goal *goal)
{
	struct goal_holds *holds = &goal->holds;
	hold_index(holds, goal->hold);
	for (size_t h = 0; h < holds->count; h++)
		for (size_t m = 0; m < goal->move_count; m++) {
			union cube3 home, held;
			cube_init(&home.cube, goal->size);
			cube_hold_turn(&held.cube, &home.cube, holds->of[h]);
			cube_turn(&held.cube, goal->move[m].turn);
			struct goal_state_move *move = &holds->move[h][m];
			int hold = goal_state(&move->inverse, &held.cube);
			cube_state3_invert(&move->inverse, &move->inverse);
			move->hold = (uint8_t)hold_index(holds, hold);
		}
}

void goal_turn_state(struct cube_state3 *state, const struct cube_state3 *rotation)
{
	struct cube_state3 back;
	cube_state3_invert(&back, rotation);
	cube_state3_compose(state, &back, state);
	cube_state3_compose(state, state, rotation);
}

/* Rotations after which the moves are the same, if they turn no centres. */
static void find_alike(struct cube_goal *goal)
{
	struct goal_holds *holds = &goal->holds;
	holds->alike[0] = true;
	for (size_t m = 0; m < goal->move_count; m++)
		holds->original[0][m] = (uint8_t)m;
	for (int rotation = 1; rotation < CUBE_HOLDS && holds->count == 1; rotation++) {
		struct cube_state3 state;
		size_t found = 0;
		rotation_make(&state, rotation);
		for (size_t m = 0; m < goal->move_count; m++) {
			struct cube_state3 seen = holds->move[0][m].inverse;
			goal_turn_state(&seen, &state);
			for (size_t k = 0; k < goal->move_count; k++)
				if (cube_state3_equal(&seen, &holds->move[0][k].inverse)) {
					holds->original[rotation][k] = (uint8_t)m;
					found++;
					break;
				}
		}
		holds->alike[rotation] = found == goal->move_count;
	}
}

/* ---- targets and tables ---- */

static bool same_places(const struct goal_target *a, const struct goal_target *b)
{
	return memcmp(a->allowed, b->allowed, sizeof(a->allowed)) == 0;
}

/* A target is a base, or a rotation of one. */
static struct goal_root root_of(struct cube_goal *goal, const struct goal_target *target,
				const struct cube_state3 rotations[CUBE_HOLDS])
{
	for (int rotation = 0; rotation < CUBE_HOLDS; rotation++) {
		struct goal_target seen;
		if (!goal->holds.alike[rotation])
			continue;
		goal_target_turn(&seen, target, &rotations[rotation]);
		for (size_t base = 0; base < goal->base_count; base++)
			if (same_places(&goal->base[base].target, &seen))
				return (struct goal_root){(uint16_t)base, (uint8_t)rotation};
	}
	goal->base[goal->base_count] = (struct goal_base){.target = *target};
	return (struct goal_root){(uint16_t)goal->base_count++, 0};
}

static void add_root(struct cube_goal *goal, const struct goal_target *target,
		     const struct cube_state3 rotations[CUBE_HOLDS])
{
	goal->root[goal->root_count] = root_of(goal, target, rotations);
	if (goal->niss) {
		struct goal_target inverse;
		goal_target_invert(&inverse, target);
		goal->inverse_root[goal->root_count] = root_of(goal, &inverse, rotations);
	}
	goal->root_count++;
}

static void make_roots(struct cube_goal *goal)
{
	struct goal_targets targets;
	struct cube_state3 rotations[CUBE_HOLDS];
	for (int rotation = 0; rotation < CUBE_HOLDS; rotation++)
		rotation_make(&rotations[rotation], rotation);
	goal_targets_make(&targets, goal->query, goal->size,
			  goal->size == 2 ? CUBE_GENERICS : GENERICS_3);
	for (size_t i = 0; i < targets.count; i++) {
		const struct goal_target *target = &targets.target[i];
		bool reached = target->hold < 0;
		for (size_t h = 0; h < goal->holds.count; h++)
			reached |= goal->holds.of[h] == target->hold;
		if (!reached)
			continue;
		goal->plain |= goal_target_open(target);
		add_root(goal, target, rotations);
	}
}

/* The first table of each base, then the second of each, as long as there is room. */
static void make_tables(struct cube_goal *goal)
{
	for (size_t which = 0; which < GOAL_TABLES_EACH; which++)
		for (size_t base = 0; base < goal->base_count; base++) {
			struct goal_table tables[GOAL_TABLES_EACH];
			struct goal_base *of = &goal->base[base];
			size_t count = goal_tables_choose(&of->target, tables, GOAL_TABLES_EACH);
			if (which >= count || goal->table_count == CUBE_GOAL_TABLES)
				continue;
			tables[which].offset = goal->bytes;
			goal->bytes += tables[which].entries;
			of->table[of->tables++] = (uint8_t)goal->table_count;
			goal->table[goal->table_count++] = tables[which];
		}
}

/* All but the tables' distances. */
static void lay_out(struct cube_goal *goal, const struct cube_goal_plan *plan)
{
	assert(cube_size_valid(plan->size));
	memset(goal, 0, sizeof(*goal));
	goal->query = plan->query;
	goal->metric = plan->metric;
	goal->size = plan->size;
	goal->hold = plan->size == 3 ? plan->hold : 0;
	goal->niss = plan->niss;
	goal->bytes = sizeof(*goal);
	make_moves(goal, plan);
	goal->plain = goal->size > 3 || goal->move_count > GOAL_MOVES3_MAX;
	assert(!goal->niss || goal->size == 3);
	if (!goal->plain) {
		make_holds(goal);
		find_alike(goal);
		assert(!goal->niss || goal->holds.count == 1);
		make_roots(goal);
	}
	if (!goal->plain)
		make_tables(goal);
	goal->bytes = CUBE_SOLVE_ALIGNED(goal->bytes);
}

size_t cube_goal_bytes(const struct cube_goal_plan *plan)
{
	struct cube_goal goal;
	lay_out(&goal, plan);
	return goal.bytes;
}

/* The moves as seen with the centres home, however the cube is held, each once, at what it costs at
 * least. */
static size_t state_moves(const struct cube_goal *goal,
			  struct goal_cost_move moves[GOAL_STATE_MOVES_MAX])
{
	size_t count = 0;
	for (size_t h = 0; h < goal->holds.count; h++)
		for (size_t m = 0; m < goal->move_count; m++) {
			const struct goal_cost_move move = {goal->holds.move[h][m].inverse,
							    goal->move[m].cost};
			size_t at = 0;
			while (at < count && !cube_state3_equal(&moves[at].inverse, &move.inverse))
				at++;
			if (at == count)
				moves[count++] = move;
			else if (move.cost < moves[at].cost)
				moves[at].cost = move.cost;
		}
	return count;
}

bool cube_goal_make(const struct cube_goal_plan *plan, struct cube_goal *goal)
{
	struct goal_cost_move moves[GOAL_STATE_MOVES_MAX];
	lay_out(goal, plan);
	if (goal->plain)
		return true;
	size_t count = state_moves(goal, moves);
	for (size_t base = 0; base < goal->base_count; base++)
		for (size_t i = 0; i < goal->base[base].tables; i++) {
			const struct goal_table *table = &goal->table[goal->base[base].table[i]];
			if (plan->carry_on && !plan->carry_on(plan->context))
				return false;
			goal_table_make(table, &goal->base[base].target, moves, count,
					(uint8_t *)goal + table->offset);
		}
	return true;
}
