/* core/cubies/index.c: one number for a state, as the header derives it, and decimal text. */
#include "cube/cube.h"
#include "cube/index.h"

#include <assert.h>
#include <string.h>

#include "core/cubies/cubies_internal.h"
#include "core/error.h"
#include "core/permutation.h"
#include "core/utf8.h"
#include "cube/hold.h"
#include "cube/ranks.h"

/* Only multiplied, shifted and compared: dividing it would call a function of the compiler's. */
__extension__ typedef unsigned __int128 wide;

#define TWISTS_3 2187u /* 3^7 */
#define FLIP_BITS_3 11
#define FLIPS_3 (1u << FLIP_BITS_3) /* 2^11 */
#define EDGE_RANKS_3 239500800u     /* 12!/2 */
#define CORNER_RANKS_3 40320u       /* 8! */
#define TWISTS_2 729u               /* 3^6 */
#define CORNER_RANKS_2 5040u        /* 7! */
#define DBL 6                       /* the corner that stays home on a 2x2x2 */

static inline wide wide_of(struct cube_index index)
{
	return (wide)index.high << 64 | index.low;
}

static inline struct cube_index index_of(wide number)
{
	return (struct cube_index){.high = (uint64_t)(number >> 64), .low = (uint64_t)number};
}

static wide count_of(int size)
{
	assert(size == 2 || size == 3);
	return size == 2 ? (wide)CORNER_RANKS_2 * TWISTS_2
			 : (wide)CORNER_RANKS_3 * EDGE_RANKS_3 * TWISTS_3 * FLIPS_3;
}

struct cube_index cube_index_count(int size)
{
	return index_of(count_of(size));
}

/* Moves the seven corners beside DBL together, or apart again. */
static void without_dbl(const uint8_t from[CUBE_CORNERS], uint8_t to[CUBE_CORNERS - 1])
{
	memcpy(to, from, DBL);
	memcpy(to + DBL, from + DBL + 1, CUBE_CORNERS - 1 - DBL);
}

static void with_dbl(const uint8_t from[CUBE_CORNERS - 1], uint8_t dbl, uint8_t to[CUBE_CORNERS])
{
	memcpy(to, from, DBL);
	to[DBL] = dbl;
	memcpy(to + DBL + 1, from + DBL, CUBE_CORNERS - 1 - DBL);
}

static uint32_t index_of_2(const struct cube_cubies *cubies)
{
	uint8_t pieces[CUBE_CORNERS - 1], twists[CUBE_CORNERS - 1];
	assert(cubies->corner_permutation[DBL] == DBL && cubies->corner_orientation[DBL] == 0);
	without_dbl(cubies->corner_permutation, pieces);
	without_dbl(cubies->corner_orientation, twists);
	for (int i = 0; i < CUBE_CORNERS - 1; i++)
		pieces[i] = (uint8_t)(pieces[i] - (pieces[i] > DBL));
	return (uint32_t)cube_rank(pieces, CUBE_CORNERS - 1) * TWISTS_2 +
	       cube_rank_turns(twists, CUBE_CORNERS - 1, 3);
}

struct cube_index cube_index_of_cubies(const struct cube_cubies *cubies, int size)
{
	assert(size == 2 || size == 3);
	if (size == 2)
		return index_of(index_of_2(cubies));
	uint64_t corners = cube_rank(cubies->corner_permutation, CUBE_CORNERS);
	uint64_t edges = cube_rank(cubies->edge_permutation, CUBE_EDGES) % EDGE_RANKS_3;
	uint32_t twists = cube_rank_turns(cubies->corner_orientation, CUBE_CORNERS, 3);
	uint32_t flips = cube_rank_turns(cubies->edge_orientation, CUBE_EDGES, 2);
	uint64_t but_flips = (corners * EDGE_RANKS_3 + edges) * TWISTS_3 + twists;
	return index_of((wide)but_flips * FLIPS_3 + flips);
}

struct cube_index cube_index_of(const struct cube *cube)
{
	struct cube_cubies cubies;
	cubies_home(&cubies, cube);
	return cube_index_of_cubies(&cubies, cube->size);
}

static void cubies_of_2(uint32_t number, struct cube_cubies *cubies)
{
	uint8_t pieces[CUBE_CORNERS - 1], twists[CUBE_CORNERS - 1];
	cube_unrank_turns(number % TWISTS_2, CUBE_CORNERS - 1, 3, twists);
	cube_unrank(number / TWISTS_2, CUBE_CORNERS - 1, pieces);
	for (int i = 0; i < CUBE_CORNERS - 1; i++)
		pieces[i] = (uint8_t)(pieces[i] + (pieces[i] >= DBL));
	with_dbl(pieces, DBL, cubies->corner_permutation);
	with_dbl(twists, 0, cubies->corner_orientation);
	cube_unrank(EDGE_RANKS_3 * 2 - 1, CUBE_EDGES, cubies->edge_permutation);
	memset(cubies->edge_orientation, 0, CUBE_EDGES);
}

