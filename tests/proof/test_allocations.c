/* test_allocations.c: every allocation of a request fails once, SQLite's and the writer thread's too, with
 * the sqlite store on a disk in memory. The request is answered 503 and has changed nothing, or it is
 * answered as ever and is kept; both after a restart too. Linked with --wrap.
 *
 *     test_allocations [EVERY]      only every so-many-th allocation
 */
#include "build/modules.h"
#include "server/api/request/service_state.h"
#include "tests/proof/disk_image.h"
#include "tests/failing/failing.h"
#include "tests/proof/powercut_vfs.h"
#include "tests/server/service_client.h"
#include "tests/server/run.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic long fails_of_sqlite;

/* ---- SQLite's memory ---- */

static sqlite3_mem_methods plain;

static void *sqlite_malloc(int bytes)
{
	bool fail = allocation_fails();
	fails_of_sqlite += fail;
	return fail ? NULL : plain.xMalloc(bytes);
}

static void *sqlite_realloc(void *memory, int bytes)
{
	bool fail = allocation_fails();
	fails_of_sqlite += fail;
	return fail ? NULL : plain.xRealloc(memory, bytes);
}

static void configure_sqlite(void)
{
	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain);
	sqlite3_mem_methods failing = plain;
	failing.xMalloc = sqlite_malloc;
	failing.xRealloc = sqlite_realloc;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); /* small ones are allocations too */
}

/* ---- requests ---- */

/* '~' in the target stands for the session's path, or, where it is not the first, for its id. */
static const struct row {
	const char *method, *target, *body;
	unsigned status; /* when memory suffices */
	bool cold;       /* on a server that has just started */
} rows[] = {
	{"POST", "/v1/sessions", "{\"size\":6,\"scramble\":\"3Rw U\",\"name\":\"n\"}", 201, false},
	{"POST", "~/moves", "{\"moves\":\"[R, U] F2\"}", 200, false},
	{"POST", "~/undo", "{\"count\":2}", 200, false},
	{"POST", "~/scramble", "{\"moves\":\"F R\"}", 200, false},
	{"POST", "~/reset", "{}", 200, false},
	/* It ends a solve, which is recorded with it. */
	{"POST", "~/moves", "{\"moves\":\"U' R' D'\"}", 200, false},
#ifdef MODULE_TIMES
	{"POST", "/v1/solves", "{\"scramble\":\"R\",\"solution\":\"R'@0 x@5\"}", 201, false},
	{"POST", "/v1/solves/import?session=~",
	 "{\"session1\":[[[0,1],\"R\",\"\",9],[[-1,2],\"\",\"c\",9]]}", 201, false},
	{"GET", "/v1/solves?session=~", NULL, 200, true},
	{"GET", "/v1/solves/stats?session=~", NULL, 200, true},
#endif
	{"PATCH", "~", "{\"name\":\"other\",\"access\":\"edit\"}", 200, false},
	{"DELETE", "~", NULL, 204, false},
	{"GET", "~/history", NULL, 200, false},
	{"GET", "~/cube?at=1", NULL, 200, false},
	{"GET", "/v1/sessions", NULL, 200, false},
	{"PUT", "/v1/patterns/mine?session=~", "{\"pattern\":{\"name\":\"f2l\"}}", 201, false},
	{"GET", "/v1/patterns?size=7&session=~", NULL, 200, true},
	{"POST", "/v1/sessions", "{\"size\":2,\"scramble\":true}", 201, false},
	{"POST", "/v1/solve", "{\"cube\":{\"size\":2,\"moves\":\"R U F\"},\"solutions\":2}", 200,
	 false},
	{"GET", "/v1/scramble?size=2&count=2", NULL, 200, false},
	{"GET", "~", NULL, 200, true},
	{"POST", "~/moves", "{\"moves\":\"R\"}", 200, true},
	{"POST", "~/redo", "{}", 200, true},
};

static struct client_response answer, before, after;
static char location[128], database[128], path[64];
static struct service *service;
static int passed, failed;

