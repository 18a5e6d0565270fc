/* core/solve/random.c: numbers of a seed, numbers below a bound, states. */
#include "cube/random.h"

#include "cube/index.h"

#include <assert.h>

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
