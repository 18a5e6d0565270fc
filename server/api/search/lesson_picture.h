/* lesson_picture.h: the addresses of the pictures in a lesson. */
#ifndef SERVER_API_SEARCH_LESSON_PICTURE_H
#define SERVER_API_SEARCH_LESSON_PICTURE_H

#include "cube/cube.h"
#include "cube/solve.h"
#include "server/util/base_path.h"

#define LESSON_PICTURE (512 + BASE_PATH_BYTES) /* bytes of an address, with its NUL */
#define LESSON_FACELETS (6 * 7 * 7)            /* of the largest cube that has lessons */

union lesson_cube {
	struct cube cube;
	uint16_t room[sizeof(struct cube) / sizeof(uint16_t) + LESSON_FACELETS];
};

/* The aim of a stage (a name of cube_solver.stages): the solved cube as it is held, with what the stage is
 * about in colour. */
void lesson_picture_aim(int size, const char *stage, const struct cube_lesson_note *note,
			char address[LESSON_PICTURE]);

/* The case of a step: `cube` as it is held in it, with what matters in colour, and arrows to where pieces
 * are in `after`, the cube after it. */
void lesson_picture_case(const char *stage, const struct cube_lesson_note *note,
			 const struct cube *cube, const struct cube *after,
			 char address[LESSON_PICTURE]);

#endif
