/* service_client.h: sends requests to a service in this process, without sockets. */
#ifndef TESTS_SERVER_SERVICE_CLIENT_H
#define TESTS_SERVER_SERVICE_CLIENT_H

#include "server/api/request/service_state.h"

struct client_response {
	unsigned status;
	unsigned answers; /* number of answers to the request: must be 1 */
	char body[1 << 16];
	char location[64];
};

/* A configuration with the default limits. */
struct config client_config(const char *store);

/* Starts a service without threads over that store; fails the test if that fails. */
struct service *client_start_service(const char *store);
void client_stop_service(struct service *service);
/* The incarnation of its store; valid until the next call. */
const char *client_incarnation(const struct service *service);

/* The owner's Authorization for a request about a session that client_send() created; NULL for
 * other sessions. */
const char *client_token(const char *target, const char *body);

/* The Idempotency-Key of the next requests; NULL: none. */
extern const char *client_key;
/* The Accept header of the next requests; NULL: none. */
extern const char *client_accept;

/* Sends a request and waits for its answer; with the owner's token if the session was created by
 * client_send(). `body` NULL: none; `if_match` NULL: none. */
void client_send(struct service *service, struct client_response *response, const char *method,
		 const char *target, const char *body, const char *if_match);

/* The number of the first member with that key in the answer; fails the test if there is none. */
long long client_number(const struct client_response *response, const char *key);

#endif
