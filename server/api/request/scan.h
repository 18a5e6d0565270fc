/* scan.h: reading much of the store in slices (server/threads/pool.h).
 *
 * A read begins on the readers' threads. What does not finish within a slice continues as a scan,
 * on a thread of its own, one slice at a time and after the slices of other clients. Each slice is
 * a separate read, which sees what is stored at that time; so of concurrent changes a scan may see
 * some and not others. Its position is a key, so nothing is seen twice, and nothing that stays is
 * left out. */
#ifndef SERVER_API_REQUEST_SCAN_H
#define SERVER_API_REQUEST_SCAN_H

#include "server/api/request/context.h"
#include "server/util/error.h"

struct scan {
	/* Set by the caller: */
	struct context *ctx;
	uint64_t at;   /* the beginning: `before` or `from` of the store; then the next row */
	bool oldest;   /* of sessions: oldest first; `at` begins as 0 */
	uint64_t left; /* rows that may still be examined */
	/* One of the two: called for each row; false: stop. */
	bool (*session)(void *context, struct stored_session *session);
	bool (*solve)(void *context, const struct stored_solve *solve);
	void *context;

	enum store_status status;
	bool enough;      /* a visit returned false */
	bool stopped;     /* by the end of the slice */
	uint32_t visited; /* rows visited in the current answer of the store */
};

/* Reads on until the slice is over. False: there is more, and ctx->job.more is set for the next
 * slice. True: the end; `status` has failures, and `at` is where another scan would continue, 0 at
 * the end of the store.
 *
 * Sessions as store->list visits them, or store->canonical_index if `canonical` is not NULL. */
MUST_USE bool scan_sessions(struct scan *scan, struct store_reader *reader, uint64_t own,
			    const uint64_t *canonical);
/* The scan sets the query's `from` and `look_at`. */
MUST_USE bool scan_solves(struct scan *scan, struct store_reader *reader,
			  const struct solve_query *query);

#endif
