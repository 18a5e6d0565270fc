/* base_path.h: the path below which a proxy shows this server (--base-path). It stands in front of
 * every path that an answer names; in requests it may be there or not, as some proxies remove it. */
#ifndef SERVER_UTIL_BASE_PATH_H
#define SERVER_UTIL_BASE_PATH_H

#include "server/util/arena.h"

#define BASE_PATH_BYTES 129 /* with its NUL */

/* Before there are threads. `path` lives as long as the process: "/cubes", or "" for none. */
void base_path_set(const char *path);
const char *base_path(void);

/* Removes the base path from the target of a request, if it begins with it. False: no memory. */
MUST_USE bool base_path_remove(struct arena *arena, const char **target, size_t *length);

/* Returns a path with the base path in front; NULL for NULL, and without memory. */
const char *base_path_add(struct arena *arena, const char *path);

#endif
