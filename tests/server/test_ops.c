/* test_ops.c: the database as a whole: verify finds what is wrong, export and import are inverse.
 */
#include "tests/server/run.h"

#include "server/history/check_history.h"
#include "server/ops/ops.h"
#include "server/store/database.h"
#include "server/store/session_id.h"
#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/log.h"
#include "cube/cube.h"
#include "cube/pack.h"
#include "tests/server/disk.h"
#include "tests/server/postgres_fixture.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX (8u << 20)
#define SCHEMAS 10 /* tests/data/schema has a database of each */

/* ---- a database with some of everything ---- */

static uint64_t play_session(struct store_fixture *fixture, int size, const char *name, int entries,
			     bool mixed)
{
	struct random_player player;
	random_player_init(&player, size, NULL, (uint64_t)size);
	uint64_t key = fixture_session(fixture, size, name);
	struct pending_write **writes = calloc((size_t)entries + 1, sizeof *writes);
	ck_assert_ptr_nonnull(writes);
	for (int i = 0; i < entries; i++) {
		const struct entry *entry =
			mixed ? random_player_next(&player) : random_player_move(&player);
		writes[i] = pending_write_append(fixture, key, size, entry);
		ck_assert_int_eq(fixture_submit(fixture, writes[i]), STORE_OK);
	}
	fixture_wait(fixture);
	for (int i = 0; i < entries; i++)
		pending_write_free(writes[i]);
	free(writes);
	random_player_finish(&player);
	return key;
}

/* A session with tokens, whose entries have actors. */
static void shared_session(struct store_fixture *fixture)
{
	struct random_player player;
	random_player_init(&player, 3, NULL, 77);
	player.actors = 3;
	uint64_t key = fixture_session(fixture, 3, "shared");
	for (uint32_t i = 1; i <= 3; i++) {
		struct stored_token token = {.number = i,
					     .role = (uint8_t)(i - 1),
					     .created_ms = 1000 + i,
					     .revoked_ms = i == 3 ? 2000 : 0,
					     .hash = {(uint8_t)i},
					     .label = "\"a\" \xc3\xa9"};
		struct pending_write *pending = pending_write_of(fixture, WRITE_TOKEN, key);
		pending->write.token = &token;
		ck_assert_int_eq(fixture_do(fixture, pending), STORE_OK);
	}
	for (int i = 0; i < 200; i++)
		ck_assert_int_eq(
			fixture_do(fixture, pending_write_append(fixture, key, 3,
								 random_player_next(&player))),
			STORE_OK);
	random_player_finish(&player);
}

/* Solves in the book of a session, the frame of a file, and what a solver said. */
static void solved_session(struct store_fixture *fixture)
{
	uint8_t base[64], colors[24], moves[] = {0, 5, 7};
	struct cube *cube = malloc(cube_bytes(2));
	ck_assert_ptr_nonnull(cube);
	cube_init(cube, 2);
	cube_pack(cube, base);
	free(cube);
	for (size_t i = 0; i < sizeof colors; i++)
		colors[i] = (uint8_t)(i / 4);
	const struct stored_solve solves[] = {
		{.id = {1},
		 .origin = SOLVE_POSTED,
		 .created_ms = 7,
		 .time_ms = SOLVE_UNTIMED,
		 .penalty_ms = -1},
		{.id = {2},
		 .size = 2,
		 .clock = 1,
		 .verified = true,
		 .revision = 3,
		 .actor = 1,
		 .time_ms = 5,
		 .penalty_ms = 2000,
		 .base = base,
		 .base_bytes = cube_packed_bytes(2),
		 .scramble = "R",
		 .solution = "R'@0",
		 .comment = "\xc3\xa9 \"\n",
		 .list = "session1",
		 .source = "[[0,5]]"},
	};
	const struct stored_answer answer = {.canonical = UINT64_MAX - 4,
					     .size = 2,
					     .method = "optimal",
					     .colors = colors,
					     .moves = moves,
					     .move_bytes = 3,
					     .created_ms = 9};
	struct pending_write *book =
		pending_write_of(fixture, WRITE_SOLVES, fixture_session(fixture, 2, "book"));
	book->write.solves = solves;
	book->write.solve_count = 2;
	book->write.frame = "{\"session1\":[]}";
	ck_assert_int_eq(fixture_do(fixture, book), STORE_OK);
	struct pending_write *answered = pending_write_of(fixture, WRITE_ANSWER, 0);
	answered->write.answer = &answer;
	ck_assert_int_eq(fixture_do(fixture, answered), STORE_OK);
}

/* Leaves the store open, with a log that is partly compacted. */
static void fill(struct store_fixture *fixture)
{
	struct cube_turn scramble[3] = {cube_turn_make(5, CUBE_R, 1, 2, 1),
					cube_turn_make(5, CUBE_F, 1, 5, -2),
					cube_turn_make(5, CUBE_L, 2, 3, 0)};
	struct cube *base = malloc(cube_bytes(5));
	ck_assert_ptr_nonnull(base);
	cube_init(base, 5);
	cube_turn_all(base, scramble, 3);
	struct pending_write *made = pending_write_create(fixture, 5, "\xc3\xa9t\xc3\xa9 \"1\"\\");
	made->write.base = base;
	made->write.scramble = scramble;
	made->write.scramble_count = 3;
	made->write.meta.access = ACCESS_NONE;
	made->write.meta.listed = false;
	made->write.meta.updated_ms++;
	made->write.meta.policy = POLICY_ROUND_ROBIN;
	uint8_t answer[] = {1, 2, 3, 0, 255};
	const struct stored_token owner = {.number = 1, .created_ms = 5, .hash = {9}};
	const struct receipt receipt = {.key = {1},
					.body = {2},
					.created_ms = fixture_now_ms(),
					.answer = answer,
					.answer_bytes = 5};
	made->write.token = &owner;
	made->write.receipt = &receipt;
	ck_assert_int_eq(fixture_do(fixture, made), STORE_OK);
	free(base);
	shared_session(fixture);
	play_session(fixture, 2, "two", 300, true);
	play_session(fixture, 3, "long", 6000, false);
	play_session(fixture, 21, "big", 60, true);
	uint64_t gone = play_session(fixture, 4, "gone", 5, true);
	ck_assert_int_eq(fixture_do(fixture, pending_write_of(fixture, WRITE_DELETE, gone)),
			 STORE_OK);
	fixture_session(fixture, 7, "");
	solved_session(fixture);
	struct random_player player, large;
	uint64_t brief = fixture_session(fixture, 3, "short"),
		 huge = fixture_session(fixture, 100, "huge");
	random_player_init(&player, 3, NULL, 33);
	random_player_init(&large, 100, NULL, 34);
	disk_play(fixture, brief, &player, 6, false);
	disk_wait_compacted(fixture);
	/* A row of the log for each. */
	disk_play(fixture, brief, &player, 1, false);
	disk_play(fixture, huge, &large, 4, false);
	random_player_finish(&player);
	random_player_finish(&large);
}

/* A fixture whose store is closed, with the database of fill(), which is made once. */
static void init_filled(struct store_fixture *fixture)
{
	static char *bytes;
	static size_t length;
	struct stat is;
	fixture_init(fixture, "sqlite");
	if (!bytes)
		fill(fixture);
	fixture_close(fixture);
	FILE *file = fopen(fixture_path(fixture, ""), bytes ? "wb" : "rb");
	ck_assert_ptr_nonnull(file);
	if (bytes) {
		ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	} else {
		ck_assert_int_eq(fstat(fileno(file), &is), 0);
		length = (size_t)is.st_size;
		bytes = malloc(length);
		ck_assert_ptr_nonnull(bytes);
		ck_assert_uint_eq(fread(bytes, 1, length, file), length);
	}
	ck_assert_int_eq(fclose(file), 0);
}

