/* test_store_postgres_changes.c: two stores on one database, as two processes: each hears what the
 * other committed, once, in the order of each history, and when something cannot be reported. */
#include "cube/cube.h"
#include "tests/server/run.h"

#include "server/modules/postgres/store/lane.h"
#include "server/modules/postgres/store/postgres_internal.h"
#include "tests/server/postgres_fixture.h"
#include "tests/server/store_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Another process on the same database. */
static void second_init(struct store_fixture *second, const struct store_fixture *first)
{
	fixture_init(second, "memory");
	fixture_close(second);
	strcpy(second->location, first->location);
	fixture_open(second);
}

#define TERMINATE                                                                                  \
	"SELECT pg_terminate_backend(pid) FROM pg_stat_activity"                                   \
	" WHERE datname = current_database() AND pid <> pg_backend_pid()"

static char *sql(const struct store_fixture *fixture, const char *text)
{
	return postgres_fixture_sql(fixture->database, text);
}

static int count(const struct store_fixture *fixture, const char *text)
{
	char *answer = sql(fixture, text);
	const int number = atoi(answer);
	free(answer);
	return number;
}

/* The reports of one call. */
struct told {
	/* "entries KEY FIRST-LAST;", "meta KEY;", "solves KEY;", "missed;", "reconnected;" */
	char text[2000];
	uint64_t key; /* entries of this session are applied to: */
	struct history *history;
	int64_t before_ms;
};

static void tell(void *context, const struct store_change *change)
{
	struct told *told = context;
	const size_t used = strlen(told->text);
	char *to = told->text + used;
	const size_t room = sizeof(told->text) - used;
	const unsigned long long key = change->key;
	if (change->kind == CHANGE_MISSED)
		snprintf(to, room, "missed;");
	else if (change->kind == CHANGE_RECONNECTED)
		snprintf(to, room, "reconnected;");
	else if (change->kind == CHANGE_META)
		snprintf(to, room, "meta %llu;", key);
	else if (change->kind == CHANGE_SOLVES)
		snprintf(to, room, "solves %llu;", key);
	else
		snprintf(to, room, "entries %llu %u-%u;", key, change->first, change->last);
	if (change->kind != CHANGE_ENTRIES || change->key != told->key)
		return;
	ck_assert_uint_eq(change->first, told->history->revision + 1);
	ck_assert_int_eq(history_replay(told->history, change->entries, change->bytes,
					told->before_ms, UINT32_MAX),
			 ENTRY_END);
	ck_assert_uint_eq(told->history->revision, change->last);
	told->history->id = change->state;
	told->before_ms = told->history->updated_ms;
}

static const char *changes(struct store_fixture *fixture, struct told *told)
{
	told->text[0] = '\0';
	ck_assert_int_eq(fixture->store->operations->changes(fixture->reader, tell, told),
			 STORE_OK);
	return told->text;
}

