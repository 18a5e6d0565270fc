/* facelets.c: the facelet string in JSON and in a query parameter. */
#include "server/format/format.h"

#include "server/api/problem.h"

static bool facelets_problem(struct work *work, const char *pointer, const char *parameter,
			     struct text letters, const struct cube_error *error)
{
	struct out out;
	problem_begin(work->request, parameter ? PROBLEM_BAD_PARAMETER : PROBLEM_BAD_MEMBER, &out,
		      "These are no facelets: %s.", cube_error_text(error->code));
	problem_member(&out, "pointer", pointer);
	problem_member(&out, "parameter", parameter);
	out_key(&out, "offset");
	out_integer(&out, (int64_t)error->offset);
	out_key(&out, "length");
	out_integer(&out, (int64_t)error->length);
	out_key(&out, "column");
	out_integer(&out, (int64_t)cube_text_column(letters.bytes, letters.length, error->offset));
	problem_member(&out, "expected", error->expected);
	problem_member(&out, "suggestion", error->suggestion);
	problem_end(work->request, &out);
	return false;
}

bool format_facelets_parse(struct work *work, struct text letters, const char *pointer,
			   const char *parameter, uint8_t **colors, int *size)
{
	struct cube_error error;
	size_t room = letters.length < CUBE_FACELETS_MAX ? letters.length : CUBE_FACELETS_MAX;
	*colors = work_take(work, room + 1);
	if (!*colors)
		return false;
	if (cube_colors_parse(letters.bytes, letters.length, *colors, size, &error) == CUBE_OK)
		return true;
	return facelets_problem(work, pointer, parameter, letters, &error);
}

bool format_facelets_read(struct work *work, struct json_t *value, const char *pointer,
			  uint8_t **colors, int *size)
{
	struct text letters;
	const struct input_member text = {.type = INPUT_TEXT, .into = &letters};
	return input_value(work, value, pointer, &text) &&
	       format_facelets_parse(work, letters, pointer, NULL, colors, size);
}

void format_facelets_write(struct out *out, const struct cube *cube)
{
	char *letters = out_room(out, cube_facelets(cube->size));
	if (letters)
		cube_facelets_print(cube, letters);
}
