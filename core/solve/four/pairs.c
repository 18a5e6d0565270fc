/* core/solve/four/pairs.c: the table of distances of the pairing of a 4x4x4's wings. */
#include "core/solve/four/pairs.h"

#include <assert.h>
#include <string.h>

#include "core/permutation.h"

#define UNSEEN 15
#define CORE 4 /* edges that make the row, and the others */
#define REST 8

static const uint8_t core_edge[CORE] = {0, 2, 4, 6};
static const uint8_t rest_edge[REST] = {1, 3, 5, 7, 8, 9, 10, 11};

/* y2, z2, and the mirror that swaps U and R: they make the eight symmetries. */
static const uint8_t generator[3][FOUR_EDGES] = {
	{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9},
	{6, 5, 4, 7, 2, 1, 0, 3, 9, 8, 11, 10},
	{0, 8, 4, 11, 2, 9, 6, 10, 1, 5, 7, 3},
};

static void make_moves(struct four_pairs *pairs, const struct four_moves *moves)
{
	for (int m = 0; m < FOUR_MOVES_3; m++) {
		const uint8_t *from = moves->wing_from[four_moves_3[m]];
		for (uint8_t edge = 0; edge < FOUR_EDGES; edge++) {
			assert(from[2 * edge] % 2 == 0 && from[2 * edge + 1] % 2 == 1);
			pairs->from[m][edge] = from[2 * edge] / 2;
			pairs->to[m][from[2 * edge + 1] / 2] = edge;
		}
	}
}

static void make_symmetries(struct four_pairs *pairs)
{
	for (int s = 0; s < FOUR_SYMMETRIES; s++) {
		for (uint8_t edge = 0; edge < FOUR_EDGES; edge++) {
			uint8_t at = edge;
			for (int i = 0; i < 3; i++)
				at = s >> i & 1 ? generator[i][at] : at;
			pairs->symmetry[s][edge] = at;
			pairs->inverse[s][at] = edge;
		}
	}
}

static void make_seen(struct four_pairs *pairs)
{
	for (int m = 0; m < FOUR_MOVES_3; m++) {
		for (int s = 0; s < FOUR_SYMMETRIES; s++) {
			for (int i = 0; i < REST; i++)
				pairs->seen_from[m][s][i] =
					pairs->from[m][pairs->inverse[s][rest_edge[i]]];
			for (int edge = 0; edge < FOUR_EDGES; edge++)
				pairs->seen_to[m][s][edge] = pairs->symmetry[s][pairs->to[m][edge]];
		}
	}
}

static inline uint8_t image(const struct four_pairs *pairs, int s, const uint8_t *pair, int edge)
{
	return pairs->symmetry[s][pair[pairs->inverse[s][edge]]];
}

static inline uint32_t row_of(const uint8_t *pair)
{
	return (uint32_t)(pair[0] | pair[2] << 4 | pair[4] << 8 | pair[6] << 12);
}

static uint32_t row_image(const struct four_pairs *pairs, int s, uint32_t row)
{
	uint8_t pair[FOUR_EDGES] = {0}, moved[FOUR_EDGES] = {0};
	for (int i = 0; i < CORE; i++)
		pair[core_edge[i]] = row >> 4 * i & 15;
	for (int i = 0; i < CORE; i++)
		moved[core_edge[i]] = image(pairs, s, pair, core_edge[i]);
	return row_of(moved);
}

/* Returns true if the four are edges, each once. */
static bool row_is_good(uint32_t row)
{
	uint32_t seen = 0;
	for (int i = 0; i < CORE; i++)
		seen |= UINT32_C(1) << (row >> 4 * i & 15);
	return seen < 4096 && four_bits(seen) == CORE;
}

static void make_rows(struct four_pairs *pairs)
{
	uint16_t classes = 0;
	memset(pairs->row_of, 0xff, sizeof(pairs->row_of));
	for (uint32_t row = 0; row < 65536; row++) {
		if (!row_is_good(row) || pairs->row_of[row] != UINT16_MAX)
			continue;
		uint32_t seen = 0;
		assert(classes < FOUR_CLASSES);
		pairs->class_row[classes] = (uint16_t)row;
		for (int s = 0; s < FOUR_SYMMETRIES; s++) {
			/* The symmetry back is what takes it to its class. */
			uint32_t to = row_image(pairs, s, row);
			int back = 0;
			while (row_image(pairs, back, to) != row)
				back++;
			pairs->row_of[to] = (uint16_t)(8 * classes + back);
			pairs->class_fixed[classes] |= (uint8_t)((to == row) << s);
		}
		for (int i = 0; i < CORE; i++)
			seen |= UINT32_C(1) << (row >> 4 * i & 15);
		uint8_t label = 0;
		for (int edge = 0; edge < FOUR_EDGES; edge++)
			if (!(seen >> edge & 1))
				pairs->label[classes][edge] = label++;
		classes++;
	}
	assert(classes == FOUR_CLASSES);
}

/* Four labels of three bits, all different: the first four number 1,680 with the same of the last,
 * and these, of the order alone, 24, of which parity leaves 12. */
