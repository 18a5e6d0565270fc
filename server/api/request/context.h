/* context.h: a request on its way through the service.
 *
 * From the handler on, steps run with the lock (service_state.h), on any of the loops; or as a job on another thread,
 * which then owns the context. A step that cannot go on (wrong input, out of memory) makes the
 * reply a problem and returns false; its caller stops. ctx_answer() ends the context, once, with
 * the lock. */
#ifndef SERVER_API_REQUEST_CONTEXT_H
#define SERVER_API_REQUEST_CONTEXT_H

#include "server/access/forward.h"
#include "server/api/request/query.h"
#include "server/api/request/request.h"
#include "server/json/reader.h"
#include "server/session/session_cache.h"
#include "server/threads/pool.h"
#include "server/util/error.h"

struct context;
struct route;

/* In order of preference if a client accepts several equally. */
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
	MEDIA_PNG,
	MEDIA_WASM,
	MEDIA_WOFF2,
	MEDIA_MANIFEST,
	MEDIA_COUNT,
	MEDIA_MERGE_PATCH = MEDIA_COUNT, /* only of bodies */
	MEDIA_NAMES
};

/* The rights that authorize_check checks. */
enum rights_asked {
	RIGHTS_OF_ROUTE,       /* the rights that the route needs */
	RIGHTS_AFTER_DELETION, /* the same, also in a session that was deleted */
	RIGHTS_OF_CREATOR,     /* the client created the session: only that it still exists */
};

/* The facts that the receipt of an answer (steps/receipt.h) keeps in addition to the write; set by
 * handlers before ctx_write(). */
struct answer_facts {
	bool creates;  /* the answer is the session that the request creates */
	uint8_t known; /* enum cube_known of its cube */
	bool rebased;  /* the answer is an entry that was made on an older revision, `seen` */
	bool noted;    /* it has notes on the moves */
	uint32_t seen;
	uint8_t pattern_size; /* of the pattern that is stored */
};

/* The sender of the request: a token of a session, or nobody known (steps/authorize.h). */
struct sender {
	struct session_id session; /* of the token that was sent */
	uint32_t token;            /* its number; 0: none was sent */
	uint64_t key;              /* the store's, of that session; 0: it was deleted */
	uint8_t hash[HASH_BYTES];  /* of a token not yet resolved */
	bool asked;                /* a token was sent */
	bool pending;              /* its session is being entered to find it */
	enum rights_asked rights;  /* checked by authorize_check() */
};

/* The rate with the smallest part of its burst left, of those that counted a request. */
struct rate_left {
	const char *name; /* NULL: none */
	uint64_t burst, left, reset_ms, burst_ms;
};

/* The rates that count the request (steps/rate_limit.h). */
struct rate_count {
	bool counted;            /* limits for each address apply: it is not loopback */
	bool creation;           /* it counted as a creation; taken back if nothing is created */
	uint64_t factor;         /* its rates as a multiple of the limits; 0: unlimited */
	uint64_t network_factor; /* the same of its network; 0: no network is counted */
	struct network network;
	uint64_t bytes; /* counted as stored; taken back if nothing is stored */
	struct rate_left left;
	struct rate_left creation_left; /* of those that count creations */
};

/* The entry of the request into a session (steps/session_visit.h). It is needed until the context is
 * answered: a visit that others overtook enters again. */
struct ctx_entry {
	void (*entered)(struct context *ctx);
	void *data; /* ctx->data, set by ctx_acquire_trusting */
};

/* The wait that the context is in. Until the handler runs it may be one for the token, which needs
 * only `then`; later ctx->job runs one of the two others first. */
struct ctx_wait {
	union {
		void (*compute)(struct context *ctx); /* set by ctx_compute, any thread */
		void (*read)(struct context *ctx, struct store_reader *reader); /* by ctx_read */
	};
	void (*then)(struct context *ctx); /* called afterwards, on a loop's thread */
};

