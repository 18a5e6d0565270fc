/* moves.c: reading the moves of a request. */
#include "server/api/input/moves.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/input/links.h"
#include "server/api/input/turns.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/times/timed.h"

bool moves_given(const struct moves_request *moves)
{
	return moves->text.bytes || moves->array;
}

/* More strings are not joined while others wait. */
#define LINES_MAX 10000

/* An item that is not a string among strings. */
static bool lines_problem(struct context *ctx, const char *pointer, size_t index)
{
	return input_problem(ctx, input_pointer_index(ctx, pointer, index),
			     "Must be a string, like the items before it.",
			     "an array of strings such as [\"R\", \"U'\"], or an array of turns",
			     NULL);
}

/* Joins strings with line breaks, so that each ends its comment. */
static bool join_lines(struct context *ctx, struct json_value *array, const char *pointer,
		       struct moves_request *moves)
{
	const size_t count = json_item_count(array);
	size_t length = 0;
	if (count > LINES_MAX)
		return input_problem(ctx, pointer, "Too many strings; join them into one.",
				     "one string, or an array of at most 10000 strings", NULL);
	for (size_t i = 0; i < count; i++) {
		if (!json_is_kind(json_item(array, i), JSON_KIND_TEXT))
			return lines_problem(ctx, pointer, i);
		length += json_value_text(json_item(array, i)).length + 1;
	}
	char *text = ctx_alloc(ctx, length + 1), *at = text;
	if (!text)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct text line = json_value_text(json_item(array, i));
		memcpy(at, line.bytes, line.length);
		at[line.length] = '\n';
		at += line.length + 1;
	}
	*at = '\0';
	moves->text = (struct text){text, length};
	moves->lines = array;
	return true;
}

bool moves_from_json(struct context *ctx, struct json_value *value, const char *pointer,
		     struct moves_request *moves)
{
	moves->pointer = pointer;
	if (json_is_kind(json_item(value, 0), JSON_KIND_TEXT))
		return join_lines(ctx, value, pointer, moves);
	if (json_is_kind(value, JSON_KIND_TEXT))
		moves->text = json_value_text(value);
	else if (json_is_kind(value, JSON_KIND_ARRAY))
		moves->array = value;
	else
		return input_problem(ctx, pointer,
				     "Must be a string or an array, for example \"R U R' U'\".",
				     "a string such as \"R U R' U'\", an array of strings, or an "
				     "array of turns such as {\"face\": \"R\"}",
				     NULL);
	return true;
}

bool moves_read_dialect(struct context *ctx, struct text name, const char *pointer,
			struct moves_request *moves)
{
	const char *names[CUBE_DIALECT_COUNT];
	if (!name.bytes)
		return true;
	for (int i = 0; i < CUBE_DIALECT_COUNT; i++)
		names[i] = cube_dialect_name((enum cube_dialect)i);
	const struct json_place place = {pointer, pointer ? NULL : "notation"};
	uint8_t index;
	if (!input_place_choice(ctx, &place, name, "dialect", names, CUBE_DIALECT_COUNT, &index))
		return false;
	moves->dialect = (enum cube_dialect)index;
	return true;
}

/* ---- problems ---- */

static void moves_problem_begin(struct context *ctx, const struct moves_request *moves,
				const char *pointer, struct out *out, const char *detail)
{
	problem_begin(ctx->request, PROBLEM_BAD_NOTATION, out, "%s", detail);
	const char *parameter = moves->parameter ? moves->parameter : "moves";
	const struct json_place place = {pointer, pointer ? NULL : parameter};
	input_place_write(ctx, out, &place);
}

/* The text that the sender wrote, of which `error` is a part: of several strings the one with the
 * fault, whose pointer is returned; the offset becomes that in it. */
static const char *find_line(struct context *ctx, const struct moves_request *moves,
			     struct text *text, struct cube_error *error)
{
	*text = moves->text;
	for (size_t i = 0, at = 0; i < json_item_count(moves->lines); i++) {
		const struct text line = json_value_text(json_item(moves->lines, i));
		if (error->offset > at + line.length && i + 1 < json_item_count(moves->lines)) {
			at += line.length + 1;
			continue;
		}
		error->offset -= at;
		if (error->offset > line.length)
			error->offset = line.length;
		if (error->length > line.length - error->offset)
			error->length = line.length - error->offset;
		*text = line;
		return input_pointer_index(ctx, moves->pointer, i);
	}
	return moves->pointer;
}

