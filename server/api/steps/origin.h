/* origin.h: requests from pages of other sites: CORS, and Fetch Metadata.
 *
 * A server that listens only on loopback can be reached by every page that its user opens. So no
 * origin may read its answers unless --allow-origin lists it, and a request that may change
 * something is refused if the browser says that another site sent it. A server that listens on
 * other addresses answers every origin until --allow-origin lists some: there are no cookies, so a
 * page can do no more than its own server could. Any thread.
 *
 * Sources: Fetch (WHATWG), CORS protocol; W3C Fetch Metadata Request Headers. */
#ifndef SERVER_API_STEPS_ORIGIN_H
#define SERVER_API_STEPS_ORIGIN_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* The default Access-Control-Allow-Origin of all answers: "*" or NULL. */
const char *origin_default(const struct config *config);

/* Sets the reply's Access-Control-Allow-Origin. False, with the reply 403 origin-not-allowed, for a
 * request other than GET, HEAD and OPTIONS from a page of another site. */
MUST_USE bool origin_check(struct context *ctx);
/* The same for a GET that starts a search. */
MUST_USE bool origin_check_search(struct context *ctx);

#endif
