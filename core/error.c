/* core/error.c: the texts of errors, and columns in text. */
#include "core/error.h"

#include <stdio.h>

#include "core/utf8.h"

static const char *const texts[CUBE_ERROR_COUNT] = {
#define CUBE_ERROR_ROW(code, text) [code] = text,
	CUBE_ERROR_TABLE(CUBE_ERROR_ROW)
#undef CUBE_ERROR_ROW
};

const char *cube_error_text(enum cube_error_code code)
{
	return (unsigned)code < CUBE_ERROR_COUNT ? texts[code] : "unknown error";
}

enum cube_error_code error_fill(struct cube_error *error, enum cube_error_code code, size_t offset,
				size_t length, const char *expected)
{
	*error = (struct cube_error){.code = code, .offset = offset, .length = length};
	snprintf(error->expected, sizeof(error->expected), "%s", expected);
	return code;
}

size_t cube_text_column(const char *text, size_t length, size_t offset)
{
	size_t column = 1;
	for (size_t at = 0; at < offset; column++) {
		size_t bytes = utf8_sequence(text + at, length - at);
		if (bytes == 0)
			bytes = 1;
		if (bytes > offset - at)
			break; /* the offset lies within this code point */
		at += bytes;
	}
	return column;
}
