/* change_body.c: writes and reads what a batch changed. */
#include "server/modules/postgres/store/change_body.h"

#include "server/modules/postgres/store/parameters.h"

#include <string.h>

enum record { RECORD_ENTRIES = 1, RECORD_META, RECORD_SOLVES };

#define RECORD_HEAD_BYTES 9
#define ENTRIES_HEAD_BYTES 28

static void put(struct buffer *body, uint64_t value, size_t length)
{
	uint8_t bytes[8];
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)(value >> (8 * (length - 1 - i)));
	buffer_add(body, bytes, length);
}

void change_body_begin(struct buffer *body)
{
	body->length = 0;
	body->failed = false;
	put(body, CHANGE_BODY_VERSION, 1);
}

void change_body_entries(struct buffer *body, const struct store_change *change)
{
	put(body, RECORD_ENTRIES, 1);
	put(body, change->key, 8);
	put(body, change->state, 8);
	put(body, change->version, 4);
	put(body, change->first, 4);
	put(body, change->last, 4);
	put(body, change->last_actor, 4);
	put(body, change->bytes, 4);
	buffer_add(body, change->entries, change->bytes);
}

void change_body_meta(struct buffer *body, uint64_t key)
{
	put(body, RECORD_META, 1);
	put(body, key, 8);
}

void change_body_solves(struct buffer *body, uint64_t key)
{
	put(body, RECORD_SOLVES, 1);
	put(body, key, 8);
}

void change_body_read(struct change_body *reader, const uint8_t *bytes, size_t length)
{
	*reader = (struct change_body){.at = bytes, .end = bytes + length};
	if (length == 0)
		return;
	reader->missed = bytes[0] != CHANGE_BODY_VERSION;
	reader->at = reader->missed ? reader->end : bytes + 1;
}

/* The rest cannot be read. */
static bool miss(struct change_body *reader, struct store_change *change)
{
	reader->at = reader->end;
	reader->missed = false;
	*change = (struct store_change){.kind = CHANGE_MISSED};
	return true;
}

bool change_body_next(struct change_body *reader, struct store_change *change)
{
	if (reader->missed)
		return miss(reader, change);
	const size_t left = (size_t)(reader->end - reader->at);
	if (left == 0)
		return false;
	if (left < RECORD_HEAD_BYTES)
		return miss(reader, change);
	*change = (struct store_change){.key = get_uint8(reader->at + 1)};
	if (reader->at[0] == RECORD_META || reader->at[0] == RECORD_SOLVES) {
		change->kind = reader->at[0] == RECORD_META ? CHANGE_META : CHANGE_SOLVES;
		reader->at += RECORD_HEAD_BYTES;
		return true;
	}
	if (reader->at[0] != RECORD_ENTRIES || left < RECORD_HEAD_BYTES + ENTRIES_HEAD_BYTES)
		return miss(reader, change);
	const uint8_t *head = reader->at + RECORD_HEAD_BYTES;
	change->kind = CHANGE_ENTRIES;
	change->state = get_uint8(head);
	change->version = get_uint4(head + 8);
	change->first = get_uint4(head + 12);
	change->last = get_uint4(head + 16);
	change->last_actor = get_uint4(head + 20);
	change->bytes = get_uint4(head + 24);
	change->entries = head + ENTRIES_HEAD_BYTES;
	if (change->bytes > left - RECORD_HEAD_BYTES - ENTRIES_HEAD_BYTES)
		return miss(reader, change);
	reader->at = change->entries + change->bytes;
	return true;
}
