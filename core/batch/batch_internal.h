/* core/batch/batch_internal.h: what the files beside it share. */
#ifndef CORE_BATCH_BATCH_INTERNAL_H
#define CORE_BATCH_BATCH_INTERNAL_H

#include "cube/batch.h"

/* One way of writing colours, of paint.c; all do the same. */
struct paint_code {
	const char *name; /* "ssse3", "neon", "simd128", "portable" */
	void (*colors)(const struct cube_state3 *states, size_t count, uint8_t *colors);
};

/* ---- stickers.c ---- */

/* Writes which stickers the corners show; `facelets` are those of their places. */
void place_corners(const struct cube_state3 *state, const uint8_t (*facelets)[3],
		   uint8_t *stickers);

/* Returns the ways that this machine has, the best first, the portable one last; then NULL. */
const struct paint_code *paint_code(size_t index);

#endif
