/* facelets.c: the facelet string in JSON and in a query parameter. */
#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/format/format.h"

bool format_facelets_parse(struct json_reader *reader, struct text letters,
			   const struct json_place *place, struct format_given *given)
{
	struct cube_error error;
	size_t room = letters.length < CUBE_FACELETS_MAX ? letters.length : CUBE_FACELETS_MAX;
	given->colors = json_alloc(reader, room + 1);
	if (!given->colors)
		return false;
	if (cube_colors_parse(letters.bytes, letters.length, given->colors, &given->size, &error) ==
	    CUBE_OK)
		return true;
	if (error.code == CUBE_ERROR_FACELETS_LENGTH)
		return format_letters_problem(reader, place, letters,
					      cube_symbols_count(letters.bytes, letters.length));
	return json_fail_text(reader, place, "Invalid facelets", letters, &error);
}

bool format_facelets_read(struct json_reader *reader, struct json_value *value,
			  const struct json_place *place, struct format_given *given)
{
	struct text letters;
	return format_text(reader, value, place, &letters) &&
	       format_facelets_parse(reader, letters, place, given);
}

void format_facelets_write(struct out *out, const struct cube *cube,
			   const struct format_options *options)
{
	char *letters = out_room(out, cube_facelets(cube->size));
	(void)options;
	if (letters)
		cube_facelets_print(cube, letters);
}