/* A new session, in the generation that the store has come to: its status. */
static enum store_status create_one(struct store_fixture *fixture, int number)
{
	char name[40];
	snprintf(name, sizeof name, "%d is a session to fill the store", number);
	struct pending_write *pending = pending_write_create(fixture, 3, name);
	snprintf((char *)pending->write.meta.id.bytes, SESSION_ID_BYTES, "%d", number);
	ck_assert_int_eq(fixture_submit(fixture, pending), STORE_OK);
	fixture_wait(fixture);
	const enum store_status status = pending->write.status;
	fixture->generation = pending->write.generation;
	pending_write_free(pending);
	return status;
}

/* ---- findings ---- */

struct found {
	int count;
	char text[4096];
};

static void keep(void *context, const struct session_id *session, const char *what)
{
	struct found *found = context;
	size_t length = strlen(found->text);
	(void)session;
	found->count++;
	snprintf(found->text + length, sizeof found->text - length, "%s\n", what);
}

static struct found verify(const char *path)
{
	struct found found = {0};
	struct database_counts counts = {0};
	const struct database_visitor visitor = {.context = &found, .finding = keep};
	struct error error = {0};
	struct database *database = database_open(path, DATABASE_LIVE, &error);
	if (!database) {
		keep(&found, NULL, error.text);
		return found;
	}
	const bool examined = database_examine(database, &visitor, &counts) == STORE_OK;
	const bool walked = database_scan(database, &visitor, &counts) == STORE_OK;
	ck_assert_uint_eq(counts.findings, (uint64_t)found.count);
	ck_assert((examined && walked) || found.count > 0);
	ck_assert(database_close(database));
	return found;
}

static int run(int (*command)(const struct ops_call *), const char *path, const char *file)
{
	struct config config = {.store = path};
	struct ops_call call = {.config = &config, .store = path, .name = path, .file = file};
	return command(&call);
}

/* The exit code of an export, which is not kept. */
static int export_once(const struct store_fixture *fixture)
{
	char file[160];
	snprintf(file, sizeof file, "%s", fixture_path(fixture, ".once"));
	int code = run(export_run, fixture_path(fixture, ""), file);
	unlink(file);
	return code;
}

