/* cube/picture.h: a cube as a picture: SVG, of any size.
 *
 *     iso   in space, U, F and R seen alike
 *     net   the unfolding: U above F, L F R B in a row, D below F
 *     plan  the last layer as cubers draw it: U from above, and around it the rows beside it
 *
 * The picture stands alone: no style sheet, no script, no font, nothing fetched. A sticker is a
 * part of one path for each colour of a face, so that a picture stays small: 2 KB for a 3x3x3, 0.6
 * MB for 100x100x100 in space. To show other sides, turn the cube as a whole first. */
#ifndef CUBE_PICTURE_H
#define CUBE_PICTURE_H

#include "cube/cube.h"

/* One row each: constant, name in the API, width and height in pixels, which a viewer may
 * ignore. */
#define CUBE_PICTURE_TABLE(X)                                                                      \
	X(CUBE_PICTURE_ISO, "iso", 260, 300)                                                       \
	X(CUBE_PICTURE_NET, "net", 400, 302)                                                       \
	X(CUBE_PICTURE_PLAN, "plan", 240, 240)

enum cube_picture_view {
#define CUBE_PICTURE_ROW(constant, name, width, height) constant,
	CUBE_PICTURE_TABLE(CUBE_PICTURE_ROW)
#undef CUBE_PICTURE_ROW
		CUBE_PICTURE_VIEWS
};

struct cube_picture {
	enum cube_picture_view view;
	uint32_t colors[CUBE_FACES]; /* 0xRRGGBB, in the order U R F D L B */
};

/* The name of a view; and back, false if there is none. */
CUBE_API const char *cube_picture_view_name(enum cube_picture_view view);
CUBE_API CUBE_MUST_USE bool cube_picture_view_find(const char *name, size_t length,
						   enum cube_picture_view *view);

/* Schemes of colours: "wca", and "okabe-ito", whose colours the colour-blind can distinguish, too
 * (M. Okabe, K. Ito, Color Universal Design, 2002). NULL past the last. */
CUBE_API const char *cube_picture_scheme(size_t index);
/* A scheme by its name, or six colours of six hexadecimal digits with commas between, in the order
 * U R F D L B; false if it is neither. */
CUBE_API CUBE_MUST_USE bool cube_picture_colors_parse(const char *text, size_t length,
						      uint32_t colors[CUBE_FACES]);

/* The most bytes that a picture of that size takes, without NUL. */
CUBE_API size_t cube_picture_bytes(int size, enum cube_picture_view view);
/* Writes it; returns its bytes. Only the colours of the cube matter, so it may be
 * unreachable by turns. O(n^2): some 3 us for a 3x3x3, 3 ms for 100x100x100. */
CUBE_API size_t cube_picture_print(const struct cube *cube, const struct cube_picture *picture,
				   char *text);

#endif
