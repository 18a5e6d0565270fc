/* shared_send.c: sending an event to a shard's subscribers with the help of other shards.
 *
 * Subscribers are spread evenly among shards, but cores are not equally fast: one has other work,
 * or is slowed by a neighbour. So a shard that has finished its own sends helps the others, a batch
 * of subscribers at a time, and the last of many gets an event sooner. A helper only sends.
 * Whatever changes the list of subscribers or the round is left to the shard's own thread, which
 * waits until no helper is sending; so are streams of several sessions. */
#include "server/live/live_internal.h"

/* Some 0.4 ms of sending: one lock for that many costs nothing, and the wait for the last batch is
 * short. */
#define BATCH 32

void shared_send_open(struct shared_send *shared_send)
{
	pthread_mutex_init(&shared_send->lock, NULL);
	pthread_cond_init(&shared_send->done, NULL);
}

void shared_send_close(struct shared_send *shared_send)
{
	pthread_cond_destroy(&shared_send->done);
	pthread_mutex_destroy(&shared_send->lock);
}

static size_t shared_send_claim(struct shared_send *shared_send, struct subscriber *taken[BATCH])
{
	size_t count = 0;
	pthread_mutex_lock(&shared_send->lock);
	for (; count < BATCH && shared_send->next; shared_send->next = shared_send->next->next)
		taken[count++] = shared_send->next;
	shared_send->helpers += count > 0;
	pthread_mutex_unlock(&shared_send->lock);
	return count;
}

static void shared_send_give_back(struct shared_send *shared_send, struct subscriber *const left[],
				  size_t count)
{
	pthread_mutex_lock(&shared_send->lock);
	for (size_t i = 0; i < count; i++) {
		left[i]->next_left = shared_send->left;
		shared_send->left = left[i];
	}
	if (--shared_send->helpers == 0)
		pthread_cond_signal(&shared_send->done);
	pthread_mutex_unlock(&shared_send->lock);
}

bool shared_send_help(struct shared_send *shared_send, const struct live_calls *calls)
{
	struct subscriber *subscribers[BATCH];
	size_t count = shared_send_claim(shared_send, subscribers), left = 0;
	if (count == 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (subscribers[i]->bundle || !subscriber_is_covered(subscribers[i]) ||
		    !calls->send(subscribers[i]->stream))
			subscribers[left++] = subscribers[i];
	shared_send_give_back(shared_send, subscribers, left);
	return true;
}

void shared_send_run(struct shared_send *shared_send, struct subscriber *first,
		     const struct live_calls *calls)
{
	pthread_mutex_lock(&shared_send->lock);
	shared_send->next = first;
	pthread_mutex_unlock(&shared_send->lock);
	while (shared_send_help(shared_send, calls))
		continue;
	pthread_mutex_lock(&shared_send->lock);
	while (shared_send->helpers > 0)
		pthread_cond_wait(&shared_send->done, &shared_send->lock);
	struct subscriber *left = shared_send->left;
	shared_send->left = NULL;
	pthread_mutex_unlock(&shared_send->lock);
	while (left) {
		struct subscriber *next = left->next_left;
		void *stream = left->stream;
		left->due = true;
		/* A member of a bundle may be freed by its last event. */
		if (!calls->send(stream))
			calls->end(stream);
		left = next;
	}
}