static void run_sql(const struct store_fixture *fixture, const char *sql)
{
	struct sqlite_connection c;
	char *message = NULL;
	ck_assert_int_eq(connection_open(&c, fixture_path(fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_msg(sqlite3_exec(c.db, sql, NULL, NULL, &message) == SQLITE_OK, "%s", message);
	ck_assert_int_gt(sqlite3_total_changes(c.db) + (strncmp(sql, "UPDATE", 6) != 0), 0);
	connection_close(&c);
}

START_TEST(sound_databases_are_sound)
{
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	struct found found = verify(fixture_path(&fixture, ""));
	ck_assert_msg(found.count == 0, "%s", found.text);
	fill(&fixture);
	found = verify(fixture_path(&fixture, ""));
	ck_assert_msg(found.count == 0, "%s", found.text);
	fixture_close(&fixture);
	found = verify(fixture_path(&fixture, ""));
	ck_assert_msg(found.count == 0, "%s", found.text);
	fixture_finish(&fixture);
}
END_TEST

/* Its room is there at once for others; that it was deleted stays known, also to an export. */
START_TEST(deleted_sessions_give_their_room_back)
{
	struct store_fixture fixture;
	struct stored_session session;
	fixture_init(&fixture, "sqlite");
	fixture_close(&fixture);
	fixture.bytes_max = 1 << 20;
	fixture_open(&fixture);
	uint64_t key = play_session(&fixture, 7, "gone", 400, true);
	uint64_t brief = play_session(&fixture, 3, "brief", 3, true);
	struct stored_solve solve = {.time_ms = 5};
	for (int i = 0; i < 200; i++) {
		struct pending_write *pending = pending_write_of(&fixture, WRITE_SOLVES, key);
		solve.id[0] = (uint8_t)i;
		pending->write.solves = &solve;
		pending->write.solve_count = 1;
		ck_assert_int_eq(fixture_do(&fixture, pending), STORE_OK);
	}
	disk_wait_compacted(&fixture);
	int made = 0, more = 0;
	while (create_one(&fixture, made) == STORE_OK && made < 30000)
		made++;
	ck_assert_int_lt(made, 30000);
	/* The second one is deleted in the same millisecond, after the first one is empty. */
	struct pending_write *first = pending_write_of(&fixture, WRITE_DELETE, brief);
	struct pending_write *second = pending_write_of(&fixture, WRITE_DELETE, key);
	second->write.meta.updated_ms = first->write.meta.updated_ms;
	ck_assert_int_eq(fixture_do(&fixture, first), STORE_OK);
	disk_wait_until(&fixture, "SELECT count(*) FROM session WHERE key = 2 AND alike IS NULL",
			1);
	ck_assert_int_eq(fixture_do(&fixture, second), STORE_OK);
	disk_wait_until(&fixture,
			"SELECT (SELECT count(*) FROM history WHERE session = 1)"
			" + (SELECT count(*) FROM snapshot) + (SELECT count(*) FROM solve)",
			0);
	disk_wait_until(&fixture, "SELECT count(*) FROM session WHERE key < 3 AND alike IS NULL",
			2);
	while (more < 200 && create_one(&fixture, made + more) == STORE_OK)
		more++;
	ck_assert_int_ge(more, 200);
	for (int i = 0; i < 2; i++) {
		const struct session_id id = fixture_id(i ? "brief" : "gone");
		ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
				 STORE_OK);
		ck_assert(session.meta.deleted);
		ck_assert_int_eq(session.meta.size, i ? 3 : 7);
		ck_assert_uint_eq(session.history->revision, 0);
		stored_session_free(&session);
	}
	fixture_close(&fixture);
	struct found found = verify(fixture_path(&fixture, ""));
	ck_assert_msg(found.count == 0, "%s", found.text);
	fixture_finish(&fixture);
}
END_TEST

#define NAMED(name) "(SELECT session FROM session_more WHERE name = '" name "')"
#define CHUNK_OF(name, rest) NAMED(name) " AND first " rest

/* Each of these alone. */
static const struct {
	const char *sql, *words;
} damages[] = {
	{"DELETE FROM log WHERE seq = (SELECT min(seq) + 1 FROM log)", "is missing"},
	{"UPDATE log SET entries = x''", "of the log cannot be read"},
	{"UPDATE log SET entries = x'ff'", "of the log cannot be read"},
	{"UPDATE log SET entries = substr(entries, 1, length(entries) - 1)",
	 "of the log cannot be read"},
	{"UPDATE log SET entries = CAST(entries || x'01' AS BLOB)", "of the log cannot be read"},
	{"UPDATE log SET entries = CAST(x'00' || substr(entries, 2) AS BLOB)",
	 "of the log cannot be read"},
	{"UPDATE log SET entries = CAST(substr(entries, 1, 1) || x'00' || substr(entries, 3) AS "
	 "BLOB)",
	 "of the log cannot be read"},
	{"UPDATE log SET entries = CAST(substr(entries, 1, 2) || x'01ff' AS BLOB)",
	 "entry 7 cannot be read"},
	{"DELETE FROM session WHERE key = " NAMED("huge"), "a log entry of session"},
	{"DELETE FROM session WHERE key = " NAMED("long"), "a snapshot of session"},
	{"DELETE FROM history WHERE session = " CHUNK_OF("long", "= 1"), "are missing"},
	{"DELETE FROM history WHERE session = " CHUNK_OF("long", "> 1"),
	 "no chunk for the snapshot"},
	{"DELETE FROM snapshot WHERE session = " CHUNK_OF("long", "> 1"), "is missing"},
	{"UPDATE history SET entries = x'' WHERE session = " CHUNK_OF("long", "> 1"), "is empty"},
	{"UPDATE history SET entries = x'00ff' WHERE session = " CHUNK_OF("two", "= 1"),
	 "cannot be read"},
	/* U where there were thousands of other turns */
	{"UPDATE history SET entries = x'0100' WHERE session = " CHUNK_OF("long", "= 1"),
	 "are missing"},
	{"UPDATE snapshot SET state = x'00' WHERE session = " CHUNK_OF("long", "> 1"),
	 "is not what the entries make"},
	{"UPDATE history SET first = first + 1 WHERE session = " CHUNK_OF("two", "= 1"),
	 "is missing"},
	{"INSERT INTO snapshot (session, first, state) SELECT session, 1, state FROM snapshot "
	 "GROUP BY session",
	 "a snapshot before entry 1"},
	{"DELETE FROM token WHERE number = 3", "no token of its actor"},
	{"DELETE FROM token WHERE number = 2", "a token of it"},
	{"UPDATE token SET role = 3 WHERE number = 2", "a token of it"},
	{"UPDATE token SET hash = x'00' WHERE number = 2", "a token of it"},
	{"UPDATE token SET label = CAST(x'ff' AS TEXT) WHERE number = 2", "a token of it"},
	{"INSERT INTO token VALUES (99, 1, 0, zeroblob(32), 0, NULL, NULL, NULL)",
	 "a token of session 99"},
	{"INSERT INTO pattern VALUES (99, 0, 'a', '{}', 0)", "a pattern of session 99"},
	{"INSERT INTO pattern VALUES (1, 2, 'a', '{}', 0)", "a pattern of it"},
	{"UPDATE receipt SET key = x'00'", "a receipt is damaged"},
	{"UPDATE solve SET id = x'00'", "a solve is damaged"},
	{"UPDATE solve SET size = 1", "a solve is damaged"},
	{"UPDATE solve SET origin = 3", "a solve is damaged"},
	{"UPDATE solve SET time_ms = -3", "a solve is damaged"},
	{"UPDATE solve SET penalty_ms = -2", "a solve is damaged"},
	{"UPDATE solve SET base = zeroblob(24) WHERE base IS NOT NULL", "a solve is damaged"},
	{"UPDATE solve SET comment = CAST(x'ff' AS TEXT)", "a solve is damaged"},
	{"UPDATE solve SET event = '334'", "a solve is damaged"},
	{"UPDATE solve SET list_name = CAST(x'ff' AS TEXT)", "a solve is damaged"},
	{"UPDATE solve SET splits = '[{'", "a solve is damaged"},
	{"UPDATE solve SET splits = '{}'", "a solve is damaged"},
	{"UPDATE solve SET session = 99", "a solve of session 99"},
	{"UPDATE solve_frame SET session = 99", "a frame of session 99"},
	{"UPDATE solve_frame SET frame = CAST(x'ff' AS TEXT)", "frame of its solves"},
	{"UPDATE answer SET size = 3", "an answer of a solver"},
	{"UPDATE answer SET colors = x'060000000000000000000000000000000000000000000000'",
	 "an answer of a solver"},
	{"UPDATE answer SET moves = x'ff'", "an answer of a solver"},
	{"UPDATE session_more SET policy = 3 WHERE name = 'two'", "its turn policy"},
	{"UPDATE session_more SET listed = 2 WHERE name = 'two'", "it cannot be listed"},
	{"UPDATE session_more SET listed = 1 WHERE access = 2", "it cannot be listed"},
	{"UPDATE session_more SET size = 101 WHERE name = 'two'", "its size"},
	{"UPDATE session_more SET size = 4 WHERE name = 'two'", "entry "},
	{"UPDATE session_more SET access = 3 WHERE name = 'two'", "its access"},
	{"UPDATE session SET id = x'00' WHERE key = " NAMED("two"), "its id"},
	{"UPDATE session_more SET name = CAST(x'ff' AS TEXT) WHERE name = 'two'", "its name"},
	{"UPDATE session_more SET base = x'00' WHERE name = 'two'", "first cube"},
	{"UPDATE session_more SET scramble = x'ff' WHERE name = 'two'", "scramble"},
	{"UPDATE session SET id = (SELECT id FROM session WHERE key = 2)", "more than once"},
	{"INSERT INTO session_more (session, access) VALUES (99, 0)",
	 "a row of more of session 99"},
	{"UPDATE session SET opening = x'' WHERE key = " NAMED("short"), "its opening is empty"},
	{"UPDATE session SET opening = x'00ff' WHERE key = " NAMED("short"), "cannot be read"},
	{"UPDATE session SET opening = substr(opening, 3) WHERE key = " NAMED("short"), "missing"},
	/* The log goes on behind what is not there any more. */
	{"UPDATE session SET opening = NULL WHERE key = " NAMED("short"),
	 "entries 1 to 6 are missing"},
	{"UPDATE session SET opening = x'ffffffffffffffffffffffffffffff' WHERE key = " NAMED(
		 "short"),
	 "entries 1 to 6 are missing"},
	{"UPDATE session SET opening = x'ffffffffffffffffffffffffffffff' WHERE key = " NAMED("two"),
	 "a chunk beside its opening"},
	{"INSERT INTO history (session, first, entries) SELECT key, 1, opening FROM session WHERE "
	 "key = " NAMED("short"),
	 "a chunk beside its opening"},
	{"INSERT INTO history (session, first, entries) SELECT key, 7, opening FROM session WHERE "
	 "key = " NAMED("short"),
	 "a chunk beside its opening"},
	/* The only one with that revision: that of "short". */
	{"UPDATE log SET entries = CAST(substr(entries, 1, 1) || x'08' || substr(entries, 3) AS "
	 "BLOB)"
	 " WHERE substr(entries, 2, 1) = x'07'",
	 "entry 7 is missing"},
	{"DROP INDEX session_deleted", "session_deleted is missing"},
	{"DROP INDEX session_listed", "session_listed is missing"},
	{"CREATE TABLE foreign_one (x)", "foreign_one does not belong"},
	{"ALTER TABLE log ADD COLUMN x INTEGER", "log is not as it was made"},
	{"PRAGMA user_version = 99", "newer version"},
	{"PRAGMA application_id = 1", "another program"},
};
#define DAMAGES ((int)(sizeof damages / sizeof damages[0]))

START_TEST(damage_is_found)
{
	struct store_fixture fixture;
	init_filled(&fixture);
	/* As rows of an older program, so that the damage itself is looked for. */
	run_sql(&fixture, "UPDATE session SET checksum = NULL; UPDATE history SET checksum = NULL;"
			  " UPDATE snapshot SET checksum = NULL");
	run_sql(&fixture, damages[_i].sql);
	struct found found = verify(fixture_path(&fixture, ""));
	ck_assert_msg(strstr(found.text, damages[_i].words), "%s: \"%s\"", damages[_i].sql,
		      found.text);
	ck_assert_int_eq(export_once(&fixture), 1);
	fixture_finish(&fixture);
}
END_TEST

/* Every byte of a chunk that a snapshot follows, and every byte of that snapshot. */
START_TEST(flipped_bytes_are_found)
{
	static const char *const tables[] = {"history", "snapshot"};
	static const char *const columns[] = {"entries", "state"};
	const int which = _i;
	struct store_fixture fixture;
	char sql[256];
	int tried = 0, missed = 0;
	fixture_init(&fixture, "sqlite");
	uint64_t key = play_session(&fixture, 3, "long", 3500, false);
	disk_wait_compacted(&fixture);
	fixture_close(&fixture);
	struct sqlite_connection c;
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	sqlite3_stmt *read = NULL, *write = NULL;
	snprintf(sql, sizeof sql, "SELECT first, %s FROM %s WHERE session = %d ORDER BY first",
		 columns[which], tables[which], (int)key);
	ck_assert_int_eq(sqlite3_prepare_v2(c.db, sql, -1, &read, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(read), SQLITE_ROW);
	int at = sqlite3_column_int(read, 0), length = sqlite3_column_bytes(read, 1);
	uint8_t *bytes = malloc((size_t)length);
	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, sqlite3_column_blob(read, 1), (size_t)length);
	sqlite3_finalize(read);
	snprintf(sql, sizeof sql, "UPDATE %s SET %s = ?1 WHERE session = %d AND first = %d",
		 tables[which], columns[which], (int)key, at);
	ck_assert_int_eq(sqlite3_prepare_v2(c.db, sql, -1, &write, NULL), SQLITE_OK);
	for (int i = 0; i < length; i += 1 + length / 70) {
		for (int bit = 0; bit < 8; bit += 3) {
			bytes[i] ^= (uint8_t)(1 << bit);
			sqlite3_bind_blob(write, 1, bytes, length, SQLITE_STATIC);
			ck_assert_int_eq(sqlite3_step(write), SQLITE_DONE);
			sqlite3_reset(write);
			tried++;
			missed += verify(fixture_path(&fixture, "")).count == 0;
			bytes[i] ^= (uint8_t)(1 << bit);
		}
	}
	sqlite3_finalize(write);
	connection_close(&c);
	free(bytes);
	/* R2 and R2' are the same to the cube. */
	ck_assert_int_gt(tried, 100);
	ck_assert_msg(missed * 20 <= tried, "%d of %d", missed, tried);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(damaged_pages_are_found)
{
	struct store_fixture fixture;
	struct stat file;
	int missed = 0;
	init_filled(&fixture);
	const int64_t unused = disk_ask(&fixture, "PRAGMA freelist_count");
	ck_assert_int_eq(stat(fixture_path(&fixture, ""), &file), 0);
	FILE *f = fopen(fixture_path(&fixture, ""), "r+b");
	ck_assert_ptr_nonnull(f);
	for (long page = 1; page < file.st_size / 4096; page++) {
		uint8_t before[8], noise[8] = {255, 254, 253, 7, 99, 255, 255, 1};
		fseek(f, page * 4096, SEEK_SET);
		ck_assert_uint_eq(fread(before, 1, 8, f), 8);
		fseek(f, page * 4096, SEEK_SET);
		ck_assert_uint_eq(fwrite(noise, 1, 8, f), 8);
		fflush(f);
		missed += verify(fixture_path(&fixture, "")).count == 0;
		fseek(f, page * 4096, SEEK_SET);
		ck_assert_uint_eq(fwrite(before, 1, 8, f), 8);
		fflush(f);
	}
	fclose(f);
	ck_assert_int_le(missed, unused);
	ck_assert_int_eq(verify(fixture_path(&fixture, "")).count, 0);
	fixture_finish(&fixture);
}
END_TEST

/* ---- damage below the tables ---- */

#define PAGE 4096

struct pages {
	struct store_fixture fixture;
	uint8_t *bytes; /* of the whole file */
	size_t length;
	int found; /* damaged files that verify reported */
};

static void pages_write(const struct pages *pages, const uint8_t *bytes)
{
	FILE *f = fopen(fixture_path(&pages->fixture, ""), "r+b");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, pages->length, f), pages->length);
	fclose(f);
}

/* Whatever verify reports, export reports, too. */
static void pages_try(struct pages *pages, const uint8_t *damaged)
{
	pages_write(pages, damaged);
	const int count = verify(fixture_path(&pages->fixture, "")).count;
	const int code = export_once(&pages->fixture);
	ck_assert_int_eq(code, count > 0);
	pages->found += count > 0;
}

static void damage_freelist(struct pages *pages, uint8_t *page)
{
	if (page != pages->bytes)
		return;
	page[39]++; /* a page more than there are */
	pages_try(pages, pages->bytes);
	page[39]--;
	page[35] ^= 1; /* another page is the first of them */
	pages_try(pages, pages->bytes);
	page[35] ^= 1;
}

static bool is_leaf(const uint8_t *page)
{
	return page[0] == 0x0d || page[0] == 0x0a;
}

/* Two rows out of order. */
static void swap_rows(struct pages *pages, uint8_t *page)
{
	uint8_t first[2], second[2];
	if (page == pages->bytes || !is_leaf(page) || page[3] * 256 + page[4] < 2)
		return;
	memcpy(first, page + 8, 2);
	memcpy(second, page + 10, 2);
	memcpy(page + 8, second, 2);
	memcpy(page + 10, first, 2);
	pages_try(pages, pages->bytes);
	memcpy(page + 8, first, 2);
	memcpy(page + 10, second, 2);
}

/* A page is where the one behind it belongs, and that one in its place. */
static void swap_pages(struct pages *pages, uint8_t *page)
{
	uint8_t kept[PAGE], *next = page + PAGE;
	if (page == pages->bytes || next >= pages->bytes + pages->length || !is_leaf(page) ||
	    page[0] != next[0])
		return;
	memcpy(kept, page, PAGE);
	memcpy(page, next, PAGE);
	memcpy(next, kept, PAGE);
	pages_try(pages, pages->bytes);
	memcpy(next, page, PAGE);
	memcpy(page, kept, PAGE);
}

static void zero_page(struct pages *pages, uint8_t *page)
{
	uint8_t kept[PAGE];
	if (page == pages->bytes)
		return;
	memcpy(kept, page, PAGE);
	memset(page, 0, PAGE);
	pages_try(pages, pages->bytes);
	memcpy(page, kept, PAGE);
}

static const struct {
	void (*damage)(struct pages *pages, uint8_t *page);
	int least; /* files that must be found */
} page_damages[] = {{damage_freelist, 2}, {swap_rows, 10}, {swap_pages, 9}, {zero_page, 40}};
#define PAGE_DAMAGES ((int)(sizeof page_damages / sizeof page_damages[0]))

START_TEST(what_verify_reports_export_reports)
{
	struct pages pages = {0};
	struct stat file;
	init_filled(&pages.fixture);
	ck_assert_int_gt(disk_ask(&pages.fixture, "PRAGMA freelist_count"), 0);
	ck_assert_int_eq(stat(fixture_path(&pages.fixture, ""), &file), 0);
	pages.length = (size_t)file.st_size;
	pages.bytes = malloc(pages.length);
	ck_assert_ptr_nonnull(pages.bytes);
	FILE *f = fopen(fixture_path(&pages.fixture, ""), "rb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fread(pages.bytes, 1, pages.length, f), pages.length);
	fclose(f);
	for (size_t at = 0; at < pages.length; at += PAGE)
		page_damages[_i].damage(&pages, pages.bytes + at);
	ck_assert_int_ge(pages.found, page_damages[_i].least);
	pages_write(&pages, pages.bytes);
	ck_assert_int_eq(verify(fixture_path(&pages.fixture, "")).count, 0);
	ck_assert_int_eq(export_once(&pages.fixture), 0);
	free(pages.bytes);
	fixture_finish(&pages.fixture);
}
END_TEST

/* ---- export and import ---- */

static size_t slurp(const char *path, char *text)
{
	FILE *f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	size_t length = fread(text, 1, TEXT_MAX - 1, f);
	ck_assert_uint_lt(length, TEXT_MAX - 1);
	text[length] = '\0';
	fclose(f);
	return length;
}

static void spill(const char *path, const char *text, size_t length)
{
	FILE *f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, length, f), length);
	fclose(f);
}

