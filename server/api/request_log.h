/* request_log.h: lines of the log about requests. */
#ifndef SERVER_API_REQUEST_LOG_H
#define SERVER_API_REQUEST_LOG_H

#include "server/api/request/refusal.h"
#include "server/api/request/request.h"
#include "server/config.h"

struct route;

/* Logs from now on what config->log_requests says, and takes the client's address from the trusted
 * proxies. Before any thread is started; the configuration must stay. Until then only internal errors
 * are logged, and at debug level everything. */
void request_log_open(const struct config *config);

/* Logs a request that is answered, if it is one of those: its id, method, path, path template, status,
 * problem, reason, client, time, and the traceparent that it was sent with, if that is valid. Refused
 * requests are lines of level info (429 and whatever a client or a stop causes) or warning, internal
 * errors of level error; others have level info with `all`, and debug otherwise. `route` may be NULL.
 * Any thread. */
void request_log(const struct request *request, const struct route *route, uint64_t took_ns);

/* Logs a connection that is refused before a request was read, in the same way. */
void request_log_connection(const struct peer *peer, enum refusal reason);

/* Reports how many lines were left out in minutes that are over; `end`: and in the present one. Call it
 * a few times a second; it costs nothing if there are none. Any thread. */
void request_log_left_out(bool end);
/* Returns true if there are some that it has not reported. */
bool request_log_has_left_out(void);

#endif
