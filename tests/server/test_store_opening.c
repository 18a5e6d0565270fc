/* test_store_opening.c: short histories lie in their session's row, longer ones in chunks; and what
 * databases of schema 3 become. */
#include "cube/cube.h"
#include "cube/turn.h"
#include "tests/server/run.h"

#include "server/store/database.h"
#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/log.h"
#include "tests/server/disk.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OPENING "SELECT coalesce(length(opening), -1) FROM session"
#define CHUNKS "SELECT count(*) FROM history"

/* From nothing to the second chunk, a part at a time, each compacted; and after a restart. */
START_TEST(histories_grow_out_of_their_row)
{
	static const int parts[] = {1, 1, 3, 20, 30, 400, 1200, 3000};
	struct store_fixture fixture;
	struct random_player player;
	int left = 0;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 12);
	uint64_t key = fixture_session(&fixture, 3, "grows");
	ck_assert_int_eq(disk_ask(&fixture, OPENING), INLINE_ENTRIES_ROOM_BYTES);
	fixture_check_game(&fixture, "grows", key, &player, 1);
	for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
		disk_play(&fixture, key, &player, parts[part], false);
		fixture_check_game(&fixture, "grows", key, &player, 13);
		disk_wait_compacted(&fixture);
		fixture_check_game(&fixture, "grows", key, &player, 13);
		int64_t length = disk_ask(&fixture, OPENING), chunks = disk_ask(&fixture, CHUNKS);
		ck_assert_int_le(length, INLINE_ENTRIES_MAX);
		ck_assert_int_eq(length > 0, chunks == 0);
		left += chunks > 0;
		fixture_close(&fixture);
		fixture_open(&fixture);
		fixture_check_game(&fixture, "grows", key, &player, 97);
	}
	ck_assert_int_ge(left, 3);
	ck_assert_int_gt(disk_ask(&fixture, CHUNKS), 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* A first compact of more than fits goes into `history` at once, also into several chunks. */
START_TEST(long_ones_never_lie_there)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 2, NULL, 5);
	uint64_t key = fixture_session(&fixture, 2, "long");
	disk_play(&fixture, key, &player, _i, true);
	disk_wait_compacted(&fixture);
	ck_assert_int_eq(disk_ask(&fixture, OPENING), -1);
	ck_assert_int_ge(disk_ask(&fixture, CHUNKS), 1);
	fixture_check_game(&fixture, "long", key, &player, 29);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* The hash and the opening are written together, and each stays where the other alone changes. */
