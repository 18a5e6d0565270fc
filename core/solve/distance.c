/* core/solve/distance.c: random states at a distance from a goal. */
#include "cube/distance.h"

#include <assert.h>
#include <string.h>

#include "core/hold.h"
#include "core/solve/common/coordinate.h"
#include "core/solve/common/moves.h"
#include "core/solve/goal/goal_internal.h"

struct cube_distances {
	struct goal_table table;
	int hold; /* of the fit in which the goal is looked at */
	uint32_t count[CUBE_GOAL_LENGTH_MAX + 1];
	uint8_t distance[]; /* by entry */
};

/* ---- the goal as one target ---- */

static int first_fit(uint32_t fits)
{
	assert(fits != 0);
	return __builtin_ctz(fits);
}

/* Reads what the goal wants at its usual place; returns the hold of the fit that is there. */
static int target_of(const struct cube_goal_row *goal, struct goal_target *target)
{
	_Alignas(max_align_t) unsigned char memory[16384];
	struct cube_query_node nodes[64];
	struct goal_targets targets;
	const struct cube_named *named = cube_named_find(goal->pattern, strlen(goal->pattern));
	const int fit = first_fit(cube_goal_fits(goal, goal->usual, strlen(goal->usual)));
	assert(cube_named_bytes(named, 3) <= sizeof(memory));
	const struct cube_query_node *pattern = cube_named_make(named, 3, memory);
	assert(pattern->span < sizeof(nodes) / sizeof(nodes[0]));
	nodes[0] = (struct cube_query_node){
		.kind = CUBE_QUERY_AMONG, .span = pattern->span + 1, .among = 1u << fit};
	memcpy(nodes + 1, pattern, pattern->span * sizeof(*nodes));
	cube_query_prepare(nodes);
	goal_targets_make(&targets, nodes, 3, CUBE_GENERICS);
	/* Centres are home in all states that are drawn, so other holds have no states here. */
	bool found = false;
	for (size_t i = 0; i < targets.count; i++) {
		if (targets.target[i].hold > 0)
			continue;
		assert(!found);
		*target = targets.target[i];
		found = true;
	}
	assert(found);
	(void)found;
	return cube_fit_hold(fit);
}

/* The pieces that have one place and one turn; all flips, if there are none. */
static void table_of(const struct goal_target *target, struct goal_table *table)
{
	*table = (struct goal_table){.kind = GOAL_PIECES, .entries = 1};
	for (int place = 0; place < GOAL_PLACES; place++) {
		if (goal_count(target->allowed[place]) != 1)
			continue;
		const int bit = __builtin_ctz(target->allowed[place]);
		assert(table->count < GOAL_GROUP);
		table->piece[table->count++] =
			(uint8_t)(place < CUBE_CORNERS ? CUBE_STATE3_CORNERS + bit / 3 : bit / 2);
		table->entries *= GOAL_TURNED;
	}
	if (table->count == 0)
		*table = (struct goal_table){
			.kind = GOAL_FLIPS, .count = CUBE_EDGES, .entries = 1u << CUBE_EDGES};
}

size_t cube_distances_bytes(const struct cube_goal_row *goal)
{
	struct goal_target target;
	struct goal_table table;
	if (goal->farthest < 0)
		return 0;
	(void)target_of(goal, &target);
	table_of(&target, &table);
	return sizeof(struct cube_distances) + table.entries;
}

void cube_distances_make(const struct cube_goal_row *goal, struct cube_distances *distances)
{
	struct goal_target target;
	struct goal_cost_move moves[MOVES];
	struct cube_state3 states[MOVES];
	assert(goal->farthest >= 0);
	memset(distances, 0, sizeof(*distances));
	distances->hold = target_of(goal, &target);
	table_of(&target, &distances->table);
	moves_make(states);
	for (int move = 0; move < MOVES; move++)
		moves[move] = (struct goal_cost_move){states[move_inverse(move)], 1};
	goal_table_make(&distances->table, &target, moves, MOVES, distances->distance);
	for (uint32_t entry = 0; entry < distances->table.entries; entry++)
		if (distances->distance[entry] <= CUBE_GOAL_LENGTH_MAX)
			distances->count[distances->distance[entry]]++;
}

uint32_t cube_distances_count(const struct cube_distances *distances, int distance)
{
	return distance >= 0 && distance <= CUBE_GOAL_LENGTH_MAX ? distances->count[distance] : 0;
}

/* ---- drawing ---- */

/* An entry at the distance, each as likely. */
static uint32_t draw_entry(const struct cube_distances *distances, int distance,
			   const struct cube_random *random)
{
	uint64_t rest = cube_random_below(random, distances->count[distance]);
	uint32_t entry = 0;
	for (;; entry++) {
		assert(entry < distances->table.entries);
		if (distances->distance[entry] == distance && rest-- == 0)
			return entry;
	}
}