/* Until the process's own callbacks have returned. */
static void settle(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static struct pending_write *move(struct store_fixture *fixture, uint64_t key,
				  struct random_player *player)
{
	return pending_write_append(fixture, key, 3, random_player_move(player));
}

START_TEST(others_changes_are_reported_once)
{
	struct store_fixture a, b, c;
	struct random_player player;
	struct told told = {.before_ms = 1700000000000}, own = {0};
	char expected[200];
	fixture_init(&a, "postgresql");
	second_init(&b, &a);
	random_player_init(&player, 3, NULL, 1);
	ck_assert_str_eq(changes(&b, &told), "");
	const uint64_t key = fixture_session(&a, 3, "game"), other = fixture_session(&a, 3, "x");
	told.key = key;
	told.history = history_create(player.states[0]);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(fixture_do(&a, move(&a, key, &player)), STORE_OK);
	ck_assert_int_eq(fixture_do(&a, pending_write_of(&a, WRITE_META, other)), STORE_OK);
	changes(&b, &told);
	snprintf(expected, sizeof(expected),
		 "entries %llu 1-1;entries %llu 2-2;entries %llu 3-3;entries %llu 4-4;"
		 "entries %llu 5-5;meta %llu;",
		 (unsigned long long)key, (unsigned long long)key, (unsigned long long)key,
		 (unsigned long long)key, (unsigned long long)key, (unsigned long long)other);
	ck_assert_str_eq(told.text, expected);
	ck_assert(cube_equal(told.history->cube, player.states[5]));
	ck_assert_str_eq(changes(&b, &told), "");
	/* Its own were answered. */
	settle();
	ck_assert_str_eq(changes(&a, &own), "");
	/* Two in turn, by several lanes; a third one sees both, in the order of the history. */
	second_init(&c, &a);
	for (int i = 0; i < 6; i++) {
		struct store_fixture *from = i % 2 ? &b : &a;
		fixture_reload(from, "game");
		struct pending_write *writes[20];
		for (int k = 0; k < 20; k++) {
			writes[k] = move(from, key, &player);
			ck_assert_int_eq(fixture_submit(from, writes[k]), STORE_OK);
		}
		fixture_wait(from);
		for (int k = 0; k < 20; k++) {
			ck_assert_int_eq(writes[k]->write.status, STORE_OK);
			pending_write_free(writes[k]);
		}
	}
	changes(&c, &told);
	ck_assert_ptr_null(strstr(told.text, "missed"));
	ck_assert_uint_eq(told.history->revision, 125);
	ck_assert(cube_equal(told.history->cube, player.states[125]));
	history_destroy(told.history);
	random_player_finish(&player);
	fixture_finish(&c);
	fixture_finish(&b);
	fixture_finish(&a);
}
END_TEST

START_TEST(solves_and_refusals)
{
	struct store_fixture a, b;
	struct random_player player;
	struct told told = {0};
	char expected[200];
	fixture_init(&a, "postgresql");
	const unsigned long long key = fixture_session(&a, 3, "game");
	second_init(&b, &a);
	random_player_init(&player, 3, NULL, 1);
	fixture_reload(&b, "game");
	const struct stored_solve solve = {
		.id = "0123456789", .origin = SOLVE_POSTED, .size = 3, .time_ms = SOLVE_UNTIMED};
	struct stored_solve second = solve;
	second.id[0] = 'x';
	struct pending_write *solves = pending_write_of(&a, WRITE_SOLVES, key);
	solves->write.solves = &solve;
	solves->write.solve_count = 1;
	ck_assert_int_eq(fixture_do(&a, solves), STORE_OK);
	struct pending_write *entry = move(&a, key, &player);
	entry->write.solves = &second;
	entry->write.solve_count = 1;
	ck_assert_int_eq(fixture_do(&a, entry), STORE_OK);
	snprintf(expected, sizeof(expected), "entries %llu 1-1;solves %llu;", key, key);
	ck_assert_str_eq(changes(&b, &told), expected);
	/* Made on a state that is not the newest any more: refused, and nobody hears of it. */
	ck_assert_int_eq(fixture_do(&b, move(&b, key, &player)), STORE_CONFLICT);
	settle();
	ck_assert_str_eq(changes(&a, &told), "");
	ck_assert_str_eq(changes(&b, &told), "");
	/* And so is what was authorized before the description changed. */
	ck_assert_int_eq(fixture_do(&a, pending_write_of(&a, WRITE_META, key)), STORE_OK);
	ck_assert_int_eq(fixture_do(&b, pending_write_of(&b, WRITE_META, key)), STORE_CONFLICT);
	snprintf(expected, sizeof(expected), "meta %llu;", key);
	settle();
	ck_assert_str_eq(changes(&a, &told), "");
	ck_assert_str_eq(changes(&b, &told), expected);
	random_player_finish(&player);
	fixture_finish(&b);
	fixture_finish(&a);
}
END_TEST

/* Rows that are gone, and those of a later version, are changes that nobody knows. */
START_TEST(what_cannot_be_told_is_missed)
{
	struct store_fixture a, b;
	struct told told = {0};
	fixture_init(&a, "postgresql");
	second_init(&b, &a);
	free(sql(&a, "INSERT INTO cubed.lane (lane, node) VALUES (-1, 'x'),"
		     " (-2, 'x'), (-3, 'x');"
		     "INSERT INTO cubed.change (lane, batch, body) VALUES (-1, 1, ''),"
		     " (-1, 2, '\\x01')"));
	ck_assert_str_eq(changes(&b, &told), "");
	free(sql(&a, "INSERT INTO cubed.change (lane, batch, body) VALUES (-2, 2, '\\x01')"));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	ck_assert_str_eq(changes(&b, &told), "");
	free(sql(&a, "INSERT INTO cubed.change (lane, batch, body) VALUES (-2, 3, '\\x63')"));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	free(sql(&a, "INSERT INTO cubed.change (lane, batch, body) VALUES (-2, 4,"
		     " '\\x01020000000000000007'), (-3, 1, '\\x010200000000000000')"));
	ck_assert_str_eq(changes(&b, &told), "missed;"); /* the last one is too short */
	free(sql(&a, "INSERT INTO cubed.change (lane, batch, body, refused) VALUES (-2, 5,"
		     " '\\x0102000000000000000702000000000000000802000000000000000903"
		     "0000000000000009', '{8}')"));
	ck_assert_str_eq(changes(&b, &told), "meta 7;meta 9;solves 9;");
	free(sql(&a, "INSERT INTO cubed.change (lane, batch, body) SELECT -3, n, '\\x01'"
		     " FROM generate_series(2, 6000) n"));
	ck_assert_str_eq(changes(&b, &told), "missed;"); /* too many */
	ck_assert_str_eq(changes(&b, &told), "");
	/* After hours: lanes may be new or deleted. */
	struct postgres_reader *reader = (struct postgres_reader *)b.reader;
	reader->asked_s -= 2 * 60 * 60;
	ck_assert_str_eq(changes(&b, &told), "missed;");
	ck_assert_str_eq(changes(&b, &told), "");
	/* So may a lane that was deleted have, also if a barrier has made a row of its number. */
	const size_t lanes = reader->vector_count;
	free(sql(&a, "DELETE FROM cubed.lane WHERE lane = -3"));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	ck_assert_str_eq(changes(&b, &told), "");
	ck_assert_uint_eq(reader->vector_count, lanes - 1);
	free(sql(&a, "DELETE FROM cubed.lane WHERE lane = -1;"
		     "INSERT INTO cubed.lane (lane) VALUES (-1)"));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	ck_assert_str_eq(changes(&b, &told), "");
	ck_assert_uint_eq(reader->vector_count, lanes - 2);
	free(sql(&a,
		 "INSERT INTO cubed.lane (lane, node) VALUES (-3, 'x'); DELETE FROM cubed.change"
		 " WHERE lane = -3 AND batch < 6000; INSERT INTO cubed.change (lane, batch,"
		 " body) VALUES (-3, 6001, '\\x01')"));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	fixture_finish(&b);
	fixture_finish(&a);
}
END_TEST

/* A process stood still until others deleted its lanes: it takes another one, and what it commits is
 * reported to everybody. */
START_TEST(deleted_lanes)
{
	static const char *const ends[] = {
		"DELETE FROM cubed.lane", /* and then perhaps a barrier, which makes a row again */
		("DELETE FROM cubed.lane;"
		 "INSERT INTO cubed.lane (lane) SELECT DISTINCT lane FROM cubed.change"),
		"UPDATE cubed.lane SET beat = now() - interval '13 hours'",
	};
	struct store_fixture a, b;
	struct random_player player;
	struct told told = {0};
	char expected[100], name[16];
	fixture_init(&a, "postgresql");
	const unsigned long long key = fixture_session(&a, 3, "game");
	random_player_init(&player, 3, NULL, 1);
	for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		ck_assert_int_eq(fixture_do(&a, move(&a, key, &player)), STORE_OK);
		second_init(&b, &a);
		free(sql(&a, ends[i]));
		/* A batch of the old lane; the new one begins with 1 again. */
		struct lane *lane = &((struct postgres_store *)a.store)->lanes[0];
		const int32_t number = atomic_load(&lane->number);
		atomic_store(&lane->denied, 7);
		if (i < 2)
			ck_assert_str_eq(changes(&b, &told), "missed;");
		ck_assert_int_eq(fixture_do(&a, move(&a, key, &player)), STORE_OK);
		if (atomic_load(&lane->number) != number)
			ck_assert_uint_ne(atomic_load(&lane->denied), 7);
		snprintf(expected, sizeof(expected), "entries %llu %u-%u;", key, player.revision,
			 player.revision);
		ck_assert_str_eq(changes(&b, &told), expected);
		snprintf(name, sizeof(name), "new%u", i);
		ck_assert_int_eq(fixture_do(&a, pending_write_create(&a, 3, name)), STORE_OK);
		ck_assert_int_eq(fixture_do(&a, pending_write_of(&a, WRITE_META, key)), STORE_OK);
		snprintf(expected, sizeof(expected), "meta %llu;", key);
		ck_assert_str_eq(changes(&b, &told), expected);
		fixture_finish(&b);
	}
	ck_assert_int_ge(count(&a, "SELECT count(DISTINCT lane) FROM cubed.change"), 4);
	random_player_finish(&player);
	fixture_finish(&a);
}
END_TEST

