/* event.c: the texts of events: Server-Sent Events, and the same as lines of JSON.
 *
 *     event: entry                  {"event":"entry","id":"5f3a-17","data":{...}}
 *     id: 5f3a-17
 *     data: {...}
 *
 * In a stream of several sessions the data says which session it is, and the id comes last: here it
 * is the revision alone, and bundle.c puts the id of the whole stream in its place.
 *
 *     event: entry                  {"event":"entry","data":{"session":"...",...},"id":"17"}
 *     data: {"session":"...",...}
 *     id: 17
 *
 * JSON has no raw line breaks, so one line is enough for either. */
#include <stdio.h>
#include <stdlib.h>

#include "server/format/cube_out.h"
#include "server/format/session_out.h"
#include "server/live/event_id.h"
#include "server/live/live_internal.h"

/* Longer entries are not listed turn by turn with the lock held: their subscribers read the log. */
#define TURNS_AT_ONCE 32

struct event *event_share(struct event *event)
{
	atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
	return event;
}

void event_release(struct event *event)
{
	if (event && atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) == 1)
		free(event);
}

static bool form_is_lines(unsigned form)
{
	return form & LIVE_LINES;
}

/* Up to the data's first member. `id`: "" for an event without one. */
static void frame_open(struct out *out, const struct topic *topic, unsigned form, const char *name,
		       const char *id)
{
	bool lines = form_is_lines(form);
	buffer_text(out->buffer, lines ? "{\"event\":\"" : "event: ");
	buffer_text(out->buffer, name);
	if (id[0] && !(form & LIVE_MANY)) {
		buffer_text(out->buffer, lines ? "\",\"id\":\"" : "\nid: ");
		buffer_text(out->buffer, id);
	}
	buffer_text(out->buffer, lines ? "\",\"data\":{" : "\ndata: {");
	out->comma = false;
	if (form & LIVE_MANY)
		out_member_string(out, "session", topic->id);
}

static void frame_close(struct out *out, unsigned form, const char *id)
{
	bool lines = form_is_lines(form);
	buffer_text(out->buffer, "}");
	if (id[0] && form & LIVE_MANY) {
		buffer_text(out->buffer, lines ? LIVE_ID_IN_LINE : LIVE_ID_IN_EVENT);
		buffer_text(out->buffer, id);
		buffer_text(out->buffer, lines ? "\"" : "");
	}
	buffer_text(out->buffer, lines ? "}\n" : "\n\n");
}

static void id_print(char id[LIVE_ID_BYTES], const struct topic *topic, unsigned form,
		     uint32_t revision)
{
	const struct store *store = topic->live->options.store;
	char incarnation[INCARNATION_TEXT + 1];
	if (form & LIVE_MANY) {
		snprintf(id, LIVE_ID_BYTES, "%lu", (unsigned long)revision);
		return;
	}
	store->operations->incarnation(store, incarnation);
	snprintf(id, LIVE_ID_BYTES, "%s-%lu", incarnation, (unsigned long)revision);
}

static void solved_write(struct buffer *buffer, const struct topic *topic, unsigned form,
			 const struct entry *entry)
{
	struct out out = {.buffer = buffer};
	frame_open(&out, topic, form, "solved", "");
	out_member_integer(&out, "revision", entry->revision);
	out_member_time(&out, "time", entry->time_ms);
	frame_close(&out, form, "");
}

/* A part that several forms of an event share, where it was written first: copying an entry of
 * thousands of turns is faster than printing it again. No bytes: not written yet. */
struct event_part {
	size_t at, bytes;
};

struct parts {
	struct event_part entry, turns; /* its members, without and with the turns */
	struct event_part cube, standing;
};

static void part_copy(struct buffer *buffer, const struct event_part *part)
{
	char *room = buffer_room(buffer, part->bytes);
	if (!room)
		return;
	memcpy(room, buffer->bytes + part->at, part->bytes);
	buffer->length += part->bytes;
}

static void entry_part(struct buffer *buffer, struct event_part *part, const struct entry *entry,
		       int size, const struct roster *roster, bool turns)
{
	struct out out = {.buffer = buffer};
	part->at = buffer->length;
	entry_members_write(&out, entry, size, roster, turns);
	part->bytes = buffer->length - part->at;
}

