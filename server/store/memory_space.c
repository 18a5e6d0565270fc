/* memory_space.c: the sessions that memory stores of one name share, and writing to them. */
#include "server/store/memory_internal.h"

#include "cube/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <utlist.h>

#include "server/util/meters.h"

static struct lock named_lock = LOCK_INITIALIZER;
static struct memory_space *named;

static struct memory_space *space_create(const char *name)
{
	struct memory_space *space = calloc(1, sizeof(*space));
	if (space == NULL)
		return NULL;
	space->users = 1;
	space->name = strdup(name);
	if (space->name == NULL)
		goto no_name;
	uint64_t generation;
	if (getrandom(&generation, sizeof(generation), 0) != (ssize_t)sizeof(generation))
		goto no_table;
	if (getrandom(space->secret, sizeof(space->secret), 0) != (ssize_t)sizeof(space->secret))
		goto no_table;
	snprintf(space->incarnation, sizeof(space->incarnation), "%016llx",
		 (unsigned long long)generation);
	if (!hash_table_init(&space->by_id))
		goto no_table;
	if (!hash_table_init(&space->receipts))
		goto no_receipts;
	if (!lock_init(&space->lock))
		goto no_lock;
	if (!lock_init(&space->hints))
		goto no_hints;
	space->changes_first = 1;
	return space;
no_hints:
	lock_destroy(&space->lock);
no_lock:
	hash_table_finish(&space->receipts, NULL);
no_receipts:
	hash_table_finish(&space->by_id, NULL);
no_table:
	free(space->name);
no_name:
	free(space);
	return NULL;
}

struct memory_space *memory_space_open(const char *name)
{
	if (name[0] == '\0')
		return space_create(name);
	lock_acquire(&named_lock);
	struct memory_space *space = named;
	while (space != NULL && strcmp(space->name, name) != 0)
		space = space->next;
	if (space != NULL) {
		space->users++;
	} else {
		space = space_create(name);
		if (space != NULL)
			LL_PREPEND(named, space);
	}
	lock_release(&named_lock);
	return space;
}

static void session_free(struct memory_session *session)
{
	for (size_t i = 0; i < session->chunk_count; i++)
		chunk_finish(&session->chunks[i]);
	free(session->chunks);
	free(session->base);
	free(session->scramble);
	free(session->tokens);
	memory_patterns_free(session);
	free(session->frame);
	free(session);
}

void memory_space_close(struct memory_space *space)
{
	lock_acquire(&named_lock);
	bool last = --space->users == 0;
	if (last && space->name[0] != '\0')
		LL_DELETE(named, space);
	lock_release(&named_lock);
	if (!last)
		return;
	for (uint64_t i = 0; i < space->keys; i++) {
		if (space->by_key[i] != NULL)
			session_free(space->by_key[i]);
	}
	memory_receipts_purge(space, INT64_MAX);
	memory_solves_free(space);
	memory_notices_free(space);
	memory_changes_free(space);
	hash_table_finish(&space->receipts, NULL);
	free(space->by_key);
	lock_destroy(&space->hints);
	lock_destroy(&space->lock);
	hash_table_finish(&space->by_id, NULL);
	free(space->name);
	free(space);
}

bool memory_space_is_shared(const struct memory_space *space)
{
	return space->name[0] != '\0';
}

static uint64_t id_hash(const struct session_id *id)
{
	uint64_t hash;
	memcpy(&hash, id->bytes, sizeof(hash));
	return hash;
}

struct memory_session *memory_find_id(struct memory_space *space, const struct session_id *id)
{
	lock_assert_held(&space->lock);
	struct hash_link *link = hash_table_first(&space->by_id, id_hash(id));
	for (; link != NULL; link = hash_table_next(link)) {
		struct memory_session *session = (struct memory_session *)link;
		if (memcmp(&session->meta.id, id, sizeof(*id)) == 0)
			return session;
	}
	return NULL;
}

struct memory_session *memory_find_key(struct memory_space *space, uint64_t key)
{
	lock_assert_held(&space->lock);
	return key == 0 || key > space->keys ? NULL : space->by_key[key - 1];
}

/* The last chunk, which is open. */
static struct chunk *newest_chunk(struct memory_session *session)
{
	return &session->chunks[session->chunk_count - 1];
}

static bool room_for_key(struct memory_space *space)
{
	if (space->keys < space->capacity)
		return true;
	uint64_t capacity = space->capacity == 0 ? 64 : space->capacity * 2;
	struct memory_session **by_key = realloc(space->by_key, capacity * sizeof(*by_key));
	if (by_key == NULL)
		return false;
	space->by_key = by_key;
	space->capacity = capacity;
	return true;
}

static bool room_for_chunk(struct memory_session *session)
{
	if (session->chunk_count < session->chunk_capacity)
		return true;
	size_t capacity = session->chunk_capacity == 0 ? 1 : session->chunk_capacity * 2;
	struct chunk *chunks = realloc(session->chunks, capacity * sizeof(*chunks));
	if (chunks == NULL)
		return false;
	session->chunks = chunks;
	session->chunk_capacity = capacity;
	return true;
}

