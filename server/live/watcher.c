/* watcher.c: what is next for one watcher, and how much of it has left. On its outlet's thread. */
#include "server/live/internal.h"
#include "server/util/meters.h"

bool watcher_is_covered(const struct watcher *watcher)
{
	const struct round *round = &watcher->outlet->round;
	return round->topic == watcher->topic && watcher->cursor >= round->first;
}

static struct event *round_at(const struct round *round, uint32_t revision)
{
	return round->events[revision % LIVE_RING];
}

void live_look(struct watcher *watcher)
{
	round_drop(&watcher->outlet->round);
}

/* The whole state instead of what was missed. False: the session is not there any more, or memory
 * is out. */
static bool watcher_resync(struct watcher *watcher)
{
	struct topic *topic = watcher->topic;
	struct live *live = topic->live;
	pthread_mutex_lock(&live->service->lock);
	if (topic->session)
		watcher->sending = event_of_session(live, watcher->form, "resync", topic->session);
	pthread_mutex_unlock(&live->service->lock);
	if (!watcher->sending)
		return false;
	meter_add(METER_RESYNCS, 1);
	watcher->sent = 0;
	watcher->cursor = watcher->sending->revision;
	return true;
}

/* The ring has moved past it, or was not filled: to the log, or all at once. */
static bool watcher_behind(struct watcher *watcher, uint32_t head)
{
	uint64_t replay = watcher->topic->live->service->config.limits.replay;
	if (head - watcher->cursor > replay)
		return watcher_resync(watcher);
	watcher->reading = watcher->coming = replay_begin(watcher, head);
	return watcher->reading;
}

static int add_piece(struct iovec *piece, const struct event *event, enum live_form form,
		     size_t from)
{
	*piece = (struct iovec){(void *)(uintptr_t)(event->text + event->start[form] + from),
				event->length[form] - from};
	return 1;
}

/* What the session is, where that has changed; NULL: it is known. */
static const struct event *about_next(const struct watcher *watcher, const struct round *round)
{
	return round->about && round->about_serial != watcher->about_serial &&
			       round->about->length[watcher->form] > 0
		       ? round->about
		       : NULL;
}

/* What is half sent, then the ring, then what the session is, and who is there. */
static int gather(struct watcher *watcher, const struct round *round, struct iovec *pieces)
{
	enum live_form form = watcher->form;
	uint32_t next = watcher->cursor;
	int count = 0;
	if (watcher->sending)
		count += add_piece(pieces, watcher->sending, form, watcher->sent);
	while (count < LIVE_PIECES && next < round->head) {
		const struct event *event = round_at(round, next + 1);
		if (!event || event->length[form] == 0)
			return count;
		count += add_piece(&pieces[count], event, form, 0);
		next++;
	}
	const struct event *about = about_next(watcher, round);
	if (count < LIVE_PIECES && about)
		count += add_piece(&pieces[count], about, form, 0);
	if (count < LIVE_PIECES && round->crowd && round->crowd_serial != watcher->crowd_serial &&
	    round->crowd->length[form] > 0)
		count += add_piece(&pieces[count], round->crowd, form, 0);
	return count;
}

int live_fill(struct watcher *watcher, struct iovec *pieces)
{
	struct round *round = &watcher->outlet->round;
	if (watcher->failed)
		return -1;
	if (watcher->reading)
		return 0;
	if (!watcher_is_covered(watcher))
		round_take(round, watcher->topic, watcher->cursor);
	if (round->first <= watcher->cursor || watcher->sending) {
		int count =
			round->first <= watcher->cursor
				? gather(watcher, round, pieces)
				: add_piece(pieces, watcher->sending, watcher->form, watcher->sent);
		if (count > 0)
			return count;
		if (watcher->cursor >= round->head)
			return round->ended ? -1 : 0;
	}
	if (!watcher_behind(watcher, round->head))
		return -1;
	return watcher->sending ? add_piece(pieces, watcher->sending, watcher->form, watcher->sent)
				: 0;
}

void live_sent(struct watcher *watcher, size_t bytes)
{
	const struct round *round = &watcher->outlet->round;
	uint32_t before = watcher->cursor;
	meter_add(METER_SENT_BYTES, bytes);
	if (watcher->sending) {
		size_t left = watcher->sending->length[watcher->form] - watcher->sent;
		if (bytes < left) {
			watcher->sent += bytes;
			return;
		}
		bytes -= left;
		event_release(watcher->sending);
		watcher->sending = NULL;
	}
	while (bytes > 0) {
		struct event *event;
		if (watcher->cursor < round->head) {
			event = round_at(round, ++watcher->cursor);
		} else if (about_next(watcher, round)) {
			event = round->about;
			watcher->about_serial = round->about_serial;
		} else {
			event = round->crowd;
			watcher->crowd_serial = round->crowd_serial;
		}
		size_t length = event->length[watcher->form];
		if (bytes < length) {
			watcher->sending = event_share(event);
			watcher->sent = bytes;
			break;
		}
		bytes -= length;
	}
	if (watcher->cursor > before)
		meter_add(METER_SENT, watcher->cursor - before);
}