/* An error that looks as if the lane were gone is tried once more, in another one. */
START_TEST(refused_by_a_constraint)
{
	struct store_fixture a;
	fixture_init(&a, "postgresql");
	free(sql(&a, "SET search_path = cubed; CREATE FUNCTION refuse() RETURNS trigger LANGUAGE"
		     " plpgsql AS 'BEGIN RAISE EXCEPTION not_null_violation; END';"
		     "CREATE TRIGGER refuse BEFORE INSERT ON session EXECUTE FUNCTION refuse()"));
	const int before = count(&a, "SELECT count(*) FROM cubed.lane");
	ck_assert_int_eq(fixture_do(&a, pending_write_create(&a, 3, "one")), STORE_BROKEN);
	ck_assert_int_eq(count(&a, "SELECT count(*) FROM cubed.lane"), before + 2);
	free(sql(&a, "DROP TRIGGER refuse ON cubed.session"));
	a.generation = 1;
	ck_assert_int_eq(fixture_do(&a, pending_write_create(&a, 3, "one")), STORE_OK);
	fixture_finish(&a);
}
END_TEST

/* A server that knows less than one before it has reported has another incarnation. */
START_TEST(history_that_went_back_is_found)
{
	struct store_fixture a, b;
	struct told told = {0};
	char before[INCARNATION_TEXT + 1], after[INCARNATION_TEXT + 1];
	fixture_init(&a, "postgresql");
	second_init(&b, &a);
	free(sql(&a,
		 "INSERT INTO cubed.lane (lane, node) VALUES (-1, 'x'); INSERT INTO cubed.change"
		 " (lane, batch, body) VALUES (-1, 1, '\\x01'), (-1, 2, '\\x01')"));
	ck_assert_str_eq(changes(&b, &told), "");
	b.store->operations->incarnation(b.store, before);
	free(sql(&a, "DELETE FROM cubed.change WHERE lane = -1 AND batch = 2;" TERMINATE));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	b.store->operations->incarnation(b.store, after);
	ck_assert_str_ne(before, after);
	/* The other process had not seen that batch, but learns of it. */
	changes(&a, &told);
	ck_assert_str_eq(told.text, "missed;");
	a.store->operations->incarnation(a.store, before);
	ck_assert_str_eq(before, after);
	/* So has one that does not know a lane that has just committed. */
	free(sql(&a,
		 "INSERT INTO cubed.lane (lane, node) VALUES (-2, 'x'); INSERT INTO cubed.change"
		 " (lane, batch, body) VALUES (-2, 1, '\\x01')"));
	ck_assert_str_eq(changes(&b, &told), "");
	free(sql(&a, "DELETE FROM cubed.change WHERE lane = -2;"
		     "DELETE FROM cubed.lane WHERE lane = -2"));
	((struct postgres_reader *)b.reader)->checked_ns = 0;
	ck_assert_str_eq(changes(&b, &told), "missed;");
	b.store->operations->incarnation(b.store, after);
	ck_assert_str_ne(before, after);
	changes(&a, &told);
	ck_assert_str_eq(changes(&a, &told), "");
	ck_assert_str_eq(changes(&b, &told), "");
	fixture_finish(&b);
	fixture_finish(&a);
}
END_TEST

