/* test_store_postgres_maintenance.c: long histories are read from snapshots and in pages, what is
 * damaged is not answered, the canonical index follows what changes, and what is old is deleted. */
#include "tests/server/run.h"

#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/pattern.h"
#include "tests/server/disk.h"
#include "tests/server/postgres_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long ask(const struct store_fixture *fixture, const char *sql)
{
	char *answer = postgres_fixture_sql(fixture->database, sql);
	const long number = atol(answer);
	free(answer);
	return number;
}

/* Fails if it takes more than two minutes. */
static void wait_for(const struct store_fixture *fixture, const char *sql, long value)
{
	for (int i = 0; i < 1200 && ask(fixture, sql) != value; i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	ck_assert_msg(ask(fixture, sql) == value, "%s", sql);
}

static bool count_entries(void *context, const struct entry *entry)
{
	uint32_t *count = context;
	ck_assert_uint_eq(entry->revision, ++*count);
	return true;
}

START_TEST(long_histories)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "postgresql");
	random_player_init(&player, 13, NULL, 3);
	const uint64_t key = fixture_session(&fixture, 13, "long");
	/* Many rows of history, and several pages of them. */
	disk_play(&fixture, key, &player, 1500, true);
	ck_assert_int_gt(ask(&fixture, "SELECT count(*) FROM cubed.history"), 300);
	ck_assert_int_gt(ask(&fixture, "SELECT sum(octet_length(entries)) FROM cubed.history"),
			 150000);
	/* The part that must be replayed becomes short. */
	wait_for(&fixture, "SELECT count(*) FROM cubed.session WHERE since < 8192", 1);
	ck_assert_int_ge(ask(&fixture, "SELECT count(*) FROM cubed.snapshot"), 1);
	ck_assert_int_lt(ask(&fixture,
			     "SELECT coalesce(sum(octet_length(entries)), 0) FROM cubed.history"
			     " WHERE first >= (SELECT max(first) FROM cubed.snapshot)"),
			 8192);
	fixture_check_game(&fixture, "long", key, &player, 37);
	uint32_t count = player.revision - 3;
	ck_assert_int_eq(fixture.store->operations->entries(fixture.reader, key, count,
							    count_entries, &count),
			 STORE_OK);
	ck_assert_uint_eq(count, player.revision);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(damage_is_not_answered)
{
	static const char *const damages[] = {
		"UPDATE cubed.session SET tail = '\\xffffff'",
		"UPDATE cubed.session SET size = 1",
		"UPDATE cubed.session SET mode = 3",
		"DELETE FROM cubed.snapshot; DELETE FROM cubed.history",
		"DELETE FROM cubed.snapshot; DELETE FROM cubed.history WHERE first > 1",
		"DELETE FROM cubed.snapshot;"
		"UPDATE cubed.history SET entries = '\\x0102' WHERE first > 1",
		"UPDATE cubed.snapshot SET state = '\\x01'",
		"UPDATE cubed.snapshot SET first = first + 1",
		"UPDATE cubed.token SET role = 9",
		"DELETE FROM cubed.token WHERE number = 1",
		"UPDATE cubed.token SET hash = '\\x01'",
		"DELETE FROM cubed.snapshot;"
		"INSERT INTO cubed.session_more VALUES (1, 1, NULL, 'n', NULL, '\\x99')",
	};
	struct store_fixture fixture;
	struct random_player player;
	struct stored_session session;
	const struct session_id id = fixture_id("game");
	fixture_init(&fixture, "postgresql");
	random_player_init(&player, 3, NULL, 3);
	const uint64_t key = fixture_session(&fixture, 3, "game");
	disk_play(&fixture, key, &player, 1200, true);
	for (uint32_t number = 1; number <= 2; number++) {
		const struct stored_token token = {.number = number, .role = ROLE_EDITOR};
		struct pending_write *write = pending_write_of(&fixture, WRITE_TOKEN, key);
		write->write.token = &token;
		ck_assert_int_eq(fixture_do(&fixture, write), STORE_OK);
	}
	for (int i = 0; i < 1200 && ask(&fixture, "SELECT count(*) FROM cubed.snapshot") == 0; i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	fixture_close(&fixture);
	free(postgres_fixture_sql(
		fixture.database,
		"DELETE FROM cubed.session_more;"
		"UPDATE cubed.session SET key = 1, mode = mode & 95;"
		"UPDATE cubed.history SET session = 1;"
		"UPDATE cubed.snapshot SET session = 1;"
		"UPDATE cubed.token SET session = 1;"
		"CREATE SCHEMA sound; CREATE TABLE sound.session AS TABLE cubed.session;"
		"CREATE TABLE sound.history AS TABLE cubed.history;"
		"CREATE TABLE sound.snapshot AS TABLE cubed.snapshot;"
		"CREATE TABLE sound.token AS TABLE cubed.token"));
	fixture_open(&fixture);
	const struct store_operations *operations = fixture.store->operations;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		ck_assert_int_eq(operations->find(fixture.reader, &id, &session), STORE_OK);
		stored_session_free(&session);
		free(postgres_fixture_sql(fixture.database, damages[i]));
		ck_assert_msg(operations->find(fixture.reader, &id, &session) == STORE_BROKEN, "%s",
			      damages[i]);
		ck_assert_ptr_null(session.history);
		ck_assert_ptr_null(session.tokens);
		free(postgres_fixture_sql(fixture.database,
					  "DELETE FROM cubed.session; DELETE FROM cubed.history;"
					  "DELETE FROM cubed.snapshot; DELETE FROM cubed.token;"
					  "DELETE FROM cubed.session_more;"
					  "INSERT INTO cubed.session SELECT * FROM sound.session;"
					  "INSERT INTO cubed.history SELECT * FROM sound.history;"
					  "INSERT INTO cubed.snapshot SELECT * FROM sound.snapshot;"
					  "INSERT INTO cubed.token SELECT * FROM sound.token"));
	}
	free(postgres_fixture_sql(fixture.database,
				  "DELETE FROM cubed.history WHERE first = (SELECT max(first)"
				  " FROM cubed.history)"));
	uint32_t count = 0;
	ck_assert_int_eq(operations->entries(fixture.reader, 1, 0, count_entries, &count),
			 STORE_BROKEN);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* ---- the canonical index ---- */

static uint64_t hash_of(const struct cube *cube)
{
	uint8_t colors[54], canonical[54];
	cube_colors(cube, colors);
	cube_canonical(cube->size, colors, canonical);
	return cube_colors_hash(cube->size, canonical);
}

struct found {
	uint64_t hash;
	char text[400]; /* the names of those with the hash */
	int others;
};

static bool add_name(void *context, struct stored_session *session)
{
	struct found *found = context;
	char *end = found->text + strlen(found->text);
	if (hash_of(session->history->cube) == found->hash)
		snprintf(end, 12, "%.10s ", session->meta.name);
	else
		found->others++;
	return true;
}

static const char *search(struct store_fixture *fixture, const struct cube *cube, uint64_t own,
			  int others)
{
	static struct found found;
	uint64_t next;
	found = (struct found){.hash = hash_of(cube)};
	ck_assert_int_eq(fixture->store->operations->canonical_index(fixture->reader, found.hash,
								     own, UINT64_MAX, 100, add_name,
								     &found, &next),
			 STORE_OK);
	ck_assert_uint_eq(next, 0);
	/* Others are looked at only until the index has what they changed. */
	ck_assert_int_le(found.others, others);
	return found.text;
}

#define HASHED                                                                                     \
	"SELECT count(*) FROM cubed.lane l JOIN cubed.change c ON c.lane = l.lane"                 \
	" AND c.batch > l.hashed"

START_TEST(the_index_follows)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "postgresql");
	random_player_init(&player, 3, NULL, 3);
	const struct cube *solved = player.states[0];
	const uint64_t a = fixture_session(&fixture, 3, "a"), b = fixture_session(&fixture, 3, "b");
	struct pending_write *hidden = pending_write_create(&fixture, 3, "hidden");
	hidden->write.meta.listed = false;
	ck_assert_int_eq(fixture_submit(&fixture, hidden), STORE_OK);
	fixture_wait(&fixture);
	const uint64_t own = hidden->write.meta.key;
	pending_write_free(hidden);
	for (int round = 0; round < 2; round++) { /* before it is in the index, and then */
		ck_assert_str_eq(search(&fixture, solved, 0, 0), "b a ");
		ck_assert_str_eq(search(&fixture, solved, own, 0), "hidden b a ");
		wait_for(&fixture, HASHED, 0);
	}
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.canonical_index"), 2);
	do /* a rotation changes nothing */
		disk_play(&fixture, a, &player, 1, false);
	while (hash_of(player.states[player.revision]) == hash_of(solved));
	const struct cube *turned = player.states[player.revision];
	for (int round = 0; round < 2; round++) {
		ck_assert_str_eq(search(&fixture, turned, 0, 0), "a ");
		wait_for(&fixture, HASHED, 0);
	}
	ck_assert_str_eq(search(&fixture, solved, 0, 0), "b ");
	ck_assert_int_eq(ask(&fixture, "SELECT count(DISTINCT hash) FROM cubed.canonical_index"),
			 2);
	/* Listed and not listed, deleted. */
	struct pending_write *meta = pending_write_of(&fixture, WRITE_META, own);
	strcpy(meta->write.meta.name, "shown");
	meta->write.meta.listed = true;
	ck_assert_int_eq(fixture_do(&fixture, meta), STORE_OK);
	meta = pending_write_of(&fixture, WRITE_META, a);
	ck_assert_int_eq(fixture_do(&fixture, meta), STORE_OK);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, b)),
			 STORE_OK);
	for (int round = 0; round < 2; round++) {
		ck_assert_str_eq(search(&fixture, solved, 0, 0), "shown ");
		ck_assert_str_eq(search(&fixture, turned, 0, 1 - round), "");
		wait_for(&fixture, HASHED, 0);
	}
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.canonical_index"), 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* ---- purging ---- */

