/* cstimer.c: csTimer's format, both ways and without loss. */
#include "server/modules/times/files/cstimer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/modules/times/files/cstimer_sessions.h"
#include "server/modules/times/files/results.h"

const char cstimer_frame_empty[] = "{\"session1\":[]}";

/* ---- a solve ---- */

static void read_time(struct span array, struct cstimer_solve *solve)
{
	struct slice_list list;
	struct span key, value;
	int64_t penalty, time;
	solve->time_ms = TIME_NONE;
	solve->penalty_ms = 0;
	if (!slice_list(array, '[', &list) || !slice_next(&list, &key, &value) ||
	    !slice_integer(value, &penalty))
		return;
	if (!slice_next(&list, &key, &value) || !slice_integer(value, &time))
		return;
	solve->penalty_ms = penalty < 0             ? PENALTY_DNF
			    : penalty < PENALTY_MAX ? penalty
						    : PENALTY_MAX;
	/* In csTimer a solve without a time has the time 0. */
	solve->time_ms = time <= 0 || time > TIME_MAX ? TIME_NONE : time;
}

static bool read_text(struct span value, struct arena *arena, struct span *text)
{
	*text = (struct span){0};
	return !slice_is_text(value) || value.length == 2 || slice_text(arena, value, text);
}

/* Cuts the mark off a comment's end, and the space before it. */
static bool cut_mark(struct span *comment)
{
	const size_t mark = strlen(CSTIMER_ASSISTED);
	if (!comment->bytes || comment->length < mark ||
	    memcmp(comment->bytes + comment->length - mark, CSTIMER_ASSISTED, mark) != 0)
		return false;
	comment->length -= mark;
	if (comment->length > 0 && comment->bytes[comment->length - 1] == ' ')
		comment->length--;
	if (comment->length == 0)
		comment->bytes = NULL;
	return true;
}

/* Moves with times: a string, or an array that begins with one. */
static bool read_solution(struct span value, struct arena *arena, struct span *text)
{
	struct slice_list list;
	struct span key;
	if (slice_list(value, '[', &list) && !slice_next(&list, &key, &value))
		return true;
	return read_text(value, arena, text);
}

/* 0: it is not a date. */
static int64_t read_date(struct span value)
{
	const int64_t year_10000 = INT64_C(253402300800);
	int64_t seconds;
	return slice_integer(value, &seconds) && seconds > 0 && seconds < year_10000
		       ? seconds * 1000
		       : 0;
}

bool cstimer_solve_read(struct span source, struct arena *arena, struct cstimer_solve *solve)
{
	struct slice_list list;
	struct span key, value;
	*solve = (struct cstimer_solve){.source = source, .time_ms = TIME_NONE};
	if (!slice_list(source, '[', &list))
		return true;
	bool read = true;
	for (int i = 0; read && slice_next(&list, &key, &value); i++) {
		if (i == 0)
			read_time(value, solve);
		else if (i == 1)
			read = read_text(value, arena, &solve->scramble);
		else if (i == 2)
			read = read_text(value, arena, &solve->comment);
		else if (i == 3)
			solve->created_ms = read_date(value);
		else if (i == 4)
			read = read_solution(value, arena, &solve->solution);
	}
	solve->assisted = read && cut_mark(&solve->comment);
	return read;
}

int64_t cstimer_solve_created(struct span source)
{
	struct slice_list list;
	struct span key, value;
	if (!slice_list(source, '[', &list))
		return 0;
	for (int i = 0; slice_next(&list, &key, &value); i++)
		if (i == 3)
			return read_date(value);
	return 0;
}

size_t cstimer_phases(struct span source, int64_t ends[CSTIMER_PHASES_MAX])
{
	struct slice_list list;
	struct span key, value;
	int64_t backwards[CSTIMER_PHASES_MAX];
	size_t count = 0;
	if (!slice_list(source, '[', &list) || !slice_next(&list, &key, &value) ||
	    !slice_list(value, '[', &list) || !slice_next(&list, &key, &value))
		return 0;
	while (count < CSTIMER_PHASES_MAX && slice_next(&list, &key, &value) &&
	       slice_integer(value, &backwards[count]))
		count++;
	for (size_t i = 0; i < count; i++)
		ends[i] = backwards[count - 1 - i];
	return count;
}

