/* tests/core/bodies.h: a third model of the cube, of whole cubies, to check poses against.
 *
 * It keeps for each cubie its point and its matrix, and multiplies both by the matrix of a turn
 * where the point lies in the turned layers. */
#ifndef TESTS_CORE_BODIES_H
#define TESTS_CORE_BODIES_H

#include "tests/core/geometry.h"

struct body {
	int8_t home[3], at[3], matrix[3][3];
};

/* All that are seen: x slowest, z fastest. */
struct bodies {
	int size;
	size_t count;
	struct body *body;
};

extern const int8_t bodies_identity[3][3];
/* A right-handed quarter turn about +x, +y, +z. */
extern const int8_t bodies_quarter[3][3][3];

/* result = a b; it may be a or b. */
void bodies_multiply(const int8_t a[3][3], const int8_t b[3][3], int8_t result[3][3]);
/* result = a v; it may be v. */
void bodies_transform(const int8_t a[3][3], const int8_t v[3], int8_t result[3]);
int bodies_determinant(const int8_t m[3][3]);

/* Solved; its end is free(bodies.body). */
struct bodies bodies_create(int n);
/* Also marks, with 1 or 0, the cubies that the turn moves. */
void bodies_turn(struct bodies *bodies, struct geo_turn turn, uint8_t *moved);

#endif
