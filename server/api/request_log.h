/* request_log.h: a line of the log for each request. */
#ifndef SERVER_API_REQUEST_LOG_H
#define SERVER_API_REQUEST_LOG_H

#include "server/api/request/request.h"

struct route;

/* Logs a request that is answered: its id, method, path template, status, problem, time, and the
 * traceparent that it was sent with, if that is valid. Debug level; an internal error: error level.
 * `route` may be NULL. Any thread. */
void request_log(const struct request *request, const struct route *route, uint64_t took_ns);

#endif
