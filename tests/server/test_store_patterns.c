/* test_store_patterns.c: patterns of a session's own are kept, replaced, removed, and forgotten
 * with their session. */
#include "tests/server/run.h"

#include "tests/server/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 12
#define LONGEST 70000

static enum store_status put(struct store_fixture *fixture, uint64_t key, const char *name,
			     const char *text)
{
	const struct stored_pattern pattern = {.updated_ms = 7, .name = name, .pattern = text};
	struct pending_write *pending = pending_write_of(fixture, WRITE_PATTERN, key);
	pending->write.pattern = &pattern;
	return fixture_do(fixture, pending);
}

/* All that were visited, as "name=text;"; only so many. */
struct seen {
	char all[4096];
	int left;
};

static bool see(void *context, const struct stored_pattern *pattern)
{
	struct seen *seen = context;
	size_t used = strlen(seen->all);
	ck_assert_int_eq(pattern->updated_ms, 7);
	ck_assert_uint_eq(pattern->token, 0);
	snprintf(seen->all + used, sizeof(seen->all) - used, "%s=%s;", pattern->name,
		 pattern->pattern ? pattern->pattern : "");
	return --seen->left != 0;
}

static const char *ask(struct store_fixture *fixture, uint64_t key, const char *name, bool texts,
		       int left)
{
	static struct seen seen;
	seen = (struct seen){.left = left};
	ck_assert_int_eq(
		fixture->store->operations->patterns(fixture->reader, key, name, texts, see, &seen),
		STORE_OK);
	return seen.all;
}

START_TEST(kept_by_name)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "a"), other = fixture_session(&fixture, 2, "b");
	ck_assert_str_eq(ask(&fixture, key, NULL, true, 0), "");
	ck_assert_int_eq(put(&fixture, key, "mine", "{\"a\":1}"), STORE_OK);
	ck_assert_int_eq(put(&fixture, key, "her's", "{}"), STORE_OK);
	ck_assert_int_eq(put(&fixture, key, "zz", "\"\""), STORE_OK);
	ck_assert_int_eq(put(&fixture, other, "mine", "[]"), STORE_OK);
	ck_assert_str_eq(ask(&fixture, key, NULL, true, 0), "her's={};mine={\"a\":1};zz=\"\";");
	ck_assert_str_eq(ask(&fixture, key, NULL, false, 0), "her's=;mine=;zz=;");
	ck_assert_str_eq(ask(&fixture, key, NULL, true, 2), "her's={};mine={\"a\":1};");
	ck_assert_str_eq(ask(&fixture, key, "mine", true, 0), "mine={\"a\":1};");
	ck_assert_str_eq(ask(&fixture, key, "min", true, 0), "");
	ck_assert_str_eq(ask(&fixture, other, NULL, true, 0), "mine=[];");
	ck_assert_int_eq(put(&fixture, key, "mine", "{\"b\":2}"), STORE_OK);
	ck_assert_int_eq(put(&fixture, key, "zz", NULL), STORE_OK);
	ck_assert_int_eq(put(&fixture, key, "nothing", NULL), STORE_OK);
	ck_assert_str_eq(ask(&fixture, key, NULL, true, 0), "her's={};mine={\"b\":2};");
	if (fixture.persistent) {
		fixture_close(&fixture);
		fixture_open(&fixture);
		ck_assert_str_eq(ask(&fixture, key, NULL, true, 0), "her's={};mine={\"b\":2};");
	}
	fixture_finish(&fixture);
}
END_TEST

START_TEST(many_and_long_ones)
{
	struct store_fixture fixture;
	char name[16], expected[512] = "", *text = malloc(LONGEST + 1);
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "a");
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < NAMES; i++) {
			snprintf(name, sizeof(name), "p%02d", i * 7 % NAMES);
			memset(text, 'x', LONGEST);
			text[LONGEST - i] = '\0';
			ck_assert_int_eq(put(&fixture, key, name, text), STORE_OK);
		}
	for (int i = 0; i < NAMES; i++)
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			 "p%02d=;", i);
	ck_assert_str_eq(ask(&fixture, key, NULL, false, 0), expected);
	free(text);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(not_of_sessions_that_are_gone)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "a");
	ck_assert_int_eq(put(&fixture, key, "mine", "{}"), STORE_OK);
	ck_assert_int_eq(put(&fixture, key + 1, "mine", "{}"), STORE_NOT_FOUND);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_OK);
	ck_assert_int_eq(put(&fixture, key, "other", "{}"), STORE_NOT_FOUND);
	ck_assert_str_eq(ask(&fixture, key + 1, NULL, true, 0), "");
	fixture_finish(&fixture);
}
END_TEST

/* With the receipt of the request, or not at all; and counted. */
START_TEST(full_is_full)
{
	struct store_fixture fixture;
	enum store_status status = STORE_OK;
	char name[16], *text = malloc(LONGEST + 1);
	fixture_init(&fixture, fixture_stores[_i]);
	fixture_close(&fixture);
	fixture.bytes_max = 1000000;
	fixture_open(&fixture);
	uint64_t key = fixture_session(&fixture, 3, "a");
	memset(text, 'x', LONGEST);
	text[LONGEST] = '\0';
	int made = 0;
	for (; made < 100 && status == STORE_OK; made++) {
		snprintf(name, sizeof(name), "p%02d", made);
		status = put(&fixture, key, name, text);
	}
	ck_assert_int_eq(status, STORE_FULL);
	ck_assert_int_gt(made, 5);
	ck_assert_str_eq(ask(&fixture, key, name, false, 0), "");
	ck_assert_str_eq(ask(&fixture, key, "p00", false, 0), "p00=;");
	free(text);
	fixture_finish(&fixture);
}
END_TEST

/* The sessions in a list: an owner finds a hidden one, though nobody else does. */
struct listed {
	uint64_t keys[4];
	int count;
};

static bool list_one(void *context, struct stored_session *session)
{
	struct listed *listed = context;
	listed->keys[listed->count++] = session->meta.key;
	return listed->count < 4;
}

START_TEST(custom_pattern_sessions_are_listed)
{
	struct store_fixture fixture;
	struct pending_write *hidden[2];
	uint64_t key[3], next;
	fixture_init(&fixture, fixture_stores[_i]);
	for (int i = 0; i < 2; i++) {
		hidden[i] = pending_write_create(&fixture, 3, i ? "one" : "other");
		hidden[i]->write.meta.access = ACCESS_NONE;
		hidden[i]->write.meta.listed = false;
		ck_assert_int_eq(fixture_submit(&fixture, hidden[i]), STORE_OK);
		fixture_wait(&fixture);
		key[i] = hidden[i]->write.meta.key;
		pending_write_free(hidden[i]);
	}
	key[2] = fixture_session(&fixture, 3, "public");
	for (int i = 0; i < 2; i++) {
		struct listed listed = {.count = 0};
		ck_assert_int_eq(fixture.store->operations->list(fixture.reader, key[i], UINT64_MAX,
								 10, list_one, &listed, &next),
				 STORE_OK);
		ck_assert_int_eq(listed.count, 2);
		ck_assert_uint_eq(listed.keys[0], key[2]);
		ck_assert_uint_eq(listed.keys[1], key[i]);
	}
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_patterns");
	TCase *plain = tcase_create("store_patterns");
	tcase_set_timeout(plain, 60);
	tcase_add_loop_test(plain, kept_by_name, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, many_and_long_ones, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, not_of_sessions_that_are_gone, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, full_is_full, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, custom_pattern_sessions_are_listed, 0, FIXTURE_STORES);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 10);
}
