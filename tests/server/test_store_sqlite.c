/* test_store_sqlite.c: what a disk adds: compacting, locks, versions, settings. */
#include "tests/server/run.h"

#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/log.h"
#include "tests/server/disk.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- compacting ---- */

START_TEST(log_folds_into_chunks)
{
	static const int sizes[] = {2, 3, 21};
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, sizes[_i], NULL, 6);
	uint64_t key = fixture_session(&fixture, sizes[_i], "game");
	for (int part = 0; part < 3; part++) {
		disk_play(&fixture, key, &player, sizes[_i] > 10 ? 40 : 400, true);
		fixture_check_game(&fixture, "game", key, &player, 23);
		disk_wait_compacted(&fixture);
		fixture_check_game(&fixture, "game", key, &player, 7);
	}
	ck_assert_int_gt(disk_ask(&fixture, "SELECT count(*) FROM history"), 2);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT (SELECT count(*) FROM history WHERE first > 1)"
					    " - (SELECT count(*) FROM snapshot)"),
			 0);
	fixture_close(&fixture);
	fixture_open(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(many_sessions_fold)
{
	enum { SESSIONS = 700 };
	struct store_fixture fixture;
	static struct random_player players[SESSIONS];
	static uint64_t keys[SESSIONS];
	fixture_init(&fixture, "sqlite");
	for (int i = 0; i < SESSIONS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		random_player_init(&players[i], 2, NULL, (uint64_t)i);
		keys[i] = fixture_session(&fixture, 2, name);
	}
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < SESSIONS; i++)
			disk_play(&fixture, keys[i], &players[i], 1 + (i % 5 == 0), false);
		if (round == 1)
			disk_wait_compacted(&fixture);
		if (round == 2) { /* in the middle of compacting */
			disk_nap(120);
			fixture_close(&fixture);
			fixture_open(&fixture);
		}
	}
	disk_wait_compacted(&fixture);
	for (int i = 0; i < SESSIONS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		fixture_check_game(&fixture, name, keys[i], &players[i], 1);
		random_player_finish(&players[i]);
	}
	fixture_finish(&fixture);
}
END_TEST

START_TEST(folded_rows_are_only_dropped)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 6);
	uint64_t key = fixture_session(&fixture, 3, "game");
	disk_play(&fixture, key, &player, 5, false);
	fixture_close(&fixture);
	/* The log once more, after it was compacted: as if a compact had been half done. */
	struct sqlite_connection c;
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_int_eq(
		sqlite3_exec(c.db, "CREATE TABLE kept AS SELECT * FROM log", NULL, NULL, NULL),
		SQLITE_OK);
	connection_close(&c);
	fixture_open(&fixture);
	disk_wait_compacted(&fixture);
	fixture_close(&fixture);
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(c.db, "INSERT INTO log SELECT * FROM kept", NULL, NULL, NULL),
			 SQLITE_OK);
	connection_close(&c);
	fixture_open(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	disk_wait_compacted(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(damage_stays_with_its_session)
{
	struct store_fixture fixture;
	struct random_player player;
	struct stored_session session;
	struct session_id id = fixture_id("bad");
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 6);
	uint64_t bad = fixture_session(&fixture, 3, "bad");
	uint64_t good = fixture_session(&fixture, 3, "good");
	for (int i = 0; i < 3; i++) {
		const struct entry *entry = random_player_move(&player);
		ck_assert_int_eq(
			fixture_do(&fixture, pending_write_append(&fixture, bad, 3, entry)),
			STORE_OK);
		ck_assert_int_eq(
			fixture_do(&fixture, pending_write_append(&fixture, good, 3, entry)),
			STORE_OK);
	}
	fixture_close(&fixture);
	struct sqlite_connection c;
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	/* In a row that the two share. */
	ck_assert_int_eq(
		sqlite3_exec(c.db,
			     "UPDATE log SET entries = CAST(substr(entries, 1, 2) || x'01ff' ||"
			     " (SELECT entries FROM log WHERE seq = 4) AS BLOB) WHERE seq = 3;"
			     "DELETE FROM log WHERE seq = 4",
			     NULL, NULL, NULL),
		SQLITE_OK);
	connection_close(&c);
	fixture_open(&fixture);
	disk_wait_until(&fixture, "SELECT count(*) FROM log", 3);
	fixture_check_game(&fixture, "good", good, &player, 1);
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
			 STORE_BROKEN);
	disk_play(&fixture, good, &player, 3, false);
	disk_wait_until(&fixture, "SELECT count(*) FROM log", 3);
	fixture_check_game(&fixture, "good", good, &player, 1);
	/* The rows kept for the damaged session do not affect the intact one. */
	fixture_close(&fixture);
	fixture_open(&fixture);
	fixture_check_game(&fixture, "good", good, &player, 1);
	disk_play(&fixture, good, &player, 3, false);
	disk_wait_until(&fixture, "SELECT count(*) FROM log", 3);
	fixture_check_game(&fixture, "good", good, &player, 1);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT min(seq) + max(seq) FROM log"), 6);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_OK);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(old_receipts_go)
{
	struct store_fixture fixture;
	uint8_t answer = 1;
	struct receipt receipt = {.answer = &answer, .answer_bytes = 1};
	fixture_init(&fixture, "sqlite");
	for (uint32_t i = 0; i < 600; i++) {
		struct pending_write *pending = pending_write_create(&fixture, 2, "");
		char name[8];
		snprintf(name, sizeof(name), "%u", i);
		pending->write.meta.id = fixture_id(name);
		receipt.created_ms = fixture_now_ms();
		memcpy(receipt.key, &i, sizeof(i));
		pending->write.receipt = &receipt;
		ck_assert_int_eq(fixture_do(&fixture, pending), STORE_OK);
	}
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM receipt"), 600);
	fixture_close(&fixture);
	fixture_clock_ahead_ms = RECEIPT_KEPT_MS + 1000;
	fixture_open(&fixture);
	for (int i = 0; i < 2400 && disk_ask(&fixture, "SELECT count(*) FROM receipt") > 0; i++)
		disk_nap(50);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM receipt"), 0);
	fixture_clock_ahead_ms = 0;
	fixture_finish(&fixture);
}
END_TEST

START_TEST(old_deleted_sessions_go)
{
	struct store_fixture fixture;
	struct random_player player;
	struct stored_session session;
	struct session_id id = fixture_id("old");
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 2, NULL, 6);
	uint64_t old = fixture_session(&fixture, 2, "old");
	disk_play(&fixture, old, &player, 1500, true);
	uint64_t kept = fixture_session(&fixture, 2, "kept"),
		 newest = fixture_session(&fixture, 2, "newest");
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, old)),
			 STORE_OK);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, newest)),
			 STORE_OK);
	disk_wait_compacted(&fixture);
	ck_assert_int_gt(disk_ask(&fixture, "SELECT count(*) FROM history"), 2);
	fixture_close(&fixture);
	fixture_clock_ahead_ms = SESSION_DELETED_KEPT_MS + 1000;
	fixture_open(&fixture);
	/* The newest key stays taken, so that it is not given away again. */
	disk_wait_until(&fixture, "SELECT count(*) FROM session", 2);
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM history"), 0);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM snapshot"), 0);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM session_more"), 2);
	ck_assert_uint_gt(fixture_session(&fixture, 2, "next"), newest);
	fixture_clock_ahead_ms = 0;
	ck_assert_uint_gt(kept, 0);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* ---- opening ---- */

