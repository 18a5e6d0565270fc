/* memory_access.c: tokens, patterns and receipts of the memory store. */
#include "server/store/memory_internal.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

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

/* ---- patterns ---- */

static void pattern_free(struct stored_pattern *pattern)
{
	free((char *)(uintptr_t)pattern->name);
}

void memory_patterns_free(struct memory_session *session)
{
	for (size_t i = 0; i < session->pattern_count; i++)
		pattern_free(&session->patterns[i]);
	free(session->patterns);
}

/* The index of the name, or where to insert it. */
static size_t pattern_place(const struct memory_session *session, const char *name, bool *there)
{
	size_t at = 0;
	while (at < session->pattern_count && strcmp(session->patterns[at].name, name) < 0)
		at++;
	*there = at < session->pattern_count && strcmp(session->patterns[at].name, name) == 0;
	return at;
}

static bool pattern_copy(struct stored_pattern *copy, const struct stored_pattern *pattern)
{
	const size_t name_bytes = strlen(pattern->name) + 1;
	const size_t bytes = strlen(pattern->pattern) + 1;
	char *block = malloc(name_bytes + bytes);
	if (block == NULL)
		return false;
	memcpy(block, pattern->name, name_bytes);
	memcpy(block + name_bytes, pattern->pattern, bytes);
	*copy = *pattern;
	copy->name = block;
	copy->pattern = block + name_bytes;
	return true;
}

static void pattern_remove(struct memory_session *session, size_t at)
{
	pattern_free(&session->patterns[at]);
	memmove(&session->patterns[at], &session->patterns[at + 1],
		(--session->pattern_count - at) * sizeof(*session->patterns));
}

enum store_status memory_put_pattern(struct memory_session *session,
				     const struct stored_pattern *pattern)
{
	struct stored_pattern copy;
	bool there;
	const size_t at = pattern_place(session, pattern->name, &there);
	if (pattern->pattern == NULL) {
		if (there)
			pattern_remove(session, at);
		return STORE_OK;
	}
	struct stored_pattern *more = realloc(
		session->patterns, (session->pattern_count + 1) * sizeof(*session->patterns));
	if (more == NULL)
		return STORE_NO_MEMORY;
	session->patterns = more;
	if (!pattern_copy(&copy, pattern))
		return STORE_NO_MEMORY;
	if (there)
		pattern_remove(session, at);
	memmove(&session->patterns[at + 1], &session->patterns[at],
		(session->pattern_count++ - at) * sizeof(*session->patterns));
	session->patterns[at] = copy;
	return STORE_OK;
}

/* ---- receipts ---- */

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
	hash_table_add(&space->receipts, &receipt->by_key, key_hash(receipt->receipt.key));
	DL_APPEND2(space->oldest_receipt, receipt, older, newer);
}

const struct receipt *memory_find_receipt(const struct memory_space *space,
					  const uint8_t key[HASH_BYTES])
{
	lock_assert_held(&space->lock);
	/* An older one with the same key may still exist. */
	const struct receipt *newest = NULL;
	struct hash_link *link = hash_table_first(&space->receipts, key_hash(key));
	for (; link != NULL; link = hash_table_next(link)) {
		const struct receipt *receipt = &((struct memory_receipt *)link)->receipt;
		if (memcmp(receipt->key, key, HASH_BYTES) == 0 &&
		    (newest == NULL || receipt->created_ms >= newest->created_ms))
			newest = receipt;
	}
	return newest;
}

void memory_receipts_purge(struct memory_space *space, int64_t oldest_ms)
{
	while (space->oldest_receipt != NULL &&
	       space->oldest_receipt->receipt.created_ms < oldest_ms) {
		struct memory_receipt *receipt = space->oldest_receipt;
		DL_DELETE2(space->oldest_receipt, receipt, older, newer);
		hash_table_remove(&space->receipts, &receipt->by_key);
		space->bytes -= receipt->receipt.answer_bytes + 128;
		memory_receipt_free(receipt);
	}
}
