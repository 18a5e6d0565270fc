/* members.c: reading the members of a solve that a client sends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/api/input/input.h"
#include "server/json/writer.h"
#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/files/date.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/times_internal.h"
#include "server/util/suggest.h"
#include "server/util/utf8.h"

#define COMMENT_BYTES 4000
#define SPLIT_NAME_BYTES 64

bool penalty_find(struct text text, int64_t *penalty_ms)
{
	const char *name = text.bytes;
	if (strcasecmp(name, "dnf") == 0) {
		*penalty_ms = PENALTY_DNF;
		return true;
	}
	if (strcasecmp(name, "none") == 0 || strcasecmp(name, "ok") == 0) {
		*penalty_ms = 0;
		return true;
	}
	name += name[0] == '+' || name[0] == ' '; /* a + in a URL is a space */
	if (!name[0] || name[1] || !strchr("02468", name[0]))
		return false;
	*penalty_ms = (name[0] - '0') / 2 * PENALTY_TWO;
	return true;
}

#define PENALTIES "none, +2, +4, +6, +8 or dnf"

bool penalty_read(struct context *ctx, struct text name, const char *pointer, int64_t *penalty_ms)
{
	return penalty_find(name, penalty_ms) ||
	       input_problem(ctx, pointer, "Unknown penalty; use " PENALTIES ".", PENALTIES, NULL);
}

bool comment_read(struct context *ctx, struct json_value *value, const char **comment)
{
	static const char expected[] = "a string of at most 4000 bytes, or null";
	*comment = NULL;
	if (json_is_kind(value, JSON_KIND_NULL))
		return true;
	if (!json_is_kind(value, JSON_KIND_TEXT))
		return input_problem(ctx, "/comment", "Must be a string or null.", expected, NULL);
	struct text text = json_value_text(value);
	if (text.length > COMMENT_BYTES)
		return input_problem(ctx, "/comment", "The comment is too long.", expected, NULL);
	*comment = text.length > 0 ? text.bytes : NULL;
	return true;
}

/* Without control characters. */
static bool is_name(struct text name, size_t most)
{
	for (size_t at = 0, bytes; at < name.length; at += bytes) {
		uint32_t point;
		bytes = utf8_decode(name.bytes + at, name.length - at, &point);
		if (bytes == 0 || !utf8_printable(point))
			return false;
	}
	return name.length <= most;
}

static bool name_read(struct context *ctx, struct json_value *value, const char *pointer,
		      size_t most, const char *expected, const char **name)
{
	*name = NULL;
	if (!value || json_is_kind(value, JSON_KIND_NULL))
		return true;
	if (!json_is_kind(value, JSON_KIND_TEXT))
		return input_problem(ctx, pointer, "Must be a string or null.", expected, NULL);
	struct text text = json_value_text(value);
	if (!is_name(text, most))
		return input_problem(ctx, pointer,
				     "The name is too long, or contains control characters.",
				     expected, NULL);
	*name = text.length > 0 ? text.bytes : NULL;
	return true;
}

bool list_name_fits(struct text name)
{
	return is_name(name, LIST_NAME_BYTES);
}

bool list_read(struct context *ctx, struct json_value *value, const char **list)
{
	return name_read(ctx, value, "/list", LIST_NAME_BYTES,
			 "the name of a list, a string of at most 200 bytes, or null", list);
}

/* ---- the event ---- */

enum solve_event event_find(struct text id, char expected[EVENTS_TEXT_MAX], const char **suggestion)
{
	const char *ids[EVENT_COUNT];
	size_t length = 0;
	for (enum solve_event i = EVENT_USUAL + 1; i < EVENT_COUNT; i++) {
		ids[i - 1] = solve_events[i].id;
		length += (size_t)snprintf(expected + length, EVENTS_TEXT_MAX - length, "%s%s",
					   i > 1 ? ", " : "one of ", solve_events[i].id);
	}
	*suggestion = suggest_nearest(id.bytes, id.length, ids, EVENT_COUNT - 1);
	return solve_event_find(id.bytes);
}

