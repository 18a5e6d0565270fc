/* reid.c: the string of Singmaster and Reid. */
#include "cube/reid.h"
#include "server/format/format.h"

bool format_reid_parse(struct json_reader *reader, struct text text, const struct json_place *place,
		       struct format_given *given)
{
	struct cube_error error;
	if (!format_room(reader, 3, given))
		return false;
	if (cube_reid_parse(text.bytes, text.length, given->colors, &error) == CUBE_OK)
		return true;
	return json_fail_text(reader, place, "Invalid reid string", text, &error);
}

bool format_reid_read(struct json_reader *reader, struct json_value *value,
		      const struct json_place *place, struct format_given *given)
{
	struct text text;
	return format_text(reader, value, place, &text) &&
	       format_reid_parse(reader, text, place, given);
}

void format_reid_write(struct out *out, const struct cube *cube,
		       const struct format_options *options)
{
	char text[CUBE_REID_BYTES];
	(void)options;
	cube_reid_print(cube, text);
	out_string(out, text);
}