struct context {
	/* To the session of the path, or the one a cube is taken from. First: when it is committed,
	 * what the answer needs is in the cache lines behind it (expect_write in session/write.c). */
	struct visit visit;
	struct service *service;
	struct request *request;
	const struct route *route;
	struct idempotency
		*idempotency; /* of a request with an Idempotency-Key; see steps/idempotency.h */
	struct context *next; /* in a list of waiting contexts */
	struct query query;
	enum media media;          /* of the answer, negotiated */
	bool lines;                /* the body is NDJSON and not parsed */
	bool plain;                /* the body is plain text: moves */
	bool cube_on_top;          /* the members of the cube are at the top of the body */
	struct json_reader json;   /* for the body, and for JSON in parameters and the store */
	struct json_value *body;   /* parsed, an object on the arena; NULL for GET and lines */
	struct json_error *faults; /* refused so far by input_refuse(), the first one first */
	struct text name;          /* the part of the path for a hole other than {id} */
	struct text outer;         /* for the hole before that one */
	void *data;                /* the handler's, on the arena */
	struct sender who;
	uint8_t client[16]; /* the address that it counts for; of IPv6 the first half */
	struct rate_count rates;
	struct ctx_entry entry;
	struct json_place named; /* the member or parameter that names the session, for problems;
				  * neither: the path */
	struct answer_facts facts;
	struct ctx_wait wait;
	struct job job; /* the job on another thread for this context */
};

/* Prepares the context of a request, or of a part that is never answered on its own. */
void ctx_init(struct context *ctx, struct service *service, struct request *request);

/* The reply is complete: leaves the session and sends it. */
void ctx_answer(struct context *ctx);
/* Makes the reply 503 out-of-memory; always returns false. */
bool ctx_no_memory(struct context *ctx);
/* Makes the reply the problem of a store's status. */
void ctx_store_problem(struct context *ctx, enum store_status status);
/* arena_alloc on the request's arena; NULL and the reply 503 if out of memory. */
MUST_USE void *ctx_alloc(struct context *ctx, size_t bytes);

/* The time that a loop's thread may compute without the lock. */
#define INLINE_NS 300000

/* Parsing JSON, ns per byte in the worst case, small arrays and objects in arrays; measured by
 * tests/bench/views.c. */
#define PARSE_BYTE_NS 30

struct context *ctx_of_job(struct job *job);

/* Makes the reply the problem for a client that has closed its side of the connection. Only a
 * client that has merely closed its sending side can read it. */
void ctx_problem_left(struct context *ctx);

/* A job.drop for ctx->job: ctx_problem_left(), then job->done, as after a run that failed. Set for
 * requests that change nothing. */
void ctx_drop(struct job *job);

/* ---- shared by the handlers ---- */

/* Runs `compute` here or, if its cost in ns is too much for the loop, on a worker; then `then` with
 * the lock (NULL: the context is answered). `compute` touches only the context and what it was
 * given; in no session it runs without the lock. A session that the context has locked is not held
 * while it waits for a thread; if it changes meanwhile, neither is called, and the context enters it
 * again (ctx_acquire). If `compute` fails, the reply is a problem (see reply.status); so it is if
 * there is no room for a computation that long, and `compute` was not called. */
void ctx_compute(struct context *ctx, uint64_t cost_ns, void (*compute)(struct context *ctx),
		 void (*then)(struct context *ctx));

/* Runs `read` on a reader's thread, then `then` with the lock. A locked session is not held until
 * then, as in ctx_compute(). `read` touches only the context and what it was given; if it does not finish within a slice (job_slice_over) it sets
 * ctx->job.more and is called again, after other jobs. With the lock. */
void ctx_read(struct context *ctx, void (*read)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx));
/* The same on the thread that posts notices, in a store that has them. */
void ctx_post(struct context *ctx, void (*post)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx));
/* The same for reads known to be long. */
void ctx_scan(struct context *ctx, void (*read)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx));

/* Text for a header of the reply, on the arena; if out of memory the reply counts as failed. */
const char *ctx_reply_text(struct context *ctx, const char *text, size_t length);
/* Call it before storing something for this reply: false, with a 503, if memory ran out while the
 * reply was made. */
MUST_USE bool ctx_reply_made(struct context *ctx);

/* Finishes a JSON answer that was written into the reply's body. */
void ctx_reply_json(struct context *ctx, unsigned status);

#endif
