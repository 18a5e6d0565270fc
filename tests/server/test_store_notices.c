/* test_store_notices.c: what stores of one database share beside sessions: a secret, and notices. */
#include "tests/server/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/memory.h"
#include "tests/server/postgres_fixture.h"
#include "tests/server/store_fixture.h"

/* A database that several processes use. */
struct place {
	char location[256];
	char database[POSTGRES_NAME_MAX]; /* "": in memory */
};

/* `kind` 0: in memory; 1: PostgreSQL. */
static struct place place_make(int kind, const char *name)
{
	struct place place = {.database = ""};
	snprintf(place.location, sizeof place.location, "memory:%s", name);
	if (kind == 1) {
		postgres_fixture_create(place.database);
		strcpy(place.location, "postgresql:");
		postgres_fixture_conninfo(place.database, place.location + 11,
					  sizeof place.location - 11);
	}
	return place;
}

static void place_drop(struct place *place)
{
	if (place->database[0] != '\0')
		postgres_fixture_drop(place->database);
}

/* A process. */
struct node {
	struct store *store;
	struct store_reader *reader;
};

static void committed(void *context, struct store_write *batch)
{
	(void)context;
	(void)batch;
}

static struct node node_start(const char *location)
{
	const struct store_options options = {
		.committed = committed, .queue_max = 10, .now_ms = fixture_now_ms};
	struct error error = {0};
	struct node node = {.store = store_open(location, &options, &error)};
	ck_assert_msg(node.store != NULL, "%s", error.text);
	node.reader = node.store->operations->reader_create(node.store);
	ck_assert_ptr_nonnull(node.reader);
	return node;
}

static void node_stop(struct node *node)
{
	node->store->operations->reader_destroy(node->reader);
	node->store->operations->close(node->store);
}

/* A notice of that subject, posted by the node; NULL takes it away. */
static void post(struct node *node, char subject, const char *text)
{
	const struct store_notice notice = {.subject = {(uint8_t)subject},
					    .bytes = (const uint8_t *)text,
					    .length = text ? strlen(text) : 0};
	ck_assert_int_eq(node->store->operations->post(node->reader, &notice, 1), STORE_OK);
}

static void hear(void *context, const struct store_notice *notice)
{
	char *all = context;
	size_t used = strlen(all);
	snprintf(all + used, 100 - used, "%c=%.*s%s;", notice->subject[0], (int)notice->length,
		 (const char *)notice->bytes, notice->stopped ? "!" : "");
}

/* Returns the notices of others about the letters. */
static const char *heard(struct node *node, const char *letters)
{
	static char all[100];
	uint8_t subjects[4][NOTICE_SUBJECT_BYTES] = {{0}};
	const size_t count = strlen(letters);
	for (size_t i = 0; i < count; i++)
		subjects[i][0] = (uint8_t)letters[i];
	all[0] = '\0';
	ck_assert_int_eq(node->store->operations->notices(
				 node->reader, (const uint8_t(*)[NOTICE_SUBJECT_BYTES])subjects,
				 count, hear, all),
			 STORE_OK);
	return all;
}

START_TEST(others_hear_what_is_posted)
{
	struct place place = place_make(_i, "notices");
	struct node a = node_start(place.location), b = node_start(place.location);
	ck_assert_str_eq(heard(&b, "x"), "");
	post(&a, 'x', "1");
	post(&a, 'y', "2");
	ck_assert_str_eq(heard(&b, "x"), "x=1;");
	ck_assert_str_eq(heard(&b, "y"), "y=2;");
	ck_assert_str_eq(heard(&b, "z"), "");
	ck_assert_str_eq(heard(&b, ""), "");
	ck_assert_str_eq(heard(&a, "xy"), ""); /* its own */
	post(&b, 'x', "3");
	post(&a, 'x', "one");
	ck_assert_str_eq(heard(&a, "zx"), "x=3;");
	ck_assert_str_eq(heard(&b, "x"), "x=one;");
	post(&a, 'x', NULL);
	post(&a, 'z', NULL);
	ck_assert_str_eq(heard(&b, "x"), "");
	ck_assert_str_eq(heard(&a, "x"), "x=3;");
	node_stop(&b);
	node_stop(&a);
	place_drop(&place);
}
END_TEST

START_TEST(a_silent_process_counts_as_stopped)
{
	struct node a = node_start("memory:notices"), b = node_start("memory:notices");
	post(&a, 'x', "1");
	store_memory_silent(a.reader, NOTICE_ALIVE_MS / 2);
	ck_assert_str_eq(heard(&b, "x"), "x=1;");
	store_memory_silent(a.reader, NOTICE_ALIVE_MS);
	ck_assert_str_eq(heard(&b, "x"), "x=1!;");
	ck_assert_int_eq(a.store->operations->post(a.reader, NULL, 0), STORE_OK);
	ck_assert_str_eq(heard(&b, "x"), "x=1;");
	store_memory_silent(a.reader, NOTICE_KEPT_MS + 1);
	post(&b, 'y', "2");
	ck_assert_str_eq(heard(&b, "x"), "");
	node_stop(&b);
	node_stop(&a);
}
END_TEST

START_TEST(a_process_whose_beat_is_old_counts_as_stopped)
{
	struct place place = place_make(1, "");
	struct node a = node_start(place.location), b = node_start(place.location);
	post(&a, 'x', "1");
	free(postgres_fixture_sql(place.database,
				  "UPDATE cubed.process SET beat = beat - interval '11 s'"));
	ck_assert_str_eq(heard(&b, "x"), "x=1!;");
	ck_assert_int_eq(a.store->operations->post(a.reader, NULL, 0), STORE_OK);
	ck_assert_str_eq(heard(&b, "x"), "x=1;");
	node_stop(&b);
	node_stop(&a);
	place_drop(&place);
}
END_TEST

static void read_secret(struct node *node, uint8_t secret[HASH_BYTES])
{
	ck_assert_int_eq(node->store->operations->secret(node->reader, secret), STORE_OK);
}

START_TEST(processes_of_a_database_share_a_secret)
{
	struct place place = place_make(_i, "notices"), another = place_make(_i, "others");
	struct node a = node_start(place.location), b = node_start(place.location),
		    other = node_start(another.location);
	uint8_t secrets[3][HASH_BYTES];
	read_secret(&a, secrets[0]);
	read_secret(&b, secrets[1]);
	read_secret(&other, secrets[2]);
	ck_assert_mem_eq(secrets[0], secrets[1], HASH_BYTES);
	ck_assert_mem_ne(secrets[0], secrets[2], HASH_BYTES);
	node_stop(&other);
	node_stop(&b);
	node_stop(&a);
	place_drop(&another);
	place_drop(&place);
}
END_TEST

START_TEST(a_store_of_one_process_has_none_of_it)
{
	struct node alone = node_start("memory:");
	ck_assert(!alone.store->operations->secret && !alone.store->operations->post &&
		  !alone.store->operations->notices);
	node_stop(&alone);
}
END_TEST

int main(void)
{
	fixture_add_kinds();
	Suite *suite = suite_create("notices of stores");
	TCase *test_case = tcase_create("notices");
	tcase_add_loop_test(test_case, others_hear_what_is_posted, 0, 2);
	tcase_add_test(test_case, a_silent_process_counts_as_stopped);
	tcase_add_loop_test(test_case, processes_of_a_database_share_a_secret, 0, 2);
	tcase_add_test(test_case, a_store_of_one_process_has_none_of_it);
	suite_add_tcase(suite, test_case);
	tcase_add_test(test_case, a_process_whose_beat_is_old_counts_as_stopped);
	return run_suite(suite, 7);
}
