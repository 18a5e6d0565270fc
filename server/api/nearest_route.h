/* nearest_route.h: the path that a client probably meant. */
#ifndef SERVER_API_NEAREST_ROUTE_H
#define SERVER_API_NEAREST_ROUTE_H

#include <stddef.h>

#include "server/util/error.h"
#include "server/util/text.h"

#define NEAREST_ROUTE_BYTES 128

/* Writes the route's path nearest to `path`, with the path's own parts in its holes: at most three
 * letters inserted, dropped or changed (two in short ones), perhaps with "/v1" before it. "/v1", the
 * index, if none is near. Each of the two searches takes some 20 us at most. */
void nearest_route(const struct text *path, char nearest[NEAREST_ROUTE_BYTES]);

#endif
