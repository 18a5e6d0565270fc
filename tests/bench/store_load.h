/* store_load.h: writes for a store, as the service would make them, for the benchmarks of stores. */
#ifndef BENCH_STORE_LOAD_H
#define BENCH_STORE_LOAD_H

#include "cube/turn.h"
#include "server/history/history.h"
#include "server/store/store.h"
#include "tests/bench/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TURNS_MAX 100
#define BEGIN_MS INT64_C(1767225600000)
#define MOVE_MS 900

/* A session that is written to. */
struct played {
	uint64_t key;
	uint64_t state; /* id of its newest state */
	uint32_t revision;
	int64_t updated_ms;
};

struct ticket {
	struct store_write write; /* first: cast back */
	struct ticket *next_free;
	uint64_t begin_ns;
	uint8_t packed[1 + 3 * 10 + 3 * TURNS_MAX];
	struct played *made; /* of a CREATE: where its key goes */
};

struct load {
	struct store *store;
	pthread_mutex_t mutex;
	pthread_cond_t freed;
	struct ticket *free;
	unsigned under_way;
	bool held; /* the store's thread has to wait in its callback */
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
		if (ticket->made)
			*ticket->made = (struct played){.key = ticket->write.meta.key,
							.updated_ms = BEGIN_MS};
		if (load->us && load->done < load->us_max)
			load->us[load->done] = (float)(now - ticket->begin_ns) / 1e3f;
		load->done++;
		load->under_way--;
		ticket->next_free = load->free;
		load->free = ticket;
	}
	pthread_cond_broadcast(&load->freed);
	while (load->held)
		pthread_cond_wait(&load->freed, &load->mutex);
	pthread_mutex_unlock(&load->mutex);
}

/* `location` is that of store_open(), `lanes` that of store_options. */
static void open_store(struct load *load, const char *location, unsigned tickets, uint32_t lanes)
{
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
	struct store_options options = {.committed = committed,
					.context = load,
					.queue_max = 100000,
					.now_ms = now_ms,
					.lanes = lanes};
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
	ticket->made = NULL;
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

static void create(struct load *load, uint64_t number, struct played *session)
{
	struct ticket *ticket = take_ticket(load);
	ticket->write.kind = WRITE_CREATE;
	ticket->write.meta = (struct session_meta){.id = id_of(number),
						   .size = 3,
						   .access = ACCESS_VIEW,
						   .created_ms = BEGIN_MS,
						   .updated_ms = BEGIN_MS};
	ticket->made = session;
	submit(load, ticket);
}

/* An entry of outer turns, as people make them. */
static void append(struct load *load, struct played *session, size_t count)
{
	static const int amounts[] = {1, -1, 2};
	struct cube_turn turns[TURNS_MAX];
	struct ticket *ticket = take_ticket(load);
	struct store_write *write = &ticket->write;
	for (size_t i = 0; i < count; i++)
		turns[i] = cube_turn_make(3, (int)random_below(&load->seed, CUBE_FACES), 1, 1,
					  amounts[random_below(&load->seed, 3)]);
	struct entry entry = {.time_ms = BEGIN_MS + (int64_t)++session->revision * MOVE_MS +
					 random_below(&load->seed, MOVE_MS),
			      .revision = session->revision,
			      .restores = HISTORY_NONE,
			      .kind = ENTRY_MOVES,
			      .has_turns = true,
			      .turn_count = count,
			      .turns = turns};
	write->kind = WRITE_APPEND;
	write->meta.key = session->key;
	write->meta.size = 3;
	write->packed = ticket->packed;
	write->packed_bytes = entry_pack(&entry, 3, 0, ticket->packed);
	write->revision = entry.revision;
	write->time_ms = entry.time_ms;
	write->before_ms = session->updated_ms;
	write->state_before = session->state;
	write->state_after = (uint64_t)random_below(&load->seed, UINT32_MAX) << 31 |
			     (1 + random_below(&load->seed, INT32_MAX));
	session->state = write->state_after;
	session->updated_ms = entry.time_ms;
	submit(load, ticket);
}

static double seconds_since(uint64_t begin_ns)
{
	return (double)(clock_ns() - begin_ns) / 1e9;
}

#endif
