/* store.c: the sqlite store without the network.
 *
 *     store load FILE SESSIONS ENTRIES TURNS   loads that many sessions, each of so many entries of
 * so many turns, and waits until all of it is folded store find FILE SESSIONS                 looks
 * sessions up that are in no cache store write FILE                         64 clients, each with
 * one entry under way: before folding has to begin, and while it goes on; ends without closing
 *
 * Prints a line "name value" for each figure. */
#include "server/history/history.h"
#include "server/store/store.h"
#include "server/util/log.h"
#include "tests/bench/clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ACTIVE 1000 /* sessions that are written to at the same time */
#define UNDER_WAY 1000
#define CLIENTS 64
#define TURNS_MAX 100
#define BEGIN_MS INT64_C(1767225600000)
#define MOVE_MS 900
#define FINDS 3000
#define SETTLED 50000 /* entries written before folding has to begin, at 65,536 */
#define FOLDING 90000
#define WRITE_SECONDS 4

struct ticket {
	struct store_write write; /* first: cast back */
	struct ticket *next_free;
	uint64_t begin_ns;
	uint8_t packed[1 + 3 * 10 + 3 * TURNS_MAX];
	uint64_t *key; /* of a CREATE: where it goes */
};

struct load {
	struct store *store;
	pthread_mutex_t mutex;
	pthread_cond_t freed;
	struct ticket *free;
	unsigned under_way;
	uint64_t done, failed;
	float *us; /* latencies, by order of completion; NULL: not wanted */
	size_t us_max;
	uint64_t seed;
};

static int64_t now_ms(void)
{
	return BEGIN_MS;
}

static void fail(const char *what)
{
	fprintf(stderr, "store: %s\n", what);
	exit(1);
}

static void committed(void *context, struct store_write *batch)
{
	struct load *load = context;
	uint64_t now = clock_ns();
	pthread_mutex_lock(&load->mutex);
	while (batch) {
		struct ticket *ticket = (struct ticket *)batch;
		batch = batch->next;
		load->failed += ticket->write.status != STORE_OK;
		if (ticket->key)
			*ticket->key = ticket->write.meta.key;
		if (load->us && load->done < load->us_max)
			load->us[load->done] = (float)(now - ticket->begin_ns) / 1e3f;
		load->done++;
		load->under_way--;
		ticket->next_free = load->free;
		load->free = ticket;
	}
	pthread_cond_signal(&load->freed);
	pthread_mutex_unlock(&load->mutex);
}

static void open_store(struct load *load, const char *file, unsigned tickets)
{
	char location[1024];
	struct error error = {0};
	*load = (struct load){.seed = 88172645463325252u};
	pthread_mutex_init(&load->mutex, NULL);
	pthread_cond_init(&load->freed, NULL);
	for (unsigned i = 0; i < tickets; i++) {
		struct ticket *ticket = calloc(1, sizeof(*ticket));
		if (!ticket)
			fail("no memory");
		ticket->next_free = load->free;
		load->free = ticket;
	}
	struct store_options options = {
		.committed = committed, .context = load, .queue_max = 100000, .now_ms = now_ms};
	snprintf(location, sizeof(location), "sqlite:%s", file);
	load->store = store_open(location, &options, &error);
	if (!load->store)
		fail(error.text);
}

static struct ticket *take_ticket(struct load *load)
{
	pthread_mutex_lock(&load->mutex);
	while (!load->free)
		pthread_cond_wait(&load->freed, &load->mutex);
	struct ticket *ticket = load->free;
	load->free = ticket->next_free;
	load->under_way++;
	pthread_mutex_unlock(&load->mutex);
	memset(&ticket->write, 0, sizeof(ticket->write));
	ticket->key = NULL;
	return ticket;
}

static void submit(struct load *load, struct ticket *ticket)
{
	ticket->begin_ns = clock_ns();
	/* Busy: so much is waiting to be folded that the store takes no more for now. */
	while (load->store->operations->submit(load->store, &ticket->write) != STORE_OK)
		usleep(1000);
	load->store->operations->flush(load->store);
}

static void wait_all(struct load *load)
{
	pthread_mutex_lock(&load->mutex);
	while (load->under_way > 0)
		pthread_cond_wait(&load->freed, &load->mutex);
	pthread_mutex_unlock(&load->mutex);
	if (load->failed > 0)
		fail("a write failed");
}

