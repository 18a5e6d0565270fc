/* route.h: what a route is: a row of a routes.def. */
#ifndef SERVER_API_REQUEST_ROUTE_H
#define SERVER_API_REQUEST_ROUTE_H

#include "server/api/request/context.h"

/* The effect of a route: it decides who may call it, which rate counts it, and if an
 * Idempotency-Key is used. */
enum route_does {
	READS,      /* a session it reads must be visible to the caller */
	CREATES,    /* a session; as READS for a session whose cube is taken */
	WRITES,     /* something visible to all who may read the session */
	TURNS,      /* the cube of the session, or its own patterns */
	SHOWS,      /* something to all that watch the session; nothing is stored */
	OWNS,       /* changes what only an owner may change */
	DELETES,    /* the session: as OWNS; a retry is answered although it is gone */
	OWNS_READS, /* reads what only an owner may know */
};

enum route_body {
	BODY_NONE,  /* or not JSON */
	BODY_JSON,  /* parsed before the handler is called */
	BODY_MOVES, /* the same; or plain text, the moves, as if it were the member `moves` */
	BODY_QUERY, /* none, but the query is read as one: see input/query_body.h */
	BODY_OWN    /* JSON that the handler parses */
};

struct route {
	const char *method; /* the GET row answers HEAD too */
	const char *path;   /* {id} stands for a session's id; {another name} for any other part */
	void (*handle)(struct context *ctx); /* answers the context, now or later */
	parameter_set parameters;            /* its query parameters */
	uint32_t media; /* bits (1 << enum media) of its media types; 0: its answers have no body */
	uint8_t body;   /* enum route_body */
	uint8_t lines;  /* reads NDJSON too, and answers it with one of these bits; 0: no */
	uint8_t does;   /* enum route_does */
	bool page;      /* of the web page: its query is ignored, as other sites add to links */
};

/* Returns true if the route changes something stored. */
static inline bool route_changes(const struct route *route)
{
	return route->does != READS && route->does != OWNS_READS && route->does != SHOWS;
}

/* Returns true if the route appends moves to a session. */
static inline bool route_appends(const struct route *route)
{
	return route->does == TURNS && route->body == BODY_MOVES;
}

#endif
