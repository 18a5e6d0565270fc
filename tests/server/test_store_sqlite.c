/* test_store_sqlite.c: what a disk adds: folding, locks, versions, failing writes, moved files. */
#include "tests/server/run.h"

#include "server/store/sqlite/internal.h"
#include "server/util/log.h"
#include "tests/server/fault_vfs.h"
#include "tests/server/kit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void nap(int ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L }, NULL);
}

/* One number out of the file, over a connection of the test's own. */
static int64_t ask(const struct kit *kit, const char *sql)
{
	struct connection c;
	int64_t value = -1;
	ck_assert_int_eq(connection_open(&c, kit_path(kit, ""), SQLITE_OPEN_READONLY), SQLITE_OK);
	sqlite3_busy_timeout(c.db, 5000);
	ck_assert_int_eq(connection_value(&c, sql, &value), SQLITE_OK);
	connection_close(&c);
	return value;
}

static void wait_until(const struct kit *kit, const char *sql, int64_t value)
{
	for (int i = 0; i < 3000 && ask(kit, sql) != value; i++)
		nap(10);
	ck_assert_int_eq(ask(kit, sql), value);
}

static void wait_folded(const struct kit *kit)
{
	wait_until(kit, "SELECT count(*) FROM log", 0);
}

static void wait_health(const struct kit *kit, enum store_status status)
{
	for (int i = 0; i < 1000 && kit->store->operations->health(kit->store) != status; i++)
		nap(10);
	ck_assert_int_eq(kit->store->operations->health(kit->store), status);
}

static struct ticket *next_move(const struct kit *kit, uint64_t key, struct player *player)
{
	return ticket_append(kit, key, player->size, player_move(player));
}

static void play(struct kit *kit, uint64_t key, struct player *player, int entries, bool mixed)
{
	for (int i = 0; i < entries; i++) {
		const struct entry *entry = mixed ? player_next(player) : player_move(player);
		ck_assert_int_eq(kit_do(kit, ticket_append(kit, key, player->size, entry)),
		                 STORE_OK);
	}
}

/* ---- folding ---- */

START_TEST(log_folds_into_chunks)
{
	static const int sizes[] = { 2, 3, 21 };
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, sizes[_i], NULL, 6);
	uint64_t key = kit_session(&kit, sizes[_i], "game");
	for (int part = 0; part < 3; part++) {
		play(&kit, key, &player, sizes[_i] > 10 ? 40 : 400, true);
		kit_check_game(&kit, "game", key, &player, 23);
		wait_folded(&kit);
		kit_check_game(&kit, "game", key, &player, 7);
	}
	ck_assert_int_gt(ask(&kit, "SELECT count(*) FROM history"), 2);
	ck_assert_int_eq(ask(&kit, "SELECT (SELECT count(*) FROM history WHERE first > 1)"
	                           " - (SELECT count(*) FROM snapshot)"),
	                 0);
	kit_close(&kit);
	kit_open(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(many_sessions_fold)
{
	enum { SESSIONS = 700 };
	struct kit kit;
	static struct player players[SESSIONS];
	static uint64_t keys[SESSIONS];
	kit_init(&kit, "sqlite");
	for (int i = 0; i < SESSIONS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		player_init(&players[i], 2, NULL, (uint64_t)i);
		keys[i] = kit_session(&kit, 2, name);
	}
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < SESSIONS; i++)
			play(&kit, keys[i], &players[i], 1 + (i % 5 == 0), false);
		if (round == 1)
			wait_folded(&kit);
		if (round == 2) { /* in the middle of folding */
			nap(120);
			kit_close(&kit);
			kit_open(&kit);
		}
	}
	wait_folded(&kit);
	for (int i = 0; i < SESSIONS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		kit_check_game(&kit, name, keys[i], &players[i], 1);
		player_finish(&players[i]);
	}
	kit_finish(&kit);
}
END_TEST

