/* cluster.c: a store of any kind without the network, beside plain libpq on the same PostgreSQL.
 *
 *     cluster load LOCATION SESSIONS ENTRIES TURNS   that many sessions, each of so many entries of
 *                                                    so many turns
 *     cluster batch LOCATION ROUNDS [CONNINFO]       batches of 1, 8, 64 and 256 entries of different
 *                                                    sessions; in turn with as many INSERTs, sent in
 *                                                    one pipeline and committed together
 *     cluster rate LOCATION CLIENTS LANES SECONDS    that many clients, each with one entry under way,
 *                                                    on a store with that many lanes
 *     cluster write LOCATION RATE SIZE SECONDS       that many entries a second, of different sessions,
 *                                                    so many at a time
 *     cluster find LOCATION SESSIONS [CONNINFO]      looks up sessions that are in no cache; in turn
 *                                                    with a SELECT by key
 *     cluster feed LOCATION ROUNDS CONNINFO          the cost, for a node that needs none of them, of
 *                                                    reading changes of other nodes, by the size of
 *                                                    their batches
 *
 * Prints a line "name value" for each figure. */
#include "server/modules/modules.h"
#include "server/util/log.h"
#include "tests/bench/store_load.h"

#include <libpq-fe.h>
#include <sys/socket.h>

#define SESSIONS 60000       /* of batch and rate */
#define PACED_SESSIONS 10000 /* of write */
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