static void cube_part(struct buffer *buffer, struct event_part *part, const struct cube *cube)
{
	struct out out = {.buffer = buffer, .comma = true};
	part->at = buffer->length;
	out_cube_member(&out, cube, &(struct answer_view){0}, CUBE_KNOWN);
	part->bytes = buffer->length - part->at;
}

static void standing_part(struct buffer *buffer, struct event_part *part,
			  const struct session *session, const struct history *history)
{
	struct out out = {.buffer = buffer, .comma = true};
	part->at = buffer->length;
	standing_write(&out, &session->meta, history, session->roster);
	part->bytes = buffer->length - part->at;
}

/* `after` NULL, or who made the newest entry in force is not known: without the standing. */
static void entry_in_form(const struct topic *topic, struct buffer *buffer, unsigned form,
			  const struct entry *entry, const struct cube *cube,
			  const struct history *after, const struct roster *roster,
			  struct parts *parts)
{
	struct out out = {.buffer = buffer};
	struct event_part *part = form & LIVE_TURNS ? &parts->turns : &parts->entry;
	char id[LIVE_ID_BYTES];
	id_print(id, topic, form, entry->revision);
	frame_open(&out, topic, form, "entry", id);
	if (out.comma)
		buffer_text(buffer, ",");
	if (part->bytes > 0)
		part_copy(buffer, part);
	else
		entry_part(buffer, part, entry, topic->size, roster, form & LIVE_TURNS);
	const bool standing = after && after->last_known;
	if (standing && parts->standing.bytes > 0)
		part_copy(buffer, &parts->standing);
	else if (standing)
		standing_part(buffer, &parts->standing, topic->session, after);
	if (cube && form & LIVE_CUBE) {
		if (parts->cube.bytes > 0)
			part_copy(buffer, &parts->cube);
		else
			cube_part(buffer, &parts->cube, cube);
	}
	frame_close(&out, form, id);
}

void event_entry_write(const struct topic *topic, struct buffer *buffer, unsigned form,
		       const struct entry *entry, const struct cube *cube,
		       const struct roster *roster, bool solved)
{
	struct parts parts = {0};
	entry_in_form(topic, buffer, form, entry, cube, NULL, roster, &parts);
	if (solved)
		solved_write(buffer, topic, form, entry);
}

/* An event of what was written; `ends` is where each form's text ends. */
static struct event *event_make(struct buffer *buffer, const size_t ends[LIVE_FORMS],
				uint32_t revision)
{
	struct event *event = buffer->failed ? NULL : malloc(sizeof *event + buffer->length);
	if (event) {
		*event = (struct event){
			.references = 1, .bytes = (uint32_t)buffer->length, .revision = revision};
		if (buffer->length > 0)
			memcpy(event->text, buffer->bytes, buffer->length);
		size_t start = 0;
		for (size_t form = 0; form < LIVE_FORMS; form++) {
			event->start[form] = (uint32_t)start;
			event->length[form] = (uint32_t)(ends[form] - start);
			start = ends[form];
		}
	}
	buffer_free(buffer);
	return event;
}

struct event *event_of_buffer(struct buffer *buffer, unsigned form, uint32_t revision)
{
	size_t ends[LIVE_FORMS];
	for (size_t i = 0; i < LIVE_FORMS; i++)
		ends[i] = i < form ? 0 : buffer->length;
	return event_make(buffer, ends, revision);
}

struct event *event_of_entry(const struct topic *topic, unsigned forms, const struct entry *entry,
			     const struct history *after, bool solved)
{
	struct buffer buffer = {0};
	struct parts parts = {0};
	const struct roster *roster = topic->session->roster;
	size_t ends[LIVE_FORMS];
	for (unsigned form = 0; form < LIVE_FORMS; form++) {
		bool made = forms >> form & 1 &&
			    !(form & LIVE_TURNS && entry->turn_count > TURNS_AT_ONCE);
		if (made)
			entry_in_form(topic, &buffer, form, entry, after->cube, after, roster,
				      &parts);
		if (made && solved)
			solved_write(&buffer, topic, form, entry);
		ends[form] = buffer.length;
	}
	return event_make(&buffer, ends, entry->revision);
}

/* Writes the beginning of a stream: when a browser reconnects. A stream of several sessions has it
 * already. */
static void retry_write(struct buffer *buffer, unsigned form)
{
	if (!(form & (LIVE_LINES | LIVE_MANY)))
		buffer_text(buffer, LIVE_RETRY);
}