START_TEST(a_row_is_as_long_as_it_was)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 8);
	uint64_t key = fixture_session(&fixture, 3, "one");
	for (int i = 0; i < 3; i++)
		disk_play(&fixture, key, &player, 1, false);
	disk_wait_compacted(&fixture);
	const int64_t bytes = disk_ask(&fixture, OPENING);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT length(opening) FROM session"), bytes);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM session WHERE alike IS NULL"), 0);
	fixture_close(&fixture);
	struct sqlite_connection c;
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_int_eq(connection_value(&c, "UPDATE session SET alike = NULL", NULL), SQLITE_OK);
	connection_close(&c);
	fixture_open(&fixture); /* the hash is found again; the opening stays */
	disk_wait_until(&fixture, "SELECT count(*) FROM session WHERE alike IS NULL", 0);
	ck_assert_int_eq(disk_ask(&fixture, OPENING), bytes);
	fixture_check_game(&fixture, "one", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* ---- from schema 3 ---- */

#define TEXT_MAX (256u << 10)

static void run_text(struct sqlite_connection *c, const char *sql)
{
	char *message = NULL;
	ck_assert_msg(sqlite3_exec(c->db, sql, NULL, NULL, &message) == SQLITE_OK, "%s: %s", sql,
		      message);
}

static void run_file(struct sqlite_connection *c, const char *path)
{
	static char text[TEXT_MAX];
	FILE *f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	run_text(c, text);
}

/* A row for each entry. */
static void take_log_back(struct sqlite_connection *c)
{
	struct memtable memtable;
	uint64_t *keys;
	size_t count;
	sqlite3_stmt *from, *to;
	ck_assert(memtable_init(&memtable));
	ck_assert_int_eq(
		sqlite3_prepare_v2(c->db, "SELECT seq, entries FROM now.log", -1, &from, NULL),
		SQLITE_OK);
	ck_assert_int_eq(
		sqlite3_prepare_v2(c->db,
				   "INSERT INTO log (session, revision, entry) VALUES (?1, ?2, ?3)",
				   -1, &to, NULL),
		SQLITE_OK);
	while (sqlite3_step(from) == SQLITE_ROW)
		ck_assert_int_eq(log_row_load(&memtable, from), SQLITE_OK);
	ck_assert(memtable_keys(&memtable, &keys, &count));
	for (size_t i = 0; i < count; i++) {
		const struct memtable_entry *entry = memtable_entries(&memtable, keys[i]);
		for (; entry; entry = entry->next) {
			sqlite3_bind_int64(to, 1, (int64_t)keys[i]);
			sqlite3_bind_int64(to, 2, entry->revision);
			sqlite3_bind_blob64(to, 3, entry->packed, entry->length, SQLITE_STATIC);
			ck_assert_int_eq(sqlite3_step(to), SQLITE_DONE);
			sqlite3_reset(to);
		}
	}
	sqlite3_finalize(from);
	sqlite3_finalize(to);
	free(keys);
	memtable_finish(&memtable);
}

/* The closed database as a server of schema 3 would have kept it. */
static void take_back(const struct store_fixture *fixture)
{
	static const char *const same[] = {"history", "snapshot", "meta",        "token", "receipt",
					   "pattern", "solve",    "solve_frame", "answer"};
	struct sqlite_connection c;
	char path[200], sql[300];
	snprintf(path, sizeof path, "%s", fixture_path(fixture, ".new"));
	ck_assert_int_eq(rename(fixture_path(fixture, ""), path), 0);
	ck_assert_int_eq(connection_open(&c, fixture_path(fixture, ""),
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
			 SQLITE_OK);
	run_file(&c, "schema/001-initial.sql");
	run_file(&c, "schema/002-access.sql");
	run_file(&c, "schema/003-solves.sql");
	snprintf(sql, sizeof sql,
		 "PRAGMA application_id=1668637285; PRAGMA user_version=3;"
		 " ATTACH '%s' AS now",
		 path);
	run_text(&c, sql);
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		snprintf(sql, sizeof sql, "INSERT INTO %s SELECT * FROM now.%s", same[i], same[i]);
		if (strcmp(same[i], "history") == 0 || strcmp(same[i], "snapshot") == 0) {
			char drop[80];
			snprintf(drop, sizeof drop, "ALTER TABLE now.%s DROP COLUMN checksum",
				 same[i]);
			run_text(&c, drop);
		}
		if (strcmp(same[i], "token") == 0)
			run_text(&c, "ALTER TABLE now.token DROP COLUMN parent");
		if (strcmp(same[i], "solve") == 0)
			run_text(&c, "ALTER TABLE now.solve DROP COLUMN assisted;"
				     " ALTER TABLE now.solve DROP COLUMN event;"
				     " ALTER TABLE now.solve DROP COLUMN list_name;"
				     " ALTER TABLE now.solve DROP COLUMN splits");
		run_text(&c, sql);
	}
	take_log_back(&c);
	run_text(&c,
		 "INSERT INTO session (key, size, access, id, created_ms, updated_ms, deleted_ms,"
		 " name, base, scramble, policy, canonical) SELECT key, ifnull(size, 3),"
		 " ifnull(access, 1), id, created_ms, updated_ms, deleted_ms, name, base, scramble,"
		 " policy, alike << 40 | 12345 FROM now.session LEFT JOIN now.session_more ON "
		 "session = key");
	run_text(&c, "INSERT INTO history SELECT key, 1, opening FROM now.session"
		     " WHERE opening <> x'ffffffffffffffffffffffffffffff'");
	connection_close(&c);
	ck_assert_int_eq(unlink(path), 0);
}

/* Without the thread that would compact. */
static void bring_up_to_date(const struct store_fixture *fixture)
{
	const struct store_options options = {.queue_max = 1};
	struct error error = {0};
	struct sqlite_store *store = sqlite_store_open(fixture_path(fixture, ""), &options, &error);
	ck_assert_msg(store != NULL, "%s", error.text);
	sqlite_store_close(store);
}

static void finding(void *context, const struct session_id *session, const char *what)
{
	(void)context;
	(void)session;
	ck_abort_msg("%s", what);
}

static void check_sound(const struct store_fixture *fixture)
{
	const struct database_visitor visitor = {.finding = finding};
	struct database_counts counts = {0};
	struct error error = {0};
	struct database *database = database_open(fixture_path(fixture, ""), DATABASE_LIVE, &error);
	ck_assert_msg(database != NULL, "%s", error.text);
	ck_assert_int_eq(database_examine(database, &visitor, &counts), STORE_OK);
	ck_assert_int_eq(database_scan(database, &visitor, &counts), STORE_OK);
	ck_assert(database_close(database));
}

#define GAMES 24

struct games {
	struct random_player players[GAMES];
	char names[GAMES][12];
	uint64_t keys[GAMES];
};

/* Makes games of every kind: with and without name, other access, policy, base and scramble,
 * deleted; histories of 0 to thousands of entries. */
static void make_games(struct store_fixture *fixture, struct games *games)
{
	static const int sizes[] = {2, 3, 3, 3, 4, 7}, lengths[] = {0, 1, 2, 9, 70, 300, 2500};
	for (int i = 0; i < GAMES; i++) {
		const int size = sizes[i % 6], length = lengths[i % 7];
		struct cube_turn turn = cube_turn_make(size, CUBE_R, 1, 1, 1);
		struct cube *base = malloc(cube_bytes(size));
		ck_assert_ptr_nonnull(base);
		cube_init(base, size);
		cube_turn_all(base, &turn, 1);
		snprintf(games->names[i], sizeof games->names[i], "game %d", i);
		struct pending_write *made = pending_write_create(fixture, size, games->names[i]);
		if (i % 3 == 0)
			made->write.meta.name[0] = '\0';
		if (i % 4 == 1) {
			made->write.base = base;
			made->write.scramble = &turn;
			made->write.scramble_count = i % 8 == 1;
		}
		made->write.meta.access = i % 5 == 0 ? ACCESS_NONE : ACCESS_VIEW;
		made->write.meta.listed = false;
		made->write.meta.policy = i % 5 == 1 ? POLICY_ALTERNATE : POLICY_FREE;
		ck_assert_int_eq(fixture_submit(fixture, made), STORE_OK);
		fixture_wait(fixture);
		games->keys[i] = made->write.meta.key;
		pending_write_free(made);
		random_player_init(&games->players[i], size, i % 4 == 1 ? base : NULL, (uint64_t)i);
		free(base);
		disk_play(fixture, games->keys[i], &games->players[i], length, i % 2);
		if (i == 11)
			ck_assert_int_eq(fixture_do(fixture, pending_write_of(fixture, WRITE_DELETE,
									      games->keys[i])),
					 STORE_OK);
		if (i == GAMES - 5) /* the ones after it stay in the log */
			disk_wait_compacted(fixture);
	}
}

static void check_games(struct store_fixture *fixture, struct games *games, int more)
{
	for (int i = 0; i < GAMES; i++) {
		disk_play(fixture, games->keys[i], &games->players[i], more, false);
		fixture_check_game(fixture, games->names[i], games->keys[i], &games->players[i],
				   67);
	}
}

START_TEST(schema_3_becomes_this_one)
{
	static struct games games;
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	make_games(&fixture, &games);
	fixture_close(&fixture);
	check_sound(&fixture);
	const int64_t inside =
		disk_ask(&fixture, "SELECT count(*) FROM session WHERE length(opening) <> 15");
	const int64_t more = disk_ask(&fixture, "SELECT count(*) FROM session_more");
	const int64_t canonical_index = disk_ask(&fixture, "SELECT total(alike) FROM session");
	ck_assert_int_gt(inside, 3);
	ck_assert_int_lt(more, GAMES);
	take_back(&fixture);
	ck_assert_int_eq(disk_ask(&fixture, "PRAGMA user_version"), 3);
	bring_up_to_date(&fixture);
	ck_assert_int_eq(
		disk_ask(&fixture, "SELECT count(*) FROM session WHERE length(opening) <> 15"),
		inside);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT count(*) FROM session_more"), more);
	ck_assert_int_eq(disk_ask(&fixture, "SELECT total(alike) FROM session"), canonical_index);
	check_sound(&fixture);
	fixture_open(&fixture);
	check_games(&fixture, &games, 0);
	disk_wait_compacted(&fixture);
	check_games(&fixture, &games, 30);
	disk_wait_compacted(&fixture);
	check_games(&fixture, &games, 1);
	check_sound(&fixture);
	for (int i = 0; i < GAMES; i++)
		random_player_finish(&games.players[i]);
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	Suite *suite = suite_create("store_opening");
	TCase *inline_entries = tcase_create("store_opening");
	tcase_set_timeout(inline_entries, 120);
	tcase_add_test(inline_entries, histories_grow_out_of_their_row);
	tcase_add_loop_test(inline_entries, long_ones_never_lie_there, 600, 601);
	tcase_add_loop_test(inline_entries, long_ones_never_lie_there, 3000, 3001);
	tcase_add_test(inline_entries, a_row_is_as_long_as_it_was);
	tcase_add_test(inline_entries, schema_3_becomes_this_one);
	suite_add_tcase(suite, inline_entries);
	return run_suite(suite, 5);
}
