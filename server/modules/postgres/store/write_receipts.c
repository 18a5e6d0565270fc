/* write_receipts.c: the receipts of a transaction. */
#include "server/modules/postgres/store/lane.h"

#include <stdlib.h>
#include <string.h>

/* Some writes of a transaction may have failed before it is sent. */
static bool has_receipt(const struct store_write *write)
{
	return write->receipt != NULL && write->status == STORE_OK;
}

static int by_key(const void *a, const void *b)
{
	const struct store_write *const *x = a, *const *y = b;
	return memcmp((*x)->receipt->key, (*y)->receipt->key, HASH_BYTES);
}

/* 0: it cannot be refused, or has no key yet. */
static uint64_t session_of(const struct store_write *write)
{
	return write->kind == WRITE_CREATE || write->kind == WRITE_ANSWER ? 0 : write->meta.key;
}

static void add_receipts(struct parameters *p, const struct store_write *const *writes,
			 uint32_t count)
{
	parameters_array(p, PG_UUID, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_bytes(p, writes[i]->receipt->key, RECEIPT_KEY_BYTES);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, session_of(writes[i]));
	parameters_array(p, PG_BYTEA, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_bytes(p, writes[i]->receipt->key, HASH_BYTES);
	parameters_array(p, PG_BYTEA, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_bytes(p, writes[i]->receipt->body, HASH_BYTES);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_int8(p, writes[i]->receipt->created_ms);
	parameters_array(p, PG_BYTEA, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_bytes(p, writes[i]->receipt->answer, writes[i]->receipt->answer_bytes);
}

enum failure transaction_receipts_send(struct transaction *transaction)
{
	struct parameters *p = &transaction->parameters;
	uint32_t count = 0, at = 0;
	for (const struct store_write *w = transaction->first; w != transaction->end; w = w->next)
		count += has_receipt(w);
	if (count == 0)
		return FAILURE_NONE;
	const struct store_write **writes = malloc(count * sizeof(const struct store_write *));
	if (writes == NULL)
		return FAILURE_NO_MEMORY;
	for (const struct store_write *w = transaction->first; w != transaction->end; w = w->next)
		if (has_receipt(w))
			writes[at++] = w;
	/* Rows are locked in the order of keys. */
	qsort(writes, count, sizeof(const struct store_write *), by_key);
	parameters_begin(p);
	parameters_int4(p, transaction->lane->number);
	parameters_uint8(p, transaction->batch);
	add_receipts(p, writes, count);
	parameters_int8(p, transaction->lane->store->options.now_ms() - RECEIPT_KEPT_MS);
	free(writes);
	return transaction_send(transaction, STATEMENT_RECEIPTS, ANSWER_NOTHING);
}
