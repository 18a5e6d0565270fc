/* line_solves.c: solves, frames of imported files and answers of solvers in the lines of an export.
 */
#include "cube/size.h"
#include "server/ops/line.h"
#include "server/store/session_id.h"

#include <stdlib.h>
#include <string.h>

#define MEMBERS(list) (list), sizeof(list) / sizeof((list)[0])

/* ---- reading ---- */

static bool read_book(struct export_line *line, struct text book, uint8_t id[SESSION_ID_BYTES])
{
	if (!session_id_parse(book.bytes, book.length, &line->id))
		return line_say(line, "this book is not the id of a session");
	memcpy(id, line->id.bytes, SESSION_ID_BYTES);
	return true;
}

/* Reads hexadecimal bytes into line->bytes, which grows. */
static bool read_bytes(struct export_line *line, struct text text)
{
	uint8_t *bytes = realloc(line->bytes, text.length / 2 + 1);
	if (!bytes)
		return line_say(line, "no memory");
	line->bytes = bytes;
	return line_read_hex(line, text, bytes, text.length / 2);
}

bool line_read_solve(struct export_line *line)
{
	struct stored_solve *solve = &line->solve;
	struct text id = {0}, book = {0}, base = {0}, scramble = {0}, solution = {0}, comment = {0};
	struct text list = {0}, source = {0}, event = {0}, list_name = {0}, splits = {0};
	int64_t created_ms = INT64_MIN, origin = -1, size = 0, clock = 0, revision = 0, actor = 0;
	*solve = (struct stored_solve){.time_ms = SOLVE_UNTIMED};
	const struct json_member members[] = {
		{"solve", JSON_TEXT, &id, 0, 0},
		{"book", JSON_TEXT, &book, 0, 0},
		{"created_ms", JSON_INT64, &created_ms, INT64_MIN + 1, INT64_MAX},
		{"origin", JSON_INT64, &origin, 0, SOLVE_ORIGINS - 1},
		{"size", JSON_INT64, &size, CUBE_SIZE_MIN, CUBE_SIZE_MAX},
		{"time_ms", JSON_INT64, &solve->time_ms, 0, INT64_MAX},
		{"penalty_ms", JSON_INT64, &solve->penalty_ms, SOLVE_DNF, INT64_MAX},
		{"clock", JSON_INT64, &clock, 0, SOLVE_CLOCKS - 1},
		{"verified", JSON_BOOLEAN, &solve->verified, 0, 0},
		{"assisted", JSON_BOOLEAN, &solve->assisted, 0, 0},
		{"revision", JSON_INT64, &revision, 1, HISTORY_NONE - 1},
		{"actor", JSON_INT64, &actor, 1, UINT32_MAX - 1},
		{"base", JSON_TEXT, &base, 0, 0},
		{"scramble", JSON_TEXT, &scramble, 0, 0},
		{"solution", JSON_TEXT, &solution, 0, 0},
		{"comment", JSON_TEXT, &comment, 0, 0},
		{"list", JSON_TEXT, &list, 0, 0},
		{"source", JSON_TEXT, &source, 0, 0},
		{"event", JSON_TEXT, &event, 0, 0},
		{"list_name", JSON_TEXT, &list_name, 0, 0},
		{"splits", JSON_TEXT, &splits, 0, 0},
	};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	if (created_ms == INT64_MIN || origin < 0)
		return line_say(line, "a solve needs book, created_ms and origin");
	if (!session_id_parse(id.bytes, id.length, &line->id))
		return line_say(line, "this is not the id of a solve");
	memcpy(solve->id, line->id.bytes, sizeof solve->id);
	if (!read_book(line, book, solve->book))
		return false;
	if (base.bytes) {
		if (!read_bytes(line, base))
			return false;
		solve->base = line->bytes;
		solve->base_bytes = base.length / 2;
	}
	solve->created_ms = created_ms;
	solve->origin = (uint8_t)origin;
	solve->size = (uint8_t)size;
	solve->clock = (uint8_t)clock;
	solve->revision = (uint32_t)revision;
	solve->actor = (uint32_t)actor;
	solve->scramble = scramble.bytes;
	solve->solution = solution.bytes;
	solve->comment = comment.bytes;
	solve->list = list.bytes;
	solve->source = source.bytes;
	solve->list_name = list_name.bytes;
	solve->splits = splits.bytes;
	solve->event = (uint8_t)(event.bytes ? solve_event_find(event.bytes) : EVENT_USUAL);
	if (event.bytes && solve->event == EVENT_USUAL)
		return line_say(line, "this is not an event");
	return true;
}

