/* memory_access.c: tokens and receipts of the memory store. */
#include "server/store/memory_space.h"

#include <stdlib.h>
#include <string.h>

enum store_status memory_put_token(struct memory_session *session, const struct stored_token *token)
{
	if (token->number == 0 || token->number > session->token_count + 1)
		return STORE_NOT_FOUND;
	if (token->number == session->token_count + 1) {
		struct stored_token *tokens =
			realloc(session->tokens, token->number * sizeof(*tokens));
		if (tokens == NULL)
			return STORE_NO_MEMORY;
		session->tokens = tokens;
		session->token_count++;
	}
	session->tokens[token->number - 1] = *token;
	return STORE_OK;
}

static uint64_t key_hash(const uint8_t key[HASH_BYTES])
{
	uint64_t hash;
	memcpy(&hash, key, sizeof(hash));
	return hash;
}

struct memory_receipt *memory_receipt_make(const struct receipt *receipt)
{
	struct memory_receipt *kept = malloc(sizeof(*kept));
	uint8_t *answer = malloc(receipt->answer_bytes);
	if (kept == NULL || answer == NULL) {
		free(kept);
		free(answer);
		return NULL;
	}
	memcpy(answer, receipt->answer, receipt->answer_bytes);
	*kept = (struct memory_receipt){.receipt = *receipt};
	kept->receipt.answer = answer;
	return kept;
}

void memory_receipt_free(struct memory_receipt *receipt)
{
	if (receipt == NULL)
		return;
	free(receipt->receipt.answer);
	free(receipt);
}

void memory_receipt_add(struct memory_space *space, struct memory_receipt *receipt)
{
	table_add(&space->receipts, &receipt->by_key, key_hash(receipt->receipt.key));
	if (space->receipt_last == NULL)
		space->receipt_first = receipt;
	else
		space->receipt_last->newer = receipt;
	space->receipt_last = receipt;
}

const struct receipt *memory_find_receipt(const struct memory_space *space,
					  const uint8_t key[HASH_BYTES])
{
	/* An old one with the same key may still be there. */
	const struct receipt *newest = NULL;
	struct link *link = table_first(&space->receipts, key_hash(key));
	for (; link != NULL; link = table_next(link)) {
		const struct receipt *receipt = &((struct memory_receipt *)link)->receipt;
		if (memcmp(receipt->key, key, HASH_BYTES) == 0 &&
		    (newest == NULL || receipt->created_ms >= newest->created_ms))
			newest = receipt;
	}
	return newest;
}

void memory_receipts_purge(struct memory_space *space, int64_t oldest_ms)
{
	while (space->receipt_first != NULL &&
	       space->receipt_first->receipt.created_ms < oldest_ms) {
		struct memory_receipt *receipt = space->receipt_first;
		space->receipt_first = receipt->newer;
		if (space->receipt_first == NULL)
			space->receipt_last = NULL;
		table_remove(&space->receipts, &receipt->by_key);
		space->bytes -= receipt->receipt.answer_bytes + 128;
		memory_receipt_free(receipt);
	}
}
