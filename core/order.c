/* core/order.c: how often a state must be repeated until nothing is changed. */
#include "cube/cube.h"

#include <string.h>

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Saturates at UINT64_MAX, which only permutations that no turns lead to reach. */
static uint64_t least_common_multiple(uint64_t a, uint64_t b)
{
	uint64_t product;
	if (a % b == 0)
		return a;
	if (__builtin_mul_overflow(a, b / greatest_common_divisor(a, b), &product))
		return UINT64_MAX;
	return product;
}

/* The least number of steps after which the cycle through `start` shows the same colours again: a
 * divisor of its length. */
static uint64_t color_period(const struct cube *cube, size_t start, uint64_t length)
{
	const uint16_t *next = cube->sticker;
	for (uint64_t period = 1; period < length; period++) {
		if (length % period != 0)
			continue;
		size_t ahead = start;
		for (uint64_t i = 0; i < period; i++)
			ahead = next[ahead];
		size_t at = start;
		uint64_t same = 0;
		while (same < length && cube_color_at(cube, at) == cube_color_at(cube, ahead)) {
			at = next[at];
			ahead = next[ahead];
			same++;
		}
		if (same == length)
			return period;
	}
	return length;
}

/* A middle centre that comes home turned needs the cycle two or four times. */
static uint64_t spin_order(const struct cube *cube, uint64_t order)
{
	size_t area = (size_t)cube->size * cube->size;
	for (size_t face = 0; face < CUBE_FACES; face++) {
		uint64_t length = 0;
		unsigned spin = 0;
		size_t at = face;
		do {
			spin += cube->spin[at];
			at = (size_t)cube_color_at(cube, at * area + area / 2);
			length++;
		} while (at != face && length < CUBE_FACES);
		uint64_t rounds = spin % 4 == 0 ? 1 : spin % 2 == 0 ? 2 : 4;
		order = least_common_multiple(order, length * rounds);
	}
	return order;
}

uint64_t cube_order(const struct cube *cube, bool spin)
{
	uint64_t seen[CUBE_FACELETS_MAX / 64 + 1];
	size_t count = cube_facelets(cube->size);
	memset(seen, 0, (count / 64 + 1) * sizeof(seen[0]));

	uint64_t order = 1;
	for (size_t start = 0; start < count; start++) {
		if (cube->sticker[start] == start || seen[start / 64] >> start % 64 & 1)
			continue;
		uint64_t length = 0;
		size_t at = start;
		do {
			seen[at / 64] |= UINT64_C(1) << at % 64;
			at = cube->sticker[at];
			length++;
		} while (at != start);
		order = least_common_multiple(order,
					      spin ? length : color_period(cube, start, length));
	}
	if (spin && cube->size % 2 != 0)
		order = spin_order(cube, order);
	return order;
}