/* A batch that was shown, by a server that ended, and was not committed after all. */
START_TEST(what_was_shown_may_never_be_committed)
{
	struct store_fixture a, b;
	struct told told = {0};
	char before[INCARNATION_TEXT + 1], after[INCARNATION_TEXT + 1];
	fixture_init(&a, "postgresql");
	second_init(&b, &a);
	b.store->operations->incarnation(b.store, before);
	free(sql(&a,
		 "INSERT INTO cubed.lane (lane, node) VALUES (-1, 'x'); INSERT INTO cubed.change"
		 " (lane, batch, body) VALUES (-1, 1, '\\x01'), (-1, 2, '')"));
	ck_assert_str_eq(changes(&b, &told), "");
	/* One that its process had resolved, and one that was committed. */
	free(sql(&a, TERMINATE));
	ck_assert_str_eq(changes(&b, &told), "reconnected;");
	ck_assert_str_eq(changes(&b, &told), "");
	free(sql(&a, "INSERT INTO cubed.change (lane, batch, body) VALUES (-1, 3, '\\x01')"));
	ck_assert_str_eq(changes(&b, &told), "");
	free(sql(&a, TERMINATE));
	ck_assert_str_eq(changes(&b, &told), "reconnected;");
	b.store->operations->incarnation(b.store, after);
	ck_assert_str_eq(before, after);
	/* The new server does not have the last one; its process has resolved it and gone on. */
	free(sql(&a, "UPDATE cubed.change SET body = '' WHERE lane = -1 AND batch = 3;"
		     "INSERT INTO cubed.change (lane, batch, body) VALUES (-1, 4, '\\x01')"));
	free(sql(&a, TERMINATE));
	ck_assert_str_eq(changes(&b, &told), "missed;");
	b.store->operations->incarnation(b.store, after);
	ck_assert_str_ne(before, after);
	ck_assert_str_eq(changes(&b, &told), "");
	fixture_finish(&b);
	fixture_finish(&a);
}
END_TEST