bool event_read(struct context *ctx, struct text id, enum solve_event *event)
{
	char expected[EVENTS_TEXT_MAX];
	const char *suggestion;
	*event = event_find(id, expected, &suggestion);
	return *event != EVENT_USUAL ||
	       input_problem(ctx, "/event", "Unknown event.", expected, suggestion);
}

bool event_check(struct context *ctx, enum solve_event event, int64_t size)
{
	const int of = solve_events[event].size;
	char detail[96];
	if (event == EVENT_USUAL || event == EVENT_OTHER || of == size)
		return true;
	if (of == 0)
		snprintf(detail, sizeof detail, "%s is not an event of cubes, which have a size.",
			 solve_events[event].id);
	else
		snprintf(detail, sizeof detail, "%s is an event of %dx%dx%d cubes only.",
			 solve_events[event].id, of, of, of);
	return input_problem(ctx, "/event", detail, "an event of this size, or other", NULL);
}

bool solve_place(struct context *ctx, struct stored_solve *solve, bool listed, const char *list,
		 enum solve_event event)
{
	if (listed) {
		solve->list = NULL;
		solve->list_name = list;
	}
	if (event == EVENT_USUAL)
		return true;
	solve->event = (uint8_t)solve_event_pack(event, solve->size);
	return event_check(ctx, event, solve->size);
}

/* ---- splits ---- */

static bool read_split(struct context *ctx, struct json_value *item, size_t index, struct out *out,
		       int64_t *last_ms)
{
	const char *pointer = input_pointer_index(ctx, "/splits", index), *name;
	struct json_value *name_value = NULL;
	int64_t time_ms = -1;
	const struct json_member members[] = {
		{"name", JSON_ANY, &name_value, 0, 0},
		{"time_ms", JSON_INT64, &time_ms, 0, TIME_MAX},
	};
	if (!json_is_kind(item, JSON_KIND_OBJECT))
		return input_problem(ctx, pointer, "Must be an object.",
				     "{\"name\": \"cross\", \"time_ms\": 2340}", NULL);
	if (!input_object(ctx, item, pointer, members, sizeof members / sizeof members[0]) ||
	    !name_read(ctx, name_value, input_pointer(ctx, pointer, "name"), SPLIT_NAME_BYTES,
		       "a string of at most 64 bytes, or null", &name))
		return false;
	if (time_ms < 0)
		return input_problem(ctx, input_pointer(ctx, pointer, "time_ms"),
				     "A split needs time_ms.",
				     "milliseconds from the beginning of the solve", NULL);
	if (time_ms < *last_ms)
		return input_problem(ctx, input_pointer(ctx, pointer, "time_ms"),
				     "Times must not go backwards.",
				     "milliseconds from the beginning of the solve, of each "
				     "split at least those of the one before",
				     NULL);
	*last_ms = time_ms;
	split_write(out, name, time_ms);
	return true;
}

void split_write(struct out *out, const char *name, int64_t time_ms)
{
	out_open(out, '{');
	text_member(out, "name", name);
	number_member(out, "time_ms", time_ms, true);
	out_close(out, '}');
}

bool splits_read(struct context *ctx, struct json_value *array, const char **splits,
		 int64_t *last_ms)
{
	const size_t count = json_item_count(array);
	struct buffer text = {0};
	struct out out = {.buffer = &text};
	*splits = NULL;
	*last_ms = -1;
	if (count == 0)
		return true;
	if (count > CSTIMER_PHASES_MAX)
		return input_problem(ctx, "/splits", "Too many splits.", "at most 16 splits", NULL);
	out_open(&out, '[');
	bool read = true;
	for (size_t i = 0; i < count && read; i++)
		read = read_split(ctx, json_item(array, i), i, &out, last_ms);
	out_close(&out, ']');
	if (read && !text.failed)
		*splits = arena_text(&ctx->request->arena, text.bytes, text.length);
	buffer_free(&text);
	return read && (*splits || ctx_no_memory(ctx));
}

bool created_read(struct context *ctx, struct text text, int64_t *created_ms)
{
	*created_ms = 0;
	return !text.bytes || (date_read(text.bytes, text.length, created_ms) && *created_ms > 0) ||
	       input_problem(ctx, "/created_at", "Invalid time.",
			     "a time since 1970 such as 2026-11-21T18:00:00Z", NULL);
}