static void make_columns(struct four_pairs *pairs)
{
	uint16_t first = 0;
	for (uint32_t four = 0; four < 4096; four++) {
		uint32_t label[4], seen = 0, order = 0;
		for (int i = 0; i < 4; i++) {
			label[i] = four >> (9 - 3 * i) & 7;
			seen |= 1u << label[i];
		}
		if (four_bits(seen) != 4)
			continue;
		pairs->column_first[four] = (uint16_t)(12 * first++);
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t smaller = 0;
			for (uint32_t k = i + 1; k < 4; k++)
				smaller += label[k] < label[i];
			order = order * (4 - i) + smaller;
		}
		pairs->column_last[four] = (uint8_t)(order / 2);
	}
	assert(first == 1680);
}

/* Returns the column of a pairing whose row is the class's. */
static inline uint32_t column_of(const struct four_pairs *pairs, uint32_t class,
				 const uint8_t value[REST])
{
	const uint8_t *label = pairs->label[class];
	uint32_t first = 0, last = 0;
	for (int i = 0; i < 4; i++) {
		first = first << 3 | label[value[i]];
		last = last << 3 | label[value[4 + i]];
	}
	return pairs->column_first[first] + pairs->column_last[last];
}

/* Class and column of a pairing; `symmetry` is the one that takes it there. */
static inline uint32_t find_class(const struct four_pairs *pairs, const uint8_t *pair,
				  uint32_t *column)
{
	uint32_t found = pairs->row_of[row_of(pair)], class = found / 8;
	uint8_t value[REST];
	for (int i = 0; i < REST; i++)
		value[i] = image(pairs, found % 8, pair, rest_edge[i]);
	*column = column_of(pairs, class, value);
	return class;
}

const uint8_t *four_pairs_at(const struct four_pairs *pairs, const uint8_t pair[FOUR_EDGES])
{
	uint32_t column, class = find_class(pairs, pair, &column);
	return &pairs->distance[class][column];
}

/* The same after a move; the pairing itself is not needed for that. */
static inline uint32_t find_after(const struct four_pairs *pairs, int m, const uint8_t *pair,
				  uint32_t *column)
{
	const uint8_t *from = pairs->from[m], *to = pairs->to[m];
	uint32_t found = pairs->row_of[to[pair[from[0]]] | to[pair[from[2]]] << 4 |
				       to[pair[from[4]]] << 8 | to[pair[from[6]]] << 12];
	const uint8_t *label = pairs->label[found / 8];
	uint32_t first = 0, last = 0;
	from = pairs->seen_from[m][found % 8];
	to = pairs->seen_to[m][found % 8];
	for (int i = 0; i < 4; i++) {
		first = first << 3 | label[to[pair[from[i]]]];
		last = last << 3 | label[to[pair[from[4 + i]]]];
	}
	*column = pairs->column_first[first] + pairs->column_last[last];
	return found / 8;
}

const uint8_t *four_pairs_after_at(const struct four_pairs *pairs, int m, const uint8_t *pair)
{
	uint32_t column, class = find_after(pairs, m, pair, &column);
	const uint8_t *at = &pairs->distance[class][column];
	__builtin_prefetch(at);
	return at;
}

/* ---- the search ---- */

static bool mark_seen(struct four_pairs *pairs, uint32_t class, uint32_t column, bool odd,
		      int distance)
{
	uint8_t *at = &pairs->distance[class][column];
	if (four_pairs_distance(at, odd) <= distance)
		return false;
	*at = (uint8_t)((*at & 15 << 4 * !odd) | distance << 4 * odd);
	return true;
}

/* A class that symmetries leave as it is has its pairings in several columns. */
static void see_images(struct four_pairs *pairs, uint32_t class, const uint8_t *pair, bool odd,
		       int distance)
{
	uint8_t home[FOUR_EDGES], value[REST];
	int back = pairs->row_of[row_of(pair)] % 8;
	for (int edge = 0; edge < FOUR_EDGES; edge++)
		home[edge] = image(pairs, back, pair, edge);
	for (int s = 1; s < FOUR_SYMMETRIES; s++) {
		if (!(pairs->class_fixed[class] >> s & 1))
			continue;
		for (int i = 0; i < REST; i++)
			value[i] = image(pairs, s, home, rest_edge[i]);
		mark_seen(pairs, class, column_of(pairs, class, value), odd, distance);
	}
}

/* The labels of the first four in each of the 1,680, as column_first has them. */
static void list_firsts(const struct four_pairs *pairs, uint16_t firsts[1680])
{
	for (uint32_t four = 0; four < 4096; four++)
		if (pairs->column_first[four] > 0)
			firsts[pairs->column_first[four] / 12] = (uint16_t)four;
	/* 0 1 2 3: its number is 0, as is that of invalid columns. */
	firsts[0] = 0 << 9 | 1 << 6 | 2 << 3 | 3;
}

