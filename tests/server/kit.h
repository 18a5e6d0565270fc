/* kit.h: a store as the service uses it, for tests: submit, wait for the answers, read. */
#ifndef TESTS_SERVER_KIT_H
#define TESTS_SERVER_KIT_H

#include "server/store/store.h"
#include "tests/server/player.h"

#include <pthread.h>

struct kit {
	struct store *store;
	struct store_reader *reader;
	char folder[64], location[128];
	uint64_t generation; /* as the loop has it */
	uint32_t queue_max;
	uint64_t bytes_max;
	pthread_mutex_t mutex;
	pthread_cond_t answered;
	uint64_t submitted, answers;
	bool hold;              /* `committed` waits while this is set */
	bool inside;            /* it is in there */
	_Atomic bool any_large; /* answers need not come in order */
	struct store_write *order_last;
};

/* A write with all it needs; free with ticket_free once it is answered. */
struct ticket {
	struct store_write write;
	uint64_t number; /* in the order of submission */
	bool answered;
	uint8_t *packed;
};

/* Milliseconds that the stores' clock is ahead. */
extern _Atomic int64_t kit_clock_ahead_ms;
int64_t kit_now_ms(void);

extern const char *const kit_stores[2]; /* "memory", "sqlite" */
#define KIT_STORES 2
#define KIT_SQLITE 1

/* Opens a store of that kind, sqlite in a folder of its own; and closes it and removes all. */
void kit_init(struct kit *kit, const char *kind);
void kit_finish(struct kit *kit);
/* The store's callback, for stores that a test opens itself; its context is the kit. */
void kit_committed(void *kit, struct store_write *batch);
/* Opens and closes with the data kept. */
void kit_open(struct kit *kit);
void kit_close(struct kit *kit);
/* The database's path, with a suffix. One answer is good until the next. */
const char *kit_path(const struct kit *kit, const char *suffix);

struct ticket *ticket_create(const struct kit *kit, int size, const char *name);
struct ticket *ticket_append(const struct kit *kit, uint64_t key, int size,
			     const struct entry *entry);
struct ticket *ticket_of(const struct kit *kit, enum store_write_kind kind, uint64_t key);
void ticket_free(struct ticket *ticket);

enum store_status kit_submit(struct kit *kit, struct ticket *ticket);
/* Until all that was submitted is answered. */
void kit_wait(struct kit *kit);
/* Submits, waits, frees: the answer. */
enum store_status kit_do(struct kit *kit, struct ticket *ticket);
/* A new session; its key. The id is made from the name. */
uint64_t kit_session(struct kit *kit, int size, const char *name);
struct session_id kit_id(const char *name);

/* Keeps the store inside `committed` until released; returns when it is there. Only for stores
 * with a thread. */
void kit_hold(struct kit *kit);
void kit_release(struct kit *kit);

/* Fails the test where what is stored under the name is not the player's game: newest state, every
 * `step`-th revision, and all entries. */
void kit_check_game(struct kit *kit, const char *name, uint64_t key, const struct player *player,
		    uint32_t step);

#endif
