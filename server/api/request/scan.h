/* scan.h: reading much of the store in slices (server/threads/pool.h).
 *
 * A read begins on the readers' threads. What is not finished within a slice goes on as a scan, on
 * a thread of its own, a slice at a time and behind the slices of other clients. Each slice is a
 * read of its own: a scan sees what is stored when it comes to it, so of what changes meanwhile it
 * may see some and not other. Its place is a key, so nothing is seen twice and nothing that stays is
 * left out. */
#ifndef SERVER_API_REQUEST_SCAN_H
#define SERVER_API_REQUEST_SCAN_H

#include "server/api/request/context.h"

struct scan {
	/* Set by who scans: */
	struct context *ctx;
	uint64_t at;   /* where to begin: as `before` or `from` of the store; then where to go on */
	uint64_t left; /* rows that may be looked at */
	/* One of the two: called for each row; false: no more is wanted. */
	bool (*session)(void *context, struct stored_session *session);
	bool (*solve)(void *context, const struct stored_solve *solve);
	void *context;

	enum store_status status;
	bool enough;      /* no more is wanted */
	bool stopped;     /* by the end of the slice */
	uint32_t visited; /* rows of the store's answer that is being read */
};

/* Reads on until the slice is over. False: there is more, and ctx->job.more is set, for the next
 * slice. True: the end; `status` tells of failures, and `at` is where another scan would go on, 0
 * where there is no more.
 *
 * Sessions as store->list has them, or store->alike if `canonical` is not NULL. */
bool scan_sessions(struct scan *scan, struct store_reader *reader, uint64_t own,
		   const uint64_t *canonical);
/* The query's `from` and `look_at` are those of the scan. */
bool scan_solves(struct scan *scan, struct store_reader *reader, const struct solve_query *query);

#endif
