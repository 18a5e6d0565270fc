/* environment.h: the environment variables of flags. */
#ifndef SERVER_CONFIG_ENVIRONMENT_H
#define SERVER_CONFIG_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "server/util/error.h"

#define FLAG_BYTES 64

/* Writes the variable of a flag: CUBED_LOG_LEVEL for "log-level". */
void environment_name(const char *flag, char name[FLAG_BYTES]);

/* Returns false, and prints one line, if a variable CUBED_... with a value is neither that of a flag
 * nor that of a program which is used together with the server. */
MUST_USE bool environment_is_known(const char *const *flags, size_t count);

/* Returns true if `flag` is among the flags; otherwise prints one line with the nearest one. */
MUST_USE bool flag_is_known(const char *flag, const char *const *flags, size_t count);

#endif
