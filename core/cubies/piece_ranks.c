/* core/cubies/piece_ranks.c: where some pieces are, and how they are turned, as numbers. */
#include "cube/cube.h"
#include "cube/ranks.h"

#include <assert.h>
#include <string.h>

#include "core/cubies/cubies_internal.h"
#include "core/permutation.h"
#include "core/room.h"
#include "cube/hold.h"

/* ---- some of n ---- */

#define NOWHERE 255

uint64_t cube_rank_some(const uint8_t *places, int k, int n)
{
	uint8_t there[CUBE_RANK_MAX], at[CUBE_RANK_MAX];
	uint64_t rank = 0, weight = 1;
	assert(n >= 1 && n <= CUBE_RANK_MAX && k >= 0 && k <= n);
	memset(at, NOWHERE, sizeof(at));
	for (int i = 0; i < k; i++) {
		assert(places[i] < n && at[places[i]] == NOWHERE);
		there[n - k + i] = places[i];
		at[places[i]] = (uint8_t)(n - k + i);
	}
	/* The value `last` is brought to the place `last`, and what stands there to where that was, if it is
	 * among the known ones. */
	for (int last = n - 1; last >= n - k; last--) {
		const uint8_t value = there[last];
		if (at[last] != NOWHERE)
			there[at[last]] = value;
		at[value] = at[last];
		rank += value * weight;
		weight *= (uint64_t)last + 1;
	}
	return rank;
}

void cube_unrank_some(uint64_t rank, int k, int n, uint8_t *places)
{
	uint8_t there[CUBE_RANK_MAX];
	assert(n >= 1 && n <= CUBE_RANK_MAX && k >= 0 && k <= n);
	for (uint8_t i = 0; i < n; i++)
		there[i] = i;
	for (int last = n - 1; last >= n - k; last--) {
		const uint64_t digit = rank % ((uint64_t)last + 1);
		const uint8_t value = there[digit];
		rank /= (uint64_t)last + 1;
		there[digit] = there[last];
		there[last] = value;
	}
	assert(rank == 0);
	memcpy(places, there + n - k, (size_t)k);
}

/* Ways to choose k of n, by n and k: Pascal's triangle. */
static const uint16_t choose[CUBE_EDGES + 1][CUBE_EDGES + 1] = {
	{1},
	{1, 1},
	{1, 2, 1},
	{1, 3, 3, 1},
	{1, 4, 6, 4, 1},
	{1, 5, 10, 10, 5, 1},
	{1, 6, 15, 20, 15, 6, 1},
	{1, 7, 21, 35, 35, 21, 7, 1},
	{1, 8, 28, 56, 70, 56, 28, 8, 1},
	{1, 9, 36, 84, 126, 126, 84, 36, 9, 1},
	{1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1},
	{1, 11, 55, 165, 330, 462, 462, 330, 165, 55, 11, 1},
	{1, 12, 66, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1}};

uint32_t cube_rank_set(uint32_t set)
{
	uint32_t rank = 0;
	assert(set >> CUBE_EDGES == 0);
	for (int j = 1; set; set &= set - 1, j++)
		rank += choose[__builtin_ctz(set)][j];
	return rank;
}

uint32_t cube_unrank_set(uint32_t rank, int k)
{
	uint32_t set = 0;
	assert(k >= 0 && k <= CUBE_EDGES && rank < choose[CUBE_EDGES][k]);
	for (int member = CUBE_EDGES - 1; k > 0; member--) {
		if (rank < choose[member][k])
			continue;
		rank -= choose[member][k--];
		set |= 1u << member;
	}
	return set;
}

/* ---- the pieces of a kind ---- */

#define DBL 6     /* the corner that stays home on a 2x2x2 */
#define EVERY 255 /* no place is left out */

struct kind {
	int all;               /* places, with one that is left out */
	uint8_t left_out;      /* DBL or EVERY */
	int n;                 /* places without it */
	uint32_t base;         /* of turns */
	int k;                 /* chosen pieces */
	const uint8_t *chosen; /* which */
};

static struct kind corners_of(const struct cube_piece_list *list)
{
	const bool two = list->size == 2;
	return (struct kind){.all = CUBE_CORNERS,
			     .left_out = two ? DBL : EVERY,
			     .n = two ? CUBE_CORNERS - 1 : CUBE_CORNERS,
			     .base = 3,
			     .k = list->corners,
			     .chosen = list->corner};
}

static struct kind edges_of(const struct cube_piece_list *list)
{
	assert(list->size == 3 || (list->size == 2 && list->edges == 0));
	return (struct kind){.all = CUBE_EDGES,
			     .left_out = EVERY,
			     .n = CUBE_EDGES,
			     .base = 2,
			     .k = list->edges,
			     .chosen = list->edge};
}

/* Returns the number of pieces whose turns are ranked: the chosen ones, and, unless all are chosen,
 * one more for what remains of the sum. */
static int turns_of(const struct kind *kind)
{
	return kind->k < kind->n ? kind->k + 1 : kind->n;
}

bool cube_piece_can_be_listed(int size, int place)
{
	assert(size == 2 || size == 3);
	return place >= 0 && (size == 3 ? place < CUBE_CORNERS + CUBE_EDGES
					: place < CUBE_CORNERS && place != DBL);
}

