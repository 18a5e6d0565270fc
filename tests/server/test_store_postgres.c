/* test_store_postgres.c: the store on PostgreSQL: broken connections, refused settings, first starts
 * at the same time, hints, lost history. */
#include "tests/server/run.h"

#include "server/modules/postgres/store/hints.h"
#include "server/util/log.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"
#include "tests/server/postgres_fixture.h"
#include "tests/server/store_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SESSIONS 8

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static char *ask(const struct store_fixture *fixture, const char *sql)
{
	char *answer = postgres_fixture_sql(fixture->database, sql);
	ck_assert_ptr_nonnull(answer);
	return answer;
}

static void run(const struct store_fixture *fixture, const char *sql)
{
	free(ask(fixture, sql));
}

static void terminate_backends(const struct store_fixture *fixture)
{
	run(fixture, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
		     " WHERE datname = current_database() AND pid <> pg_backend_pid()");
}

/* ---- breaks ---- */

/* Opens the store again, with so many lanes. */
static void set_lanes(struct store_fixture *fixture, uint32_t lanes)
{
	fixture_close(fixture);
	fixture->lanes = lanes;
	fixture_open(fixture);
}

struct breaker {
	const struct store_fixture *fixture;
	_Atomic bool stop;
	_Atomic int breaks;
};

static void *break_connections(void *argument)
{
	struct breaker *breaker = argument;
	while (!atomic_load(&breaker->stop)) {
		terminate_backends(breaker->fixture);
		atomic_fetch_add(&breaker->breaks, 1);
		pause_ms(3);
	}
	return NULL;
}

/* While connections break, all writes are answered, and each entry is there once. */
START_TEST(broken_connections)
{
	struct store_fixture fixture;
	struct random_player players[SESSIONS];
	uint64_t keys[SESSIONS];
	char name[16];
	struct pending_write *writes[SESSIONS * 10];
	pthread_t thread;
	fixture_init(&fixture, "postgresql");
	set_lanes(&fixture, 2);
	for (int i = 0; i < SESSIONS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		keys[i] = fixture_session(&fixture, 3, name);
		random_player_init(&players[i], 3, NULL, (uint64_t)i + 1);
	}
	struct breaker breaker = {.fixture = &fixture};
	ck_assert_int_eq(pthread_create(&thread, NULL, break_connections, &breaker), 0);
	int rounds = 0;
	while (rounds < 60 || atomic_load(&breaker.breaks) < 20) {
		for (int i = 0; i < SESSIONS * 10; i++) {
			writes[i] =
				pending_write_append(&fixture, keys[i % SESSIONS], 3,
						     random_player_move(&players[i % SESSIONS]));
			ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
		}
		fixture_wait(&fixture);
		for (int i = 0; i < SESSIONS * 10; i++) {
			ck_assert_int_eq(writes[i]->write.status, STORE_OK);
			pending_write_free(writes[i]);
		}
		rounds++;
	}
	atomic_store(&breaker.stop, true);
	pthread_join(thread, NULL);
	for (int i = 0; i < SESSIONS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		fixture_check_game(&fixture, name, keys[i], &players[i], 97);
		random_player_finish(&players[i]);
	}
	/* Some batches were in doubt, and were asked for. */
	char *gaps = ask(&fixture, "SELECT count(*) FROM cubed.change WHERE body = ''");
	ck_assert_str_ne(gaps, "0");
	free(gaps);
	fixture_finish(&fixture);
}
END_TEST

/* Each lane commits the writes of its sessions, in their order (the fixture sees to that). */
START_TEST(several_lanes)
{
	enum { LANES_OPEN = 3, MOVES = 40 };
	struct store_fixture fixture;
	struct random_player players[SESSIONS];
	uint64_t keys[SESSIONS];
	struct pending_write *writes[SESSIONS * MOVES];
	char name[16];
	fixture_init(&fixture, "postgresql");
	set_lanes(&fixture, LANES_OPEN);
	for (int i = 0; i < SESSIONS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		keys[i] = fixture_session(&fixture, 3, name);
		random_player_init(&players[i], 3, NULL, (uint64_t)i + 1);
	}
	for (int i = 0; i < SESSIONS * MOVES; i++) {
		writes[i] = pending_write_append(&fixture, keys[i % SESSIONS], 3,
						 random_player_move(&players[i % SESSIONS]));
		ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
	}
	fixture_wait(&fixture);
	for (int i = 0; i < SESSIONS * MOVES; i++) {
		ck_assert_int_eq(writes[i]->write.status, STORE_OK);
		pending_write_free(writes[i]);
	}
	for (int i = 0; i < SESSIONS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		fixture_check_game(&fixture, name, keys[i], &players[i], 97);
		random_player_finish(&players[i]);
	}
	char *lanes = ask(&fixture, "SELECT count(DISTINCT lane) FROM cubed.change");
	ck_assert_str_eq(lanes, "3");
	free(lanes);
	fixture_finish(&fixture);
}
END_TEST