bool line_read_frame(struct export_line *line)
{
	struct text frame = {0}, book = {0};
	uint8_t id[SESSION_ID_BYTES];
	const struct json_member members[] = {
		{"frame", JSON_TEXT, &frame, 0, 0},
		{"book", JSON_TEXT, &book, 0, 0},
	};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	line->frame = frame.bytes;
	return read_book(line, book, id);
}

bool line_read_answer(struct export_line *line)
{
	struct stored_answer *answer = &line->answer;
	struct text method = {0}, colors = {0}, moves = {0};
	int64_t created_ms = INT64_MIN, size = 0, canonical = 0;
	const struct json_member members[] = {
		{"answer", JSON_TEXT, &method, 0, 0},
		{"created_ms", JSON_INT64, &created_ms, INT64_MIN + 1, INT64_MAX},
		{"size", JSON_INT64, &size, CUBE_SIZE_MIN, CUBE_SIZE_MAX},
		{"canonical", JSON_INT64, &canonical, INT64_MIN + 1, INT64_MAX},
		{"colors", JSON_TEXT, &colors, 0, 0},
		{"moves", JSON_TEXT, &moves, 0, 0},
	};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	if (created_ms == INT64_MIN || size == 0 || !moves.bytes ||
	    colors.length != 2 * cube_facelets((int)size) || method.length > ANSWER_METHOD_BYTES)
		return line_say(line,
				"an answer needs created_ms, size, canonical, colors and moves");
	uint8_t *bytes = realloc(line->bytes, colors.length / 2 + moves.length / 2 + 1);
	if (!bytes)
		return line_say(line, "no memory");
	line->bytes = bytes;
	*answer = (struct stored_answer){.canonical = (uint64_t)canonical,
					 .size = (uint8_t)size,
					 .method = method.bytes,
					 .colors = bytes,
					 .moves = bytes + colors.length / 2,
					 .move_bytes = moves.length / 2,
					 .created_ms = created_ms};
	return line_read_hex(line, colors, bytes, colors.length / 2) &&
	       line_read_hex(line, moves, bytes + colors.length / 2, answer->move_bytes);
}

/* ---- writing ---- */

static void number_member(struct out *out, const char *key, int64_t value, int64_t mostly)
{
	if (value == mostly)
		return;
	out_member_integer(out, key, value);
}

static void text_member(struct out *out, const char *key, const char *value)
{
	if (!value)
		return;
	out_member_string(out, key, value);
}

static void id_member(struct out *out, const char *key, const uint8_t bytes[SESSION_ID_BYTES])
{
	struct session_id id;
	char name[SESSION_ID_TEXT + 1];
	memcpy(id.bytes, bytes, sizeof id.bytes);
	session_id_print(&id, name);
	text_member(out, key, name);
}

void line_write_solve(struct out *out, const struct stored_solve *solve)
{
	id_member(out, "solve", solve->id);
	id_member(out, "book", solve->book);
	number_member(out, "created_ms", solve->created_ms, INT64_MIN);
	number_member(out, "origin", solve->origin, -1);
	number_member(out, "size", solve->size, 0);
	number_member(out, "time_ms", solve->time_ms, SOLVE_UNTIMED);
	number_member(out, "penalty_ms", solve->penalty_ms, 0);
	number_member(out, "clock", solve->clock, 0);
	if (solve->verified)
		out_member_bool(out, "verified", true);
	if (solve->assisted)
		out_member_bool(out, "assisted", true);
	number_member(out, "revision", solve->revision, 0);
	number_member(out, "actor", solve->actor, 0);
	if (solve->base) {
		out_key(out, "base");
		hex_write(out, solve->base, solve->base_bytes);
	}
	text_member(out, "scramble", solve->scramble);
	text_member(out, "solution", solve->solution);
	text_member(out, "comment", solve->comment);
	text_member(out, "list", solve->list);
	text_member(out, "source", solve->source);
	if (solve->event != EVENT_USUAL)
		text_member(out, "event", solve_events[solve->event].id);
	text_member(out, "list_name", solve->list_name);
	text_member(out, "splits", solve->splits);
}

void line_write_frame(struct out *out, const struct session_id *book, const char *frame)
{
	text_member(out, "frame", frame);
	id_member(out, "book", book->bytes);
}

void line_write_answer(struct out *out, const struct stored_answer *answer)
{
	text_member(out, "answer", answer->method);
	number_member(out, "created_ms", answer->created_ms, INT64_MIN);
	number_member(out, "size", answer->size, 0);
	out_member_integer(out, "canonical", (int64_t)answer->canonical);
	out_key(out, "colors");
	hex_write(out, answer->colors, cube_facelets(answer->size));
	out_key(out, "moves");
	hex_write(out, answer->moves, answer->move_bytes);
}
