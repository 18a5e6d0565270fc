/* core/name.h: looking a name up in a table. Internal to the library. */
#ifndef CORE_NAME_H
#define CORE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the text is this name. */
bool name_is(const char *name, const char *text, size_t length);

/* The index of the row whose name the text is, or -1. `first` is the name of the first row; rows are
 * `row_bytes` long. */
int name_find(const char *const *first, size_t row_bytes, size_t rows, const char *text,
	      size_t length);

#endif
