/* test_store_bytes.c: what a write is said to add to a database is about what it adds. */
#include "tests/server/run.h"

#include "tests/server/disk.h"

#include "cube/cube.h"
#include "cube/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file may grow by so many times what was said, and the other way round: pages are not always
 * full, and entries are in the log before they are packed. */
#define TIMES 3
#define SLACK_BYTES 50000

static uint64_t file_bytes(struct store_fixture *fixture)
{
	struct stat about;
	fixture_close(fixture);
	ck_assert_int_eq(stat(fixture_path(fixture, ""), &about), 0);
	fixture_open(fixture);
	return (uint64_t)about.st_size;
}

static uint64_t put(struct store_fixture *fixture, struct pending_write *pending)
{
	const uint64_t bytes = store_write_bytes(&pending->write);
	ck_assert_int_eq(fixture_do(fixture, pending), STORE_OK);
	return bytes;
}

static uint64_t put_receipt(struct store_fixture *fixture, uint64_t key, uint32_t i)
{
	uint8_t answer[1000];
	struct receipt receipt = {
		.created_ms = fixture_now_ms(), .answer = answer, .answer_bytes = sizeof answer};
	struct pending_write *pending = pending_write_of(fixture, WRITE_META, key);
	memset(answer, 0x55, sizeof answer);
	memcpy(receipt.key, &i, sizeof i);
	pending->write.meta.access = ACCESS_VIEW;
	pending->write.receipt = &receipt;
	return put(fixture, pending);
}

static uint64_t put_pattern(struct store_fixture *fixture, uint64_t key, uint32_t i)
{
	char name[16], text[5001];
	const struct stored_pattern pattern = {.updated_ms = 7, .name = name, .pattern = text};
	struct pending_write *pending = pending_write_of(fixture, WRITE_PATTERN, key);
	snprintf(name, sizeof name, "p%u", i);
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	pending->write.pattern = &pattern;
	return put(fixture, pending);
}

static uint64_t put_solve(struct store_fixture *fixture, uint64_t key, uint32_t i)
{
	char comment[1501];
	struct stored_solve solve = {.origin = SOLVE_POSTED,
				     .size = 3,
				     .created_ms = 1,
				     .time_ms = 1000,
				     .scramble = "R U F",
				     .comment = comment};
	struct pending_write *pending = pending_write_of(fixture, WRITE_SOLVES, key);
	memset(comment, 'x', sizeof comment - 1);
	comment[sizeof comment - 1] = '\0';
	memcpy(solve.id, &i, sizeof i);
	pending->write.solves = &solve;
	pending->write.solve_count = 1;
	return put(fixture, pending);
}

static uint64_t put_entry(struct store_fixture *fixture, uint64_t key, int size, size_t turns,
			  uint32_t revision)
{
	struct cube_turn *turn = calloc(turns, sizeof *turn);
	ck_assert_ptr_nonnull(turn);
	for (size_t i = 0; i < turns; i++)
		turn[i] = (struct cube_turn){.face = (uint8_t)(i % 6),
					     .from = (uint8_t)(size > 3 ? 2 : 1),
					     .to = (uint8_t)(size > 3 ? 2 : 1),
					     .quarters = 1};
	const struct entry entry = {.time_ms = fixture_now_ms(),
				    .revision = revision,
				    .restores = HISTORY_NONE,
				    .kind = ENTRY_MOVES,
				    .has_turns = true,
				    .turn_count = turns,
				    .turns = turn};
	const uint64_t bytes = put(fixture, pending_write_append(fixture, key, size, &entry));
	free(turn);
	return bytes;
}

static uint64_t put_small_entry(struct store_fixture *fixture, uint64_t key, uint32_t i)
{
	return put_entry(fixture, key, 3, 1000, i + 1);
}

static uint64_t put_large_entry(struct store_fixture *fixture, uint64_t key, uint32_t i)
{
	return put_entry(fixture, key, 40, 3000, i + 1);
}

static uint64_t put_session(struct store_fixture *fixture, uint64_t key, uint32_t i)
{
	char name[16];
	struct cube *base = malloc(cube_bytes(60));
	ck_assert_ptr_nonnull(base);
	(void)key;
	cube_init(base, 60);
	snprintf(name, sizeof name, "s%u", i);
	struct pending_write *pending = pending_write_create(fixture, 60, name);
	pending->write.base = base;
	const uint64_t bytes = put(fixture, pending);
	free(base);
	return bytes;
}

static const struct row {
	const char *name;
	int size;
	uint32_t count;
	uint64_t (*put)(struct store_fixture *fixture, uint64_t key, uint32_t i);
} rows[] = {
	{"receipts", 3, 400, put_receipt},
	{"patterns", 3, 80, put_pattern},
	{"solves", 3, 300, put_solve},
	{"entries of 3x3x3", 3, 700, put_small_entry},
	{"entries of 40x40x40", 40, 50, put_large_entry},
	{"sessions", 3, 20, put_session},
};

START_TEST(about_what_is_added)
{
	const struct row *row = &rows[_i];
	struct store_fixture fixture;
	uint64_t said = 0;
	fixture_init(&fixture, fixture_stores[FIXTURE_SQLITE]);
	const uint64_t key = fixture_session(&fixture, row->size, "a"),
		       before = file_bytes(&fixture);
	for (uint32_t i = 0; i < row->count; i++)
		said += row->put(&fixture, key, i);
	const uint64_t grown = file_bytes(&fixture) - before;
	ck_assert_msg(grown <= said * TIMES + SLACK_BYTES && said <= grown * TIMES + SLACK_BYTES,
		      "%s: %llu bytes, said to be %llu", row->name, (unsigned long long)grown,
		      (unsigned long long)said);
	ck_assert_uint_gt(said, 6 * SLACK_BYTES);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(what_removes_adds_nothing)
{
	const struct stored_token token = {.number = 1, .revoked_ms = 7}, good = {.number = 1};
	const struct stored_pattern gone = {.name = "a"};
	const struct receipt receipt = {.answer_bytes = 100};
	struct store_write write = {.kind = WRITE_DELETE, .receipt = &receipt};
	ck_assert_uint_eq(store_write_bytes(&write), 0);
	write.kind = WRITE_SOLVE_DROP;
	ck_assert_uint_eq(store_write_bytes(&write), 0);
	write.kind = WRITE_PATTERN;
	write.pattern = &gone;
	ck_assert_uint_eq(store_write_bytes(&write), 0);
	write.kind = WRITE_TOKEN;
	write.token = &token;
	ck_assert_uint_eq(store_write_bytes(&write), 0);
	write.token = &good;
	ck_assert_uint_gt(store_write_bytes(&write), 200);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_bytes");
	TCase *tests = tcase_create("store_bytes");
	const int count = (int)(sizeof rows / sizeof rows[0]);
	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, about_what_is_added, 0, count);
	tcase_add_test(tests, what_removes_adds_nothing);
	suite_add_tcase(suite, tests);
	return run_suite(suite, count + 1);
}
