/* scan.c: reading much of the store in slices. */
#include "server/api/request/scan.h"

#include "server/api/request/service_state.h"

/* The maximum number of rows for one call of the store: rows that it skips are not visited, so the
 * slice cannot end among them. */
#define SESSION_ROWS 64
#define SOLVE_ROWS 250

/* Called after each row that was visited. */
static bool wants_more(struct scan *scan, bool more)
{
	scan->visited++;
	scan->enough = !more;
	scan->stopped = scan->enough || job_slice_over(&scan->ctx->job);
	return !scan->stopped;
}

static bool session_visit(void *context, struct stored_session *session)
{
	struct scan *scan = context;
	return wants_more(scan, scan->session(scan->context, session));
}

static bool solve_visit(void *context, const struct stored_solve *solve)
{
	struct scan *scan = context;
	return wants_more(scan, scan->solve(scan->context, solve));
}

static uint32_t rows_begin(struct scan *scan, uint32_t most)
{
	scan->visited = 0;
	scan->stopped = false;
	return scan->left < most ? (uint32_t)scan->left : most;
}

/* Advances the scan, and returns true if it has ended. Rows skipped before the one that ended the
 * slice are not counted. */
static bool rows_end(struct scan *scan, uint32_t rows, uint64_t next)
{
	scan->left -= scan->stopped ? scan->visited : rows;
	scan->at = next;
	return scan->status != STORE_OK || next == 0 || scan->enough || scan->left == 0;
}

bool scan_sessions(struct scan *scan, struct store_reader *reader, uint64_t own,
		   const uint64_t *canonical)
{
	const struct store_operations *store = scan->ctx->service->store->operations;
	bool ended;
	do {
		const uint32_t rows = rows_begin(scan, SESSION_ROWS);
		uint64_t next = 0;
		scan->status = scan->oldest ? store->list_oldest(reader, scan->at, rows,
								 session_visit, scan, &next)
			       : canonical
				       ? store->canonical_index(reader, *canonical, own, scan->at,
								rows, session_visit, scan, &next)
				       : store->list(reader, own, scan->at, rows, session_visit,
						     scan, &next);
		ended = rows_end(scan, rows, next);
	} while (!ended && !job_slice_over(&scan->ctx->job));
	scan->ctx->job.more = !ended;
	return ended;
}

bool scan_solves(struct scan *scan, struct store_reader *reader, const struct solve_query *query)
{
	const struct store_operations *store = scan->ctx->service->store->operations;
	struct solve_query asked = *query;
	bool ended;
	do {
		uint64_t next = 0;
		asked.look_at = rows_begin(scan, SOLVE_ROWS);
		asked.from = scan->at;
		scan->status = store->solves(reader, &asked, solve_visit, scan, &next);
		ended = rows_end(scan, asked.look_at, next);
	} while (!ended && !job_slice_over(&scan->ctx->job));
	scan->ctx->job.more = !ended;
	return ended;
}
