/* test_libpq.c: each call of libpq by a lane or a reader fails once, also while it connects again, and
 * so does each allocation of theirs: each write is answered once, and stored once if it was answered
 * so; what others did is reported; nothing crashes or leaks. Linked with --wrap for allocations.
 *
 *     test_libpq [STEP]     only each STEP-th call
 *
 * A write that is refused for want of memory is sent again, as a client would. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "server/modules/postgres/store/connection.h"
#include "server/modules/postgres/store/copy_rows.h"
#include "server/modules/postgres/store/libpq.h"
#include "tests/failing/failing.h"
#include "tests/server/postgres_fixture.h"
#include "tests/server/run.h"
#include "tests/server/store_fixture.h"

#define BATCH 3
#define CALLS_MAX 3000

/* The ways in which a call fails. */
enum fault {
	NOTHING,
	NO_CONNECTION,
	BAD_STATUS,
	BLOCKING,
	NOT_SENT,
	NOT_PREPARED,
	NO_PIPELINE,
	NO_END_OF_PIPELINE,
	NO_SYNC,
	SYNC_FAILS_BUT_IS_SENT,
	NOT_FLUSHED,
	NO_INPUT,
	NO_RESULT,
	BAD_RESULT,
	ONE_RESULT_MORE,
	NO_SOCKET,
	NO_MEMORY,
	FAULT_COUNT
};
static const char *const fault_names[] = {
	[NOTHING] = "NOTHING",
	[NO_CONNECTION] = "NO_CONNECTION",
	[BAD_STATUS] = "BAD_STATUS",
	[BLOCKING] = "BLOCKING",
	[NOT_SENT] = "NOT_SENT",
	[NOT_PREPARED] = "NOT_PREPARED",
	[NO_PIPELINE] = "NO_PIPELINE",
	[NO_END_OF_PIPELINE] = "NO_END_OF_PIPELINE",
	[NO_SYNC] = "NO_SYNC",
	[SYNC_FAILS_BUT_IS_SENT] = "SYNC_FAILS_BUT_IS_SENT",
	[NOT_FLUSHED] = "NOT_FLUSHED",
	[NO_INPUT] = "NO_INPUT",
	[NO_RESULT] = "NO_RESULT",
	[BAD_RESULT] = "BAD_RESULT",
	[ONE_RESULT_MORE] = "ONE_RESULT_MORE",
	[NO_SOCKET] = "NO_SOCKET",
	[NO_MEMORY] = "NO_MEMORY",
};

static long step = 5;
static struct libpq real;
static _Atomic(enum fault) planned;
static _Atomic long left;       /* calls until it fails; 0: it has */
static _Atomic bool break_once; /* before that, an answer of the lane's is lost */
static _Atomic bool any_thread;
static _Atomic bool seems_unsent; /* PQflush() answers that some rows are left, and sends them */
static _Atomic pthread_t lane_thread;
static pthread_t main_thread;
static _Atomic int finished; /* connections */

static bool is_lane(void)
{
	return pthread_equal(pthread_self(), lane_thread);
}

static bool is_due(enum fault fault)
{
	if (planned != fault || break_once ||
	    !(any_thread || is_lane() || pthread_equal(pthread_self(), main_thread)))
		return false;
	long now = left;
	while (now > 0)
		if (atomic_compare_exchange_weak(&left, &now, now - 1))
			return now == 1;
	return false;
}

/* ---- libpq, with faults ---- */

static PGconn *connect_params(const char *const *names, const char *const *values, int expand)
{
	return is_due(NO_CONNECTION) ? NULL : real.PQconnectdbParams(names, values, expand);
}

static ConnStatusType status(const PGconn *c)
{
	return is_due(BAD_STATUS) ? CONNECTION_BAD : real.PQstatus(c);
}

static int set_nonblocking(PGconn *c, int on)
{
	return is_due(BLOCKING) ? -1 : real.PQsetnonblocking(c, on);
}

static int send_query(PGconn *c, const char *sql)
{
	return is_due(NOT_SENT) ? 0 : real.PQsendQuery(c, sql);
}

static int send_params(PGconn *c, const char *sql, int count, const Oid *types,
		       const char *const *values, const int *lengths, const int *formats,
		       int binary)
{
	return is_due(NOT_SENT) ? 0
				: real.PQsendQueryParams(c, sql, count, types, values, lengths,
							 formats, binary);
}

