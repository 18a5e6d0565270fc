/* loop_client.h: requests to a service, one at a time, from a thread that is its only loop; and how long each
 * of its steps takes of the thread's time on the processor. */
#ifndef TESTS_LOOP_CLIENT_H
#define TESTS_LOOP_CLIENT_H

#include "server/api/service.h"

#include <stdatomic.h>

struct sent {
	const char *method, *target, *content_type, *accept, *if_match, *key;
	const char *body;
	size_t length;
};

struct answer {
	_Atomic bool done;
	unsigned status;
	uint64_t step_ns; /* the longest */
	char location[128], id[64];
	char body[4096]; /* its beginning */
};

/* The service that is asked, and the authorization: the owner of the session that was made last. */
extern struct service *service;
extern char authorization[128];
/* The one that check() asks as. */
extern char owner[sizeof authorization];

/* Ends the test where it does not hold. */
void need(bool holds, const char *what);

void send_one(const struct sent *sent, struct answer *answer);
/* Something that has to be there first: JSON, answered with that status. */
struct answer must(const char *method, const char *path, const char *body, unsigned status);
/* Asks for a stream of events, which stays open until watch_end(). */
void watch(const char *target, const char *accept);
void watch_end(void);

/* Makes what must be new for each try; may change the target. */
typedef void prepare(char *target, size_t room);

/* A step may take this long; the least of TRIES counts, of TRIES_ABOVE while it is above the limit. */
#define LIMIT_NS 1000000
#define TRIES 7
#define TRIES_ABOVE 50

/* The results of check(). `only`: just the requests whose target or body has this text, each of
 * which is printed; NULL: all. */
extern struct checked {
	const char *only;
	size_t requests, failures;
	uint64_t slowest_ns;
} checked;

/* Sends it until no step takes half of LIMIT_NS, or as often as is allowed; prints it if each took more than all of it,
 * or if the status is another one. `status` 0: any below 500. */
void check(struct sent sent, prepare *before, unsigned status);

#endif
