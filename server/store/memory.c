/* memory.c: sessions that live as long as the process, for tests and trials.
 *
 * Writes are done and answered inside submit. Readers copy with the lock held and replay without
 * it. */
#include "server/store/memory.h"

#include "cube/turn.h"
#include "server/store/memory_internal.h"

#include <stdlib.h>
#include <string.h>

struct memory_store *memory_of_store(struct store *store)
{
	return (struct memory_store *)store;
}

struct memory_space *memory_space_of(const struct store_reader *reader)
{
	return memory_of_store(reader->store)->space;
}

void store_memory_fail_next(struct store *store, enum store_status status)
{
	lock_acquire(&memory_of_store(store)->space->lock);
	memory_of_store(store)->fail_next = status;
	lock_release(&memory_of_store(store)->space->lock);
}

/* A failed commit fails everything that was made in the same generation. */
MUST_USE static enum store_status fail_commit(struct memory_store *store, enum store_status status)
{
	store->generation++;
	store->failure = status;
	store->broken = status == STORE_BROKEN;
	store->full = status == STORE_FULL;
	return status;
}

MUST_USE static enum store_status do_write(struct memory_store *store, struct store_write *write,
					   uint64_t *change)
{
	const bool stale = write->generation != store->generation &&
			   (store->failure != STORE_FULL || !store_write_frees(write));
	if (store->broken || stale)
		return store->failure;
	if (store->fail_next != STORE_OK) {
		enum store_status status = store->fail_next;
		store->fail_next = STORE_OK;
		return fail_commit(store, status);
	}
	enum store_status status = memory_write(store, write, store->options.now_ms(), change);
	if (status == STORE_NO_MEMORY || status == STORE_FULL)
		return fail_commit(store, status);
	if (status == STORE_OK && !store_write_frees(write))
		store->full = false;
	return status;
}

static void memory_flush(struct store *base)
{
	(void)base;
}

uint64_t memory_commit(struct memory_store *store, struct store_write *write)
{
	uint64_t change = 0;
	lock_assert_held(&store->space->lock);
	memory_purge(store->space, store->options.now_ms());
	write->status = do_write(store, write, &change);
	write->generation = store->generation;
	return change;
}

void memory_answer(struct memory_store *store, struct store_write *write, uint64_t change)
{
	write->next = NULL;
	store->options.committed(store->options.context, write);
	if (change == 0)
		return;
	/* Only now: a reader must not leave it out before its maker has been called back. */
	lock_acquire(&store->space->lock);
	memory_change_answered(store->space, change);
	lock_release(&store->space->lock);
}

MUST_USE static enum store_status memory_submit(struct store *base, struct store_write *write)
{
	struct memory_store *store = memory_of_store(base);
	uint64_t change = 0;
	lock_acquire(&store->space->lock);
	const bool held = store->hold;
	const enum store_status status = held ? memory_hold_write(store, write) : STORE_OK;
	if (!held)
		change = memory_commit(store, write);
	lock_release(&store->space->lock);
	if (held)
		return status;
	if (change != 0)
		memory_hint_others(store);
	memory_answer(store, write, change);
	return STORE_OK;
}

static struct store_reader *memory_reader_create(struct store *store)
{
	struct memory_reader *reader = malloc(sizeof(*reader));
	if (reader == NULL)
		return NULL;
	reader->reader.store = store;
	lock_acquire(&memory_of_store(store)->space->lock);
	reader->seen = memory_of_store(store)->space->changes_made;
	lock_release(&memory_of_store(store)->space->lock);
	return &reader->reader;
}

static void memory_reader_destroy(struct store_reader *reader)
{
	free(reader);
}

/* The copy of a session that is made with the lock held: all that a replay needs. */
struct copy {
	struct session_meta meta;
	uint64_t state;
	uint8_t *base;
	size_t base_bytes;
	struct chunk chunk;
};

static void copy_finish(struct copy *copy)
{
	free(copy->base);
	chunk_finish(&copy->chunk);
}

/* The chunk with `revision`, or the last one. */
static const struct chunk *chunk_of(const struct memory_session *session, uint32_t revision)
{
	size_t low = 0, high = session->chunk_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (session->chunks[middle].first <= revision)
			low = middle;
		else
			high = middle;
	}
	return &session->chunks[low];
}

MUST_USE static enum store_status
copy_session(struct copy *copy, const struct memory_session *session, uint32_t revision)
{
	const struct chunk *chunk = chunk_of(session, revision);
	*copy = (struct copy){.meta = session->meta, .state = session->state};
	chunk_init(&copy->chunk, session->meta.size, session->meta.created_ms);
	if (session->base != NULL) {
		copy->base = malloc(session->base_bytes);
		if (copy->base == NULL)
			return STORE_NO_MEMORY;
		memcpy(copy->base, session->base, session->base_bytes);
		copy->base_bytes = session->base_bytes;
	}
	return chunk_set(&copy->chunk, chunk->first, chunk->state, chunk->state_bytes,
			 chunk->entries, chunk->bytes);
}

