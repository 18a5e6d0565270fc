/* tests/core/cubie_model.c: cubies as points with matrices. */
#include "tests/core/cubie_model.h"

#include "tests/core/checked_cube.h"

#include <stdlib.h>
#include <string.h>

const int8_t cubie_model_identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const int8_t cubie_model_quarter[3][3][3] = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
					     {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
					     {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};

void cubie_model_multiply(const int8_t a[3][3], const int8_t b[3][3], int8_t result[3][3])
{
	int8_t product[3][3] = {{0}};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				product[i][j] = (int8_t)(product[i][j] + a[i][k] * b[k][j]);
	memcpy(result, product, sizeof(product));
}

void cubie_model_transform(const int8_t a[3][3], const int8_t v[3], int8_t result[3])
{
	int8_t to[3];
	for (int i = 0; i < 3; i++)
		to[i] = (int8_t)(a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2]);
	memcpy(result, to, sizeof(to));
}

int cubie_model_determinant(const int8_t m[3][3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
	       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

struct cubie_model cubie_model_create(int n)
{
	struct cubie_model model = {.size = n};
	model.cubie = new_bytes(sizeof(struct model_cubie) * (size_t)(n * n * n));
	for (int x = 1 - n; x < n; x += 2) {
		for (int y = 1 - n; y < n; y += 2) {
			for (int z = 1 - n; z < n; z += 2) {
				struct model_cubie body = {
					.home = {(int8_t)x, (int8_t)y, (int8_t)z}};
				if (abs(x) != n - 1 && abs(y) != n - 1 && abs(z) != n - 1)
					continue;
				memcpy(body.at, body.home, 3);
				memcpy(body.matrix, cubie_model_identity,
				       sizeof(cubie_model_identity));
				model.cubie[model.count++] = body;
			}
		}
	}
	return model;
}

void cubie_model_turn(struct cubie_model *model, struct geo_turn turn, uint8_t *moved)
{
	for (size_t i = 0; i < model->count; i++) {
		struct model_cubie *body = &model->cubie[i];
		moved[i] = body->at[turn.axis] >= turn.low && body->at[turn.axis] <= turn.high &&
			   turn.quarters != 0;
		for (int k = 0; moved[i] && k < (turn.quarters & 3); k++) {
			cubie_model_transform(cubie_model_quarter[turn.axis], body->at, body->at);
			cubie_model_multiply(cubie_model_quarter[turn.axis], body->matrix,
					     body->matrix);
		}
	}
}