START_TEST(what_is_old_is_deleted)
{
	struct store_fixture fixture;
	struct random_player player;
	struct stored_session session;
	const struct session_id id = fixture_id("kept");
	fixture_init(&fixture, "postgresql");
	random_player_init(&player, 3, NULL, 3);
	const uint64_t key = fixture_session(&fixture, 3, "kept");
	disk_play(&fixture, key, &player, 20, true);
	const uint64_t gone = fixture_session(&fixture, 3, "gone");
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, gone)),
			 STORE_OK);
	wait_for(&fixture, HASHED, 0);
	const long lanes = ask(&fixture, "SELECT count(*) FROM cubed.lane");
	const long used = ask(&fixture, "SELECT count(DISTINCT lane) FROM cubed.change");
	fixture_close(&fixture);
	free(postgres_fixture_sql(
		fixture.database,
		"SET search_path = cubed; UPDATE change SET at = now() - interval '11 minutes';"
		/* Lanes of processes that stopped: some changes of one are not in the index yet. */
		"INSERT INTO lane (lane, beat, hashed) VALUES (-1, now() - interval '2 days', 5),"
		" (-2, now() - interval '1 hour', 5), (-3, now() - interval '2 days', 5);"
		"INSERT INTO change (lane, batch, body, at) SELECT l, n, '\\x01',"
		" now() - at * interval '1 hour' FROM generate_series(1, 5) n,"
		" (VALUES (-1, 25), (-2, 1), (-3, 23)) v(l, at);"
		"INSERT INTO receipt SELECT gen_random_uuid(), 0, '\\x00', '\\x00', n, '\\x00'"
		" FROM generate_series(1, 700) n;"
		"INSERT INTO receipt VALUES (gen_random_uuid(), 0, '\\x00', '\\x00',"
		" 4000000000000, '\\x00');"
		"INSERT INTO answer (seq, canonical, size, method, colors, moves, created_ms)"
		" SELECT n, n, 3, 'm', '\\x00', '\\x00', 0 FROM generate_series(1, 300) n;"
		"INSERT INTO answer (seq, canonical, size, method, colors, moves, created_ms)"
		" VALUES (100200, 0, 3, 'm', '\\x00', '\\x00', 0)"));
	fixture_clock_ahead_ms = SESSION_DELETED_KEPT_MS + 1000;
	fixture_open(&fixture); /* it looks when it opens */
	wait_for(&fixture, "SELECT count(*) FROM cubed.session", 1);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.session_more"), 1);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.canonical_index"), 1);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.receipt"), 1);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.answer"), 101);
	/* The newest of each lane stays; a lane goes after a day without a beat or a change. */
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.change WHERE at < now()"
				       " - interval '5 minutes'"),
			 used + 2);
	ck_assert_int_eq(ask(&fixture, "SELECT batch FROM cubed.change WHERE lane = -2"), 5);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.lane WHERE lane = -1"), 0);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.lane"), lanes + 2);
	fixture_clock_ahead_ms = 0;
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session), STORE_OK);
	ck_assert_uint_eq(session.history->revision, 20);
	stored_session_free(&session);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* A process takes a lane with its first write. When it ends, it deletes those of its lanes that have no
 * batch; the others stay for processes that have not read them. */
