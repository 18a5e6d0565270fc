/* kit.c: a store as the service uses it, for tests. */
#include "tests/server/kit.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "server/store/session_id.h"

const char *const kit_stores[2] = {"memory", "sqlite"};
_Atomic int64_t kit_clock_ahead_ms;

int64_t kit_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + kit_clock_ahead_ms;
}

void kit_committed(void *context, struct store_write *batch)
{
	struct kit *kit = context;
	pthread_mutex_lock(&kit->mutex);
	kit->inside = true;
	pthread_cond_broadcast(&kit->answered);
	while (kit->hold)
		pthread_cond_wait(&kit->answered, &kit->mutex);
	kit->inside = false;
	while (batch != NULL) {
		struct ticket *ticket = (struct ticket *)batch;
		batch = batch->next;
		ck_assert(!ticket->answered);
		/* In the order of submission, but for those with thousands of solves. */
		kit->any_large |= ticket->write.solve_count > 2000;
		ck_assert(kit->any_large || ticket->number == kit->answers);
		ticket->answered = true;
		kit->answers++;
	}
	pthread_cond_broadcast(&kit->answered);
	pthread_mutex_unlock(&kit->mutex);
}

const char *kit_path(const struct kit *kit, const char *suffix)
{
	static char path[160];
	snprintf(path, sizeof(path), "%s/cubed.db%s", kit->folder, suffix);
	return path;
}

void kit_init(struct kit *kit, const char *kind)
{
	*kit = (struct kit){.queue_max = 8192};
	pthread_mutex_init(&kit->mutex, NULL);
	pthread_cond_init(&kit->answered, NULL);
	if (strcmp(kind, "sqlite") == 0) {
		strcpy(kit->folder, "/tmp/cubed-test-XXXXXX");
		ck_assert_ptr_nonnull(mkdtemp(kit->folder));
		snprintf(kit->location, sizeof(kit->location), "sqlite:%s/cubed.db", kit->folder);
	} else {
		snprintf(kit->location, sizeof(kit->location), "%s:", kind);
	}
	kit_open(kit);
}

void kit_open(struct kit *kit)
{
	struct error error = {0};
	struct store_options options = {
		.committed = kit_committed,
		.context = kit,
		.queue_max = kit->queue_max,
		.now_ms = kit_now_ms,
		.bytes_max = kit->bytes_max,
	};
	kit->generation = 0;
	kit->store = store_open(kit->location, &options, &error);
	ck_assert_msg(kit->store != NULL, "%s", error.text);
	kit->reader = kit->store->operations->reader_create(kit->store);
	ck_assert_ptr_nonnull(kit->reader);
}

void kit_close(struct kit *kit)
{
	kit->store->operations->reader_destroy(kit->reader);
	kit->store->operations->close(kit->store);
	kit->store = NULL;
	ck_assert_uint_eq(kit->answers, kit->submitted);
}

void kit_finish(struct kit *kit)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", ".lock", ".reserve", "-journal"};
	if (kit->store != NULL)
		kit_close(kit);
	if (kit->folder[0] != '\0') {
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
			unlink(kit_path(kit, suffixes[i]));
		rmdir(kit->folder);
	}
	pthread_cond_destroy(&kit->answered);
	pthread_mutex_destroy(&kit->mutex);
}

struct session_id kit_id(const char *name)
{
	struct session_id id = {{0}};
	memcpy(id.bytes, name, strlen(name) < SESSION_ID_BYTES ? strlen(name) : SESSION_ID_BYTES);
	return id;
}

struct ticket *ticket_of(const struct kit *kit, enum store_write_kind kind, uint64_t key)
{
	struct ticket *ticket = calloc(1, sizeof(*ticket));
	if (ticket == NULL)
		abort();
	ticket->write.kind = kind;
	ticket->write.generation = kit->generation;
	ticket->write.meta.key = key;
	ticket->write.meta.updated_ms = kit_now_ms();
	return ticket;
}

struct ticket *ticket_create(const struct kit *kit, int size, const char *name)
{
	struct ticket *ticket = ticket_of(kit, WRITE_CREATE, 0);
	struct session_meta *meta = &ticket->write.meta;
	meta->id = kit_id(name);
	meta->size = (uint8_t)size;
	meta->access = ACCESS_VIEW;
	meta->created_ms = meta->updated_ms = 1700000000000;
	strcpy(meta->name, name);
	return ticket;
}

struct ticket *ticket_append(const struct kit *kit, uint64_t key, int size,
			     const struct entry *entry)
{
	struct ticket *ticket = ticket_of(kit, WRITE_APPEND, key);
	ticket->packed = malloc(entry_pack_bound(entry, size));
	if (ticket->packed == NULL)
		abort();
	ticket->write.meta.size = (uint8_t)size;
	ticket->write.packed_bytes = entry_pack(entry, size, 0, ticket->packed);
	ticket->write.packed = ticket->packed;
	ticket->write.revision = entry->revision;
	ticket->write.time_ms = entry->time_ms;
	return ticket;
}