/* New sessions too: their keys are found after the batch was in doubt. */
START_TEST(broken_creations)
{
	struct store_fixture fixture;
	struct pending_write *writes[40];
	struct breaker breaker = {.fixture = &fixture};
	pthread_t thread;
	char name[16];
	int made = 0;
	fixture_init(&fixture, "postgresql");
	ck_assert_int_eq(pthread_create(&thread, NULL, break_connections, &breaker), 0);
	while (atomic_load(&breaker.breaks) < 20) {
		for (int i = 0; i < 40; i++) {
			snprintf(name, sizeof(name), "n%d", made++);
			writes[i] = pending_write_create(&fixture, 2 + i % 3, name);
			ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
		}
		fixture_wait(&fixture);
		for (int i = 0; i < 40; i++) {
			struct stored_session session;
			ck_assert_int_eq(writes[i]->write.status, STORE_OK);
			ck_assert_int_eq(fixture.store->operations->find(fixture.reader,
									 &writes[i]->write.meta.id,
									 &session),
					 STORE_OK);
			ck_assert_uint_eq(session.meta.key, writes[i]->write.meta.key);
			stored_session_free(&session);
			pending_write_free(writes[i]);
		}
	}
	atomic_store(&breaker.stop, true);
	pthread_join(thread, NULL);
	fixture_finish(&fixture);
}
END_TEST

static struct store *open_second(struct store_fixture *fixture, struct store_options *options)
{
	struct error error = {0};
	options->committed = fixture_committed;
	options->context = fixture;
	options->queue_max = 1000;
	options->now_ms = fixture_now_ms;
	struct store *store = store_open(fixture->location, options, &error);
	ck_assert_msg(store != NULL, "%s", error.text);
	return store;
}

/* Writes wait for the database for wait_ms; then they fail, and later ones at once, until it is
 * back. */
START_TEST(database_away)
{
	struct store_fixture fixture;
	struct random_player player;
	struct store_options options = {.wait_ms = 1500};
	postgres_fixture_alone();
	fixture_init(&fixture, "postgresql");
	uint64_t key = fixture_session(&fixture, 3, "one");
	random_player_init(&player, 3, NULL, 1);
	struct store *long_wait = fixture.store;
	fixture.store = open_second(&fixture, &options);

	ck_assert_int_eq(postgres_fixture_command("kill a"), 1);
	struct pending_write *write =
		pending_write_append(&fixture, key, 3, random_player_move(&player));
	ck_assert_int_eq(fixture_submit(&fixture, write), STORE_OK);
	fixture_wait(&fixture);
	/* It was not sent, or its connection broke while it was. */
	ck_assert(write->write.status == STORE_AWAY || write->write.status == STORE_UNKNOWN);
	const uint64_t generation = write->write.generation;
	ck_assert_uint_eq(generation, 1);
	pending_write_free(write);
	int tries = 0;
	while (fixture.store->operations->health(fixture.store) != STORE_AWAY && tries++ < 12000)
		pause_ms(10);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_AWAY);
	write = pending_write_of(&fixture, WRITE_DELETE, key);
	ck_assert_int_eq(fixture_submit(&fixture, write), STORE_AWAY);
	pending_write_free(write);

	ck_assert_int_eq(postgres_fixture_command("start a"), 1);
	for (tries = 0; fixture.store->operations->health(fixture.store) != STORE_OK; tries++) {
		ck_assert_int_lt(tries, 12000);
		pause_ms(10);
	}
	fixture_reload(&fixture, "one");
	fixture.generation = generation;
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_OK);
	random_player_finish(&player);
	fixture.store->operations->close(fixture.store);
	fixture.store = long_wait;
	fixture_finish(&fixture);
}
END_TEST

