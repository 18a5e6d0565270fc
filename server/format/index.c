/* index.c: one number for every state, as decimal text. */
#include "server/format/format.h"

bool format_index_parse(struct json_reader *reader, struct text text,
			const struct json_place *place, struct format_given *given)
{
	struct cube_index index;
	struct cube_cubies cubies;
	struct cube_error error;
	int size = given->size ? given->size : 3;
	if (cube_index_parse(text.bytes, text.length, size, &index, &error) != CUBE_OK)
		return json_fail_text(reader, place, "Invalid index", text, &error);
	if (!format_room(reader, size, given) || !cube_index_cubies(index, size, &cubies))
		return false;
	cube_cubies_paint(&cubies, size, given->colors);
	return true;
}

bool format_index_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	struct text text;
	if (json_value_is_number(value))
		return json_fail(reader, place,
				 "Must be a string: most indexes are too large for a JSON number.",
				 "a string of decimal digits", NULL);
	return format_text(reader, value, place, &text) &&
	       format_index_parse(reader, text, place, given);
}

void format_index_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	char text[CUBE_INDEX_BYTES];
	(void)options;
	cube_index_print(cube_index_of(cube), text);
	out_string(out, text);
}