struct files {
	char a[160], b[160], copy[110];
};

static struct files files_of(const struct store_fixture *fixture)
{
	struct files files;
	snprintf(files.a, sizeof files.a, "%s", fixture_path(fixture, ".a"));
	snprintf(files.b, sizeof files.b, "%s", fixture_path(fixture, ".b"));
	snprintf(files.copy, sizeof files.copy, "%s", fixture_path(fixture, ".copy"));
	return files;
}

static void remove_files(const struct files *files)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};
	char path[180];
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof path, "%s%s", files->copy, suffixes[i]);
		unlink(path);
	}
	unlink(files->a);
	unlink(files->b);
}

START_TEST(export_and_import_are_inverse)
{
	static char first[TEXT_MAX], second[TEXT_MAX];
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	fill(&fixture);
	struct files files = files_of(&fixture);
	ck_assert_int_eq(run(export_run, fixture_path(&fixture, ""), files.a),
			 0); /* beside the store */
	size_t length = slurp(files.a, first);
	ck_assert_int_eq(run(import_run, files.copy, files.a), 0);
	ck_assert_int_eq(verify(files.copy).count, 0);
	ck_assert_int_eq(run(export_run, files.copy, files.b), 0);
	ck_assert_uint_eq(slurp(files.b, second), length);
	ck_assert_mem_eq(first, second, length);
	ck_assert_int_eq(run(import_run, files.copy, files.a), 1); /* it is not empty */
	ck_assert_int_eq(run(export_run, files.copy, files.b), 1); /* it is there */
	unlink(files.b);

	/* And the other way round: what was imported is a store like any other. */
	struct random_player player;
	struct store_fixture again = fixture;
	fixture_close(&fixture);
	snprintf(again.location, sizeof again.location, "sqlite:%s", files.copy);
	again.submitted = again.answers = 0;
	fixture_open(&again);
	random_player_init(&player, 3, NULL, 3);
	for (int i = 0; i < 6000; i++)
		random_player_move(&player);
	fixture_check_game(&again, "long", 4, &player, 997);
	fixture_close(&again);
	random_player_finish(&player);
	remove_files(&files);
	fixture_finish(&fixture);
}
END_TEST

