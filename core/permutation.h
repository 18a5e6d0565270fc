/* core/permutation.h: permutations as arrays. Internal to the library. */
#ifndef CORE_PERMUTATION_H
#define CORE_PERMUTATION_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if a permutation of the numbers below `count` (up to 24) is odd. O(count). */
bool cube_permutation_is_odd(const uint8_t *permutation, int count);

#endif
