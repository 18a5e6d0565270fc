/* test_store_checksums.c: a byte of a stored history that is not what was written is found, by readers,
 * by the writer and by verify; rows without a checksum are read as before, and get one. */
#include "tests/server/run.h"

#include "server/store/database.h"
#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/log.h"
#include "tests/server/disk.h"

#include <string.h>

/* The places with packed bytes, in a database of one session with these entries. */
static const struct {
	const char *table, *column, *where;
	int entries;
} places[] = {
	{"session", "opening", "key = 1", 12},
	{"history", "entries", "first = 1", 100},
	{"history", "entries", "first = (SELECT max(first) FROM history)", 1500},
	{"snapshot", "state", "first = (SELECT max(first) FROM snapshot)", 1500},
};
#define PLACES ((int)(sizeof places / sizeof places[0]))

static bool keep_going(void *context, const struct entry *entry)
{
	(void)entry;
	++*(uint32_t *)context;
	return true;
}

/* Reads the newest state of the session. */
static enum store_status read_state(const struct store_fixture *fixture)
{
	const struct session_id id = fixture_id("game");
	struct stored_session session;
	enum store_status status = fixture->store->operations->find(fixture->reader, &id, &session);
	if (status == STORE_OK)
		stored_session_free(&session);
	return status;
}

/* The same, and all entries. */
static enum store_status read_all(const struct store_fixture *fixture, uint32_t *entries)
{
	*entries = 0;
	enum store_status status =
		fixture->store->operations->entries(fixture->reader, 1, 0, keep_going, entries);
	return status == STORE_OK ? read_state(fixture) : status;
}

static void keep(void *context, const struct session_id *session, const char *what)
{
	(void)session;
	snprintf(context, 256, "%s", what);
}

/* The number of findings, of which the last one goes to `text`. */
static uint64_t verify(const struct store_fixture *fixture, char text[256])
{
	struct database_counts counts = {0};
	struct error error = {0};
	const struct database_visitor visitor = {.context = text, .finding = keep};
	struct database *database = database_open(fixture_path(fixture, ""), DATABASE_LIVE, &error);
	ck_assert_msg(database != NULL, "%s", error.text);
	ck_assert_int_eq(database_scan(database, &visitor, &counts), STORE_OK);
	ck_assert(database_close(database));
	return counts.findings;
}

/* A connection of the test's own, which writes beside the store. */
struct writer {
	struct sqlite_connection connection;
	sqlite3_stmt *set;
	uint8_t *bytes;
	int length;
};

static void writer_begin(struct writer *writer, const struct store_fixture *fixture, int place)
{
	char sql[200];
	sqlite3_stmt *get;
	*writer = (struct writer){0};
	ck_assert_int_eq(connection_open(&writer->connection, fixture_path(fixture, ""),
					 SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_int_eq(connection_value(&writer->connection, "PRAGMA synchronous=OFF", NULL),
			 SQLITE_OK);
	sqlite3 *db = writer->connection.db;
	sqlite3_busy_timeout(db, 60000);
	snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE %s", places[place].column,
		 places[place].table, places[place].where);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &get, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(get), SQLITE_ROW);
	writer->length = sqlite3_column_bytes(get, 0);
	ck_assert_int_gt(writer->length, 30);
	writer->bytes = malloc((size_t)writer->length);
	ck_assert_ptr_nonnull(writer->bytes);
	memcpy(writer->bytes, sqlite3_column_blob(get, 0), (size_t)writer->length);
	ck_assert_int_eq(sqlite3_step(get), SQLITE_DONE); /* one row */
	sqlite3_finalize(get);
	snprintf(sql, sizeof sql, "UPDATE %s SET %s = ?1 WHERE %s", places[place].table,
		 places[place].column, places[place].where);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &writer->set, NULL), SQLITE_OK);
}

static void writer_set(struct writer *writer)
{
	sqlite3_bind_blob(writer->set, 1, writer->bytes, writer->length, SQLITE_STATIC);
	ck_assert_int_eq(sqlite3_step(writer->set), SQLITE_DONE);
	sqlite3_reset(writer->set);
}

static void writer_end(struct writer *writer)
{
	sqlite3_finalize(writer->set);
	connection_close(&writer->connection);
	free(writer->bytes);
}

static uint64_t make_game(struct store_fixture *fixture, struct random_player *player, int entries)
{
	fixture_init(fixture, "sqlite");
	random_player_init(player, 3, NULL, 21);
	const uint64_t key = fixture_session(fixture, 3, "game");
	struct pending_write **writes = calloc((size_t)entries, sizeof *writes);
	ck_assert_ptr_nonnull(writes);
	for (int i = 0; i < entries; i++) {
		writes[i] = disk_move(fixture, key, player);
		ck_assert_int_eq(fixture_submit(fixture, writes[i]), STORE_OK);
	}
	fixture_wait(fixture);
	for (int i = 0; i < entries; i++)
		pending_write_free(writes[i]);
	free(writes);
	disk_wait_compacted(fixture);
	return key;
}

