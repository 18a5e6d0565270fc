/* core/hold.c: the 24 ways to hold a cube, composed of quarter turns about x, y and z. */
#include "core/hold.h"

#include <string.h>

#include "cube/turn.h"

/* One quarter turn of the whole cube, read off the middle centres of a 3x3x3. */
static struct cube_hold quarter_about(int face)
{
	union {
		struct cube cube;
		uint16_t
		    room[(sizeof(struct cube) + 6 * 3 * 3 * sizeof(uint16_t)) / sizeof(uint16_t)];
	} small;
	cube_init(&small.cube, 3);
	cube_turn(&small.cube, cube_turn_make(3, face, 1, 3, 1));
	struct cube_hold hold;
	for (uint8_t at = 0; at < CUBE_FACES; at++) {
		int from = cube_color_at(&small.cube, (size_t)at * 9 + 4);
		hold.to[from] = at;
		hold.spin[from] = small.cube.spin[at];
	}
	return hold;
}

/* First a, then b. */
static struct cube_hold then(const struct cube_hold *a, const struct cube_hold *b)
{
	struct cube_hold both;
	for (int face = 0; face < CUBE_FACES; face++) {
		both.to[face] = b->to[a->to[face]];
		both.spin[face] = (a->spin[face] + b->spin[a->to[face]]) & 3;
	}
	return both;
}

void cube_holds_make(struct cube_holds *holds)
{
	struct cube_hold x = quarter_about(CUBE_R), y = quarter_about(CUBE_U),
	                 z = quarter_about(CUBE_F);
	struct cube_hold x2 = then(&x, &x), z2 = then(&z, &z);
	/* Each of the six faces comes to the top once, then y goes around. */
	struct cube_hold tops[CUBE_FACES] = {
		{.to = {CUBE_U, CUBE_R, CUBE_F, CUBE_D, CUBE_L, CUBE_B}}, x, x2, then(&x2, &x), z,
		then(&z2, &z)};
	memset(holds->of, -1, sizeof(holds->of));
	int8_t index = 0;
	for (int i = 0; i < CUBE_FACES; i++) {
		struct cube_hold hold = tops[i];
		for (int j = 0; j < 4; j++) {
			holds->of[hold.to[CUBE_U]][hold.to[CUBE_F]] = index;
			holds->hold[index++] = hold;
			hold = then(&hold, &y);
		}
	}
}