static void count_kind(const struct kind *kind, uint32_t counts[3])
{
	assert(kind->k <= kind->n);
	counts[0] = choose[kind->n][kind->k];
	counts[1] = counts[2] = 1;
	for (int i = 0; i < kind->k; i++)
		counts[1] *= (uint32_t)(kind->n - i);
	for (int i = 1; i < turns_of(kind); i++)
		counts[2] *= kind->base;
}

void cube_piece_rank_counts(const struct cube_piece_list *list, uint32_t counts[CUBE_PIECE_RANKS])
{
	const struct kind corners = corners_of(list), edges = edges_of(list);
	count_kind(&corners, counts + CUBE_PIECE_CORNER_PLACES);
	count_kind(&edges, counts + CUBE_PIECE_EDGE_PLACES);
}

/* ---- ranking ---- */

static void rank_kind(const struct kind *kind, const uint8_t *permutation, const uint8_t *turns,
		      uint32_t ranks[3])
{
	uint8_t at[CUBE_EDGES], places[CUBE_EDGES], turned[CUBE_EDGES];
	uint32_t set = 0;
	for (uint8_t place = 0; place < kind->all; place++)
		at[permutation[place]] = place;
	for (int i = 0; i < kind->k; i++) {
		const uint8_t place = at[kind->chosen[i]];
		assert(place != kind->left_out);
		places[i] = (uint8_t)(place - (place > kind->left_out));
		turned[i] = turns[place];
		set |= 1u << (kind->n - 1 - places[i]);
	}
	ranks[0] = cube_rank_set(set);
	ranks[1] = (uint32_t)cube_rank_some(places, kind->k, kind->n);
	ranks[2] = cube_rank_turns(turned, turns_of(kind), kind->base);
}

void cube_piece_ranks_of(const struct cube_piece_list *list, const struct cube_cubies *cubies,
			 uint32_t ranks[CUBE_PIECE_RANKS])
{
	const struct kind corners = corners_of(list), edges = edges_of(list);
	rank_kind(&corners, cubies->corner_permutation, cubies->corner_orientation,
		  ranks + CUBE_PIECE_CORNER_PLACES);
	rank_kind(&edges, cubies->edge_permutation, cubies->edge_orientation,
		  ranks + CUBE_PIECE_EDGE_PLACES);
}

void cube_piece_ranks_of_cube(const struct cube_piece_list *list, const struct cube *cube,
			      uint32_t ranks[CUBE_PIECE_RANKS])
{
	struct cube_cubies cubies;
	assert(cube->size == list->size);
	cubies_home(&cubies, cube);
	cube_piece_ranks_of(list, &cubies, ranks);
}

/* ---- unranking ---- */

/* Sets the chosen pieces, fills in the others, and returns the places of these, a bit each; without one that is
 * left out. */
static uint32_t unrank_kind(const struct kind *kind, const uint32_t ranks[3], uint8_t *permutation,
			    uint8_t *turns)
{
	uint8_t places[CUBE_EDGES], turned[CUBE_EDGES + 1] = {0};
	const uint32_t all = (1u << kind->all) - 1;
	uint32_t free = all, left = all; /* places, and pieces */
	cube_unrank_some(ranks[1], kind->k, kind->n, places);
	cube_unrank_turns(ranks[2], turns_of(kind), kind->base, turned);
	memset(turns, 0, (size_t)kind->all);
	for (int i = 0; i < kind->k; i++) {
		const uint8_t place = (uint8_t)(places[i] + (places[i] >= kind->left_out));
		permutation[place] = kind->chosen[i];
		turns[place] = turned[i];
		free &= ~(1u << place);
		left &= ~(1u << kind->chosen[i]);
	}
	const uint32_t filled = kind->left_out == EVERY ? free : free & ~(1u << kind->left_out);
	const uint32_t home = free & left;
	for (uint8_t place = 0; place < kind->all; place++)
		if (home >> place & 1)
			permutation[place] = place;
	for (free &= ~home, left &= ~home; free; free &= free - 1, left &= left - 1)
		permutation[__builtin_ctz(free)] = (uint8_t)__builtin_ctz(left);
	if (filled)
		turns[__builtin_ctz(filled)] = turned[kind->k];
	return filled;
}

/* Exchanges the pieces in two of these places; false if there are not two. */
static bool exchange_two(uint32_t places, uint8_t *permutation)
{
	const uint32_t rest = places & (places - 1);
	if (places == 0 || rest == 0)
		return false;
	uint8_t *one = &permutation[__builtin_ctz(places)],
		*other = &permutation[__builtin_ctz(rest)];
	const uint8_t piece = *one;
	*one = *other;
	*other = piece;
	return true;
}

void cube_piece_ranks_cubies(const struct cube_piece_list *list,
			     const uint32_t ranks[CUBE_PIECE_RANKS], struct cube_cubies *cubies)
{
	const struct kind corners = corners_of(list), edges = edges_of(list);
	const uint32_t corner_places =
		unrank_kind(&corners, ranks + CUBE_PIECE_CORNER_PLACES, cubies->corner_permutation,
			    cubies->corner_orientation);
	const uint32_t edge_places =
		unrank_kind(&edges, ranks + CUBE_PIECE_EDGE_PLACES, cubies->edge_permutation,
			    cubies->edge_orientation);
	if (list->size == 2 ||
	    cube_permutation_is_odd(cubies->corner_permutation, CUBE_CORNERS) ==
		    cube_permutation_is_odd(cubies->edge_permutation, CUBE_EDGES))
		return;
	if (!exchange_two(edge_places, cubies->edge_permutation))
		(void)exchange_two(corner_places, cubies->corner_permutation);
}