static int send_prepared(PGconn *c, const char *name, int count, const char *const *values,
			 const int *lengths, const int *formats, int binary)
{
	return is_due(NOT_SENT)
		       ? 0
		       : real.PQsendQueryPrepared(c, name, count, values, lengths, formats, binary);
}

static int send_prepare(PGconn *c, const char *name, const char *sql, int count, const Oid *types)
{
	return is_due(NOT_PREPARED) ? 0 : real.PQsendPrepare(c, name, sql, count, types);
}

static int enter_pipeline(PGconn *c)
{
	return is_due(NO_PIPELINE) ? 0 : real.PQenterPipelineMode(c);
}

static int exit_pipeline(PGconn *c)
{
	return is_due(NO_END_OF_PIPELINE) ? 0 : real.PQexitPipelineMode(c);
}

static int pipeline_sync(PGconn *c)
{
	if (is_due(NO_SYNC))
		return 0;
	const int done = real.PQpipelineSync(c);
	if (!is_due(SYNC_FAILS_BUT_IS_SENT))
		return done;
	real.PQflush(c);
	return 0;
}

static int put_copy_data(PGconn *c, const char *bytes, int length)
{
	const int put = real.PQputCopyData(c, bytes, length);
	seems_unsent = true;
	return put;
}

static int flush(PGconn *c)
{
	if (atomic_exchange(&seems_unsent, false)) {
		real.PQflush(c);
		return 1;
	}
	return is_due(NOT_FLUSHED) ? -1 : real.PQflush(c);
}

static int consume_input(PGconn *c)
{
	if (is_lane() && atomic_exchange(&break_once, false))
		return 0;
	return is_due(NO_INPUT) ? 0 : real.PQconsumeInput(c);
}

static PGresult *get_result(PGconn *c)
{
	PGresult *result = real.PQgetResult(c);
	if (result == NULL || !is_due(NO_RESULT))
		return result;
	real.PQclear(result);
	return NULL;
}

static ExecStatusType result_status(const PGresult *result)
{
	const ExecStatusType is = real.PQresultStatus(result);
	if (is == PGRES_PIPELINE_SYNC && is_due(ONE_RESULT_MORE))
		return PGRES_COMMAND_OK;
	return is_due(BAD_RESULT) ? PGRES_FATAL_ERROR : is;
}

static int socket_of(const PGconn *c)
{
	return is_due(NO_SOCKET) ? -1 : real.PQsocket(c);
}

static void finish(PGconn *c)
{
	if (is_lane())
		finished++;
	real.PQfinish(c);
}

static void replace_libpq(void)
{
	struct error error;
	ck_assert(libpq_load(&error));
	if (real.PQfinish != NULL)
		return;
	real = pq;
	pq.PQconnectdbParams = connect_params;
	pq.PQstatus = status;
	pq.PQsetnonblocking = set_nonblocking;
	pq.PQsendQuery = send_query;
	pq.PQsendQueryParams = send_params;
	pq.PQsendQueryPrepared = send_prepared;
	pq.PQsendPrepare = send_prepare;
	pq.PQenterPipelineMode = enter_pipeline;
	pq.PQexitPipelineMode = exit_pipeline;
	pq.PQpipelineSync = pipeline_sync;
	pq.PQputCopyData = put_copy_data;
	pq.PQflush = flush;
	pq.PQconsumeInput = consume_input;
	pq.PQgetResult = get_result;
	pq.PQresultStatus = result_status;
	pq.PQsocket = socket_of;
	pq.PQfinish = finish;
}

/* From now on the call-th call fails so, once; NO_MEMORY: the allocation. */
static void plan(enum fault fault, long call, bool broken)
{
	left = 0;
	break_once = broken;
	planned = fault;
	if (fault == NO_MEMORY)
		countdown = call;
	else
		left = call;
}

/* Cancels the planned fault. Returns true if it has happened. */
static bool unplan(void)
{
	const bool happened = planned == NO_MEMORY ? countdown == 0 : left == 0;
	planned = NOTHING;
	left = countdown = 0;
	break_once = false;
	return happened;
}

/* ---- a game ---- */

struct game {
	struct store_fixture fixture, other; /* two processes */
	struct random_player player;
	const struct entry *entries[BATCH];
	uint64_t key;
	uint32_t told; /* revision that the other heard of */
	unsigned sessions;
};

