/* bundle.c: one stream of several sessions.
 *
 * A bundle is a subscriber of its own to no session, and one member for each: a subscriber like any
 * other, with its cursor, whose topic wakes its shard. Members have no socket. When one may have
 * something to send, its events are copied into the bundle's text, whole, and each event that has
 * an id gets that of the whole stream: what the client has of every session once it has this event.
 * Only then is anything sent. So the events of several sessions never run into each other, and what
 * is in the text counts as sent: either it arrives, or the stream ends and the client resumes from
 * the last id that did arrive.
 *
 * All of it runs on the shard's thread; helpers leave bundles alone. */
#include <stdio.h>
#include <stdlib.h>

#include "server/live/event_id.h"
#include "server/live/live_internal.h"

/* No more events are taken while this much waits to be sent. */
#define TEXT_BYTES 32768

struct member {
	struct subscriber *subscriber; /* NULL: it has ended, or was never there */
	char id[SESSION_ID_TEXT + 1];
	enum live_position position; /* its position in the text so far */
	uint32_t revision;           /* LIVE_AT: up to this entry */
};

struct bundle {
	struct subscriber *own; /* the stream of the HTTP layer */
	struct live *live;
	struct buffer text; /* to be sent */
	size_t sent;        /* of it */
	size_t count, open; /* members; those that may still send something */
	size_t first;       /* the member that comes first next time */
	struct member members[];
};

/* ---- members ---- */

struct subscriber *live_bundle(struct live *live, unsigned form, size_t most)
{
	struct bundle *bundle = calloc(1, sizeof *bundle + most * sizeof bundle->members[0]);
	struct subscriber *own = bundle ? calloc(1, sizeof *own) : NULL;
	if (!own) {
		free(bundle);
		return NULL;
	}
	*bundle = (struct bundle){.own = own, .live = live};
	*own = (struct subscriber){.bundle = bundle, .form = form | LIVE_MANY};
	if (!(form & LIVE_LINES))
		buffer_text(&bundle->text, LIVE_RETRY);
	return own;
}

static struct member *member_add(struct bundle *bundle, const struct session_id *id)
{
	struct member *member = &bundle->members[bundle->count++];
	*member = (struct member){0};
	session_id_print(id, member->id);
	return member;
}

enum live_joined live_bundle_join(struct subscriber *own, struct session *session,
				  const struct subscribe_options *options)
{
	struct bundle *bundle = own->bundle;
	struct subscribe_options joined_options = *options;
	struct subscriber *subscriber;
	joined_options.form = own->form;
	enum live_joined joined = live_join(bundle->live, session, &joined_options, &subscriber);
	if (joined != LIVE_JOINED)
		return joined;
	struct member *member = member_add(bundle, &session->meta.id);
	member->subscriber = subscriber;
	/* Its cursor is the head if it begins with the state, which is not sent yet. */
	if (options->resume && !options->foreign && subscriber->cursor == options->after) {
		member->position = LIVE_AT;
		member->revision = options->after;
	}
	subscriber->bundle = bundle;
	bundle->open++;
	return LIVE_JOINED;
}

size_t live_sessions(const struct subscriber *subscriber)
{
	return subscriber->bundle ? subscriber->bundle->count : 1;
}

/* ---- the text ---- */

static void id_write(struct bundle *bundle)
{
	struct buffer *text = &bundle->text;
	char part[SESSION_ID_TEXT + 16];
	char incarnation[INCARNATION_TEXT + 1];
	const struct store *store = bundle->live->options.store;
	store->operations->incarnation(store, incarnation);
	buffer_text(text, incarnation);
	char before = '-';
	for (size_t i = 0; i < bundle->count; i++) {
		const struct member *member = &bundle->members[i];
		if (member->position == LIVE_UNKNOWN)
			continue;
		int length =
			snprintf(part, sizeof part, "%c%.*s", before, LIVE_ID_PREFIX, member->id);
		if (member->position == LIVE_AT)
			snprintf(part + length, sizeof part - (size_t)length, "%lu",
				 (unsigned long)member->revision);
		buffer_text(text, part);
		before = '.';
	}
}

/* Returns the beginning of the id of an event; NULL if it has none. `end` is before what closes the
 * event. */
static const char *id_find(const char *event, const char *end, bool lines)
{
	const char *mark = lines ? LIVE_ID_IN_LINE : LIVE_ID_IN_EVENT;
	const size_t length = strlen(mark);
	const char *at = end;
	while (at > event && strchr("0123456789" LIVE_ENDED, at[-1]))
		at--;
	return at < end && (size_t)(at - event) > length && memcmp(at - length, mark, length) == 0
		       ? at
		       : NULL;
}

