/* topic.c: a session that is watched: its events, and who comes and goes. */
#include <stdlib.h>

#include "server/live/internal.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

/* What a ring holds at most, but for its newest event: long entries are read from the log. */
#define RING_BYTES_MAX ((size_t)512 << 10)

/* ---- its life ---- */

static struct topic *topic_create(struct live *live, struct session *session)
{
	struct topic *topic = calloc(1, sizeof *topic);
	if (!topic)
		return NULL;
	*topic = (struct topic){.references = 1,
				.live = live,
				.key = session->meta.key,
				.size = session->meta.size,
				.session = session,
				.next = live->topics,
				.roster = roster_share(session->roster),
				.head = session->committed->revision,
				.ring_first = session->committed->revision};
	static const uint8_t nobody[BUDGET_CLIENT_BYTES];
	charge_begin(&topic->ring_charge, live->rings, nobody, false);
	pthread_mutex_init(&topic->lock, NULL);
	for (size_t i = 0; i < LIVE_OUTLETS; i++)
		topic->benches[i].topic = topic;
	if (live->topics)
		live->topics->previous = topic;
	live->topics = topic;
	session->topic = topic;
	session->pins++;
	return topic;
}

void topic_release(struct topic *topic)
{
	if (atomic_fetch_sub_explicit(&topic->references, 1, memory_order_acq_rel) > 1)
		return;
	for (size_t i = 0; i < LIVE_RING; i++)
		event_release(topic->ring[i]);
	charge_end(&topic->ring_charge);
	event_release(topic->crowd);
	event_release(topic->about);
	roster_release(topic->roster);
	presence_free(&topic->presence);
	pthread_mutex_destroy(&topic->lock);
	free(topic);
}

void topic_changed(struct topic *topic)
{
	for (size_t i = 0; i < LIVE_OUTLETS; i++)
		if (topic->benches[i].count > 0)
			outlet_dirty(&topic->live->outlets[i], &topic->benches[i]);
}

/* The session is left; the topic stays for those who still point to it. */
static void topic_end(struct topic *topic)
{
	struct live *live = topic->live;
	struct session *session = topic->session;
	*(topic->previous ? &topic->previous->next : &live->topics) = topic->next;
	if (topic->next)
		topic->next->previous = topic->previous;
	pthread_mutex_lock(&topic->lock);
	topic->ended = true;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
	topic->session = NULL;
	session->topic = NULL;
	session->pins--;
	topic_release(topic);
}

void live_end(struct session *session)
{
	topic_end(session->topic);
}

void live_renew(struct session *session)
{
	struct topic *old = topic_share(session->topic);
	topic_end(old);
	struct topic *topic = topic_create(old->live, session);
	if (topic) {
		presence_carry(topic, &old->presence, monotonic_ms());
		topic_settle(topic);
	}
	topic_release(old);
}

void topic_settle(struct topic *topic)
{
	if (topic->session && topic->watchers == 0 && topic->presence.leaving == 0)
		topic_end(topic);
}

unsigned topic_forms(const struct topic *topic)
{
	unsigned forms = 0;
	for (size_t form = 0; form < LIVE_FORMS; form++)
		forms |= topic->wanted[form] > 0 ? 1u << form : 0;
	return forms;
}

/* ---- its events ---- */

static void ring_take(struct topic *topic, uint32_t revision)
{
	struct event **place = &topic->ring[revision % LIVE_RING];
	if (*place) {
		topic->ring_bytes -= (*place)->bytes;
		charge_give(&topic->ring_charge, (*place)->bytes);
	}
	event_release(*place);
	*place = NULL;
}

/* By itself, or beside the others. A ring that is not counted is small enough in any case. */
static bool ring_too_large(const struct topic *topic)
{
	return topic->ring_bytes > RING_BYTES_MAX ||
	       (topic->ring_charge.held > 0 && !charge_ready(&topic->ring_charge));
}

/* The topic's lock. `event` NULL: those who want it find it in the log. */
static void ring_put(struct topic *topic, uint32_t revision, struct event *event)
{
	if (revision - topic->ring_first >= LIVE_RING)
		topic->ring_first = revision - LIVE_RING + 1;
	ring_take(topic, revision);
	topic->ring[revision % LIVE_RING] = event;
	if (event) {
		topic->ring_bytes += event->bytes;
		charge_force(&topic->ring_charge, event->bytes);
	}
	while (ring_too_large(topic) && topic->ring_first < revision)
		ring_take(topic, topic->ring_first++);
	topic->head = revision;
	topic_changed(topic);
}

static struct event *event_of_work(const struct topic *topic, const struct session *session,
				   const struct work *work)
{
	const struct store_write *write = &work->write;
	const struct cube *after = work->after->cube;
	bool solved = cube_is_solved(after) && !cube_is_solved(session->committed->cube);
	struct event *event = NULL;
	struct entry_reader reader;
	struct entry entry;
	entry_reader_init(&reader, topic->size, write->packed, write->packed_bytes, write->revision,
			  0);
	if (entry_reader_next(&reader, &entry) == ENTRY_READ)
		event = event_of_entry(topic->live, topic_forms(topic), &entry, after, topic->size,
				       session->roster, solved);
	entry_reader_finish(&reader);
	return event;
}

void live_about(struct session *session)
{
	struct topic *topic = session->topic;
	struct event *event = event_of_about(topic_forms(topic), &session->meta, 0);
	if (!event)
		return;
	pthread_mutex_lock(&topic->lock);
	event_release(topic->about);
	topic->about = event;
	topic->about_serial++;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
}

