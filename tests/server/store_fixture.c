/* store_fixture.c: a store as the service uses it, for tests. */
#include "cube/cube.h"
#include "tests/core/check.h"
#include "tests/server/store_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "server/store/session_id.h"
#include "tests/server/postgres_fixture.h"
#ifdef MODULE_POSTGRES
#include "server/modules/postgres/store/postgres.h"
#endif

const char *const fixture_stores[3] = {"memory", "sqlite", "postgresql"};
_Atomic int64_t fixture_clock_ahead_ms;

int64_t fixture_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + fixture_clock_ahead_ms;
}

/* ---- what the session cache would know ---- */

/* With the mutex held; valid until the next call. NULL: no session. */
static struct fixture_session *session_of(struct store_fixture *fixture, uint64_t key)
{
	if (key == 0 || key > 1000000)
		return NULL;
	if (key >= fixture->session_count) {
		size_t count = key * 2 + 64;
		fixture->sessions = realloc(fixture->sessions, count * sizeof(*fixture->sessions));
		ck_assert_ptr_nonnull(fixture->sessions);
		memset(fixture->sessions + fixture->session_count, 0,
		       (count - fixture->session_count) * sizeof(*fixture->sessions));
		fixture->session_count = count;
	}
	return &fixture->sessions[key];
}

static void name_states(struct store_fixture *fixture, struct store_write *write)
{
	static _Atomic uint64_t states;
	struct fixture_session *session = session_of(fixture, write->meta.key);
	if (session == NULL || write->kind == WRITE_CREATE)
		return;
	write->meta.version = session->version;
	if (write->kind != WRITE_APPEND)
		return;
	write->before_ms = session->state_ms;
	write->state_before = session->state;
	write->state_after = ++states;
	session->state = write->state_after;
	session->state_ms = write->time_ms;
}

/* Checks that writes of a session are answered in the order of submission, whatever the store does
 * with others. */
static void check_order(struct store_fixture *fixture, const struct pending_write *pending)
{
	struct fixture_session *session = session_of(fixture, pending->write.meta.key);
	if (session == NULL || fixture->any_large)
		return;
	ck_assert_uint_lt(session->answered, pending->number + 1);
	session->answered = pending->number + 1;
}

static void note_answer(struct store_fixture *fixture, const struct store_write *write)
{
	struct fixture_session *session = session_of(fixture, write->meta.key);
	if (session == NULL)
		return;
	if (write->kind == WRITE_APPEND && write->status == STORE_OK) {
		session->committed = write->state_after;
		session->committed_ms = write->time_ms;
	} else if (write->kind == WRITE_APPEND) {
		session->state = session->committed;
		session->state_ms = session->committed_ms;
	} else if (write->kind == WRITE_CREATE && write->status == STORE_OK) {
		*session = (struct fixture_session){.state_ms = write->meta.created_ms,
						    .committed_ms = write->meta.created_ms};
	} else if (write->status == STORE_OK && store_write_raises_version(write)) {
		session->version++;
	}
}

void fixture_reload(struct store_fixture *fixture, const char *name)
{
	struct stored_session stored;
	struct session_id id = fixture_id(name);
	ck_assert_int_eq(fixture->store->operations->find(fixture->reader, &id, &stored), STORE_OK);
	const struct history *history = stored.history;
	int64_t time_ms = history->revision > 0 ? history->updated_ms : stored.meta.created_ms;
	pthread_mutex_lock(&fixture->mutex);
	*session_of(fixture, stored.meta.key) = (struct fixture_session){
		.state = history->id,
		.committed = history->id,
		.state_ms = time_ms,
		.committed_ms = time_ms,
		.version = stored.meta.version,
	};
	pthread_mutex_unlock(&fixture->mutex);
	stored_session_free(&stored);
}

/* ---- the store ---- */

