/* tests/core/folded_pattern.h: patterns folded around a cube in space, to check the library's against. */
#ifndef TESTS_CORE_FOLDED_PATTERN_H
#define TESTS_CORE_FOLDED_PATTERN_H

#include "cube/pattern.h"
#include "tests/core/geometry.h"

/* For each of the 24 ways, by the library's number: the facelet on which each item of a pattern
 * comes to lie. */
struct folded_pattern {
	int size;
	size_t count; /* 6 * size * size items */
	size_t *facelet[CUBE_FITS];
};

struct folded_pattern folded_create(int size);
void folded_destroy(struct folded_pattern *fold);

/* The rule, said of every pair of items: a colour is shown where it stands, and two items show one
 * colour where they are the same item and only there. */
bool folded_fits(const struct folded_pattern *fold, const uint8_t *items, const uint8_t *colors,
		 int fit);
uint32_t folded_match(const struct folded_pattern *fold, const uint8_t *items,
		      const uint8_t *colors);

#endif
