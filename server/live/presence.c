/* presence.c: how many watch, and who: reported some time after it changes, so that many joining at
 * once are one event; a subscriber that leaves counts as present for GRACE_S, so reconnecting goes
 * unnoticed.
 *
 * Each event has the complete presence: a slow subscriber that misses one gets it all with the
 * next. */
#include <stdlib.h>

#include "server/live/live_internal.h"

/* The time between two events: the more subscribers, the more each event costs. */
#define TELL_MS 250
#define TELL_WATCHERS_PER_MS 10
#define SECOND_MS 1000

static struct label *label_find(struct presence *presence, const char *name)
{
	struct label *label = presence->labels;
	while (label && strcmp(label->name, name) != 0)
		label = label->next;
	return label;
}

static uint32_t *slot(struct label *label, int64_t second)
{
	return &label->leaving[second % GRACE_SLOTS];
}

static bool label_is_empty(const struct label *label)
{
	for (size_t i = 0; i < GRACE_SLOTS; i++)
		if (label->leaving[i] > 0)
			return false;
	return label->present == 0;
}

static void presence_changed(struct topic *topic, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	if (presence->due_ms == 0) {
		presence->due_ms = now_ms + TELL_MS + topic->subscribers / TELL_WATCHERS_PER_MS;
		topic_time(topic);
		live_wake(topic->live, 0);
	}
}

/* The last one that left under this name comes back. */
static bool label_return(struct presence *presence, struct label *label)
{
	for (int64_t second = presence->second; second > presence->second - GRACE_SLOTS; second--)
		if (second >= 0 && *slot(label, second) > 0) {
			--*slot(label, second);
			presence->leaving--;
			return true;
		}
	return false;
}

/* Whether there is an event with the present state in that form. */
static bool presence_is_told(const struct topic *topic, unsigned form)
{
	return topic->presence.due_ms == 0 && topic->presence_event &&
	       topic->presence_event->length[form] > 0;
}

bool presence_enter(struct topic *topic, const struct subscribe_options *options, int64_t now_ms,
		    struct label **entered)
{
	struct presence *presence = &topic->presence;
	const char *name = options->name ? options->name : "";
	struct label *label = label_find(presence, name);
	if (!label) {
		label = calloc(1, sizeof *label);
		if (!label)
			return false;
		strncpy(label->name, name, LIVE_NAME_BYTES);
		label->next = presence->labels;
		presence->labels = label;
	}
	label->present++;
	topic->subscribers++;
	*entered = label;
	if (!label_return(presence, label) || !presence_is_told(topic, options->form))
		presence_changed(topic, now_ms);
	return true;
}

void presence_leave(struct topic *topic, struct label *label, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	int64_t second = now_ms / SECOND_MS;
	label->present--;
	topic->subscribers--;
	if (presence->leaving == 0)
		presence->second = second;
	/* Ticks may be late: what is too old shares the last slot. */
	++*slot(label, presence->second);
	presence->leaving++;
	topic_time(topic);
}

void presence_withdraw(struct topic *topic, struct label *label, int64_t now_ms)
{
	label->present--;
	topic->subscribers--;
	presence_changed(topic, now_ms);
}

static void presence_expire(struct topic *topic, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	int64_t now = now_ms / SECOND_MS;
	for (int slots = 0; presence->second < now && slots < GRACE_SLOTS; slots++) {
		presence->second++;
		for (struct label *label = presence->labels; label; label = label->next) {
			uint32_t *leaving = slot(label, presence->second);
			if (*leaving == 0)
				continue;
			presence->leaving -= *leaving;
			*leaving = 0;
			presence_changed(topic, now_ms);
		}
	}
	presence->second = now;
}

/* Marks all names present as reported, and forgets the names that are gone. */
static void presence_mark_reported(struct presence *presence)
{
	for (struct label **at = &presence->labels; *at;) {
		struct label *label = *at;
		label->reported = !label_is_empty(label);
		if (label->reported) {
			at = &label->next;
		} else {
			*at = label->next;
			free(label);
		}
	}
}

static void presence_report(struct topic *topic)
{
	struct presence *presence = &topic->presence;
	uint32_t count = topic->subscribers + presence->leaving;
	struct event *event = event_of_presence(topic, topic_forms(topic), count, presence->labels);
	presence->due_ms = 0;
	presence_mark_reported(presence);
	if (!event)
		return;
	pthread_mutex_lock(&topic->lock);
	event_release(topic->presence_event);
	topic->presence_event = event;
	topic->presence_serial++;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
}

int64_t presence_tick(struct topic *topic, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	if (presence->leaving > 0)
		presence_expire(topic, now_ms);
	if (presence->due_ms != 0 && presence->due_ms <= now_ms)
		presence_report(topic);
	int64_t wait_ms = presence->leaving > 0 ? SECOND_MS - now_ms % SECOND_MS : -1;
	if (presence->due_ms != 0 && (wait_ms < 0 || presence->due_ms - now_ms < wait_ms))
		wait_ms = presence->due_ms - now_ms;
	return wait_ms;
}

void presence_free(struct presence *presence)
{
	while (presence->labels) {
		struct label *next = presence->labels->next;
		free(presence->labels);
		presence->labels = next;
	}
}