void fixture_committed(void *context, struct store_write *batch)
{
	struct store_fixture *fixture = context;
	pthread_mutex_lock(&fixture->mutex);
	fixture->inside = true;
	pthread_cond_broadcast(&fixture->answered);
	while (fixture->hold)
		pthread_cond_wait(&fixture->answered, &fixture->mutex);
	fixture->inside = false;
	while (batch != NULL) {
		struct pending_write *pending = (struct pending_write *)batch;
		batch = batch->next;
		ck_assert(!pending->answered);
		/* In the order of submission, but for those with thousands of solves. */
		fixture->any_large |= pending->write.solve_count > 2000;
		ck_assert(fixture->any_order || fixture->any_large ||
			  pending->number == fixture->answers);
		note_answer(fixture, &pending->write);
		check_order(fixture, pending);
		pending->answered = true;
		fixture->answers++;
	}
	pthread_cond_broadcast(&fixture->answered);
	pthread_mutex_unlock(&fixture->mutex);
}

const char *fixture_path(const struct store_fixture *fixture, const char *suffix)
{
	static char path[160];
	snprintf(path, sizeof(path), "%s/cubed.db%s", fixture->folder, suffix);
	return path;
}

void fixture_add_kinds(void)
{
#ifdef MODULE_POSTGRES
	store_kind_add(&store_kind_postgres);
#endif
}

void fixture_init(struct store_fixture *fixture, const char *kind)
{
	fixture_add_kinds();
	const char *lanes = getenv("CUBED_TEST_LANES");
	*fixture = (struct store_fixture){.queue_max = 8192,
					  .lanes = lanes == NULL ? 0 : (uint32_t)atoi(lanes)};
	pthread_mutex_init(&fixture->mutex, NULL);
	pthread_cond_init(&fixture->answered, NULL);
	if (strcmp(kind, "sqlite") == 0) {
		strcpy(fixture->folder, "/tmp/cubed-test-XXXXXX");
		ck_assert_ptr_nonnull(mkdtemp(fixture->folder));
		snprintf(fixture->location, sizeof(fixture->location), "sqlite:%s/cubed.db",
			 fixture->folder);
		fixture->persistent = true;
	} else if (strcmp(kind, "postgresql") == 0) {
		postgres_fixture_create(fixture->database);
		strcpy(fixture->location, "postgresql:");
		postgres_fixture_conninfo(fixture->database, fixture->location + 11,
					  sizeof(fixture->location) - 11);
		fixture->persistent = fixture->any_order = true;
	} else {
		snprintf(fixture->location, sizeof(fixture->location), "%s:", kind);
	}
	fixture_open(fixture);
}

/* Returns the size of the empty tables: the bytes_max of tests does not include it. */
static uint64_t empty_bytes(const struct store_fixture *fixture)
{
	char *bytes = postgres_fixture_sql(
		fixture->database,
		"SELECT sum(pg_total_relation_size(c.oid))::int8 FROM pg_class c JOIN pg_namespace "
		"n ON n.oid = c.relnamespace WHERE n.nspname = 'cubed' AND c.relkind = 'r'");
	const uint64_t number = strtoull(bytes, NULL, 10);
	free(bytes);
	return number;
}

void fixture_open(struct store_fixture *fixture)
{
	struct error error = {0};
	struct store_options options = {
		.committed = fixture_committed,
		.context = fixture,
		.queue_max = fixture->queue_max,
		.now_ms = fixture_now_ms,
		.bytes_max = fixture->bytes_max,
		.lanes = fixture->lanes,
		.wait_ms = FIXTURE_WAIT_MS,
	};
	if (fixture->bytes_max > 0 && fixture->database[0] != '\0')
		options.bytes_max += empty_bytes(fixture);
	fixture->generation = 0;
	fixture->store = store_open(fixture->location, &options, &error);
	ck_assert_msg(fixture->store != NULL, "%s", error.text);
	fixture->reader = fixture->store->operations->reader_create(fixture->store);
	ck_assert_ptr_nonnull(fixture->reader);
}

