/* core/solve/fewest/tables.c: the distances of the stages, made by breadth-first search. */
#include "core/solve/fewest/tables.h"

#include <assert.h>
#include <string.h>

#include "core/permutation.h"
#include "cube/ranks.h"

#define UNSEEN 255

/* ---- breadth-first search ---- */

/* The values to which the moves lead from each value of a table; more than one coordinate,
 * packed. */
struct graph {
	size_t count, moves;
	void (*after)(const void *context, uint32_t value, uint32_t next[MOVES]);
	const void *context;
};

/* Fills distances from that of the value `solved`, which is 0. */
static void spread(const struct graph *graph, uint32_t solved, uint8_t *distance)
{
	uint32_t next[MOVES];
	bool found = true;
	memset(distance, UNSEEN, graph->count);
	distance[solved] = 0;
	for (uint8_t depth = 0; found; depth++) {
		found = false;
		for (uint32_t value = 0; value < graph->count; value++) {
			if (distance[value] != depth)
				continue;
			graph->after(graph->context, value, next);
			for (size_t m = 0; m < graph->moves; m++) {
				if (distance[next[m]] != UNSEEN)
					continue;
				distance[next[m]] = (uint8_t)(depth + 1);
				found = true;
			}
		}
	}
}

/* Two coordinates as one value, the first times the count of the second. */
struct two {
	uint32_t second_count;
	size_t moves;
	const uint16_t *first, *second; /* by value * moves + move */
};

static void two_after(const void *context, uint32_t value, uint32_t next[MOVES])
{
	const struct two *two = context;
	const uint16_t *first = &two->first[value / two->second_count * two->moves];
	const uint16_t *second = &two->second[value % two->second_count * two->moves];
	for (size_t m = 0; m < two->moves; m++)
		next[m] = first[m] * two->second_count + second[m];
}

static void spread_two(const struct two *two, uint32_t first_count, uint32_t solved,
		       uint8_t *distance)
{
	const struct graph graph = {.count = (size_t)first_count * two->second_count,
				    .moves = two->moves,
				    .after = two_after,
				    .context = two};
	spread(&graph, solved, distance);
}

/* Lists the moves of the 18 that are allowed; returns how many. */
static size_t moves_of(uint32_t allowed, struct cube_state3 list[MOVES])
{
	struct cube_state3 moves[MOVES];
	size_t count = 0;
	moves_make(moves);
	for (int m = 0; m < MOVES; m++)
		if (allowed >> m & 1)
			list[count++] = moves[m];
	return count;
}

/* ---- eo and dr ---- */

static void one_after(const void *context, uint32_t value, uint32_t next[MOVES])
{
	for (size_t m = 0; m < MOVES; m++)
		next[m] = ((const uint16_t *)context)[value * MOVES + m];
}

static void make_eo(struct fewest_tables *tables)
{
	uint16_t after[FLIPS * MOVES];
	struct cube_state3 moves[MOVES];
	const struct graph graph = {
		.count = FLIPS, .moves = MOVES, .after = one_after, .context = after};
	moves_make(moves);
	coordinate_moves(&coordinate_flip, moves, MOVES, after);
	spread(&graph, coordinate_flip.of(&cube_state3_solved), tables->eo);
}

static void make_dr(struct fewest_tables *tables)
{
	uint16_t twists[TWISTS * MOVES], slices[SLICES * MOVES];
	struct cube_state3 moves[MOVES];
	const struct two two = {SLICES, moves_of(FEWEST_EO_MOVES, moves), twists, slices};
	coordinate_moves(&coordinate_twist, moves, two.moves, twists);
	coordinate_moves(&coordinate_slice, moves, two.moves, slices);
	spread_two(&two, TWISTS, 0, tables->dr[0]);
}

int fewest_dr(const struct fewest_tables *tables, const struct cube_state3 *state)
{
	return tables->dr[coordinate_twist.of(state)][coordinate_slice.of(state)];
}

/* ---- the corners by half turns ---- */

/* Numbers the permutations that half turns make; returns them as values of coordinate_corners. */
static void find_half_corners(struct fewest_tables *tables, uint16_t half[HALF_CORNERS])
{
	struct cube_state3 moves[MOVES];
	const size_t count = moves_of(FEWEST_HALF_MOVES, moves);
	size_t found = 1;
	memset(tables->corner_half, HALF_CORNERS, sizeof(tables->corner_half));
	half[0] = 0;
	tables->corner_half[0] = 0;
	for (size_t i = 0; i < found; i++) {
		struct cube_state3 state, next;
		coordinate_corners.state(half[i], &state);
		for (size_t m = 0; m < count; m++) {
			cube_state3_compose(&next, &state, &moves[m]);
			const uint32_t value = coordinate_corners.of(&next);
			if (tables->corner_half[value] < HALF_CORNERS)
				continue;
			assert(found < HALF_CORNERS);
			tables->corner_half[value] = (uint8_t)found;
			half[found++] = (uint16_t)value;
		}
	}
	assert(found == HALF_CORNERS);
}

