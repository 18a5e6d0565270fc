/* core/cubies/rank.c: permutations as numbers, by Myrvold and Ruskey's rank1 and unrank1.
 *
 * Their functions walk from the last place to the first. A permutation of up to sixteen is kept as
 * one word, four bits a place, and so is its inverse: a swap is then two exclusive-ors, and the
 * places that are done with need not be written any more. */
#include "cube/index.h"

#include <assert.h>

/* In place `at`, four bits. */
static inline uint64_t digit_at(uint64_t word, int at)
{
	return word >> 4 * at & 15;
}

/* For calls with a number known to the compiler, which then writes out the loops. */
#define INLINE static inline __attribute__((always_inline))

/* rank1: s is what stands last; the last value is brought there, and s to where that was. */
INLINE uint64_t rank_of(const uint8_t *permutation, int n)
{
	uint64_t word = 0, inverse = 0, rank = 0, weight = 1;
#pragma GCC unroll 16
	for (int i = 0; i < n; i++) {
		assert(permutation[i] < n);
		word |= (uint64_t)permutation[i] << 4 * i;
		inverse |= (uint64_t)i << 4 * permutation[i];
	}
#pragma GCC unroll 16
	for (int last = n - 1; last > 0; last--) {
		uint64_t s = digit_at(word, last), at = digit_at(inverse, last);
		word ^= ((uint64_t)last ^ s) << 4 * at;
		inverse ^= ((uint64_t)last ^ at) << 4 * s;
		rank += s * weight;
		weight *= (uint64_t)last + 1;
	}
	return rank;
}

/* unrank1: the last place is swapped with the one that the lowest digit names. */
INLINE void unrank_to(uint64_t rank, int n, uint8_t *permutation)
{
	uint64_t word = 0xfedcba9876543210;
#pragma GCC unroll 16
	for (int last = n - 1; last > 0; last--) {
		uint64_t digit = rank % ((uint64_t)last + 1);
		rank /= (uint64_t)last + 1;
		uint64_t differ = digit_at(word, last) ^ digit_at(word, (int)digit);
		word ^= differ << 4 * last ^ differ << 4 * digit;
	}
	assert(rank == 0);
#pragma GCC unroll 16
	for (int i = 0; i < n; i++)
		permutation[i] = (uint8_t)digit_at(word, i);
}

uint64_t cube_rank(const uint8_t *permutation, int n)
{
	assert(n >= 1 && n <= CUBE_RANK_MAX);
	return n == 8    ? rank_of(permutation, 8)
	       : n == 12 ? rank_of(permutation, 12)
			 : rank_of(permutation, n);
}

void cube_unrank(uint64_t rank, int n, uint8_t *permutation)
{
	assert(n >= 1 && n <= CUBE_RANK_MAX);
	if (n == 8)
		unrank_to(rank, 8, permutation);
	else if (n == 12)
		unrank_to(rank, 12, permutation);
	else
		unrank_to(rank, n, permutation);
}
