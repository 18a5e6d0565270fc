/* write_queue.c: writes on their way to the thread of a store that commits them. */
#include "server/store/write_queue.h"

#include "server/util/awake.h"
#include "server/util/monotonic.h"

#define OTHERS_FIRST 4 /* times to yield the core before checking for new writes */

bool write_queue_init(struct write_queue *queue)
{
	queue->last = &queue->first;
	queue->has_lock = lock_init(&queue->lock);
	queue->has_wake = queue->has_lock && lock_condition_init(&queue->wake);
	return queue->has_wake;
}

void write_queue_finish(struct write_queue *queue)
{
	if (queue->has_wake)
		pthread_cond_destroy(&queue->wake);
	if (queue->has_lock)
		lock_destroy(&queue->lock);
	queue->has_wake = queue->has_lock = false;
}

enum store_status write_queue_put(struct write_queue *queue, struct store_write *write,
				  uint32_t most)
{
	enum store_status status = STORE_OK;
	lock_acquire(&queue->lock);
	if (queue->stopping) {
		status = STORE_STOPPED;
	} else if (queue->waiting >= most) {
		status = STORE_BUSY;
	} else {
		write->next = NULL;
		*queue->last = write;
		queue->last = &write->next;
		queue->waiting++;
	}
	lock_release(&queue->lock);
	return status;
}

/* Only this wakes the thread: the more writes it finds, the less each costs. */
void write_queue_flush(struct write_queue *queue)
{
	atomic_store_explicit(&queue->flushed, true, memory_order_relaxed);
	pthread_cond_signal(&queue->wake);
}

void write_queue_stop(struct write_queue *queue)
{
	lock_acquire(&queue->lock);
	queue->stopping = true;
	pthread_cond_signal(&queue->wake);
	lock_release(&queue->lock);
}

bool write_queue_is_stopping(struct write_queue *queue)
{
	lock_acquire(&queue->lock);
	const bool stopping = queue->stopping;
	lock_release(&queue->lock);
	return stopping;
}

static uint32_t count_waiting(struct write_queue *queue)
{
	lock_acquire(&queue->lock);
	const uint32_t waiting = queue->waiting;
	lock_release(&queue->lock);
	return waiting;
}

/* After a large batch its clients write again soon. So threads that are about to submit more get
 * the core first, as long as that brings an eighth more: the larger the commit, the less each write
 * costs. */
void write_queue_stay_awake(struct write_queue *queue)
{
	if (queue->taken < AWAKE_MANY)
		return;
	const uint64_t end = monotonic_ns() + AWAKE_NS;
	while (!atomic_exchange_explicit(&queue->flushed, false, memory_order_relaxed) &&
	       awake_until(end))
		;
	uint32_t before, waiting = 0;
	do {
		for (int i = 0; i < OTHERS_FIRST; i++)
			sched_yield();
		before = waiting;
		waiting = count_waiting(queue);
	} while (waiting > before + before / 8);
}

struct store_write *write_queue_take(struct write_queue *queue, uint64_t until_ns, bool *stopping)
{
	lock_acquire(&queue->lock);
	while (queue->first == NULL && !queue->stopping && until_ns > 0) {
		if (!lock_wait_until(&queue->lock, &queue->wake, until_ns))
			break;
	}
	struct store_write *chain = queue->first;
	queue->first = NULL;
	queue->last = &queue->first;
	queue->taken = queue->waiting;
	queue->waiting = 0;
	*stopping = queue->stopping;
	lock_release(&queue->lock);
	return chain;
}
