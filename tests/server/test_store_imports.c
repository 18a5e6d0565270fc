/* test_store_imports.c: thousands of solves in one write: all or nothing, also after a crash, and short
 * writes go between. */
#include "tests/server/run.h"

#include "server/store/database.h"
#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/log.h"
#include "tests/server/disk.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOLVES 60000
#define MARKED "SELECT count(*) FROM meta WHERE name = 'staged_first'"
#define ROWS "SELECT count(*) FROM solve"

/* Each with an id of its own. */
static struct stored_solve *make_solves(void)
{
	struct stored_solve *solves = calloc(SOLVES, sizeof *solves);
	ck_assert_ptr_nonnull(solves);
	for (int i = 0; i < SOLVES; i++) {
		solves[i] = (struct stored_solve){.origin = SOLVE_IMPORTED,
						  .size = 3,
						  .created_ms = i,
						  .time_ms = i,
						  .scramble = "R U F2 D' L"};
		memcpy(solves[i].id, &i, sizeof i);
	}
	return solves;
}

/* An import into a book that is there, or with a new one. */
static struct pending_write *make_import(struct store_fixture *fixture, bool fresh, uint64_t book,
					 const struct stored_solve *solves)
{
	struct pending_write *pending = fresh ? pending_write_create(fixture, 3, "fresh")
					      : pending_write_of(fixture, WRITE_SOLVES, book);
	pending->write.solves = solves;
	pending->write.solve_count = SOLVES;
	pending->write.frame = "{}";
	return pending;
}

static bool is_answered(struct store_fixture *fixture, const struct pending_write *pending)
{
	pthread_mutex_lock(&fixture->mutex);
	const bool answered = pending->answered;
	pthread_mutex_unlock(&fixture->mutex);
	return answered;
}

static enum store_status do_one(struct store_fixture *fixture, struct pending_write *pending)
{
	ck_assert_int_eq(fixture_submit(fixture, pending), STORE_OK);
	pthread_mutex_lock(&fixture->mutex);
	while (!pending->answered)
		pthread_cond_wait(&fixture->answered, &fixture->mutex);
	pthread_mutex_unlock(&fixture->mutex);
	const enum store_status status = pending->write.status;
	fixture->generation = pending->write.generation;
	pending_write_free(pending);
	return status;
}

static uint64_t count_solves(struct store_fixture *fixture, uint64_t key)
{
	uint64_t count = 0;
	ck_assert_int_eq(fixture->store->operations->solve_count(fixture->reader, key, &count),
			 STORE_OK);
	return count;
}

struct order {
	int64_t expected;
};

static bool check_order(void *context, const struct stored_solve *solve)
{
	struct order *order = context;
	ck_assert_int_eq(solve->created_ms, order->expected++);
	return true;
}

START_TEST(short_writes_go_between)
{
	struct store_fixture fixture;
	struct random_player player;
	int between = 0;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 1);
	uint64_t other = fixture_session(&fixture, 3, "other"),
		 book = fixture_session(&fixture, 3, "book");
	struct stored_solve *solves = make_solves(), one = {.time_ms = 5, .id = "other"};
	struct pending_write *import = make_import(&fixture, _i == 1, book, solves);
	ck_assert_int_eq(fixture_submit(&fixture, import), STORE_OK);
	while (!is_answered(&fixture, import)) {
		ck_assert_int_eq(do_one(&fixture, disk_move(&fixture, book, &player)), STORE_OK);
		if (is_answered(&fixture, import))
			break;
		between++;
		const uint64_t seen = count_solves(&fixture, _i == 1 ? book + 1 : book);
		ck_assert(seen == 0 || seen >= SOLVES);
		if (between == 2) { /* a solve of another book has its place behind */
			struct pending_write *pending =
				pending_write_of(&fixture, WRITE_SOLVES, other);
			pending->write.solves = &one;
			pending->write.solve_count = 1;
			ck_assert_int_eq(do_one(&fixture, pending), STORE_OK);
		}
	}
	ck_assert_int_eq(import->write.status, STORE_OK);
	const uint64_t key = import->write.meta.key;
	ck_assert_int_ge(between, 3);
	ck_assert_uint_eq(count_solves(&fixture, key), SOLVES);
	struct order order = {0};
	uint64_t next;
	const struct solve_query all = {.session = key,
					.look_at = UINT32_MAX,
					.size = -1,
					.oldest_first = true,
					.since_ms = INT64_MIN,
					.until_ms = INT64_MAX};
	ck_assert_int_eq(
		fixture.store->operations->solves(fixture.reader, &all, check_order, &order, &next),
		STORE_OK);
	ck_assert_int_eq(order.expected, SOLVES);
	ck_assert_int_eq(disk_ask(&fixture, MARKED), 0);
	fixture_check_game(&fixture, "book", book, &player, 7);
	pending_write_free(import);
	free(solves);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

