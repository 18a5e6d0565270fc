/* subscriber.c: what is next for one subscriber, and how much of it was sent. On its shard's
 * thread. */
#include "server/live/live_internal.h"
#include "server/util/meters.h"

bool subscriber_is_covered(const struct subscriber *subscriber)
{
	const struct round *round = &subscriber->shard->round;
	return round->topic == subscriber->topic && subscriber->cursor >= round->first;
}

static struct event *round_at(const struct round *round, uint32_t revision)
{
	return round->events[revision % LIVE_RING];
}

void live_look(struct subscriber *subscriber)
{
	round_drop(&subscriber->shard->round);
}

static bool may_watch(const struct subscriber *subscriber, const struct round *round)
{
	if (subscriber->token == 0)
		return !round->roster || round->access != ACCESS_NONE;
	const struct stored_token *token = roster_at(round->roster, subscriber->token);
	return token && token->revoked_ms == 0;
}

/* From here on only what is partly sent is finished, then comes the end. */
static void subscriber_end(struct subscriber *subscriber, const char *reason)
{
	subscriber->ending = reason;
	if (subscriber->sending && subscriber->sent == 0) {
		event_release(subscriber->sending);
		subscriber->sending = NULL;
	}
}

/* Ends the subscriber if its right to watch has ended. What was published since then is in no round
 * without the rights of that moment. */
static void check_rights(struct subscriber *subscriber, const struct round *round)
{
	if (subscriber->ending || subscriber->rights_serial == round->rights_serial)
		return;
	subscriber->rights_serial = round->rights_serial;
	if (!may_watch(subscriber, round))
		subscriber_end(subscriber, LIVE_REVOKED);
}

/* The whole state instead of what was missed. False: the session has ended, or out of memory. */
static bool subscriber_resync(struct subscriber *subscriber)
{
	struct topic *topic = subscriber->topic;
	struct live *live = topic->live;
	lock_acquire(&live->options.sessions->lock);
	if (topic->session)
		subscriber->sending = event_of_session(topic, subscriber->form, "resync",
						       topic->session, subscriber->token, false);
	lock_release(&live->options.sessions->lock);
	if (!subscriber->sending)
		return false;
	meter_add(METER_RESYNCS, 1);
	subscriber->sent = 0;
	subscriber->cursor = subscriber->sending->revision;
	return true;
}

/* The ring has moved past it, or was not filled: reads the log, or sends the whole state. */
static bool subscriber_behind(struct subscriber *subscriber, uint32_t head)
{
	uint64_t replay = subscriber->topic->live->options.limits->replay;
	if (head - subscriber->cursor > replay)
		return subscriber_resync(subscriber);
	subscriber->reading = subscriber->coming = replay_begin(subscriber, head);
	return subscriber->reading;
}

static int add_piece(struct iovec *piece, const struct event *event, unsigned form, size_t from)
{
	*piece = (struct iovec){(void *)(uintptr_t)(event->text + event->start[form] + from),
				event->length[form] - from};
	return 1;
}

/* The `about` event if it changed; NULL: already sent. */
static const struct event *about_next(const struct subscriber *subscriber,
				      const struct round *round)
{
	return round->about && round->about_serial != subscriber->about_serial &&
			       round->about->length[subscriber->form] > 0
		       ? round->about
		       : NULL;
}

/* The same of presence. */
static const struct event *presence_next(const struct subscriber *subscriber,
					 const struct round *round)
{
	return round->presence_event && round->presence_serial != subscriber->presence_serial &&
			       round->presence_event->length[subscriber->form] > 0
		       ? round->presence_event
		       : NULL;
}

/* The same of the last cue of a kind. */
static const struct event *cue_next(const struct subscriber *subscriber, const struct round *round,
				    enum live_cue_kind kind)
{
	return round->cue_serials[kind] != subscriber->cue_serials[kind] ? round->cues[kind] : NULL;
}

/* Gathers the rest of a partly sent piece, then the ring, then the session's description, presence
 * and the cues. */
