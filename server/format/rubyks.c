/* rubyks.c: Rubyks' six arrays of nine. */
#include "cube/rubyks.h"
#include "server/format/format.h"

#define SIDE (CUBE_RUBYKS / CUBE_FACES)

bool format_rubyks_read(struct json_reader *reader, struct json_value *value,
			const struct json_place *place, struct format_given *given)
{
	struct json_value *sides;
	int8_t numbers[CUBE_RUBYKS];
	struct cube_form_error error;
	const struct format_numbers as = {.count = SIDE, .max = CUBE_FACES - 1};
	if (!format_array(reader, value, place, CUBE_FACES, &sides))
		return false;
	for (size_t i = 0; i < CUBE_FACES; i++) {
		const struct json_place at = format_at(reader, place, i);
		if (!format_numbers_read(reader, json_item(sides, i), &at, &as, numbers + i * SIDE))
			return false;
	}
	if (!format_room(reader, 3, given))
		return false;
	return cube_rubyks_read((const uint8_t *)numbers, CUBE_RUBYKS, given->colors, &error) ==
		       CUBE_FORM_OK ||
	       format_form_problem(reader, place, &error);
}

void format_rubyks_write(struct out *out, const struct cube *cube,
			 const struct format_options *options)
{
	uint8_t numbers[CUBE_RUBYKS];
	(void)options;
	cube_rubyks_write(cube, numbers);
	out_open(out, '[');
	for (size_t i = 0; i < CUBE_FACES; i++)
		format_numbers_write(out, numbers + i * SIDE, SIDE);
	out_close(out, ']');
}
