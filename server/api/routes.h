/* routes.h: the table of what the server answers (request/routes.def and the rows of modules), and
 * finding a row of it. */
#ifndef SERVER_API_ROUTES_H
#define SERVER_API_ROUTES_H

#include "server/api/request/route.h"
#include "server/util/error.h"

#define ROUTES_MAX 127

/* The rows of routes.def, then those that modules add. */
extern const struct route *const routes;
extern size_t route_count;

/* Adds the rows of a module; does nothing if they are there already. Call it before the first service is
 * created. */
void routes_add(const struct route *rows, size_t count);

/* The calls of a module. */
struct route_module {
	const char *path; /* the beginning of their paths */
	const char *module, *what;
};

/* Returns the module whose calls have this path, if this build is without it; else NULL. */
const struct route_module *route_missing(const struct text *path);

/* Prepares route_find(). Call it before other threads serve. */
void routes_setup(void);

/* The texts in the holes of a pattern; bytes NULL: it has no such hole. None ends with a NUL. */
struct path_parts {
	struct text id;    /* for {id} */
	struct text name;  /* for the last one of another name */
	struct text outer; /* for the one before that */
};

/* The route for a method (GET for HEAD) and a decoded path; NULL if no route matches. */
const struct route *route_find(const char *method, const struct text *path,
			       struct path_parts *parts);

/* Returns true if a row has exactly this path. Then patterns with holes do not match it. */
MUST_USE bool route_path_is_fixed(const struct text *path);

/* Matches a decoded path against a pattern. */
MUST_USE bool route_match(const char *pattern, const struct text *path, struct path_parts *parts);

#endif
