/* notices.c: what the processes of a database share: a secret, and what they say about themselves. */
#include "server/modules/postgres/store/postgres_internal.h"

#include <string.h>

enum store_status pg_reader_secret(struct store_reader *base, uint8_t secret[HASH_BYTES])
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	PGresult *result;
	size_t length = 0;
	parameters_begin(&reader->parameters);
	enum store_status status = pg_reader_run(reader, STATEMENT_SECRET, &result);
	if (status != STORE_OK)
		return status;
	const uint8_t *bytes =
		pq.PQntuples(result) > 0 ? result_bytes(result, 0, 0, &length) : NULL;
	if (bytes != NULL && length == HASH_BYTES)
		memcpy(secret, bytes, HASH_BYTES);
	else
		status = STORE_BROKEN;
	pq.PQclear(result);
	return status;
}

enum store_status pg_reader_post(struct store_reader *base, const struct store_notice *notices,
				 size_t count)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	struct parameters *p = &reader->parameters;
	PGresult *result;
	parameters_begin(p);
	parameters_uint8(p, reader->store->process);
	parameters_array(p, PG_UUID, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		parameters_bytes(p, notices[i].subject, NOTICE_SUBJECT_BYTES);
	parameters_array(p, PG_BYTEA, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		parameters_bytes(p, notices[i].bytes, notices[i].length);
	const enum store_status status = pg_reader_run(reader, STATEMENT_POST, &result);
	if (status == STORE_OK)
		pq.PQclear(result);
	return status;
}

static bool read_notice(const PGresult *result, int row, struct store_notice *notice)
{
	size_t subject_bytes = 0;
	const uint8_t *subject = result_bytes(result, row, 0, &subject_bytes);
	if (subject == NULL || subject_bytes != NOTICE_SUBJECT_BYTES)
		return false;
	*notice = (struct store_notice){.process = result_uint8(result, row, 1),
					.stopped = result_bool(result, row, 3)};
	memcpy(notice->subject, subject, NOTICE_SUBJECT_BYTES);
	notice->bytes = result_bytes(result, row, 2, &notice->length);
	return notice->bytes != NULL;
}

enum store_status pg_reader_notices(struct store_reader *base,
				    const uint8_t (*subjects)[NOTICE_SUBJECT_BYTES], size_t count,
				    store_visit_notice *visit, void *context)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	struct parameters *p = &reader->parameters;
	PGresult *result;
	parameters_begin(p);
	parameters_uint8(p, reader->store->process);
	parameters_array(p, PG_UUID, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		parameters_bytes(p, subjects[i], NOTICE_SUBJECT_BYTES);
	parameters_int8(p, NOTICE_ALIVE_MS);
	enum store_status status = pg_reader_run(reader, STATEMENT_NOTICES, &result);
	if (status != STORE_OK)
		return status;
	struct store_notice notice;
	for (int i = 0; i < pq.PQntuples(result) && status == STORE_OK; i++) {
		if (read_notice(result, i, &notice))
			visit(context, &notice);
		else
			status = STORE_BROKEN;
	}
	pq.PQclear(result);
	return status;
}
