/* cube/size.h: the sizes of cubes, and the numbers of their faces and facelets.
 *
 * Headers that only point to a cube include this one. A program that includes any of them has
 * cube/cube.h as well, unless it defines CUBE_LEAN_HEADERS: then each of its files includes
 * cube/cube.h if it looks into a cube, and the others need not be compiled again when that changes.
 * The library itself is built so. */
#ifndef CUBE_SIZE_H
#define CUBE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/api.h"

struct cube;

#define CUBE_SIZE_MIN 2
#define CUBE_SIZE_MAX 100
#define CUBE_FACES 6
/* The most facelets a cube can have: 60,000, so a sticker fits 16 bits. */
#define CUBE_FACELETS_MAX (CUBE_FACES * CUBE_SIZE_MAX * CUBE_SIZE_MAX)

enum cube_face { CUBE_U, CUBE_R, CUBE_F, CUBE_D, CUBE_L, CUBE_B };

/* Face letters by face number: "URFDLB". */
CUBE_DATA const char cube_face_letters[CUBE_FACES + 1];

/* True for a size this library serves. */
CUBE_API bool cube_size_valid(int64_t size);

/* Number of facelets of a cube of that size: 6*size*size. */
static inline size_t cube_facelets(int size)
{
	return (size_t)CUBE_FACES * (size_t)size * (size_t)size;
}

#ifndef CUBE_LEAN_HEADERS
#include "cube/cube.h"
#endif

#endif
