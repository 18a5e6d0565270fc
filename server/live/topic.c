/* topic.c: a watched session: its events, and its subscribers. */
#include <stdlib.h>

#include "cube/cube.h"
#include "server/live/live_internal.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

/* The maximum size of a ring, apart from its newest event: long entries are read from the log. */
#define RING_BYTES_MAX ((size_t)512 << 10)

/* ---- lifetime ---- */

struct topic *topic_create(struct live *live, struct session *session)
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
				.access = session->meta.access,
				.rights_serial = 1,
				.head = session->committed->revision,
				.ring_first = session->committed->revision};
	session_id_print(&session->meta.id, topic->id);
	static const uint8_t nobody[BUDGET_CLIENT_BYTES];
	charge_begin(&topic->ring_charge, live->rings, nobody, false);
	pthread_mutex_init(&topic->lock, NULL);
	for (size_t i = 0; i < LIVE_SHARDS; i++)
		topic->per_shard[i].topic = topic;
	if (live->topics)
		live->topics->previous = topic;
	live->topics = topic;
	session->topic = topic;
	session->pins++;
	gate_follow(&live->options.sessions->gate, topic->key);
	if (live->options.sessions->gate.pool)
		live_wake(live, 0); /* changes are asked for from now on */
	return topic;
}

void topic_release(struct topic *topic)
{
	if (atomic_fetch_sub_explicit(&topic->references, 1, memory_order_acq_rel) > 1)
		return;
	for (size_t i = 0; i < LIVE_RING; i++)
		event_release(topic->ring[i]);
	charge_end(&topic->ring_charge);
	event_release(topic->presence_event);
	event_release(topic->about);
	for (size_t kind = 0; kind < LIVE_CUE_KINDS; kind++) {
		event_release(topic->cues[kind]);
		free(topic->shared_cues[kind].json);
	}
	roster_release(topic->roster);
	presence_free(&topic->presence);
	pthread_mutex_destroy(&topic->lock);
	free(topic);
}

void topic_changed(struct topic *topic)
{
	for (size_t i = 0; i < LIVE_SHARDS; i++)
		if (topic->per_shard[i].count > 0)
			shard_dirty(&topic->live->shards[i], &topic->per_shard[i]);
}

void topic_end(struct topic *topic)
{
	struct live *live = topic->live;
	struct session *session = topic->session;
	elsewhere_withdraw(topic);
	gate_unfollow(&live->options.sessions->gate, topic->key);
	*(topic->previous ? &topic->previous->next : &live->topics) = topic->next;
	if (topic->next)
		topic->next->previous = topic->previous;
	pthread_mutex_lock(&topic->lock);
	topic->ended = true;
	topic->deleted = session->meta.deleted;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
	topic->session = NULL;
	session->topic = NULL;
	session->pins--;
	topic_release(topic);
}

void topic_settle(struct topic *topic)
{
	if (topic->session && topic->subscribers == 0 && topic->presence.leaving == 0 &&
	    topic->held_ms <= monotonic_ms())
		topic_end(topic);
}

unsigned topic_forms(const struct topic *topic)
{
	unsigned forms = 0;
	for (size_t form = 0; form < LIVE_FORMS; form++)
		forms |= topic->wanted[form] > 0 ? 1u << form : 0;
	return forms;
}

/* ---- events ---- */

static void ring_remove(struct topic *topic, uint32_t revision)
{
	struct event **place = &topic->ring[revision % LIVE_RING];
	if (*place) {
		topic->ring_bytes -= (*place)->bytes;
		charge_give(&topic->ring_charge, (*place)->bytes);
	}
	event_release(*place);
	*place = NULL;
}

/* Alone, or together with the others. A ring that is not charged is small in any case. */
static bool ring_too_large(const struct topic *topic)
{
	return topic->ring_bytes > RING_BYTES_MAX ||
	       (topic->ring_charge.held > 0 && !charge_ready(&topic->ring_charge));
}

/* With the topic's lock. `event` NULL: subscribers find it in the log. */
static void ring_put(struct topic *topic, uint32_t revision, struct event *event)
{
	if (revision - topic->ring_first >= LIVE_RING)
		topic->ring_first = revision - LIVE_RING + 1;
	ring_remove(topic, revision);
	topic->ring[revision % LIVE_RING] = event;
	if (event) {
		topic->ring_bytes += event->bytes;
		charge_force(&topic->ring_charge, event->bytes);
	}
	while (ring_too_large(topic) && topic->ring_first < revision)
		ring_remove(topic, topic->ring_first++);
	topic->head = revision;
	topic_changed(topic);
}

static struct event *event_of_appended(const struct topic *topic, const struct history *before,
				       const struct appended *appended)
{
	const struct history *after = topic->session->committed;
	bool solved = cube_is_solved(after->cube) && !cube_is_solved(before->cube);
	struct event *event = NULL;
	struct entry_reader reader;
	struct entry entry;
	entry_reader_init(&reader, topic->size, appended->packed, appended->bytes,
			  appended->revision, appended->before_ms);
	if (entry_reader_next(&reader, &entry) == ENTRY_READ)
		event = event_of_entry(topic, topic_forms(topic), &entry, after, solved);
	entry_reader_finish(&reader);
	return event;
}

