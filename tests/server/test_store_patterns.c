/* test_store_patterns.c: patterns of a session's own are kept, replaced, removed, and forgotten
 * with their session. */
#include "tests/server/run.h"

#include "tests/server/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 12
#define LONGEST 70000

static enum store_status put(struct kit *kit, uint64_t key, const char *name, const char *text)
{
	const struct stored_pattern pattern = {.updated_ms = 7, .name = name, .pattern = text};
	struct ticket *ticket = ticket_of(kit, WRITE_PATTERN, key);
	ticket->write.pattern = &pattern;
	return kit_do(kit, ticket);
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

static const char *ask(struct kit *kit, uint64_t key, const char *name, bool texts, int left)
{
	static struct seen seen;
	seen = (struct seen){.left = left};
	ck_assert_int_eq(
		kit->store->operations->patterns(kit->reader, key, name, texts, see, &seen),
		STORE_OK);
	return seen.all;
}

START_TEST(kept_by_name)
{
	struct kit kit;
	kit_init(&kit, kit_stores[_i]);
	uint64_t key = kit_session(&kit, 3, "a"), other = kit_session(&kit, 2, "b");
	ck_assert_str_eq(ask(&kit, key, NULL, true, 0), "");
	ck_assert_int_eq(put(&kit, key, "mine", "{\"a\":1}"), STORE_OK);
	ck_assert_int_eq(put(&kit, key, "her's", "{}"), STORE_OK);
	ck_assert_int_eq(put(&kit, key, "zz", "\"\""), STORE_OK);
	ck_assert_int_eq(put(&kit, other, "mine", "[]"), STORE_OK);
	ck_assert_str_eq(ask(&kit, key, NULL, true, 0), "her's={};mine={\"a\":1};zz=\"\";");
	ck_assert_str_eq(ask(&kit, key, NULL, false, 0), "her's=;mine=;zz=;");
	ck_assert_str_eq(ask(&kit, key, NULL, true, 2), "her's={};mine={\"a\":1};");
	ck_assert_str_eq(ask(&kit, key, "mine", true, 0), "mine={\"a\":1};");
	ck_assert_str_eq(ask(&kit, key, "min", true, 0), "");
	ck_assert_str_eq(ask(&kit, other, NULL, true, 0), "mine=[];");
	ck_assert_int_eq(put(&kit, key, "mine", "{\"b\":2}"), STORE_OK);
	ck_assert_int_eq(put(&kit, key, "zz", NULL), STORE_OK);
	ck_assert_int_eq(put(&kit, key, "nothing", NULL), STORE_OK);
	ck_assert_str_eq(ask(&kit, key, NULL, true, 0), "her's={};mine={\"b\":2};");
	if (_i == KIT_SQLITE) {
		kit_close(&kit);
		kit_open(&kit);
		ck_assert_str_eq(ask(&kit, key, NULL, true, 0), "her's={};mine={\"b\":2};");
	}
	kit_finish(&kit);
}
END_TEST

START_TEST(many_and_long_ones)
{
	struct kit kit;
	char name[16], expected[512] = "", *text = malloc(LONGEST + 1);
	kit_init(&kit, kit_stores[_i]);
	uint64_t key = kit_session(&kit, 3, "a");
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < NAMES; i++) {
			snprintf(name, sizeof(name), "p%02d", i * 7 % NAMES);
			memset(text, 'x', LONGEST);
			text[LONGEST - i] = '\0';
			ck_assert_int_eq(put(&kit, key, name, text), STORE_OK);
		}
	for (int i = 0; i < NAMES; i++)
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			 "p%02d=;", i);
	ck_assert_str_eq(ask(&kit, key, NULL, false, 0), expected);
	free(text);
	kit_finish(&kit);
}
END_TEST

START_TEST(not_of_sessions_that_are_gone)
{
	struct kit kit;
	kit_init(&kit, kit_stores[_i]);
	uint64_t key = kit_session(&kit, 3, "a");
	ck_assert_int_eq(put(&kit, key, "mine", "{}"), STORE_OK);
	ck_assert_int_eq(put(&kit, key + 1, "mine", "{}"), STORE_NOT_FOUND);
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, key)), STORE_OK);
	ck_assert_int_eq(put(&kit, key, "other", "{}"), STORE_NOT_FOUND);
	ck_assert_str_eq(ask(&kit, key + 1, NULL, true, 0), "");
	kit_finish(&kit);
}
END_TEST

/* With the receipt of the request, or not at all; and counted. */
START_TEST(full_is_full)
{
	struct kit kit;
	enum store_status status = STORE_OK;
	char name[16], *text = malloc(LONGEST + 1);
	kit_init(&kit, kit_stores[_i]);
	kit_close(&kit);
	kit.bytes_max = 1000000;
	kit_open(&kit);
	uint64_t key = kit_session(&kit, 3, "a");
	memset(text, 'x', LONGEST);
	text[LONGEST] = '\0';
	int made = 0;
	for (; made < 100 && status == STORE_OK; made++) {
		snprintf(name, sizeof(name), "p%02d", made);
		status = put(&kit, key, name, text);
	}
	ck_assert_int_eq(status, STORE_FULL);
	ck_assert_int_gt(made, 5);
	ck_assert_str_eq(ask(&kit, key, name, false, 0), "");
	ck_assert_str_eq(ask(&kit, key, "p00", false, 0), "p00=;");
	free(text);
	kit_finish(&kit);
}
END_TEST

/* Who owns a session finds it in lists, though nobody else does. */
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
	struct kit kit;
	struct ticket *hidden[2];
	uint64_t key[3], next;
	kit_init(&kit, kit_stores[_i]);
	for (int i = 0; i < 2; i++) {
		hidden[i] = ticket_create(&kit, 3, i ? "one" : "other");
		hidden[i]->write.meta.access = ACCESS_NONE;
		ck_assert_int_eq(kit_submit(&kit, hidden[i]), STORE_OK);
		kit_wait(&kit);
		key[i] = hidden[i]->write.meta.key;
		ticket_free(hidden[i]);
	}
	key[2] = kit_session(&kit, 3, "public");
	for (int i = 0; i < 2; i++) {
		struct listed listed = {.count = 0};
		ck_assert_int_eq(kit.store->operations->list(kit.reader, key[i], UINT64_MAX, 10,
							     list_one, &listed, &next),
				 STORE_OK);
		ck_assert_int_eq(listed.count, 2);
		ck_assert_uint_eq(listed.keys[0], key[2]);
		ck_assert_uint_eq(listed.keys[1], key[i]);
	}
	kit_finish(&kit);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_patterns");
	TCase *plain = tcase_create("store_patterns");
	tcase_set_timeout(plain, 60);
	tcase_add_loop_test(plain, kept_by_name, 0, KIT_STORES);
	tcase_add_loop_test(plain, many_and_long_ones, 0, KIT_STORES);
	tcase_add_loop_test(plain, not_of_sessions_that_are_gone, 0, KIT_STORES);
	tcase_add_loop_test(plain, full_is_full, 0, KIT_STORES);
	tcase_add_loop_test(plain, custom_pattern_sessions_are_listed, 0, KIT_STORES);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 10);
}