void fixture_close(struct store_fixture *fixture)
{
	fixture->store->operations->reader_destroy(fixture->reader);
	fixture->store->operations->close(fixture->store);
	fixture->store = NULL;
	ck_assert_uint_eq(fixture->answers, fixture->submitted);
}

static void remove_folder(const char *path)
{
	DIR *folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	for (const struct dirent *file; (file = readdir(folder)) != NULL;)
		unlinkat(dirfd(folder), file->d_name, 0); /* not "." and ".." */
	closedir(folder);
	rmdir(path);
}

void fixture_finish(struct store_fixture *fixture)
{
	if (fixture->store != NULL)
		fixture_close(fixture);
	if (fixture->folder[0] != '\0')
		remove_folder(fixture->folder);
	if (fixture->database[0] != '\0')
		postgres_fixture_drop(fixture->database);
	free(fixture->sessions);
	pthread_cond_destroy(&fixture->answered);
	pthread_mutex_destroy(&fixture->mutex);
}

struct session_id fixture_id(const char *name)
{
	struct session_id id = {{0}};
	memcpy(id.bytes, name, strlen(name) < SESSION_ID_BYTES ? strlen(name) : SESSION_ID_BYTES);
	return id;
}

struct pending_write *pending_write_of(const struct store_fixture *fixture,
				       enum store_write_kind kind, uint64_t key)
{
	struct pending_write *pending = calloc(1, sizeof(*pending));
	if (pending == NULL)
		abort();
	pending->write.kind = kind;
	pending->write.generation = fixture->generation;
	pending->write.meta.key = key;
	pending->write.meta.updated_ms = fixture_now_ms();
	return pending;
}

struct pending_write *pending_write_create(const struct store_fixture *fixture, int size,
					   const char *name)
{
	struct pending_write *pending = pending_write_of(fixture, WRITE_CREATE, 0);
	struct session_meta *meta = &pending->write.meta;
	meta->id = fixture_id(name);
	meta->size = (uint8_t)size;
	meta->access = ACCESS_VIEW;
	meta->listed = true;
	meta->created_ms = meta->updated_ms = 1700000000000;
	strcpy(meta->name, name);
	return pending;
}

struct pending_write *pending_write_append(const struct store_fixture *fixture, uint64_t key,
					   int size, const struct entry *entry)
{
	struct pending_write *pending = pending_write_of(fixture, WRITE_APPEND, key);
	pending->packed = malloc(entry_pack_bound(entry, size));
	if (pending->packed == NULL)
		abort();
	pending->write.meta.size = (uint8_t)size;
	pending->write.packed_bytes = entry_pack(entry, size, 0, pending->packed);
	pending->write.packed = pending->packed;
	pending->write.revision = entry->revision;
	pending->write.time_ms = entry->time_ms;
	return pending;
}

void pending_write_free(struct pending_write *pending)
{
	free(pending->packed);
	free(pending);
}

enum store_status fixture_submit(struct store_fixture *fixture, struct pending_write *pending)
{
	pending->number = fixture->submitted++;
	fixture->any_large |= pending->write.solve_count > 2000;
	pthread_mutex_lock(&fixture->mutex);
	name_states(fixture, &pending->write);
	pthread_mutex_unlock(&fixture->mutex);
	enum store_status status =
		fixture->store->operations->submit(fixture->store, &pending->write);
	fixture->store->operations->flush(fixture->store);
	if (status == STORE_OK)
		return STORE_OK;
	fixture->submitted--;
	pthread_mutex_lock(&fixture->mutex);
	pending->write.status = status;
	note_answer(fixture, &pending->write);
	pthread_mutex_unlock(&fixture->mutex);
	return status;
}

void fixture_wait(struct store_fixture *fixture)
{
	pthread_mutex_lock(&fixture->mutex);
	while (fixture->answers < fixture->submitted)
		pthread_cond_wait(&fixture->answered, &fixture->mutex);
	pthread_mutex_unlock(&fixture->mutex);
}