static void cubies_of_3(wide number, struct cube_cubies *cubies)
{
	uint64_t but_flips = (uint64_t)(number >> FLIP_BITS_3);
	uint64_t pieces = but_flips / TWISTS_3;
	uint8_t *edges = cubies->edge_permutation;
	cube_unrank_turns((uint32_t)(number & (FLIPS_3 - 1)), CUBE_EDGES, 2,
			  cubies->edge_orientation);
	cube_unrank_turns((uint32_t)(but_flips % TWISTS_3), CUBE_CORNERS, 3,
			  cubies->corner_orientation);
	cube_unrank(pieces / EDGE_RANKS_3, CUBE_CORNERS, cubies->corner_permutation);
	/* The digit that was left out is 0 here. Where it should be 1, there is no last swap. */
	cube_unrank(pieces % EDGE_RANKS_3, CUBE_EDGES, edges);
	if (cube_permutation_is_odd(cubies->corner_permutation, CUBE_CORNERS) !=
	    cube_permutation_is_odd(edges, CUBE_EDGES)) {
		uint8_t first = edges[0];
		edges[0] = edges[1];
		edges[1] = first;
	}
}

bool cube_index_cubies(struct cube_index index, int size, struct cube_cubies *cubies)
{
	wide number = wide_of(index);
	if (number >= count_of(size))
		return false;
	if (size == 2)
		cubies_of_2((uint32_t)number, cubies);
	else
		cubies_of_3(number, cubies);
	for (uint8_t i = 0; i < CUBE_FACES; i++)
		cubies->centers[i] = i;
	return true;
}

/* ---- text ---- */

/* Writes at least `least` digits and a NUL; returns how many. */
static size_t print_digits(uint64_t number, size_t least, char *text)
{
	char digits[CUBE_INDEX_BYTES];
	size_t count = 0, length = 0;
	for (; number != 0 || count < least; number /= 10)
		digits[count++] = (char)('0' + (int)(number % 10));
	while (count > 0)
		text[length++] = digits[--count];
	text[length] = '\0';
	return length;
}

size_t cube_index_print(struct cube_index index, char text[CUBE_INDEX_BYTES])
{
	/* The upper part and the last nine digits, by way of number = but_flips * 2^11 + flips. */
	const uint64_t billion = 1000000000;
	wide number = wide_of(index);
	assert(number < count_of(3));
	uint64_t but_flips = (uint64_t)(number >> FLIP_BITS_3);
	uint64_t low = (but_flips % billion << FLIP_BITS_3) + (uint64_t)(number & (FLIPS_3 - 1));
	uint64_t high = (but_flips / billion << FLIP_BITS_3) + low / billion;
	size_t length = high != 0 ? print_digits(high, 1, text) : 0;
	return length + print_digits(low % billion, high != 0 ? 9 : 1, text + length);
}

static enum cube_error_code refuse(struct cube_error *error, enum cube_error_code code,
				   size_t offset, size_t length, int size)
{
	return error_fill(error, code, offset, length,
			  size == 2 ? "decimal digits: 0 to 3674159"
				    : "decimal digits: 0 to 43252003274489855999");
}

enum cube_error_code cube_index_parse(const char *text, size_t length, int size,
				      struct cube_index *index, struct cube_error *error)
{
	wide number = 0, count = count_of(size);
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9') {
			size_t bytes = utf8_sequence(text + i, length - i);
			return refuse(error, CUBE_ERROR_INDEX, i, bytes ? bytes : 1, size);
		}
	}
	if (length == 0)
		return refuse(error, CUBE_ERROR_INDEX, 0, 0, size);
	if (text[0] == '0' && length > 1) {
		size_t zeros = 0;
		while (zeros + 1 < length && text[zeros] == '0')
			zeros++;
		return refuse(error, CUBE_ERROR_INDEX, 0, zeros, size);
	}
	for (size_t i = 0; i < length; i++) {
		number = number * 10 + (unsigned)(text[i] - '0');
		if (number >= count)
			return refuse(error, CUBE_ERROR_INDEX_LARGE, 0, length, size);
	}
	*index = index_of(number);
	return CUBE_OK;
}
