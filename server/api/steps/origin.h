/* origin.h: requests from pages of other sites: CORS, and Fetch Metadata.
 *
 * Every page that somebody opens on this machine can send requests to the server. Pages may use it
 * if their origin is the server's own, is on loopback (unless --allow-origin none), or is listed by
 * --allow-origin. Pages of all others may not read an answer but /cubed.js, which is made for them,
 * and what they send is refused if it could change something. The own origin has the same host and
 * port as the request's Host, and a name that surely means this server (host.h). Any thread.
 *
 * Sources: Fetch (WHATWG), CORS protocol; W3C Fetch Metadata Request Headers. */
#ifndef SERVER_API_STEPS_ORIGIN_H
#define SERVER_API_STEPS_ORIGIN_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* The Access-Control-Allow-Origin of answers to requests that are not known yet: "*" or NULL. */
const char *origin_default(const struct config *config);

/* Sets the reply's Access-Control-Allow-Origin, and whether it depends on the request's Origin. */
void origin_allow(const struct config *config, struct request *request);

/* Does that and, if the page's origin may not use the server, logs it once. False, with the reply 403
 * origin-not-allowed, for a request of such a page other than GET, HEAD and OPTIONS. */
MUST_USE bool origin_check(struct context *ctx);
/* Refuses such a page also a GET, one that starts a search. */
MUST_USE bool origin_check_search(struct context *ctx);

/* Makes the reply the answer to an OPTIONS request: it allows the headers that are asked for, beside
 * the usual ones. */
void origin_preflight(struct request *request);

#endif
