/* walk_parts.c: the rows of history or of snapshots in the order of sessions, a page at a time. */
#include "server/modules/postgres/store/database_internal.h"

#include <stdint.h>

#define NO_SESSION UINT64_MAX /* keys are below */

void parts_begin(struct parts *parts, const char *sql)
{
	/* The first page begins behind the last row that a session 0 could have. */
	*parts = (struct parts){.sql = sql, .first = INT32_MAX};
}

void parts_finish(struct parts *parts)
{
	pq.PQclear(parts->rows);
	parts->rows = NULL;
}

MUST_USE static enum store_status next_page(struct walk *walk, struct parts *parts)
{
	parts_finish(parts);
	parameters_begin(&walk->parameters);
	parameters_uint8(&walk->parameters, parts->session);
	parameters_int4(&walk->parameters, parts->first);
	parts->row = 0;
	return walk_run(walk, parts->sql, &parts->rows);
}

enum store_status parts_next(struct walk *walk, struct parts *parts)
{
	enum store_status status = STORE_OK;
	if (parts->session == NO_SESSION)
		return STORE_OK;
	if (parts->rows == NULL || ++parts->row == pq.PQntuples(parts->rows))
		status = next_page(walk, parts);
	if (status != STORE_OK)
		return status;
	if (pq.PQntuples(parts->rows) == 0) {
		parts->session = NO_SESSION;
		return STORE_OK;
	}
	parts->session = result_uint8(parts->rows, parts->row, 0);
	parts->first = result_int4(parts->rows, parts->row, 1);
	return STORE_OK;
}

enum store_status parts_find(struct walk *walk, struct parts *parts, uint64_t session)
{
	enum store_status status = STORE_OK;
	while (parts->session < session && status == STORE_OK)
		status = parts_next(walk, parts);
	return status;
}
