/* http.h: the server on the network: listens, reads requests, has the service answer them.
 *
 * As many loops as config->loops says, a thread each, the first of which is the one that calls
 * http_run; a connection stays with its loop. This folder is the only one that knows libmicrohttpd;
 * what a client may do wrong with HTTP, with time or with connections is dealt with here, so that
 * the service sees whole, well-formed requests only. */
#ifndef SERVER_HTTP_HTTP_H
#define SERVER_HTTP_HTTP_H

#include <stddef.h>
#include <stdint.h>

#include "server/api/service.h"
#include "server/config.h"
#include "server/util/error.h"

struct http;

/* Where a service manager hands over sockets that listen (LISTEN_FDS, sd_listen_fds(3)), http_open
 * takes these and opens none. This puts their address into config->listen_*: that of the one most
 * open to others. Nothing is changed if there are none; false with a sentence in `problem` where
 * they are unfit. Before service_create. */
MUST_USE bool http_inherit(struct config *config, struct error *error);

/* Binds and listens on every address of config->listen_host, or on config->listen_path. The
 * configuration and the service must live longer. Raises the limit of open files to its hard limit,
 * and ignores SIGPIPE. NULL with a sentence in `problem` where that fails. */
MUST_USE struct http *http_open(const struct config *config, struct service *service,
				struct error *error);

/* The port it listens on; the real one when 0 was asked for. */
uint16_t http_port(const struct http *http);

/* Serves until SIGTERM or SIGINT; then stops the service, lets what runs finish (less than a
 * second) and returns 0. */
int http_run(struct http *http);

/* Cuts the connections that are left and frees everything. No request is pending in the service;
 * before service_destroy. */
void http_close(struct http *http);

#endif
