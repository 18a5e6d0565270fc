/* core/turn3.c: turns of a layer of the 3x3x3, from a table.
 *
 * Most cubes are of this size, and a layer is five times four stickers, too few for what makes
 * turns of larger ones fast. The strips of turn.c would do the same; the tests turn points in
 * space beside both. */
#include "core/turn3.h"

/* By axis and layer: a clockwise quarter turn carries what is at each place to the next one, and
 * from the last to the first. The middle layer has three. */
/* clang-format off */
static const uint8_t cycles[3][3][5][4] = {
	{
		{{2, 51, 29, 20}, {5, 48, 32, 23}, {8, 45, 35, 26},
		 {9, 11, 17, 15}, {10, 14, 16, 12}},
		{{1, 52, 28, 19}, {4, 49, 31, 22}, {7, 46, 34, 25}},
		{{0, 53, 27, 18}, {3, 50, 30, 21}, {6, 47, 33, 24},
		 {36, 42, 44, 38}, {37, 39, 43, 41}},
	},
	{
		{{0, 2, 8, 6}, {1, 5, 7, 3}, {9, 18, 36, 45}, {10, 19, 37, 46}, {11, 20, 38, 47}},
		{{12, 21, 39, 48}, {13, 22, 40, 49}, {14, 23, 41, 50}},
		{{15, 24, 42, 51}, {16, 25, 43, 52}, {17, 26, 44, 53},
		 {27, 33, 35, 29}, {28, 30, 34, 32}},
	},
	{
		{{6, 9, 29, 44}, {7, 12, 28, 41}, {8, 15, 27, 38},
		 {18, 20, 26, 24}, {19, 23, 25, 21}},
		{{3, 10, 32, 43}, {4, 13, 31, 40}, {5, 16, 30, 37}},
		{{0, 11, 35, 42}, {1, 14, 34, 39}, {2, 17, 33, 36},
		 {45, 51, 53, 47}, {46, 48, 52, 50}},
	},
};
/* clang-format on */

void cube_turn3(uint16_t *stickers, int axis, int layer, int quarters)
{
	const int count = layer == 1 ? 3 : 5;
	for (int i = 0; i < count; i++) {
		const uint8_t *at = cycles[axis][layer][i];
		uint16_t *a = stickers + at[0], *b = stickers + at[1];
		uint16_t *c = stickers + at[2], *d = stickers + at[3];
		const uint16_t from_a = *a, from_b = *b, from_c = *c, from_d = *d;
		if (quarters == 1) {
			*b = from_a;
			*c = from_b;
			*d = from_c;
			*a = from_d;
		} else if (quarters == -1) {
			*a = from_b;
			*b = from_c;
			*c = from_d;
			*d = from_a;
		} else {
			*a = from_c;
			*b = from_d;
			*c = from_a;
			*d = from_b;
		}
	}
}
