/* reader_access.c: receipts and patterns, read. */
#include "server/modules/postgres/store/postgres_internal.h"

#include <stdlib.h>
#include <string.h>

enum store_status pg_reader_receipt(struct store_reader *base, const uint8_t key[HASH_BYTES],
				    struct receipt *receipt)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	struct parameters *p = &reader->parameters;
	PGresult *result;
	*receipt = (struct receipt){0};
	parameters_begin(p);
	parameters_bytes(p, key, RECEIPT_KEY_BYTES);
	parameters_bytes(p, key, HASH_BYTES);
	parameters_int8(p, reader->store->options.now_ms() - RECEIPT_KEPT_MS);
	enum store_status status = pg_reader_run(reader, STATEMENT_RECEIPT, &result);
	if (status != STORE_OK)
		return status;
	size_t body_bytes = 0, answer_bytes = 0;
	const bool found = pq.PQntuples(result) > 0;
	const uint8_t *body = found ? result_bytes(result, 0, 0, &body_bytes) : NULL;
	const uint8_t *answer = found ? result_bytes(result, 0, 2, &answer_bytes) : NULL;
	if (!found)
		status = STORE_NOT_FOUND;
	else if (body_bytes != HASH_BYTES || answer_bytes == 0)
		status = STORE_BROKEN;
	else if ((receipt->answer = malloc(answer_bytes)) == NULL)
		status = STORE_NO_MEMORY;
	if (status == STORE_OK) {
		memcpy(receipt->key, key, HASH_BYTES);
		memcpy(receipt->body, body, HASH_BYTES);
		memcpy(receipt->answer, answer, answer_bytes);
		receipt->answer_bytes = answer_bytes;
		receipt->created_ms = result_int8(result, 0, 1);
	}
	pq.PQclear(result);
	return status;
}

#define PAGE_ROWS 64 /* as in PATTERNS */

enum store_status pg_reader_patterns(struct store_reader *base, uint64_t key, const char *name,
				     bool texts, store_visit_pattern *visit, void *context)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	struct parameters *p = &reader->parameters;
	char *last = NULL; /* name of the last one of a page */
	enum store_status status = STORE_OK;
	bool more = true;
	while (more && status == STORE_OK) {
		PGresult *result;
		parameters_begin(p);
		parameters_uint8(p, key);
		parameters_text(p, name != NULL ? name : last != NULL ? last : "");
		parameters_bool(p, texts);
		status = pg_reader_run(
			reader, name != NULL ? STATEMENT_PATTERN : STATEMENT_PATTERNS, &result);
		if (status != STORE_OK)
			break;
		const int count = pq.PQntuples(result);
		for (int i = 0; i < count && more; i++) {
			const struct stored_pattern pattern = {
				.name = result_text(result, i, 0),
				.updated_ms = result_int8(result, i, 1),
				.pattern = result_text(result, i, 2),
			};
			more = visit(context, &pattern);
		}
		more = more && count == PAGE_ROWS;
		free(last);
		last = more ? strdup(result_text(result, count - 1, 0)) : NULL;
		if (more && last == NULL)
			status = STORE_NO_MEMORY;
		pq.PQclear(result);
	}
	free(last);
	return status;
}
