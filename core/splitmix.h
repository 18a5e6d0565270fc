/* core/splitmix.h: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014): numbers of a state of
 * 64 bits. Internal to the library. */
#ifndef CORE_SPLITMIX_H
#define CORE_SPLITMIX_H

#include <stdint.h>

#define SPLITMIX_STEP 0x9e3779b97f4a7c15u

/* Returns a number each of whose bits depends on all of `z`. */
static inline uint64_t splitmix_mixed(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline uint64_t splitmix_next(uint64_t *state)
{
	return splitmix_mixed(*state += SPLITMIX_STEP);
}

#endif
