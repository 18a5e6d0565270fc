/* test_store_solves.c: solves are kept with what brings them, found, paged, changed, and forgotten
 * with their session; answers of solvers are kept by cube and method. */
#include "tests/server/run.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/store/memory.h"
#include "tests/server/disk.h"
#include "tests/server/postgres_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct stored_solve solve_of(const char *id)
{
	struct stored_solve solve = {.origin = SOLVE_POSTED,
				     .size = 3,
				     .created_ms = 1700000000000,
				     .time_ms = SOLVE_UNTIMED};
	memcpy(solve.id, fixture_id(id).bytes, sizeof(solve.id));
	return solve;
}

static enum store_status put(struct store_fixture *fixture, uint64_t key,
			     const struct stored_solve *solves, size_t count, const char *frame)
{
	struct pending_write *pending = pending_write_of(fixture, WRITE_SOLVES, key);
	pending->write.solves = solves;
	pending->write.solve_count = count;
	pending->write.frame = frame;
	return fixture_do(fixture, pending);
}

/* Ids of what was visited, each with a space after it; at most so many. */
struct seen {
	char all[4096];
	int left;
	uint64_t next;
};

static bool see(void *context, const struct stored_solve *solve)
{
	struct seen *seen = context;
	size_t used = strlen(seen->all);
	snprintf(seen->all + used, sizeof(seen->all) - used, "%.10s ", (const char *)solve->id);
	return --seen->left != 0;
}

static struct solve_query any(uint64_t key)
{
	return (struct solve_query){.session = key,
				    .look_at = 1000,
				    .size = -1,
				    .since_ms = INT64_MIN,
				    .until_ms = INT64_MAX};
}

static struct seen *ask(struct store_fixture *fixture, struct solve_query query, int left)
{
	static struct seen seen;
	seen = (struct seen){.left = left};
	ck_assert_int_eq(
		fixture->store->operations->solves(fixture->reader, &query, see, &seen, &seen.next),
		STORE_OK);
	return &seen;
}

/* ---- one solve with everything ---- */

static bool same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

struct expected {
	const struct stored_solve *solve;
	uint64_t key;
	const char *book;
	bool called;
};

static bool check(void *context, const struct stored_solve *solve)
{
	struct expected *expected = context;
	const struct stored_solve *with = expected->solve;
	expected->called = true;
	ck_assert_uint_gt(solve->seq, 0);
	ck_assert_uint_eq(solve->session, expected->key);
	ck_assert_mem_eq(solve->id, with->id, sizeof(solve->id));
	ck_assert_mem_eq(solve->book, fixture_id(expected->book).bytes, sizeof(solve->book));
	ck_assert_int_eq(solve->origin, with->origin);
	ck_assert_int_eq(solve->clock, with->clock);
	ck_assert_int_eq(solve->size, with->size);
	ck_assert_int_eq(solve->verified, with->verified);
	ck_assert_int_eq(solve->assisted, with->assisted);
	ck_assert_uint_eq(solve->revision, with->revision);
	ck_assert_uint_eq(solve->actor, with->actor);
	ck_assert_int_eq(solve->created_ms, with->created_ms);
	ck_assert_int_eq(solve->time_ms, with->time_ms);
	ck_assert_int_eq(solve->penalty_ms, with->penalty_ms);
	ck_assert(same_text(solve->scramble, with->scramble));
	ck_assert(same_text(solve->solution, with->solution));
	ck_assert(same_text(solve->comment, with->comment));
	ck_assert(same_text(solve->list, with->list));
	ck_assert(same_text(solve->source, with->source));
	ck_assert(same_text(solve->list_name, with->list_name));
	ck_assert(same_text(solve->splits, with->splits));
	ck_assert_int_eq(solve->event, with->event);
	ck_assert_uint_eq(solve->base_bytes, with->base_bytes);
	if (with->base != NULL)
		ck_assert_mem_eq(solve->base, with->base, with->base_bytes);
	else
		ck_assert_ptr_null(solve->base);
	return true;
}

static void expect(struct store_fixture *fixture, const struct stored_solve *solve, uint64_t key,
		   const char *book)
{
	struct expected expected = {solve, key, book, false};
	ck_assert_int_eq(
		fixture->store->operations->solve(fixture->reader, solve->id, check, &expected),
		STORE_OK);
	ck_assert(expected.called);
}

