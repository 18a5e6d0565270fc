/* route.h: what a route is: a row of the table in server/api/routes.c. */
#ifndef SERVER_API_REQUEST_ROUTE_H
#define SERVER_API_REQUEST_ROUTE_H

#include "server/api/request/context.h"

/* What a route does decides who may call it, which rate counts it, and whether an Idempotency-Key is
 * heeded. */
enum route_does {
	READS,      /* a session it looks at must be one that may be seen */
	CREATES,    /* a session; as READS for one whose cube is taken */
	WRITES,     /* something that all who may read the session see */
	TURNS,      /* the cube of the session, or its patterns */
	OWNS,       /* changes what only the owner may */
	DELETES,    /* the session: as OWNS; a retry is answered although it is gone */
	OWNS_READS, /* tells what only the owner may know */
};

enum route_body {
	BODY_NONE, /* or not JSON */
	BODY_JSON, /* parsed before the handler is called */
	BODY_OWN   /* JSON that the handler parses */
};

struct route {
	const char *method; /* HEAD is answered by the GET row */
	const char *path;   /* {id} stands for a session's id; {another} for any other part */
	void (*handle)(struct context *ctx); /* answers the context, now or later */
	uint32_t parameters; /* bits (1 << enum parameter) of the query parameters it knows */
	uint16_t media; /* bits (1 << enum media) of what it can answer; 0: it has no body to answer
			 */
	uint8_t body;   /* enum route_body */
	uint8_t lines;  /* reads NDJSON too, and answers that with one of these bits; 0: it does not
			 */
	uint8_t does;   /* enum route_does */
};

/* Whether it changes something that is stored. */
static inline bool route_changes(const struct route *route)
{
	return route->does != READS && route->does != OWNS_READS;
}

#endif