/* Numbers the cosets: the states that half turns before a state make of it form one, and moves
 * after it change all of these in the same way. Writes the smallest value of each to `first`. */
static void make_cosets(struct fewest_tables *tables, uint16_t first[CORNER_COSETS])
{
	uint16_t half[HALF_CORNERS];
	uint16_t count = 0;
	find_half_corners(tables, half);
	memset(tables->corner_coset, 0xff, sizeof(tables->corner_coset));
	for (uint32_t value = 0; value < CORNERS; value++) {
		struct cube_state3 state, before, all;
		if (tables->corner_coset[value] != UINT16_MAX)
			continue;
		assert(count < CORNER_COSETS);
		first[count] = (uint16_t)value;
		coordinate_corners.state(value, &state);
		for (size_t i = 0; i < HALF_CORNERS; i++) {
			coordinate_corners.state(half[i], &before);
			cube_state3_compose(&all, &before, &state);
			tables->corner_coset[coordinate_corners.of(&all)] = count;
		}
		count++;
	}
	assert(count == CORNER_COSETS);
}

/* ---- htr ---- */

#define SPLIT 4 /* places, of twice as many */

/* Returns the number of the set of the eight places of U and D that have edges of the slice M (UF
 * UB DF DB), which have odd numbers. */
static uint32_t split_of(const struct cube_state3 *state)
{
	uint32_t set = 0;
	for (int i = 0; i < 2 * SPLIT; i++)
		set |= (uint32_t)(state->piece[i] & 1) << i;
	return cube_rank_set(set);
}

static void split_state(uint32_t set, struct cube_state3 *state)
{
	uint8_t odd = 1, even = 0;
	*state = cube_state3_solved;
	for (int i = 0; i < 2 * SPLIT; i++) {
		uint8_t *next = set >> i & 1 ? &odd : &even;
		state->piece[i] = *next;
		*next = (uint8_t)(*next + 2);
	}
}

static void make_htr(struct fewest_tables *tables)
{
	uint16_t first[CORNER_COSETS], cosets[CORNER_COSETS * MOVES], splits[SPLITS * MOVES];
	struct cube_state3 moves[MOVES], state, next;
	const struct two two = {SPLITS, moves_of(FEWEST_DR_MOVES, moves), cosets, splits};
	make_cosets(tables, first);
	for (size_t i = 0; i < CORNER_COSETS; i++) {
		coordinate_corners.state(first[i], &state);
		for (size_t m = 0; m < two.moves; m++) {
			cube_state3_compose(&next, &state, &moves[m]);
			cosets[i * two.moves + m] =
				tables->corner_coset[coordinate_corners.of(&next)];
		}
	}
	for (uint32_t i = 0; i < SPLITS; i++) {
		split_state(cube_unrank_set(i, SPLIT), &state);
		for (size_t m = 0; m < two.moves; m++) {
			cube_state3_compose(&next, &state, &moves[m]);
			splits[i * two.moves + m] = (uint16_t)split_of(&next);
		}
	}
	spread_two(&two, CORNER_COSETS, split_of(&cube_state3_solved), tables->htr[0]);
}

int fewest_htr(const struct fewest_tables *tables, const struct cube_state3 *state)
{
	return tables->htr[tables->corner_coset[coordinate_corners.of(state)]][split_of(state)];
}

/* ---- finish ---- */

/* The edges of the slices E, M and S: half turns keep each in its own. */
#define FLAT 3
#define FLAT_EDGES 4
static const uint8_t flat[FLAT][FLAT_EDGES] = {{8, 9, 10, 11}, {1, 3, 5, 7}, {0, 2, 4, 6}};

/* The permutation of a slice's edges. */
static uint32_t flat_of(const struct cube_state3 *state, int slice)
{
	const uint8_t *place = flat[slice];
	const int step = place[1] - place[0];
	uint8_t order[FLAT_EDGES];
	for (int i = 0; i < FLAT_EDGES; i++)
		order[i] = (uint8_t)((state->piece[place[i]] - place[0]) / step);
	return (uint32_t)cube_rank(order, FLAT_EDGES);
}