static void find_lane_thread(void *fixture, struct store_write *batch)
{
	const long call = atomic_exchange(&countdown, 0);
	lane_thread = pthread_self();
	fixture_committed(fixture, batch);
	countdown = call;
}

static void game_init(struct game *game)
{
	struct error error = {0};
	*game = (struct game){0};
	main_thread = pthread_self();
	replace_libpq();
	fixture_init(&game->fixture, "postgresql");
	fixture_init(&game->other, "memory");
	fixture_close(&game->other);
	strcpy(game->other.location, game->fixture.location);
	fixture_open(&game->other);
	fixture_close(&game->fixture);
	const struct store_options options = {
		.committed = find_lane_thread,
		.context = &game->fixture,
		.queue_max = 100,
		.now_ms = fixture_now_ms,
		.lanes = 1,
		.wait_ms = FIXTURE_WAIT_MS,
	};
	game->fixture.store = store_open(game->fixture.location, &options, &error);
	ck_assert_msg(game->fixture.store != NULL, "%s", error.text);
	game->fixture.reader = game->fixture.store->operations->reader_create(game->fixture.store);
	game->key = fixture_session(&game->fixture, 3, "game");
	random_player_init(&game->player, 3, NULL, 1);
}

static void game_finish(struct game *game)
{
	random_player_finish(&game->player);
	fixture_finish(&game->other);
	fixture_finish(&game->fixture);
}

static void note_change(void *context, const struct store_change *change)
{
	struct game *game = context;
	if (change->kind == CHANGE_MISSED)
		game->told = game->player.revision; /* everything is read again */
	else if (change->kind == CHANGE_ENTRIES && change->key == game->key)
		game->told = change->last;
}

/* Submits the entries from `first` on and a new session; returns how many of the entries are stored. */
static int submit_all(struct game *game, int first)
{
	struct pending_write *writes[BATCH + 1];
	char name[16];
	int stored = first;
	snprintf(name, sizeof(name), "n%u", game->sessions);
	const enum fault fault = planned;
	planned = NOTHING; /* not in the memory of this test */
	const long call = atomic_exchange(&countdown, 0);
	for (int i = first; i < BATCH; i++)
		writes[i] = pending_write_append(&game->fixture, game->key, 3, game->entries[i]);
	writes[BATCH] = pending_write_create(&game->fixture, 3, name);
	planned = fault;
	countdown = call;
	for (int i = first; i <= BATCH; i++)
		if (fixture_submit(&game->fixture, writes[i]) != STORE_OK && fault != NO_MEMORY)
			abort();
	fixture_wait(&game->fixture);
	const long rest = atomic_exchange(&countdown, 0);
	for (int i = first; i <= BATCH; i++) {
		const struct store_write *write = &writes[i]->write;
		ck_assert_int_ne(write->status, STORE_UNKNOWN);
		ck_assert_msg(write->status == STORE_OK || fault == NO_MEMORY, "%s: status %d",
			      fault_names[fault], write->status);
		if (write->generation > game->fixture.generation)
			game->fixture.generation = write->generation;
		/* A write after a failed one is not stored. */
		if (write->status == STORE_OK && i < BATCH)
			ck_assert_int_eq(i, stored++);
		if (write->status == STORE_OK && i == BATCH)
			game->sessions++;
		pending_write_free(writes[i]);
	}
	countdown = rest;
	return stored;
}

/* Plays a game with a fault. Returns true if the fault happened; otherwise fewer calls were
 * made. */
static bool play(struct game *game, enum fault fault, long call, bool broken)
{
	const struct store_operations *operations = game->fixture.store->operations;
	for (int i = 0; i < BATCH; i++)
		game->entries[i] = random_player_next(&game->player);
	plan(fault, call, broken);
	int stored = submit_all(game, 0);
	enum store_status read =
		operations->changes(game->fixture.reader, note_change, &(struct game){0});
	const bool happened = unplan();
	ck_assert(read == STORE_OK || (read == STORE_NO_MEMORY && fault == NO_MEMORY));
	for (int tries = 0; stored < BATCH; tries++) {
		ck_assert_int_lt(tries, 10);
		fixture_reload(&game->fixture, "game");
		stored = submit_all(game, stored);
	}
	ck_assert_int_eq(
		game->other.store->operations->changes(game->other.reader, note_change, game),
		STORE_OK);
	ck_assert_uint_eq(game->told, game->player.revision);
	return happened;
}

