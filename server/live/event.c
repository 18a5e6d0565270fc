/* event.c: the texts of events: Server-Sent Events, and the same as lines of JSON.
 *
 *     event: entry                  {"event":"entry","id":"5f3a-17","data":{...}}
 *     id: 5f3a-17
 *     data: {...}
 *
 * JSON has no raw line breaks, so one line is enough for either. */
#include <stdio.h>
#include <stdlib.h>

#include "server/format/cube_out.h"
#include "server/format/session_out.h"
#include "server/live/event_id.h"
#include "server/live/live_internal.h"

#define NAMES_MAX 100

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

static bool form_is_lines(enum live_form form)
{
	return form == LIVE_LINES || form == LIVE_LINES_CUBE;
}

static bool form_has_cube(enum live_form form)
{
	return form == LIVE_EVENTS_CUBE || form == LIVE_LINES_CUBE;
}

/* `id`: "" for an event without one. */
static void frame_open(struct buffer *buffer, enum live_form form, const char *name, const char *id)
{
	bool lines = form_is_lines(form);
	buffer_text(buffer, lines ? "{\"event\":\"" : "event: ");
	buffer_text(buffer, name);
	if (id[0]) {
		buffer_text(buffer, lines ? "\",\"id\":\"" : "\nid: ");
		buffer_text(buffer, id);
	}
	buffer_text(buffer, lines ? "\",\"data\":" : "\ndata: ");
}

static void frame_close(struct buffer *buffer, enum live_form form)
{
	buffer_text(buffer, form_is_lines(form) ? "}\n" : "\n\n");
}

static void id_print(char id[LIVE_ID_BYTES], const struct live *live, uint32_t revision)
{
	snprintf(id, LIVE_ID_BYTES, "%s-%lu", live_incarnation(live->options.store),
		 (unsigned long)revision);
}

static void solved_write(struct buffer *buffer, enum live_form form, const struct entry *entry)
{
	struct out out = {.buffer = buffer};
	frame_open(buffer, form, "solved", "");
	out_open(&out, '{');
	out_key(&out, "revision");
	out_integer(&out, entry->revision);
	out_key(&out, "time");
	out_time(&out, entry->time_ms);
	out_close(&out, '}');
	frame_close(buffer, form);
}

/* The part that all forms of an event share, where it was written first: copying an entry of
 * thousands of turns is faster than printing it again. No bytes: not written yet. */
struct event_part {
	size_t at, bytes;
};

struct parts {
	struct event_part entry; /* without its closing bracket */
	struct event_part cube;
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
		       int size, const struct roster *roster)
{
	struct out out = {.buffer = buffer};
	part->at = buffer->length;
	entry_write(&out, entry, size, roster);
	buffer->length -= buffer->failed ? 0 : 1;
	part->bytes = buffer->length - part->at;
}

static void cube_part(struct buffer *buffer, struct event_part *part, const struct cube *cube)
{
	struct out out = {.buffer = buffer, .comma = true};
	part->at = buffer->length;
	cube_member_write(&out, cube, &(struct cube_view){0}, CUBE_KNOWN);
	part->bytes = buffer->length - part->at;
}

static void entry_in_form(const struct live *live, struct buffer *buffer, enum live_form form,
			  const struct entry *entry, const struct cube *cube, int size,
			  const struct roster *roster, struct parts *parts)
{
	char id[LIVE_ID_BYTES];
	id_print(id, live, entry->revision);
	frame_open(buffer, form, "entry", id);
	if (parts->entry.bytes > 0)
		part_copy(buffer, &parts->entry);
	else
		entry_part(buffer, &parts->entry, entry, size, roster);
	if (cube && form_has_cube(form)) {
		if (parts->cube.bytes > 0)
			part_copy(buffer, &parts->cube);
		else
			cube_part(buffer, &parts->cube, cube);
	}
	buffer_text(buffer, "}");
	frame_close(buffer, form);
}

