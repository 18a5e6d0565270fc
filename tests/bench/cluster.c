/* cluster.c: a store of any kind without the network, beside plain libpq on the same PostgreSQL.
 *
 *     cluster load LOCATION SESSIONS ENTRIES TURNS   that many sessions, each of so many entries of
 *                                                    so many turns
 *     cluster batch LOCATION ROUNDS [CONNINFO]       batches of 1, 8, 64 and 256 entries of different
 *                                                    sessions; in turn with as many INSERTs, sent in
 *                                                    one pipeline and committed together
 *     cluster rate LOCATION CLIENTS LANES SECONDS    that many clients, each with one entry under way,
 *                                                    on a store with that many lanes
 *     cluster find LOCATION SESSIONS [CONNINFO]      looks up sessions that are in no cache; in turn
 *                                                    with a SELECT by key
 *
 * Prints a line "name value" for each figure. */
#include "server/util/log.h"
#include "tests/bench/store_load.h"

#include <libpq-fe.h>

#define SESSIONS 60000 /* of batch and rate */
#define UNDER_WAY 1000
#define STRIDE 7919 /* from session to session in a batch: they are on different pages */
#define FINDS 3000
#define ROUNDS_MAX 2000
#define TEXT 24

static const int SIZES[] = {1, 8, 64, 256};

static void make_sessions(struct load *load, struct played *sessions, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		create(load, i, &sessions[i]);
	wait_all(load);
}

static void load_sessions(const char *location, uint64_t count, uint32_t entries, size_t turns)
{
	static struct played active[UNDER_WAY];
	struct load load;
	open_store(&load, location, UNDER_WAY, 0);
	const uint64_t begin = clock_ns();
	for (uint64_t first = 0; first < count; first += UNDER_WAY) {
		const uint64_t some = count - first < UNDER_WAY ? count - first : UNDER_WAY;
		for (uint64_t i = 0; i < some; i++)
			create(&load, first + i, &active[i]);
		wait_all(&load);
		for (uint32_t revision = 1; revision <= entries; revision++)
			for (uint64_t i = 0; i < some; i++)
				append(&load, &active[i], turns);
	}
	wait_all(&load);
	printf("load.entries_s %.0f\n", (double)count * entries / seconds_since(begin));
	load.store->operations->close(load.store);
}

/* ---- plain libpq ---- */

static PGconn *connect_plain(const char *conninfo)
{
	PGconn *connection = PQconnectdb(conninfo);
	if (PQstatus(connection) != CONNECTION_OK)
		fail(PQerrorMessage(connection));
	return connection;
}

static PGresult *run_plain(PGconn *connection, const char *sql)
{
	PGresult *result = PQexec(connection, sql);
	const ExecStatusType status = PQresultStatus(result);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		fail(PQerrorMessage(connection));
	return result;
}

static void prepare_plain(PGconn *connection, const char *sql)
{
	PGresult *result = PQprepare(connection, "plain", sql, 0, NULL);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		fail(PQerrorMessage(connection));
	PQclear(result);
}

/* INSERTs of an entry each, one pipeline, one commit; us. */
static double insert_plain(PGconn *connection, struct load *load, int count)
{
	static uint64_t serial;
	const uint64_t begin = clock_ns();
	for (int i = 0; i < count; i++) {
		char session[TEXT], revision[TEXT];
		snprintf(session, sizeof session, "%u", random_below(&load->seed, 1000000));
		snprintf(revision, sizeof revision, "%llu", (unsigned long long)++serial);
		const char *values[] = {session, revision, "1767225600000", "\\x01020304"};
		if (!PQsendQueryPrepared(connection, "plain", 4, values, NULL, NULL, 0))
			fail(PQerrorMessage(connection));
	}
	if (!PQpipelineSync(connection))
		fail(PQerrorMessage(connection));
	for (bool synced = false; !synced;) {
		PGresult *result = PQgetResult(connection);
		const ExecStatusType status = PQresultStatus(result);
		if (result && status != PGRES_COMMAND_OK && status != PGRES_PIPELINE_SYNC)
			fail(PQerrorMessage(connection));
		synced = result && status == PGRES_PIPELINE_SYNC;
		PQclear(result);
	}
	return (double)(clock_ns() - begin) / 1e3;
}

static PGconn *connect_inserts(const char *conninfo)
{
	PGconn *connection = connect_plain(conninfo);
	PQclear(run_plain(
		connection,
		"CREATE TABLE IF NOT EXISTS plain (session bigint, revision int, time_ms bigint, "
		"entry bytea, PRIMARY KEY (session, revision))"));
	prepare_plain(connection, "INSERT INTO plain VALUES ($1, $2, $3, $4)");
	if (!PQenterPipelineMode(connection))
		fail("no pipeline");
	return connection;
}

/* ---- batches ---- */

/* Holds the store's thread after one write, queues the others, and lets it go on; us until all are
 * answered. */