static int gather(struct subscriber *subscriber, const struct round *round, struct iovec *pieces)
{
	unsigned form = subscriber->form;
	uint32_t next = subscriber->cursor;
	int count = 0;
	if (subscriber->sending)
		count += add_piece(pieces, subscriber->sending, form, subscriber->sent);
	while (count < LIVE_PIECES && next < round->head) {
		const struct event *event = round_at(round, next + 1);
		if (!event || event->length[form] == 0)
			return count;
		count += add_piece(&pieces[count], event, form, 0);
		next++;
	}
	const struct event *const others[] = {
		about_next(subscriber, round), presence_next(subscriber, round),
		cue_next(subscriber, round, LIVE_CUE), cue_next(subscriber, round, LIVE_REACTION)};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (count < LIVE_PIECES && others[i])
			count += add_piece(&pieces[count], others[i], form, 0);
	return count;
}

static int fill_end(struct subscriber *subscriber, struct iovec *pieces)
{
	if (!subscriber->sending && !subscriber->end_made) {
		subscriber->end_made = true;
		subscriber->sent = 0;
		subscriber->sending =
			event_of_end(subscriber->topic, subscriber->form, subscriber->ending);
	}
	return subscriber->sending
		       ? add_piece(pieces, subscriber->sending, subscriber->form, subscriber->sent)
		       : -1;
}

/* The session has ended, and all of it is sent. */
static int fill_ended(struct subscriber *subscriber, const struct round *round,
		      struct iovec *pieces)
{
	if (!round->deleted)
		return -1;
	subscriber_end(subscriber, LIVE_DELETED);
	return fill_end(subscriber, pieces);
}

int subscriber_fill(struct subscriber *subscriber, struct iovec *pieces)
{
	struct round *round = &subscriber->shard->round;
	if (subscriber->failed)
		return -1;
	if (subscriber->reading)
		return 0;
	if (!subscriber_is_covered(subscriber))
		round_copy(round, subscriber->topic, subscriber->cursor);
	check_rights(subscriber, round);
	if (subscriber->ending)
		return fill_end(subscriber, pieces);
	if (round->first <= subscriber->cursor || subscriber->sending) {
		int count = round->first <= subscriber->cursor
				    ? gather(subscriber, round, pieces)
				    : add_piece(pieces, subscriber->sending, subscriber->form,
						subscriber->sent);
		if (count > 0)
			return count;
		if (subscriber->cursor >= round->head)
			return round->ended ? fill_ended(subscriber, round, pieces) : 0;
	}
	if (!subscriber_behind(subscriber, round->head))
		return round->ended ? fill_ended(subscriber, round, pieces) : -1;
	return subscriber->sending
		       ? add_piece(pieces, subscriber->sending, subscriber->form, subscriber->sent)
		       : 0;
}

int live_fill(struct subscriber *subscriber, struct iovec *pieces)
{
	return subscriber->bundle ? bundle_fill(subscriber->bundle, pieces)
				  : subscriber_fill(subscriber, pieces);
}

void live_sent(struct subscriber *subscriber, size_t bytes)
{
	meter_add(METER_SENT_BYTES, bytes);
	if (subscriber->bundle)
		bundle_sent(subscriber->bundle, bytes);
	else
		subscriber_sent(subscriber, bytes);
}

void subscriber_sent(struct subscriber *subscriber, size_t bytes)
{
	const struct round *round = &subscriber->shard->round;
	uint32_t before = subscriber->cursor;
	if (subscriber->sending) {
		size_t left = subscriber->sending->length[subscriber->form] - subscriber->sent;
		if (bytes < left) {
			subscriber->sent += bytes;
			return;
		}
		bytes -= left;
		event_release(subscriber->sending);
		subscriber->sending = NULL;
	}
	while (bytes > 0) {
		struct event *event;
		if (subscriber->cursor < round->head) {
			event = round_at(round, ++subscriber->cursor);
		} else if (about_next(subscriber, round)) {
			event = round->about;
			subscriber->about_serial = round->about_serial;
		} else if (presence_next(subscriber, round)) {
			event = round->presence_event;
			subscriber->presence_serial = round->presence_serial;
		} else {
			const enum live_cue_kind kind =
				cue_next(subscriber, round, LIVE_CUE) ? LIVE_CUE : LIVE_REACTION;
			event = round->cues[kind];
			subscriber->cue_serials[kind] = round->cue_serials[kind];
		}
		size_t length = event->length[subscriber->form];
		if (bytes < length) {
			subscriber->sending = event_share(event);
			subscriber->sent = bytes;
			break;
		}
		bytes -= length;
	}
	if (subscriber->cursor > before)
		meter_add(METER_SENT, subscriber->cursor - before);
}