START_TEST(folded_rows_are_only_dropped)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 6);
	uint64_t key = kit_session(&kit, 3, "game");
	play(&kit, key, &player, 5, false);
	kit_close(&kit);
	/* The log once more, after it was folded: as if a fold had been half done. */
	struct connection c;
	ck_assert_int_eq(connection_open(&c, kit_path(&kit, ""), SQLITE_OPEN_READWRITE), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(c.db, "CREATE TABLE kept AS SELECT * FROM log", NULL, NULL, NULL),
	                 SQLITE_OK);
	connection_close(&c);
	kit_open(&kit);
	wait_folded(&kit);
	kit_close(&kit);
	ck_assert_int_eq(connection_open(&c, kit_path(&kit, ""), SQLITE_OPEN_READWRITE), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(c.db, "INSERT INTO log SELECT * FROM kept", NULL, NULL, NULL),
	                 SQLITE_OK);
	connection_close(&c);
	kit_open(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	wait_folded(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(damage_stays_with_its_session)
{
	struct kit kit;
	struct player player;
	struct stored_session session;
	struct session_id id = kit_id("bad");
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 6);
	uint64_t bad = kit_session(&kit, 3, "bad");
	uint64_t good = kit_session(&kit, 3, "good");
	for (int i = 0; i < 3; i++) {
		const struct entry *entry = player_move(&player);
		ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, bad, 3, entry)), STORE_OK);
		ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, good, 3, entry)), STORE_OK);
	}
	kit_close(&kit);
	struct connection c;
	ck_assert_int_eq(connection_open(&c, kit_path(&kit, ""), SQLITE_OPEN_READWRITE), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(c.db, "UPDATE log SET entry = x'ff' WHERE seq = 3", NULL, NULL, NULL),
	                 SQLITE_OK);
	connection_close(&c);
	kit_open(&kit);
	wait_until(&kit, "SELECT count(*) FROM log", 3);
	kit_check_game(&kit, "good", good, &player, 1);
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_BROKEN);
	play(&kit, good, &player, 3, false);
	wait_until(&kit, "SELECT count(*) FROM log", 3);
	kit_check_game(&kit, "good", good, &player, 1);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_OK);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(old_deleted_sessions_go)
{
	struct kit kit;
	struct player player;
	struct stored_session session;
	struct session_id id = kit_id("old");
	kit_init(&kit, "sqlite");
	player_init(&player, 2, NULL, 6);
	uint64_t old = kit_session(&kit, 2, "old");
	play(&kit, old, &player, 1500, true);
	uint64_t kept = kit_session(&kit, 2, "kept"), newest = kit_session(&kit, 2, "newest");
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, old)), STORE_OK);
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, newest)), STORE_OK);
	wait_folded(&kit);
	ck_assert_int_gt(ask(&kit, "SELECT count(*) FROM history"), 2);
	kit_close(&kit);
	kit_clock_ahead_ms = SESSION_DELETED_KEPT_MS + 1000;
	kit_open(&kit);
	/* The newest key stays taken, so that it is not given away again. */
	wait_until(&kit, "SELECT count(*) FROM session", 2);
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_NOT_FOUND);
	ck_assert_int_eq(ask(&kit, "SELECT count(*) FROM history"), 0);
	ck_assert_int_eq(ask(&kit, "SELECT count(*) FROM snapshot"), 0);
	ck_assert_uint_gt(kit_session(&kit, 2, "next"), newest);
	kit_clock_ahead_ms = 0;
	ck_assert_uint_gt(kept, 0);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

/* ---- opening ---- */

static void expect_refused(const char *location, const char *words)
{
	char problem[300] = "";
	struct store_options options = { .queue_max = 1, .now_ms = kit_now_ms };
	ck_assert_ptr_null(store_open(location, &options, problem, sizeof(problem)));
	ck_assert_msg(strstr(problem, words) != NULL, "%s", problem);
}

