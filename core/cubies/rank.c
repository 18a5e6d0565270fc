/* core/cubies/rank.c: permutations as numbers, by Myrvold and Ruskey's rank1 and unrank1.
 *
 * Their functions walk from the last place to the first. A permutation of up to sixteen is kept as
 * one word, four bits a place, and so is its inverse: a swap is then two exclusive-ors, and the
 * places that are done with need not be written any more. */
#include "cube/index.h"

#include <assert.h>

/* In place `at`, four bits. */
static inline uint64_t take(uint64_t word, int at)
{
	return word >> 4 * at & 15;
}

/* rank1 for n places: s is what stands last; the last value is brought there and s to where it was.
 */
uint64_t cube_rank(const uint8_t *permutation, int n)
{
	assert(n >= 1 && n <= CUBE_RANK_MAX);
	uint64_t word = 0, inverse = 0, rank = 0, weight = 1;
	for (int i = 0; i < n; i++) {
		assert(permutation[i] < n);
		word |= (uint64_t)permutation[i] << 4 * i;
		inverse |= (uint64_t)i << 4 * permutation[i];
	}
	for (int last = n - 1; last > 0; last--) {
		uint64_t s = take(word, last), at = take(inverse, last);
		word ^= ((uint64_t)last ^ s) << 4 * at;
		inverse ^= ((uint64_t)last ^ at) << 4 * s;
		rank += s * weight;
		weight *= (uint64_t)last + 1;
	}
	return rank;
}

/* unrank1: the last place is swapped with the one that the lowest digit names. */
void cube_unrank(uint64_t rank, int n, uint8_t *permutation)
{
	assert(n >= 1 && n <= CUBE_RANK_MAX);
	for (int i = 0; i < n; i++)
		permutation[i] = (uint8_t)i;
	for (unsigned count = (unsigned)n; count > 1; count--) {
		uint64_t digit = rank % count;
		rank /= count;
		uint8_t last = permutation[count - 1];
		permutation[count - 1] = permutation[digit];
		permutation[digit] = last;
	}
	assert(rank == 0);
}
