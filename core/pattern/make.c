/* core/pattern/make.c: preparing patterns for matching, and what their generics are bound to. */
#include <assert.h>
#include <string.h>

#include "core/pattern/pattern_internal.h"

size_t cube_pattern_bytes(int size, size_t stars)
{
	size_t items = cube_facelets(size);
	assert(stars <= items);
	return sizeof(struct cube_pattern) +
	       (size <= SMALL_MAX ? sizeof(struct small_pattern)
				  : (items - stars) * sizeof(struct placed_item));
}

int cube_pattern_size(const struct cube_pattern *pattern)
{
	return pattern->size;
}

/* ---- small ones ---- */

/* Items by home facelet. */
static void by_home(int size, const uint8_t *items, uint8_t home[SMALL_FACELETS])
{
	for (int array = 0; array < CUBE_FACES; array++)
		for (int row = 0; row < size; row++)
			for (int column = 0; column < size; column++)
				home[fit_home_facelet(size, array, row, column)] = *items++;
}

/* Facelets of the generics, and in which order they come: those on more facelets first. */
static int order_generics(const uint8_t *home, size_t facelets, uint8_t order[CUBE_GENERICS])
{
	int count[CUBE_GENERICS] = {0}, used = 0;
	for (size_t i = 0; i < facelets; i++)
		if (home[i] >= CUBE_ITEM_GENERIC && home[i] < CUBE_ITEM_ANY)
			count[home[i] - CUBE_ITEM_GENERIC]++;
	for (int i = 0; i < CUBE_GENERICS; i++) {
		if (count[i] == 0)
			continue;
		int at = used++;
		for (; at > 0 && count[order[at - 1]] < count[i]; at--)
			order[at] = order[at - 1];
		order[at] = (uint8_t)i;
	}
	return used;
}

static bool is_middle(int facelet)
{
	return facelet % 9 == 4;
}

/* Any of its facelets gives a generic's colour; the middle of a face is found fastest. */
static void set_color_facelet(struct small_generic *generic, int fit, int facelet)
{
	if (!is_middle(generic->color_from[fit]))
		generic->color_from[fit] = (uint8_t)facelet;
}

static void find_at(struct small_generic *generic, bool centred)
{
	memset(generic->at, SMALL_ABSENT, sizeof(generic->at));
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		int facelet = generic->color_from[fit], slot = SMALL_SLOT(fit);
		if (centred)
			generic->at[0][slot] = (uint8_t)(facelet / 9);
		else if (facelet < 16 * (SMALL_BLOCKS - 1))
			generic->at[facelet / 16][slot] = (uint8_t)(facelet % 16);
		else
			generic->at[SMALL_BLOCKS - 1][slot] = (uint8_t)(facelet - SMALL_LAST_BLOCK);
	}
}

static void place_item(struct small_pattern *small, const uint8_t slot[CUBE_GENERICS], int fit,
		       int item, int facelet)
{
	int half = facelet / SMALL_HALF;
	uint32_t bit = 1u << (facelet % SMALL_HALF);
	if (item < CUBE_ITEM_GENERIC) {
		small->mask[half][fit] |= bit;
		for (int plane = 0; plane < 3; plane++)
			if (item >> plane & 1)
				small->want[plane][half][fit] |= bit;
	} else {
		struct small_generic *generic = &small->generic[slot[item - CUBE_ITEM_GENERIC]];
		generic->mask[half][fit] |= bit;
		set_color_facelet(generic, fit, facelet);
	}
}

