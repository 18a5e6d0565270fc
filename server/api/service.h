/* service.h: the whole server without sockets: sessions, store, jobs, routes.
 *
 * Several loops, each a thread, may serve and poll at the same time; a lock inside keeps the
 * sessions whole. Other threads (the store's writer, readers, workers) hand their results over
 * through a list and the wake descriptor:
 *
 *     serve(service, request)   for each request
 *     service_poll(service)     whenever service_wake_fd is readable: finishes what other threads
 *                               did, for requests of any loop */
#ifndef SERVER_API_REQUEST_SERVICE_H
#define SERVER_API_REQUEST_SERVICE_H

#include "server/api/request/request.h"
#include "server/config.h"
#include "server/util/error.h"

struct service;

/* Opens the store and starts the threads. `threads` false (tests, fuzzers): jobs run inside
 * serve(). NULL with a sentence in `error` if that fails. */
MUST_USE struct service *service_create(const struct config *config, bool threads,
					struct error *error);

/* An eventfd, readable when service_poll has something to do. */
int service_wake_fd(const struct service *service);
void service_poll(struct service *service);
/* Some times a second: goes on with answers that have waited for memory. */
void service_tick(struct service *service);
/* Has what was written begin to be committed. To be called when no request is at hand: after a
 * round of serve() and service_poll(), at the latest before sleeping. */
void service_flush(struct service *service);

/* How many writes are under way to the disk. */
size_t service_writes(const struct service *service);

/* Those who watch its sessions, for the one who sends: see server/live/live.h. */
struct live *service_live(const struct service *service);

/* From now on new work is answered 503 shutting-down; what runs is finished. */
void service_stop(struct service *service);
/* Requests that are not answered yet. */
size_t service_pending(const struct service *service);
/* What service_destroy() would wait for: these, and tables that are being made. */
size_t service_unfinished(const struct service *service);

/* After service_stop, with nothing pending. Commits, closes the store, frees everything. */
void service_destroy(struct service *service);

#endif