static int migrate(const char *from, const char *to)
{
	char *words[] = {(char *)(uintptr_t)from, (char *)(uintptr_t)to};
	struct config config = {0};
	const struct ops_call call = {.config = &config, .words = words, .word_count = 2};
	return migrate_run(&call);
}

#ifdef MODULE_POSTGRES
/* SQL that damages a database on PostgreSQL, and what is found. */
static const struct {
	const char *sql, *finding;
} postgres_damages[] = {
	{"DELETE FROM cubed.history WHERE first = 1 AND session = 4", "entries 1 to"},
	{"DELETE FROM cubed.history WHERE first > 1 AND session = 4 AND first ="
	 " (SELECT max(first) FROM cubed.history WHERE session = 4)",
	 "instead of"},
	{"UPDATE cubed.snapshot SET state = set_byte(state, 0, get_byte(state, 0) # 1)"
	 " WHERE session = 4 AND first = (SELECT max(first) FROM cubed.snapshot WHERE session = 4)",
	 "is not what the entries make"},
	{"UPDATE cubed.session SET revision = revision + 1 WHERE key = 3", "its row ends with"},
	{"DELETE FROM cubed.session WHERE key = 3", "but no such session"},
	{"UPDATE cubed.session SET head = 0 WHERE key = 3", "newest state is impossible"},
	{"DELETE FROM cubed.token WHERE number = 2", "a token"},
	{"UPDATE cubed.receipt SET body = ''", "a receipt is damaged"},
	{"UPDATE cubed.solve SET clock = 7 WHERE id2 = 0", "a solve is damaged"},
	{"UPDATE cubed.answer SET moves = '\\xffff'", "an answer of a solver is damaged"},
};
#define POSTGRES_DAMAGES ((int)(sizeof postgres_damages / sizeof postgres_damages[0]))

static void check_damages(const char *location, const char *database)
{
	for (int i = 0; i < POSTGRES_DAMAGES; i++) {
		char sql[512];
		free(postgres_fixture_sql(database, "CREATE SCHEMA kept"));
		free(postgres_fixture_sql(
			database, "DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM"
				  " pg_tables WHERE schemaname = 'cubed' LOOP EXECUTE"
				  " format('CREATE TABLE kept.%I AS SELECT * FROM cubed.%I',"
				  " t, t); END LOOP; END $$"));
		snprintf(sql, sizeof sql, "%s", postgres_damages[i].sql);
		free(postgres_fixture_sql(database, sql));
		struct found found = verify(location);
		ck_assert_msg(strstr(found.text, postgres_damages[i].finding) != NULL,
			      "%s: found %d: %s", sql, found.count, found.text);
		free(postgres_fixture_sql(
			database, "DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM"
				  " pg_tables WHERE schemaname = 'cubed' LOOP EXECUTE"
				  " format('DELETE FROM cubed.%I', t); EXECUTE"
				  " format('INSERT INTO cubed.%I SELECT * FROM kept.%I', t, t);"
				  " END LOOP; END $$; DROP SCHEMA kept CASCADE"));
		found = verify(location);
		ck_assert_msg(found.count == 0, "%s", found.text);
	}
}

#define MORE_SCHEMES ", postgresql:"
#else
#define MORE_SCHEMES ""
#endif

START_TEST(a_location_that_is_refused_is_not_repeated)
{
	static const char location[] = "postgres://cubed:secret@db/cubed";
	struct error error = {0};
	ck_assert_ptr_null(database_open(location, DATABASE_LIVE, &error));
	ck_assert_str_eq(error.text, "postgres: is not a kind of database; use sqlite:PATH or"
				     " postgresql:CONNINFO");
	ck_assert_ptr_null(store_open(location, &(struct store_options){0}, &error));
	ck_assert_str_eq(error.text, "the store \"postgres:...\" does not begin with one of"
				     " sqlite:, memory:" MORE_SCHEMES);
}
END_TEST

