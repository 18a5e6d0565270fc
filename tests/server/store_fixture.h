/* store_fixture.h: a store for tests, used as the service uses it: submit writes, wait until they
 * are answered, read. */
#ifndef TESTS_SERVER_STORE_FIXTURE_H
#define TESTS_SERVER_STORE_FIXTURE_H

#include "build/modules.h"
#include "server/store/store.h"
#include "tests/server/random_player.h"

#include <pthread.h>

/* The part of a session that a session cache would know, to name the states of its writes. */
struct fixture_session {
	uint64_t state, committed;      /* ids of the newest state, also if it is not stored yet */
	int64_t state_ms, committed_ms; /* of their entries, or of the session's creation */
	uint32_t version;
	uint64_t answered; /* the newest write, by number, that was answered, and 1 */
};

struct store_fixture {
	struct store *store;
	struct store_reader *reader;
	char folder[64], database[32], location[160];
	bool persistent; /* stored data outlives closing the store */
	bool any_order;  /* answers are in the order of submission for each session only */
	struct fixture_session *sessions; /* by key */
	size_t session_count;
	uint64_t generation; /* as the session cache would have it */
	uint32_t queue_max;
	uint64_t bytes_max;
	uint32_t lanes; /* the value of CUBED_TEST_LANES, or 0 */
	pthread_mutex_t mutex;
	pthread_cond_t answered;
	uint64_t submitted, answers;
	bool hold;              /* the callback waits while this is set */
	bool inside;            /* the callback is waiting */
	_Atomic bool any_large; /* answers need not come in order */
	struct store_write *order_last;
};

/* A write with the memory it refers to; free with pending_write_free once it is answered. */
struct pending_write {
	struct store_write write;
	uint64_t number; /* in the order of submission */
	bool answered;
	uint8_t *packed;
};

/* The time by which the stores' clock is ahead of the real time. */
extern _Atomic int64_t fixture_clock_ahead_ms;
int64_t fixture_now_ms(void);

extern const char *const fixture_stores[3]; /* "memory", "sqlite", "postgresql" */
#ifdef MODULE_POSTGRES
#define FIXTURE_STORES 3
#else
#define FIXTURE_STORES 2
#endif
#define FIXTURE_SQLITE 1
#define FIXTURE_POSTGRESQL 2

/* The wait_ms of a store whose database stays where it is: only a slow machine is waited for. */
#define FIXTURE_WAIT_MS 120000

/* Adds the kinds of stores that modules have: for a test that opens a store or a database by itself. */
void fixture_add_kinds(void);
/* Opens a store of that kind, sqlite in a new folder, postgresql in a new database; finish closes it
 * and removes the folder or database. */
void fixture_init(struct store_fixture *fixture, const char *kind);
void fixture_finish(struct store_fixture *fixture);
/* The store's `committed` callback, for stores that a test opens itself; its context is the
 * fixture. */
void fixture_committed(void *fixture, struct store_write *batch);
/* Open and close the store; the data is kept if it is persistent. */
void fixture_open(struct store_fixture *fixture);
void fixture_close(struct store_fixture *fixture);
/* Reads what others did to a session: its writes are made on that state from now on. */
void fixture_reload(struct store_fixture *fixture, const char *name);
/* The database's path, with a suffix. Valid until the next call. */
const char *fixture_path(const struct store_fixture *fixture, const char *suffix);

struct pending_write *pending_write_create(const struct store_fixture *fixture, int size,
					   const char *name);
struct pending_write *pending_write_append(const struct store_fixture *fixture, uint64_t key,
					   int size, const struct entry *entry);
struct pending_write *pending_write_of(const struct store_fixture *fixture,
				       enum store_write_kind kind, uint64_t key);
void pending_write_free(struct pending_write *pending);

/* Names the states of an append, and the version of the description, as a session cache does. */
enum store_status fixture_submit(struct store_fixture *fixture, struct pending_write *pending);
/* Waits until all submitted writes are answered. */
void fixture_wait(struct store_fixture *fixture);
/* Submits, waits and frees; returns the write's status. */
enum store_status fixture_do(struct store_fixture *fixture, struct pending_write *pending);
/* Creates a session and returns its key. The id is derived from the name. */
uint64_t fixture_session(struct store_fixture *fixture, int size, const char *name);
struct session_id fixture_id(const char *name);

/* Blocks the store in its `committed` callback until released; returns once it is blocked. Only for
 * stores with a thread. */
void fixture_hold(struct store_fixture *fixture);
void fixture_release(struct store_fixture *fixture);

/* Fails the test unless the session with that name holds the player's game: newest state, every
 * `step`-th revision, and all entries. */
void fixture_check_game(struct store_fixture *fixture, const char *name, uint64_t key,
			const struct random_player *player, uint32_t step);

#endif