/* ---- a file ---- */

struct cstimer_reading {
	struct arena *arena;
	struct cstimer_sessions sessions;
	bool (*visit)(void *context, const struct cstimer_solve *solve);
	void *context;
	size_t lists, items, solves; /* lists and items read; `solves`: items that look like one */
};

/* Returns true if an item of a list is an array that begins with the array of its times. */
static bool looks_like_solve(struct span item)
{
	struct slice_list list, times;
	struct span key, value;
	return slice_list(item, '[', &list) && slice_next(&list, &key, &value) &&
	       slice_list(value, '[', &times);
}

static enum cstimer_result read_list(struct cstimer_reading *reading,
				     const struct cstimer_session *session, struct span array)
{
	struct slice_list list;
	struct span key, value;
	if (!slice_list(array, '[', &list))
		return CSTIMER_BAD;
	reading->lists++;
	while (slice_next(&list, &key, &value)) {
		struct cstimer_solve solve;
		reading->items++;
		reading->solves += looks_like_solve(value);
		if (!cstimer_solve_read(value, reading->arena, &solve))
			return CSTIMER_NO_MEMORY;
		solve.list = session->key;
		solve.list_name = session->name;
		solve.size = session->size;
		solve.event = session->event;
		if (!reading->visit(reading->context, &solve))
			return CSTIMER_STOPPED;
	}
	return CSTIMER_OK;
}

static void add_span(struct buffer *to, struct span span)
{
	buffer_add(to, span.bytes, span.length);
}

static enum cstimer_result read_member(struct cstimer_reading *reading, struct span quoted,
				       struct span value, struct buffer *frame)
{
	struct span array = value, text;
	const char *fault;
	bool listed = cstimer_is_session(quoted);
	if (listed && slice_is_text(value)) {
		if (!slice_text(reading->arena, value, &text))
			return CSTIMER_NO_MEMORY;
		listed = slice_document(text, &array, &fault);
	}
	struct slice_list list;
	if (!listed || !slice_list(array, '[', &list)) {
		add_span(frame, value);
		return CSTIMER_OK;
	}
	const struct cstimer_session *session = cstimer_session_find(
		&reading->sessions, (struct span){quoted.bytes + 1, quoted.length - 2});
	if (!session)
		return CSTIMER_MANY;
	buffer_text(frame, slice_is_text(value) ? "\"[]\"" : "[]");
	return read_list(reading, session, array);
}

static int compare_names(const void *a, const void *b)
{
	const struct span *one = a, *other = b;
	const size_t length = one->length < other->length ? one->length : other->length;
	const int order = memcmp(one->bytes, other->bytes, length);
	if (order != 0 || one->length != other->length)
		return order != 0 ? order : one->length < other->length ? -1 : 1;
	return one->bytes < other->bytes ? -1 : one->bytes > other->bytes;
}

/* Two lists of one name would come back as one: *fault is at the second. */
static enum cstimer_result find_twins(const struct slice_list *members, struct arena *arena,
				      const char **fault)
{
	struct slice_list list = *members;
	struct span key, value;
	size_t count = 0, at = 0;
	while (slice_next(&list, &key, &value))
		count += cstimer_is_session(key);
	struct span *names = arena_alloc(arena, (count + 1) * sizeof *names);
	if (!names)
		return CSTIMER_NO_MEMORY;
	list = *members;
	while (slice_next(&list, &key, &value))
		if (cstimer_is_session(key))
			names[at++] = key;
	qsort(names, count, sizeof *names, compare_names);
	for (size_t i = 1; i < count; i++)
		if (names[i].length == names[i - 1].length &&
		    memcmp(names[i].bytes, names[i - 1].bytes, names[i].length) == 0) {
			*fault = names[i].bytes;
			return CSTIMER_TWICE;
		}
	return CSTIMER_OK;
}

