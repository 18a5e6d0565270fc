/* cstimer_sessions.c: the lists of a csTimer file. */
#include "server/modules/times/files/cstimer_sessions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/modules/times/files/cstimer_types.h"

static const char prefix[] = "session";
#define PREFIX (sizeof prefix - 1)

/* ---- reading ---- */

bool cstimer_is_session(struct span quoted)
{
	if (quoted.length < PREFIX + 3 || quoted.length > PREFIX + 11 ||
	    memcmp(quoted.bytes + 1, prefix, PREFIX) != 0)
		return false;
	for (size_t i = PREFIX + 1; i + 1 < quoted.length; i++)
		if (quoted.bytes[i] < '0' || quoted.bytes[i] > '9')
			return false;
	return true;
}

static bool find_member(struct span object, const char *quoted, struct span *value)
{
	struct slice_list list;
	struct span key, next;
	bool found = false;
	if (!slice_list(object, '{', &list))
		return false;
	while (slice_next(&list, &key, &next))
		if (span_is(key, quoted)) {
			*value = next;
			found = true;
		}
	return found;
}

/* Replaces the entities that csTimer writes, in place. */
static void unescape(struct span *text, char *bytes)
{
	static const struct {
		const char *entity;
		char c;
	} rows[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}};
	size_t length = 0;
	for (size_t i = 0; i < text->length; length++) {
		size_t row = 0, bytes_of = 0;
		for (; row < sizeof rows / sizeof rows[0]; row++) {
			bytes_of = strlen(rows[row].entity);
			if (text->length - i >= bytes_of &&
			    memcmp(bytes + i, rows[row].entity, bytes_of) == 0)
				break;
		}
		const bool entity = row < sizeof rows / sizeof rows[0];
		bytes[length] = entity ? rows[row].c : bytes[i];
		i += entity ? bytes_of : 1;
	}
	text->length = length;
}

/* Cuts it before a character that does not fit. */
static void cut_name(struct span *name)
{
	if (name->length <= CSTIMER_NAME_BYTES)
		return;
	name->length = CSTIMER_NAME_BYTES;
	while (name->length > 0 && (name->bytes[name->length] & 0xc0) == 0x80)
		name->length--;
}

/* The number of a list: the rest of its key. */
static struct span number_of(const struct cstimer_session *session)
{
	return (struct span){session->key.bytes + PREFIX, session->key.length - PREFIX};
}

