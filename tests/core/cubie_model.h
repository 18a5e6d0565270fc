/* tests/core/cubie_model.h: a third model of the cube, of whole cubies, to check poses against.
 *
 * It keeps for each cubie its point and its matrix, and multiplies both by the matrix of a turn
 * where the point lies in the turned layers. */
#ifndef TESTS_CORE_CUBIE_MODEL_H
#define TESTS_CORE_CUBIE_MODEL_H

#include "tests/core/geometry.h"

struct model_cubie {
	int8_t home[3], at[3], matrix[3][3];
};

/* All that are seen: x slowest, z fastest. */
struct cubie_model {
	int size;
	size_t count;
	struct model_cubie *cubie;
};

extern const int8_t cubie_model_identity[3][3];
/* A right-handed quarter turn about +x, +y, +z. */
extern const int8_t cubie_model_quarter[3][3][3];

/* result = a b; it may be a or b. */
void cubie_model_multiply(const int8_t a[3][3], const int8_t b[3][3], int8_t result[3][3]);
/* result = a v; it may be v. */
void cubie_model_transform(const int8_t a[3][3], const int8_t v[3], int8_t result[3]);
int cubie_model_determinant(const int8_t m[3][3]);

/* Solved; its end is free(model.cubie). */
struct cubie_model cubie_model_create(int n);
/* Also marks, with 1 or 0, the cubies that the turn moves. */
void cubie_model_turn(struct cubie_model *model, struct geo_turn turn, uint8_t *moved);

#endif