/* The same Idempotency-Key at two processes: one of the writes is refused, as a whole. */
START_TEST(one_receipt_for_a_key)
{
	struct store_fixture a, b;
	struct random_player player;
	uint8_t answer[5] = "once";
	struct receipt receipt = {
		.key = {1}, .created_ms = fixture_now_ms(), .answer = answer, .answer_bytes = 5};
	struct stored_session session;
	const struct session_id id = fixture_id("two");
	fixture_init(&a, "postgresql");
	const uint64_t one = fixture_session(&a, 3, "one"), two = fixture_session(&a, 3, "two");
	second_init(&b, &a);
	random_player_init(&player, 3, NULL, 1);
	fixture_reload(&b, "two");
	struct pending_write *first = move(&a, one, &player), *second = move(&b, two, &player);
	struct pending_write *beside = pending_write_create(&b, 3, "beside");
	first->write.receipt = second->write.receipt = &receipt;
	ck_assert_int_eq(fixture_do(&a, first), STORE_OK);
	ck_assert_int_eq(fixture_submit(&b, second), STORE_OK);
	ck_assert_int_eq(fixture_submit(&b, beside), STORE_OK);
	fixture_wait(&b);
	ck_assert_int_eq(second->write.status, STORE_CONFLICT);
	ck_assert_int_eq(beside->write.status, STORE_OK);
	pending_write_free(second);
	pending_write_free(beside);
	ck_assert_int_eq(b.store->operations->find(b.reader, &id, &session), STORE_OK);
	ck_assert_uint_eq(session.history->revision, 0);
	stored_session_free(&session);
	random_player_finish(&player);
	fixture_finish(&b);
	fixture_finish(&a);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store on PostgreSQL: changes");
	TCase *plain = tcase_create("store on PostgreSQL: changes");
	tcase_set_timeout(plain, 120);
	tcase_add_test(plain, others_changes_are_reported_once);
	tcase_add_test(plain, solves_and_refusals);
	tcase_add_test(plain, what_cannot_be_told_is_missed);
	tcase_add_test(plain, deleted_lanes);
	tcase_add_test(plain, refused_by_a_constraint);
	tcase_add_test(plain, history_that_went_back_is_found);
	tcase_add_test(plain, what_was_shown_may_never_be_committed);
	tcase_add_test(plain, one_receipt_for_a_key);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 7);
}
