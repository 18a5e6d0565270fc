/* core/solve/random.c: numbers of a seed, numbers below a bound, states. */
#include <assert.h>

#include "core/format/orbit.h"
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
	for (int i = 0; i < 4; i++) {
		uint64_t z = hash += 0x9e3779b97f4a7c15u;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
		z = (z ^ z >> 27) * 0x94d049bb133111ebu;
		seeded->word[i] = z ^ z >> 31;
	}
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
static void shuffle(const struct cube_random *random, uint8_t items[24])
{
	for (size_t i = 24; i > 1; i--) {
		size_t other = cube_random_below(random, i);
		uint8_t item = items[i - 1];
		items[i - 1] = items[other];
		items[other] = item;
	}
}

/* No parity ties these to each other: a quarter turn of an inner layer is odd for the wings
 * alone, and centres of one colour are alike. */
void cube_random_cube4(const struct cube_random *random, struct cube *cube)
{
	struct orbit corners, wings;
	struct cube_cubies cubies;
	uint8_t colors[96], wing[24], center[24];
	uint16_t places[4];
	cube_random_cubies(random, 2, &cubies);
	for (uint8_t i = 0; i < 24; i++) {
		wing[i] = i;
		center[i] = i / 4;
	}
	shuffle(random, wing);
	shuffle(random, center);
	cube_orbit_corners(&corners, 4);
	cube_orbit_wings(&wings, 4, 1);
	cube_center_places(places, 4, 1, 1);
	for (int place = 0; place < 8; place++)
		for (int i = 0; i < 3; i++) {
			int at = (i + cubies.corner_orientation[place]) % 3;
			colors[corners.facelet[place][at]] =
				corners.face[cubies.corner_permutation[place]][i];
		}
	for (int place = 0; place < 24; place++) {
		for (int i = 0; i < 2; i++)
			colors[wings.facelet[place][i]] = wings.face[wing[place]][i];
		colors[16 * (place / 4) + places[place % 4]] = center[place];
	}
	size_t problems = cube_from_colors(cube, 4, colors, NULL, 0);
	assert(problems == 0);
	(void)problems;
}
