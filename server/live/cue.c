/* cue.c: what somebody shows to all who watch a session: the step of a lesson, or a reaction.
 *
 * A topic keeps the last one of each kind, until all who watch have it: a reaction does not replace
 * what is shown. Clients that come later get the last cue, but no reaction from before
 * (subscriber_place). Both go with the topic, when nobody has watched for a while. */
#include <stdlib.h>
#include <string.h>

#include "server/live/live_internal.h"
#include "server/util/monotonic.h"

/* A session that is not watched here stays a topic for so long after a cue was sent here, so that
 * other servers learn of it. */
#define HOLD_MS 5000

bool topic_show_cue(struct topic *topic, const struct live_cue *cue)
{
	lock_assert_held(&topic->live->options.sessions->lock);
	struct event *event = event_of_cue(topic, cue);
	if (!event)
		return false;
	topic->cue_ms[cue->kind] = cue->time_ms;
	pthread_mutex_lock(&topic->lock);
	struct event **last = &topic->cues[cue->kind];
	if (*last)
		charge_give(&topic->ring_charge, (*last)->bytes);
	charge_force(&topic->ring_charge, event->bytes);
	event_release(*last);
	*last = event;
	topic->cue_serials[cue->kind]++;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
	return true;
}

bool topic_keep_cue(struct topic *topic, const struct live_cue *cue)
{
	char *json = malloc(cue->json.length + 1);
	if (!json)
		return false;
	memcpy(json, cue->json.bytes, cue->json.length);
	json[cue->json.length] = '\0';
	free(topic->shared_cues[cue->kind].json);
	topic->shared_cues[cue->kind] =
		(struct shared_cue){.json = json,
				    .actor = cue->actor ? cue->actor->number : 0,
				    .time_ms = cue->time_ms};
	return true;
}

bool live_meet_for_cue(struct live *live, struct session *session, struct live_meeting *meeting)
{
	lock_assert_held(&live->options.sessions->lock);
	if (live->elsewhere && !live->stopped) {
		struct topic *topic = session->topic ? session->topic : topic_create(live, session);
		if (!topic)
			return false;
		topic->held_ms = monotonic_ms() + HOLD_MS;
		topic_time(topic);
		elsewhere_unmet(topic);
	}
	live_meet(live, meeting);
	return true;
}

bool live_send_cue(struct live *live, struct session *session, const struct live_cue *cue,
		   uint32_t *watchers)
{
	struct topic *topic = session->topic;
	struct live_cue sent = *cue;
	lock_assert_held(&live->options.sessions->lock);
	*watchers = 0;
	if (!topic)
		return true;
	/* Whatever the clocks of servers say, it comes after the last one that was sent. */
	if (sent.time_ms <= topic->cue_ms[cue->kind])
		sent.time_ms = topic->cue_ms[cue->kind] + 1;
	if ((live->elsewhere && !topic_keep_cue(topic, &sent)) || !topic_show_cue(topic, &sent))
		return false;
	elsewhere_unmet(topic);
	*watchers = topic->subscribers + topic->presence.elsewhere;
	live_flush(live);
	return true;
}
