/* http.h: the server on the network: listens, reads requests, has the service answer them.
 *
 * It has config->loops loops, a thread each; the first is the thread that calls http_run(). A
 * connection stays with its loop. Only this folder uses libmicrohttpd. It handles all that a client
 * can do wrong with HTTP, deadlines or connections, so that the service sees only complete,
 * well-formed requests. */
#ifndef SERVER_HTTP_HTTP_H
#define SERVER_HTTP_HTTP_H

#include <stdint.h>

#include "server/api/service.h"
#include "server/config.h"
#include "server/util/error.h"

struct http;

/* If a service manager passes listening sockets (LISTEN_FDS, sd_listen_fds(3)), http_open() uses
 * them and opens none. This sets config->listen_* to the address of the one that is most reachable;
 * it changes nothing if there are none. False with a sentence in `error` if they cannot be used.
 * Call it before service_create(). */
MUST_USE bool http_inherit(struct config *config, struct error *error);

/* Listens on every address of config->listen_host, or on config->listen_path. The configuration and
 * the service must outlive it. Raises the limit of open files to its hard limit, and ignores
 * SIGPIPE. NULL with a sentence in `error` if that fails. */
MUST_USE struct http *http_open(const struct config *config, struct service *service,
				struct error *error);

/* The port it listens on, also if 0 was configured. */
uint16_t http_port(const struct http *http);

/* Serves until SIGTERM or SIGINT, and config->drain_ms longer; then lets running requests finish
 * (less than a second, or less than drain_ms), stops the service and returns 0. A second signal
 * ends all of this. */
int http_run(struct http *http);

/* Closes the remaining connections and frees everything. No request may be pending in the service;
 * call it before service_destroy(). */
void http_close(struct http *http);

#endif
