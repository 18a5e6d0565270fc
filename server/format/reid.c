/* reid.c: the string of Singmaster and Reid. */
#include "server/format/format.h"

bool format_reid_parse(struct context *ctx, struct text text, const struct input_place *place,
		       struct format_given *given)
{
	struct cube_error error;
	if (!format_room(ctx, 3, given))
		return false;
	if (cube_reid_parse(text.bytes, text.length, given->colors, &error) == CUBE_OK)
		return true;
	return format_text_problem(ctx, place, "These are not the twenty pieces", text, &error);
}

bool format_reid_read(struct context *ctx, struct input_value *value,
		      const struct input_place *place, struct format_given *given)
{
	struct text text;
	return format_text(ctx, value, place, &text) && format_reid_parse(ctx, text, place, given);
}

void format_reid_write(struct out *out, const struct cube *cube,
		       const struct format_options *options)
{
	char text[CUBE_REID_BYTES];
	(void)options;
	cube_reid_print(cube, text);
	out_string(out, text);
}