void topic_describe(struct topic *topic)
{
	struct event *event = event_of_about(topic, topic_forms(topic), topic->session, 0, false);
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

void topic_update_rights(struct topic *topic)
{
	pthread_mutex_lock(&topic->lock);
	roster_release(topic->roster);
	topic->roster = roster_share(topic->session->roster);
	topic->access = topic->session->meta.access;
	topic->rights_serial++;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
}

void topic_publish(struct topic *topic, const struct history *before,
		   const struct appended *appended)
{
	struct event *event =
		topic->subscribers > 0 ? event_of_appended(topic, before, appended) : NULL;
	if (event)
		meter_add(METER_PUBLISHED, 1);
	pthread_mutex_lock(&topic->lock);
	ring_put(topic, appended->revision, event);
	pthread_mutex_unlock(&topic->lock);
}

void topic_skip(struct topic *topic)
{
	uint32_t revision = topic->session->committed->revision;
	pthread_mutex_lock(&topic->lock);
	if (revision > topic->head)
		ring_put(topic, revision, NULL);
	pthread_mutex_unlock(&topic->lock);
}

/* ---- subscribers ---- */

static bool subscriber_begin(struct subscriber *subscriber, const struct session *session,
			     const struct subscribe_options *options)
{
	struct topic *topic = subscriber->topic;
	uint32_t head = session->committed->revision;
	uint64_t replay = topic->live->options.limits->replay;
	bool far = options->foreign || options->after > head || head - options->after > replay;
	subscriber->cursor = options->resume && !far ? options->after : head;
	subscriber->about_serial = topic->about_serial;
	/* It knows the entries, but not how the session's description changed meanwhile. */
	if (options->resume && !far) {
		subscriber->sending =
			event_of_about(topic, 1u << options->form, session, options->after, true);
		return subscriber->sending != NULL;
	}
	if (options->resume)
		meter_add(METER_RESYNCS, 1);
	subscriber->sending =
		event_of_session(topic, options->form, options->resume ? "resync" : "state",
				 session, options->token, true);
	return subscriber->sending != NULL;
}

static enum live_joined join(struct topic *topic, const struct subscribe_options *options,
			     struct subscriber **joined)
{
	int64_t now_ms = monotonic_ms();
	struct subscriber *subscriber = calloc(1, sizeof *subscriber);
	if (!subscriber)
		return LIVE_NO_MEMORY;
	*subscriber = (struct subscriber){.topic = topic,
					  .form = options->form,
					  .joined_ms = now_ms,
					  .token = options->token,
					  .rights_serial = topic->rights_serial};
	if (!subscriber_begin(subscriber, topic->session, options)) {
		free(subscriber);
		return LIVE_NO_MEMORY;
	}
	topic->wanted[options->form]++;
	if (!presence_enter(topic, options, now_ms, &subscriber->person)) {
		topic->wanted[options->form]--;
		event_release(subscriber->sending);
		free(subscriber);
		return LIVE_NO_MEMORY;
	}
	/* Presence that will be reported soon need not be reported now. */
	if (topic->presence.due_ms != 0)
		subscriber->presence_serial = topic->presence_serial;
	topic_share(topic);
	elsewhere_unmet(topic);
	*joined = subscriber;
	return LIVE_JOINED;
}

enum live_joined live_join(struct live *live, struct session *session,
			   const struct subscribe_options *options, struct subscriber **subscriber)
{
	struct topic *topic = session->topic;
	lock_assert_held(&live->options.sessions->lock);
	if (topic && topic->subscribers >= live->options.limits->watchers)
		return LIVE_FULL;
	/* A watched session stays in memory. */
	if (!topic && !session_cache_has_room(live->options.sessions))
		return LIVE_CROWDED;
	if (!topic)
		topic = topic_create(live, session);
	if (!topic)
		return LIVE_NO_MEMORY;
	enum live_joined joined = join(topic, options, subscriber);
	topic_settle(topic);
	return joined;
}

/* With the session cache's lock: it no longer counts. */
static void subscriber_uncount(struct subscriber *subscriber)
{
	struct topic *topic = subscriber->topic;
	topic->wanted[subscriber->form]--;
	if (!subscriber->shard) {
		presence_withdraw(topic, subscriber->person, monotonic_ms());
		return;
	}
	presence_leave(topic, subscriber->person, subscriber->joined_ms, monotonic_ms());
	pthread_mutex_lock(&topic->lock);
	topic->per_shard[subscriber->shard - topic->live->shards].count--;
	pthread_mutex_unlock(&topic->lock);
}

static void shard_subscribers_remove(struct subscriber *subscriber)
{
	struct topic *topic = subscriber->topic;
	/* One that was refused has no shard either. */
	if (!subscriber->listed)
		return;
	struct shard_subscribers *shard_subscribers =
		&topic->per_shard[subscriber->shard - topic->live->shards];
	*(subscriber->previous ? &subscriber->previous->next : &shard_subscribers->first) =
		subscriber->next;
	if (subscriber->next)
		subscriber->next->previous = subscriber->previous;
	subscriber->listed = false;
}

void subscriber_free(struct subscriber *subscriber)
{
	event_release(subscriber->sending);
	event_release(subscriber->page);
	if (subscriber->topic)
		topic_release(subscriber->topic);
	free(subscriber);
}

void live_leave(struct subscriber *subscriber)
{
	if (subscriber->bundle)
		bundle_leave(subscriber->bundle);
	else
		subscriber_leave(subscriber);
}

void subscriber_leave(struct subscriber *subscriber)
{
	struct live *live = subscriber->topic->live;
	lock_acquire(&live->options.sessions->lock);
	subscriber_uncount(subscriber);
	lock_release(&live->options.sessions->lock);
	shard_subscribers_remove(subscriber);
	/* A piece that is under way still reaches its shard. */
	if (subscriber->coming)
		subscriber->gone = true;
	else
		subscriber_free(subscriber);
}