/* Pieces of one kind, by piece: where each one is and how it is turned. */
struct kind {
	uint8_t *at;
	int pieces, turns;
	uint32_t taken;             /* places of the pieces that are there */
	int free[CUBE_EDGES], left; /* the others, in random order */
};

/* Gives the pieces that have no place the places that are left, turned so that all turns sum to 0. */
static void fill(struct kind *kind, const struct cube_random *random, uint32_t placed)
{
	int place = 0, sum = 0;
	for (int piece = 0; piece < kind->pieces; piece++) {
		if (placed >> piece & 1)
			sum += kind->at[piece] >> CUBE_STATE3_TURN;
		else
			kind->free[kind->left++] = piece;
	}
	for (int i = kind->left; i > 1; i--) {
		const int other = (int)cube_random_below(random, (uint64_t)i);
		const int piece = kind->free[i - 1];
		kind->free[i - 1] = kind->free[other];
		kind->free[other] = piece;
	}
	for (int i = 0; i < kind->left; i++, place++) {
		int turn = (int)cube_random_below(random, (uint64_t)kind->turns);
		while (kind->taken >> place & 1)
			place++;
		if (i + 1 == kind->left)
			turn = (kind->turns - sum % kind->turns) % kind->turns;
		sum += turn;
		kind->at[kind->free[i]] = (uint8_t)(place | turn << CUBE_STATE3_TURN);
	}
}

/* Puts the pieces of the entry where it has them, in the inverse of a state. */
static void place_pieces(const struct goal_table *table, uint32_t entry, struct kind *corners,
			 struct kind *edges, uint32_t *placed)
{
	for (int i = table->count - 1; i >= 0; i--, entry /= GOAL_TURNED) {
		const uint32_t digit = entry % GOAL_TURNED, byte = table->piece[i];
		const uint32_t turns = goal_turns((int)byte);
		struct kind *kind = byte >= CUBE_STATE3_CORNERS ? corners : edges;
		kind->at[byte % CUBE_STATE3_CORNERS] =
			(uint8_t)(digit / turns | digit % turns << CUBE_STATE3_TURN);
		kind->taken |= 1u << digit / turns;
		placed[byte >= CUBE_STATE3_CORNERS] |= 1u << byte % CUBE_STATE3_CORNERS;
	}
}

/* The edges, by the flip of each place. */
static void set_flips(struct kind *edges, uint32_t entry)
{
	for (int piece = 0; piece < CUBE_EDGES; piece++) {
		const uint8_t place = edges->at[piece] & CUBE_STATE3_PIECE;
		edges->at[piece] = (uint8_t)(place | (entry >> place & 1) << CUBE_STATE3_TURN);
	}
}

/* A state whose inverse has the entry. The inverses of states that are as likely are too. */
static void draw_state(const struct goal_table *table, uint32_t entry,
		       const struct cube_random *random, struct cube_state3 *state)
{
	struct cube_state3 inverse = cube_state3_solved;
	struct kind corners = {inverse.piece + CUBE_STATE3_CORNERS, CUBE_CORNERS, 3, .left = 0};
	struct kind edges = {inverse.piece, CUBE_EDGES, 2, .left = 0};
	uint32_t placed[2] = {0, 0};
	if (table->kind == GOAL_PIECES)
		place_pieces(table, entry, &corners, &edges, placed);
	fill(&corners, random, placed[1]);
	fill(&edges, random, placed[0]);
	if (pieces_are_odd(corners.at, CUBE_CORNERS) != pieces_are_odd(edges.at, CUBE_EDGES)) {
		/* Half of all ways, each changed into one of the other half. */
		const int one = edges.free[0], other = edges.free[1];
		const uint8_t at = edges.at[one];
		edges.at[one] = edges.at[other];
		edges.at[other] = at;
	}
	if (table->kind == GOAL_FLIPS)
		set_flips(&edges, entry);
	cube_state3_invert(state, &inverse);
}

void cube_distant_draw(const struct cube_distant *distant, const struct cube_random *random,
		       struct cube_cubies *cubies)
{
	const struct cube_distances *distances = distant->distances;
	const int to = cube_fit_hold(first_fit(distant->fits));
	struct cube_state3 state, rotation;
	assert(cube_distances_count(distances, distant->distance) > 0);
	draw_state(&distances->table, draw_entry(distances, distant->distance, random), random,
		   &state);
	rotation_make(&rotation, cube_hold_then(cube_hold_inverse(distances->hold), to));
	goal_turn_state(&state, &rotation);
	cube_state3_to_cubies(&state, cubies);
}
