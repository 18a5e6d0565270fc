/* origin.h: requests that the pages of other sites send: CORS, and Fetch Metadata.
 *
 * A server that listens on loopback only is reachable by every page that its user opens. So there
 * no origin may read answers, unless --allow-origin lists it, and a request that may change
 * something is refused if the browser says that another site sent it. A server that listens on
 * other addresses answers every origin until --allow-origin lists some: there are no cookies, so a
 * page can do no more than its server could. Any thread.
 *
 * Sources: Fetch (WHATWG), CORS protocol; W3C Fetch Metadata Request Headers. */
#ifndef SERVER_API_STEPS_ORIGIN_H
#define SERVER_API_STEPS_ORIGIN_H

#include "server/api/request/context.h"

/* What answers to every request may carry as Access-Control-Allow-Origin: "*" or NULL. */
const char *origin_default(const struct config *config);

/* Sets the reply's Access-Control-Allow-Origin. False, and the reply is 403 origin-not-allowed,
 * for a request other than GET, HEAD and OPTIONS that comes from the page of another site. */
bool origin_check(struct context *ctx);

#endif