#ifdef MODULE_POSTGRES
/* Over and back: the exports of all three are the same bytes. */
START_TEST(a_database_migrates_to_postgresql_and_back)
{
	static char first[TEXT_MAX], second[TEXT_MAX];
	char database[POSTGRES_NAME_MAX], location[128] = "postgresql:";
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	fill(&fixture);
	struct files files = files_of(&fixture);
	postgres_fixture_create(database);
	postgres_fixture_conninfo(database, location + 11, sizeof location - 11);
	ck_assert_int_eq(migrate(fixture_path(&fixture, ""), location), 1); /* a server has it */
	fixture_close(&fixture);
	ck_assert_int_eq(run(export_run, fixture_path(&fixture, ""), files.a), 0);
	const size_t length = slurp(files.a, first);

	ck_assert_int_eq(migrate(fixture_path(&fixture, ""), location), 0);
	struct found found = verify(location);
	ck_assert_msg(found.count == 0, "%s", found.text);
	ck_assert_int_eq(run(export_run, location, files.b), 0);
	ck_assert_uint_eq(slurp(files.b, second), length);
	ck_assert_mem_eq(first, second, length);
	unlink(files.b);
	ck_assert_int_eq(migrate(fixture_path(&fixture, ""), location), 1); /* it is not empty */
	ck_assert_int_eq(run(backup_run, location, files.b), 2);
	ck_assert_int_eq(migrate(location, location), 2);
	ck_assert_int_eq(migrate(location, "postgres:host=a"), 2); /* not a path */
	ck_assert_int_eq(access("postgres:host=a", F_OK), -1);

	ck_assert_int_eq(migrate(location, files.copy), 0);
	ck_assert_int_eq(verify(files.copy).count, 0);
	ck_assert_int_eq(run(export_run, files.copy, files.b), 0);
	ck_assert_uint_eq(slurp(files.b, second), length);
	ck_assert_mem_eq(first, second, length);
	check_damages(location, database);

	/* A damaged source leaves the target empty. */
	run_sql(&fixture, "UPDATE history SET entries = x'ff' WHERE first = 1");
	postgres_fixture_drop(database);
	postgres_fixture_create(database);
	postgres_fixture_conninfo(database, location + 11, sizeof location - 11);
	ck_assert_int_eq(migrate(fixture_path(&fixture, ""), location), 1);
	char *sessions = postgres_fixture_sql(database, "SELECT count(*) FROM cubed.session");
	ck_assert_str_eq(sessions, "0");
	free(sessions);

	/* And what is there is a store like any other. */
	ck_assert_int_eq(migrate(files.copy, location), 0);
	struct random_player player;
	struct store_fixture again = fixture;
	snprintf(again.location, sizeof again.location, "%s", location);
	again.submitted = again.answers = 0;
	again.any_order = true;
	fixture_open(&again);
	random_player_init(&player, 3, NULL, 3);
	for (int i = 0; i < 6000; i++)
		random_player_move(&player);
	fixture_check_game(&again, "long", 4, &player, 997);
	fixture_close(&again);
	random_player_finish(&player);
	postgres_fixture_drop(database);
	remove_files(&files);
	fixture_finish(&fixture);
}
END_TEST

#else
START_TEST(a_database_of_a_missing_module_is_refused)
{
	static const char location[] = "postgresql://cubed:secret@db/cubed";
	static const char sentence[] =
		"postgresql: needs the module postgres, which this cubed was built without; use"
		" sqlite:PATH, or build with it, as in: make MODULES=postgres";
	struct error error = {0};
	ck_assert_ptr_null(database_open(location, DATABASE_LIVE, &error));
	ck_assert_str_eq(error.text, sentence);
	ck_assert_ptr_null(database_load(location, &error));
	ck_assert_str_eq(error.text, sentence);
	ck_assert_ptr_null(store_open(location, &(struct store_options){0}, &error));
	ck_assert_str_eq(error.text, sentence);
	ck_assert_int_eq(migrate(location, "a.db"), 1);
}
END_TEST
#endif

START_TEST(locations_name_a_database)
{
	ck_assert(database_location("sqlite:a.db") && database_location("a.db"));
	ck_assert(database_location("postgresql:dbname=a"));
	ck_assert(!database_location("memory:a"));
	ck_assert_str_eq(database_name("sqlite:/a/b.db"), "/a/b.db");
	ck_assert_str_eq(database_name("/a/b.db"), "/a/b.db");
	ck_assert_str_eq(database_name("postgresql:host=a"), "postgresql:host=a");
	ck_assert_str_eq(database_name("postgresql://u@h/d"), "postgresql://u@h/d");
	/* Passwords stay out of messages. */
	ck_assert_str_eq(database_name("postgresql:host=a password=b"), "postgresql");
	ck_assert_str_eq(database_name("postgresql://u:p@h/d"), "postgresql");
	ck_assert_str_eq(database_name("postgresql://h/d?sslpassword=p"), "postgresql");
	ck_assert_ptr_null(database_copy_refusal("sqlite:a.db"));
	ck_assert_ptr_nonnull(database_copy_refusal("postgresql:"));
}
END_TEST

START_TEST(a_backup_is_the_same)
{
	static char first[TEXT_MAX], second[TEXT_MAX];
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	fill(&fixture);
	struct files files = files_of(&fixture);
	ck_assert_int_eq(run(backup_run, fixture_path(&fixture, ""), files.copy), 0);
	ck_assert_int_eq(run(export_run, fixture_path(&fixture, ""), files.a), 0);
	ck_assert_int_eq(run(export_run, files.copy, files.b), 0);
	size_t length = slurp(files.a, first);
	ck_assert_uint_eq(slurp(files.b, second), length);
	ck_assert_mem_eq(first, second, length);
	/* Not over another one; and none of a damaged database. */
	ck_assert_int_eq(run(backup_run, fixture_path(&fixture, ""), files.copy), 1);
	remove_files(&files);
	fixture_close(&fixture);
	run_sql(&fixture, "UPDATE session_more SET size = 101");
	ck_assert_int_eq(run(backup_run, fixture_path(&fixture, ""), files.copy), 1);
	ck_assert_int_ne(access(files.copy, F_OK), 0);
	fixture_finish(&fixture);
}
END_TEST

#define HEAD "{\"format\":\"cubed-export\",\"version\":1}\n"
#define ONE "{\"id\":\"0123456789abcdef\",\"size\":2,\"access\":\"edit\",\"created_ms\":5"
#define TAIL(sessions, entries) "{\"sessions\":" #sessions ",\"entries\":" #entries "}\n"
#define SOLVE(rest)                                                                                \
	"{\"solve\":\"fedcba9876543210\",\"book\":\"0123456789abcdef\",\"created_ms\":5,"          \
	"\"origin\":1" rest "}\n"
#define MOVE(n, moves)                                                                             \
	"{\"revision\":" #n ",\"time_ms\":6,\"kind\":\"moves\",\"moves\":\"" moves "\"}"
#define BACK(n, kind, to, moves)                                                                   \
	"{\"revision\":" #n ",\"time_ms\":6,\"kind\":\"" kind "\",\"restores\":" #to               \
	",\"moves\":\"" moves "\"}"

