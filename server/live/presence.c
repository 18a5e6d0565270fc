/* presence.c: how many watch, and who: reported some time after it changes, so that many joining at
 * once are one event; a subscriber that leaves counts as present for GRACE_S, so reconnecting goes
 * unnoticed.
 *
 * Each event has the complete presence: a slow subscriber that misses one gets it all with the
 * next. */
#include <stdio.h>
#include <stdlib.h>

#include "server/live/live_internal.h"

/* The time between two events: the more subscribers, the more each event costs. */
#define TELL_MS 250
#define TELL_WATCHERS_PER_MS 10
#define SECOND_MS 1000
/* The end of a connection is noticed at most so long after the beginning of the next one. */
#define REPLACED_MS 500

static struct person *person_find(struct presence *presence, uint32_t token)
{
	struct person *person = presence->people;
	while (person && person->token != token)
		person = person->next;
	return person;
}

static uint32_t *slot(struct person *person, int64_t second)
{
	return &person->leaving[second % GRACE_SLOTS];
}

uint32_t person_watchers_here(const struct person *person)
{
	uint32_t count = person->present;
	for (size_t i = 0; i < GRACE_SLOTS; i++)
		count += person->leaving[i];
	return count;
}

static bool person_is_gone(const struct person *person)
{
	return person_watchers_here(person) == 0 && person->elsewhere == 0;
}

void presence_changed(struct topic *topic, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	if (presence->due_ms == 0) {
		presence->due_ms = now_ms + TELL_MS + topic->subscribers / TELL_WATCHERS_PER_MS;
		topic_time(topic);
		live_wake(topic->live, 0);
	}
}

/* The last one that left with this token comes back. */
static bool person_return(struct presence *presence, struct person *person)
{
	for (int64_t second = presence->second; second > presence->second - GRACE_SLOTS; second--)
		if (second >= 0 && *slot(person, second) > 0) {
			--*slot(person, second);
			presence->leaving--;
			return true;
		}
	return false;
}

/* Returns true if there is an event with the present state in that form. */
static bool presence_is_told(const struct topic *topic, unsigned form)
{
	return topic->presence.due_ms == 0 && topic->presence_event &&
	       topic->presence_event->length[form] > 0;
}

static struct person *person_add(struct presence *presence, uint32_t token)
{
	struct person *person = calloc(1, sizeof *person);
	if (!person)
		return NULL;
	person->token = token;
	person->next = presence->people;
	presence->people = person;
	return person;
}

bool presence_enter(struct topic *topic, const struct subscribe_options *options, int64_t now_ms,
		    struct person **entered)
{
	struct presence *presence = &topic->presence;
	struct person *person = person_find(presence, options->token);
	if (!person)
		person = person_add(presence, options->token);
	if (!person)
		return false;
	person->present++;
	topic->subscribers++;
	*entered = person;
	bool returned = person_return(presence, person);
	if (!returned)
		person->newest_ms = now_ms;
	if (!returned || !presence_is_told(topic, options->form))
		presence_changed(topic, now_ms);
	return true;
}

/* Returns true if a subscriber that came later, a moment ago, is probably the same client. */
static bool person_replaced(struct person *person, int64_t joined_ms, int64_t now_ms)
{
	bool replaced = person->newest_ms > joined_ms && now_ms - person->newest_ms < REPLACED_MS;
	if (replaced)
		person->newest_ms = 0; /* it replaces one */
	return replaced;
}

void presence_leave(struct topic *topic, struct person *person, int64_t joined_ms, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	int64_t second = now_ms / SECOND_MS;
	person->present--;
	topic->subscribers--;
	if (person_replaced(person, joined_ms, now_ms)) {
		presence_changed(topic, now_ms);
		return;
	}
	if (presence->leaving == 0)
		presence->second = second;
	/* Ticks may be late: what is too old shares the last slot. */
	++*slot(person, presence->second);
	presence->leaving++;
	topic_time(topic);
}

void presence_withdraw(struct topic *topic, struct person *person, int64_t now_ms)
{
	person->present--;
	topic->subscribers--;
	presence_changed(topic, now_ms);
}

static void presence_expire(struct topic *topic, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	int64_t now = now_ms / SECOND_MS;
	for (int slots = 0; presence->second < now && slots < GRACE_SLOTS; slots++) {
		presence->second++;
		for (struct person *person = presence->people; person; person = person->next) {
			uint32_t *leaving = slot(person, presence->second);
			if (*leaving == 0)
				continue;
			presence->leaving -= *leaving;
			*leaving = 0;
			presence_changed(topic, now_ms);
		}
	}
	presence->second = now;
}

/* Notes the names that were reported, and forgets who is gone. */
static void presence_mark_reported(struct topic *topic)
{
	for (struct person **at = &topic->presence.people; *at;) {
		struct person *person = *at;
		const struct stored_token *token = roster_at(topic->roster, person->token);
		if (person_is_gone(person)) {
			*at = person->next;
			free(person);
		} else {
			snprintf(person->reported, sizeof person->reported, "%s",
				 token ? token->label : "");
			at = &person->next;
		}
	}
}

static void presence_report(struct topic *topic)
{
	struct presence *presence = &topic->presence;
	uint32_t count = topic->subscribers + presence->leaving + presence->elsewhere;
	struct event *event = event_of_presence(topic, topic_forms(topic), count, presence->people);
	presence->due_ms = 0;
	presence_mark_reported(topic);
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

/* ---- other servers ---- */

void presence_hear_begin(struct topic *topic)
{
	for (struct person *person = topic->presence.people; person; person = person->next)
		person->heard = 0;
}

/* Out of memory: the next round reports it again. */
void presence_hear(struct topic *topic, uint32_t token, uint32_t watchers)
{
	struct person *person = person_find(&topic->presence, token);
	if (!person)
		person = person_add(&topic->presence, token);
	if (person)
		person->heard += watchers;
}

void presence_hear_end(struct topic *topic, int64_t now_ms)
{
	struct presence *presence = &topic->presence;
	bool changed = false;
	presence->elsewhere = 0;
	for (struct person *person = presence->people; person; person = person->next) {
		changed = changed || person->elsewhere != person->heard;
		person->elsewhere = person->heard;
		presence->elsewhere += person->elsewhere;
	}
	if (changed)
		presence_changed(topic, now_ms);
}

void presence_free(struct presence *presence)
{
	while (presence->people) {
		struct person *next = presence->people->next;
		free(presence->people);
		presence->people = next;
	}
}