/* Session number `number` always has this id. */
static struct session_id id_of(uint64_t number)
{
	struct session_id id;
	uint64_t seed = (number + 1) * 0x9E3779B97F4A7C15u;
	for (size_t i = 0; i < sizeof(id.bytes); i++)
		id.bytes[i] = (uint8_t)random_below(&seed, 256);
	return id;
}

static void create(struct load *load, uint64_t number, uint64_t *key)
{
	struct ticket *ticket = take_ticket(load);
	ticket->write.kind = WRITE_CREATE;
	ticket->write.meta = (struct session_meta){.id = id_of(number),
						   .size = 3,
						   .access = ACCESS_VIEW,
						   .created_ms = BEGIN_MS,
						   .updated_ms = BEGIN_MS};
	ticket->key = key;
	submit(load, ticket);
}

/* An entry of outer turns, as people make them. */
static void append(struct load *load, uint64_t key, uint32_t revision, size_t count)
{
	static const int amounts[] = {1, -1, 2};
	struct cube_turn turns[TURNS_MAX];
	struct ticket *ticket = take_ticket(load);
	for (size_t i = 0; i < count; i++)
		turns[i] = cube_turn_make(3, (int)random_below(&load->seed, CUBE_FACES), 1, 1,
					  amounts[random_below(&load->seed, 3)]);
	struct entry entry = {.time_ms = BEGIN_MS + (int64_t)revision * MOVE_MS +
					 random_below(&load->seed, MOVE_MS),
			      .revision = revision,
			      .restores = HISTORY_NONE,
			      .kind = ENTRY_MOVES,
			      .has_turns = true,
			      .turn_count = count,
			      .turns = turns};
	ticket->write.kind = WRITE_APPEND;
	ticket->write.meta.key = key;
	ticket->write.meta.size = 3;
	ticket->write.packed = ticket->packed;
	ticket->write.packed_bytes = entry_pack(&entry, 3, 0, ticket->packed);
	ticket->write.revision = revision;
	ticket->write.time_ms = entry.time_ms;
	submit(load, ticket);
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

static double seconds_since(uint64_t begin_ns)
{
	return (double)(clock_ns() - begin_ns) / 1e9;
}

static void load_file(const char *file, uint64_t sessions, uint32_t entries, size_t turns)
{
	struct load load;
	uint64_t keys[ACTIVE];
	open_store(&load, file, UNDER_WAY);
	uint64_t begin = clock_ns();
	for (uint64_t first = 0; first < sessions; first += ACTIVE) {
		uint64_t count = sessions - first < ACTIVE ? sessions - first : ACTIVE;
		for (uint64_t i = 0; i < count; i++)
			create(&load, first + i, &keys[i]);
		wait_all(&load);
		for (uint32_t revision = 1; revision <= entries; revision++)
			for (uint64_t i = 0; i < count; i++)
				append(&load, keys[i], revision, turns);
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
	open_store(&load, file, 1);
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
static void write_phase(struct load *load, const uint64_t *keys, uint32_t *revision,
			uint64_t entries, double seconds, const char *name)
{
	uint64_t begin = clock_ns(), first = load->done, sent = 0;
	while (sent < entries && (seconds == 0 || seconds_since(begin) < seconds)) {
		for (int i = 0; i < ACTIVE && sent < entries; i++, sent++)
			append(load, keys[i], *revision, 1);
		(*revision)++;
	}
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
	uint64_t keys[ACTIVE];
	uint32_t revision = 1;
	open_store(&load, file, CLIENTS);
	for (uint64_t i = 0; i < ACTIVE; i++)
		create(&load, i, &keys[i]);
	wait_all(&load);
	load.us_max = 4000000;
	load.us = calloc(load.us_max, sizeof(*load.us));
	load.done = 0;
	if (!load.us)
		fail("no memory");
	write_phase(&load, keys, &revision, SETTLED, 0, "quiet");
	for (uint64_t i = SETTLED; i < FOLDING; i += ACTIVE, revision++)
		for (int k = 0; k < ACTIVE; k++)
			append(&load, keys[k], revision, 1);
	write_phase(&load, keys, &revision, UINT64_MAX, WRITE_SECONDS, "folding");
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