enum cstimer_result cstimer_read(struct span text, struct arena *arena,
				 bool (*visit)(void *context, const struct cstimer_solve *solve),
				 void *context, struct buffer *frame, size_t *offset)
{
	struct cstimer_reading reading = {.arena = arena, .visit = visit, .context = context};
	struct slice_list list;
	struct span file, key, value;
	const char *fault = text.bytes;
	enum cstimer_result result = CSTIMER_OK;
	bool any = false;
	if (!slice_document(text, &file, &fault)) {
		*offset = (size_t)(fault - text.bytes);
		return CSTIMER_BAD;
	}
	*offset = 0;
	if (!slice_list(file, '{', &list))
		return CSTIMER_FOREIGN;
	result = find_twins(&list, arena, &fault);
	if (result != CSTIMER_OK) {
		*offset = (size_t)(fault - text.bytes);
		return result;
	}
	if (!cstimer_sessions_read(file, arena, &reading.sessions))
		return CSTIMER_NO_MEMORY;
	buffer_text(frame, "{");
	while (result == CSTIMER_OK && slice_next(&list, &key, &value)) {
		if (any)
			buffer_text(frame, ",");
		any = true;
		add_span(frame, key);
		buffer_text(frame, ":");
		result = read_member(&reading, key, value, frame);
	}
	buffer_text(frame, "}");
	*offset = 0;
	if (result == CSTIMER_OK &&
	    (reading.lists == 0 || (reading.items > 0 && reading.solves == 0)))
		return CSTIMER_FOREIGN;
	return result == CSTIMER_OK && frame->failed ? CSTIMER_NO_MEMORY : result;
}

/* ---- writing ---- */

static void add_integer(struct buffer *to, int64_t number)
{
	char text[24];
	snprintf(text, sizeof text, "%lld", (long long)number);
	buffer_text(to, text);
}

/* As a string, with the mark behind it where it was assisted. */
static void add_comment(struct buffer *to, struct span comment, bool assisted)
{
	struct buffer marked = {0};
	if (!assisted) {
		slice_quote(to, comment);
		return;
	}
	add_span(&marked, comment);
	buffer_text(&marked, comment.length > 0 ? " " CSTIMER_ASSISTED : CSTIMER_ASSISTED);
	if (!marked.failed)
		slice_quote(to, (struct span){marked.bytes, marked.length});
	to->failed |= marked.failed;
	buffer_free(&marked);
}

void cstimer_solve_write(struct buffer *to, const struct cstimer_solve *solve,
			 const int64_t *splits, size_t split_count)
{
	buffer_text(to, "[[");
	add_integer(to, solve->penalty_ms);
	buffer_text(to, ",");
	add_integer(to, solve->time_ms >= 0 ? solve->time_ms : 0);
	for (size_t i = split_count; i > 0; i--) {
		buffer_text(to, ",");
		add_integer(to, splits[i - 1]);
	}
	buffer_text(to, "],");
	slice_quote(to, solve->scramble);
	buffer_text(to, ",");
	add_comment(to, solve->comment, solve->assisted);
	buffer_text(to, ",");
	add_integer(to, solve->created_ms / 1000);
	if (solve->solution.bytes) {
		char puzzle[16];
		buffer_text(to, ",[");
		slice_quote(to, solve->solution);
		snprintf(puzzle, sizeof puzzle, ",\"%d%d%d\"]", solve->size, solve->size,
			 solve->size);
		buffer_text(to, puzzle);
	}
	buffer_text(to, "]");
}

bool cstimer_solve_make(struct cstimer_solve *solve, const int64_t *ends, size_t count,
			struct arena *arena)
{
	struct buffer source = {0};
	solve->solution = (struct span){0};
	cstimer_solve_write(&source, solve, ends, count > 0 ? count - 1 : 0);
	char *copy = source.failed ? NULL : arena_text(arena, source.bytes, source.length);
	solve->source = (struct span){copy, source.length};
	solve->time_ms = solve->time_ms > 0 ? solve->time_ms : TIME_NONE;
	buffer_free(&source);
	return copy != NULL;
}