START_TEST(all_of_it_is_kept)
{
	struct store_fixture fixture;
	uint8_t base[64];
	struct cube *cube = malloc(cube_bytes(2));
	ck_assert_ptr_nonnull(cube);
	cube_init(cube, 2);
	cube_pack(cube, base);
	free(cube);
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "book");
	struct stored_solve bare = solve_of("bare"), full = solve_of("full");
	full = (struct stored_solve){.origin = SOLVE_IMPORTED,
				     .clock = SOLVE_CLIENT_CLOCK,
				     .size = 2,
				     .verified = true,
				     .assisted = true,
				     .revision = 4000000000,
				     .actor = 7,
				     .created_ms = 1,
				     .time_ms = 0,
				     .penalty_ms = SOLVE_DNF,
				     .base = base,
				     .base_bytes = cube_packed_bytes(2),
				     .scramble = "R",
				     .solution = "",
				     .comment = "\xc3\xa9\n",
				     .list = "session1",
				     .source = "[[-1,0],\"R\",\"\",0]",
				     .event = EVENT_OTHER,
				     .list_name = "\xc3\xa9",
				     .splits = "[{\"name\":null,\"time_ms\":0}]"};
	memcpy(full.id, fixture_id("full").bytes, sizeof(full.id));
	const struct stored_solve both[] = {bare, full};
	ck_assert_int_eq(put(&fixture, key, both, 2, "{\"session1\":[]}"), STORE_OK);
	for (int round = 0; round < 2; round++) {
		char *frame;
		uint64_t count;
		expect(&fixture, &bare, key, "book");
		expect(&fixture, &full, key, "book");
		struct stored_solve none = solve_of("none");
		ck_assert_int_eq(
			fixture.store->operations->solve(fixture.reader, none.id, check, NULL),
			STORE_NOT_FOUND);
		ck_assert_int_eq(fixture.store->operations->frame(fixture.reader, key, &frame),
				 STORE_OK);
		ck_assert_str_eq(frame, "{\"session1\":[]}");
		free(frame);
		ck_assert_int_eq(fixture.store->operations->frame(fixture.reader, key + 1, &frame),
				 STORE_OK);
		ck_assert_ptr_null(frame);
		ck_assert_int_eq(
			fixture.store->operations->solve_count(fixture.reader, key, &count),
			STORE_OK);
		ck_assert_uint_eq(count, 2);
		ck_assert_str_eq(ask(&fixture, any(key), 0)->all, "full bare ");
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
		}
	}
	/* Another frame takes its place; none leaves it. */
	char *frame;
	ck_assert_int_eq(put(&fixture, key, NULL, 0, "{}"), STORE_OK);
	ck_assert_int_eq(put(&fixture, key, NULL, 0, NULL), STORE_OK);
	ck_assert_int_eq(fixture.store->operations->frame(fixture.reader, key, &frame), STORE_OK);
	ck_assert_str_eq(frame, "{}");
	free(frame);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(found_by_what_is_asked)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "book"),
		 other = fixture_session(&fixture, 3, "other");
	struct stored_solve solves[600];
	for (int i = 0; i < 600; i++) {
		char id[12];
		snprintf(id, sizeof(id), "%d", i);
		solves[i] = solve_of(id);
		solves[i].created_ms += i;
		solves[i].size = (uint8_t)(i % 4 == 1 ? 2 : i % 4);
		solves[i].assisted = i % 10 == 0;
		solves[i].penalty_ms = i % 7 == 0 ? SOLVE_DNF : i % 5 == 0 ? 2000 : 0;
		solves[i].event = i % 12 == 6 ? EVENT_333OH : EVENT_USUAL;
		solves[i].list = i % 7 == 0 ? "session7" : NULL;
		solves[i].list_name = i % 10 == 0 ? "home" : NULL;
	}
	for (int i = 0; i < 600; i++) /* interleaved with another book's */
		ck_assert_int_eq(put(&fixture, i % 2 ? other : key, &solves[i], 1, NULL), STORE_OK);
	ck_assert_str_eq(ask(&fixture, any(key), 3)->all, "598 596 594 ");
	struct solve_query query = any(key);
	query.oldest_first = true;
	ck_assert_str_eq(ask(&fixture, query, 3)->all, "0 2 4 ");
	/* Pages meet, whatever ends them. */
	for (int how = 0; how < 4; how++) {
		int total = 0, expected = 598;
		query = any(key);
		query.oldest_first = how % 2;
		query.look_at = how < 2 ? 7 : 1000;
		do {
			struct seen *seen = ask(&fixture, query, how < 2 ? 0 : 31);
			for (char *at = strtok(seen->all, " "); at; at = strtok(NULL, " "), total++)
				ck_assert_int_eq(atoi(at), how % 2 ? 598 - expected + 2 * total
								   : expected - 2 * total);
			query.from = seen->next;
		} while (query.from != 0);
		ck_assert_int_eq(total, 300);
	}
	query = any(key);
	query.since_ms = 1700000000000 + 6;
	query.until_ms = 1700000000000 + 12;
	ck_assert_str_eq(ask(&fixture, query, 0)->all, "10 8 6 ");
	query.size = 0;
	ck_assert_str_eq(ask(&fixture, query, 0)->all, "8 ");
	query.size = 2;
	ck_assert_str_eq(ask(&fixture, query, 0)->all, "10 6 ");
	query.penalty = SOLVE_PENALIZED;
	ck_assert_str_eq(ask(&fixture, query, 0)->all, "10 ");
	query.penalty = SOLVE_CLEAN;
	ck_assert_str_eq(ask(&fixture, query, 0)->all, "6 ");
	query = any(key);
	query.penalty = SOLVE_FAILED;
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "588 574 ");
	query.assisted = SOLVE_ASSISTED;
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "560 490 ");
	query.assisted = SOLVE_UNASSISTED;
	query.penalty = SOLVE_ANY;
	ck_assert_str_eq(ask(&fixture, query, 6)->all, "598 596 594 592 588 586 ");
	query = any(key);
	query.event = EVENT_333OH;
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "594 582 ");
	query.event = EVENT_222;
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "598 590 ");
	query.event = EVENT_OTHER;
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "596 592 ");
	query.event = EVENT_USUAL;
	query.list = "home";
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "590 580 ");
	query.list = "7";
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "588 574 ");
	query.texts = false;
	ck_assert_str_eq(ask(&fixture, query, 2)->all, "588 574 ");
	query.list = "";
	ck_assert_str_eq(ask(&fixture, query, 3)->all, "598 596 594 ");
	ck_assert_str_eq(ask(&fixture, any(other), 1)->all, "599 ");
	fixture_finish(&fixture);
}
END_TEST