/* Copies what the write owns. */
static bool session_fill(struct memory_session *session, const struct store_write *write)
{
	if (!room_for_chunk(session))
		return false;
	chunk_init(&session->chunks[0], write->meta.size, write->meta.created_ms);
	session->chunk_count = 1;
	if (write->base != NULL) {
		session->base_bytes = cube_packed_bytes(write->meta.size);
		session->base = malloc(session->base_bytes);
		if (session->base == NULL)
			return false;
		cube_pack(write->base, session->base);
	}
	if (write->scramble != NULL && write->scramble_count > 0) {
		session->scramble = calloc(write->scramble_count, sizeof(*session->scramble));
		if (session->scramble == NULL)
			return false;
		memcpy(session->scramble, write->scramble,
		       write->scramble_count * sizeof(*session->scramble));
		session->scramble_count = write->scramble_count;
	}
	return write->token == NULL || memory_put_token(session, write->token) == STORE_OK;
}

MUST_USE static enum store_status create_session(struct memory_space *space,
						 struct store_write *write)
{
	if (memory_find_id(space, &write->meta.id) != NULL)
		return STORE_CONFLICT;
	struct memory_session *session = calloc(1, sizeof(*session));
	if (session == NULL)
		return STORE_NO_MEMORY;
	if (!session_fill(session, write) || !room_for_key(space)) {
		session_free(session);
		return STORE_NO_MEMORY;
	}
	space->by_key[space->keys++] = session;
	write->meta.key = space->keys;
	session->meta = write->meta;
	session->meta.deleted = false;
	hash_table_add(&space->by_id, &session->by_id, id_hash(&session->meta.id));
	return STORE_OK;
}

/* Into the open chunk, or into the one that follows it. */
MUST_USE static enum store_status append_packed(struct memory_session *session,
						const struct store_write *write)
{
	struct chunk *newest = newest_chunk(session);
	const size_t before = newest->bytes;
	if (!chunk_full(newest)) {
		enum store_status status = chunk_append(newest, write->packed, write->packed_bytes);
		if (status == STORE_OK)
			session->entry_bytes = newest->bytes - before;
		return status;
	}
	if (!room_for_chunk(session))
		return STORE_NO_MEMORY;
	struct chunk *following = &session->chunks[session->chunk_count];
	enum store_status status =
		chunk_follow(newest_chunk(session), session->base, session->base_bytes, following);
	if (status != STORE_OK)
		return status;
	status = chunk_append(following, write->packed, write->packed_bytes);
	if (status == STORE_OK) {
		session->chunk_count++;
		session->entry_bytes = following->bytes;
	} else {
		chunk_finish(following);
	}
	return status;
}

MUST_USE static enum store_status append_entry(const struct memory_space *space,
					       struct memory_session *session,
					       const struct store_write *write)
{
	const struct chunk *newest = newest_chunk(session);
	const bool by_state =
		memory_space_is_shared(space) && !(space->faults & MEMORY_COMPARES_REVISIONS);
	if (write->revision != newest->next || (by_state && write->state_before != session->state))
		return STORE_CONFLICT;
	/* Other stores rely on it. */
	assert(!by_state || write->before_ms == newest->last_ms);
	enum store_status status = append_packed(session, write);
	if (status == STORE_OK)
		session->state = write->state_after;
	return status;
}

static void change_meta(struct memory_session *session, const struct session_meta *meta)
{
	memcpy(session->meta.name, meta->name, sizeof(session->meta.name));
	session->meta.access = meta->access;
	session->meta.listed = meta->listed;
	session->meta.policy = meta->policy;
	session->meta.updated_ms = meta->updated_ms;
}

static void delete_session(struct memory_space *space, struct memory_session *session,
			   int64_t now_ms)
{
	session->meta.deleted = true;
	session->deleted_ms = now_ms;
	DL_APPEND2(space->deleted, session, deleted_before, deleted_after);
}

/* To a session that exists. */
MUST_USE static enum store_status write_to_session(struct memory_space *space,
						   struct memory_session *session,
						   const struct store_write *write)
{
	switch (write->kind) {
	case WRITE_APPEND:
		return append_entry(space, session, write);
	case WRITE_META:
		change_meta(session, &write->meta);
		return STORE_OK;
	case WRITE_DELETE:
		delete_session(space, session, write->meta.updated_ms);
		return STORE_OK;
	case WRITE_TOKEN:
		return memory_put_token(session, write->token);
	case WRITE_PATTERN:
		return memory_put_pattern(session, write->pattern);
	case WRITE_SOLVES:
		return STORE_OK;
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
		return memory_solve_changed(space, write);
	case WRITE_ASSISTANCE:
		if (session->meta.assisted <= write->revision)
			session->meta.assisted = write->revision + 1;
		return STORE_OK;
	case WRITE_CREATE:
	case WRITE_ANSWER:
		break;
	}
	return STORE_NOT_FOUND;
}

