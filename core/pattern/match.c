/* core/pattern/match.c: matching, in all ways at once, for every processor; and which code matches.
 */
#include <string.h>

#include "core/bytes.h"
#include "core/pattern/pattern_internal.h"
#include "cube/cube.h"

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
	uint64_t all[3] = {0}; /* a line each, so that the compiler knows by how much it shifts */
	for (int at = 0; at < facelets; at += 16) {
		int from = at + 16 > facelets ? facelets - 16 : at; /* it does some again */
		words2 some;
		memcpy(&some, colors + from, sizeof(some));
		all[0] |= (uint64_t)bytes_tops((bytes16)(some << 7)) << from;
		all[1] |= (uint64_t)bytes_tops((bytes16)(some << 6)) << from;
		all[2] |= (uint64_t)bytes_tops((bytes16)(some << 5)) << from;
	}
	for (int bit = 0; bit < 3; bit++) {
		plane[bit].half[0] = all[bit] & ((1u << SMALL_HALF) - 1);
		plane[bit].half[1] = (uint32_t)(all[bit] >> SMALL_HALF);
	}
}

/* Four ways in a register, on processors that have such; elsewhere the compiler makes four numbers of it. */
typedef uint32_t ways __attribute__((vector_size(16)));
#define WAYS 4

static inline ways ways_at(const uint32_t by_fit[CUBE_FITS], int fit)
{
	ways four;
	memcpy(&four, by_fit + fit, sizeof(four));
	return four;
}

/* Finds the facelets of a half that have a colour in each of four ways and show another one. */
static inline ways wrong_in(const struct small_pattern *small, const struct halves plane[3],
			    int half, int fit)
{
	return ways_at(small->mask[half], fit) &
	       ((plane[0].half[half] ^ ways_at(small->want[0][half], fit)) |
		(plane[1].half[half] ^ ways_at(small->want[1][half], fit)) |
		(plane[2].half[half] ^ ways_at(small->want[2][half], fit)));
}

/* The fits in which all facelets with a colour show it. */
static uint32_t fixed_fits(const struct small_pattern *small, const struct halves plane[3])
{
	ways fits = {0}, bit = {1, 2, 4, 8};
	for (int fit = 0; fit < CUBE_FITS; fit += WAYS, bit <<= WAYS) {
		ways wrong = wrong_in(small, plane, 0, fit) | wrong_in(small, plane, 1, fit);
		fits |= (ways)(wrong == 0) & bit;
	}
	return fits[0] | fits[1] | fits[2] | fits[3];
}

/* Finds the ways in which a bit of the colours differs within a generic: it is set in some of the facelets, and clear
 * in some. */
static inline ways mixed_in(const ways mask[2], const struct halves *plane)
{
	ways set = (mask[0] & plane->half[0]) | (mask[1] & plane->half[1]);
	ways clear = (mask[0] & ~plane->half[0]) | (mask[1] & ~plane->half[1]);
	return (ways)(set != 0) & (ways)(clear != 0);
}

/* Finds the fits in which all facelets of a generic show the same colour. */
static uint32_t even_fits(const struct small_generic *generic, const struct halves plane[3])
{
	ways fits = {0}, bit = {1, 2, 4, 8};
	for (int fit = 0; fit < CUBE_FITS; fit += WAYS, bit <<= WAYS) {
		const ways mask[2] = {ways_at(generic->mask[0], fit),
				      ways_at(generic->mask[1], fit)};
		fits |= ~(mixed_in(mask, &plane[0]) | mixed_in(mask, &plane[1]) |
			  mixed_in(mask, &plane[2])) &
			bit;
	}
	return fits[0] | fits[1] | fits[2] | fits[3];
}

static bool generics_fit(const struct cube_pattern *pattern, const uint8_t *colors,
			 const struct halves board[CUBE_FACES], int fit)
{
	const struct small_pattern *small = pattern_small(pattern);
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
	planes_of(pattern, colors, plane);
	uint32_t fits = pattern->named ? fixed_fits(pattern_small(pattern), plane) : CUBE_FITS_ALL;
	for (int i = 0; i < pattern->generic_count && fits != 0; i++)
		fits &= even_fits(&pattern_small(pattern)->generic[i], plane);
	if (pattern->generic_count == 0 || fits == 0)
		return fits;
	for (unsigned color = 0; color < CUBE_FACES; color++)
		for (int half = 0; half < 2; half++)
			board[color].half[half] = ~((plane[0].half[half] ^ -(color & 1)) |
						    (plane[1].half[half] ^ -(color >> 1 & 1)) |
						    (plane[2].half[half] ^ -(color >> 2 & 1)));
	for (uint32_t rest = fits; rest; rest &= rest - 1) {
		int fit = __builtin_ctz(rest);
		if (!generics_fit(pattern, colors, board, fit))
			fits &= ~(1u << fit);
	}
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
