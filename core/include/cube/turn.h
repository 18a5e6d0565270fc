/* cube/turn.h: turning layers.
 *
 * A turn takes a face, a range of touching layers counted from that face (1 the
 * outermost, n the opposite face) and quarter turns clockwise as seen looking at
 * the face. Turns of all layers are rotations of the whole cube.
 *
 * The same turn can be written in several ways (M and 2L on a 3x3x3); `style` remembers
 * which one, so that text read is text printed. It never changes what the turn does. */
#ifndef CUBE_TURN_H
#define CUBE_TURN_H

#include "cube/size.h"

enum cube_turn_style {
	CUBE_STYLE_LAYERS, /* R Rw 3Rw 2R 2-3Rw */
	CUBE_STYLE_MIDDLE, /* M E S: the middle layer; face L, D or F, odd n */
	CUBE_STYLE_INNER,  /* m e s: layers 2..n-1; face L, D or F */
	CUBE_STYLE_WHOLE,  /* x y z: all layers; face R, U or F */
};

struct cube_turn {
	uint8_t face;    /* enum cube_face */
	uint8_t from;    /* 1..n */
	uint8_t to;      /* from..n */
	int8_t quarters; /* -2..2: R2' (-2) turns the other way round than R2 (2); 0 does nothing */
	uint8_t style;   /* enum cube_turn_style */
};

/* Brings any number of quarter turns into the canonical -2..2: 3 is -1, 4 is 0, 6 is 2, -6 is -2. */
CUBE_API int8_t cube_quarters(int64_t quarters);

/* The turn of these layers with the style that its layers ask for: WHOLE for all of them
 * (then as R, U or F, a turn seen from L, D or B changing its sign), else LAYERS.
 * The caller has checked face, 1 <= from <= to <= size. */
CUBE_API struct cube_turn cube_turn_make(int size, int face, int from, int to, int64_t quarters);

/* The same turn in Cubie's terms: `axis` 0 x, 1 y, 2 z; `angle` right-handed
 * quarter turns; layers `start`..`end` counted from the middle: on odd n
 * -(n-1)/2..(n-1)/2, on even n -n/2..n/2 without 0. Returns false, and leaves
 * `turn` alone, where a layer is out of range or start > end. */
CUBE_API CUBE_MUST_USE bool cube_turn_from_axis(int size, int axis, int64_t angle, int64_t start,
						int64_t end, struct cube_turn *turn);

/* The reverse: any turn in Cubie's terms. */
struct cube_axis_turn {
	int axis, angle, start, end;
};
CUBE_API struct cube_axis_turn cube_turn_to_axis(int size, struct cube_turn turn);

/* The turn that undoes it, same style: R2 for R2'. */
CUBE_API struct cube_turn cube_turn_inverse(struct cube_turn turn);

/* Turns the cube. The turn must be valid for its size. An inner layer moves 4n
 * stickers, an outer one n*n more: O(n) and O(n^2). */
CUBE_API void cube_turn(struct cube *cube, struct cube_turn turn);

/* Turns the cube by `count` turns in a row. */
CUBE_API void cube_turn_all(struct cube *cube, const struct cube_turn *turns, size_t count);

#endif