/* The faulty part in quotes, at most 24 bytes, cut at a character. */
static void quote_fault(const struct text *text, const struct cube_error *error, char quoted[32])
{
	size_t length = error->length < 24 ? error->length : 24;
	if (error->offset >= text->length || length == 0 || error->code == CUBE_ERROR_UTF8) {
		quoted[0] = '\0';
		return;
	}
	if (length > text->length - error->offset)
		length = text->length - error->offset;
	while (length > 0 && length < text->length - error->offset &&
	       ((unsigned char)text->bytes[error->offset + length] & 0xc0) == 0x80)
		length--;
	snprintf(quoted, 32, "\"%.*s\"", (int)length, text->bytes + error->offset);
}

static void write_place(struct out *out, const struct text *text, size_t offset, size_t length)
{
	out_member_integer(out, "offset", (int64_t)offset);
	out_member_integer(out, "length", (int64_t)length);
	out_member_integer(out, "column",
			   (int64_t)cube_text_column(text->bytes, text->length, offset));
}

/* Nothing if there are none. */
static void write_readings(struct out *out, const char *one, const char *other)
{
	if (!one[0])
		return;
	out_member_open(out, "readings", '[');
	out_string(out, one);
	out_string(out, other);
	out_close(out, ']');
}

bool moves_fault(struct context *ctx, const struct moves_request *moves,
		 const struct cube_error *fault)
{
	struct out out;
	struct text text;
	struct cube_error error = *fault;
	char quoted[32], detail[320];
	const char *pointer = find_line(ctx, moves, &text, &error);
	const size_t column = cube_text_column(text.bytes, text.length, error.offset);
	quote_fault(&text, &error, quoted);
	snprintf(detail, sizeof detail, "%s%sat column %zu: %s.", quoted, quoted[0] ? " " : "",
		 column, cube_error_text(error.code));
	if (!quoted[0])
		detail[0] = 'A';
	moves_problem_begin(ctx, moves, pointer, &out, detail);
	write_place(&out, &text, error.offset, error.length);
	problem_member(&out, "expected", error.expected);
	problem_member(&out, "suggestion", error.suggestion);
	write_readings(&out, error.readings[0], error.readings[1]);
	problem_end(ctx->request, &out);
	return false;
}

/* Begins a problem about the whole text; the caller may add members. */
static void whole_problem_begin(struct context *ctx, const struct moves_request *moves,
				struct out *out, const char *detail)
{
	moves_problem_begin(ctx, moves, moves->pointer, out, detail);
	out_member_integer(out, "offset", 0);
	out_member_integer(out, "length", (int64_t)moves->text.length);
	out_member_integer(out, "column", 1);
}

bool moves_problem(struct context *ctx, const struct moves_request *moves, const char *detail,
		   const char *expected)
{
	struct out out;
	whole_problem_begin(ctx, moves, &out, detail);
	problem_member(&out, "expected", expected);
	problem_end(ctx->request, &out);
	return false;
}

/* ---- reading ---- */

bool moves_read(struct context *ctx, const struct moves_request *moves, int size,
		struct cube_alg *alg)
{
	return moves_read_noted(ctx, moves, size, alg, NULL);
}

bool moves_read_noted(struct context *ctx, const struct moves_request *moves, int size,
		      struct cube_alg *alg, struct cube_notes *notes)
{
	struct cube_error error;
	if (notes)
		notes->count = 0;
	if (moves->array)
		return moves_read_turns(ctx, moves, size, alg);
	if (links_given(moves))
		return links_read(ctx, moves, size, alg, notes);
	const char *text = moves->text.bytes ? moves->text.bytes : "";
	struct cube_node *nodes =
		ctx_alloc(ctx, (cube_parse_nodes(text, moves->text.length) + 1) * sizeof *nodes);
	if (!nodes)
		return false;
	if (cube_parse_noted(text, moves->text.length, size, moves->dialect, nodes, alg, notes,
			     &error) == CUBE_OK)
		return true;
	if (error.code == CUBE_ERROR_CHARACTER && moves->text.bytes[error.offset] == '@')
		snprintf(error.expected, sizeof error.expected,
			 "moves without times; R@120 is read in a session's moves and in recorded "
			 "solves");
	return moves_fault(ctx, moves, &error);
}

void moves_notes_write(struct out *out, const struct moves_request *moves,
		       const struct cube_notes *notes)
{
	if (notes->count == 0)
		return;
	out_member_open(out, "notes", '[');
	for (size_t i = 0; i < notes->count; i++) {
		const struct cube_note *note = &notes->note[i];
		out_open(out, '{');
		write_place(out, &moves->text, note->offset, note->length);
		out_member_string(out, "detail", note->detail);
		write_readings(out, note->readings[0], note->readings[1]);
		out_close(out, '}');
	}
	out_close(out, ']');
}

