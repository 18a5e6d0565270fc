/* cube/random.h: random numbers from the caller, or from a seed; random states.
 *
 * The library has no randomness of its own. For competitions use the system's; a seeded source gives
 * the same numbers on every machine and with every version.
 *
 * The seeded one is xoshiro256** (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number
 * generators", 2021, https://prng.di.unimi.it). Its four words are the first four of SplitMix64
 * (G. Steele, D. Lea, C. Flood 2014), begun with the 64-bit FNV-1a hash of the seed's bytes. */
#ifndef CUBE_RANDOM_H
#define CUBE_RANDOM_H

#include "cube/cubies.h"

/* A source: each call gives 64 bits that are independent and uniform. */
struct cube_random {
	uint64_t (*next)(void *context);
	void *context;
};

struct cube_seeded {
	uint64_t word[4];
};

/* A seed is any bytes, even none. */
CUBE_API void cube_seeded_init(struct cube_seeded *seeded, const void *seed, size_t length);
/* For `next`, with a struct cube_seeded as the context. */
CUBE_API uint64_t cube_seeded_next(void *seeded);

/* 0 .. below - 1, uniform: draws that would favour some are rejected. `below` is at least 1. */
CUBE_API uint64_t cube_random_below(const struct cube_random *random, uint64_t below);

/* A state of a 2x2x2 or 3x3x3 with its centres (size 2: the corner DBL) home, each as likely as the
 * others. */
CUBE_API void cube_random_cubies(const struct cube_random *random, int size,
				 struct cube_cubies *cubies);

/* Makes `cube`, which has room for that size, a cube whose colours are a random state, each as likely
 * as the others, with the middle centres (even sizes: the corner DBL) home. Corners and middle edges
 * are as those of cube_random_cubies(); every 24 wings and every 24 centres are in any order, which
 * nothing ties to the rest. The identity of centres is the assumed one (cube/facelets.h). `colors` is
 * scratch of cube_facelets(size) bytes. O(n^2): 1 us for a 3x3x3, a millisecond for size 100. */
CUBE_API void cube_random_cube(const struct cube_random *random, int size, struct cube *cube,
			       uint8_t *colors);

#endif
