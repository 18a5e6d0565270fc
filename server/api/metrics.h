/* metrics.h: what is counted of requests. */
#ifndef SERVER_API_METRICS_H
#define SERVER_API_METRICS_H

#include <stdint.h>

#include "server/api/request/request.h"

struct route;

/* A request was answered. `route` NULL: it was refused before that was looked for. `took_ns`: from
 * the whole request to its answer. Any thread. */
void metrics_answered(const struct route *route, const struct reply *reply, uint64_t took_ns);

#endif
