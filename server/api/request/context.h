/* context.h: a request on its way through the service.
 *
 * Steps run with the service's lock (service_state.h), on any of its loops; or as a job on another thread
 * that then holds the context alone. A step that cannot go on (wrong input, memory out) makes the
 * reply a problem and returns false; the one that called it stops. ctx_answer() ends the context,
 * once, with the lock. */
#ifndef SERVER_API_REQUEST_CONTEXT_H
#define SERVER_API_REQUEST_CONTEXT_H

#include "cube/libcube.h"
#include "server/api/request/query.h"
#include "server/api/request/request.h"
#include "server/json/reader.h"
#include "server/session/session_cache.h"
#include "server/threads/pool.h"

struct route;

/* In order of preference where a client likes several equally. */
enum media {
	MEDIA_JSON,
	MEDIA_YAML,
	MEDIA_TEXT,
	MEDIA_EVENTS,
	MEDIA_NDJSON,
	MEDIA_OCTETS,
	MEDIA_NPY,
	MEDIA_HTML,
	MEDIA_SCRIPT,
	MEDIA_STYLE,
	MEDIA_SVG,
	MEDIA_CSV,
	MEDIA_CSTIMER,
	MEDIA_COUNT
};

/* What authorize_check asks. */
enum rights_asked {
	RIGHTS_OF_ROUTE,       /* what the route needs */
	RIGHTS_AFTER_DELETION, /* the same, also in a session that was deleted */
	RIGHTS_OF_CREATOR, /* the context is of who created the session: only that it is there */
};

/* What the receipt of an answer (steps/receipt.h) keeps beside the write; set by handlers before
 * ctx_write(). */
struct answer_facts {
	bool creates;  /* the answer is the session that the request creates */
	uint8_t known; /* enum cube_known of its cube */
	bool rebased;  /* the answer is an entry that was made on an older revision, `seen` */
	bool noted;    /* it has notes on the moves */
	uint32_t seen;
	uint8_t pattern_size; /* of the pattern that is stored */
};

struct context {
	struct service *service;
	struct request *request;
	const struct route *route;
	struct context *next; /* in a list of waiting contexts */
	struct query query;
	enum media media;        /* of the answer, negotiated */
	bool lines;              /* the body is NDJSON and not parsed */
	struct json_reader json; /* of the body, and of JSON in parameters and the store */
	struct json_value *body; /* parsed, an object on the arena; NULL for GET and lines */
	struct text name;        /* of the path, where the route has a hole that is not {id} */
	char allow[64];          /* the methods of the path, for a reply that tells them */
	void *data;              /* of the handler, on the arena */
	void (*answered)(struct context *ctx); /* of ctx_answer */

	struct {
		struct session_id session; /* whose token was sent */
		uint32_t token;            /* its number; 0: none was sent */
		uint64_t key;              /* the store's, of that session; 0: it was deleted */
		uint8_t hash[HASH_BYTES];  /* of a token that is not known yet */
		bool asked;                /* a token was sent */
		bool pending;              /* its session is being entered to find it */
		void (*then)(struct context *ctx); /* when it is found */
	} who;
	uint8_t client[16];     /* the address that it counts for, of IPv6 the first half */
	bool counted;           /* the shares of one address hold for it: it is not of loopback */
	uint64_t rate_factor;   /* its rates, as a multiple of the limits; 0: it has none */
	bool creation_counted;  /* as a creation, taken back if nothing is created */
	uint64_t bytes_counted; /* as stored, taken back if nothing is stored */
	struct idempotency
		*retry;     /* of a request with an Idempotency-Key; see steps/idempotency.h */
	unsigned char asks; /* enum rights_asked */

	struct visit visit; /* to the session of the path, or that a cube was taken from */
	void (*entered)(struct context *ctx); /* of ctx_acquire */

	struct answer_facts facts;

	void (*compute)(struct context *ctx); /* of ctx_compute, on any thread */
	void (*read)(struct context *ctx, struct store_reader *reader); /* of ctx_read */
	void (*then)(struct context *ctx); /* and after it, on the loop's */
	void (*left)(struct context *ctx); /* the client has left; NULL: nothing stops for that. Set
					  * together with request->heeds_leaving */
	struct job job;                    /* what runs on another thread for this work */
};

/* A context of a request, or of a part of one that is never answered on its own. */
void ctx_init(struct context *ctx, struct service *service, struct request *request);

/* The reply is complete: leaves the session and sends it. */
void ctx_answer(struct context *ctx);
/* Makes the reply 503 out-of-memory; returns false for the convenience of steps. */
bool ctx_no_memory(struct context *ctx);
/* Makes the reply the problem of a store's status. */
void ctx_store_problem(struct context *ctx, enum store_status status);
/* arena_take on the request's arena; NULL and the reply 503 when memory is out. */
void *ctx_alloc(struct context *ctx, size_t bytes);

/* Parsing JSON, by the byte, in ns: the worst of it, small arrays and objects in arrays; measured by
 * tests/bench/views.c. */
#define PARSE_BYTE_NS 30

struct context *ctx_of_job(struct job *job);

/* Makes the reply the problem for a client that has closed its side of the connection. Only one that
 * has closed its sending side alone can read it. */
void ctx_problem_left(struct context *ctx);

/* A job.drop of ctx->job: ctx_problem_left(), then job->done, which ends as after a run that
 * failed. Set for requests that change nothing. */
void ctx_drop(struct job *job);

/* ---- shared by the handlers ---- */

/* Runs `compute` here or, where its cost in ns is too much for the loop, on a worker; then `then`
 * with the lock (NULL: the context is answered). `compute` touches nothing but the context and what it
 * was given; a context in no session computes without the lock. A `compute` that fails leaves a
 * problem as the reply; reply.status tells. So it does where there is no room for a computation that
 * long, and `compute` was not called. */
void ctx_compute(struct context *ctx, uint64_t cost_ns, void (*compute)(struct context *ctx),
		 void (*then)(struct context *ctx));

/* Runs `read` on a thread that reads the store, then `then` with the lock. `read` touches nothing but
 * the context and what it was given; if it is not finished within a slice (job_slice_over) it sets
 * ctx->job.more and is called again, behind others. With the lock. */
void ctx_read(struct context *ctx, void (*read)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx));
/* The same for what is known to read much. */
void ctx_scan(struct context *ctx, void (*read)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx));

/* Text for a header of the reply, on the arena; where memory is out the reply counts as failed. */
const char *ctx_reply_text(struct context *ctx, const char *text, size_t length);
/* Before something is written to the store for this reply: false, with a 503, where memory ran out
 * while the reply was made. */
bool ctx_reply_made(struct context *ctx);

/* Finishes a JSON answer that was written into the reply's body. */
void ctx_reply_json(struct context *ctx, unsigned status);

#endif
