/* index.c: one number for every state, as decimal text. */
#include "server/format/format.h"

bool format_index_parse(struct context *ctx, struct text text, const struct input_place *place,
			struct format_given *given)
{
	struct cube_index index;
	struct cube_cubies cubies;
	struct cube_error error;
	int size = given->size ? given->size : 3;
	if (cube_index_parse(text.bytes, text.length, size, &index, &error) != CUBE_OK)
		return format_text_problem(ctx, place, "This is no index", text, &error);
	if (!format_room(ctx, size, given) || !cube_index_cubies(index, size, &cubies))
		return false;
	cube_cubies_paint(&cubies, size, given->colors);
	return true;
}

bool format_index_read(struct context *ctx, struct input_value *value,
		       const struct input_place *place, struct format_given *given)
{
	struct text text;
	if (input_is_number(value))
		return input_place_problem(
			ctx, place,
			"An index is a string: most are too large for a number in JSON.",
			"a string of decimal digits", NULL);
	return format_text(ctx, value, place, &text) && format_index_parse(ctx, text, place, given);
}

void format_index_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	char text[CUBE_INDEX_BYTES];
	(void)options;
	cube_index_print(cube_index_of(cube), text);
	out_string(out, text);
}
