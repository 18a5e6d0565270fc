/* png.h: pixels as PNG (ISO/IEC 15948); the home of libpng. */
#ifndef SERVER_FORMAT_PNG_H
#define SERVER_FORMAT_PNG_H

#include "server/util/arena.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

/* Appends the file to `to`. `pixels`: red, green, blue and opacity, a byte each. The library's memory is
 * from the arena. False if out of memory. Some 10 ns a pixel, 40 if
 * hardly two are alike. */
MUST_USE bool png_write_pixels(struct buffer *to, struct arena *arena, const uint8_t *pixels,
			       int width, int height);

#endif
