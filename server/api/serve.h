/* serve.h: the server without sockets: a request in, its answer out. */
#ifndef SERVER_API_SERVE_H
#define SERVER_API_SERVE_H

#include "server/api/request/request.h"

struct config;
struct context;
struct service;

/* The maximum size of a request's body in bytes: more for lines than for one JSON value.
 * `content_type` may be NULL. */
uint64_t serve_body_max(const struct config *config, const char *content_type);

/* Answers a request, now or later (request->answered). Any number of threads may serve at once. */
void serve(struct service *service, struct request *request);

/* Sends the reply of a context that has left its session; called by ctx_answer(). With the lock. */
void serve_answered(struct context *ctx);

/* Has the next piece of a streamed answer made (request/stream.h); request->produced is called when
 * it is ready, perhaps before this returns. */
void serve_more(struct service *service, struct request *request);

/* Counts and logs a request whose answer was replaced by a refusal after the service gave it. */
void serve_turned_away(const struct request *request);

/* The client has disconnected: the answer still comes, but will not be read. Call it between
 * serve() and the time at which the sender has noticed the answer. */
void serve_left(struct service *service, struct request *request);

#endif
