/* shard.c: which subscribers have something to send: the lists that publishers fill and one thread
 * empties. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "server/live/live_internal.h"

/* Batches of other shards taken in one go, some 0.2 s, before the shard's own new work is done. */
#define HELP_MOST 500

bool shard_open(struct shard *shard, struct live *live)
{
	shard->live = live;
	pthread_mutex_init(&shard->lock, NULL);
	shared_send_open(&shard->shared_send);
	shard->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return shard->wake >= 0;
}

void shard_close(struct shard *shard)
{
	round_drop(&shard->round);
	while (shard->dirty) {
		struct shard_subscribers *next = shard->dirty->next_dirty;
		topic_release(shard->dirty->topic);
		shard->dirty = next;
	}
	if (shard->wake >= 0)
		close(shard->wake);
	shared_send_close(&shard->shared_send);
	pthread_mutex_destroy(&shard->lock);
}

/* ---- marks and wake-ups ---- */

/* With the topic's lock: subscribers are marked in the order of events. */
void shard_dirty(struct shard *shard, struct shard_subscribers *shard_subscribers)
{
	pthread_mutex_lock(&shard->lock);
	if (!shard_subscribers->dirty) {
		topic_share(shard_subscribers->topic);
		shard_subscribers->dirty = true;
		shard_subscribers->next_dirty = shard->dirty;
		shard->dirty = shard_subscribers;
	}
	pthread_mutex_unlock(&shard->lock);
	atomic_store_explicit(&shard->wanted, true, memory_order_relaxed);
}

void shard_woken(struct subscriber *subscriber)
{
	struct shard *shard = subscriber->shard;
	pthread_mutex_lock(&shard->lock);
	subscriber->next_woken = shard->woken;
	shard->woken = subscriber;
	pthread_mutex_unlock(&shard->lock);
	atomic_store_explicit(&shard->wanted, true, memory_order_relaxed);
}

void live_wake(struct live *live, unsigned number)
{
	ssize_t length = write(live->shards[number].wake, &(uint64_t){1}, sizeof(uint64_t));
	(void)length;
}

void live_flush(struct live *live)
{
	for (unsigned i = 0; i < LIVE_SHARDS; i++) {
		_Atomic bool *wanted = &live->shards[i].wanted;
		if (atomic_load_explicit(wanted, memory_order_relaxed) &&
		    atomic_exchange(wanted, false))
			live_wake(live, i);
	}
}

int live_wake_fd(const struct live *live, unsigned shard)
{
	return live->shards[shard].wake;
}

void subscriber_place(struct subscriber *subscriber, unsigned number, void *stream)
{
	struct topic *topic = subscriber->topic;
	subscriber->shard = &topic->live->shards[number];
	subscriber->stream = stream;
	pthread_mutex_lock(&topic->lock);
	subscriber->cue_serials[LIVE_REACTION] = topic->cue_serials[LIVE_REACTION];
	topic->per_shard[number].count++;
	pthread_mutex_unlock(&topic->lock);
}

void live_start(struct subscriber *subscriber, unsigned number, void *stream)
{
	struct live *live =
		subscriber->bundle ? bundle_live(subscriber->bundle) : subscriber->topic->live;
	if (subscriber->bundle)
		bundle_place(subscriber->bundle, number, stream);
	else
		subscriber_place(subscriber, number, stream);
	subscriber->coming = true;
	/* From here on it is the shard's, which may end it at once. */
	shard_woken(subscriber);
	live_wake(live, number);
}

/* ---- rounds ---- */

void round_drop(struct round *round)
{
	if (!round->topic)
		return;
	for (size_t i = 0; i < LIVE_RING; i++) {
		event_release(round->events[i]);
		round->events[i] = NULL;
	}
	event_release(round->presence_event);
	event_release(round->about);
	round->presence_event = round->about = NULL;
	for (size_t kind = 0; kind < LIVE_CUE_KINDS; kind++) {
		event_release(round->cues[kind]);
		round->cues[kind] = NULL;
	}
	roster_release(round->roster);
	round->roster = NULL;
	topic_release(round->topic);
	round->topic = NULL;
}

