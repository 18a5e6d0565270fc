/* core/error.h: filling in an error about text. Internal to the library. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include "cube/error.h"

/* Returns `code`. `expected`, which may be "", is cut if it is longer than its place. */
enum cube_error_code error_fill(struct cube_error *error, enum cube_error_code code, size_t offset,
				size_t length, const char *expected);

#endif
