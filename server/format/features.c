/* features.c: 364 numbers 0 or 1. */
#include "server/format/format.h"

bool format_features_read(struct context *ctx, struct input_value *value,
			  const struct input_place *place, struct format_given *given)
{
	int8_t numbers[CUBE_FEATURES];
	struct cube_form_error error;
	const struct format_numbers as = {.count = CUBE_FEATURES, .max = 1};
	if (!format_numbers_read(ctx, value, place, &as, numbers) || !format_room(ctx, 3, given))
		return false;
	if (cube_features_read((const uint8_t *)numbers, CUBE_FEATURES, given->colors, &error) ==
	    CUBE_FORM_OK)
		return true;
	const struct input_place at = format_at(ctx, place, error.index);
	return format_form_problem(ctx, &at, &error);
}

void format_features_write(struct out *out, const struct cube *cube,
			   const struct format_options *options)
{
	uint8_t features[CUBE_FEATURES];
	(void)options;
	cube_features_write(cube, features);
	format_numbers_write(out, features, CUBE_FEATURES);
}
