/* error.c: formatting a sentence. */
#include "server/util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, const char *format, ...)
{
	char text[ERROR_BYTES];
	va_list arguments;
	if (!error)
		return false;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	memcpy(error->text, text, sizeof text);
	return false;
}