static void count_findings(void *context, const struct session_id *session, const char *what)
{
	(void)session;
	fprintf(stderr, "%s\n", what);
	++*(int *)context;
}

/* Returns the number of solves that verify and export see. */
static uint64_t scan(const struct store_fixture *fixture, const char *suffix)
{
	int findings = 0;
	struct error error = {0};
	struct database_counts counts = {0};
	const struct database_visitor visitor = {.context = &findings, .finding = count_findings};
	struct database *database =
		database_open(fixture_path(fixture, suffix), DATABASE_LIVE, &error);
	ck_assert_msg(database != NULL, "%s", error.text);
	ck_assert_int_eq(database_examine(database, &visitor, &counts), STORE_OK);
	ck_assert_int_eq(database_scan(database, &visitor, &counts), STORE_OK);
	ck_assert_int_eq(findings, 0);
	ck_assert(database_close(database));
	return counts.solves;
}

/* True if it was killed in the middle. */
static bool kill_once(struct store_fixture *fixture, bool fresh, uint64_t book,
		      const struct stored_solve *solves)
{
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		fixture_open(fixture);
		fixture_submit(fixture, make_import(fixture, fresh, book, solves));
		fixture_wait(fixture);
		_exit(EXIT_SUCCESS);
	}
	bool ended = false;
	while (!ended && disk_ask(fixture, MARKED) == 0)
		ended = waitpid(child, NULL, WNOHANG) == child;
	kill(child, SIGKILL);
	ck_assert(ended || waitpid(child, NULL, 0) == child);
	const bool middle = disk_ask(fixture, MARKED) == 1;
	if (middle) {
		ck_assert_int_gt(disk_ask(fixture, ROWS), 0);
		ck_assert_uint_eq(scan(fixture, ""), 0);
	}
	fixture_open(fixture);
	disk_wait_until(fixture, MARKED, 0);
	const int64_t rows = disk_ask(fixture, ROWS);
	ck_assert(rows == (middle ? 0 : SOLVES));
	ck_assert_uint_eq(scan(fixture, ""), (uint64_t)rows);
	fixture_close(fixture);
	return middle;
}

START_TEST(a_crash_in_the_middle_leaves_nothing)
{
	struct store_fixture fixture;
	bool middle = false;
	struct stored_solve *solves = make_solves();
	for (int tries = 0; tries < 5 && !middle; tries++) {
		fixture_init(&fixture, "sqlite");
		uint64_t book = fixture_session(&fixture, 3, "book");
		fixture_close(&fixture);
		middle = kill_once(&fixture, _i == 1, book, solves);
		fixture_finish(&fixture);
	}
	ck_assert(middle);
	free(solves);
}
END_TEST

