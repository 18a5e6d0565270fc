/* state.h: the service's inside, for its own files. */
#ifndef SERVER_STATE_H
#define SERVER_STATE_H

#include "server/api/service.h"
#include "server/session/hub.h"
#include "server/session/jobs.h"

/* What takes longer than this, in ns, is for the thread of long computations. */
#define WORKER_NS 50000000

struct service {
	struct config config;
	struct completions completions;
	struct store *store;
	struct pool *readers; /* jobs that read the store */
	struct pool *workers; /* jobs that compute for some milliseconds */
	struct pool *slow;    /* jobs that compute for longer, one at a time */
	uint64_t slow_ns;     /* what those that wait and run will take, as estimated */
	struct hub hub;
	size_t pending; /* requests not answered yet */
	bool stopping;
	bool check_host;  /* only hosts on the list are served */
	bool inline_jobs; /* no threads: serve() finishes what it can before it returns */
};

/* Milliseconds since 1970. */
int64_t service_now_ms(void);

#endif
