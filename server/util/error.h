/* error.h: why something failed, as a sentence for a person; and the mark of results that must be
 * used.
 *
 * Below the API every function that can fail in more than one way takes a struct error, returns
 * false (or NULL, or a status), and leaves a sentence there. What a client is answered is a problem
 * (server/api/request/problem.h), which the API makes of statuses and of json_error. */
#ifndef SERVER_UTIL_ERROR_H
#define SERVER_UTIL_ERROR_H

#include <stdbool.h>

#include "cube/api.h"

/* The caller must use the result. For status enums too. */
#define MUST_USE CUBE_MUST_USE

#define ERROR_BYTES 512

struct error {
	char text[ERROR_BYTES]; /* NUL-terminated, without a line break; "" while nothing failed */
};

/* Formats the sentence; longer ones are cut. `error` may be NULL. Returns false, for the
 * convenience of `return error_set(...)`. `format`'s arguments may point into error->text. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
