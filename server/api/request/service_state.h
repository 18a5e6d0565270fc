/* service_state.h: what all requests share; see server/api/service.h. */
#ifndef SERVER_API_REQUEST_SERVICE_STATE_H
#define SERVER_API_REQUEST_SERVICE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/access/rates.h"
#include "server/access/tickets.h"
#include "server/api/request/books.h"
#include "server/api/request/nodes.h"
#include "server/config.h"
#include "server/live/live.h"
#include "server/session/session_cache.h"
#include "server/threads/pool.h"
#include "server/util/first_seen.h"

/* The time, in ns, above which a computation belongs to the thread of long computations. */
#define WORKER_NS 50000000
/* The least estimate that sends a computation there. */
#define LONG_COMPUTATION_NS (WORKER_NS + 1)

struct context;
struct distances;
struct jobs;
struct kept_cache;
struct route;
struct shared_jobs;
struct table_cache;

struct service {
	struct config config;
	const struct route *routes; /* server/api/routes.h */
	size_t route_count;
	/* Called at the end of ctx_answer(): serve_answered(), of a layer above this one. */
	void (*answer)(struct context *ctx);
	struct completions completions;
	struct store *store;
	const struct nodes *nodes; /* NULL: no other server uses the database */
	struct pool
		*feed; /* one thread, which asks what others changed; NULL: nobody else writes */
	struct pool *readers; /* jobs that read the store; after a slice they continue as scans */
	struct pool *poster;  /* posts notices; NULL: the store has none */
	struct pool *scans;   /* jobs that read much of the store, in slices */
	struct pool *workers; /* jobs that compute for some milliseconds */
	struct pool *slow;    /* jobs that compute for longer, one of each client at a time */
	/* Its lock is held while sessions, the store's queue or waiting contexts are used; not while
	 * a request is parsed, nor during a computation in no session or in a locked one. */
	struct session_cache session_cache;
	struct live *live;
	struct table_cache *table_cache; /* tables for the methods of solving */
	struct distances *distances;     /* of scrambles at a distance from a goal, and of rows */
	struct kept_cache *subgroups;    /* of scrambles of few moves */
	struct jobs *jobs;               /* searches for solutions */
	struct shared_jobs *shared_jobs; /* NULL if no other server uses the database */
	_Atomic size_t job_streams;      /* open streams of their progress */
	struct rates *rates;
	struct budget *budget; /* memory of requests */
	struct tickets *tickets;
	const struct book_calls *books; /* NULL: no module has the recorded solves */
	struct stats_cache *stats;      /* theirs */
	struct idempotency *retries;    /* under way, by key: see steps/idempotency.h */
	_Atomic size_t pending;         /* requests not answered yet */
	struct context *held_up;        /* streamed answers waiting for memory */
	_Atomic size_t held_up_count;
	_Atomic bool draining, stopping; /* see service_drain(), service_stop() */
	_Atomic bool outgrown;           /* see service_outgrown() */
	int64_t started_ms;              /* since 1970 */
	struct first_seen refused_pages; /* origins that were refused and are in the log */
	struct job trim;                 /* gives memory back; its client is the service itself */
	_Atomic bool trimming;           /* it is queued or runs */
	bool inline_jobs; /* no threads: serve() finishes what it can before it returns */
};

#endif
