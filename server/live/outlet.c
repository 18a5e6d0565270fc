/* outlet.c: who has something to send: the lists that publishers fill and one thread empties. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "server/live/internal.h"

/* Handfuls of others in one go, some 0.2 s, before what came meanwhile is seen to. */
#define HELP_MOST 500

bool outlet_open(struct outlet *outlet, struct live *live)
{
	outlet->live = live;
	pthread_mutex_init(&outlet->lock, NULL);
	turn_open(&outlet->turn);
	outlet->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return outlet->wake >= 0;
}

void outlet_close(struct outlet *outlet)
{
	round_drop(&outlet->round);
	while (outlet->dirty) {
		struct bench *next = outlet->dirty->next_dirty;
		topic_release(outlet->dirty->topic);
		outlet->dirty = next;
	}
	if (outlet->wake >= 0)
		close(outlet->wake);
	turn_close(&outlet->turn);
	pthread_mutex_destroy(&outlet->lock);
}

/* ---- what is left for it ---- */

/* The topic's lock is held: its benches are marked in the order of its events. */
void outlet_dirty(struct outlet *outlet, struct bench *bench)
{
	pthread_mutex_lock(&outlet->lock);
	if (!bench->dirty) {
		topic_share(bench->topic);
		bench->dirty = true;
		bench->next_dirty = outlet->dirty;
		outlet->dirty = bench;
	}
	pthread_mutex_unlock(&outlet->lock);
	atomic_store_explicit(&outlet->wanted, true, memory_order_relaxed);
}

void outlet_woken(struct watcher *watcher)
{
	struct outlet *outlet = watcher->outlet;
	pthread_mutex_lock(&outlet->lock);
	watcher->next_woken = outlet->woken;
	outlet->woken = watcher;
	pthread_mutex_unlock(&outlet->lock);
	atomic_store_explicit(&outlet->wanted, true, memory_order_relaxed);
}

void live_wake(struct live *live, unsigned number)
{
	ssize_t length = write(live->outlets[number].wake, &(uint64_t){1}, sizeof(uint64_t));
	(void)length;
}

void live_flush(struct live *live)
{
	for (unsigned i = 0; i < LIVE_OUTLETS; i++) {
		_Atomic bool *wanted = &live->outlets[i].wanted;
		if (atomic_load_explicit(wanted, memory_order_relaxed) &&
		    atomic_exchange(wanted, false))
			live_wake(live, i);
	}
}

int live_wake_fd(const struct live *live, unsigned outlet)
{
	return live->outlets[outlet].wake;
}

void live_start(struct watcher *watcher, unsigned number, void *seat)
{
	struct topic *topic = watcher->topic;
	watcher->outlet = &topic->live->outlets[number];
	watcher->seat = seat;
	watcher->coming = true;
	pthread_mutex_lock(&topic->lock);
	topic->benches[number].count++;
	pthread_mutex_unlock(&topic->lock);
	outlet_woken(watcher);
	live_wake(topic->live, number);
}

/* ---- a look at a topic ---- */

void round_drop(struct round *round)
{
	if (!round->topic)
		return;
	for (size_t i = 0; i < LIVE_RING; i++) {
		event_release(round->events[i]);
		round->events[i] = NULL;
	}
	event_release(round->crowd);
	event_release(round->about);
	round->crowd = round->about = NULL;
	topic_release(round->topic);
	round->topic = NULL;
}

void round_take(struct round *round, struct topic *topic, uint32_t first)
{
	round_drop(round);
	round->topic = topic_share(topic);
	pthread_mutex_lock(&topic->lock);
	round->head = topic->head;
	round->ended = topic->ended;
	round->first = topic->head > LIVE_RING && first < topic->head - LIVE_RING
			       ? topic->head - LIVE_RING
			       : first;
	for (uint32_t revision = round->first; revision < round->head;) {
		struct event *event = topic->ring[++revision % LIVE_RING];
		/* A place may still hold an older one, where an entry was not published. */
		if (event && event->revision == revision)
			round->events[revision % LIVE_RING] = event_share(event);
	}
	round->crowd = topic->crowd ? event_share(topic->crowd) : NULL;
	round->crowd_serial = topic->crowd_serial;
	round->about = topic->about ? event_share(topic->about) : NULL;
	round->about_serial = topic->about_serial;
	pthread_mutex_unlock(&topic->lock);
}

/* ---- its turn ---- */

static void bench_add(struct bench *bench, struct watcher *watcher)
{
	watcher->next = bench->first;
	if (bench->first)
		bench->first->previous = watcher;
	bench->first = watcher;
	watcher->seated = true;
}

/* New watchers take their seat, others have a page of the log. */
static void watcher_wake(struct outlet *outlet, struct watcher *watcher,
			 const struct live_calls *calls)
{
	struct topic *topic = watcher->topic;
	watcher->coming = false;
	if (watcher->gone) {
		watcher_free(watcher);
		return;
	}
	if (watcher->reading) {
		watcher->reading = false;
		watcher->sending = watcher->page;
		watcher->page = NULL;
		watcher->sent = 0;
		if (watcher->sending)
			watcher->cursor = watcher->sending->revision;
		else
			watcher->failed = true;
	}
	if (!watcher->seated)
		bench_add(&topic->benches[outlet - topic->live->outlets], watcher);
	live_look(watcher);
	if (!calls->send(watcher->seat))
		calls->end(watcher->seat);
}

static void bench_turn(struct outlet *outlet, struct bench *bench, const struct live_calls *calls)
{
	/* From here on it is marked anew. */
	pthread_mutex_lock(&outlet->lock);
	bench->dirty = false;
	pthread_mutex_unlock(&outlet->lock);
	round_take(&outlet->round, bench->topic, bench->seen);
	bench->seen = outlet->round.head;
	turn_run(&outlet->turn, bench->first, calls);
}

static bool outlet_is_idle(struct outlet *outlet)
{
	pthread_mutex_lock(&outlet->lock);
	bool idle = !outlet->dirty && !outlet->woken;
	pthread_mutex_unlock(&outlet->lock);
	return idle;
}

static void help_others(struct outlet *outlet, const struct live_calls *calls)
{
	struct outlet *outlets = outlet->live->outlets;
	int left = HELP_MOST;
	for (size_t i = 0; i < LIVE_OUTLETS; i++)
		while (left > 0 && outlet_is_idle(outlet) && turn_help(&outlets[i].turn, calls))
			left--;
}

void live_turn(struct live *live, unsigned number, const struct live_calls *calls)
{
	struct outlet *outlet = &live->outlets[number];
	pthread_mutex_lock(&outlet->lock);
	struct watcher *woken = outlet->woken;
	struct bench *dirty = outlet->dirty;
	outlet->woken = NULL;
	outlet->dirty = NULL;
	pthread_mutex_unlock(&outlet->lock);
	while (woken) {
		struct watcher *next = woken->next_woken;
		watcher_wake(outlet, woken, calls);
		woken = next;
	}
	while (dirty) {
		struct bench *next = dirty->next_dirty;
		struct topic *topic = dirty->topic;
		bench_turn(outlet, dirty, calls);
		topic_release(topic);
		dirty = next;
	}
	round_drop(&outlet->round);
	help_others(outlet, calls);
}