MUST_USE static enum store_status copy_tokens(const struct memory_session *session,
					      struct stored_session *stored)
{
	size_t bytes = session->token_count * sizeof(*session->tokens);
	if (bytes == 0)
		return STORE_OK;
	stored->tokens = malloc(bytes);
	if (stored->tokens == NULL)
		return STORE_NO_MEMORY;
	memcpy(stored->tokens, session->tokens, bytes);
	stored->token_count = session->token_count;
	return STORE_OK;
}

/* The state at `upto`, and the rest of the session unless `stored` is NULL. Called with the lock
 * held, which it releases. */
enum store_status memory_read_unlock(struct store_reader *reader, struct memory_session *session,
				     uint32_t upto, struct history **history,
				     struct stored_session *stored)
{
	struct copy copy = {0};
	enum store_status status = STORE_NOT_FOUND;
	lock_assert_held(&memory_space_of(reader)->lock);
	if (session != NULL)
		status = copy_session(&copy, session, upto);
	if (status == STORE_OK && stored != NULL)
		status = copy_tokens(session, stored);
	if (status == STORE_OK && stored != NULL && session->scramble_count > 0) {
		size_t bytes = session->scramble_count * sizeof(*session->scramble);
		stored->scramble = malloc(bytes);
		stored->scramble_count = session->scramble_count;
		if (stored->scramble == NULL)
			status = STORE_NO_MEMORY;
		else
			memcpy(stored->scramble, session->scramble, bytes);
	}
	lock_release(&memory_space_of(reader)->lock);
	if (status == STORE_OK)
		status = chunk_state(&copy.chunk, copy.base, copy.base_bytes, upto, history);
	if (stored != NULL) {
		if (status == STORE_OK)
			(*history)->id = copy.state;
		stored->meta = copy.meta;
		if (status != STORE_OK)
			stored_session_free(stored);
	}
	copy_finish(&copy);
	return status;
}

MUST_USE static enum store_status memory_reader_find(struct store_reader *reader,
						     const struct session_id *id,
						     struct stored_session *session)
{
	*session = (struct stored_session){0};
	lock_acquire(&memory_space_of(reader)->lock);
	return memory_read_unlock(reader, memory_find_id(memory_space_of(reader), id), UINT32_MAX,
				  &session->history, session);
}

MUST_USE static enum store_status memory_reader_at(struct store_reader *reader, uint64_t key,
						   uint32_t revision, struct history **history)
{
	*history = NULL;
	lock_acquire(&memory_space_of(reader)->lock);
	enum store_status status = memory_read_unlock(
		reader, memory_find_key(memory_space_of(reader), key), revision, history, NULL);
	if (status == STORE_OK && (*history)->revision != revision) {
		history_destroy(*history);
		*history = NULL;
		return STORE_NOT_FOUND;
	}
	return status;
}

MUST_USE static enum store_status memory_reader_entries(struct store_reader *reader, uint64_t key,
							uint32_t after, store_visit_entry *visit,
							void *context)
{
	bool stop = after == UINT32_MAX;
	uint32_t from = stop ? after : after + 1, before;
	do {
		struct copy copy = {0};
		lock_acquire(&memory_space_of(reader)->lock);
		struct memory_session *session = memory_find_key(memory_space_of(reader), key);
		enum store_status status =
			session == NULL ? STORE_NOT_FOUND : copy_session(&copy, session, from);
		lock_release(&memory_space_of(reader)->lock);
		before = from;
		if (status == STORE_OK)
			status = chunk_visit(&copy.chunk, &from, visit, context, &stop);
		copy_finish(&copy);
		if (status != STORE_OK)
			return status;
	} while (!stop && from != before);
	return STORE_OK;
}

MUST_USE static enum store_status memory_reader_patterns(struct store_reader *reader, uint64_t key,
							 const char *name, bool texts,
							 store_visit_pattern *visit, void *context)
{
	lock_acquire(&memory_space_of(reader)->lock);
	const struct memory_session *session = memory_find_key(memory_space_of(reader), key);
	for (size_t i = 0; session != NULL && i < session->pattern_count; i++) {
		struct stored_pattern pattern = session->patterns[i];
		if (name != NULL && strcmp(pattern.name, name) != 0)
			continue;
		if (!texts)
			pattern.pattern = NULL;
		if (!visit(context, &pattern))
			break;
	}
	lock_release(&memory_space_of(reader)->lock);
	return STORE_OK;
}

MUST_USE static enum store_status memory_reader_receipt(struct store_reader *reader,
							const uint8_t key[HASH_BYTES],
							struct receipt *receipt)
{
	enum store_status status = STORE_NOT_FOUND;
	*receipt = (struct receipt){0};
	lock_acquire(&memory_space_of(reader)->lock);
	const struct receipt *kept = memory_find_receipt(memory_space_of(reader), key);
	if (kept != NULL && kept->created_ms >= memory_of_store(reader->store)->options.now_ms() -
							RECEIPT_KEPT_MS) {
		*receipt = *kept;
		receipt->answer = malloc(kept->answer_bytes);
		if (receipt->answer != NULL)
			memcpy(receipt->answer, kept->answer, kept->answer_bytes);
		status = receipt->answer != NULL ? STORE_OK : STORE_NO_MEMORY;
	}
	lock_release(&memory_space_of(reader)->lock);
	return status;
}