static void flat_state(uint32_t rank, int slice, struct cube_state3 *state)
{
	uint8_t order[FLAT_EDGES];
	cube_unrank(rank, FLAT_EDGES, order);
	*state = cube_state3_solved;
	for (int i = 0; i < FLAT_EDGES; i++)
		state->piece[flat[slice][i]] = flat[slice][order[i]];
}

/* The effects of the six half turns. */
#define HALF_MOVES 6
struct half {
	uint8_t corner[HALF_CORNERS][HALF_MOVES];
	uint8_t edge[FLAT][MIDDLES][HALF_MOVES];
	bool odd_corners[HALF_CORNERS];
	bool odd_edges[MIDDLES];
};

/* Ranks that differ by MIDDLES / 2 are permutations that differ by an exchange (cube_rank() leaves that to its
 * first digit), so one of them is even: of the last slice the rest of the rank says it all. */
static uint32_t half_value(uint32_t corner, const uint32_t edge[FLAT])
{
	return ((corner * MIDDLES + edge[0]) * MIDDLES + edge[1]) * (MIDDLES / 2) +
	       edge[2] % (MIDDLES / 2);
}

static void half_after(const void *context, uint32_t value, uint32_t next[MOVES])
{
	const struct half *half = context;
	uint32_t edge[FLAT], corner = value / (MIDDLES * MIDDLES * MIDDLES / 2);
	edge[2] = value % (MIDDLES / 2);
	edge[1] = value / (MIDDLES / 2) % MIDDLES;
	edge[0] = value / (MIDDLES / 2 * MIDDLES) % MIDDLES;
	if (half->odd_corners[corner] ^ half->odd_edges[edge[0]] ^ half->odd_edges[edge[1]] ^
	    half->odd_edges[edge[2]])
		edge[2] += MIDDLES / 2;
	for (size_t m = 0; m < HALF_MOVES; m++) {
		const uint32_t moved[FLAT] = {half->edge[0][edge[0]][m], half->edge[1][edge[1]][m],
					      half->edge[2][edge[2]][m]};
		next[m] = half_value(half->corner[corner][m], moved);
	}
}

static uint32_t half_of(const struct fewest_tables *tables, const struct cube_state3 *state)
{
	const uint32_t edge[FLAT] = {flat_of(state, 0), flat_of(state, 1), flat_of(state, 2)};
	const uint32_t corner = tables->corner_half[coordinate_corners.of(state)];
	assert(corner < HALF_CORNERS);
	return half_value(corner, edge);
}

static void make_finish(struct fewest_tables *tables)
{
	struct half half;
	struct cube_state3 moves[MOVES], state, next;
	const struct graph graph = {.count = HALF_STATES,
				    .moves = moves_of(FEWEST_HALF_MOVES, moves),
				    .after = half_after,
				    .context = &half};
	for (uint32_t value = 0; value < CORNERS; value++) {
		const uint32_t corner = tables->corner_half[value];
		if (corner == HALF_CORNERS)
			continue;
		coordinate_corners.state(value, &state);
		half.odd_corners[corner] =
			pieces_are_odd(state.piece + CUBE_STATE3_CORNERS, CUBE_CORNERS);
		for (size_t m = 0; m < HALF_MOVES; m++) {
			cube_state3_compose(&next, &state, &moves[m]);
			half.corner[corner][m] = tables->corner_half[coordinate_corners.of(&next)];
		}
	}
	for (uint32_t rank = 0; rank < MIDDLES; rank++) {
		uint8_t order[FLAT_EDGES];
		cube_unrank(rank, FLAT_EDGES, order);
		half.odd_edges[rank] = cube_permutation_is_odd(order, FLAT_EDGES);
		for (int slice = 0; slice < FLAT; slice++) {
			flat_state(rank, slice, &state);
			for (size_t m = 0; m < HALF_MOVES; m++) {
				cube_state3_compose(&next, &state, &moves[m]);
				half.edge[slice][rank][m] = (uint8_t)flat_of(&next, slice);
			}
		}
	}
	spread(&graph, half_of(tables, &cube_state3_solved), tables->finish);
}

int fewest_finish(const struct fewest_tables *tables, const struct cube_state3 *state)
{
	return tables->finish[half_of(tables, state)];
}

/* ---- the whole ---- */

static void make(void *memory, unsigned step, unsigned part)
{
	struct fewest_tables *tables = memory;
	if (step == 0 && part == 0) {
		make_eo(tables);
		make_dr(tables);
	} else if (step == 0) {
		make_htr(tables);
	} else if (part == 0) {
		make_finish(tables);
	}
}

const struct cube_solver_tables fewest_tables = {.name = "all",
						 .magic = MAGIC_FEWEST,
						 .bytes = sizeof(struct fewest_tables),
						 .steps = 2,
						 .parts = 2,
						 .make = make};