static const struct {
	bool good;
	const char *text;
} imports[] = {
	{true, HEAD TAIL(0, 0)},
	{true, HEAD ONE ",\"entries\":[]}\n" TAIL(1, 0)},
	{true, HEAD ONE
	 ",\"entries\":[" MOVE(1, "R U") "," BACK(2, "undo", 0, "U' R'") "]}\n" TAIL(1, 2)},
	{true, HEAD ONE
	 ",\"entries\":[" MOVE(1, "R") "]}\n"
				       "{\"continues\":\"0123456789abcdef\",\"entries\":[" MOVE(
					       2, "U") "]}\n" TAIL(1, 2)},
	{true, HEAD ONE ",\"listed\":true,\"entries\":[]}\n" TAIL(1, 0)},
	{false, ""},
	{false, "\n"},
	{false, "{}\n"},
	{false, TAIL(0, 0)},
	{false, HEAD},
	{false, HEAD HEAD TAIL(0, 0)},
	{false, HEAD TAIL(1, 0)},
	{false, HEAD TAIL(0, 1)},
	{false, HEAD TAIL(0, 0) "x"},
	{false, HEAD ONE ",\"entries\":[" MOVE(1, "R") "]}\n"},
	{false, HEAD ONE ",\"entries\":[" MOVE(1, "R")},
	{false, HEAD ONE ",\"entries\":[" MOVE(2, "R") "]}\n" TAIL(1, 1)},
	{false, HEAD ONE ",\"entries\":[" MOVE(1, "R") "," MOVE(1, "R") "]}\n" TAIL(1, 2)},
	{false, HEAD ONE ",\"entries\":[" MOVE(1, "Q") "]}\n" TAIL(1, 1)},
	{false, HEAD ONE ",\"entries\":[" MOVE(1, "3Rw") "]}\n" TAIL(1, 1)},
	{false, HEAD ONE ",\"entries\":[" MOVE(1, "(R U)9999999") "]}\n" TAIL(1, 1)},
	{false, HEAD ONE ",\"entries\":[" BACK(1, "undo", 0, "R") "]}\n" TAIL(1, 1)},
	{false,
	 HEAD ONE ",\"entries\":[" MOVE(1, "R") "," BACK(2, "undo", 0, "R") "]}\n" TAIL(1, 2)},
	{false,
	 HEAD ONE ",\"entries\":[" MOVE(1, "R") "," BACK(2, "redo", 1, "") "]}\n" TAIL(1, 2)},
	{false,
	 HEAD ONE ",\"entries\":[" MOVE(1, "R") "," BACK(2, "undo", 2, "R'") "]}\n" TAIL(1, 2)},
	{false,
	 HEAD ONE ",\"entries\":[" MOVE(1, "R") "," BACK(2, "moves", 0, "R'") "]}\n" TAIL(1, 2)},
	{false, HEAD ONE ",\"entries\":[1]}\n" TAIL(1, 1)},
	{false, HEAD ONE ",\"listed\":1,\"entries\":[]}\n" TAIL(1, 0)},
	{false, HEAD "{\"id\":\"0123456789abcdef\",\"size\":2,\"access\":\"none\",\"listed\":true,"
		     "\"created_ms\":5,\"entries\":[]}\n" TAIL(1, 0)},
	{false, HEAD ONE ",\"entries\":[{}]}\n" TAIL(1, 1)},
	{false, HEAD ONE "}\n" TAIL(1, 0)},
	{false, HEAD ONE ",\"more\":1,\"entries\":[]}\n" TAIL(1, 0)},
	{false, HEAD ONE
	 ",\"cube\":{\"stickers\":[1],\"spins\":[0,0,0,0,0,0]},\"entries\":[]}\n" TAIL(1, 0)},
	{false, HEAD ONE ",\"cube\":{},\"entries\":[]}\n" TAIL(1, 0)},
	{false, HEAD ONE ",\"name\":\"\\u0007\",\"entries\":[]}\n" TAIL(1, 0)},
	{false, HEAD ONE ",\"entries\":[]}\n" ONE ",\"entries\":[]}\n" TAIL(2, 0)},
	{false, HEAD "{\"continues\":\"0123456789abcdef\",\"entries\":[]}\n" TAIL(0, 0)},
	{false, HEAD "{\"id\":\"0123456789abcdeu\",\"size\":2,\"access\":\"edit\",\"created_ms\":5,"
		     "\"entries\":[]}\n" TAIL(1, 0)},
	{true, HEAD ONE ",\"entries\":[]}\n" SOLVE("") TAIL(1, 0)},
	{true, HEAD ONE ",\"entries\":[]}\n" SOLVE(",\"time_ms\":5,\"comment\":\"x\"") TAIL(1, 0)},
	{false, HEAD SOLVE("") TAIL(0, 0)}, /* there is no such book */
	{false, HEAD ONE ",\"entries\":[]}\n" SOLVE("") SOLVE("") TAIL(1, 0)},
	{false, HEAD ONE ",\"entries\":[]}\n" SOLVE(",\"time_ms\":-1") TAIL(1, 0)},
	{false, HEAD ONE ",\"entries\":[]}\n" SOLVE(",\"base\":\"00\"") TAIL(1, 0)},
	{false, HEAD ONE ",\"entries\":[]}\n" SOLVE(",\"base\":\"0\"") TAIL(1, 0)},
	{false, HEAD ONE ",\"entries\":[]}\n" SOLVE(",\"more\":1") TAIL(1, 0)},
	{false, HEAD "{\"frame\":\"{}\",\"book\":\"0123456789abcdef\"}\n" TAIL(0, 0)},
	{false, HEAD
	 "{\"answer\":\"x\",\"created_ms\":1,\"size\":2,\"colors\":\"00\",\"moves\":\"\"}\n" TAIL(
		 0, 0)},
	{false, "{\"format\":\"cubed-export\",\"version\":2}\n" TAIL(0, 0)},
};
#define IMPORTS ((int)(sizeof imports / sizeof imports[0]))

