/* core/format/scene.h: what a picture consists of, for all that draw it. Internal to the library.
 *
 * The picture has units of its own, 20 a cell of a face that is seen straight on; (0, 0) is its corner
 * at the upper left. Each face that is seen is a plane, whose points have coordinates in cells times
 * 20, right and down on the face, and are mapped into the picture.
 *
 *     far planes, each: stickers
 *     near planes, each: ground (the plastic), stickers or runs of them, lines between runs
 *     arrows
 */
#ifndef CORE_FORMAT_SCENE_H
#define CORE_FORMAT_SCENE_H

#include "cube/picture.h"

#define CELL 20
/* The space around a sticker, and the radius of its corners. */
#define STICKER_INSET 1.5
#define STICKER_RADIUS 2.5
/* By which the ground is larger than the face, with round corners. */
#define GROUND_RIM 1.0

struct point {
	double x, y;
};

struct plane {
	uint8_t face;
	uint8_t rows;  /* of the face that are seen: one or all */
	bool far;      /* seen through the cube */
	double map[9]; /* (x, y, 1) to the picture, homogeneous */
};

struct scene {
	int size;
	bool flat;   /* no perspective: every map is affine */
	bool merged; /* runs instead of stickers */
	double width, height;
	int count;
	struct plane planes[CUBE_FACES]; /* in the order in which they are drawn */
};

void scene_make(struct scene *scene, const struct cube_picture *picture, int size);
/* The plane of a facelet that is seen from in front; NULL: it is not. */
const struct plane *scene_plane(const struct scene *scene, size_t facelet);
struct point scene_map(const struct plane *plane, double x, double y);

/* Width of the lines between runs: on large cubes fine ones, which do not darken the colours. */
double scene_line_width(const struct scene *scene);
/* Returns how many cells from there on show the same in a row, at most `end` - `at`; one unless
 * merged. */
int scene_run(const struct scene *scene, const uint8_t *row, int at);

/* The outline of a rectangle with round corners (radius 0: four points); returns the points. */
#define OUTLINE_POINTS 24
int scene_outline(const struct plane *plane, double left, double top, double right, double bottom,
		  double radius, struct point *points);

/* The outline of an arrow. */
#define ARROW_POINTS 48
int scene_arrow(const struct scene *scene, const struct cube_picture_arrow *arrow,
		struct point *points);

double sine_of(double degrees);

#endif