/* Submits SIZE entries together, and the next ones when it is time, however long these take. */
static void write_paced(const char *location, double rate, int size, double seconds)
{
	static struct played sessions[PACED_SESSIONS];
	struct load load;
	open_store(&load, location, UNDER_WAY, 1);
	/* Another run may have made sessions in the same database. */
	for (uint64_t i = 0; i < PACED_SESSIONS; i++)
		create(&load, (uint64_t)getpid() << 32 | i, &sessions[i]);
	wait_all(&load);
	size_t at = 0;
	uint64_t written = 0;
	puts("ready");
	fflush(stdout);
	const uint64_t begin = clock_ns();
	while (seconds_since(begin) < seconds) {
		const double ahead = (double)written / rate - seconds_since(begin);
		if (ahead > 0)
			usleep((useconds_t)(ahead * 1e6));
		for (int i = 0; i < size; i++, written++)
			append(&load, &sessions[at = (at + STRIDE) % PACED_SESSIONS], 1);
	}
	wait_all(&load);
	printf("write.entries_s %.0f\n", (double)written / seconds_since(begin));
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

/* ---- the feed ---- */

#define BACKENDS_MAX 64

/* The database's processes for one kind of connection. */
struct backends {
	int process[BACKENDS_MAX], count;
};

/* Costs of questions: CPU of the node's thread and of its backend in the database, and what came
 * from there. And, beside them, the CPU of the backends that write. */
struct feed {
	struct backends asking, writing;
	uint64_t changes, node_ns, backend_ns, write_ns, bytes;
};

static _Thread_local uint64_t received;

/* Counts what libpq receives: it calls this function instead of that of the system. */
__attribute__((visibility("default"))) ssize_t recv(int socket, void *bytes, size_t length,
						    int flags)
{
	const ssize_t got = recvfrom(socket, bytes, length, flags, NULL, NULL);
	received += got > 0 ? (uint64_t)got : 0;
	return got;
}

static uint64_t thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the CPU time of these processes, of one thread each. */
static uint64_t backends_ns(const struct backends *backends)
{
	uint64_t all = 0;
	for (int i = 0; i < backends->count; i++) {
		char path[64];
		unsigned long long ns = 0;
		snprintf(path, sizeof path, "/proc/%d/schedstat", backends->process[i]);
		FILE *file = fopen(path, "r");
		if (!file || fscanf(file, "%llu", &ns) != 1)
			fail("no time of the database's process");
		fclose(file);
		all += ns;
	}
	return all;
}

static void find_backends(PGconn *connection, const char *sql, struct backends *backends)
{
	PGresult *result = run_plain(connection, sql);
	backends->count = PQntuples(result);
	if (backends->count == 0 || backends->count > BACKENDS_MAX)
		fail("no connections, or too many");
	for (int i = 0; i < backends->count; i++)
		backends->process[i] = atoi(PQgetvalue(result, i, 0));
	PQclear(result);
}

static void count_change(void *context, const struct store_change *change)
{
	struct feed *feed = context;
	feed->changes += change->kind == CHANGE_ENTRIES;
}

static void ask(struct store_reader *reader, struct store *store, struct feed *feed)
{
	const uint64_t bytes = received, node_ns = thread_ns();
	const uint64_t backend_ns = backends_ns(&feed->asking);
	if (store->operations->changes(reader, count_change, feed) != STORE_OK)
		fail("no changes");
	feed->backend_ns += backends_ns(&feed->asking) - backend_ns;
	feed->node_ns += thread_ns() - node_ns;
	feed->bytes += received - bytes;
}

static void print_feed(const char *name, const struct feed *feed, uint64_t count)
{
	const double each = (double)count;
	printf("feed.%s.bytes %.1f\n", name, (double)feed->bytes / each);
	printf("feed.%s.node_us %.2f\n", name, (double)feed->node_ns / each / 1e3);
	printf("feed.%s.backend_us %.2f\n", name, (double)feed->backend_ns / each / 1e3);
	printf("feed.%s.write_us %.2f\n", name, (double)feed->write_ns / each / 1e3);
}

static void begin_feed(PGconn *connection, struct feed *feed)
{
	*feed = (struct feed){0};
	find_backends(connection,
		      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND "
		      "query LIKE 'SELECT m.incarnation%'",
		      &feed->asking);
	find_backends(connection,
		      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND "
		      "query NOT LIKE 'SELECT m.incarnation%' AND pid <> pg_backend_pid()",
		      &feed->writing);
}

static void measure_feed(const char *location, int rounds, const char *conninfo)
{
	static struct played sessions[SESSIONS];
	struct load writer, other;
	struct feed feed = {0};
	PGconn *connection = connect_plain(conninfo);
	open_store(&writer, location, UNDER_WAY, 1);
	open_store(&other, location, 1, 1);
	make_sessions(&writer, sessions, SESSIONS);
	struct store_reader *reader = other.store->operations->reader_create(other.store);
	if (!reader)
		fail("no reader");
	/* The first one takes the newest batch of each lane, the second one is a question. */
	ask(reader, other.store, &feed);
	ask(reader, other.store, &feed);
	begin_feed(connection, &feed);
	for (int i = 0; i < rounds; i++)
		ask(reader, other.store, &feed);
	print_feed("empty", &feed, (uint64_t)rounds);
	for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
		char name[TEXT];
		begin_feed(connection, &feed);
		for (int i = 0; i < rounds; i++) {
			const uint64_t write_ns = backends_ns(&feed.writing);
			commit_batch(&writer, sessions, SESSIONS, SIZES[k]);
			feed.write_ns += backends_ns(&feed.writing) - write_ns;
			ask(reader, other.store, &feed);
		}
		snprintf(name, sizeof name, "%d", SIZES[k]);
		print_feed(name, &feed, feed.changes);
	}
	other.store->operations->reader_destroy(reader);
	other.store->operations->close(other.store);
	writer.store->operations->close(writer.store);
	PQfinish(connection);
}

int main(int argc, char **argv)
{
	log_configure(LOG_WARNING, 0);
	modules_setup();
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
	else if (argc == 6 && strcmp(what, "write") == 0)
		write_paced(argv[2], atof(argv[3]), atoi(argv[4]), atof(argv[5]));
	else if ((argc == 4 || argc == 5) && strcmp(what, "find") == 0)
		measure_finds(argv[2], (uint32_t)strtoul(argv[3], NULL, 10), argv[4]);
	else if (argc == 5 && strcmp(what, "feed") == 0)
		measure_feed(argv[2], atoi(argv[3]), argv[4]);
	else
		return 2;
	return 0;
}
