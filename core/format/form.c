/* core/format/form.c: the texts of what can be wrong with a cube given as numbers. */
#include "core/format/form.h"

static const char *const texts[CUBE_FORM_CODES] = {
#define CUBE_FORM_ROW(code, text) [code] = text,
	CUBE_FORM_TABLE(CUBE_FORM_ROW)
#undef CUBE_FORM_ROW
};

const char *cube_form_text(enum cube_form_code code)
{
	return (unsigned)code < CUBE_FORM_CODES ? texts[code] : "unknown error";
}

enum cube_form_code cube_form_fail(struct cube_form_error *error, enum cube_form_code code,
				   size_t index, int part, long expected)
{
	*error = (struct cube_form_error){
		.code = code, .index = index, .part = part, .expected = expected};
	return code;
}
