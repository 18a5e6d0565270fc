/* core/name.c: looking a name up in a table. */
#include "core/name.h"

#include <string.h>

bool name_is(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

int name_find(const char *const *first, size_t row_bytes, size_t rows, const char *text,
	      size_t length)
{
	for (size_t i = 0; i < rows; i++)
		if (name_is(*(const char *const *)((const char *)first + i * row_bytes), text,
			    length))
			return (int)i;
	return -1;
}
