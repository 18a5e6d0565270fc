/* core/pattern/mask.c: the stickers of a stage. */
#include "cube/cube.h"
#include "cube/mask.h"

#include <string.h>

#include "core/name.h"
#include "cube/hold.h"
#include "cube/named.h"
#include "cube/picture.h"

/* The three rows of each face U R F D L B. The digit of a row is the sum of 4 for its left cell, 2
 * for the middle one and 1 for the right one. Larger cubes are stretched; a 2x2x2 has the corners.
 * Names as in VisualCube, and "pll". */
static const struct {
	const char *name, *rows;
} stages[] = {
	{"fl", "000 007 007 777 007 007"},     {"f2l", "000 077 077 777 077 077"},
	{"ll", "777 700 700 000 700 700"},     {"pll", "777 700 700 000 700 700"},
	{"cll", "525 500 500 000 500 500"},    {"ell", "272 200 200 000 200 200"},
	{"oll", "777 000 000 000 000 000"},    {"ocll", "525 000 000 000 000 000"},
	{"oell", "272 000 000 000 000 000"},   {"coll", "777 500 500 000 500 500"},
	{"ocell", "777 200 200 000 200 200"},  {"wv", "777 077 077 777 077 077"},
	{"vh", "272 077 077 777 077 077"},     {"els", "272 073 076 677 077 077"},
	{"cls", "777 077 077 777 077 077"},    {"cmll", "505 577 555 555 577 555"},
	{"cross", "000 022 022 272 022 022"},  {"f2l_1", "000 033 066 677 077 077"},
	{"f2l_2", "000 033 022 277 066 077"},  {"f2l_3", "000 066 033 372 022 022"},
	{"f2l_sm", "000 066 033 376 066 033"}, {"f2b", "000 077 055 555 077 055"},
	{"line", "000 000 022 222 000 022"},   {"2x2x2", "000 066 033 330 000 000"},
	{"2x2x3", "000 066 077 770 033 000"},
};
#define STAGES (sizeof(stages) / sizeof(stages[0]))

const char *cube_mask_stage(size_t index)
{
	return index < STAGES ? stages[index].name : NULL;
}

/* The row or column of a 3x3x3 that one of a larger cube is stretched from. */
static int cell_of(int at, int size)
{
	return at == 0 ? 0 : at == size - 1 ? 2 : 1;
}

static void stage_mask(const char *rows, int size, uint8_t *mask)
{
	for (int face = 0; face < CUBE_FACES; face++, rows += 4)
		for (int row = 0; row < size; row++)
			for (int column = 0; column < size; column++) {
				const int digit = rows[cell_of(row, size)] - '0';
				*mask++ = digit >> (2 - cell_of(column, size)) & 1;
			}
}

/* ---- patterns ---- */

/* Adds the items other than stars, which lie around F, with B on its head. */
static void add_items(const uint8_t *items, int size, uint8_t *mask)
{
	static const uint8_t faces[CUBE_FACES] = {CUBE_F, CUBE_U, CUBE_R, CUBE_L, CUBE_D, CUBE_B};
	const int area = size * size;
	for (int i = 0; i < CUBE_FACES; i++)
		for (int k = 0; k < area; k++) {
			const int place = faces[i] == CUBE_B ? area - 1 - k : k;
			if (items[i * area + k] != CUBE_ITEM_ANY)
				mask[faces[i] * area + place] = 1;
		}
}

/* The faces that the piece of a facelet lies between, a bit each. */
static unsigned faces_of(int face, int row, int column, int size)
{
	/* Above, right, below and left of each face. */
	static const uint8_t beside[CUBE_FACES][4] = {
		{CUBE_B, CUBE_R, CUBE_F, CUBE_L}, {CUBE_U, CUBE_B, CUBE_D, CUBE_F},
		{CUBE_U, CUBE_R, CUBE_D, CUBE_L}, {CUBE_F, CUBE_R, CUBE_B, CUBE_L},
		{CUBE_U, CUBE_F, CUBE_D, CUBE_B}, {CUBE_U, CUBE_L, CUBE_D, CUBE_R}};
	unsigned faces = 1u << face;
	faces |= row == 0 ? 1u << beside[face][0] : 0;
	faces |= column == size - 1 ? 1u << beside[face][1] : 0;
	faces |= row == size - 1 ? 1u << beside[face][2] : 0;
	return faces | (column == 0 ? 1u << beside[face][3] : 0);
}