/* The pairing of a class and column. */
static void pair_at(const struct four_pairs *pairs, uint32_t class, uint32_t column,
		    const uint16_t *firsts, uint8_t pair[FOUR_EDGES])
{
	static const uint8_t orders[12][4] = {
		{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 0, 2, 3}, {1, 2, 0, 3}, {1, 3, 0, 2},
		{2, 0, 1, 3}, {2, 1, 0, 3}, {2, 3, 0, 1}, {3, 0, 1, 2}, {3, 1, 0, 2}, {3, 2, 0, 1}};
	uint8_t edge_of[REST], left[4];
	uint32_t first = firsts[column / 12], free = 255, row = pairs->class_row[class], seen = 0;
	for (int i = 0; i < CORE; i++) {
		pair[core_edge[i]] = row >> 4 * i & 15;
		seen |= UINT32_C(1) << pair[core_edge[i]];
	}
	for (uint8_t edge = 0; edge < FOUR_EDGES; edge++)
		if (!(seen >> edge & 1))
			edge_of[pairs->label[class][edge]] = edge;
	for (int i = 0; i < 4; i++) {
		uint32_t label = first >> (9 - 3 * i) & 7;
		pair[rest_edge[i]] = edge_of[label];
		free &= ~(1u << label);
	}
	for (int i = 0; i < 4; i++, free &= free - 1)
		left[i] = edge_of[__builtin_ctz(free)];
	for (int i = 0; i < 4; i++)
		pair[rest_edge[4 + i]] = left[orders[column % 12][i]];
	if (cube_permutation_is_odd(pair, FOUR_EDGES)) {
		uint8_t swapped = pair[rest_edge[6]];
		pair[rest_edge[6]] = pair[rest_edge[7]];
		pair[rest_edge[7]] = swapped;
	}
}

/* From an entry at `depth` to its neighbours. */
static void expand_pairing(struct four_pairs *pairs, const uint8_t *pair, bool odd, int depth)
{
	uint32_t class[FOUR_MOVES_3], column[FOUR_MOVES_3];
	for (int m = 0; m < FOUR_MOVES_3; m++) {
		class[m] = find_after(pairs, m, pair, &column[m]);
		__builtin_prefetch(&pairs->distance[class[m]][column[m]], 1);
	}
	for (int m = 0; m < FOUR_MOVES_3; m++) {
		uint8_t next[FOUR_EDGES];
		bool odd_then = odd != four_is_wide(four_moves_3[m]);
		if (!mark_seen(pairs, class[m], column[m], odd_then, depth + 1) ||
		    pairs->class_fixed[class[m]] == 1)
			continue;
		four_pairs_after(pairs, m, pair, next);
		see_images(pairs, class[m], next, odd_then, depth + 1);
	}
}

/* From those of a class. */
static void forward(struct four_pairs *pairs, const uint16_t *firsts, uint32_t class, int depth)
{
	for (uint32_t column = 0; column < FOUR_COLUMNS; column++) {
		uint8_t pair[FOUR_EDGES], both = pairs->distance[class][column];
		bool even_there = (both & 15) == depth, odd_there = both >> 4 == depth;
		if (!even_there && !odd_there)
			continue;
		pair_at(pairs, class, column, firsts, pair);
		if (even_there)
			expand_pairing(pairs, pair, false, depth);
		if (odd_there)
			expand_pairing(pairs, pair, true, depth);
	}
}

void four_pairs_make(struct four_pairs *pairs, const struct four_moves *moves)
{
	uint16_t firsts[1680];
	uint8_t pair[FOUR_EDGES];
	memset(pairs, 0, sizeof(*pairs));
	make_moves(pairs, moves);
	make_symmetries(pairs);
	make_seen(pairs);
	make_rows(pairs);
	make_columns(pairs);
	list_firsts(pairs, firsts);
	/* Pairings that are not met are at the limit, or beyond it. */
	memset(pairs->distance, (FOUR_PAIRS_DEPTH + 1) * 17, sizeof(pairs->distance));
	for (uint8_t edge = 0; edge < FOUR_EDGES; edge++)
		pair[edge] = edge;
	uint32_t column, class = find_class(pairs, pair, &column);
	mark_seen(pairs, class, column, false, 0);
	see_images(pairs, class, pair, false, 0);
	for (int depth = 0; depth < FOUR_PAIRS_DEPTH; depth++)
		for (class = 0; class < FOUR_CLASSES; class ++)
			forward(pairs, firsts, class, depth);
}

bool four_pairs_of(const struct four *four, uint8_t pair[FOUR_EDGES])
{
	uint8_t at[FOUR_EDGES];
	uint32_t seen = 0, crossed = 0;
	for (uint8_t edge = 0; edge < FOUR_EDGES; edge++) {
		uint8_t wing = four->wing[2 * edge], other = four->wing[2 * edge + 1];
		seen |= UINT32_C(1) << wing / 2;
		crossed ^= wing;
		at[other / 2] = edge;
	}
	if (seen != (1u << FOUR_EDGES) - 1 || crossed % 2 != 0)
		return false;
	for (int edge = 0; edge < FOUR_EDGES; edge++)
		pair[edge] = at[four->wing[2 * edge] / 2];
	return !cube_permutation_is_odd(pair, FOUR_EDGES);
}