struct seen_changes {
	uint64_t key;
	uint32_t last; /* revision reported */
	bool missed;
};

static void note_change(void *context, const struct store_change *change)
{
	struct seen_changes *seen = context;
	seen->missed |= change->kind == CHANGE_MISSED;
	if (change->kind == CHANGE_ENTRIES && change->key == seen->key)
		seen->last = change->last;
}

static void wait_for(const struct store_fixture *fixture, const char *sql)
{
	for (int tries = 0;; tries++) {
		char *answer = ask(fixture, sql);
		const bool there = strcmp(answer, "0") != 0;
		free(answer);
		if (there)
			return;
		ck_assert_int_lt(tries, 6000);
		pause_ms(20);
	}
}

static void begin_replication(void)
{
	postgres_fixture_alone();
	ck_assert_int_eq(postgres_fixture_command("standby b a"), 1);
	ck_assert_int_eq(postgres_fixture_command("synchronous a"), 1);
}

static void end_replication(void)
{
	ck_assert_int_eq(postgres_fixture_command("set a synchronous_standby_names"), 1);
	ck_assert_int_eq(postgres_fixture_command("kill b"), 1);
}

/* A commit that only the primary has is not an answer, even if the server says that it succeeded; and a
 * server without its standby is not trusted with reads. What was in doubt is reported later. */
START_TEST(not_replicated)
{
	struct store_fixture fixture;
	struct random_player player;
	struct store_options options = {.wait_ms = 1000, .require_replica = true};
	begin_replication();
	fixture_init(&fixture, "postgresql");
	fixture_close(&fixture);
	fixture.store = open_second(&fixture, &options);
	const struct store_operations *operations = fixture.store->operations;
	fixture.reader = operations->reader_create(fixture.store);
	ck_assert_ptr_nonnull(fixture.reader);
	const uint64_t key = fixture_session(&fixture, 3, "one");
	struct seen_changes seen = {.key = key}, later = {.key = key};
	struct store_reader *reader = operations->reader_create(fixture.store);
	ck_assert_ptr_nonnull(reader);
	random_player_init(&player, 3, NULL, 1);
	ck_assert_int_eq(operations->changes(fixture.reader, note_change, &seen), STORE_OK);

	ck_assert_int_eq(postgres_fixture_command("freeze b"), 1);
	struct pending_write *write =
		pending_write_append(&fixture, key, 3, random_player_move(&player));
	ck_assert_int_eq(fixture_submit(&fixture, write), STORE_OK);
	wait_for(&fixture, "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
			   " WHERE wait_event = 'SyncRep' AND query LIKE 'WITH done%'");
	fixture_wait(&fixture);
	ck_assert_int_eq(write->write.status, STORE_UNKNOWN);
	fixture.generation = write->write.generation;
	pending_write_free(write);
	/* It is visible there. */
	wait_for(&fixture, "SELECT revision FROM cubed.session");
	ck_assert_int_eq(operations->changes(fixture.reader, note_change, &seen), STORE_AWAY);
	ck_assert_uint_eq(seen.last, 0);

	ck_assert_int_eq(postgres_fixture_command("thaw b"), 1);
	for (int tries = 0; operations->health(fixture.store) != STORE_OK; tries++) {
		ck_assert_int_lt(tries, 12000);
		pause_ms(10);
	}
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_META, key)),
			 STORE_OK);
	/* It is reported, although a later one of this process was answered. */
	ck_assert_int_eq(operations->changes(fixture.reader, note_change, &seen), STORE_OK);
	ck_assert(!seen.missed);
	ck_assert_uint_eq(seen.last, 1);
	ck_assert_int_eq(operations->changes(reader, note_change, &later), STORE_OK);
	ck_assert(!later.missed);
	ck_assert_uint_eq(later.last, 1);
	operations->reader_destroy(reader);
	fixture_check_game(&fixture, "one", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
	end_replication();
}
END_TEST