START_TEST(a_failure_in_the_middle_leaves_nothing)
{
	struct store_fixture fixture;
	struct stored_solve *solves = make_solves();
	fixture_init(&fixture, "sqlite");
	fixture_close(&fixture);
	fixture.bytes_max = 2000000;
	fixture_open(&fixture);
	uint64_t book = fixture_session(&fixture, 3, "fresh");
	const uint64_t generation = fixture.generation;
	ck_assert_int_eq(do_one(&fixture, make_import(&fixture, false, book, solves)), STORE_FULL);
	ck_assert_uint_eq(fixture.generation, generation); /* other writes do not fail with it */
	disk_wait_until(&fixture, MARKED, 0);
	ck_assert_int_eq(disk_ask(&fixture, ROWS), 0);
	ck_assert_uint_eq(count_solves(&fixture, book), 0);
	fixture_session(&fixture, 3, "others go on");
	fixture_close(&fixture);
	fixture.bytes_max = 0;
	fixture_open(&fixture);
	ck_assert_int_eq(do_one(&fixture, make_import(&fixture, true, 0, solves)),
			 STORE_CONFLICT); /* the id is taken */
	disk_wait_until(&fixture, MARKED, 0);
	ck_assert_int_eq(disk_ask(&fixture, ROWS), 0);
	ck_assert_int_eq(do_one(&fixture, make_import(&fixture, false, 77, solves)),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(disk_ask(&fixture, ROWS), 0);
	ck_assert_int_eq(do_one(&fixture, make_import(&fixture, false, book, solves)), STORE_OK);
	ck_assert_uint_eq(count_solves(&fixture, book), SOLVES);
	ck_assert_uint_eq(scan(&fixture, ""), SOLVES);
	free(solves);
	fixture_finish(&fixture);
}
END_TEST

/* ---- step by step, without the store's thread ---- */

struct steps {
	struct store_fixture fixture; /* for its paths and tickets */
	struct sqlite_store *store;
	struct stored_solve *solves;
	uint64_t book, other;
};

static void steps_open(struct steps *steps, const char *suffix)
{
	struct error error = {0};
	const struct store_options options = {.committed = fixture_committed,
					      .context = &steps->fixture,
					      .queue_max = 100,
					      .now_ms = fixture_now_ms};
	steps->store = sqlite_store_open(fixture_path(&steps->fixture, suffix), &options, &error);
	ck_assert_msg(steps->store != NULL, "%s", error.text);
}

static void steps_init(struct steps *steps)
{
	fixture_init(&steps->fixture, "sqlite");
	steps->book = fixture_session(&steps->fixture, 3, "book");
	steps->other = fixture_session(&steps->fixture, 3, "other");
	fixture_close(&steps->fixture);
	steps->solves = make_solves();
	steps_open(steps, "");
}

static void steps_finish(struct steps *steps)
{
	sqlite_store_close(steps->store);
	free(steps->solves);
	fixture_finish(&steps->fixture);
}

/* Is put behind those that wait, and counts as submitted. */
static struct pending_write *steps_import(struct steps *steps, bool fresh)
{
	struct pending_write *pending =
		make_import(&steps->fixture, fresh, steps->book, steps->solves);
	pending->number = steps->fixture.submitted++;
	ck_assert_ptr_null(stage_split(steps->store, &pending->write));
	return pending;
}

static void steps_commit(struct steps *steps, struct pending_write *pending)
{
	ck_assert_int_eq(batch_commit(steps->store, &pending->write), STORE_OK);
	ck_assert_int_eq(pending->write.status, STORE_OK);
	pending_write_free(pending);
}

static void steps_record(struct steps *steps, const char *id)
{
	struct stored_solve one = {.time_ms = 5};
	struct pending_write *pending =
		pending_write_of(&steps->fixture, WRITE_SOLVES, steps->other);
	memcpy(one.id, id, strlen(id));
	pending->write.solves = &one;
	pending->write.solve_count = 1;
	steps_commit(steps, pending);
}

/* Until it is answered and nothing of it is left to do. */
static enum store_status steps_run(struct steps *steps, struct pending_write *pending)
{
	for (int i = 0; i < 1000 && (!pending->answered || steps->store->staged.left); i++)
		stage_step(steps->store);
	ck_assert(pending->answered);
	ck_assert(!steps->store->staged.left);
	const enum store_status status = pending->write.status;
	pending_write_free(pending);
	return status;
}

/* Its solves that are written may not be purged with it: their numbers would be given to others. */
START_TEST(a_session_deleted_in_the_middle)
{
	struct steps steps;
	steps_init(&steps);
	struct pending_write *import = steps_import(&steps, false);
	stage_step(steps.store);
	steps_commit(&steps, pending_write_of(&steps.fixture, WRITE_DELETE, steps.book));
	steps.store->needs_room = true;
	for (int i = 0; i < 20; i++)
		room_make(steps.store);
	steps_record(&steps, "one");
	ck_assert_int_gt(disk_ask(&steps.fixture, ROWS), 1);
	ck_assert_int_eq(steps_run(&steps, import), STORE_NOT_FOUND);
	ck_assert_int_eq(disk_ask(&steps.fixture, ROWS), 1);
	ck_assert_int_eq(disk_ask(&steps.fixture, MARKED), 0);
	room_make(steps.store);
	room_make(steps.store);
	ck_assert(!steps.store->needs_room);
	steps_record(&steps, "two");
	ck_assert_int_eq(disk_ask(&steps.fixture, ROWS), 2);
	ck_assert_uint_eq(scan(&steps.fixture, ""), 2);
	steps_finish(&steps);
}
END_TEST

START_TEST(two_imports_into_one_book)
{
	struct steps steps;
	steps_init(&steps);
	struct pending_write *first = steps_import(&steps, false),
			     *second = steps_import(&steps, false);
	stage_step(steps.store);
	steps_record(&steps, "one");
	while (!first->answered)
		stage_step(steps.store);
	ck_assert(!second->answered);
	ck_assert_uint_eq(scan(&steps.fixture, ""), SOLVES + 1);
	stage_step(steps.store);
	ck_assert_uint_eq(scan(&steps.fixture, ""), SOLVES + 1);
	ck_assert_int_eq(steps_run(&steps, second), STORE_OK);
	ck_assert_int_eq(first->write.status, STORE_OK);
	ck_assert_uint_eq(scan(&steps.fixture, ""), 2 * SOLVES + 1);
	pending_write_free(first);
	steps_finish(&steps);
}
END_TEST

/* Out of memory in a slice, and then while the solves are deleted. */
START_TEST(out_of_memory_in_the_middle)
{
	struct steps steps;
	steps_init(&steps);
	struct pending_write *import = steps_import(&steps, _i == 1);
	stage_step(steps.store);
	sqlite3_hard_heap_limit64(1);
	while (!import->answered)
		stage_step(steps.store);
	stage_step(steps.store);
	sqlite3_hard_heap_limit64(0);
	ck_assert_int_eq(import->write.status, STORE_NO_MEMORY);
	ck_assert(!steps.store->broken);
	ck_assert(steps.store->staged.left);
	ck_assert_int_gt(disk_ask(&steps.fixture, ROWS), 0);
	ck_assert_uint_eq(scan(&steps.fixture, ""), 0);
	steps_record(&steps, "one");
	ck_assert_int_eq(steps_run(&steps, import), STORE_NO_MEMORY);
	ck_assert_int_eq(disk_ask(&steps.fixture, ROWS), 1);
	import = steps_import(&steps, _i == 1);
	ck_assert_int_eq(steps_run(&steps, import), STORE_OK);
	ck_assert_uint_eq(scan(&steps.fixture, ""), SOLVES + 1);
	steps_finish(&steps);
}
END_TEST

/* A copy has nothing of it, and the store itself is the same after a start. */
START_TEST(a_copy_in_the_middle)
{
	struct steps steps;
	struct error error = {0};
	char path[160];
	steps_init(&steps);
	steps_record(&steps, "one");
	struct pending_write *import = steps_import(&steps, _i == 1);
	for (int i = 0; i < 4; i++)
		stage_step(steps.store);
	strcpy(path, fixture_path(&steps.fixture, ".copy"));
	fclose(fopen(path, "w"));
	struct database *database =
		database_open(fixture_path(&steps.fixture, ""), DATABASE_LIVE, &error);
	ck_assert_msg(database != NULL, "%s", error.text);
	ck_assert_msg(database_copy(database, path, &error), "%s", error.text);
	ck_assert(database_close(database));
	sqlite_store_close(steps.store);
	ck_assert_uint_eq(scan(&steps.fixture, ".copy"), 1);
	unlink(path);

	steps.fixture.submitted = steps.fixture.answers = 0;
	fixture_open(&steps.fixture);
	fixture_session(&steps.fixture, 3,
			"goes on"); /* it may get the key that the import had reserved */
	disk_wait_until(&steps.fixture, MARKED, 0);
	ck_assert_int_eq(disk_ask(&steps.fixture, ROWS), 1);
	ck_assert_uint_eq(scan(&steps.fixture, ""), 1);
	pending_write_free(import);
	free(steps.solves);
	fixture_finish(&steps.fixture);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	Suite *suite = suite_create("store_imports");
	TCase *plain = tcase_create("store_imports");
	tcase_set_timeout(plain, 300);
	tcase_add_loop_test(plain, short_writes_go_between, 0, 2);
	tcase_add_loop_test(plain, a_crash_in_the_middle_leaves_nothing, 0, 2);
	tcase_add_test(plain, a_failure_in_the_middle_leaves_nothing);
	tcase_add_test(plain, a_session_deleted_in_the_middle);
	tcase_add_test(plain, two_imports_into_one_book);
	tcase_add_loop_test(plain, out_of_memory_in_the_middle, 0, 2);
	tcase_add_loop_test(plain, a_copy_in_the_middle, 0, 2);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 11);
}