/* One event, with the id of the stream. */
static void event_copy(struct bundle *bundle, struct member *member, const char *event,
		       size_t length)
{
	const bool lines = bundle->own->form & LIVE_LINES;
	const size_t close = lines ? strlen("\"}\n") : strlen("\n\n");
	const char *end = event + length - close, *id = id_find(event, end, lines);
	if (!id) {
		buffer_add(&bundle->text, event, length);
		return;
	}
	member->position = memcmp(id, LIVE_ENDED, strlen(LIVE_ENDED)) == 0 ? LIVE_OVER : LIVE_AT;
	member->revision = (uint32_t)strtoul(id, NULL, 10);
	buffer_add(&bundle->text, event, (size_t)(id - event));
	id_write(bundle);
	buffer_add(&bundle->text, end, close);
}

/* Whole events, one after the other. */
static void events_copy(struct bundle *bundle, struct member *member, const char *events,
			size_t length)
{
	const char *close = bundle->own->form & LIVE_LINES ? "\n" : "\n\n";
	for (const char *at = events, *stop; at < events + length; at = stop) {
		stop = memmem(at, length - (size_t)(at - events), close, strlen(close));
		stop = stop ? stop + strlen(close) : events + length;
		event_copy(bundle, member, at, (size_t)(stop - at));
	}
}

void live_bundle_end(struct subscriber *own, const struct session_id *id, const char *reason)
{
	struct bundle *bundle = own->bundle;
	struct member *member = member_add(bundle, id);
	struct topic topic = {0};
	memcpy(topic.id, member->id, sizeof topic.id);
	member->position = LIVE_OVER;
	struct event *event = reason ? event_of_end(&topic, own->form, reason) : NULL;
	if (event)
		events_copy(bundle, member, event->text, event->length[own->form]);
	else if (reason)
		bundle->text.failed = true;
	event_release(event);
}

/* ---- sending ---- */

static void member_leave(struct bundle *bundle, struct member *member)
{
	struct subscriber *subscriber = member->subscriber;
	member->subscriber = NULL;
	subscriber->bundle = NULL;
	bundle->open--;
	subscriber_leave(subscriber);
}

/* Copies what is next for a member. False: the stream cannot go on. */
static bool member_copy(struct bundle *bundle, struct member *member)
{
	struct subscriber *subscriber = member->subscriber;
	struct iovec pieces[LIVE_PIECES];
	while (bundle->text.length < TEXT_BYTES) {
		int count = subscriber_fill(subscriber, pieces);
		subscriber->due = count > 0;
		if (count == 0)
			return true;
		if (count < 0 && !subscriber->end_made)
			return false;
		if (count < 0) {
			member_leave(bundle, member);
			return true;
		}
		size_t bytes = 0;
		for (int i = 0; i < count && bundle->text.length < TEXT_BYTES; i++) {
			events_copy(bundle, member, pieces[i].iov_base, pieces[i].iov_len);
			bytes += pieces[i].iov_len;
		}
		subscriber_sent(subscriber, bytes);
		if (bundle->text.failed)
			return false;
	}
	return true;
}

static bool members_copy(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->count && bundle->text.length < TEXT_BYTES; i++) {
		struct member *member = &bundle->members[(bundle->first + i) % bundle->count];
		if (member->subscriber && member->subscriber->due && !member_copy(bundle, member))
			return false;
	}
	bundle->first += bundle->count > 0;
	return true;
}

int bundle_fill(struct bundle *bundle, struct iovec *pieces)
{
	struct buffer *text = &bundle->text;
	if (bundle->sent == text->length) {
		buffer_free(text);
		*text = (struct buffer){0};
		bundle->sent = 0;
		if (!members_copy(bundle))
			return -1;
	}
	if (text->failed)
		return -1;
	if (text->length == 0)
		return bundle->open == 0 ? -1 : 0;
	pieces[0] = (struct iovec){text->bytes + bundle->sent, text->length - bundle->sent};
	return 1;
}

void bundle_sent(struct bundle *bundle, size_t bytes)
{
	bundle->sent += bytes;
}

struct live *bundle_live(const struct bundle *bundle)
{
	return bundle->live;
}

void bundle_place(struct bundle *bundle, unsigned shard, void *stream)
{
	for (size_t i = 0; i < bundle->count; i++)
		if (bundle->members[i].subscriber)
			subscriber_place(bundle->members[i].subscriber, shard, stream);
	bundle->own->shard = &bundle->live->shards[shard];
	bundle->own->stream = stream;
}

void bundle_list(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->count; i++) {
		struct subscriber *subscriber = bundle->members[i].subscriber;
		if (subscriber && !subscriber->listed) {
			shard_subscribers_add(subscriber);
			subscriber->due = true;
		}
	}
}

void bundle_leave(struct bundle *bundle)
{
	struct subscriber *own = bundle->own;
	for (size_t i = 0; i < bundle->count; i++)
		if (bundle->members[i].subscriber)
			member_leave(bundle, &bundle->members[i]);
	buffer_free(&bundle->text);
	free(bundle);
	/* As in subscriber_leave. */
	if (own->coming)
		own->gone = true;
	else
		subscriber_free(own);
}
