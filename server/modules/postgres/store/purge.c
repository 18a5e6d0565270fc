/* purge.c: deletes what is too old, in slices: receipts, answers of solvers, rows of `change`, lanes of
 * processes that stopped, sessions that were deleted long ago. */
#include "server/modules/postgres/store/maintenance.h"

#define SLICES_MAX 64 /* of a kind in a round */

/* Runs a statement with one parameter until there is nothing left to delete. */
MUST_USE static enum store_status purge_slices(struct maintenance *maintenance,
					       enum statement statement, int64_t parameter)
{
	enum store_status status = STORE_OK;
	uint64_t count = 1;
	for (int i = 0; i < SLICES_MAX && status == STORE_OK && count > 0; i++) {
		parameters_begin(&maintenance->parameters);
		parameters_int8(&maintenance->parameters, parameter);
		status = maintenance_count(maintenance, statement, &count);
		if (maintenance->stopping)
			break;
	}
	return status;
}

/* The same for a statement without parameters. */
MUST_USE static enum store_status purge_all(struct maintenance *maintenance,
					    enum statement statement)
{
	enum store_status status = STORE_OK;
	uint64_t count = 1;
	for (int i = 0; i < SLICES_MAX && status == STORE_OK && count > 0; i++) {
		parameters_begin(&maintenance->parameters);
		status = maintenance_count(maintenance, statement, &count);
		if (maintenance->stopping)
			break;
	}
	return status;
}

MUST_USE static enum store_status purge_session(struct maintenance *maintenance, int64_t key)
{
	enum store_status status = purge_slices(maintenance, STATEMENT_PURGE_SOLVES, key);
	uint64_t count;
	if (status == STORE_OK)
		status = purge_slices(maintenance, STATEMENT_PURGE_HISTORY, key);
	if (status != STORE_OK || maintenance->stopping)
		return status;
	parameters_begin(&maintenance->parameters);
	parameters_int8(&maintenance->parameters, key);
	return maintenance_count(maintenance, STATEMENT_PURGE_SESSION, &count);
}

MUST_USE static enum store_status purge_sessions(struct maintenance *maintenance, int64_t oldest_ms)
{
	PGresult *result;
	parameters_begin(&maintenance->parameters);
	parameters_int8(&maintenance->parameters, oldest_ms);
	enum store_status status =
		maintenance_run(maintenance, STATEMENT_DELETED_SESSIONS, &result);
	if (status != STORE_OK)
		return status;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK && !maintenance->stopping;
	     i++)
		status = purge_session(maintenance, result_int8(result, i, 0));
	pq.PQclear(result);
	return status;
}

enum store_status maintenance_purge(struct maintenance *maintenance)
{
	const int64_t now_ms = maintenance->store->options.now_ms();
	enum store_status status =
		purge_slices(maintenance, STATEMENT_PURGE_RECEIPTS, now_ms - RECEIPT_KEPT_MS);
	if (status == STORE_OK)
		status = purge_slices(maintenance, STATEMENT_PURGE_ANSWERS, ANSWERS_MAX);
	if (status == STORE_OK)
		status = purge_all(maintenance, STATEMENT_PURGE_CHANGES);
	if (status == STORE_OK)
		status = purge_all(maintenance, STATEMENT_PURGE_LANES);
	if (status == STORE_OK)
		status = purge_all(maintenance, STATEMENT_PURGE_NOTICES);
	if (status == STORE_OK)
		status = purge_all(maintenance, STATEMENT_PURGE_PROCESSES);
	if (status == STORE_OK)
		status = purge_sessions(maintenance, now_ms - SESSION_DELETED_KEPT_MS);
	return status;
}
