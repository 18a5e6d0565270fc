/* metrics.h: counters of requests. */
#ifndef SERVER_API_METRICS_H
#define SERVER_API_METRICS_H

#include <stdint.h>

#include "server/api/request/request.h"

struct route;

/* Counts a request that was answered. `route` NULL: it was refused before routing. `took_ns`: from
 * the complete request to its answer. Any thread. */
void metrics_answered(const struct route *route, const struct reply *reply, uint64_t took_ns);

/* Counts the problem alone, of a request that was counted with another answer. Any thread. */
void metrics_refused(const struct reply *reply);

#endif