void ticket_free(struct ticket *ticket)
{
	free(ticket->packed);
	free(ticket);
}

enum store_status kit_submit(struct kit *kit, struct ticket *ticket)
{
	ticket->number = kit->submitted++;
	kit->any_large |= ticket->write.solve_count > 2000;
	enum store_status status = kit->store->operations->submit(kit->store, &ticket->write);
	kit->store->operations->flush(kit->store);
	if (status != STORE_OK)
		kit->submitted--;
	return status;
}

void kit_wait(struct kit *kit)
{
	pthread_mutex_lock(&kit->mutex);
	while (kit->answers < kit->submitted)
		pthread_cond_wait(&kit->answered, &kit->mutex);
	pthread_mutex_unlock(&kit->mutex);
}

enum store_status kit_do(struct kit *kit, struct ticket *ticket)
{
	enum store_status status = kit_submit(kit, ticket);
	if (status == STORE_OK) {
		kit_wait(kit);
		status = ticket->write.status;
	}
	ticket_free(ticket);
	return status;
}

uint64_t kit_session(struct kit *kit, int size, const char *name)
{
	struct ticket *ticket = ticket_create(kit, size, name);
	ck_assert_int_eq(kit_submit(kit, ticket), STORE_OK);
	kit_wait(kit);
	ck_assert_int_eq(ticket->write.status, STORE_OK);
	uint64_t key = ticket->write.meta.key;
	ticket_free(ticket);
	return key;
}

void kit_hold(struct kit *kit)
{
	pthread_mutex_lock(&kit->mutex);
	kit->hold = true;
	pthread_mutex_unlock(&kit->mutex);
	/* A write that fails by itself takes the store's thread there. */
	static struct ticket bait;
	bait = (struct ticket){.write = {.kind = WRITE_DELETE, .generation = kit->generation}};
	ck_assert_int_eq(kit_submit(kit, &bait), STORE_OK);
	pthread_mutex_lock(&kit->mutex);
	while (!kit->inside)
		pthread_cond_wait(&kit->answered, &kit->mutex);
	pthread_mutex_unlock(&kit->mutex);
}

void kit_release(struct kit *kit)
{
	pthread_mutex_lock(&kit->mutex);
	kit->hold = false;
	pthread_cond_broadcast(&kit->answered);
	pthread_mutex_unlock(&kit->mutex);
}

struct page {
	const struct player *player;
	uint32_t expected, left;
};

static bool visit(void *context, const struct entry *entry)
{
	struct page *page = context;
	ck_assert_uint_gt(page->left, 0);
	ck_assert_uint_eq(entry->revision, page->expected);
	player_check_entry(page->player, entry);
	page->expected++;
	return --page->left > 0;
}

static void check_page(struct kit *kit, uint64_t key, const struct player *player, uint32_t after,
		       uint32_t limit)
{
	struct page page = {player, after + 1, limit};
	uint32_t there = after < player->revision ? player->revision - after : 0;
	ck_assert_int_eq(kit->store->operations->entries(kit->reader, key, after, visit, &page),
			 STORE_OK);
	ck_assert_uint_eq(limit - page.left, there < limit ? there : limit);
}

void kit_check_game(struct kit *kit, const char *name, uint64_t key, const struct player *player,
		    uint32_t step)
{
	const struct store_operations *operations = kit->store->operations;
	struct session_id id = kit_id(name);
	struct stored_session session;
	struct history *history;
	ck_assert_int_eq(operations->find(kit->reader, &id, &session), STORE_OK);
	ck_assert_uint_eq(session.meta.key, key);
	ck_assert_int_eq(session.meta.size, player->size);
	player_check(player, session.history);
	stored_session_free(&session);
	for (uint32_t r = 0; r <= player->revision; r += step) {
		ck_assert_int_eq(operations->at(kit->reader, key, r, &history), STORE_OK);
		ck_assert_uint_eq(history->revision, r);
		ck_assert(cube_equal(history->cube, player->states[r]));
		history_destroy(history);
	}
	ck_assert_int_eq(operations->at(kit->reader, key, player->revision + 1, &history),
			 STORE_NOT_FOUND);
	ck_assert_ptr_null(history);
	check_page(kit, key, player, 0, player->revision + 10);
	for (uint32_t after = 0; after <= player->revision; after += 17 + step)
		check_page(kit, key, player, after, 1 + after % 60);
	check_page(kit, key, player, player->revision, 5);
	check_page(kit, key, player, player->revision + 100, 5);
	check_page(kit, key, player, UINT32_MAX, 5);
}