static void send(struct client_response *to, const struct row *row)
{
	char target[160];
	size_t before_id = strcspn(row->target, "~");
	if (row->target[0] == '~')
		snprintf(target, sizeof(target), "%s%s", path, row->target + 1);
	else if (row->target[before_id] == '~')
		snprintf(target, sizeof(target), "%.*s%s", (int)before_id, row->target,
			 strrchr(path, '/') + 1);
	else
		snprintf(target, sizeof(target), "%s", row->target);
	client_send(service, to, row->method, target, row->body, NULL);
}

static void restart(void)
{
	if (service != NULL)
		client_stop_service(service);
	service = client_start_service(location);
}

static void create(void)
{
	static const char *const moves[] = {"{\"moves\":\"R\"}", "{\"moves\":\"U\"}",
					    "{\"moves\":\"F\"}"};
	char target[96];
	client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":3,\"scramble\":\"D\"}",
		    NULL);
	memcpy(path, answer.location, sizeof(path));
	snprintf(target, sizeof(target), "%s/moves", path);
	for (int i = 0; i < 3; i++)
		client_send(service, &answer, "POST", target, moves[i], NULL);
	snprintf(target, sizeof(target), "%s/undo", path);
	client_send(service, &answer, "POST", target, "{}", NULL);
	ck_assert_uint_eq(answer.status, 200);
}

static void check(bool well, const struct row *row, long k, const char *what)
{
	passed += well;
	if (!well && failed++ < 20)
		printf("FAILED %s %s, allocation %ld: %s: %u %.200s\n", row->method, row->target, k,
		       what, answer.status, answer.body);
}

/* Fails the k-th allocation of a request; false when it had no k-th. */
static bool fail_one(const struct row *row, long k, bool look_twice)
{
	create();
	client_send(service, &before, "GET", path, NULL, NULL);
	if (row->cold)
		restart();
	countdown = k;
	send(&answer, row);
	bool failed_one = countdown == 0;
	countdown = 0;
	bool refused = answer.status == 503;
	check(answer.answers == 1 && (answer.status == row->status || (failed_one && refused)), row,
	      k, "the answer");
	client_send(service, &after, "GET", path, NULL, NULL);
	if (refused) {
		check(strcmp(before.body, after.body) == 0, row, k, "a 503 that changed something");
		if (look_twice) {
			restart();
			client_send(service, &after, "GET", path, NULL, NULL);
			check(strcmp(before.body, after.body) == 0, row, k,
			      "a 503 that changed something on the disk");
		}
		send(&answer, row);
		check(answer.status == row->status, row, k, "and again");
	} else if (look_twice) {
		before = after;
		restart();
		client_send(service, &after, "GET", path, NULL, NULL);
		check(before.status == after.status && strcmp(before.body, after.body) == 0, row, k,
		      "an answer that was not kept");
	}
	return failed_one;
}

static long every = 1;

START_TEST(every_allocation)
{
	long tried = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		long k = 1;
		image_format();
		restart();
		for (; fail_one(&rows[i], k, k % 7 == 1); k += every)
			tried++;
		check(k > 1, &rows[i], k, "no allocation failed");
		client_stop_service(service);
		service = NULL;
	}
	printf("%ld allocations failed, %ld of them SQLite's\n", tried, (long)fails_of_sqlite);
	passed += fails_of_sqlite > 100 / every;
	failed += fails_of_sqlite <= 100 / every;
}
END_TEST

int main(int argc, char **argv)
{
	char folder[] = "/tmp/cubed-proof-XXXXXX";
	static const char *const suffixes[] = {"", "-wal", ".lock", ".reserve"};
	configure_sqlite();
	powercut_install();
	if (mkdtemp(folder) == NULL)
		return EXIT_FAILURE;
	snprintf(location, sizeof(location), "sqlite:%s/cubed.db", folder);
	snprintf(database, sizeof(database), "%s/cubed.db-wal", folder);
	FILE *wal = fopen(database, "w");
	if (wal != NULL)
		fclose(wal);
	if (argc > 1)
		every = strtol(argv[1], NULL, 10);
	Suite *suite = suite_create("allocations");
	TCase *tests = tcase_create("allocations");
	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, every_allocation);
	suite_add_tcase(suite, tests);
	failed += run_suite(suite, 1) != EXIT_SUCCESS;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(database, sizeof(database), "%s/cubed.db%s", folder, suffixes[i]);
		unlink(database);
	}
	rmdir(folder);
	printf("%d passed, %d failed\n", passed, failed);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