/* The connection breaks after the commit and before its answer. */
START_TEST(committed_without_an_answer)
{
	struct store_fixture fixture;
	struct random_player players[SESSIONS];
	uint64_t keys[SESSIONS];
	struct pending_write *writes[2 * SESSIONS];
	char name[32];
	const uint64_t found = meter_sum(METER_STORE_FOUND);
	const uint64_t unknown = meter_sum(METER_STORE_UNKNOWN);
	begin_replication();
	fixture_init(&fixture, "postgresql");
	for (int i = 0; i < SESSIONS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		keys[i] = fixture_session(&fixture, 3, name);
		random_player_init(&players[i], 3, NULL, (uint64_t)i + 1);
	}
	for (int round = 0; round < 3; round++) {
		ck_assert_int_eq(postgres_fixture_command("freeze b"), 1);
		for (int i = 0; i < SESSIONS; i++) {
			writes[i] = pending_write_append(&fixture, keys[i], 3,
							 random_player_move(&players[i]));
			ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
			snprintf(name, sizeof(name), "n%d-%d", round, i);
			writes[SESSIONS + i] = pending_write_create(&fixture, 3, name);
			ck_assert_int_eq(fixture_submit(&fixture, writes[SESSIONS + i]), STORE_OK);
		}
		/* In a batch, whose last statement is any but one of the lane itself. */
		wait_for(&fixture, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
				   " WHERE wait_event = 'SyncRep' AND query !~ '^[A-Z ]+ lane '");
		ck_assert_int_eq(postgres_fixture_command("thaw b"), 1);
		fixture_wait(&fixture);
		for (int i = 0; i < 2 * SESSIONS; i++) {
			ck_assert_int_eq(writes[i]->write.status, STORE_OK);
			ck_assert_uint_gt(writes[i]->write.meta.key, 0);
			pending_write_free(writes[i]);
		}
	}
	for (int i = 0; i < SESSIONS; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		fixture_check_game(&fixture, name, keys[i], &players[i], 1);
		random_player_finish(&players[i]);
	}
	ck_assert_uint_ge(meter_sum(METER_STORE_FOUND) - found, 3);
	ck_assert_uint_eq(meter_sum(METER_STORE_UNKNOWN), unknown);
	fixture_finish(&fixture);
	end_replication();
}
END_TEST

/* Settings are looked at whenever a connection is made, and those of replication now and then. */
static void check_setting(bool require_replica, const char *off, const char *on, bool cut)
{
	struct store_fixture fixture;
	struct random_player player;
	struct store_options options = {.wait_ms = 500, .require_replica = require_replica};
	begin_replication();
	fixture_init(&fixture, "postgresql");
	fixture_close(&fixture);
	fixture.store = open_second(&fixture, &options);
	const struct store_operations *operations = fixture.store->operations;
	fixture.reader = operations->reader_create(fixture.store);
	const uint64_t key = fixture_session(&fixture, 3, "one");
	random_player_init(&player, 3, NULL, 1);
	ck_assert_int_eq(postgres_fixture_command(off), 1);
	if (cut) {
		wait_for(&fixture, "SELECT count(*) FROM pg_settings WHERE name = 'fsync'"
				   " AND setting = 'off'");
		terminate_backends(&fixture);
	} else {
		pause_ms(2500);
	}
	const struct entry *entry = random_player_move(&player);
	struct pending_write *write = pending_write_append(&fixture, key, 3, entry);
	ck_assert_int_eq(fixture_submit(&fixture, write), STORE_OK);
	fixture_wait(&fixture);
	/* The connection may have been cut when it was under way. */
	ck_assert(write->write.status == STORE_AWAY ||
		  (cut && write->write.status == STORE_UNKNOWN));
	fixture.generation = write->write.generation;
	pending_write_free(write);
	struct seen_changes seen = {.key = key};
	ck_assert_int_eq(operations->changes(fixture.reader, note_change, &seen), STORE_AWAY);
	ck_assert_int_eq(operations->health(fixture.store), STORE_AWAY);
	ck_assert_int_eq(postgres_fixture_command(on), 1);
	for (int tries = 0; operations->health(fixture.store) != STORE_OK; tries++) {
		ck_assert_int_lt(tries, 12000);
		pause_ms(10);
	}
	fixture_reload(&fixture, "one");
	ck_assert_int_eq(fixture_do(&fixture, pending_write_append(&fixture, key, 3, entry)),
			 STORE_OK);
	fixture_check_game(&fixture, "one", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
	end_replication();
}

START_TEST(settings_that_change)
{
	check_setting(false, "set a fsync off", "set a fsync on", true);
	check_setting(true, "set a synchronous_standby_names", "synchronous a", false);
}
END_TEST

/* ---- isolation ---- */

/* A write that is refused does not make others of its transaction fail. */
START_TEST(isolation)
{
	struct store_fixture fixture;
	struct pending_write *writes[6];
	uint8_t answer[4] = "abc";
	struct receipt receipts[6];
	char name[16];
	fixture_init(&fixture, "postgresql");
	fixture_session(&fixture, 3, "there");
	fixture_session(&fixture, 3, "first");
	for (int i = 0; i < 6; i++) {
		/* 2 has an id that is there, 4 the receipt of 3. */
		snprintf(name, sizeof(name), "%s%d", i == 2 ? "there" : "new", i);
		if (i == 2)
			name[5] = '\0';
		writes[i] = pending_write_create(&fixture, 3, name);
		receipts[i] = (struct receipt){
			.key = {(uint8_t)(i == 4 ? 3 : i)},
			.created_ms = fixture_now_ms(),
			.answer = answer,
			.answer_bytes = sizeof answer,
		};
		writes[i]->write.receipt = &receipts[i];
	}
	/* One is held in the callback, so that the others wait and are one transaction. */
	fixture.hold = true;
	struct pending_write *first = pending_write_create(&fixture, 3, "held");
	ck_assert_int_eq(fixture_submit(&fixture, first), STORE_OK);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
	fixture_release(&fixture);
	fixture_wait(&fixture);
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(writes[i]->write.status,
				 i == 2 || i == 4 ? STORE_CONFLICT : STORE_OK);
		pending_write_free(writes[i]);
	}
	pending_write_free(first);
	ck_assert_uint_eq(fixture.generation, 0);
	fixture_finish(&fixture);
}
END_TEST

