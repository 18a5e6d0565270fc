/* write_queue.h: writes on their way from the service to the thread of a store that commits them.
 *
 * The thread takes all that wait, so that the larger the load, the larger its commits
 * (server/util/awake.h says why it stays awake for a moment after a large one). */
#ifndef SERVER_STORE_WRITE_QUEUE_H
#define SERVER_STORE_WRITE_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/store/store.h"
#include "server/util/lock.h"

struct write_queue {
	struct lock lock; /* of what follows */
	pthread_cond_t wake;
	bool has_lock, has_wake;
	struct store_write *first, **last;
	uint32_t waiting;
	bool stopping;
	_Atomic bool flushed; /* since the thread last checked */
	uint32_t taken;       /* the thread's: writes in the last chain */
};

MUST_USE bool write_queue_init(struct write_queue *queue);
/* Also if write_queue_init() failed, or was not called for a queue of zeros. */
void write_queue_finish(struct write_queue *queue);

/* Queues the write; STORE_STOPPED, or STORE_BUSY if `most` writes wait already. Does not wake the
 * thread. */
MUST_USE enum store_status write_queue_put(struct write_queue *queue, struct store_write *write,
					   uint32_t most);
/* Wakes the thread. */
void write_queue_flush(struct write_queue *queue);
/* Refuses writes from now on, and wakes the thread. */
void write_queue_stop(struct write_queue *queue);
bool write_queue_is_stopping(struct write_queue *queue);

/* The thread's: after a large chain, waits without sleeping for the next writes of its clients. */
void write_queue_stay_awake(struct write_queue *queue);
/* All that waits, as a chain in the order of submission; waits for it until `until_ns` (monotonic; 0:
 * not at all). NULL: nothing came. */
struct store_write *write_queue_take(struct write_queue *queue, uint64_t until_ns, bool *stopping);

#endif
