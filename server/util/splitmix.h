/* splitmix.h: SplitMix64 (Steele, Lea, Flood, 2014): numbers that do not repeat, from a state of 64 bits. They can be
 * guessed from one another: secrets are made by server/access/secret.h. */
#ifndef SERVER_UTIL_SPLITMIX_H
#define SERVER_UTIL_SPLITMIX_H

#include <stdint.h>

/* Returns the next number of a state, which may begin anywhere. */
static inline uint64_t splitmix_next(uint64_t *state)
{
	uint64_t number = *state += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

#endif