struct roster *topic_roster(struct topic *topic)
{
	pthread_mutex_lock(&topic->lock);
	struct roster *roster = roster_share(topic->roster);
	pthread_mutex_unlock(&topic->lock);
	return roster;
}

void live_tokens(struct session *session)
{
	struct topic *topic = session->topic;
	pthread_mutex_lock(&topic->lock);
	roster_release(topic->roster);
	topic->roster = roster_share(session->roster);
	pthread_mutex_unlock(&topic->lock);
}

void live_publish(struct session *session, const struct work *work)
{
	struct topic *topic = session->topic;
	struct event *event = topic->watchers > 0 ? event_of_work(topic, session, work) : NULL;
	if (event)
		meter_add(METER_PUBLISHED, 1);
	pthread_mutex_lock(&topic->lock);
	ring_put(topic, work->write.revision, event);
	pthread_mutex_unlock(&topic->lock);
}

void live_moved(struct session *session)
{
	struct topic *topic = session->topic;
	uint32_t revision = session->committed->revision;
	pthread_mutex_lock(&topic->lock);
	if (revision > topic->head)
		ring_put(topic, revision, NULL);
	pthread_mutex_unlock(&topic->lock);
}

/* ---- who comes and goes ---- */

static bool watcher_begin(struct watcher *watcher, const struct session *session,
			  const struct live_wish *wish)
{
	struct topic *topic = watcher->topic;
	uint32_t head = session->committed->revision;
	uint64_t replay = topic->live->service->config.limits.replay;
	bool far = wish->foreign || wish->after > head || head - wish->after > replay;
	watcher->cursor = wish->resume && !far ? wish->after : head;
	watcher->about_serial = topic->about_serial;
	/* It knows its entries, but not what the session was called meanwhile. */
	if (wish->resume && !far) {
		watcher->sending = event_of_about(1u << wish->form, &session->meta, wish->after);
		return watcher->sending != NULL;
	}
	if (wish->resume)
		meter_add(METER_RESYNCS, 1);
	watcher->sending = event_of_session(topic->live, wish->form,
					    wish->resume ? "resync" : "state", session);
	return watcher->sending != NULL;
}

static enum live_joined join(struct topic *topic, const struct live_wish *wish,
			     struct watcher **joined)
{
	int64_t now_ms = monotonic_ms();
	struct watcher *watcher = calloc(1, sizeof *watcher);
	if (!watcher)
		return LIVE_NO_MEMORY;
	*watcher = (struct watcher){.topic = topic, .form = wish->form};
	if (!watcher_begin(watcher, topic->session, wish)) {
		free(watcher);
		return LIVE_NO_MEMORY;
	}
	topic->wanted[wish->form]++;
	if (!presence_enter(topic, wish, now_ms, &watcher->label)) {
		topic->wanted[wish->form]--;
		event_release(watcher->sending);
		free(watcher);
		return LIVE_NO_MEMORY;
	}
	/* What is told soon need not be told now. */
	if (topic->presence.due_ms != 0)
		watcher->crowd_serial = topic->crowd_serial;
	topic_share(topic);
	*joined = watcher;
	return LIVE_JOINED;
}

enum live_joined live_join(struct work *work, const struct live_wish *wish,
			   struct watcher **watcher)
{
	struct session *session = work->session;
	const struct service *service = work->service;
	struct topic *topic = session->topic;
	if (topic && topic->watchers >= service->config.limits.watchers)
		return LIVE_FULL;
	/* A session that is watched stays in memory. */
	if (!topic && !hub_has_room(&work->service->hub))
		return LIVE_CROWDED;
	if (!topic)
		topic = topic_create(service->live, session);
	if (!topic)
		return LIVE_NO_MEMORY;
	enum live_joined joined = join(topic, wish, watcher);
	topic_settle(topic);
	return joined;
}

/* The service's lock: it is not counted any more. */
static void watcher_uncount(struct watcher *watcher)
{
	struct topic *topic = watcher->topic;
	topic->wanted[watcher->form]--;
	if (!watcher->outlet) {
		presence_withdraw(topic, watcher->label, monotonic_ms());
		return;
	}
	presence_leave(topic, watcher->label, monotonic_ms());
	pthread_mutex_lock(&topic->lock);
	topic->benches[watcher->outlet - topic->live->outlets].count--;
	pthread_mutex_unlock(&topic->lock);
}

static void bench_remove(struct watcher *watcher)
{
	struct topic *topic = watcher->topic;
	/* One that was refused after all has no outlet either. */
	if (!watcher->seated)
		return;
	struct bench *bench = &topic->benches[watcher->outlet - topic->live->outlets];
	*(watcher->previous ? &watcher->previous->next : &bench->first) = watcher->next;
	if (watcher->next)
		watcher->next->previous = watcher->previous;
	watcher->seated = false;
}

void watcher_free(struct watcher *watcher)
{
	event_release(watcher->sending);
	event_release(watcher->page);
	topic_release(watcher->topic);
	free(watcher);
}

void live_leave(struct watcher *watcher)
{
	struct live *live = watcher->topic->live;
	pthread_mutex_lock(&live->service->lock);
	watcher_uncount(watcher);
	pthread_mutex_unlock(&live->service->lock);
	bench_remove(watcher);
	/* What is under way comes to its outlet all the same. */
	if (watcher->coming)
		watcher->gone = true;
	else
		watcher_free(watcher);
}
