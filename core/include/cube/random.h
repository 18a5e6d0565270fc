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

/* Makes `cube`, which has room for size 4, a 4x4x4 with the corner DBL home, each state as likely:
 * 7! 3^6 of the corners, 24! of the wings, 24! / 4!^6 of the centres as they are seen. */
CUBE_API void cube_random_cube4(const struct cube_random *random, struct cube *cube);

#endif
