/* cube/picture.h: a cube as a picture: SVG text or pixels, of any size.
 *
 *     iso    in space, U, F and R seen alike
 *     net    the unfolding: U above F, L F R B in a row, D below F
 *     plan   the last layer as cubers draw it: U from above, and around it the rows beside it
 *     trans  in space, and see-through: the far faces are seen through what is hidden
 *
 * A picture is described once (struct cube_picture) and drawn in two ways from the same planes,
 * patches and arrows (core/format/scene.h): as SVG, which stands alone (no style sheet, no script,
 * no font, nothing fetched), and as pixels, each covered as much as the polygons cover it.
 *
 * What is seen of a cube are 6*n*n bytes, one a facelet: a face's colour, or grey, light or hidden.
 *
 * A sticker is a part of one path for each colour of a face. From CUBE_PICTURE_MERGED on, stickers of one
 * colour beside each other are one stroke, with the lines between the stickers drawn over them: a
 * solved 100x100x100 in space takes 10 KB, a random one 0.2 MB; a 3x3x3 takes 2 KB. */
#ifndef CUBE_PICTURE_H
#define CUBE_PICTURE_H

#include "cube/size.h"

/* One row each: constant, name in the API, width and height in pixels, which a viewer of SVG may
 * ignore. */
#define CUBE_PICTURE_TABLE(X)                                                                      \
	X(CUBE_PICTURE_ISO, "iso", 300, 300)                                                       \
	X(CUBE_PICTURE_NET, "net", 400, 302)                                                       \
	X(CUBE_PICTURE_PLAN, "plan", 240, 240)                                                     \
	X(CUBE_PICTURE_TRANS, "trans", 300, 300)

enum cube_picture_view {
#define CUBE_PICTURE_ROW(constant, name, width, height) constant,
	CUBE_PICTURE_TABLE(CUBE_PICTURE_ROW)
#undef CUBE_PICTURE_ROW
		CUBE_PICTURE_VIEWS
};

/* The content of a facelet: the colour of a face 0..5, or one of these. */
enum cube_shown {
	CUBE_SHOWN_GREY = CUBE_FACES, /* of no interest */
	CUBE_SHOWN_LIGHT,             /* light grey */
	CUBE_SHOWN_HIDDEN,            /* no sticker */
	CUBE_SHOWN_COLORS = CUBE_SHOWN_HIDDEN
};

/* From that size on: strokes, and no perspective. */
#define CUBE_PICTURE_MERGED 11

/* An arrow from the middle of a facelet to another's, both of which are seen. */
#define CUBE_ARROWS_MAX 64
#define CUBE_NO_FACELET UINT16_MAX
struct cube_picture_arrow {
	uint16_t from, to;
	uint16_t by;     /* CUBE_NO_FACELET: straight; else bent towards this facelet */
	uint16_t length; /* in tenths of the way; 10: from middle to middle */
	uint16_t bend;   /* in tenths of the way to `by`, for the middle of the arrow */
	uint32_t color;
};

struct cube_picture {
	enum cube_picture_view view;
	int pixels;                         /* width; 0: as the table has it */
	bool turned;                        /* of iso and trans: `turn` replaces the usual view */
	double turn[9];                     /* the rotation of the cube, row by row */
	double distance;                    /* of the eye, in edges of the cube; 0: none */
	uint32_t colors[CUBE_SHOWN_COLORS]; /* 0xRRGGBB: U R F D L B, grey, light grey */
	uint32_t plastic, background;
	uint8_t plastic_opacity, sticker_opacity, background_opacity; /* 0..100 */
	size_t arrow_count;
	struct cube_picture_arrow arrows[CUBE_ARROWS_MAX];
};

/* The usual picture in that view: WCA's colours, dark plastic, no background. */
CUBE_API void cube_picture_init(struct cube_picture *picture, enum cube_picture_view view);
CUBE_API void cube_picture_extent(const struct cube_picture *picture, int *width, int *height);

/* ---- names ---- */

/* The name of a view; and back, false if there is none. */
CUBE_API const char *cube_picture_view_name(enum cube_picture_view view);
CUBE_API CUBE_MUST_USE bool cube_picture_view_find(const char *name, size_t length,
						   enum cube_picture_view *view);

/* Schemes of colours: "wca", and "okabe-ito", whose colours the colour-blind can distinguish, too
 * (M. Okabe, K. Ito, Color Universal Design, 2002). NULL past the last. */
CUBE_API const char *cube_picture_scheme(size_t index);
/* A scheme by its name, or six colours with commas between, in the order U R F D L B; false if it is
 * neither. */
CUBE_API CUBE_MUST_USE bool cube_picture_colors_parse(const char *text, size_t length,
						      uint32_t colors[CUBE_FACES]);
/* A colour: three or six hexadecimal digits, perhaps after "#", or a name such as "silver",
 * or its letter in VisualCube, such as "s". */
CUBE_API CUBE_MUST_USE bool cube_picture_color_parse(const char *text, size_t length,
						     uint32_t *color);
/* The names of colours; NULL past the last. */
CUBE_API const char *cube_picture_color_name(size_t index);

/* Axes with degrees, clockwise as seen against the axis, one after the other: "y45x-34", "z22.5".
 * At most 16, each up to 999 degrees. */
CUBE_API CUBE_MUST_USE bool cube_picture_turn_parse(const char *text, size_t length,
						    double turn[9]);
/* Rotations of the whole cube as moves: "x y2 z'", spaces or not. At most 16. *hold: cube/hold.h; as it was if it is false. */
CUBE_API CUBE_MUST_USE bool cube_rotation_parse(const char *text, size_t length, int *hold);

/* Arrows with commas between: "U0U2" or "U0U2U4" (by way of), then "-s8" (length), "-i5" (bend) or "-" and a
 * colour, in any order. The others have `color`. False: *fault is where it is wrong. */
CUBE_API CUBE_MUST_USE bool cube_picture_arrows_parse(const char *text, size_t length, int size,
						      uint32_t color, struct cube_picture *picture,
						      size_t *fault);

/* ---- drawing ---- */

/* Returns true if a facelet is visible from the front. */
CUBE_API CUBE_MUST_USE bool cube_picture_sees(const struct cube_picture *picture, int size,
					      size_t facelet);

/* The most bytes that the SVG takes, without NUL. */
CUBE_API size_t cube_picture_bytes(const struct cube_picture *picture, int size);
/* Writes it; returns its bytes. O(n^2): some 3 us for a 3x3x3, 1 ms for 100x100x100. */
CUBE_API size_t cube_picture_print(const struct cube_picture *picture, int size,
				   const uint8_t *shown, char *text);

/* Draws it: four bytes a pixel, red, green, blue and opacity, row by row. `row` is room for the width
 * and two more. Some 10 ns a pixel. */
CUBE_API void cube_picture_draw(const struct cube_picture *picture, int size, const uint8_t *shown,
				uint8_t *pixels, float *row);

#endif