START_TEST(a_second_process_is_refused)
{
	struct kit kit;
	kit_init(&kit, "sqlite");
	expect_refused(kit.location, "another process");
	kit_close(&kit);

	int to_child[2], to_parent[2];
	char byte = 0;
	ck_assert_int_eq(pipe(to_child) | pipe(to_parent), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		char problem[300];
		struct store_options options = { .queue_max = 1, .now_ms = kit_now_ms };
		struct store *store = store_open(kit.location, &options, problem, sizeof(problem));
		byte = store != NULL;
		if (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1)
			_exit(1);
		_exit(0); /* without closing: the lock goes with the process */
	}
	ck_assert_int_eq(read(to_parent[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 1);
	expect_refused(kit.location, "another process");
	ck_assert_int_eq(write(to_child[1], "", 1), 1);
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	kit_open(&kit);
	kit_session(&kit, 3, "mine");
	kit_finish(&kit);
	for (int i = 0; i < 2; i++) {
		close(to_child[i]);
		close(to_parent[i]);
	}
}
END_TEST

static size_t slurp(const char *path, uint8_t *bytes, size_t capacity)
{
	FILE *file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	size_t length = fread(bytes, 1, capacity, file);
	fclose(file);
	return length;
}

START_TEST(other_files_are_refused_untouched)
{
	static const struct {
		const char *sql, *words;
	} cases[] = {
		{ "PRAGMA user_version=2", "was written by a newer version (schema 2, this is 1)" },
		{ "PRAGMA application_id=7", "another program" },
		{ NULL, "is not a database" },
	};
	static uint8_t before[1 << 20], after[1 << 20];
	struct kit kit;
	kit_init(&kit, "sqlite");
	kit_session(&kit, 3, "one");
	kit_close(&kit);
	if (cases[_i].sql != NULL) {
		struct connection c;
		ck_assert_int_eq(connection_open(&c, kit_path(&kit, ""), SQLITE_OPEN_READWRITE),
		                 SQLITE_OK);
		ck_assert_int_eq(sqlite3_exec(c.db, cases[_i].sql, NULL, NULL, NULL), SQLITE_OK);
		connection_close(&c);
	} else {
		FILE *file = fopen(kit_path(&kit, ""), "wb");
		ck_assert_ptr_nonnull(file);
		for (int i = 0; i < 500; i++)
			fputs("not a database at all\n", file);
		fclose(file);
	}
	size_t length = slurp(kit_path(&kit, ""), before, sizeof(before));
	expect_refused(kit.location, cases[_i].words);
	ck_assert_uint_eq(slurp(kit_path(&kit, ""), after, sizeof(after)), length);
	ck_assert_mem_eq(before, after, length);
	kit_finish(&kit);
}
END_TEST

START_TEST(paths_that_are_none)
{
	expect_refused("sqlite:", "needs a path");
	expect_refused("sqlite:/tmp", "is a directory");
	expect_refused("sqlite:/tmp/no/such/folder/cubed.db", "No such file");
	expect_refused("sqlite:/dev/null", "not a regular file");
	if (geteuid() != 0)
		expect_refused("sqlite:/cubed.db", "Permission denied");
}
END_TEST

START_TEST(only_the_writer_writes)
{
	struct kit kit;
	kit_init(&kit, "sqlite");
	kit_session(&kit, 3, "one");
	struct connection *c = &kit.reader->connection;
	int64_t value = -1;
	int off = -1;
	ck_assert_int_eq(sqlite3_db_readonly(c->db, "main"), 1);
	ck_assert_int_eq(connection_value(c, "PRAGMA query_only", &value), SQLITE_OK);
	ck_assert_int_eq(value, 1);
	ck_assert_int_eq(connection_value(c, "PRAGMA wal_autocheckpoint", &value), SQLITE_OK);
	ck_assert_int_eq(value, 0);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, -1, &off);
	ck_assert_int_eq(off, 1);
	ck_assert_int_ne(connection_value(c, "DELETE FROM session", NULL), SQLITE_OK);
	ck_assert_int_ne(connection_value(c, "BEGIN IMMEDIATE", NULL), SQLITE_OK);
	for (int mode = SQLITE_CHECKPOINT_PASSIVE; mode <= SQLITE_CHECKPOINT_TRUNCATE; mode++)
		ck_assert_int_ne(sqlite3_wal_checkpoint_v2(c->db, NULL, mode, NULL, NULL), SQLITE_OK);
	/* Not even where somebody switched the pragma off. */
	ck_assert_int_eq(connection_value(c, "PRAGMA query_only=0", NULL), SQLITE_OK);
	ck_assert_int_ne(connection_value(c, "DELETE FROM session", NULL), SQLITE_OK);

	struct connection *writer = &((struct sqlite_store *)kit.store)->writer;
	ck_assert_int_eq(connection_value(writer, "PRAGMA synchronous", &value), SQLITE_OK);
	ck_assert_int_eq(value, 2);
	ck_assert_int_eq(connection_value(writer, "PRAGMA mmap_size", &value), SQLITE_OK);
	ck_assert_int_eq(value, 0);
	ck_assert_int_eq(ask(&kit, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
	ck_assert_int_eq(ask(&kit, "PRAGMA application_id"), 0x63756265);
	kit_finish(&kit);
}
END_TEST

/* ---- failures ---- */

START_TEST(a_full_queue)
{
	struct kit kit;
	struct ticket *tickets[5];
	kit_init(&kit, "sqlite");
	kit_close(&kit);
	kit.queue_max = 4;
	kit_open(&kit);
	kit_hold(&kit);
	for (int i = 0; i < 5; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		tickets[i] = ticket_create(&kit, 3, name);
		ck_assert_int_eq(kit_submit(&kit, tickets[i]), i < 4 ? STORE_OK : STORE_BUSY);
	}
	kit_release(&kit);
	kit_wait(&kit);
	ck_assert(!tickets[4]->answered);
	for (int i = 0; i < 5; i++) {
		if (i < 4)
			ck_assert_int_eq(tickets[i]->write.status, STORE_OK);
		ticket_free(tickets[i]);
	}
	kit_finish(&kit);
}
END_TEST

static const struct {
	enum fault fault;
	enum store_status status;
} failures[] = {
	{ FAULT_FULL, STORE_FULL },
	{ FAULT_QUOTA, STORE_FULL },
	{ FAULT_WRITE, STORE_BROKEN },
	{ FAULT_SYNC, STORE_BROKEN },
};

START_TEST(a_failed_commit_takes_all_behind_it)
{
	const enum store_status status = failures[_i].status;
	const bool broken = status == STORE_BROKEN;
	struct kit kit;
	struct player player;
	struct ticket *tickets[6];
	kit_init(&kit, "sqlite");
	const struct store_operations *operations = kit.store->operations;
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	play(&kit, key, &player, 3, false);
	struct player ahead; /* what the hub works on that will not be */
	player_init(&ahead, 3, NULL, 9);
	for (int i = 0; i < 3; i++)
		player_move(&ahead);

	kit_hold(&kit);
	fault_set(failures[_i].fault, FAULT_LOG, 0);
	for (int i = 0; i < 3; i++) {
		tickets[i] = next_move(&kit, key, &ahead);
		ck_assert_int_eq(kit_submit(&kit, tickets[i]), STORE_OK);
	}
	kit_release(&kit);
	kit_wait(&kit);
	ck_assert_int_gt(fault_hits(), 0);
	ck_assert_int_eq(operations->health(kit.store), status);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	/* These were made before the loop heard of it: not tried, though the disk is well again. */
	for (int i = 3; i < 6; i++) {
		tickets[i] = next_move(&kit, key, &ahead);
		ck_assert_int_eq(kit_submit(&kit, tickets[i]), STORE_OK);
	}
	kit_wait(&kit);
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(tickets[i]->write.status, status);
		ck_assert_uint_eq(tickets[i]->write.epoch, 1);
		ticket_free(tickets[i]);
	}
	kit.epoch = 1;
	kit_check_game(&kit, "game", key, &player, 1);
	if (broken) {
		ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 2, "no")), STORE_BROKEN);
		nap(300);
		ck_assert_int_eq(operations->health(kit.store), STORE_BROKEN);
		kit_check_game(&kit, "game", key, &player, 1);
	} else {
		play(&kit, key, &player, 3, false);
		ck_assert_int_eq(operations->health(kit.store), STORE_OK);
		kit_check_game(&kit, "game", key, &player, 1);
	}
	kit_close(&kit);
	kit_open(&kit);
	if (failures[_i].fault == FAULT_SYNC) {
		/* The commit that failed may be there or not; what was answered is. */
		struct stored_session session;
		struct session_id id = kit_id("game");
		ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
		uint32_t revision = session.history->revision;
		ck_assert(revision == 3 || revision == 6);
		ck_assert(cube_equal(session.history->cube, ahead.states[revision]));
		stored_session_free(&session);
	} else {
		kit_check_game(&kit, "game", key, &player, 1);
		play(&kit, key, &player, 3, true);
		wait_folded(&kit);
		kit_check_game(&kit, "game", key, &player, 1);
	}
	player_finish(&ahead);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(room_is_noticed_without_a_write)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	if (_i == 1) /* something to fold meanwhile, which fails and is tried again */
		play(&kit, key, &player, 10, false);
	fault_set(FAULT_FULL, FAULT_ANY, 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "two")), STORE_FULL);
	nap(400);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_FULL);
	ck_assert_int_lt(fault_hits(), 8); /* it does not spin */
	kit_check_game(&kit, "game", key, &player, 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	wait_health(&kit, STORE_OK);
	kit.epoch = 1;
	wait_folded(&kit);
	play(&kit, key, &player, 3, false);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(a_failed_fold_loses_nothing)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	play(&kit, key, &player, 10, true);
	fault_set(FAULT_FULL, FAULT_ANY, 0);
	for (int i = 0; i < 300 && fault_hits() == 0; i++)
		nap(10);
	ck_assert_int_gt(fault_hits(), 0);
	kit_check_game(&kit, "game", key, &player, 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	/* No write failed, so none of them is refused. */
	play(&kit, key, &player, 10, true);
	wait_folded(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	/* An fsync that fails is for good, whoever asked for it. */
	play(&kit, key, &player, 2, true);
	fault_set(FAULT_SYNC, FAULT_ANY, 0);
	wait_health(&kit, STORE_BROKEN);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 2, "no")), STORE_BROKEN);
	kit_check_game(&kit, "game", key, &player, 1);
	kit_close(&kit);
	kit_open(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	wait_folded(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(a_failed_checkpoint_is_noticed)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	fault_set(FAULT_SYNC, FAULT_MAIN, 0);
	for (int i = 0; i < 3000 && kit.store->operations->health(kit.store) == STORE_OK; i++) {
		struct ticket *ticket = ticket_append(&kit, key, 3, player_next(&player));
		if (kit_do(&kit, ticket) != STORE_OK)
			break;
		if (i % 10 == 9) {
			char name[16];
			snprintf(name, sizeof(name), "s%d", i);
			kit_do(&kit, ticket_create(&kit, 3, name));
		}
	}
	ck_assert_int_eq(fault_hits(), 1); /* and is not tried again */
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_BROKEN);
	kit_close(&kit);
	ck_assert_int_eq(fault_hits(), 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	kit_open(&kit);
	struct stored_session session;
	struct session_id id = kit_id("game");
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
	ck_assert_uint_ge(session.history->revision, player.revision - 1);
	ck_assert(cube_equal(session.history->cube, player.states[session.history->revision]));
	stored_session_free(&session);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(moved_files_are_noticed)
{
	static const char *const suffixes[] = { "", "-wal" };
	struct kit kit;
	struct player player;
	char away[200];
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	play(&kit, key, &player, 3, false);
	snprintf(away, sizeof(away), "%s.away", kit_path(&kit, ""));
	ck_assert_int_eq(rename(kit_path(&kit, suffixes[_i]), away), 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "nowhere")), STORE_BROKEN);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_BROKEN);
	ck_assert_int_eq(rename(away, kit_path(&kit, suffixes[_i])), 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "nowhere")), STORE_BROKEN);
	kit_check_game(&kit, "game", key, &player, 1);
	kit_close(&kit);
	kit_open(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0); /* it fails on purpose */
	fault_install();
	Suite *suite = suite_create("store_sqlite");
	TCase *plain = tcase_create("store_sqlite");
	tcase_set_timeout(plain, 300);
	tcase_add_loop_test(plain, log_folds_into_chunks, 0, 3);
	tcase_add_test(plain, many_sessions_fold);
	tcase_add_test(plain, folded_rows_are_only_dropped);
	tcase_add_test(plain, damage_stays_with_its_session);
	tcase_add_test(plain, old_deleted_sessions_go);
	tcase_add_test(plain, a_second_process_is_refused);
	tcase_add_loop_test(plain, other_files_are_refused_untouched, 0, 3);
	tcase_add_test(plain, paths_that_are_none);
	tcase_add_test(plain, only_the_writer_writes);
	tcase_add_test(plain, a_full_queue);
	tcase_add_loop_test(plain, a_failed_commit_takes_all_behind_it, 0, 4);
	tcase_add_loop_test(plain, room_is_noticed_without_a_write, 0, 2);
	tcase_add_test(plain, a_failed_fold_loses_nothing);
	tcase_add_test(plain, a_failed_checkpoint_is_noticed);
	tcase_add_loop_test(plain, moved_files_are_noticed, 0, 2);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 24);
}
