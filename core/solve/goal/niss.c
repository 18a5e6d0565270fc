/* core/solve/goal/niss.c: goals by turns on the scramble and on its inverse; cube/goal.h says what that
 * means.
 *
 * With S the scramble, A the turns on it and B those on the inverse, the state is B', S, A. What the
 * tables look at is the inverse of a state: A', S', B. A turn on the normal is put before it, one on
 * the inverse behind it. Tables know how far the first kind leads, so B is tried and A is looked
 * up. The other way round everything is inverted, and the target too: A is tried, and B looked up.
 * Whichever is tried has up to half the length. */
#include <assert.h>
#include <string.h>

#include "core/room.h"
#include "core/solve/goal/goal_internal.h"
#include "cube/cube.h"
#include "cube/hold.h"

/* Bits of a target where the piece is twisted or flipped. */
#define TWISTED 0x6db6dbu
#define FLIPPED 0xaaaaaau

void cube_goal_premove(struct cube *restrict result, const struct cube *cube,
		       const struct cube_turn *turns, size_t count)
{
	union cube3 held, back, rest;
	assert(cube->size == 3);
	cube_init(&back.cube, cube->size);
	cube_hold_turn(&held.cube, &back.cube, cube_hold_of(cube));
	cube_invert(&back.cube, &held.cube);
	cube_compose(&rest.cube, &back.cube, cube);
	while (count-- > 0)
		cube_turn(&held.cube, cube_turn_inverse(turns[count]));
	cube_compose(result, &held.cube, &rest.cube);
}

/* ---- what the search has found ---- */

static void write_turns(const struct goal_search *search, struct cube_turn *turns,
			const uint8_t *path, size_t count)
{
	for (size_t i = 0; i < count; i++)
		turns[i] = search->goal->move[search->original[path[i]]].turn;
}

void goal_niss_append(struct goal_search *search)
{
	struct cube_solution *solution = search->solution;
	write_turns(search, solution->turns + solution->count, search->other, search->other_count);
	solution->inverse = search->other_count;
	solution->count += search->other_count;
}

void goal_niss_write(struct goal_search *search, size_t depth)
{
	struct cube_solution *solution = search->solution;
	const size_t other = search->other_count, normal = search->swapped ? other : depth;
	solution->count = depth + other;
	solution->inverse = solution->count - normal;
	write_turns(search, solution->turns, search->swapped ? search->other : search->path,
		    normal);
	write_turns(search, solution->turns + normal,
		    search->swapped ? search->path : search->other, solution->inverse);
	cube_goal_premove(search->task->work, search->task->cube, solution->turns + normal,
			  solution->inverse);
	cube_turn_all(search->task->work, solution->turns, normal);
}

/* ---- the search ---- */

/* Exactly `rest` turns of the side with tables, after those of the other one. */
static bool search_rest(struct goal_search *search, const struct cube_state3 *inverse, int rest)
{
	struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	if (!search->goal->plain)
		return goal_is_near(search, inverse, rest) &&
		       goal_descend(search, inverse, 0, rest, 0);
	write_turns(search, turns, search->other, search->other_count);
	cube_goal_premove(search->task->work, search->task->cube, turns, search->other_count);
	return goal_search_plain(search, rest, 0, NULL);
}

/* All turns of the other side that cost `left`. */
static bool search_other(struct goal_search *search, const struct cube_state3 *inverse, int left,
			 int rest)
{
	const struct cube_goal *goal = search->goal;
	const struct goal_move *before =
		search->other_count > 0 ? &goal->move[search->other[search->other_count - 1]]
					: NULL;
	if (goal_poll(search))
		return false;
	if (left == 0)
		return search_rest(search, inverse, rest);
	for (size_t m = 0; m < goal->move_count && !search->stopped; m++) {
		const struct goal_move *move = &goal->move[m];
		struct cube_state3 after;
		if (goal->move[search->original[m]].spare || move->cost > left ||
		    !goal_move_follows(move, before))
			continue;
		cube_state3_compose(&after, inverse, &search->forward[m]);
		search->other[search->other_count++] = (uint8_t)m;
		const bool found = search_other(search, &after, left - move->cost, rest);
		search->other_count--;
		if (found)
			return true;
	}
	return false;
}