struct last {
	uint64_t seq;
};

static bool take_seq(void *context, const struct stored_solve *solve)
{
	((struct last *)context)->seq = solve->seq;
	return true;
}

START_TEST(changed_and_removed)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "book"), count;
	struct stored_solve solves[3] = {solve_of("a"), solve_of("b"), solve_of("c")};
	struct last last;
	solves[1].scramble = "R";
	ck_assert_int_eq(put(&fixture, key, solves, 3, NULL), STORE_OK);
	ck_assert_int_eq(
		fixture.store->operations->solve(fixture.reader, solves[1].id, take_seq, &last),
		STORE_OK);
	solves[1].seq = last.seq;
	solves[1].penalty_ms = 2000;
	solves[1].comment = "why";
	solves[1].solution = "R'@0";
	solves[1].clock = SOLVE_CLIENT_CLOCK;
	solves[1].time_ms = 7;
	solves[1].assisted = true;
	solves[1].event = EVENT_333OH;
	solves[1].list_name = "one hand";
	struct stored_solve with = solves[1];
	with.scramble = "not taken";
	for (int round = 0; round < 2; round++) {
		struct pending_write *change = pending_write_of(&fixture, WRITE_SOLVE_CHANGE, key);
		change->write.solves = &with;
		change->write.solve_count = 1;
		ck_assert_int_eq(fixture_do(&fixture, change), STORE_OK);
		expect(&fixture, &solves[1], key, "book");
		with.penalty_ms = solves[1].penalty_ms = 0;
		with.comment = solves[1].comment = NULL;
		with.assisted = solves[1].assisted = false;
		with.event = solves[1].event = EVENT_USUAL;
		with.list_name = solves[1].list_name = NULL;
		with.list = solves[1].list = "session2";
	}
	struct pending_write *drop = pending_write_of(&fixture, WRITE_SOLVE_DROP, key);
	drop->write.solves = &with;
	drop->write.solve_count = 1;
	ck_assert_int_eq(fixture_do(&fixture, drop), STORE_OK);
	ck_assert_str_eq(ask(&fixture, any(key), 0)->all, "c a ");
	ck_assert_int_eq(fixture.store->operations->solve_count(fixture.reader, key, &count),
			 STORE_OK);
	ck_assert_uint_eq(count, 2);
	for (int kind = WRITE_SOLVE_CHANGE; kind <= WRITE_SOLVE_DROP; kind++) {
		struct pending_write *gone =
			pending_write_of(&fixture, (enum store_write_kind)kind, key);
		gone->write.solves = &with;
		gone->write.solve_count = 1;
		ck_assert_int_eq(fixture_do(&fixture, gone), STORE_NOT_FOUND);
	}
	ck_assert_int_eq(put(&fixture, key + 9, solves, 1, NULL), STORE_NOT_FOUND);
	fixture_finish(&fixture);
}
END_TEST

