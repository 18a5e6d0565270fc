/* tests/core/bodies.c: cubies as points with matrices. */
#include "tests/core/bodies.h"

#include "tests/core/both.h"

#include <stdlib.h>
#include <string.h>

const int8_t bodies_identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const int8_t bodies_quarter[3][3][3] = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
					{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
					{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};

void bodies_multiply(const int8_t a[3][3], const int8_t b[3][3], int8_t result[3][3])
{
	int8_t product[3][3] = {{0}};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				product[i][j] = (int8_t)(product[i][j] + a[i][k] * b[k][j]);
	memcpy(result, product, sizeof(product));
}

void bodies_transform(const int8_t a[3][3], const int8_t v[3], int8_t result[3])
{
	int8_t to[3];
	for (int i = 0; i < 3; i++)
		to[i] = (int8_t)(a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2]);
	memcpy(result, to, sizeof(to));
}

int bodies_determinant(const int8_t m[3][3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
	       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

struct bodies bodies_create(int n)
{
	struct bodies bodies = {.size = n};
	bodies.body = new_bytes(sizeof(struct body) * (size_t)(n * n * n));
	for (int x = 1 - n; x < n; x += 2) {
		for (int y = 1 - n; y < n; y += 2) {
			for (int z = 1 - n; z < n; z += 2) {
				struct body body = {.home = {(int8_t)x, (int8_t)y, (int8_t)z}};
				if (abs(x) != n - 1 && abs(y) != n - 1 && abs(z) != n - 1)
					continue;
				memcpy(body.at, body.home, 3);
				memcpy(body.matrix, bodies_identity, sizeof(bodies_identity));
				bodies.body[bodies.count++] = body;
			}
		}
	}
	return bodies;
}

void bodies_turn(struct bodies *bodies, struct geo_turn turn, uint8_t *moved)
{
	for (size_t i = 0; i < bodies->count; i++) {
		struct body *body = &bodies->body[i];
		moved[i] = body->at[turn.axis] >= turn.low && body->at[turn.axis] <= turn.high &&
			   turn.quarters != 0;
		for (int k = 0; moved[i] && k < (turn.quarters & 3); k++) {
			bodies_transform(bodies_quarter[turn.axis], body->at, body->at);
			bodies_multiply(bodies_quarter[turn.axis], body->matrix, body->matrix);
		}
	}
}
