/* tests/core/folded_pattern.c: six arrays folded from the plane into space, and turned as a whole. */
#include "tests/core/folded_pattern.h"

#include <stdlib.h>

/* Folded back from A, which is in front: where the arrays look, and where their columns and rows
 * run. */
static const struct {
	int8_t normal[3], right[3], down[3];
} folded[CUBE_FACES] = {
	{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  /* A */
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   /* A.up: its rows come down towards A */
	{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, /* A.right: its columns go away from A */
	{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, /* A.left: its columns come towards A */
	{{0, -1, 0}, {1, 0, 0}, {0, 0, -1}}, /* A.down: its rows go away from A */
	{{0, 0, -1}, {1, 0, 0}, {0, 1, 0}},  /* A.down.down: its rows go on, upwards */
};

static void place(struct geo *geo)
{
	int n = geo->size;
	struct geo_sticker *sticker = geo->stickers;
	for (int array = 0; array < CUBE_FACES; array++)
		for (int row = 0; row < n; row++)
			for (int column = 0; column < n; column++, sticker++)
				for (int i = 0; i < 3; i++) {
					sticker->at[i] =
						(int8_t)(folded[array].normal[i] * (n - 1) +
							 folded[array].right[i] *
								 (2 * column + 1 - n) +
							 folded[array].down[i] * (2 * row + 1 - n));
					sticker->normal[i] = folded[array].normal[i];
					sticker->up[i] = (int8_t)-folded[array].down[i];
				}
}

struct folded_pattern folded_create(int size)
{
	struct folded_pattern fold = {.size = size, .count = cube_facelets(size)};
	struct geo geo = geo_create(size);
	place(&geo);
	/* Up to three quarters about x, y and z each lead to all of the 24, most of them again. */
	for (int i = 0; i < 64; i++) {
		int face = (int)(geo_facelet(size, &geo.stickers[0]) / (size_t)(size * size));
		int fit = 4 * face + geo_spin(&geo.stickers[0]);
		if (!fold.facelet[fit]) {
			fold.facelet[fit] = calloc(fold.count, sizeof(size_t));
			if (!fold.facelet[fit])
				abort();
			for (size_t k = 0; k < fold.count; k++)
				fold.facelet[fit][k] = geo_facelet(size, &geo.stickers[k]);
		}
		geo_turn(&geo, (struct geo_turn){0, 1 - size, size - 1, 1});
		if (i % 4 == 3)
			geo_turn(&geo, (struct geo_turn){1, 1 - size, size - 1, 1});
		if (i % 16 == 15)
			geo_turn(&geo, (struct geo_turn){2, 1 - size, size - 1, 1});
	}
	geo_destroy(&geo);
	for (int fit = 0; fit < CUBE_FITS; fit++)
		if (!fold.facelet[fit])
			abort();
	return fold;
}

void folded_destroy(struct folded_pattern *fold)
{
	for (int fit = 0; fit < CUBE_FITS; fit++)
		free(fold->facelet[fit]);
	*fold = (struct folded_pattern){0};
}

bool folded_fits(const struct folded_pattern *fold, const uint8_t *items, const uint8_t *colors,
		 int fit)
{
	const size_t *facelet = fold->facelet[fit];
	for (size_t i = 0; i < fold->count; i++) {
		if (items[i] == CUBE_ITEM_ANY)
			continue;
		if (items[i] < CUBE_ITEM_GENERIC && colors[facelet[i]] != items[i])
			return false;
		for (size_t k = 0; k < i; k++)
			if (items[k] != CUBE_ITEM_ANY &&
			    (items[k] == items[i]) != (colors[facelet[k]] == colors[facelet[i]]))
				return false;
	}
	return true;
}

uint32_t folded_match(const struct folded_pattern *fold, const uint8_t *items,
		      const uint8_t *colors)
{
	uint32_t fits = 0;
	for (int fit = 0; fit < CUBE_FITS; fit++)
		if (folded_fits(fold, items, colors, fit))
			fits |= 1u << fit;
	return fits;
}
