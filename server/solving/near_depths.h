/* near_depths.h: how far the 3x3x3 states near solved are from it (cube/depth.h), made when first needed and kept: 16 MiB.
 * Any thread. */
#ifndef SERVER_SOLVING_NEAR_DEPTHS_H
#define SERVER_SOLVING_NEAR_DEPTHS_H

#include "cube/depth.h"
#include "server/util/error.h"

/* Making the table. */
#define NEAR_DEPTHS_NS 200000000

struct near_depths;

/* NULL if out of memory. */
MUST_USE struct near_depths *near_depths_create(void);
/* May be NULL. */
void near_depths_destroy(struct near_depths *made);

/* Returns the table; NULL if out of memory. The first call makes it, and calls from other threads wait meanwhile. */
MUST_USE const struct cube_depths *near_depths_take(struct near_depths *made);

#endif
