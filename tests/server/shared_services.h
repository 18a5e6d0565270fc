/* shared_services.h: several services in one process over one memory store, as processes over one
 * database, with requests under way at the same time in a seeded order.
 *
 * Each step is one of: a request begins, a store commits or answers a write, a service takes in
 * what its store and its jobs have finished. */
#ifndef TESTS_SERVER_SHARED_SERVICES_H
#define TESTS_SERVER_SHARED_SERVICES_H

#include "server/api/request/request.h"
#include "service_client.h"

#define SHARED_SERVICES 3
#define SHARED_CALLS 24

/* A request under way. */
struct shared_call {
	struct request request;
	struct service *service;
	char method[8], target[96], body[96], if_match[24], authorization[96];
	const char *content_type; /* NULL: JSON */
	bool busy, answered;
	unsigned status;
	char text[2048]; /* the beginning of the answer */
	/* For the test: */
	unsigned kind, session;
	uint64_t floor, number, sent;
};

struct shared_services {
	struct service *service[SHARED_SERVICES];
	struct shared_call call[SHARED_CALLS];
	uint64_t random;
};

/* Starts services on a store of their own; their writes wait until they may go on. */
void shared_start(struct shared_services *shared, uint64_t seed, unsigned faults);
/* Answers all calls before. */
void shared_stop(struct shared_services *shared);
uint64_t shared_draw(struct shared_services *shared, uint64_t below);
void shared_hold(struct shared_services *shared, bool hold);

/* A call that is not busy; NULL: all are. */
struct shared_call *shared_free_call(struct shared_services *shared);
/* Begins it at a random service, or at call->service if that is set. Its texts are set. */
void shared_begin(struct shared_services *shared, struct shared_call *call);
/* One random step of a random store or service. */
void shared_step(struct shared_services *shared);
/* A call that was answered and not returned yet, which is free now; NULL: none. */
struct shared_call *shared_answered(struct shared_services *shared);

/* The number after "key": in an answer; -1: none. */
long long shared_number(const char *text, const char *key);

#endif
