/* core/pattern/match.c: matching, in all ways at once, for every processor; and which code matches.
 */
#include <string.h>

#include "core/pattern/pattern_internal.h"

/* ---- colours ---- */

/* Without division: how many of the five boundaries the sticker has passed. Eight at a time; what
 * SSE2 can compare is signed, so 0 is moved to the least number. */
typedef int16_t numbers __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

static inline numbers faces_of(const uint16_t *sticker, const numbers last[CUBE_FACES - 1])
{
	numbers some, passed = {0};
	memcpy(&some, sticker, sizeof(some));
	some ^= INT16_MIN;
#pragma GCC unroll 5
	for (int face = 0; face < CUBE_FACES - 1; face++)
		passed -= some > last[face]; /* true is -1 */
	return passed;
}

void cube_colors(const struct cube *cube, uint8_t *restrict colors)
{
	enum { BLOCK = 16 };
	int area = cube->size * cube->size;
	size_t facelets = cube_facelets(cube->size);
	numbers last[CUBE_FACES - 1];
	for (int face = 1; face < CUBE_FACES; face++)
		last[face - 1] = (numbers){0} + (int16_t)(face * area - 1 + INT16_MIN);
	for (size_t at = 0; at < facelets; at += BLOCK) {
		if (at + BLOCK > facelets)
			at = facelets - BLOCK; /* there are 24 at least; it does some again */
		bytes a = (bytes)faces_of(cube->sticker + at, last);
		bytes b = (bytes)faces_of(cube->sticker + at + 8, last);
		bytes both = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
						     22, 24, 26, 28, 30);
		memcpy(colors + at, &both, sizeof(both));
	}
}

/* ---- small ones ---- */

struct halves {
	uint32_t half[2];
};

static void planes_of(const struct cube_pattern *pattern, const uint8_t *colors,
		      struct halves plane[3])
{
	int facelets = (int)cube_facelets(pattern->size);
	memset(plane, 0, 3 * sizeof(*plane));
	for (int half = 0; half < 2; half++) {
		int from = half * SMALL_HALF, end = from + SMALL_HALF;
		uint32_t p0 = 0, p1 = 0, p2 = 0;
		for (int i = (end < facelets ? end : facelets) - 1; i >= from; i--) {
			uint32_t color = colors[i];
			p0 = p0 << 1 | (color & 1);
			p1 = p1 << 1 | (color >> 1 & 1);
			p2 = p2 << 1 | color >> 2;
		}
		plane[0].half[half] = p0;
		plane[1].half[half] = p1;
		plane[2].half[half] = p2;
	}
}

static bool small_fits(const struct cube_pattern *pattern, const uint8_t *colors,
		       const struct halves plane[3], const struct halves board[CUBE_FACES], int fit)
{
	const struct small_pattern *small = pattern_small(pattern);
	for (int half = 0; half < 2; half++)
		if (small->mask[half][fit] & ((plane[0].half[half] ^ small->want[0][half][fit]) |
					      (plane[1].half[half] ^ small->want[1][half][fit]) |
					      (plane[2].half[half] ^ small->want[2][half][fit])))
			return false;
	unsigned taken = pattern->named;
	for (int i = 0; i < pattern->generic_count; i++) {
		const struct small_generic *generic = &small->generic[i];
		int color = colors[generic->color_from[fit]];
		if ((generic->mask[0][fit] & ~board[color].half[0]) != 0 ||
		    (generic->mask[1][fit] & ~board[color].half[1]) != 0 || (taken >> color & 1))
			return false;
		taken |= 1u << color;
	}
	return true;
}

static uint32_t match_small(const struct cube_pattern *pattern, const uint8_t *colors)
{
	struct halves plane[3], board[CUBE_FACES];
	uint32_t fits = 0;
	planes_of(pattern, colors, plane);
	for (unsigned color = 0; color < CUBE_FACES; color++)
		for (int half = 0; half < 2; half++)
			board[color].half[half] = ~((plane[0].half[half] ^ -(color & 1)) |
						    (plane[1].half[half] ^ -(color >> 1 & 1)) |
						    (plane[2].half[half] ^ -(color >> 2 & 1)));
	for (int fit = 0; fit < CUBE_FITS; fit++)
		if (small_fits(pattern, colors, plane, board, fit))
			fits |= 1u << fit;
	return fits;
}

/* ---- larger ones ---- */

static bool large_fits(const struct cube_pattern *pattern, const uint8_t *colors, int fit)
{
	const struct placed_item *item = pattern_items(pattern), *end = item + pattern->item_count;
	struct fit_face faces[CUBE_FACES];
	unsigned taken = pattern->named;
	fit_faces(faces, pattern->size, fit);
	while (item < end) {
		uint8_t class = item->item;
		const struct fit_face *face = &faces[item->face];
		int color = class;
		if (class >= CUBE_ITEM_GENERIC) {
			color = colors[face->origin + item->row * face->down +
				       item->column * face->right];
			if (taken >> color & 1)
				return false;
			taken |= 1u << color;
		}
		for (; item < end && item->item == class; item++) {
			face = &faces[item->face];
			if (colors[face->origin + item->row * face->down +
				   item->column * face->right] != color)
				return false;
		}
	}
	return true;
}

/* ---- which code ---- */

const struct pattern_code pattern_portable = {"portable", match_small};

#if defined(__x86_64__)

const struct pattern_code *pattern_code(size_t index)
{
	if (__builtin_cpu_supports("avx2") && index-- == 0)
		return &pattern_avx2;
	return index == 0 ? &pattern_portable : NULL;
}

#else

const struct pattern_code *pattern_code(size_t index)
{
	return index == 0 ? &pattern_portable : NULL;
}

#endif

uint32_t cube_pattern_match(const struct cube_pattern *pattern, const uint8_t *colors,
			    uint32_t among)
{
	uint32_t fits = 0;
	if (pattern->size <= SMALL_MAX)
		return pattern_code(0)->match(pattern, colors) & among;
	for (uint32_t rest = among & CUBE_FITS_ALL; rest; rest &= rest - 1) {
		int fit = __builtin_ctz(rest);
		if (large_fits(pattern, colors, fit))
			fits |= 1u << fit;
	}
	return fits;
}
