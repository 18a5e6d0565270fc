/* request.h: a request and its reply, as the service sees them: no sockets, no HTTP library.
 *
 * serve() takes a filled request and answers it, now or later. All memory of a request hangs on its
 * arena and is freed in one place, request_finish(), after the answer was sent. A request belongs
 * to the thread that serves it; once serve() has returned without an answer, to the service, until
 * it is answered. */
#ifndef SERVER_API_REQUEST_REQUEST_H
#define SERVER_API_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/arena.h"
#include "server/util/buffer.h"

struct config;
struct context;

/* The request headers that the service reads. */
#define HEADER_TABLE(X)                                                                            \
	X(HEADER_HOST, "Host")                                                                     \
	X(HEADER_ACCEPT_ENCODING, "Accept-Encoding")                                               \
	X(HEADER_ACCEPT, "Accept")                                                                 \
	X(HEADER_CONTENT_TYPE, "Content-Type")                                                     \
	X(HEADER_CONTENT_ENCODING, "Content-Encoding")                                             \
	X(HEADER_IF_MATCH, "If-Match")                                                             \
	X(HEADER_IF_NONE_MATCH, "If-None-Match")                                                   \
	X(HEADER_RANGE, "Range")                                                                   \
	X(HEADER_IF_RANGE, "If-Range")                                                             \
	X(HEADER_LAST_EVENT_ID, "Last-Event-ID")                                                   \
	X(HEADER_AUTHORIZATION, "Authorization")                                                   \
	X(HEADER_IDEMPOTENCY_KEY, "Idempotency-Key")                                               \
	X(HEADER_PREFER, "Prefer")                                                                 \
	X(HEADER_FORWARDED_FOR, "X-Forwarded-For")                                                 \
	X(HEADER_FORWARDED_HOST, "X-Forwarded-Host")                                               \
	X(HEADER_FORWARDED_PROTO, "X-Forwarded-Proto")                                             \
	X(HEADER_ORIGIN, "Origin")                                                                 \
	X(HEADER_SEC_FETCH_SITE, "Sec-Fetch-Site")                                                 \
	X(HEADER_CORS_HEADERS, "Access-Control-Request-Headers")                                   \
	X(HEADER_REQUEST_ID, "X-Request-Id")                                                       \
	X(HEADER_TRACEPARENT, "traceparent")

enum header {
#define HEADER_ROW(name, text) name,
	HEADER_TABLE(HEADER_ROW)
#undef HEADER_ROW
		HEADER_COUNT
};

/* The address of a client or of this machine, IPv4 as IPv4-mapped IPv6. */
struct peer {
	uint8_t address[16];
};

/* The longest X-Request-Id that is taken from a client; the length of one that is made. */
#define REQUEST_ID_MAX 128
#define REQUEST_ID_MADE 16

struct stream;
struct subscriber;

struct reply {
	unsigned status;
	const char *content_type; /* a literal; NULL with an empty body */
	struct buffer body;       /* malloc'd; the HTTP layer takes it over, but not its charge */
	struct stream *stream;    /* instead of a body, or NULL; see stream.h */
	struct subscriber
		*subscriber;  /* instead of a body, or NULL: events without end; their sender takes
			       * it over, see server/live/live.h */
	const char *allow;    /* Allow header, or NULL; lives as long as the request */
	const char *location; /* the same lifetime */
	const char *etag;
	const char *content_range; /* of a part, or of a range that is refused; NULL: none */
	bool accept_ranges;        /* it may be asked for in parts */
	const char *link;
	const char *token;        /* Cubed-Token: a new session's, if the body does not have it */
	const char *authenticate; /* WWW-Authenticate */
	const char *accept_encoding; /* Accept-Encoding, of an answer to a compressed body */
	const char *rate_limit, *rate_policy; /* RateLimit, RateLimit-Policy */
	unsigned char problem;                /* 1 + its enum problem_type, 0: none */
	unsigned char refusal;                /* 1 + its enum refusal, 0: none */
	unsigned retry_after_s;               /* 0: no Retry-After */
	const char *allow_origin;  /* Access-Control-Allow-Origin, or NULL; see origin.h */
	bool cross_origin;         /* pages of all origins may load it */
	const char *asked_headers; /* more of Access-Control-Allow-Headers, or NULL */
	bool vary_origin;          /* it depends on the request's Origin */
	bool cors_preflight;       /* answer of an OPTIONS request */
	bool minimal;              /* Preference-Applied: return=minimal, if it succeeds */
	bool replayed;             /* Idempotent-Replayed: the answer was given before */
	bool close;                /* close the connection after it */
	const char *policy;        /* Content-Security-Policy of a page or script */
	bool framed;               /* but other sites may show this page in a frame */
	const char *cache;         /* Cache-Control, see steps/caching.h; NULL: no-store */
	const char *encoding;      /* Content-Encoding; NULL: none */
	bool vary;                 /* it depends on Accept and Accept-Encoding */
};

struct service;

struct request {
	/* Filled before serve(): */
	const char *method; /* "GET" */
	const char *target; /* the raw request target, path and query, not decoded */
	size_t target_length;
	const char *body; /* not NUL-terminated */
	size_t body_length;
	const char *header[HEADER_COUNT]; /* NULL if absent; duplicates: joined, or refused */
	struct peer peer;
	struct peer local; /* the address that the client has connected to; all zero: none */
	uint64_t began_ns; /* when it was complete, on the monotonic clock; 0: now */
	/* Called exactly once, when `reply` is complete: before serve() returns, or later on any
	 * thread that serves or polls. Must not call the service. */
	void (*answered)(struct request *request);
	/* Called once for each serve_more(), on any thread that serves or polls; NULL: the sender
	 * takes no pieces. Must not call the service. */
	void (*produced)(struct request *request);
	void *owner; /* the caller's */
	/* Set by the service at any time: serve_left() must be called if the client disconnects
	 * before its answer. */
	_Atomic bool heeds_leaving;
	/* Called by serve_left(), once; NULL: the request goes on. Set together with
	 * `heeds_leaving`. */
	void (*left)(struct context *ctx);

	/* X-Request-Id: in the answer, its problem and the log. NULL: not identified, as a part of
	 * another request. */
	const char *id;
	char made_id[REQUEST_ID_MADE + 1]; /* if the client sent none */

	struct reply reply;
	struct arena arena;
	struct charge charge;   /* the memory of this request, until it is finished */
	struct charge *account; /* `charge`, or that of the request that this one is part of;
				 * charged for the arena and the reply's body */
	struct context *ctx;    /* the service's own, on the arena */
};

/* Makes an empty request, which must not be moved. */
void request_init(struct request *request);
/* Makes it part of `whole`, which lives longer and is charged for its memory. */
void request_join(struct request *request, const struct request *whole);
/* Sets `id`: the X-Request-Id of the client if that is 1 to REQUEST_ID_MAX visible ASCII characters,
 * else one that is made. Again if the headers were moved. */
void request_identify(struct request *request);
/* Empties the reply so that it can be written again; keeps the allowed origin, and whether
 * it prefers a minimal answer. */
void request_clear_reply(struct request *request);
/* Moves the reply of `from` here and frees the old one; keeps the allowed origin. */
void request_move_reply(struct request *request, struct request *from);
/* Frees everything it holds (the reply's body too, if it is still there). */
void request_finish(struct request *request);

#endif