static void add_piece(int place, int size, uint8_t *mask)
{
	unsigned wanted = 0;
	for (const char *letter = cube_place_name(place); *letter; letter++)
		wanted |= 1u << (strchr(cube_face_letters, *letter) - cube_face_letters);
	for (int face = 0; face < CUBE_FACES; face++)
		for (int row = 0; row < size; row++)
			for (int column = 0; column < size; column++, mask++)
				if (faces_of(face, row, column, size) == wanted)
					*mask = 1;
}

/* The first alternative. Rows refer to rows above them, so this ends. */
static void add_named(const struct cube_named *named, int size, uint8_t *mask, uint8_t *items)
{
	const char *at = named->text;
	struct cube_named_part part;
	for (bool first = true; cube_named_part(&at, &part) && (first || !part.alternative);
	     first = false) {
		const char *rules = part.text;
		struct cube_piece_rule rule;
		if (part.kind == CUBE_NAMED_COLORS) {
			cube_named_items(&part, size, items);
			add_items(items, size, mask);
		} else if (part.kind == CUBE_NAMED_ROW) {
			add_named(part.row, size, mask, items);
		} else {
			while (cube_named_rule(&part, &rules, &rule))
				add_piece(rule.place, size, mask);
		}
	}
}

/* ---- turned ---- */

/* Turns the mask in the way in which the cube was turned as a whole. */
static void turn_mask(uint8_t *mask, int size, int hold, uint8_t *before, struct cube *cubes)
{
	struct cube *turned = (struct cube *)((char *)cubes + cube_bytes(size));
	cube_init(cubes, size);
	cube_hold_turn(turned, cubes, hold);
	memcpy(before, mask, cube_facelets(size));
	for (size_t i = 0; i < cube_facelets(size); i++)
		mask[i] = before[turned->sticker[i]];
}

/* Patterns are about F: of a first layer that is D, of a last one U. */
static int hold_of_layer(uint8_t layer)
{
	return layer == CUBE_LAYER_LAST ? 4 : layer == CUBE_LAYER_FIRST ? 12 : 0;
}

static bool parse_name(const char *text, size_t length, int size, uint8_t *mask, void *scratch,
		       int *hold)
{
	const int stage = name_find(&stages[0].name, sizeof(stages[0]), STAGES, text, length);
	const struct cube_named *named = cube_named_find(text, length);
	uint8_t *items = (uint8_t *)scratch + 2 * cube_bytes(size);
	memset(mask, 0, cube_facelets(size));
	*hold = 0;
	if (stage >= 0) {
		stage_mask(stages[stage].rows, size, mask);
	} else if (named && size >= named->size_min && size <= named->size_max) {
		add_named(named, size, mask, items);
		*hold = hold_of_layer(named->layer);
	} else {
		return false;
	}
	return true;
}

static bool parse_arrays(const char *text, size_t length, int size, uint8_t *mask, uint8_t *items)
{
	struct cube_pattern_error error;
	int found;
	/* No more letters than the items have room for. */
	if (length > 2 * cube_facelets(size) ||
	    cube_pattern_parse(text, length, items, &found, &error) != CUBE_PATTERN_OK ||
	    found != size)
		return false;
	memset(mask, 0, cube_facelets(size));
	add_items(items, size, mask);
	return true;
}

bool cube_mask_parse(const char *text, size_t length, int size, uint8_t *mask, void *scratch)
{
	uint8_t *bytes = (uint8_t *)scratch + 2 * cube_bytes(size);
	size_t name = length;
	int hold, turned = 0;
	if (!parse_name(text, length, size, mask, scratch, &hold)) {
		while (name > 0 && text[name - 1] != '-')
			name--;
		if (name == 0 || !cube_rotation_parse(text + name, length - name, &turned) ||
		    !parse_name(text, name - 1, size, mask, scratch, &hold))
			return parse_arrays(text, length, size, mask, bytes);
	}
	turn_mask(mask, size, cube_hold_then(hold, turned), bytes, scratch);
	return true;
}