/* Every byte of each place, one bit after the other. */
START_TEST(every_flipped_byte_is_found)
{
	struct store_fixture fixture;
	struct random_player player;
	struct writer writer;
	uint32_t entries;
	char found[256] = "";
	make_game(&fixture, &player, places[_i].entries);
	writer_begin(&writer, &fixture, _i);
	for (int i = 0; i < writer.length; i++) {
		const uint8_t bit = (uint8_t)(1 << i % 8);
		writer.bytes[i] ^= bit;
		writer_set(&writer);
		ck_assert_msg(read_state(&fixture) == STORE_DAMAGED, "byte %d", i);
		if (i % (1 + writer.length / 4) == 0) {
			ck_assert_uint_gt(verify(&fixture, found), 0);
			ck_assert_msg(i > 0 || strstr(found, "checksum") != NULL ||
					      strstr(found, "instead") != NULL,
				      "%s", found);
		}
		writer.bytes[i] ^= bit;
	}
	writer_set(&writer);
	ck_assert_int_eq(read_all(&fixture, &entries), STORE_OK);
	ck_assert_uint_eq(entries, player.revision);
	ck_assert_uint_eq(verify(&fixture, found), 0);
	writer_end(&writer);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* Zeros are turns like others. */
START_TEST(zeros_are_not_served)
{
	struct store_fixture fixture;
	struct random_player player;
	struct writer writer;
	uint32_t entries;
	make_game(&fixture, &player, places[_i].entries);
	writer_begin(&writer, &fixture, _i);
	memset(writer.bytes + writer.length / 2, 0, (size_t)(writer.length - writer.length / 2));
	writer_set(&writer);
	ck_assert_int_eq(read_all(&fixture, &entries), STORE_DAMAGED);
	writer_end(&writer);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* The chunk of another session or place has a checksum, but not this one. */
START_TEST(a_chunk_elsewhere_is_found)
{
	static const char *const ways[] = {
		"UPDATE history SET (entries, checksum) = (SELECT h.entries, h.checksum"
		" FROM history h WHERE h.session = 2) WHERE session = 1",
		"UPDATE session SET (opening, checksum) ="
		" (SELECT s.opening, s.checksum FROM session s WHERE s.key = 2) WHERE key = 1",
	};
	const int entries = _i == 0 ? 100 : 5;
	struct store_fixture fixture;
	struct random_player player, other;
	struct sqlite_connection c;
	uint32_t read;
	make_game(&fixture, &player, entries);
	random_player_init(&other, 3, NULL, 33);
	const uint64_t key = fixture_session(&fixture, 3, "second");
	disk_play(&fixture, key, &other, entries, false);
	random_player_finish(&other);
	disk_wait_compacted(&fixture);
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_int_eq(connection_value(&c, ways[_i], NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_changes(c.db), 1);
	connection_close(&c);
	ck_assert_int_eq(read_all(&fixture, &read), STORE_DAMAGED);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* The writer does not add to a damaged chunk, which would give it a right checksum. */
START_TEST(the_writer_adds_to_no_damaged_chunk)
{
	struct store_fixture fixture;
	struct random_player player;
	struct writer writer;
	uint32_t entries;
	const int place = _i == 0 ? 0 : 2;
	const uint64_t key = make_game(&fixture, &player, places[place].entries);
	writer_begin(&writer, &fixture, place);
	writer.bytes[1] ^= 1;
	writer_set(&writer);
	writer_end(&writer);
	disk_play(&fixture, key, &player, 1, false);
	fixture_session(&fixture, 3, "sound");
	disk_nap(500); /* nothing is compacted */
	ck_assert_int_eq(read_all(&fixture, &entries), STORE_DAMAGED);
	fixture_close(&fixture);
	fixture_open(&fixture);
	ck_assert_int_eq(read_all(&fixture, &entries), STORE_DAMAGED);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

#define WITHOUT                                                                                    \
	"SELECT (SELECT count(*) FROM session WHERE checksum IS NULL AND opening IS NOT NULL)"     \
	" + (SELECT count(*) FROM history WHERE checksum IS NULL)"                                 \
	" + (SELECT count(*) FROM snapshot WHERE checksum IS NULL)"

/* Rows of older programs have none. */
START_TEST(rows_without_a_checksum_are_valid)
{
	static const char *const forget[] = {"UPDATE session SET checksum = NULL",
					     "UPDATE history SET checksum = NULL",
					     "UPDATE snapshot SET checksum = NULL"};
	struct store_fixture fixture;
	struct random_player player;
	struct sqlite_connection c;
	uint32_t entries;
	char found[256];
	const uint64_t key = make_game(&fixture, &player, places[_i].entries);
	ck_assert_int_eq(disk_ask(&fixture, WITHOUT), 0);
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(connection_value(&c, forget[i], NULL), SQLITE_OK);
	connection_close(&c);
	const int64_t without = disk_ask(&fixture, WITHOUT);
	ck_assert_int_gt(without, 0);
	ck_assert_int_eq(read_all(&fixture, &entries), STORE_OK);
	ck_assert_uint_eq(verify(&fixture, found), 0);
	disk_play(&fixture, key, &player, 1, false);
	disk_wait_compacted(&fixture);
	ck_assert_int_eq(disk_ask(&fixture, WITHOUT), without - 1); /* written again */
	fixture_check_game(&fixture, "game", key, &player, 97);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	Suite *suite = suite_create("store_checksums");
	TCase *plain = tcase_create("store_checksums");
	tcase_set_timeout(plain, 600);
	tcase_add_loop_test(plain, every_flipped_byte_is_found, 0, PLACES);
	tcase_add_loop_test(plain, zeros_are_not_served, 0, PLACES);
	tcase_add_loop_test(plain, a_chunk_elsewhere_is_found, 0, 2);
	tcase_add_loop_test(plain, the_writer_adds_to_no_damaged_chunk, 0, 2);
	tcase_add_loop_test(plain, rows_without_a_checksum_are_valid, 0, 2);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 2 * PLACES + 6);
}