static void expect_refused(const char *location, const char *words)
{
	struct error error = {0};
	struct store_options options = {.queue_max = 1, .now_ms = fixture_now_ms};
	ck_assert_ptr_null(store_open(location, &options, &error));
	ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
}

START_TEST(a_second_process_is_refused)
{
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	expect_refused(fixture.location, "another process");
	/* Under another name it is the same file. */
	char other[300];
	snprintf(other, sizeof(other), "%s-other", fixture.location);
	ck_assert_int_eq(link(strchr(fixture.location, ':') + 1, strchr(other, ':') + 1), 0);
	expect_refused(other, "another process");
	unlink(strchr(other, ':') + 1);
	fixture_close(&fixture);

	int to_child[2], to_parent[2];
	char byte = 0;
	ck_assert_int_eq(pipe(to_child) | pipe(to_parent), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		struct error error = {0};
		struct store_options options = {.queue_max = 1, .now_ms = fixture_now_ms};
		struct store *store = store_open(fixture.location, &options, &error);
		byte = store != NULL;
		if (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1)
			_exit(1);
		_exit(0); /* without closing: the lock goes with the process */
	}
	ck_assert_int_eq(read(to_parent[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 1);
	expect_refused(fixture.location, "another process");
	ck_assert_int_eq(write(to_child[1], "", 1), 1);
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	fixture_open(&fixture);
	fixture_session(&fixture, 3, "mine");
	fixture_finish(&fixture);
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
		{"PRAGMA user_version=99",
		 "was written by a newer version (schema 99, this is 10)"},
		{"PRAGMA application_id=7", "another program"},
		{NULL, "is not a database"},
	};
	static uint8_t before[1 << 20], after[1 << 20];
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	fixture_session(&fixture, 3, "one");
	fixture_close(&fixture);
	if (cases[_i].sql != NULL) {
		struct sqlite_connection c;
		ck_assert_int_eq(
			connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			SQLITE_OK);
		ck_assert_int_eq(sqlite3_exec(c.db, cases[_i].sql, NULL, NULL, NULL), SQLITE_OK);
		connection_close(&c);
	} else {
		FILE *file = fopen(fixture_path(&fixture, ""), "wb");
		ck_assert_ptr_nonnull(file);
		for (int i = 0; i < 500; i++)
			fputs("not a database at all\n", file);
		fclose(file);
	}
	size_t length = slurp(fixture_path(&fixture, ""), before, sizeof(before));
	expect_refused(fixture.location, cases[_i].words);
	ck_assert_uint_eq(slurp(fixture_path(&fixture, ""), after, sizeof(after)), length);
	ck_assert_mem_eq(before, after, length);
	fixture_finish(&fixture);
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
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	fixture_session(&fixture, 3, "one");
	struct sqlite_connection *c = reader_connection(fixture.reader);
	int64_t value = -1;
	int off = -1;
	ck_assert_int_eq(sqlite3_db_readonly(c->db, "main"), 1);
	ck_assert_int_eq(connection_value(c, "PRAGMA query_only", &value), SQLITE_OK);
	ck_assert_int_eq(value, 1);
	ck_assert_int_eq(connection_value(c, "PRAGMA wal_autocheckpoint", &value), SQLITE_OK);
	ck_assert_int_eq(value, 0);
	value = -1;
	ck_assert_int_eq(connection_value(c, "PRAGMA mmap_size", &value), SQLITE_OK);
	ck_assert_int_eq(value, 0);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, -1, &off);
	ck_assert_int_eq(off, 1);
	ck_assert_int_ne(connection_value(c, "DELETE FROM session", NULL), SQLITE_OK);
	ck_assert_int_ne(connection_value(c, "BEGIN IMMEDIATE", NULL), SQLITE_OK);
	for (int mode = SQLITE_CHECKPOINT_PASSIVE; mode <= SQLITE_CHECKPOINT_TRUNCATE; mode++)
		ck_assert_int_ne(sqlite3_wal_checkpoint_v2(c->db, NULL, mode, NULL, NULL),
				 SQLITE_OK);
	/* Not even where somebody switched the pragma off. */
	ck_assert_int_eq(connection_value(c, "PRAGMA query_only=0", NULL), SQLITE_OK);
	ck_assert_int_ne(connection_value(c, "DELETE FROM session", NULL), SQLITE_OK);

	struct sqlite_connection *writer = &((struct sqlite_store *)fixture.store)->writer;
	ck_assert_int_eq(connection_value(writer, "PRAGMA synchronous", &value), SQLITE_OK);
	ck_assert_int_eq(value, 2);
	ck_assert_int_eq(connection_value(writer, "PRAGMA mmap_size", &value), SQLITE_OK);
	ck_assert_int_eq(value, 0);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"),
			 1);
	ck_assert_int_eq(disk_ask(&fixture, "PRAGMA application_id"), 0x63756265);
	fixture_finish(&fixture);
}
END_TEST