void round_copy(struct round *round, struct topic *topic, uint32_t first)
{
	round_drop(round);
	round->topic = topic_share(topic);
	pthread_mutex_lock(&topic->lock);
	round->head = topic->head;
	round->ended = topic->ended;
	round->deleted = topic->deleted;
	round->roster = roster_share(topic->roster);
	round->access = topic->access;
	round->rights_serial = topic->rights_serial;
	round->first = topic->head > LIVE_RING && first < topic->head - LIVE_RING
			       ? topic->head - LIVE_RING
			       : first;
	for (uint32_t revision = round->first; revision < round->head;) {
		struct event *event = topic->ring[++revision % LIVE_RING];
		/* A slot may still hold an older event if an entry was not published. */
		if (event && event->revision == revision)
			round->events[revision % LIVE_RING] = event_share(event);
	}
	round->presence_event = topic->presence_event ? event_share(topic->presence_event) : NULL;
	round->presence_serial = topic->presence_serial;
	round->about = topic->about ? event_share(topic->about) : NULL;
	round->about_serial = topic->about_serial;
	for (size_t kind = 0; kind < LIVE_CUE_KINDS; kind++) {
		round->cues[kind] = topic->cues[kind] ? event_share(topic->cues[kind]) : NULL;
		round->cue_serials[kind] = topic->cue_serials[kind];
	}
	pthread_mutex_unlock(&topic->lock);
}

/* ---- turns of a shard ---- */

void shard_subscribers_add(struct subscriber *subscriber)
{
	struct topic *topic = subscriber->topic;
	struct shard_subscribers *shard_subscribers =
		&topic->per_shard[subscriber->shard - topic->live->shards];
	subscriber->next = shard_subscribers->first;
	if (shard_subscribers->first)
		shard_subscribers->first->previous = subscriber;
	shard_subscribers->first = subscriber;
	subscriber->listed = true;
}

/* New subscribers take their stream; others have a page of the log. */
static void subscriber_wake(struct subscriber *subscriber, const struct live_calls *calls)
{
	struct topic *topic = subscriber->topic;
	subscriber->coming = false;
	subscriber->due = true;
	if (subscriber->gone) {
		subscriber_free(subscriber);
		return;
	}
	if (subscriber->reading) {
		subscriber->reading = false;
		subscriber->sending = subscriber->page;
		subscriber->page = NULL;
		subscriber->sent = 0;
		if (subscriber->sending)
			subscriber->cursor = subscriber->sending->revision;
		else
			subscriber->failed = true;
	}
	if (subscriber->bundle && !topic)
		bundle_list(subscriber->bundle);
	else if (!subscriber->listed)
		shard_subscribers_add(subscriber);
	live_look(subscriber);
	void *stream = subscriber->stream; /* it may be freed by its last event */
	if (!calls->send(stream))
		calls->end(stream);
}

static void shard_subscribers_turn(struct shard *shard, struct shard_subscribers *shard_subscribers,
				   const struct live_calls *calls)
{
	/* From here on it can be marked again. */
	pthread_mutex_lock(&shard->lock);
	shard_subscribers->dirty = false;
	pthread_mutex_unlock(&shard->lock);
	round_copy(&shard->round, shard_subscribers->topic, shard_subscribers->seen);
	shard_subscribers->seen = shard->round.head;
	shared_send_run(&shard->shared_send, shard_subscribers->first, calls);
}

static bool shard_is_idle(struct shard *shard)
{
	pthread_mutex_lock(&shard->lock);
	bool idle = !shard->dirty && !shard->woken;
	pthread_mutex_unlock(&shard->lock);
	return idle;
}

static void help_others(struct shard *shard, const struct live_calls *calls)
{
	struct shard *shards = shard->live->shards;
	int left = HELP_MOST;
	for (size_t i = 0; i < LIVE_SHARDS; i++)
		while (left > 0 && shard_is_idle(shard) &&
		       shared_send_help(&shards[i].shared_send, calls))
			left--;
}

void live_turn(struct live *live, unsigned number, const struct live_calls *calls)
{
	struct shard *shard = &live->shards[number];
	pthread_mutex_lock(&shard->lock);
	struct subscriber *woken = shard->woken;
	struct shard_subscribers *dirty = shard->dirty;
	shard->woken = NULL;
	shard->dirty = NULL;
	pthread_mutex_unlock(&shard->lock);
	while (woken) {
		struct subscriber *next = woken->next_woken;
		subscriber_wake(woken, calls);
		woken = next;
	}
	while (dirty) {
		struct shard_subscribers *next = dirty->next_dirty;
		struct topic *topic = dirty->topic;
		shard_subscribers_turn(shard, dirty, calls);
		topic_release(topic);
		dirty = next;
	}
	round_drop(&shard->round);
	help_others(shard, calls);
}