/* From one root, with the tables on either side. */
static bool search_root(struct goal_search *search, size_t root, const struct goal_view *seen,
			int other)
{
	const struct cube_goal *goal = search->goal;
	const struct goal_root *side =
		search->swapped ? &goal->inverse_root[root] : &goal->root[root];
	struct cube_state3 state = seen->inverse, rotation;
	search->root = &goal->root[root];
	search->base = &goal->base[side->base];
	search->original = goal->holds.original[side->rotation];
	if (search->swapped) {
		(void)goal_state(&state, search->task->cube);
		rotation_make(&rotation, side->rotation);
		goal_turn_state(&state, &rotation);
	}
	return search_other(search, &state, other, search->length - other);
}

static bool search_sides(struct goal_search *search, const struct goal_view seen[GOAL_TARGETS_MAX])
{
	const struct cube_goal *goal = search->goal;
	for (int other = 0; 2 * other <= search->length; other++)
		for (int swapped = 0; swapped < 2; swapped++)
			for (size_t i = 0; i < goal->root_count; i++) {
				search->swapped = swapped;
				if (seen[i].bound == CUBE_GOAL_NEVER ||
				    (swapped && 2 * other == search->length))
					continue;
				if (search_root(search, i, &seen[i], other))
					return true;
				if (search->stopped)
					return false;
			}
	return false;
}

bool goal_niss_search(struct goal_search *search, const struct goal_view seen[GOAL_TARGETS_MAX])
{
	const struct cube_goal *goal = search->goal;
	for (size_t m = 0; m < goal->move_count; m++)
		cube_state3_invert(&search->forward[m], &goal->holds.move[0][m].inverse);
	if (!goal->plain)
		return search_sides(search, seen);
	search->original = goal->holds.original[0];
	for (int other = 0; other <= search->length && !search->stopped; other++)
		if (search_other(search, &cube_state3_solved, other, search->length - other))
			return true;
	return false;
}

/* ---- what no turns on either side change ---- */

/* Returns true if no move twists (flips) pieces in these places, seen from another side. */
static bool moves_keep(const struct cube_goal *goal, const struct cube_state3 *rotation, int first,
		       int count)
{
	for (size_t m = 0; m < goal->move_count; m++) {
		struct cube_state3 move = goal->holds.move[0][m].inverse;
		goal_turn_state(&move, rotation);
		for (int i = first; i < first + count; i++)
			if (move.piece[i] >> CUBE_STATE3_TURN != 0)
				return false;
	}
	return true;
}

/* Returns true if more pieces are twisted (flipped) than the target allows. */
static bool is_too_turned(const struct goal_target *target, const struct cube_state3 *inverse,
			  bool corners)
{
	const int first = corners ? CUBE_STATE3_CORNERS : 0;
	const int count = corners ? CUBE_CORNERS : CUBE_EDGES;
	const uint32_t *allowed = target->allowed + (corners ? 0 : CUBE_CORNERS);
	int turned = 0;
	for (int i = 0; i < count; i++) {
		turned += inverse->piece[first + i] >> CUBE_STATE3_TURN != 0;
		turned -= (allowed[i] & (corners ? TWISTED : FLIPPED)) != 0;
	}
	return turned > 0;
}

/* From one side. */
static void exclude_roots(const struct cube_goal *goal, const struct cube_state3 *rotation,
			  struct goal_view seen[GOAL_TARGETS_MAX])
{
	const bool keep_twist = moves_keep(goal, rotation, CUBE_STATE3_CORNERS, CUBE_CORNERS);
	const bool keep_flip = moves_keep(goal, rotation, 0, CUBE_EDGES);
	for (size_t i = 0; i < goal->root_count && (keep_twist || keep_flip); i++) {
		struct cube_state3 inverse = seen[i].inverse;
		struct goal_target target;
		goal_target_turn(&target, &goal->base[goal->root[i].base].target, rotation);
		goal_turn_state(&inverse, rotation);
		if ((keep_twist && is_too_turned(&target, &inverse, true)) ||
		    (keep_flip && is_too_turned(&target, &inverse, false)))
			seen[i].bound = CUBE_GOAL_NEVER;
	}
}

int goal_niss_bound(const struct cube_goal *goal, struct goal_view seen[GOAL_TARGETS_MAX])
{
	int least = CUBE_GOAL_NEVER;
	for (size_t i = 0; i < goal->root_count; i++)
		seen[i].bound = 0;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		struct cube_state3 rotation;
		rotation_make(&rotation, hold);
		exclude_roots(goal, &rotation, seen);
	}
	for (size_t i = 0; i < goal->root_count; i++)
		least = seen[i].bound < least ? seen[i].bound : least;
	return least;
}