/* One number out of the database without its log. */
static int64_t ask_without_log(const struct store_fixture *fixture, const char *sql)
{
	struct sqlite_connection c;
	char uri[200];
	int64_t value = -1;
	snprintf(uri, sizeof(uri), "file:%s?immutable=1", fixture_path(fixture, ""));
	ck_assert_int_eq(connection_open(&c, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI),
			 SQLITE_OK);
	if (connection_value(&c, sql, &value) != SQLITE_OK)
		value = -1;
	connection_close(&c);
	return value;
}

static int64_t log_bytes(const struct store_fixture *fixture)
{
	struct stat file;
	ck_assert_int_eq(stat(fixture_path(fixture, "-wal"), &file), 0);
	return file.st_size;
}

/* A few changes, far from a log that is long: soon they are in the database itself, and the log begins
 * again. */
START_TEST(an_idle_store_copies_its_log)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 5);
	uint64_t key = fixture_session(&fixture, 3, "one");
	disk_play(&fixture, key, &player, 40, false);
	disk_wait_compacted(&fixture);
	static const char all[] =
		"SELECT count(*) = 1 AND NOT EXISTS (SELECT 1 FROM log) FROM session";
	for (int i = 0; i < 12000 && ask_without_log(&fixture, all) != 1; i++)
		disk_nap(10);
	ck_assert_int_eq(ask_without_log(&fixture, all), 1);
	const int64_t before = log_bytes(&fixture);
	ck_assert_int_gt(before, 10 * 4096);
	disk_play(&fixture, key, &player, 1, false);
	ck_assert_int_eq(log_bytes(&fixture), before);
	fixture_check_game(&fixture, "one", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0); /* it fails on purpose */
	Suite *suite = suite_create("store_sqlite");
	TCase *plain = tcase_create("store_sqlite");
	tcase_set_timeout(plain, 300);
	tcase_add_loop_test(plain, log_folds_into_chunks, 0, 3);
	tcase_add_test(plain, many_sessions_fold);
	tcase_add_test(plain, folded_rows_are_only_dropped);
	tcase_add_test(plain, damage_stays_with_its_session);
	tcase_add_test(plain, old_receipts_go);
	tcase_add_test(plain, old_deleted_sessions_go);
	tcase_add_test(plain, a_second_process_is_refused);
	tcase_add_loop_test(plain, other_files_are_refused_untouched, 0, 3);
	tcase_add_test(plain, paths_that_are_none);
	tcase_add_test(plain, only_the_writer_writes);
	tcase_add_test(plain, an_idle_store_copies_its_log);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 15);
}