/* With a session, with an entry; and with neither where that fails. */
START_TEST(together_with_what_brings_them)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, fixture_stores[_i]);
	random_player_init(&player, 3, NULL, 1);
	struct stored_solve first = solve_of("first"), second = solve_of("second");
	struct pending_write *made = pending_write_create(&fixture, 3, "game");
	made->write.solves = &first;
	made->write.solve_count = 1;
	ck_assert_int_eq(fixture_submit(&fixture, made), STORE_OK);
	fixture_wait(&fixture);
	ck_assert_int_eq(made->write.status, STORE_OK);
	uint64_t key = made->write.meta.key;
	pending_write_free(made);
	struct pending_write *entry =
		pending_write_append(&fixture, key, 3, random_player_move(&player));
	second.revision = 1;
	entry->write.solves = &second;
	entry->write.solve_count = 1;
	ck_assert_int_eq(fixture_do(&fixture, entry), STORE_OK);
	ck_assert_str_eq(ask(&fixture, any(key), 0)->all, "second first ");
	if (fixture.persistent) {
		fixture_close(&fixture);
		fixture_open(&fixture);
	} else {
		store_memory_fail_next(fixture.store, STORE_FULL);
		entry = pending_write_append(&fixture, key, 3, random_player_move(&player));
		struct stored_solve third = solve_of("third");
		entry->write.solves = &third;
		entry->write.solve_count = 1;
		ck_assert_int_eq(fixture_do(&fixture, entry), STORE_FULL);
	}
	ck_assert_str_eq(ask(&fixture, any(key), 0)->all, "second first ");
	expect(&fixture, &second, key, "game");
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

static uint32_t assisted(struct store_fixture *fixture, const char *id)
{
	struct stored_session session;
	const struct session_id name = fixture_id(id);
	ck_assert_int_eq(fixture->store->operations->find(fixture->reader, &name, &session),
			 STORE_OK);
	const uint32_t revision = session.meta.assisted;
	stored_session_free(&session);
	return revision;
}

static void assist(struct store_fixture *fixture, uint64_t key, uint32_t revision)
{
	struct pending_write *pending = pending_write_of(fixture, WRITE_ASSISTANCE, key);
	pending->write.revision = revision;
	ck_assert_int_eq(fixture_do(fixture, pending), STORE_OK);
}

/* A session keeps the newest revision of which a solution was given, whatever else changes. */
START_TEST(assistance_is_kept_with_the_session)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t plain = fixture_session(&fixture, 3, "plain"),
		 large = fixture_session(&fixture, 5, "large");
	ck_assert_uint_eq(assisted(&fixture, "plain"), 0);
	assist(&fixture, plain, 0);
	assist(&fixture, large, 7);
	assist(&fixture, large, 3);
	struct pending_write *meta = pending_write_of(&fixture, WRITE_META, large);
	meta->write.meta.access = ACCESS_EDIT;
	ck_assert_int_eq(fixture_do(&fixture, meta), STORE_OK);
	for (int round = 0; round < 2; round++) {
		ck_assert_uint_eq(assisted(&fixture, "plain"), 1);
		ck_assert_uint_eq(assisted(&fixture, "large"), 8);
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
		}
	}
	/* A deleted one does not need it, and one that was never there leaves nothing. */
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, plain)),
			 STORE_OK);
	assist(&fixture, plain, 5);
	ck_assert_uint_eq(assisted(&fixture, "plain"), 1);
	assist(&fixture, large + 9, 1);
	if (_i == FIXTURE_SQLITE)
		ck_assert_int_eq(disk_ask(&fixture,
					  "SELECT count(*) FROM session_more WHERE session NOT"
					  " IN (SELECT key FROM session)"),
				 0);
	fixture_finish(&fixture);
}
END_TEST

static long rows(struct store_fixture *fixture, const char *table)
{
	char sql[80];
	if (fixture->database[0] == '\0') {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
		return disk_ask(fixture, sql);
	}
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM cubed.%s", table);
	char *answer = postgres_fixture_sql(fixture->database, sql);
	const long count = atol(answer);
	free(answer);
	return count;
}