static double commit_batch(struct load *load, struct played *sessions, size_t count, int size)
{
	size_t at = random_below(&load->seed, (uint32_t)count);
	const uint64_t done = load->done;
	load->held = true;
	append(load, &sessions[at], 1);
	pthread_mutex_lock(&load->mutex);
	while (load->done == done)
		pthread_cond_wait(&load->freed, &load->mutex);
	pthread_mutex_unlock(&load->mutex);
	for (int i = 0; i < size; i++) {
		at = (at + STRIDE) % count;
		append(load, &sessions[at], 1);
	}
	pthread_mutex_lock(&load->mutex);
	const uint64_t begin = clock_ns();
	load->held = false;
	pthread_cond_broadcast(&load->freed);
	pthread_mutex_unlock(&load->mutex);
	wait_all(load);
	return (double)(clock_ns() - begin) / 1e3;
}

static void measure_batches(const char *location, int rounds, const char *conninfo)
{
	static struct played sessions[SESSIONS];
	static double ours[ROUNDS_MAX], plain[ROUNDS_MAX];
	struct load load;
	PGconn *connection = conninfo ? connect_inserts(conninfo) : NULL;
	open_store(&load, location, UNDER_WAY, 1);
	make_sessions(&load, sessions, SESSIONS);
	for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
		const int size = SIZES[k];
		for (int i = 0; i < rounds; i++) {
			ours[i] = commit_batch(&load, sessions, SESSIONS, size);
			if (connection)
				plain[i] = insert_plain(connection, &load, size);
		}
		printf("batch.%d.p50 %.0f\n", size, quantile(ours, (size_t)rounds, 0.5));
		if (connection)
			printf("insert.%d.p50 %.0f\n", size, quantile(plain, (size_t)rounds, 0.5));
	}
	load.store->operations->close(load.store);
	PQfinish(connection);
}

static void measure_rate(const char *location, unsigned clients, uint32_t lanes, double seconds)
{
	static struct played sessions[SESSIONS];
	struct load load;
	open_store(&load, location, clients, lanes);
	make_sessions(&load, sessions, SESSIONS);
	size_t at = 0;
	const uint64_t before = load.done, begin = clock_ns();
	while (seconds_since(begin) < seconds)
		append(&load, &sessions[at = (at + STRIDE) % SESSIONS], 1);
	wait_all(&load);
	printf("rate.entries_s %.0f\n", (double)(load.done - before) / seconds_since(begin));
	load.store->operations->close(load.store);
}

/* ---- look-ups ---- */

static double find_one(struct load *load, struct store_reader *reader, uint32_t number)
{
	const struct session_id id = id_of(number);
	struct stored_session session;
	const uint64_t begin = clock_ns();
	if (load->store->operations->find(reader, &id, &session) != STORE_OK)
		fail("a session is not found");
	const double us = (double)(clock_ns() - begin) / 1e3;
	stored_session_free(&session);
	return us;
}

static double select_one(PGconn *connection, uint32_t key)
{
	char text[TEXT];
	const char *values[] = {text};
	snprintf(text, sizeof text, "%u", key);
	const uint64_t begin = clock_ns();
	PGresult *result = PQexecPrepared(connection, "plain", 1, values, NULL, NULL, 1);
	const double us = (double)(clock_ns() - begin) / 1e3;
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		fail(PQerrorMessage(connection));
	PQclear(result);
	return us;
}

static void measure_finds(const char *location, uint32_t sessions, const char *conninfo)
{
	static double found[FINDS], selected[FINDS];
	struct load load;
	PGconn *connection = conninfo ? connect_plain(conninfo) : NULL;
	if (connection)
		prepare_plain(connection, "SELECT * FROM cubed.session WHERE key = $1::bigint");
	open_store(&load, location, 1, 0);
	struct store_reader *reader = load.store->operations->reader_create(load.store);
	if (!reader)
		fail("no reader");
	for (int i = 0; i < FINDS; i++) {
		found[i] = find_one(&load, reader, random_below(&load.seed, sessions));
		if (connection)
			selected[i] =
				select_one(connection, 1 + random_below(&load.seed, sessions));
	}
	printf("find.p50 %.1f\n", quantile(found, FINDS, 0.5));
	if (connection)
		printf("select.p50 %.1f\n", quantile(selected, FINDS, 0.5));
	load.store->operations->reader_destroy(reader);
	load.store->operations->close(load.store);
	PQfinish(connection);
}

int main(int argc, char **argv)
{
	log_configure(LOG_WARNING, 0);
	const char *what = argc > 1 ? argv[1] : "";
	if (argc == 6 && strcmp(what, "load") == 0)
		load_sessions(argv[2], strtoull(argv[3], NULL, 10),
			      (uint32_t)strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10));
	else if ((argc == 4 || argc == 5) && strcmp(what, "batch") == 0)
		measure_batches(argv[2], atoi(argv[3]) < ROUNDS_MAX ? atoi(argv[3]) : ROUNDS_MAX,
				argv[4]);
	else if (argc == 6 && strcmp(what, "rate") == 0)
		measure_rate(argv[2], (unsigned)strtoul(argv[3], NULL, 10),
			     (uint32_t)strtoul(argv[4], NULL, 10), atof(argv[5]));
	else if ((argc == 4 || argc == 5) && strcmp(what, "find") == 0)
		measure_finds(argv[2], (uint32_t)strtoul(argv[3], NULL, 10), argv[4]);
	else
		return 2;
	return 0;
}
