/* routes.h: the table of what the server answers (request/routes.def), and finding a row of it. */
#ifndef SERVER_API_ROUTES_H
#define SERVER_API_ROUTES_H

#include "server/api/request/route.h"
#include "server/util/error.h"

extern const struct route routes[];
extern const size_t route_count;

/* Prepares route_find(). Call it before other threads serve. */
void routes_setup(void);

/* The row of a method (GET for HEAD) and a decoded path; NULL if there is none. `id` and `part` as
 * in route_match(); `id` is empty if the path has none. */
const struct route *route_find(const char *method, const struct text *path, struct text *id,
			       struct text *part);

/* Matches a decoded path against a pattern. `id` is set to the part for {id}, `part` to that for
 * any other hole. Neither ends with a NUL. */
MUST_USE bool route_match(const char *pattern, const struct text *path, struct text *id,
			  struct text *part);

#endif