/* ---- starts ---- */

#define STARTS 6

struct start {
	struct store_fixture *fixture;
	struct store_options options;
	struct store *store;
	pthread_t thread;
};

static void *start_store(void *argument)
{
	struct start *start = argument;
	start->store = open_second(start->fixture, &start->options);
	return NULL;
}

/* One of several servers that start with an empty database makes the tables, and all find them. */
START_TEST(starts_at_once)
{
	struct store_fixture fixture;
	struct start starts[STARTS];
	char incarnations[STARTS][INCARNATION_TEXT + 1];
	fixture_init(&fixture, "postgresql");
	fixture_close(&fixture);
	for (int round = 0; round < 5; round++) {
		run(&fixture, "DROP SCHEMA cubed CASCADE");
		for (int i = 0; i < STARTS; i++) {
			starts[i] = (struct start){.fixture = &fixture};
			ck_assert_int_eq(
				pthread_create(&starts[i].thread, NULL, start_store, &starts[i]),
				0);
		}
		for (int i = 0; i < STARTS; i++)
			pthread_join(starts[i].thread, NULL);
		for (int i = 0; i < STARTS; i++) {
			starts[i].store->operations->incarnation(starts[i].store, incarnations[i]);
			ck_assert_uint_eq(strlen(incarnations[i]), INCARNATION_TEXT);
			ck_assert_str_eq(incarnations[i], incarnations[0]);
		}
		for (int i = 0; i < STARTS; i++)
			starts[i].store->operations->close(starts[i].store);
	}
	fixture_open(&fixture);
	fixture_finish(&fixture);
}
END_TEST

static void check_refused(const struct store_fixture *fixture, bool require_replica,
			  const char *because)
{
	struct error error = {0};
	const struct store_options options = {
		.committed = fixture_committed,
		.queue_max = 10,
		.now_ms = fixture_now_ms,
		.require_replica = require_replica,
	};
	ck_assert_ptr_null(store_open(fixture->location, &options, &error));
	ck_assert_msg(strstr(error.text, because) != NULL, "%s", error.text);
}