START_TEST(lanes_come_with_writes)
{
	struct store_fixture fixture;
	fixture_init(&fixture, "postgresql");
	fixture_close(&fixture);
	fixture_open(&fixture);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.lane"), 0);
	fixture_session(&fixture, 3, "first");
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.lane"), 1);
	/* A registration whose batch came to nothing; and one of somebody else. */
	free(postgres_fixture_sql(
		fixture.database,
		"INSERT INTO cubed.lane (lane, node) SELECT -1, node FROM cubed.lane;"
		"INSERT INTO cubed.lane (lane, node) VALUES (-2, 'x')"));
	fixture_close(&fixture);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.lane"), 2);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.lane WHERE lane = -1"), 0);
	ck_assert_int_eq(ask(&fixture, "SELECT count(*) FROM cubed.process"), 0);
	fixture_open(&fixture);
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store on PostgreSQL: maintenance");
	TCase *plain = tcase_create("store on PostgreSQL: maintenance");
	tcase_set_timeout(plain, 200);
	tcase_add_test(plain, long_histories);
	tcase_add_test(plain, damage_is_not_answered);
	tcase_add_test(plain, the_index_follows);
	tcase_add_test(plain, what_is_old_is_deleted);
	tcase_add_test(plain, lanes_come_with_writes);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 5);
}
