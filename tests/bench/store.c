/* store.c: the sqlite store without the network.
 *
 *     store load FILE SESSIONS ENTRIES TURNS   loads that many sessions, each of so many entries of
 *                                              so many turns, and waits until all are compacted
 *     store find FILE SESSIONS                 looks up sessions that are in no cache
 *     store write FILE                         64 clients, each with one entry under way: before
 *                                              compaction begins, and meanwhile; ends without closing
 *
 * Prints a line "name value" for each figure. */
#include "server/util/log.h"
#include "tests/bench/store_load.h"

#include <fcntl.h>
#include <sqlite3.h>

#define ACTIVE 1000 /* sessions that are written to at the same time */
#define UNDER_WAY 1000
#define CLIENTS 64
#define FINDS 3000
#define SETTLED 50000 /* entries written before folding has to begin, at 65,536 */
#define FOLDING 90000
#define WRITE_SECONDS 4

static void open_file(struct load *load, const char *file, unsigned tickets)
{
	char location[1024];
	snprintf(location, sizeof(location), "sqlite:%s", file);
	open_store(load, location, tickets, 0);
}

/* Until the log is empty: all of it is in packed histories. */
static void wait_folded(const char *file)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *empty = NULL;
	if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT NOT EXISTS (SELECT 1 FROM log)", -1, &empty, NULL) !=
		    SQLITE_OK)
		fail(sqlite3_errmsg(db));
	for (bool folded = false; !folded;) {
		folded = sqlite3_step(empty) == SQLITE_ROW && sqlite3_column_int(empty, 0);
		sqlite3_reset(empty);
		usleep(20000);
	}
	sqlite3_finalize(empty);
	sqlite3_close(db);
}

static void load_file(const char *file, uint64_t sessions, uint32_t entries, size_t turns)
{
	struct load load;
	struct played active[ACTIVE];
	open_file(&load, file, UNDER_WAY);
	uint64_t begin = clock_ns();
	for (uint64_t first = 0; first < sessions; first += ACTIVE) {
		uint64_t count = sessions - first < ACTIVE ? sessions - first : ACTIVE;
		for (uint64_t i = 0; i < count; i++)
			create(&load, first + i, &active[i]);
		wait_all(&load);
		for (uint32_t revision = 1; revision <= entries; revision++)
			for (uint64_t i = 0; i < count; i++)
				append(&load, &active[i], turns);
	}
	wait_all(&load);
	double written = seconds_since(begin);
	wait_folded(file);
	double folded = seconds_since(begin);
	load.store->operations->close(load.store);
	printf("load.entries_s %.0f\n", (double)sessions * entries / written);
	printf("load.moves_s %.0f\n", (double)sessions * entries * (double)turns / folded);
	printf("load.seconds %.2f\nload.folded_seconds %.2f\n", written, folded);
}

/* Makes the kernel forget the file, as far as it can. */
static void forget(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fdatasync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		fail("the file cannot be forgotten");
	close(fd);
}

static void find_some(struct load *load, struct store_reader *reader, uint64_t sessions,
		      const char *name)
{
	static double us[FINDS];
	for (int i = 0; i < FINDS; i++) {
		struct session_id id = id_of(random_below(&load->seed, (uint32_t)sessions));
		struct stored_session session;
		uint64_t begin = clock_ns();
		if (load->store->operations->find(reader, &id, &session) != STORE_OK)
			fail("a session is not found");
		us[i] = (double)(clock_ns() - begin) / 1e3;
		stored_session_free(&session);
	}
	printf("find.%s.p50 %.1f\n", name, quantile(us, FINDS, 0.5));
	printf("find.%s.p99 %.1f\n", name, quantile(us, FINDS, 0.99));
}

static void find_file(const char *file, uint64_t sessions)
{
	struct load load;
	forget(file);
	open_file(&load, file, 1);
	struct store_reader *reader = load.store->operations->reader_create(load.store);
	if (!reader)
		fail("no reader");
	find_some(&load, reader, sessions, "disk");
	for (uint64_t i = 0; i < 20; i++)
		load.seed ^= load.seed << 1;
	find_some(&load, reader, sessions, "memory");
	load.store->operations->reader_destroy(reader);
	load.store->operations->close(load.store);
}

/* Appends to the sessions in turn while `go_on`, and prints rate and p99 of the time. */
static void write_phase(struct load *load, struct played *sessions, uint64_t entries,
			double seconds, const char *name)
{
	uint64_t begin = clock_ns(), first = load->done, sent = 0;
	while (sent < entries && (seconds == 0 || seconds_since(begin) < seconds))
		for (int i = 0; i < ACTIVE && sent < entries; i++, sent++)
			append(load, &sessions[i], 1);
	pthread_mutex_lock(&load->mutex);
	double rate = (double)(load->done - first) / seconds_since(begin);
	size_t last = load->done < load->us_max ? load->done : load->us_max;
	size_t count = last - first;
	double *us = calloc(count, sizeof(*us));
	if (!us)
		fail("no memory");
	for (size_t i = 0; i < count; i++)
		us[i] = (double)load->us[first + i];
	pthread_mutex_unlock(&load->mutex);
	printf("write.%s.entries_s %.0f\nwrite.%s.p99 %.0f\n", name, rate, name,
	       quantile(us, count, 0.99));
	free(us);
}

static void write_file(const char *file)
{
	struct load load;
	struct played sessions[ACTIVE];
	open_file(&load, file, CLIENTS);
	for (uint64_t i = 0; i < ACTIVE; i++)
		create(&load, i, &sessions[i]);
	wait_all(&load);
	load.us_max = 4000000;
	load.us = calloc(load.us_max, sizeof(*load.us));
	load.done = 0;
	if (!load.us)
		fail("no memory");
	write_phase(&load, sessions, SETTLED, 0, "quiet");
	for (uint64_t i = SETTLED; i < FOLDING; i += ACTIVE)
		for (int k = 0; k < ACTIVE; k++)
			append(&load, &sessions[k], 1);
	write_phase(&load, sessions, UINT64_MAX, WRITE_SECONDS, "folding");
	/* As killed: what is in the log is for the next start. */
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	log_configure(LOG_WARNING, 0);
	if (argc == 6 && strcmp(argv[1], "load") == 0)
		load_file(argv[2], strtoull(argv[3], NULL, 10),
			  (uint32_t)strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10));
	else if (argc == 4 && strcmp(argv[1], "find") == 0)
		find_file(argv[2], strtoull(argv[3], NULL, 10));
	else if (argc == 3 && strcmp(argv[1], "write") == 0)
		write_file(argv[2]);
	else
		return 2;
	return 0;
}