START_TEST(refused_databases)
{
	struct store_fixture fixture;
	struct error error = {0};
	postgres_fixture_alone();
	fixture_init(&fixture, "postgresql");
	fixture_close(&fixture);
	check_refused(&fixture, true, "synchronous_standby_names");
	run(&fixture, "UPDATE cubed.meta SET version = 99, minimum = 99");
	check_refused(&fixture, false, "newer schema 99");
	/* A newer schema that this program may still use. */
	run(&fixture, "UPDATE cubed.meta SET version = 99, minimum = 1");
	fixture_open(&fixture);
	fixture_close(&fixture);
	ck_assert_int_eq(postgres_fixture_command("set a fsync off"), 1);
	ck_assert_int_eq(postgres_fixture_command("stop a"), 1);
	ck_assert_int_eq(postgres_fixture_command("start a"), 1);
	check_refused(&fixture, false, "set fsync = on");
	const struct store_options options = {.committed = fixture_committed, .queue_max = 1};
	ck_assert_ptr_null(store_open("postgresql:host=/nowhere dbname=x", &options, &error));
	ck_assert_msg(strstr(error.text, "cannot connect") != NULL, "%s", error.text);
	fixture.store = NULL;
	fixture_finish(&fixture);
}
END_TEST

/* ---- what others do ---- */

/* The keys of a hint. */
struct hint {
	size_t count;
	uint64_t keys[HINT_KEYS_MAX];
};

/* The number of hints that came, and the last one. */
struct noted {
	pthread_mutex_t mutex; /* for `hints` and `last` */
	int hints;
	struct hint last;
	struct hint seen; /* by wait_for_hint() */
};

static void note_hint(void *context, const uint64_t *keys, size_t count)
{
	struct noted *noted = context;
	pthread_mutex_lock(&noted->mutex);
	ck_assert_uint_le(count, HINT_KEYS_MAX);
	noted->last.count = count;
	for (size_t i = 0; i < count; i++)
		noted->last.keys[i] = keys[i];
	noted->hints++;
	pthread_mutex_unlock(&noted->mutex);
}

/* Waits for the next hint behind `before`; returns their number. */
static int wait_for_hint(struct noted *noted, int before)
{
	for (int tries = 0, hints = before;; tries++) {
		pthread_mutex_lock(&noted->mutex);
		hints = noted->hints;
		noted->seen = noted->last;
		pthread_mutex_unlock(&noted->mutex);
		if (hints > before)
			return hints;
		ck_assert_int_lt(tries, 24000);
		pause_ms(5);
	}
}

/* As many keys as a notification holds are sent; of more, that it may be any. */
static void check_many_hints(struct postgres_store *store, struct noted *noted, int hints)
{
	for (uint64_t many = HINT_KEYS_MAX; many <= HINT_KEYS_MAX + 1; many++) {
		for (uint64_t key = 1; key <= many; key++) {
			hints_add(store, key);
			hints_add(store, key);
		}
		hints_send(store);
		hints = wait_for_hint(noted, hints);
		ck_assert_uint_eq(noted->seen.count, many == HINT_KEYS_MAX ? many : 0);
		for (uint64_t i = 0; i < noted->seen.count; i++)
			ck_assert_uint_eq(noted->seen.keys[i], i + 1);
	}
}

START_TEST(hints_reach_others)
{
	struct store_fixture fixture;
	struct noted noted = {.mutex = PTHREAD_MUTEX_INITIALIZER};
	struct store_options options = {.changed = note_hint, .changed_context = &noted};
	uint64_t keys[3];
	fixture_init(&fixture, "postgresql");
	struct store *second = open_second(&fixture, &options);
	int hints = wait_for_hint(&noted, 0); /* it listens now */
	ck_assert_uint_eq(noted.seen.count, 0);
	for (int i = 0; i < 3; i++) {
		char name[16];
		snprintf(name, sizeof(name), "n%d", i);
		keys[i] = fixture_session(&fixture, 3, name);
	}
	/* Nothing was said of new sessions: the next hint is about this write. */
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(
			fixture_do(&fixture, pending_write_of(&fixture, WRITE_META, keys[i])),
			STORE_OK);
		hints = wait_for_hint(&noted, hints);
		ck_assert_uint_eq(noted.seen.count, 1);
		ck_assert_uint_eq(noted.seen.keys[0], keys[i]);
	}
	/* Other versions say nothing of sessions, or something else. */
	static const char *const others[] = {"NOTIFY cubed", "NOTIFY cubed, '1,'",
					     "NOTIFY cubed, '1;2'",
					     "NOTIFY cubed, '10000000000000000'"};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		run(&fixture, others[i]);
		hints = wait_for_hint(&noted, hints);
		ck_assert_uint_eq(noted.seen.count, 0);
	}
	run(&fixture, "NOTIFY cubed, '1,ffffffffffffffff'");
	hints = wait_for_hint(&noted, hints);
	ck_assert_uint_eq(noted.seen.count, 2);
	ck_assert_uint_eq(noted.seen.keys[1], UINT64_MAX);
	check_many_hints((struct postgres_store *)fixture.store, &noted, hints);
	second->operations->close(second);
	fixture_finish(&fixture);
}
END_TEST