void cstimer_solve_change(struct buffer *to, struct span source, int64_t penalty_ms,
			  struct span comment, bool assisted)
{
	struct slice_list list, times;
	struct span key, value, penalty;
	if (!slice_list(source, '[', &list) || !slice_next(&list, &key, &value) ||
	    !slice_list(value, '[', &times) || !slice_next(&times, &key, &penalty)) {
		add_span(to, source); /* not understood */
		return;
	}
	const char *at = source.bytes, *end = source.bytes + source.length;
	buffer_add(to, at, (size_t)(penalty.bytes - at));
	add_integer(to, penalty_ms);
	at = penalty.bytes + penalty.length;
	if (slice_next(&list, &key, &value) && slice_next(&list, &key, &value)) {
		buffer_add(to, at, (size_t)(value.bytes - at));
		add_comment(to, comment, assisted);
		at = value.bytes + value.length;
	}
	buffer_add(to, at, (size_t)(end - at));
}

/* A list of the frame with its solves, in a string if it was one. */
static void write_list(struct span key, bool text,
		       void (*fill)(void *context, struct span list, struct buffer *to),
		       void *context, struct buffer *to)
{
	struct buffer solves = {0}, *into = text ? &solves : to;
	buffer_text(into, "[");
	fill(context, key, into);
	buffer_text(into, "]");
	if (text && !solves.failed)
		slice_quote(to, (struct span){solves.bytes, solves.length});
	to->failed |= solves.failed;
	buffer_free(&solves);
}

/* The lists that the frame does not have; returns how many there are. */
static size_t write_added(const struct cstimer_sessions *sessions,
			  void (*fill)(void *context, struct span list, struct buffer *to),
			  void *context, struct buffer *to)
{
	size_t count = 0;
	for (size_t i = 0; i < sessions->count; i++) {
		const struct cstimer_session *session = &sessions->row[i];
		if (!session->added)
			continue;
		count++;
		buffer_text(to, to->bytes && to->bytes[to->length - 1] != '{' ? ",\"" : "\"");
		add_span(to, session->key);
		buffer_text(to, "\":");
		write_list(session->key, false, fill, context, to);
	}
	return count;
}

static size_t count_added(const struct cstimer_sessions *sessions)
{
	size_t count = 0;
	for (size_t i = 0; i < sessions->count; i++)
		count += sessions->row[i].added;
	return count;
}

bool cstimer_write(struct span frame, const struct cstimer_sessions *sessions,
		   void (*fill)(void *context, struct span list, struct buffer *to), void *context,
		   struct buffer *to)
{
	struct slice_list list;
	struct span key, value;
	struct arena arena = {0};
	const size_t added = count_added(sessions);
	bool any = false, properties = false;
	if (!slice_list(frame, '{', &list))
		return false;
	buffer_text(to, "{");
	while (slice_next(&list, &key, &value)) {
		const bool text = span_is(value, "\"[]\"");
		if (any)
			buffer_text(to, ",");
		any = true;
		add_span(to, key);
		buffer_text(to, ":");
		if (added > 0 && span_is(key, "\"properties\"")) {
			cstimer_properties_write(to, value, sessions, &arena);
			properties = true;
		} else if (cstimer_is_session(key) && (text || span_is(value, "[]"))) {
			write_list((struct span){key.bytes + 1, key.length - 2}, text, fill,
				   context, to);
		} else {
			add_span(to, value);
		}
	}
	if (write_added(sessions, fill, context, to) > 0 && !properties) {
		buffer_text(to, ",\"properties\":");
		cstimer_properties_write(to, (struct span){0}, sessions, &arena);
	}
	arena_finish(&arena);
	buffer_text(to, "}");
	return true;
}
