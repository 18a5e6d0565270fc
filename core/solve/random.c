/* core/solve/random.c: numbers of a seed, numbers below a bound, states. */
#include <assert.h>

#include "core/format/orbit.h"
#include "core/splitmix.h"
#include "cube/facelets.h"
#include "cube/index.h"
#include "cube/random.h"

static inline uint64_t rotate(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

void cube_seeded_init(struct cube_seeded *seeded, const void *seed, size_t length)
{
	const uint8_t *byte = seed;
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3u;
	for (int i = 0; i < 4; i++)
		seeded->word[i] = splitmix_next(&hash);
}

uint64_t cube_seeded_next(void *context)
{
	uint64_t *word = ((struct cube_seeded *)context)->word;
	uint64_t result = rotate(word[1] * 5, 7) * 9, shifted = word[1] << 17;
	word[2] ^= word[0];
	word[3] ^= word[1];
	word[1] ^= word[2];
	word[0] ^= word[3];
	word[2] ^= shifted;
	word[3] = rotate(word[3], 45);
	return result;
}

uint64_t cube_random_below(const struct cube_random *random, uint64_t below)
{
	assert(below >= 1);
	/* 2^64 modulo `below` numbers at the lower end are too many. */
	uint64_t surplus = (0 - below) % below, number;
	do {
		number = random->next(random->context);
	} while (number < surplus);
	return number % below;
}

void cube_random_cubies(const struct cube_random *random, int size, struct cube_cubies *cubies)
{
	struct cube_index index = {0, 0}, count = cube_index_count(size);
	do {
		if (count.high > 0)
			index.high = random->next(random->context) >> 62;
		index.low = count.high > 0 ? random->next(random->context)
					   : cube_random_below(random, count.low);
	} while (!cube_index_cubies(index, size, cubies));
}

/* Each order as likely. */
static void shuffle(const struct cube_random *random, uint8_t items[ORBIT_PLACES])
{
	for (size_t i = ORBIT_PLACES; i > 1; i--) {
		size_t other = (size_t)cube_random_below(random, i);
		uint8_t item = items[i - 1];
		items[i - 1] = items[other];
		items[other] = item;
	}
}

static void paint(const struct orbit *orbit, int place, int piece, int turn, uint8_t *colors)
{
	for (int i = 0; i < orbit->stickers; i++)
		colors[orbit->facelet[place][(i + turn) % orbit->stickers]] = orbit->face[piece][i];
}

/* The corners and, of odd sizes, the middle edges and the middle centres. */
static void paint_cubies(const struct cube_random *random, int size, uint8_t *colors)
{
	const size_t area = (size_t)size * (size_t)size;
	struct cube_cubies cubies;
	struct orbit orbit;
	cube_random_cubies(random, size % 2 ? 3 : 2, &cubies);
	cube_orbit_corners(&orbit, size);
	for (int i = 0; i < CUBE_CORNERS; i++)
		paint(&orbit, i, cubies.corner_permutation[i], cubies.corner_orientation[i],
		      colors);
	if (size % 2 == 0)
		return;
	cube_orbit_edges(&orbit, size);
	for (int i = 0; i < CUBE_EDGES; i++)
		paint(&orbit, i, cubies.edge_permutation[i], cubies.edge_orientation[i], colors);
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		colors[face * area + area / 2] = face;
}

static void paint_wings(const struct cube_random *random, int size, int column, uint8_t *colors)
{
	uint8_t piece[ORBIT_PLACES];
	struct orbit orbit;
	for (uint8_t i = 0; i < ORBIT_PLACES; i++)
		piece[i] = i;
	shuffle(random, piece);
	cube_orbit_wings(&orbit, size, column);
	for (int place = 0; place < ORBIT_PLACES; place++)
		paint(&orbit, place, piece[place], 0, colors);
}

static void paint_centers(const struct cube_random *random, int size, int row, int column,
			  uint8_t *colors)
{
	const size_t area = (size_t)size * (size_t)size;
	uint8_t color[ORBIT_PLACES];
	uint16_t places[4];
	for (uint8_t i = 0; i < ORBIT_PLACES; i++)
		color[i] = i / 4;
	shuffle(random, color);
	cube_center_places(places, size, row, column);
	for (size_t i = 0; i < ORBIT_PLACES; i++)
		colors[area * (i / 4) + places[i % 4]] = color[i];
}

/* No parity ties wings and centres to the rest: a quarter turn of an inner layer is odd for the wings
 * of one column alone, and centres of one colour are alike. */
void cube_random_cube(const struct cube_random *random, int size, struct cube *cube,
		      uint8_t *colors)
{
	paint_cubies(random, size, colors);
	for (int column = 1; column < size / 2; column++)
		paint_wings(random, size, column, colors);
	for (int row = 1; row < size / 2; row++)
		for (int column = 1; column < (size + 1) / 2; column++)
			paint_centers(random, size, row, column, colors);
	const size_t problems = cube_from_colors(cube, size, colors, NULL, 0);
	assert(problems == 0);
	(void)problems;
}
