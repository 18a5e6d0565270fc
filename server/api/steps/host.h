/* host.h: the names under which the server is reached.
 *
 * A page whose name an attacker controls can let that name lead to this machine (DNS rebinding).
 * For the browser its requests then go to the page's own origin; only the name in Host shows it.
 * An address is resolved by nobody, so a Host that is an address is not such a name. Any thread. */
#ifndef SERVER_API_STEPS_HOST_H
#define SERVER_API_STEPS_HOST_H

#include "server/api/request/context.h"
#include "server/util/text.h"

/* Returns the name in HOST or HOST:PORT, with the brackets of an IPv6 address; no NUL follows it. */
struct text host_name(const char *host);
/* Returns true if it is localhost, 127.0.0.1 or [::1]. */
bool host_is_loopback(const struct text *name);
/* Returns true if --allow-host lists it. */
bool host_is_listed(const struct config *config, const struct text *name);
/* Returns true if it surely means this server: a name that nobody else can let lead here, or the address
 * that the request's client has connected to. */
bool host_is_own(const struct config *config, const struct request *request,
		 const struct text *name);
/* False, with the reply 403 host-not-allowed, if the server does not answer for the request's Host:
 * one that listens on loopback or that lists its names answers for these only. */
MUST_USE bool host_check(struct context *ctx);

#endif
