/* service.h: the whole server without sockets: sessions, store, jobs, routes.
 *
 * Several loops, each in its own thread, may serve and poll at the same time; a lock inside
 * protects the sessions. Other threads (the store's writer, readers, workers) pass their results
 * through a list and the wake descriptor:
 *
 *     serve(service, request)   for each request
 *     service_poll(service)     whenever service_wake_fd is readable: completes the results of
 *                               other threads, for requests of any loop */
#ifndef SERVER_API_REQUEST_SERVICE_H
#define SERVER_API_REQUEST_SERVICE_H

#include "server/api/request/request.h"
#include "server/config.h"
#include "server/util/error.h"

struct service;

struct nodes;
/* Says how services share a database; a module does. Before the first service is created. */
void service_nodes_set(const struct nodes *nodes);

/* Opens the store and starts the threads. `threads` false (tests, fuzzers): jobs run inside
 * serve(). Returns NULL and sets `error` on failure. */
MUST_USE struct service *service_create(const struct config *config, bool threads,
					struct error *error);

/* Sets the port of the sockets, before the first request: 0 may have been configured. */
void service_listens(struct service *service, uint16_t port);

/* An eventfd, readable when service_poll has something to do. */
int service_wake_fd(const struct service *service);
void service_poll(struct service *service);
/* Call it a few times a second: resumes answers that wait for memory. */
void service_tick(struct service *service);
/* Gives freed memory back to the system, on a thread of low priority. */
void service_trim(struct service *service);
/* Starts to commit the submitted writes. Call it when no request is ready: after a round of serve()
 * and service_poll(), at the latest before sleeping. */
void service_flush(struct service *service);

/* The number of writes that are not committed yet. */
size_t service_writes(const struct service *service);

/* The subscribers to its sessions, for the event senders: see server/live/live.h. */
struct live *service_live(const struct service *service);

/* The server stops in three steps; requests are served through all of them. From now on /readyz is
 * 503, so that a load balancer sends new requests elsewhere. */
void service_drain(struct service *service);
/* Long polls are answered, and none waits from now on. */
void service_end_polls(struct service *service);
/* The same; and searches are cancelled: who needs one is answered 503 shutting-down. */
void service_stop(struct service *service);
/* Requests that are not answered yet. */
size_t service_pending(const struct service *service);
/* Returns the number of things that service_destroy() would wait for: pending requests and tables
 * being generated. */
size_t service_unfinished(const struct service *service);

/* Returns true if the server stops because a newer one has upgraded the database beyond what this one knows. */
bool service_outgrown(const struct service *service);

/* After service_stop, with nothing pending. Commits, closes the store, frees everything. */
void service_destroy(struct service *service);

#endif