void event_entry_write(const struct live *live, struct buffer *buffer, enum live_form form,
		       const struct entry *entry, const struct cube *cube, int size,
		       const struct roster *roster, bool solved)
{
	struct parts parts = {0};
	entry_in_form(live, buffer, form, entry, cube, size, roster, &parts);
	if (solved)
		solved_write(buffer, form, entry);
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

struct event *event_of_buffer(struct buffer *buffer, enum live_form form, uint32_t revision)
{
	size_t ends[LIVE_FORMS];
	for (size_t i = 0; i < LIVE_FORMS; i++)
		ends[i] = i < form ? 0 : buffer->length;
	return event_make(buffer, ends, revision);
}

struct event *event_of_entry(const struct live *live, unsigned forms, const struct entry *entry,
			     const struct cube *cube, int size, const struct roster *roster,
			     bool solved)
{
	struct buffer buffer = {0};
	struct parts parts = {0};
	size_t ends[LIVE_FORMS];
	for (enum live_form form = 0; form < LIVE_FORMS; form++) {
		if (forms >> form & 1)
			entry_in_form(live, &buffer, form, entry, cube, size, roster, &parts);
		if (forms >> form & 1 && solved)
			solved_write(&buffer, form, entry);
		ends[form] = buffer.length;
	}
	return event_make(&buffer, ends, entry->revision);
}

struct event *event_of_session(const struct live *live, enum live_form form, const char *name,
			       const struct session *session)
{
	const struct history *history = session->committed;
	struct buffer buffer = {0};
	struct out out = {.buffer = &buffer};
	char id[LIVE_ID_BYTES];
	id_print(id, live, history->revision);
	frame_open(&buffer, form, name, id);
	session_write(&out, &session->meta, session->scramble, session->scramble_count, history,
		      &(struct cube_view){0}, CUBE_KNOWN);
	frame_close(&buffer, form);
	return event_of_buffer(&buffer, form, history->revision);
}

static void about_write(struct out *out, const struct session_meta *meta)
{
	char id[SESSION_ID_TEXT + 1];
	session_id_print(&meta->id, id);
	out_open(out, '{');
	out_key(out, "id");
	out_string(out, id);
	session_about_write(out, meta);
	out_key(out, "updated_at");
	out_time(out, meta->updated_ms);
	out_close(out, '}');
}

struct event *event_of_about(unsigned forms, const struct session_meta *meta, uint32_t revision)
{
	struct buffer buffer = {0};
	size_t ends[LIVE_FORMS];
	for (enum live_form form = 0; form < LIVE_FORMS; form++) {
		if (forms >> form & 1) {
			struct out out = {.buffer = &buffer};
			frame_open(&buffer, form, "session", "");
			about_write(&out, meta);
			frame_close(&buffer, form);
		}
		ends[form] = buffer.length;
	}
	return event_make(&buffer, ends, revision);
}

static uint32_t label_count(const struct label *label)
{
	uint32_t count = label->present;
	for (size_t i = 0; i < GRACE_SLOTS; i++)
		count += label->leaving[i];
	return count;
}

enum who { WHO_IS_HERE, WHO_CAME, WHO_WENT };

static void names_write(struct out *out, const char *key, const struct label *labels, enum who who)
{
	int count = 0;
	out_key(out, key);
	out_open(out, '[');
	for (const struct label *label = labels; label && count < NAMES_MAX; label = label->next) {
		bool here = label_count(label) > 0;
		if (!label->name[0] || (who == WHO_IS_HERE && !here) ||
		    (who == WHO_CAME && (!here || label->reported)) ||
		    (who == WHO_WENT && (here || !label->reported)))
			continue;
		out_string(out, label->name);
		count++;
	}
	out_close(out, ']');
}

struct event *event_of_presence(unsigned forms, uint32_t subscribers, const struct label *labels)
{
	struct buffer buffer = {0};
	size_t ends[LIVE_FORMS];
	for (enum live_form form = 0; form < LIVE_FORMS; form++) {
		if (forms >> form & 1) {
			struct out out = {.buffer = &buffer};
			frame_open(&buffer, form, "presence", "");
			out_open(&out, '{');
			out_key(&out, "watchers");
			out_integer(&out, subscribers);
			names_write(&out, "names", labels, WHO_IS_HERE);
			names_write(&out, "came", labels, WHO_CAME);
			names_write(&out, "went", labels, WHO_WENT);
			out_close(&out, '}');
			frame_close(&buffer, form);
		}
		ends[form] = buffer.length;
	}
	return event_make(&buffer, ends, 0);
}

const char *live_ping(const struct subscriber *subscriber)
{
	return form_is_lines(subscriber->form) ? "{\"event\":\"ping\"}\n" : ": ping\n\n";
}
