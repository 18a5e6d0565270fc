/* names.c: for each facelet the name of the sticker that is there. */
#include <stdio.h>

#include "cube/cube.h"
#include "cube/geometry.h"
#include "cube/names.h"
#include "server/format/format.h"
#include "server/util/suggest.h"

#define FACELETS_MAX 54

static bool unknown_name(struct json_reader *reader, const struct json_place *place, int size,
			 struct text name)
{
	char names[FACELETS_MAX][CUBE_FACELET_NAME_BYTES];
	const char *each[FACELETS_MAX];
	const size_t count = cube_facelets(size);
	for (size_t i = 0; i < count; i++) {
		cube_facelet_name(size, i, names[i]);
		each[i] = names[i];
	}
	return json_fail(reader, place,
			 size == 2 ? "Unknown sticker; a 2x2x2 has those of corners, such as UBL, "
				     "BUL and LUB."
				   : "Unknown sticker; write its side, then the other sides of its "
				     "cubie, as in U, UB and UBL.",
			 "the name of a sticker, as in ?as=names",
			 suggest_nearest(name.bytes, name.length, each, count));
}

static bool taken(struct json_reader *reader, const struct json_place *place, int size,
		  uint16_t sticker, long other)
{
	char detail[96], name[CUBE_FACELET_NAME_BYTES], there[CUBE_FACELET_NAME_BYTES];
	cube_facelet_name(size, sticker, name);
	cube_facelet_name(size, (size_t)other, there);
	snprintf(detail, sizeof detail, "The sticker %s is on the facelet %s (item %ld) too.", name,
		 there, other);
	return json_fail(reader, place, detail, "every sticker once", NULL);
}

/* "UBL BUL LUB" */
#define CUBIE_BYTES (3 * CUBE_FACELET_NAME_BYTES)
static void cubie_names(int size, const uint16_t *facelets, int count, char text[CUBIE_BYTES])
{
	for (int i = 0; i < count; i++) {
		if (i > 0)
			*text++ = ' ';
		cube_facelet_name(size, facelets[i], text);
		text += count; /* as many letters as stickers */
	}
}

static bool torn(struct json_reader *reader, const struct json_place *place, int size,
		 size_t facelet, const uint16_t *stickers)
{
	static const char *const expected[] = {"the sticker of a centre",
					       "the two stickers of an edge",
					       "the three stickers of a corner"};
	uint16_t facelets[3], on[3];
	char detail[128], at[CUBIE_BYTES], what[CUBIE_BYTES];
	const int count = cube_cubie_facelets(size, cube_facelet_cubie(size, facelet), facelets);
	for (int i = 0; i < count; i++)
		on[i] = stickers[facelets[i]];
	cubie_names(size, facelets, count, at);
	cubie_names(size, on, count, what);
	snprintf(detail, sizeof detail,
		 "The stickers of a cubie stay together: %s cannot be on %s.", what, at);
	return json_fail(reader, place, detail, expected[count - 1], NULL);
}

static bool read_stickers(struct json_reader *reader, struct json_value *array,
			  const struct json_place *place, int size, uint16_t *stickers)
{
	for (size_t i = 0; i < cube_facelets(size); i++) {
		struct text name;
		const struct json_place at = format_at(reader, place, i);
		if (!format_text(reader, json_item(array, i), &at, &name))
			return false;
		const int sticker = cube_facelet_named(size, name.bytes, name.length);
		if (sticker < 0)
			return unknown_name(reader, &at, size, name);
		stickers[i] = (uint16_t)sticker;
	}
	return true;
}

bool format_names_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	struct json_value *array;
	struct cube_form_error error;
	uint16_t stickers[FACELETS_MAX];
	char detail[80];
	const struct json_member as = {.type = JSON_ITEMS, .into = &array};
	if (!json_read_value(reader, value, place->pointer, &as))
		return false;
	const size_t count = json_item_count(array);
	const int size = count == cube_facelets(2) ? 2 : 3;
	if (count != cube_facelets(size)) {
		snprintf(detail, sizeof detail, "%zu name%s; a 3x3x3 has 54, a 2x2x2 24.", count,
			 count == 1 ? "" : "s");
		return json_fail(reader, place, detail, "24 or 54 names, in facelet order", NULL);
	}
	if (!format_room(reader, size, given) ||
	    !read_stickers(reader, array, place, size, stickers))
		return false;
	if (cube_stickers_read(size, stickers, given->colors, &error) == CUBE_FORM_OK)
		return true;
	const struct json_place at = format_at(reader, place, error.index);
	return error.code == CUBE_FORM_CUBIE
		       ? torn(reader, &at, size, error.index, stickers)
		       : taken(reader, &at, size, stickers[error.index], error.expected);
}

void format_names_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	(void)options;
	out_open(out, '[');
	for (size_t i = 0; i < cube_facelets(cube->size); i++) {
		char name[CUBE_FACELET_NAME_BYTES];
		cube_facelet_name(cube->size, cube->sticker[i], name);
		out_string(out, name);
	}
	out_close(out, ']');
}