bool moves_read_timed(struct context *ctx, const struct moves_request *moves, int size,
		      struct cube_alg *alg, uint32_t **times, struct cube_notes *notes)
{
	const struct text *text = &moves->text;
	struct cube_error error;
	bool timed;
	*times = NULL;
	if (notes)
		notes->count = 0; /* no times after brackets */
	if (!text->bytes || !memchr(text->bytes, '@', text->length) || links_given(moves))
		return moves_read_noted(ctx, moves, size, alg, notes);
	const size_t room = cube_parse_nodes(text->bytes, text->length) + 1;
	struct cube_node *nodes = ctx_alloc(ctx, room * sizeof *nodes);
	uint32_t *read = ctx_alloc(ctx, room * sizeof *read);
	if (!nodes || !read)
		return false;
	if (timed_parse(text->bytes, text->length, size, moves->dialect, nodes, alg, read, &timed,
			&error) != CUBE_OK)
		return moves_fault(ctx, moves, &error);
	*times = timed ? read : NULL;
	return true;
}

bool moves_expand(struct context *ctx, const struct moves_request *moves,
		  const struct cube_alg *alg, struct cube_turn **turns, size_t *count)
{
	uint64_t limit = ctx->service->config.limits.moves;
	uint64_t length = cube_alg_length(alg);
	if (length > limit || length == CUBE_COUNT_OVER) {
		struct out out;
		char detail[160];
		snprintf(detail, sizeof detail,
			 "Written out, these are %s%llu moves; the limit is %llu.",
			 length == CUBE_COUNT_OVER ? "more than " : "",
			 length == CUBE_COUNT_OVER ? (unsigned long long)CUBE_COUNT_MAX
						   : (unsigned long long)length,
			 (unsigned long long)limit);
		whole_problem_begin(ctx, moves, &out, detail);
		out_key(&out, "expanded_length");
		if (length == CUBE_COUNT_OVER)
			out_null(&out);
		else
			out_integer(&out, (int64_t)length);
		snprintf(detail, sizeof detail,
			 "at most %llu moves at a time; send more moves to a session in several "
			 "requests",
			 (unsigned long long)limit);
		problem_member(&out, "expected", detail);
		problem_end(ctx->request, &out);
		return false;
	}
	*turns = ctx_alloc(ctx, (size_t)(length + 1) * sizeof **turns);
	return *turns && cube_alg_expand(alg, (size_t)length, *turns, count);
}

/* Size tried first: most algorithms fit. */
#define PRINT_BYTES 128
/* An estimate does not expect more moves than this, whatever the limit. */
#define EXPANDED_MAX 1000000

char *moves_print(struct context *ctx, const struct cube_alg *alg)
{
	char *text = ctx_alloc(ctx, PRINT_BYTES);
	size_t length = text ? cube_alg_print(alg, text, PRINT_BYTES) : 0;
	if (length < PRINT_BYTES)
		return text;
	text = ctx_alloc(ctx, length + 1);
	if (text)
		cube_alg_print(alg, text, length + 1);
	return text;
}

static uint64_t rotation_cost(int size)
{
	return 300 + 3 * (uint64_t)size * (uint64_t)size;
}

uint64_t moves_text_cost(const char *text, size_t length, int size)
{
	const uint64_t area = (uint64_t)size * (uint64_t)size;
	/* A letter may turn the whole cube. A bracket is computed as a permutation of all facelets:
	 * compositions, inversions, and its power. */
	const uint64_t rotation_ns = rotation_cost(size);
	const uint64_t bracket_ns = 4000 + area * (20 + (uint64_t)size / 2);
	uint64_t rotations = 0, brackets = 0;
	for (size_t i = 0; i < length; i++) {
		rotations += text[i] == 'x' || text[i] == 'y' || text[i] == 'z';
		brackets += text[i] == '(' || text[i] == '[';
	}
	return length * (100 + area) + rotations * rotation_ns + brackets * bracket_ns;
}

uint64_t moves_cost(const struct moves_request *moves, int size)
{
	const uint64_t area = (uint64_t)size * (uint64_t)size;
	return moves->array ? json_item_count(moves->array) * 4 * (30 + area)
			    : moves_text_cost(moves->text.bytes, moves->text.length, size);
}

/* Returns true if the text may have a bracket, with or without its signs, or a link. */
static bool may_expand(struct text text)
{
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] && strchr("([:,/", text.bytes[i]))
			return true;
	return false;
}

uint64_t moves_cost_expanded(const struct context *ctx, const struct moves_request *moves, int size)
{
	const uint64_t limit = ctx->service->config.limits.moves;
	const uint64_t most = limit < EXPANDED_MAX ? limit : EXPANDED_MAX;
	return moves_cost(moves, size) + (may_expand(moves->text) ? most * rotation_cost(size) : 0);
}
