/* features.c: 364 numbers 0 or 1. */
#include "cube/features.h"
#include "server/format/format.h"

bool format_features_read(struct json_reader *reader, struct json_value *value,
			  const struct json_place *place, struct format_given *given)
{
	int8_t numbers[CUBE_FEATURES];
	struct cube_form_error error;
	const struct format_numbers as = {.count = CUBE_FEATURES, .max = 1};
	if (!format_numbers_read(reader, value, place, &as, numbers) ||
	    !format_room(reader, 3, given))
		return false;
	if (cube_features_read((const uint8_t *)numbers, CUBE_FEATURES, given->colors, &error) ==
	    CUBE_FORM_OK)
		return true;
	const struct json_place at = format_at(reader, place, error.index);
	return format_form_problem(reader, &at, &error);
}

void format_features_write(struct out *out, const struct cube *cube,
			   const struct format_options *options)
{
	uint8_t features[CUBE_FEATURES];
	(void)options;
	cube_features_write(cube, features);
	format_numbers_write(out, features, CUBE_FEATURES);
}