/* If the database has lost what was answered, it gets another incarnation. */
START_TEST(lost_history)
{
	struct store_fixture fixture;
	char before[INCARNATION_TEXT + 1], after[INCARNATION_TEXT + 1];
	const uint64_t incarnations = meter_sum(METER_STORE_INCARNATIONS);
	fixture_init(&fixture, "postgresql");
	for (int round = 0; round < 2; round++) {
		char name[16];
		fixture.store->operations->incarnation(fixture.store, before);
		snprintf(name, sizeof(name), "a%d", round);
		fixture_session(&fixture, 3, name);
		/* A lossless failover keeps it. */
		if (round == 1)
			run(&fixture, "DELETE FROM cubed.change");
		terminate_backends(&fixture);
		snprintf(name, sizeof(name), "b%d", round);
		fixture_session(&fixture, 3, name);
		fixture.store->operations->incarnation(fixture.store, after);
		ck_assert((strcmp(before, after) == 0) == (round == 0));
		ck_assert_uint_eq(meter_sum(METER_STORE_INCARNATIONS) - incarnations,
				  (uint64_t)round);
	}
	fixture_finish(&fixture);
}
END_TEST

/* As on a server that was replaced: without the newest batches. Twice is as before. */
static void hide_batches(struct store_fixture *fixture)
{
	run(fixture, "SET synchronous_commit = local; UPDATE cubed.change SET lane = -lane");
}

/* A server that was replaced and does not know it has less, too. But it cannot commit: so nothing is
 * lost, and the incarnation stays. */
START_TEST(replaced_server_is_no_loss)
{
	struct store_fixture fixture;
	char before[INCARNATION_TEXT + 1], after[INCARNATION_TEXT + 1];
	begin_replication();
	fixture_init(&fixture, "postgresql");
	fixture.store->operations->incarnation(fixture.store, before);
	fixture_session(&fixture, 3, "one");
	ck_assert_int_eq(postgres_fixture_command("freeze b"), 1);
	hide_batches(&fixture);
	terminate_backends(&fixture);
	struct pending_write *write = pending_write_create(&fixture, 3, "two");
	ck_assert_int_eq(fixture_submit(&fixture, write), STORE_OK);
	wait_for(&fixture, "SELECT count(*) FROM pg_stat_activity"
			   " WHERE wait_event = 'SyncRep' AND datname = current_database()");
	hide_batches(&fixture);
	ck_assert_int_eq(postgres_fixture_command("thaw b"), 1);
	fixture_wait(&fixture);
	ck_assert_int_eq(write->write.status, STORE_OK);
	pending_write_free(write);
	fixture.store->operations->incarnation(fixture.store, after);
	ck_assert_str_eq(before, after);
	char *stored = ask(&fixture, "SELECT incarnation FROM cubed.meta");
	ck_assert_str_eq(stored, before);
	free(stored);
	fixture_finish(&fixture);
	end_replication();
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
	TCase *cases = tcase_create("postgresql");
	tcase_set_timeout(cases, 600);
	tcase_add_test(cases, broken_connections);
	tcase_add_test(cases, several_lanes);
	tcase_add_test(cases, broken_creations);
	tcase_add_test(cases, database_away);
	tcase_add_test(cases, not_replicated);
	tcase_add_test(cases, committed_without_an_answer);
	tcase_add_test(cases, settings_that_change);
	tcase_add_test(cases, isolation);
	tcase_add_test(cases, starts_at_once);
	tcase_add_test(cases, hints_reach_others);
	tcase_add_test(cases, lost_history);
	tcase_add_test(cases, replaced_server_is_no_loss);
	tcase_add_test(cases, refused_databases); /* last: it turns off fsync */
	Suite *suite = suite_create("store_postgres");
	suite_add_tcase(suite, cases);
	return run_suite(suite, 11);
}