START_TEST(forgotten_with_the_session)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "old");
	struct stored_solve solve = solve_of("a"), kept = solve_of("b");
	ck_assert_int_eq(put(&fixture, key, &solve, 1, "{}"), STORE_OK);
	uint64_t other = fixture_session(&fixture, 3, "new");
	ck_assert_int_eq(put(&fixture, other, &kept, 1, "{}"), STORE_OK);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_OK);
	ck_assert_int_eq(put(&fixture, key, &solve, 1, NULL), STORE_NOT_FOUND);
	fixture_clock_ahead_ms = SESSION_DELETED_KEPT_MS + 1000;
	if (fixture.persistent) {
		fixture_close(&fixture); /* it looks when it opens */
		fixture_open(&fixture);
		for (int i = 0; i < 12000 && rows(&fixture, "session") > 1; i++)
			nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		ck_assert_int_eq(rows(&fixture, "solve"), 1);
		ck_assert_int_eq(rows(&fixture, "solve_frame"), 1);
	} else {
		fixture_session(&fixture, 3, "newer");
	}
	fixture_clock_ahead_ms = 0;
	ck_assert_int_eq(fixture.store->operations->solve(fixture.reader, solve.id, take_seq,
							  &(struct last){0}),
			 STORE_NOT_FOUND);
	ck_assert_str_eq(ask(&fixture, any(other), 0)->all, "b ");
	fixture_finish(&fixture);
}
END_TEST

/* ---- answers ---- */

static bool see_answer(void *context, const struct stored_answer *answer)
{
	struct seen *seen = context;
	size_t used = strlen(seen->all);
	snprintf(seen->all + used, sizeof(seen->all) - used, "%s/%d/%d/%zu ", answer->method,
		 answer->size, answer->colors[cube_facelets(answer->size) - 1], answer->move_bytes);
	return true;
}

START_TEST(answers_are_kept_by_cube_and_method)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint8_t colors[54], moves[] = {1, 2, 3};
	for (size_t i = 0; i < 54; i++)
		colors[i] = (uint8_t)(i / 9);
	const struct stored_answer answers[] = {
		{.canonical = 7,
		 .size = 3,
		 .method = "optimal",
		 .colors = colors,
		 .moves = moves,
		 .move_bytes = 3},
		{.canonical = 7,
		 .size = 2,
		 .method = "optimal",
		 .colors = colors,
		 .moves = moves,
		 .move_bytes = 2},
		{.canonical = 7,
		 .size = 3,
		 .method = "beginner",
		 .colors = colors,
		 .moves = moves,
		 .move_bytes = 1},
		{.canonical = UINT64_MAX, .size = 3, .method = "optimal", .colors = colors},
		{.canonical = 7,
		 .size = 3,
		 .method = "optimal",
		 .colors = colors,
		 .moves = moves,
		 .move_bytes = 1},
	};
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct pending_write *pending = pending_write_of(&fixture, WRITE_ANSWER, 0);
		pending->write.answer = &answers[i];
		ck_assert_int_eq(fixture_do(&fixture, pending), STORE_OK);
	}
	for (int round = 0; round < 2; round++) {
		struct seen seen = {0};
		const struct store_operations *store = fixture.store->operations;
		ck_assert_int_eq(store->answers(fixture.reader, 7, see_answer, &seen), STORE_OK);
		ck_assert_str_eq(seen.all, "optimal/2/2/2 beginner/3/5/1 optimal/3/5/1 ");
		seen = (struct seen){0};
		ck_assert_int_eq(store->answers(fixture.reader, UINT64_MAX, see_answer, &seen),
				 STORE_OK);
		ck_assert_str_eq(seen.all, "optimal/3/5/0 ");
		ck_assert_int_eq(store->answers(fixture.reader, 8, see_answer, &seen), STORE_OK);
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
		}
	}
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store: solves");
	TCase *plain = tcase_create("store: solves");
	tcase_set_timeout(plain, 300);
	tcase_add_loop_test(plain, all_of_it_is_kept, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, found_by_what_is_asked, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, changed_and_removed, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, together_with_what_brings_them, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, assistance_is_kept_with_the_session, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, forgotten_with_the_session, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, answers_are_kept_by_cube_and_method, 0, FIXTURE_STORES);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 7 * FIXTURE_STORES);
}