MUST_USE static enum store_status apply_write(struct memory_space *space, struct store_write *write)
{
	if (write->kind == WRITE_CREATE)
		return create_session(space, write);
	if (write->kind == WRITE_ANSWER)
		return memory_put_answer(space, write->answer);
	struct memory_session *session = memory_find_key(space, write->meta.key);
	if (session == NULL || session->meta.deleted)
		return write->kind == WRITE_ASSISTANCE ? STORE_OK : STORE_NOT_FOUND;
	if (memory_space_is_shared(space) && write->kind != WRITE_ASSISTANCE &&
	    write->meta.version != session->meta.version &&
	    !(space->faults & MEMORY_IGNORES_VERSIONS))
		return STORE_CONFLICT;
	const enum store_status status = write_to_session(space, session, write);
	session->meta.version += status == STORE_OK && store_write_raises_version(write);
	return status;
}

static uint64_t bytes_of(const struct store_write *write)
{
	uint64_t bytes = write->receipt == NULL ? 0 : write->receipt->answer_bytes + 128;
	if (write->kind == WRITE_CREATE)
		bytes += sizeof(struct memory_session) +
			 (write->base == NULL ? 0 : cube_packed_bytes(write->meta.size)) +
			 write->scramble_count * sizeof(struct cube_turn);
	if (write->token != NULL)
		bytes += sizeof(struct stored_token);
	if (write->pattern != NULL && write->pattern->pattern != NULL)
		bytes += sizeof(*write->pattern) + strlen(write->pattern->name) +
			 strlen(write->pattern->pattern);
	bytes += memory_solves_bytes(write);
	return bytes + (write->kind == WRITE_APPEND ? write->packed_bytes : 0);
}

/* Copies of what a write brings, so that the rest of it cannot fail. */
struct prepared {
	struct memory_receipt *receipt;
	struct memory_added added;
	struct memory_change change;
};

static void discard(struct prepared *prepared)
{
	memory_receipt_free(prepared->receipt);
	memory_solves_discard(&prepared->added);
	memory_change_discard(&prepared->change);
}

/* False if out of memory. */
MUST_USE static bool prepare(struct memory_space *space, const struct store_write *write,
			     struct prepared *prepared)
{
	*prepared = (struct prepared){0};
	if (write->receipt != NULL) {
		prepared->receipt = memory_receipt_make(write->receipt);
		if (prepared->receipt == NULL)
			return false;
	}
	if (memory_solves_prepare(space, write, &prepared->added) &&
	    memory_change_prepare(space, write, &prepared->change))
		return true;
	discard(prepared);
	return false;
}

/* Another store has kept a receipt with the key of this one. */
static bool is_repeated(const struct memory_space *space, const struct store_write *write,
			int64_t now_ms)
{
	if (write->receipt == NULL || !memory_space_is_shared(space))
		return false;
	const struct receipt *kept = memory_find_receipt(space, write->receipt->key);
	return kept != NULL && kept->created_ms >= now_ms - RECEIPT_KEPT_MS;
}

enum store_status memory_write(struct memory_store *store, struct store_write *write,
			       int64_t now_ms, uint64_t *change)
{
	struct memory_space *space = store->space;
	struct prepared prepared;
	const uint64_t bytes = bytes_of(write), bytes_max = store->options.bytes_max;
	lock_assert_held(&space->lock);
	*change = 0;
	if (bytes_max > 0 && bytes > 0 && space->bytes + bytes > bytes_max &&
	    !store_write_frees(write))
		return STORE_FULL;
	if (is_repeated(space, write, now_ms))
		return STORE_CONFLICT;
	if (!prepare(space, write, &prepared))
		return STORE_NO_MEMORY;
	const enum store_status status = apply_write(space, write);
	if (status != STORE_OK) {
		discard(&prepared);
		return status;
	}
	struct memory_session *session = memory_find_key(space, write->meta.key);
	space->bytes += bytes;
	meter_set(METER_STORE_BYTES, space->bytes);
	if (prepared.added.solves != NULL)
		memory_solves_add(space, session, &prepared.added);
	if (prepared.receipt != NULL)
		memory_receipt_add(space, prepared.receipt);
	*change = memory_change_add(space, store, session, &prepared.change);
	return STORE_OK;
}

void memory_purge(struct memory_space *space, int64_t now_ms)
{
	lock_assert_held(&space->lock);
	memory_receipts_purge(space, now_ms - RECEIPT_KEPT_MS);
	while (space->deleted != NULL &&
	       space->deleted->deleted_ms < now_ms - SESSION_DELETED_KEPT_MS) {
		struct memory_session *session = space->deleted;
		DL_DELETE2(space->deleted, session, deleted_before, deleted_after);
		hash_table_remove(&space->by_id, &session->by_id);
		space->by_key[session->meta.key - 1] = NULL;
		memory_solves_forget(space, session->meta.key);
		session_free(session);
	}
}