static void check_game(struct game *game)
{
	char sql[100], *stored;
	fixture_check_game(&game->fixture, "game", game->key, &game->player, 97);
	snprintf(sql, sizeof(sql), "SELECT count(*) = %u FROM cubed.session", game->sessions + 1);
	stored = postgres_fixture_sql(game->fixture.database, sql);
	ck_assert_str_eq(stored, "t");
	free(stored);
}

/* _i: twice the fault, plus whether an answer of the lane's is lost before. */
START_TEST(each_call)
{
	const enum fault fault = (enum fault)(_i / 2);
	struct game game;
	long call = 1;
	game_init(&game);
	while (call < CALLS_MAX && play(&game, fault, call, _i % 2 != 0))
		call += step;
	printf("%s%s: each %ld. of %ld calls\n", fault_names[fault],
	       _i % 2 != 0 ? ", behind a lost answer" : "", step, call);
	ck_assert_int_lt(call, CALLS_MAX);
	check_game(&game);
	game_finish(&game);
}
END_TEST

/* A result that nobody asked for: the connection is not used any more. */
START_TEST(more_results_than_statements)
{
	struct game game;
	game_init(&game);
	ck_assert(!play(&game, NOTHING, 1, false));
	const int before = finished;
	ck_assert(play(&game, ONE_RESULT_MORE, 1, false));
	ck_assert_int_eq(finished, before + 1);
	check_game(&game);
	game_finish(&game);
}
END_TEST

/* The socket is full when rows are sent, and takes them before the program waits for it. No answer comes then: the server
 * waits for the end of the rows. */
START_TEST(rows_that_are_sent_meanwhile)
{
	struct game game;
	struct connection c;
	struct copy_rows rows = {.into = "numbers (number)"};
	struct parameters p = {0};
	game_init(&game);
	const char *conninfo = game.fixture.location + strlen("postgresql:");
	ck_assert_int_eq(pg_open(&c, conninfo, CONNECTION_WRITES, CONNECTION_FIRST_S), STORE_OK);
	ck_assert_int_eq(pg_do_sql(&c, "CREATE TEMPORARY TABLE numbers (number int)"),
			 FAILURE_NONE);
	parameters_int4(&p, 1);
	ck_assert_uint_gt(copy_rows_add(&rows, &p), 0);
	ck_assert_int_eq(copy_rows_send(&rows, &c, pg_deadline_ns(FIXTURE_WAIT_MS)), FAILURE_NONE);
	ck_assert(!seems_unsent);
	copy_rows_free(&rows);
	parameters_free(&p);
	pg_close(&c);
	game_finish(&game);
}
END_TEST

/* A store is opened, or is not, and says why. */
START_TEST(opening)
{
	struct game game;
	game_init(&game);
	any_thread = true;
	for (enum fault fault = NO_CONNECTION; fault < NO_MEMORY; fault++) {
		bool happened = true;
		for (long call = 1; happened && call < CALLS_MAX; call += step) {
			struct error error = {0};
			const struct store_options options = {
				.committed = fixture_committed,
				.queue_max = 1,
				.now_ms = fixture_now_ms,
				.lanes = 2,
			};
			plan(fault, call, false);
			struct store *store = store_open(game.fixture.location, &options, &error);
			happened = unplan();
			if (store != NULL)
				store->operations->close(store);
			else
				ck_assert_uint_gt(strlen(error.text), 10);
		}
	}
	any_thread = false;
	game_finish(&game);
}
END_TEST

int main(int argc, char **argv)
{
	step = argc > 1 ? strtol(argv[1], NULL, 10) : step;
	step += step <= 0;
	Suite *suite = suite_create("libpq");
	TCase *plain = tcase_create("libpq");
	tcase_set_timeout(plain, 900);
	tcase_add_test(plain, more_results_than_statements);
	tcase_add_test(plain, rows_that_are_sent_meanwhile);
	tcase_add_loop_test(plain, each_call, 2 * NO_CONNECTION, 2 * FAULT_COUNT);
	tcase_add_test(plain, opening);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 2 * FAULT_COUNT);
}
