/* reader_find.c: single sessions, read by id or key. */
#include "server/modules/postgres/store/reader.h"
#include "server/modules/postgres/store/session_row.h"

/* The only row of a statement. */
MUST_USE static enum store_status read_one(struct postgres_reader *reader, enum statement statement,
					   struct stored_session *session)
{
	PGresult *result;
	enum store_status status = pg_reader_run(reader, statement, &result);
	if (status != STORE_OK)
		return status;
	status = pq.PQntuples(result) == 0 ? STORE_NOT_FOUND : session_row_read(result, 0, session);
	pq.PQclear(result);
	return status;
}

enum store_status pg_reader_find(struct store_reader *base, const struct session_id *id,
				 struct stored_session *session)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	*session = (struct stored_session){0};
	parameters_begin(&reader->parameters);
	parameters_uint8(&reader->parameters, id_first8(id->bytes));
	parameters_int2(&reader->parameters, id_last2(id->bytes));
	return read_one(reader, STATEMENT_FIND, session);
}

enum store_status pg_reader_find_key(struct postgres_reader *reader, uint64_t key,
				     struct stored_session *session)
{
	*session = (struct stored_session){0};
	parameters_begin(&reader->parameters);
	parameters_uint8(&reader->parameters, key);
	return read_one(reader, STATEMENT_FIND_KEY, session);
}

enum store_status pg_reader_at(struct store_reader *base, uint64_t key, uint32_t revision,
			       struct history **history)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	PGresult *result;
	*history = NULL;
	if (key > INT64_MAX || revision > INT32_MAX)
		return STORE_NOT_FOUND;
	parameters_begin(&reader->parameters);
	parameters_uint8(&reader->parameters, key);
	parameters_uint4(&reader->parameters, revision);
	enum store_status status = pg_reader_run(reader, STATEMENT_AT, &result);
	if (status != STORE_OK)
		return status;
	status = pq.PQntuples(result) == 0 ? STORE_NOT_FOUND
					   : session_row_state(result, 0, revision, history);
	pq.PQclear(result);
	return status;
}
