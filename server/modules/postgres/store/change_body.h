/* change_body.h: what a row of `change` reports to other caches, as bytes.
 *
 * A version byte, then records: the kind (1 entries, 2 description, 3 solves) and the session's key
 * (8 bytes). Entries: then the id of the state after them (8), version (4), first and last revision
 * (4 each), the last actor (4), length (4) and the packed entries, times as differences. Numbers are
 * big-endian. A body of no bytes says that the batch was never committed; one of an unknown version,
 * that anything may have changed. */
#ifndef SERVER_STORE_POSTGRES_CHANGE_BODY_H
#define SERVER_STORE_POSTGRES_CHANGE_BODY_H

#include "server/store/store.h"
#include "server/util/buffer.h"

#define CHANGE_BODY_VERSION 1

void change_body_begin(struct buffer *body);
void change_body_entries(struct buffer *body, const struct store_change *change);
void change_body_meta(struct buffer *body, uint64_t key);
void change_body_solves(struct buffer *body, uint64_t key);

struct change_body {
	const uint8_t *at, *end;
	bool missed;
};
void change_body_read(struct change_body *reader, const uint8_t *bytes, size_t length);
/* The next change; false at the end. A body that cannot be read is one CHANGE_MISSED. */
MUST_USE bool change_body_next(struct change_body *reader, struct store_change *change);

#endif
