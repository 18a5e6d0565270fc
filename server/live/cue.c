/* cue.c: what somebody shows to all who watch a session: the step of a lesson, say.
 *
 * A topic keeps the last one, for clients that come later. It goes with the topic, when nobody has
 * watched for a while. */
#include "server/live/live_internal.h"

bool live_send_cue(struct session *session, const struct live_cue *cue, uint32_t *watchers)
{
	struct topic *topic = session->topic;
	*watchers = topic ? topic->subscribers : 0;
	if (!topic)
		return true;
	lock_assert_held(&topic->live->options.sessions->lock);
	struct event *event = event_of_cue(topic, cue);
	if (!event)
		return false;
	pthread_mutex_lock(&topic->lock);
	if (topic->cue)
		charge_give(&topic->ring_charge, topic->cue->bytes);
	charge_force(&topic->ring_charge, event->bytes);
	event_release(topic->cue);
	topic->cue = event;
	topic->cue_serial++;
	topic_changed(topic);
	pthread_mutex_unlock(&topic->lock);
	live_flush(topic->live);
	return true;
}