static void make_small(struct cube_pattern *pattern, const uint8_t *items)
{
	int size = pattern->size;
	struct small_pattern *small = (struct small_pattern *)(pattern + 1);
	uint8_t home[SMALL_FACELETS], order[CUBE_GENERICS], slot[CUBE_GENERICS] = {0};
	memset(small, 0, sizeof(*small));
	by_home(size, items, home);
	pattern->generic_count = (uint8_t)order_generics(home, cube_facelets(size), order);
	for (uint8_t i = 0; i < pattern->generic_count; i++) {
		small->generic[i].number = order[i];
		slot[order[i]] = i;
	}
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		struct fit_face faces[CUBE_FACES];
		const uint8_t *item = home;
		fit_faces(faces, size, fit);
		for (int face = 0; face < CUBE_FACES; face++)
			for (int row = 0; row < size; row++)
				for (int column = 0; column < size; column++, item++)
					if (*item < CUBE_ITEM_ANY)
						place_item(small, slot, fit, *item,
							   faces[face].origin +
								   row * faces[face].down +
								   column * faces[face].right);
	}
	pattern->centred = size == SMALL_MAX;
	for (int i = 0; i < pattern->generic_count; i++)
		pattern->centred &= is_middle(small->generic[i].color_from[0]);
	for (int i = 0; i < pattern->generic_count; i++)
		find_at(&small->generic[i], pattern->centred);
}

/* ---- larger ones ---- */

/* Class by class: counted first, then each put where its class goes on. */
static void make_large(struct cube_pattern *pattern, const uint8_t *items)
{
	struct placed_item *placed = (struct placed_item *)(pattern + 1);
	int n = pattern->size;
	size_t next[CUBE_ITEM_ANY + 2] = {0};
	for (size_t i = 0; i < cube_facelets(n); i++)
		next[items[i] + 1]++;
	for (int item = 1; item <= CUBE_ITEM_ANY; item++)
		next[item] += next[item - 1];
	for (int array = 0; array < CUBE_FACES; array++)
		for (int row = 0; row < n; row++)
			for (int column = 0; column < n; column++) {
				uint8_t item = *items++;
				int home = (int)fit_home_facelet(n, array, row, column);
				if (item < CUBE_ITEM_ANY)
					placed[next[item]++] = (struct placed_item){
						(uint8_t)(home / (n * n)), (uint8_t)(home / n % n),
						(uint8_t)(home % n), item};
			}
}

void cube_pattern_make(struct cube_pattern *pattern, int size, const uint8_t *items)
{
	uint32_t seen = 0;
	assert(cube_size_valid(size));
	memset(pattern, 0, sizeof(*pattern));
	pattern->size = (uint8_t)size;
	for (size_t i = 0; i < cube_facelets(size); i++) {
		assert(items[i] <= CUBE_ITEM_ANY);
		pattern->item_count += items[i] < CUBE_ITEM_ANY;
		seen |= 1u << items[i];
	}
	pattern->named = seen & 0x3f;
	for (uint32_t generics = seen >> CUBE_ITEM_GENERIC & 0x3f; generics;
	     generics &= generics - 1)
		pattern->generic_count++;
	if (size <= SMALL_MAX)
		make_small(pattern, items);
	else
		make_large(pattern, items);
}

void cube_pattern_bindings(const struct cube_pattern *pattern, const uint8_t *colors, int fit,
			   int8_t bound[CUBE_GENERICS])
{
	memset(bound, -1, CUBE_GENERICS);
	if (pattern->size <= SMALL_MAX) {
		const struct small_generic *generic = pattern_small(pattern)->generic;
		for (int i = 0; i < pattern->generic_count; i++)
			bound[generic[i].number] = (int8_t)colors[generic[i].color_from[fit]];
		return;
	}
	const struct placed_item *item = pattern_items(pattern);
	struct fit_face faces[CUBE_FACES];
	fit_faces(faces, pattern->size, fit);
	for (uint32_t i = 0; i < pattern->item_count; i++, item++) {
		const struct fit_face *face = &faces[item->face];
		if (item->item >= CUBE_ITEM_GENERIC)
			bound[item->item - CUBE_ITEM_GENERIC] =
				(int8_t)colors[face->origin + item->row * face->down +
					       item->column * face->right];
	}
}