START_TEST(imports_are_checked)
{
	static char text[TEXT_MAX];
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	struct files files = files_of(&fixture);
	spill(files.a, imports[_i].text, strlen(imports[_i].text));
	ck_assert_msg(run(import_run, files.copy, files.a) == (imports[_i].good ? 0 : 1), "%s",
		      imports[_i].text);
	ck_assert_int_eq(verify(files.copy).count, 0);
	ck_assert_int_eq(run(export_run, files.copy, files.b), 0);
	slurp(files.b, text);
	/* All of it or nothing. */
	if (imports[_i].good)
		ck_assert_int_eq(strlen(text) == 0, 0);
	else
		ck_assert_str_eq(text, HEAD TAIL(0, 0));
	remove_files(&files);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(import_keeps_off_a_running_store)
{
	struct store_fixture fixture;
	fixture_init(&fixture, "sqlite");
	struct files files = files_of(&fixture);
	spill(files.a, HEAD TAIL(0, 0), strlen(HEAD TAIL(0, 0)));
	ck_assert_int_eq(run(import_run, fixture_path(&fixture, ""), files.a), 1);
	fixture_close(&fixture);
	ck_assert_int_eq(run(import_run, fixture_path(&fixture, ""), files.a), 0);
	remove_files(&files);
	fixture_finish(&fixture);
}
END_TEST

/* ---- released schemas ---- */

/* Makes the database of a schema, where the store of the fixture was. */
static void make_old(struct store_fixture *fixture, int schema)
{
	static char text[TEXT_MAX];
	char path[64];
	struct sqlite_connection c;
	char *message = NULL;
	fixture_init(fixture, "sqlite");
	fixture_close(fixture);
	unlink(fixture_path(fixture, ""));
	snprintf(path, sizeof path, "tests/data/schema/%03d.sql", schema);
	slurp(path, text);
	ck_assert_int_eq(connection_open(&c, fixture_path(fixture, ""),
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
			 SQLITE_OK);
	ck_assert_msg(sqlite3_exec(c.db, text, NULL, NULL, &message) == SQLITE_OK, "%s", message);
	connection_close(&c);
}

/* Opens and closes the store, whose log goes to a file. */
static void open_logged(struct store_fixture *fixture, const char *path)
{
	const int kept = dup(STDERR_FILENO);
	ck_assert_int_ge(kept, 0);
	fflush(stderr);
	ck_assert_ptr_nonnull(freopen(path, "w", stderr));
	log_configure(LOG_INFO, 0);
	fixture_open(fixture);
	fixture_close(fixture);
	log_configure(LOG_OFF, 0);
	fflush(stderr);
	ck_assert_int_ge(dup2(kept, STDERR_FILENO), 0);
	close(kept);
}

/* Fails the test unless a database is exported as the one of that schema. */
static void check_old(const struct store_fixture *fixture, int schema)
{
	static char text[TEXT_MAX], expected[TEXT_MAX];
	char path[64];
	struct files files = files_of(fixture);
	ck_assert_int_eq(run(export_run, fixture_path(fixture, ""), files.a), 0);
	struct found found = verify(fixture_path(fixture, ""));
	ck_assert_msg(found.count == 0, "%s", found.text);
	snprintf(path, sizeof path, "tests/data/schema/%03d.ndjson", schema);
	slurp(path, expected);
	slurp(files.a, text);
	ck_assert_str_eq(text, expected);
	unlink(files.a);
}

/* Puts a copy in the place of the database. */
static void restore(const struct store_fixture *fixture, const char *copy)
{
	static const char *const suffixes[] = {"-wal", "-shm"};
	for (int i = 0; i < 2; i++)
		unlink(fixture_path(fixture, suffixes[i]));
	ck_assert_int_eq(rename(copy, fixture_path(fixture, "")), 0);
	ck_assert_int_eq(disk_ask(fixture, "SELECT count(*) FROM pragma_integrity_check"
					   " WHERE integrity_check <> 'ok'"),
			 0);
}

/* A database of every schema that was released is brought up to date, and holds what it held; so do
 * the copy that is kept before, and a backup of it. */
START_TEST(old_schemas_are_brought_up_to_date)
{
	static char text[TEXT_MAX];
	char kept[180], log[180];
	struct store_fixture fixture;
	make_old(&fixture, _i);
	struct files files = files_of(&fixture);
	snprintf(kept, sizeof kept, "%s.before-%d", fixture_path(&fixture, ""), SCHEMAS);
	snprintf(log, sizeof log, "%s", fixture_path(&fixture, ".log"));
	ck_assert_int_eq(run(backup_run, fixture_path(&fixture, ""), files.copy), 0);
	ck_assert_int_eq(run(verify_run, fixture_path(&fixture, ""), NULL), _i < SCHEMAS);
	spill(kept, "of an attempt before", 20);
	open_logged(&fixture, log);
	check_old(&fixture, _i);
	slurp(log, text);
	ck_assert_msg((strstr(text, kept) != NULL) == (_i < SCHEMAS), "%s", text);
	unlink(log);
	if (_i < SCHEMAS) {
		const char *const copies[] = {kept, files.copy};
		for (int i = 0; i < 2; i++) {
			restore(&fixture, copies[i]);
			ck_assert_int_eq(disk_ask(&fixture, "PRAGMA user_version"), _i);
			open_logged(&fixture, log);
			check_old(&fixture, _i);
		}
	}
	snprintf(text, 200, "%s.part", kept);
	ck_assert_int_ne(access(text, F_OK), 0);
	fixture_finish(&fixture);
}
END_TEST

/* A damaged file of an older schema is not backed up. */
START_TEST(a_backup_of_an_old_schema_is_checked)
{
	struct store_fixture fixture;
	make_old(&fixture, 5);
	struct files files = files_of(&fixture);
	run_sql(&fixture, "PRAGMA writable_schema=1; UPDATE sqlite_schema SET sql ="
			  " replace(sql, 'session (', 'session ( ') WHERE name = 'session_id';"
			  " DELETE FROM sqlite_schema WHERE name = 'solve_id'");
	ck_assert_int_eq(run(backup_run, fixture_path(&fixture, ""), files.copy), 1);
	ck_assert_int_ne(access(files.copy, F_OK), 0);
	fixture_finish(&fixture);
}
END_TEST

/* ---- arguments ---- */

static int main_of(int argc, ...)
{
	char *argv[8] = {0};
	va_list arguments;
	va_start(arguments, argc);
	for (int i = 0; i < argc; i++)
		argv[i] = va_arg(arguments, char *);
	va_end(arguments);
	return ops_main(&argc, argv);
}

START_TEST(arguments_name_a_command)
{
	ck_assert_int_eq(main_of(1, "cubed"), OPS_SERVE);
	ck_assert_int_eq(main_of(2, "cubed", "serve"), OPS_SERVE);
	ck_assert_int_eq(main_of(3, "cubed", "--store", "verify"), OPS_SERVE);
	ck_assert_int_eq(main_of(2, "cubed", "nothing"), 2);
	ck_assert_int_eq(main_of(3, "cubed", "verify", "file"), 2);
	ck_assert_int_eq(main_of(3, "cubed", "verify", "--nothing=1"), 2);
	ck_assert_int_eq(main_of(3, "cubed", "verify", "--store"), 2);
	ck_assert_int_eq(main_of(3, "cubed", "verify", "--store=memory:"), 2);
	ck_assert_int_eq(main_of(3, "cubed", "verify", "--store=sqlite:/no/such"), 1);
	ck_assert_int_eq(main_of(2, "cubed", "backup"), 2);
	ck_assert_int_eq(main_of(2, "cubed", "import"), 2);
	ck_assert_int_eq(main_of(4, "cubed", "export", "a", "b"), 2);
	ck_assert_int_eq(main_of(3, "cubed", "import", "/no/such/file"), 1);
	ck_assert_int_eq(main_of(3, "cubed", "--health", "--listen=127.0.0.1:1"), 1);
	ck_assert_int_eq(main_of(4, "cubed", "--listen", "127.0.0.1:0", "--health"), 1);
	ck_assert_int_eq(main_of(3, "cubed", "verify", "--help"), 0);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	fixture_add_kinds();
	/* The messages of the commands about wrong input are not of interest here. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	Suite *suite = suite_create("ops");
	TCase *plain = tcase_create("ops");
	tcase_set_timeout(plain, 300);
	tcase_add_test(plain, sound_databases_are_sound);
	tcase_add_loop_test(plain, damage_is_found, 0, DAMAGES);
	tcase_add_loop_test(plain, flipped_bytes_are_found, 0, 2);
	tcase_add_test(plain, damaged_pages_are_found);
	tcase_add_loop_test(plain, what_verify_reports_export_reports, 0, PAGE_DAMAGES);
	tcase_add_test(plain, export_and_import_are_inverse);
	tcase_add_test(plain, a_location_that_is_refused_is_not_repeated);
#ifdef MODULE_POSTGRES
	tcase_add_test(plain, a_database_migrates_to_postgresql_and_back);
#else
	tcase_add_test(plain, a_database_of_a_missing_module_is_refused);
#endif
	tcase_add_test(plain, locations_name_a_database);
	tcase_add_test(plain, a_backup_is_the_same);
	tcase_add_loop_test(plain, imports_are_checked, 0, IMPORTS);
	tcase_add_test(plain, import_keeps_off_a_running_store);
	tcase_add_test(plain, arguments_name_a_command);
	suite_add_tcase(suite, plain);
	TCase *schemas = tcase_create("schemas");
	tcase_set_timeout(schemas, 300);
	tcase_add_loop_test(schemas, old_schemas_are_brought_up_to_date, 1, SCHEMAS + 1);
	tcase_add_test(schemas, a_backup_of_an_old_schema_is_checked);
	suite_add_tcase(suite, schemas);
	TCase *room = tcase_create("room");
	tcase_set_timeout(room, 300);
	tcase_add_test(room, deleted_sessions_give_their_room_back);
	suite_add_tcase(suite, room);
	return run_suite(suite, 12 + SCHEMAS + DAMAGES + IMPORTS + PAGE_DAMAGES);
}
