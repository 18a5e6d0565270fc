/* call.h: calling the service without sockets, from tests. */
#ifndef TESTS_CALL_H
#define TESTS_CALL_H

#include "server/api/request/service_state.h"

struct call {
	unsigned status;
	unsigned answers; /* how often it was answered: 1 */
	char body[1 << 16];
	char location[64];
};

/* A configuration with the default limits. */
struct config call_config(const char *store);

/* A service without threads over that store; fails the test where it cannot be made. */
struct service *call_start(const char *store);
void call_stop(struct service *service);

/* The value of Authorization for a request about a session that call() has made: its owner's; NULL for
 * others. */
const char *call_token(const char *target, const char *body);

/* The Idempotency-Key of the requests that follow; NULL: none. */
extern const char *call_key;
/* Likewise Accept. */
extern const char *call_accept;

/* Makes a request and waits for its answer; the owner's, where it is about a session that was made here. `body` NULL: none; `if_match` NULL: none. */
void call(struct service *service, struct call *call, const char *method, const char *target,
	  const char *body, const char *if_match);

/* The number after "key": in the answer's first such member; fails the test where there is none. */
long long call_number(const struct call *call, const char *key);

#endif