struct event *event_of_session(const struct topic *topic, unsigned form, const char *name,
			       const struct session *session, uint32_t token, bool first)
{
	const struct history *history = session->committed;
	struct buffer buffer = {0};
	struct out out = {.buffer = &buffer};
	char id[LIVE_ID_BYTES];
	id_print(id, topic, form, history->revision);
	if (first)
		retry_write(&buffer, form);
	frame_open(&out, topic, form, name, id);
	session_members_write(&out, &session->meta, session->scramble, session->scramble_count,
			      history, &(struct answer_view){0}, CUBE_KNOWN);
	standing_write(&out, &session->meta, history, session->roster);
	you_write(&out, &session->meta, session->roster, roster_at(session->roster, token));
	frame_close(&out, form, id);
	return event_of_buffer(&buffer, form, history->revision);
}

static void about_write(struct out *out, const struct topic *topic, const struct session *session)
{
	const struct session_meta *meta = &session->meta;
	out_member_string(out, "id", topic->id);
	session_about_write(out, meta);
	out_member_time(out, "updated_at", meta->updated_ms);
	standing_write(out, meta, session->committed, session->roster);
}

struct event *event_of_about(const struct topic *topic, unsigned forms,
			     const struct session *session, uint32_t revision, bool first)
{
	struct buffer buffer = {0};
	size_t ends[LIVE_FORMS];
	for (unsigned form = 0; form < LIVE_FORMS; form++) {
		if (forms >> form & 1) {
			struct out out = {.buffer = &buffer};
			if (first)
				retry_write(&buffer, form);
			frame_open(&out, topic, form, "session", "");
			about_write(&out, topic, session);
			frame_close(&out, form, "");
		}
		ends[form] = buffer.length;
	}
	return event_make(&buffer, ends, revision);
}

struct event *event_of_end(const struct topic *topic, unsigned form, const char *reason)
{
	struct buffer buffer = {0};
	struct out out = {.buffer = &buffer};
	/* In a stream of several sessions the id then says that this one has ended. */
	const char *id = form & LIVE_MANY ? LIVE_ENDED : "";
	frame_open(&out, topic, form, "end", id);
	out_member_string(&out, "reason", reason);
	frame_close(&out, form, id);
	return event_of_buffer(&buffer, form, 0);
}

struct event *event_of_presence(const struct topic *topic, unsigned forms, uint32_t subscribers,
				const struct person *people)
{
	struct buffer buffer = {0};
	struct event_part part = {0};
	size_t ends[LIVE_FORMS];
	for (unsigned form = 0; form < LIVE_FORMS; form++) {
		if (forms >> form & 1) {
			struct out out = {.buffer = &buffer};
			frame_open(&out, topic, form, "presence", "");
			out_member_integer(&out, "watchers", subscribers);
			if (part.bytes > 0) {
				part_copy(&buffer, &part);
			} else {
				part.at = buffer.length;
				people_write(&out, topic, people);
				part.bytes = buffer.length - part.at;
			}
			frame_close(&out, form, "");
		}
		ends[form] = buffer.length;
	}
	return event_make(&buffer, ends, 0);
}

static void cue_write(struct out *out, const struct live_cue *cue)
{
	out_key(out, "actor");
	actor_write(out, cue->actor);
	out_member_time(out, "time", cue->time_ms);
	out_key(out, "cue");
	out_raw(out, cue->json.bytes, cue->json.length);
}

struct event *event_of_cue(const struct topic *topic, const struct live_cue *cue)
{
	const unsigned differs =
		LIVE_LINES | LIVE_MANY; /* forms of one text have these in common */
	struct buffer buffer = {0};
	size_t ends[LIVE_FORMS];
	for (unsigned form = 0; form < LIVE_FORMS; form++) {
		if ((form & ~differs) == 0) {
			struct out out = {.buffer = &buffer};
			frame_open(&out, topic, form, "cue", "");
			cue_write(&out, cue);
			frame_close(&out, form, "");
		}
		ends[form] = buffer.length;
	}
	struct event *event = event_make(&buffer, ends, 0);
	for (unsigned form = 0; event && form < LIVE_FORMS; form++) {
		event->start[form] = event->start[form & differs];
		event->length[form] = event->length[form & differs];
	}
	return event;
}

const char *live_ping(const struct subscriber *subscriber)
{
	return form_is_lines(subscriber->form) ? "{\"event\":\"ping\"}\n" : ": ping\n\n";
}
