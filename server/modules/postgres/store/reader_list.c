/* reader_list.c: lists of sessions, by key. */
#include "server/modules/postgres/store/session_row.h"

#define PAGE_ROWS 64

struct list {
	struct postgres_reader *reader;
	enum statement statement;
	uint64_t at, own; /* resume key; extra session to include although unlisted */
	uint32_t left;    /* rows that may be read */
	bool more;        /* the visitor wants more */
	bool another;     /* there is another row */
};

/* One row more than may be visited: whether there is another session. */
MUST_USE static enum store_status list_page(struct list *list, uint32_t rows, PGresult **result)
{
	struct parameters *p = &list->reader->parameters;
	parameters_begin(p);
	parameters_uint8(p, list->at > INT64_MAX ? INT64_MAX : list->at);
	parameters_uint4(p, rows + 1);
	if (list->statement == STATEMENT_LIST)
		parameters_uint8(p, list->own > INT64_MAX ? 0 : list->own);
	return pg_reader_run(list->reader, list->statement, result);
}

MUST_USE static enum store_status visit_row(struct list *list, const PGresult *result, int row,
					    store_visit_session *visit, void *context)
{
	struct stored_session session;
	const enum store_status status = session_row_read(result, row, &session);
	if (status != STORE_OK)
		return status;
	list->at = session.meta.key;
	list->left--;
	list->more = visit(context, &session);
	stored_session_free(&session);
	return STORE_OK;
}

MUST_USE static enum store_status list_visit(struct list *list, store_visit_session *visit,
					     void *context, uint64_t *next)
{
	enum store_status status = STORE_OK;
	bool end = false;
	while (status == STORE_OK && !end && !list->another) {
		PGresult *result;
		const uint32_t rows = list->left < PAGE_ROWS ? list->left : PAGE_ROWS;
		status = list_page(list, rows, &result);
		if (status != STORE_OK)
			break;
		const int count = pq.PQntuples(result);
		for (int i = 0; i < count && status == STORE_OK && !list->another; i++) {
			list->another = !list->more || list->left == 0;
			if (!list->another && (uint32_t)i < rows)
				status = visit_row(list, result, i, visit, context);
		}
		end = (uint32_t)count <= rows;
		pq.PQclear(result);
	}
	*next = status == STORE_OK && list->another ? list->at : 0;
	return status;
}

enum store_status pg_reader_list(struct store_reader *base, uint64_t own, uint64_t before,
				 uint32_t look_at, store_visit_session *visit, void *context,
				 uint64_t *next)
{
	struct list list = {.reader = (struct postgres_reader *)base,
			    .statement = STATEMENT_LIST,
			    .at = before,
			    .own = own,
			    .left = look_at,
			    .more = true};
	return list_visit(&list, visit, context, next);
}

enum store_status pg_reader_list_oldest(struct store_reader *base, uint64_t after, uint32_t look_at,
					store_visit_session *visit, void *context, uint64_t *next)
{
	struct list list = {.reader = (struct postgres_reader *)base,
			    .statement = STATEMENT_LIST_OLDEST,
			    .at = after,
			    .left = look_at,
			    .more = true};
	return list_visit(&list, visit, context, next);
}