MUST_USE static enum store_status memory_reader_solves(struct store_reader *reader,
						       const struct solve_query *query,
						       store_visit_solve *visit, void *context,
						       uint64_t *next)
{
	lock_acquire(&memory_space_of(reader)->lock);
	*next = memory_solves_visit(memory_space_of(reader), query, visit, context);
	lock_release(&memory_space_of(reader)->lock);
	return STORE_OK;
}

MUST_USE static enum store_status memory_reader_solve(struct store_reader *reader,
						      const uint8_t id[10],
						      store_visit_solve *visit, void *context)
{
	lock_acquire(&memory_space_of(reader)->lock);
	enum store_status status = memory_solve_find(memory_space_of(reader), id, visit, context);
	lock_release(&memory_space_of(reader)->lock);
	return status;
}

MUST_USE static enum store_status memory_reader_solve_count(struct store_reader *reader,
							    uint64_t key, uint64_t *count)
{
	lock_acquire(&memory_space_of(reader)->lock);
	*count = memory_solves_count(memory_space_of(reader), key);
	lock_release(&memory_space_of(reader)->lock);
	return STORE_OK;
}

MUST_USE static enum store_status memory_reader_frame(struct store_reader *reader, uint64_t key,
						      char **frame)
{
	enum store_status status = STORE_OK;
	*frame = NULL;
	lock_acquire(&memory_space_of(reader)->lock);
	const struct memory_session *session = memory_find_key(memory_space_of(reader), key);
	if (session != NULL && session->frame != NULL) {
		*frame = strdup(session->frame);
		status = *frame == NULL ? STORE_NO_MEMORY : STORE_OK;
	}
	lock_release(&memory_space_of(reader)->lock);
	return status;
}

MUST_USE static enum store_status memory_reader_answers(struct store_reader *reader,
							uint64_t canonical,
							store_visit_answer *visit, void *context)
{
	lock_acquire(&memory_space_of(reader)->lock);
	memory_answers_visit(memory_space_of(reader), canonical, visit, context);
	lock_release(&memory_space_of(reader)->lock);
	return STORE_OK;
}

static void memory_incarnation(const struct store *store, char text[INCARNATION_TEXT + 1])
{
	memcpy(text, ((const struct memory_store *)store)->space->incarnation,
	       INCARNATION_TEXT + 1);
}

MUST_USE static enum store_status memory_health(struct store *base)
{
	struct memory_store *store = memory_of_store(base);
	lock_acquire(&store->space->lock);
	enum store_status status = store->broken ? STORE_BROKEN
				   : store->full ? STORE_FULL
						 : STORE_OK;
	lock_release(&store->space->lock);
	return status;
}

static void close_store(struct store *base)
{
	struct memory_store *store = memory_of_store(base);
	memory_held_finish(store);
	memory_hints_leave(store);
	memory_space_close(store->space);
	free(store);
}

#define OPERATIONS                                                                                 \
	.name = "memory", .submit = memory_submit, .flush = memory_flush,                          \
	.reader_create = memory_reader_create, .reader_destroy = memory_reader_destroy,            \
	.find = memory_reader_find, .at = memory_reader_at, .entries = memory_reader_entries,      \
	.list = memory_reader_list, .list_oldest = memory_reader_list_oldest,                      \
	.canonical_index = memory_reader_canonical_index, .receipt = memory_reader_receipt,        \
	.patterns = memory_reader_patterns, .solves = memory_reader_solves,                        \
	.solve = memory_reader_solve, .solve_count = memory_reader_solve_count,                    \
	.frame = memory_reader_frame, .answers = memory_reader_answers,                            \
	.incarnation = memory_incarnation, .health = memory_health, .close = close_store

static const struct store_operations private_operations = {OPERATIONS};
/* The operations of stores that may share their sessions. */
static const struct store_operations shared_operations = {
	OPERATIONS,
	.changes = memory_reader_changes,
	.secret = memory_reader_secret,
	.post = memory_reader_post,
	.notices = memory_reader_notices,
};

struct store *store_memory_open(const char *name, const struct store_options *options,
				struct error *error)
{
	struct memory_store *store = calloc(1, sizeof(*store));
	struct memory_space *space = store == NULL ? NULL : memory_space_open(name);
	if (space == NULL) {
		error_set(error, "no memory for a store in memory");
		free(store);
		return NULL;
	}
	store->store.operations =
		memory_space_is_shared(space) ? &shared_operations : &private_operations;
	store->options = *options;
	store->space = space;
	memory_hints_join(store);
	return &store->store;
}