enum store_status fixture_do(struct store_fixture *fixture, struct pending_write *pending)
{
	enum store_status status = fixture_submit(fixture, pending);
	if (status == STORE_OK) {
		fixture_wait(fixture);
		status = pending->write.status;
	}
	pending_write_free(pending);
	return status;
}

uint64_t fixture_session(struct store_fixture *fixture, int size, const char *name)
{
	struct pending_write *pending = pending_write_create(fixture, size, name);
	ck_assert_int_eq(fixture_submit(fixture, pending), STORE_OK);
	fixture_wait(fixture);
	ck_assert_int_eq(pending->write.status, STORE_OK);
	uint64_t key = pending->write.meta.key;
	pending_write_free(pending);
	return key;
}

void fixture_hold(struct store_fixture *fixture)
{
	pthread_mutex_lock(&fixture->mutex);
	fixture->hold = true;
	pthread_mutex_unlock(&fixture->mutex);
	/* A write that fails by itself takes the store's thread there. */
	static struct pending_write bait;
	bait = (struct pending_write){
		.write = {.kind = WRITE_DELETE, .generation = fixture->generation}};
	ck_assert_int_eq(fixture_submit(fixture, &bait), STORE_OK);
	pthread_mutex_lock(&fixture->mutex);
	while (!fixture->inside)
		pthread_cond_wait(&fixture->answered, &fixture->mutex);
	pthread_mutex_unlock(&fixture->mutex);
}

void fixture_release(struct store_fixture *fixture)
{
	pthread_mutex_lock(&fixture->mutex);
	fixture->hold = false;
	pthread_cond_broadcast(&fixture->answered);
	pthread_mutex_unlock(&fixture->mutex);
}

struct page {
	const struct random_player *player;
	uint32_t expected, left;
};

static bool visit(void *context, const struct entry *entry)
{
	struct page *page = context;
	ck_assert_uint_gt(page->left, 0);
	ck_assert_uint_eq(entry->revision, page->expected);
	random_player_check_entry(page->player, entry);
	page->expected++;
	return --page->left > 0;
}

static void check_page(struct store_fixture *fixture, uint64_t key,
		       const struct random_player *player, uint32_t after, uint32_t limit)
{
	struct page page = {player, after + 1, limit};
	uint32_t there = after < player->revision ? player->revision - after : 0;
	ck_assert_int_eq(
		fixture->store->operations->entries(fixture->reader, key, after, visit, &page),
		STORE_OK);
	ck_assert_uint_eq(limit - page.left, there < limit ? there : limit);
}

void fixture_check_game(struct store_fixture *fixture, const char *name, uint64_t key,
			const struct random_player *player, uint32_t step)
{
	const struct store_operations *operations = fixture->store->operations;
	struct session_id id = fixture_id(name);
	struct stored_session session;
	struct history *history;
	ck_assert_int_eq(operations->find(fixture->reader, &id, &session), STORE_OK);
	ck_assert_uint_eq(session.meta.key, key);
	ck_assert_int_eq(session.meta.size, player->size);
	random_player_check(player, session.history);
	stored_session_free(&session);
	for (uint32_t r = 0; r <= player->revision; r += step) {
		ck_assert_int_eq(operations->at(fixture->reader, key, r, &history), STORE_OK);
		ck_assert_uint_eq(history->revision, r);
		ck_assert(cube_equal(history->cube, player->states[r]));
		history_destroy(history);
	}
	ck_assert_int_eq(operations->at(fixture->reader, key, player->revision + 1, &history),
			 STORE_NOT_FOUND);
	ck_assert_ptr_null(history);
	check_page(fixture, key, player, 0, player->revision + 10);
	for (uint32_t after = 0; after <= player->revision; after += 17 + step)
		check_page(fixture, key, player, after, 1 + after % 60);
	check_page(fixture, key, player, player->revision, 5);
	check_page(fixture, key, player, player->revision + 100, 5);
	check_page(fixture, key, player, UINT32_MAX, 5);
}