static bool same(struct span a, struct span b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

/* False if out of memory. */
static bool read_name(struct span value, struct arena *arena, struct cstimer_session *session)
{
	struct span name = value;
	session->name = (struct span){0};
	if (slice_is_text(value)) {
		if (!slice_text(arena, value, &name))
			return false;
		unescape(&name, (char *)(uintptr_t)name.bytes);
	} else if (value.length == 0 || value.bytes[0] < '0' || value.bytes[0] > '9') {
		return true;
	}
	cut_name(&name);
	if (name.length > 0 && !same(name, number_of(session)))
		session->name = name;
	return true;
}

/* Reads what sessionData says of a list. False if out of memory. */
static bool read_facts(struct span facts, struct arena *arena, struct cstimer_session *session)
{
	struct span value, options;
	if (find_member(facts, "\"name\"", &value) && !read_name(value, arena, session))
		return false;
	if ((find_member(facts, "\"opt\"", &options) &&
	     find_member(options, "\"scrType\"", &value)) ||
	    find_member(facts, "\"scr\"", &value)) {
		if (slice_is_text(value))
			session->event = cstimer_event_of(
				(struct span){value.bytes + 1, value.length - 2}, &session->size);
	}
	return true;
}

static int compare_keys(struct span a, struct span b)
{
	const size_t length = a.length < b.length ? a.length : b.length;
	const int order = memcmp(a.bytes, b.bytes, length);
	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_rows(const void *a, const void *b)
{
	const struct cstimer_session *const *one = a, *const *other = b;
	return compare_keys((*one)->key, (*other)->key);
}

static struct cstimer_session *find_sorted(struct cstimer_session **sorted, size_t count,
					   struct span number)
{
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		const int order = compare_keys(number, number_of(sorted[middle]));
		if (order == 0)
			return sorted[middle];
		*(order < 0 ? &high : &low) = order < 0 ? middle : middle + 1;
	}
	return NULL;
}

/* properties.sessionData; no bytes: there is none. False if out of memory. */
static bool find_data(struct span file, struct arena *arena, struct span *data)
{
	struct span properties, text;
	const char *fault;
	*data = (struct span){0};
	if (!find_member(file, "\"properties\"", &properties) ||
	    !find_member(properties, "\"sessionData\"", data) || !slice_is_text(*data))
		return true;
	if (!slice_text(arena, *data, &text))
		return false;
	if (!slice_document(text, data, &fault))
		*data = (struct span){0};
	return true;
}

static bool read_data(struct span file, struct arena *arena, struct cstimer_sessions *sessions)
{
	struct span data, key, value;
	struct slice_list list;
	struct cstimer_session **sorted =
		arena_alloc(arena, (sessions->count + 1) * sizeof(struct cstimer_session *));
	if (!sorted || !find_data(file, arena, &data))
		return false;
	for (size_t i = 0; i < sessions->count; i++)
		sorted[i] = &sessions->row[i];
	qsort(sorted, sessions->count, sizeof *sorted, compare_rows);
	if (!slice_list(data, '{', &list))
		return true;
	while (slice_next(&list, &key, &value)) {
		const struct span number = {key.bytes + 1, key.length - 2};
		struct cstimer_session *session = find_sorted(sorted, sessions->count, number);
		if (session && !read_facts(value, arena, session))
			return false;
	}
	return true;
}

bool cstimer_sessions_read(struct span file, struct arena *arena, struct cstimer_sessions *sessions)
{
	struct slice_list list;
	struct span key, value;
	*sessions = (struct cstimer_sessions){.capacity = CSTIMER_LISTS_MAX};
	sessions->row = arena_alloc(arena, CSTIMER_LISTS_MAX * sizeof *sessions->row);
	if (!sessions->row)
		return false;
	if (!slice_list(file, '{', &list))
		return true;
	while (sessions->count < sessions->capacity && slice_next(&list, &key, &value)) {
		if (!cstimer_is_session(key) || (value.bytes[0] != '[' && !slice_is_text(value)))
			continue;
		const struct span number = {key.bytes + 1 + PREFIX, key.length - 2 - PREFIX};
		int64_t last;
		if (slice_integer(number, &last) && last > sessions->last)
			sessions->last = last;
		sessions->row[sessions->count++] =
			(struct cstimer_session){.key = {key.bytes + 1, key.length - 2},
						 .size = 3, /* csTimer's default */
						 .event = EVENT_333};
	}
	return read_data(file, arena, sessions);
}

/* ---- finding ---- */

struct cstimer_session *cstimer_session_find(const struct cstimer_sessions *sessions,
					     struct span key)
{
	for (size_t i = 0; i < sessions->count; i++)
		if (same(sessions->row[i].key, key))
			return &sessions->row[i];
	return NULL;
}

bool cstimer_session_is(const struct cstimer_session *session, struct span name)
{
	return same(session->name.length > 0 ? session->name : number_of(session), name);
}

/* A name for solves that are in no list. */
static void usual_name(char text[48], enum solve_event event, int size)
{
	if (event == EVENT_OTHER && size > 0)
		snprintf(text, 48, "%dx%dx%d", size, size, size);
	else
		snprintf(text, 48, "%s", solve_events[event].id);
}

static struct cstimer_session *add(struct cstimer_sessions *sessions, struct arena *arena,
				   struct span name, enum solve_event event, int size)
{
	char usual[48], text[48];
	if (sessions->count == sessions->capacity)
		return NULL;
	usual_name(usual, event, size);
	snprintf(text, sizeof text, "%s%lld", prefix, (long long)++sessions->last);
	if (name.length == 0)
		name = (struct span){usual, strlen(usual)};
	const char *key = arena_text(arena, text, strlen(text));
	const char *copy = arena_text(arena, name.bytes, name.length);
	if (!key || !copy)
		return NULL;
	struct cstimer_session *session = &sessions->row[sessions->count++];
	*session = (struct cstimer_session){.key = {key, strlen(key)},
					    .name = {copy, name.length},
					    .size = size,
					    .event = event,
					    .added = true};
	return session;
}

struct cstimer_session *cstimer_session_for(struct cstimer_sessions *sessions, struct arena *arena,
					    struct span name, enum solve_event event, int size)
{
	char usual[48];
	usual_name(usual, event, size);
	for (size_t i = 0; i < sessions->count; i++) {
		struct cstimer_session *session = &sessions->row[i];
		if (session->event != event || session->size != size)
			continue;
		if (name.length > 0 ? cstimer_session_is(session, name)
				    : !session->added || span_is(session->name, usual))
			return session;
	}
	return add(sessions, arena, name, event, size);
}

/* ---- writing ---- */

static void add_span(struct buffer *to, struct span span)
{
	buffer_add(to, span.bytes, span.length);
}

static void escape(struct buffer *to, struct span text)
{
	for (size_t i = 0; i < text.length; i++) {
		const char c = text.bytes[i];
		if (c == '<' || c == '>' || c == '&')
			buffer_text(to, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
		else
			buffer_add(to, &c, 1);
	}
}

static void write_facts(struct buffer *to, const struct cstimer_session *session)
{
	char type[CSTIMER_TYPE_MAX], rank[32];
	struct buffer name = {0};
	cstimer_type_print(type, session->event, session->size);
	escape(&name, session->name);
	buffer_text(to, "\"");
	add_span(to, number_of(session));
	buffer_text(to, "\":{\"name\":");
	slice_quote(to, (struct span){name.bytes, name.length});
	buffer_text(to, ",\"opt\":{\"scrType\":\"");
	buffer_text(to, type);
	snprintf(rank, sizeof rank, "\"},\"rank\":%.*s}", (int)number_of(session).length,
		 number_of(session).bytes);
	buffer_text(to, rank);
	to->failed |= name.failed;
	buffer_free(&name);
}

/* sessionData with the added lists; `data`: as it was, an object, or no bytes. */
static void write_data(struct buffer *to, struct span data, bool quoted,
		       const struct cstimer_sessions *sessions)
{
	struct buffer text = {0};
	buffer_text(&text, "{");
	if (data.length > 2)
		buffer_add(&text, data.bytes + 1, data.length - 2);
	bool any = !text.failed && memchr(text.bytes, '"', text.length);
	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->row[i].added) {
			buffer_text(&text, any ? "," : "");
			write_facts(&text, &sessions->row[i]);
			any = true;
		}
	buffer_text(&text, "}");
	to->failed |= text.failed;
	if (quoted && !text.failed)
		slice_quote(to, (struct span){text.bytes, text.length});
	else if (!text.failed)
		buffer_add(to, text.bytes, text.length);
	buffer_free(&text);
}

static void write_number(struct buffer *to, struct span value, int64_t last)
{
	int64_t number;
	char text[24];
	if (slice_integer(value, &number) && number >= last) {
		add_span(to, value);
		return;
	}
	snprintf(text, sizeof text, "%lld", (long long)last);
	buffer_text(to, text);
}

void cstimer_properties_write(struct buffer *to, struct span properties,
			      const struct cstimer_sessions *sessions, struct arena *arena)
{
	struct slice_list list;
	struct span key, value, data;
	const char *fault;
	bool any = false, with_data = false, with_number = false;
	buffer_text(to, "{");
	if (!slice_list(properties, '{', &list))
		list = (struct slice_list){"}", NULL};
	while (list.end && slice_next(&list, &key, &value)) {
		buffer_text(to, any ? "," : "");
		any = true;
		add_span(to, key);
		buffer_text(to, ":");
		if (span_is(key, "\"sessionData\"")) {
			with_data = true;
			data = value;
			if (slice_is_text(value) && (!slice_text(arena, value, &data) ||
						     !slice_document(data, &data, &fault)))
				data = (struct span){0};
			if (data.length > 0 && data.bytes[0] != '{')
				data = (struct span){0};
			write_data(to, data, slice_is_text(value), sessions);
		} else if (span_is(key, "\"sessionN\"")) {
			with_number = true;
			write_number(to, value, sessions->last);
		} else {
			add_span(to, value);
		}
	}
	if (!with_data) {
		buffer_text(to, any ? ",\"sessionData\":" : "\"sessionData\":");
		write_data(to, (struct span){0}, true, sessions);
	}
	if (!with_number) {
		buffer_text(to, ",\"sessionN\":");
		write_number(to, (struct span){"", 0}, sessions->last);
	}
	buffer_text(to, "}");
}
