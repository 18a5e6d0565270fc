/* core/format/candidates.c: all single repairs of one kind, where the diagnosis has to choose one.
 *
 * One or two stickers of a 2x2x2 or 3x3x3 are tried out, 54 * 5 or 54 * 53 / 2 ways; on larger cubes only
 * exchanges of two stickers that swap middle edges have several answers (exchange.c). */
#include "core/format/format_internal.h"
#include "cube/cube.h"

#include <string.h>

struct candidates {
	int size;
	uint8_t colors[6 * 3 * 3]; /* only of the sizes that are tried out */
	const char *first;         /* the one that is reported, which is in the list already */
	char (*repairs)[CUBE_REPAIR_BYTES];
	size_t capacity, found;
};

static void add_fix(struct candidates *list, const struct fix *fix)
{
	char text[CUBE_REPAIR_BYTES];
	cube_print_fix(text, list->size, fix);
	if (strcmp(text, list->first) == 0)
		return;
	if (list->found < list->capacity)
		memcpy(list->repairs[list->found], text, sizeof(text));
	list->found++;
}

/* Adds the fix if it makes the colours a cube. */
static void try_fix(struct candidates *list, const struct fix *fix)
{
	_Alignas(struct cube) uint8_t memory[sizeof(struct cube) + 6 * 3 * 3 * sizeof(uint16_t)];
	for (int i = 0; i < fix->count; i++)
		list->colors[fix->change[i].facelet] = fix->change[i].to;
	if (cube_place((struct cube *)(void *)memory, list->size, list->colors))
		add_fix(list, fix);
	for (int i = 0; i < fix->count; i++)
		list->colors[fix->change[i].facelet] = fix->change[i].from;
}

static void try_colors(struct candidates *list)
{
	const uint16_t count = (uint16_t)cube_facelets(list->size);
	for (uint16_t facelet = 0; facelet < count; facelet++) {
		const uint8_t from = list->colors[facelet];
		for (uint8_t to = 0; to < CUBE_FACES; to++)
			if (to != from)
				try_fix(list,
					&(struct fix){.count = 1, .change = {{facelet, from, to}}});
	}
}

/* Exchanges of two stickers, those of one face first. */
static void try_exchanges(struct candidates *list)
{
	const uint16_t count = (uint16_t)cube_facelets(list->size), area = count / CUBE_FACES;
	for (int pass = 0; pass < 2; pass++) {
		for (uint16_t a = 0; a < count; a++) {
			for (uint16_t b = (uint16_t)(a + 1); b < count; b++) {
				const uint8_t from = list->colors[a], to = list->colors[b];
				if (from != to && (a / area == b / area) == (pass == 0))
					try_fix(list, &(struct fix){.count = 2,
								    .change = {{a, from, to},
									       {b, to, from}}});
			}
		}
	}
}

/* Room for the exchanges that swap two middle edges: some 20 of 24 * 23 / 2. */
#define EXCHANGES_MAX 64

static void add_exchanges(struct candidates *list, const uint8_t *colors)
{
	struct orbit_view edges = {0};
	struct fix fixes[EXCHANGES_MAX];
	cube_orbit_edges(&edges.orbit, list->size);
	cube_view_orbit(&edges, colors);
	const size_t count = cube_exchanges(&edges, list->size, fixes, EXCHANGES_MAX);
	for (size_t i = 0; i < count && i < EXCHANGES_MAX; i++)
		add_fix(list, &fixes[i]);
}

/* Readings of the faces of which each is one step. */
static void add_readings(struct candidates *list, const struct face_readings *faces)
{
	for (int i = 0; i < faces->count; i++) {
		struct face_step steps[FACE_STEPS];
		if (cube_reading_steps(&faces->reading[i], steps) != 1)
			continue;
		if (list->found < list->capacity)
			cube_print_step(list->repairs[list->found], &steps[0]);
		list->found++;
	}
}

size_t cube_repair_candidates(int size, const uint8_t *colors, char (*repairs)[CUBE_REPAIR_BYTES],
			      size_t capacity)
{
	struct cube_problem first;
	struct candidates list = {
		.size = size, .first = first.repair, .repairs = repairs, .capacity = capacity};
	struct face_readings faces;
	struct repair_plan plan;
	if (cube_diagnose(size, colors, &first, 1, &plan) == 0)
		return 0;
	if (plan.kind == REPAIR_NONE || plan.kind == REPAIR_SEVERAL) {
		cube_misread_faces(size, colors, &faces);
		if (plan.fits && faces.changed == 1)
			add_readings(&list, &faces);
		return list.found;
	}
	if (plan.kind == REPAIR_FACES && plan.faces > 1)
		return 0;
	if (capacity > 0)
		memcpy(repairs[0], first.repair, sizeof(first.repair));
	list.found = 1;
	if (size <= 3)
		memcpy(list.colors, colors, cube_facelets(size));
	if (plan.kind == REPAIR_RECOLOUR && size <= 3 && plan.changes == 1)
		try_colors(&list);
	else if (plan.kind == REPAIR_EXCHANGE && size <= 3)
		try_exchanges(&list);
	else if (plan.kind == REPAIR_EXCHANGE &&
		 (first.kind == CUBE_PROBLEM_PARITY || first.kind == CUBE_PROBLEM_EDGE_FLIPPED))
		add_exchanges(&list, colors);
	return list.found;
}
