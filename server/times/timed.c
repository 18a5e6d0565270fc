/* timed.c: moves with the times they were made at.
 *
 * The text is cut at its times, and the library reads each piece: moves are defined in one place. */
#include "server/times/timed.h"

#include <stdio.h>
#include <string.h>

#define STAMP_TEXT_MAX (CUBE_TURN_TEXT_MAX + 12)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of a comment that begins at `at`; `at` if there is none. */
static size_t comment_end(const char *text, size_t length, size_t at)
{
	if (length - at < 2 || text[at] != '/')
		return at;
	if (text[at + 1] == '/') {
		const char *line = memchr(text + at, '\n', length - at);
		return line ? (size_t)(line - text) : length;
	}
	if (text[at + 1] != '*')
		return at;
	for (size_t i = at + 2; i + 1 < length; i++)
		if (text[i] == '*' && text[i + 1] == '/')
			return i + 2;
	return length;
}

/* The next `@` from `at` that is not in a comment; `length` if there is none. */
static size_t next_stamp(const char *text, size_t length, size_t at)
{
	while (at < length && text[at] != '@') {
		size_t end = comment_end(text, length, at);
		at = end > at ? end : at + 1;
	}
	return at;
}

static enum cube_error_code fault(struct cube_error *error, enum cube_error_code code,
				  size_t offset, size_t length, const char *expected)
{
	*error = (struct cube_error){.code = code, .offset = offset, .length = length};
	snprintf(error->expected, sizeof error->expected, "%s", expected);
	return code;
}

/* The time after the `@` at `at`; *end is after it. */
static enum cube_error_code read_stamp(const char *text, size_t length, size_t at, uint32_t before,
				       uint32_t *time, size_t *end, struct cube_error *error)
{
	uint64_t ms = 0;
	size_t i = at + 1;
	for (; i < length && is_digit(text[i]) && ms <= TIMED_MAX_MS; i++)
		ms = ms * 10 + (uint64_t)(text[i] - '0');
	*end = i;
	*time = (uint32_t)ms;
	if (i == at + 1 || (i + 1 < length && text[i] == '.' && is_digit(text[i + 1])))
		return fault(error, CUBE_ERROR_TIME, at, i - at,
			     "a time in whole milliseconds, as in R@250");
	if (ms > TIMED_MAX_MS)
		return fault(error, CUBE_ERROR_AMOUNT_LARGE, at, i - at,
			     "at most 3600000000 ms, a thousand hours");
	if (ms < before)
		return fault(error, CUBE_ERROR_TIME_BACK, at, i - at,
			     "a time that is not less than the previous move's");
	return CUBE_OK;
}

/* One piece: one turn, or none if that turns nothing. */
static enum cube_error_code read_piece(const char *text, size_t from, size_t at, int size,
				       enum cube_dialect dialect, struct cube_node *nodes,
				       struct cube_alg *piece, struct cube_error *error)
{
	enum cube_error_code code =
		cube_parse(text + from, at - from, size, dialect, nodes, piece, error);
	if (code != CUBE_OK) {
		error->offset += from;
		return code;
	}
	if (piece->count == 0 && piece->zeros == 0)
		return fault(error, CUBE_ERROR_TIME_ALONE, at, 1, "a move before its time");
	if (piece->count > 0 && nodes[0].kind != CUBE_NODE_TURN)
		return fault(error, CUBE_ERROR_TIME_ALONE, from, at - from,
			     "a single move before each time, or no times at all");
	if (piece->count + piece->zeros > 1)
		return fault(error, CUBE_ERROR_TIME_MISSING, from, at - from,
			     "a single move before each time, or no times at all");
	return CUBE_OK;
}

enum cube_error_code timed_parse(const char *text, size_t length, int size,
				 enum cube_dialect dialect, struct cube_node *nodes,
				 struct cube_alg *alg, uint32_t *times, bool *timed,
				 struct cube_error *error)
{
	enum cube_error_code code = CUBE_OK;
	uint32_t count = 0, zeros = 0, before = 0;
	size_t from = 0, at = next_stamp(text, length, 0);
	*timed = at < length;
	if (!*timed)
		return cube_parse(text, length, size, dialect, nodes, alg, error);
	for (; at < length && code == CUBE_OK; at = next_stamp(text, length, from)) {
		struct cube_alg piece;
		uint32_t time;
		code = read_piece(text, from, at, size, dialect, nodes + count, &piece, error);
		if (code == CUBE_OK)
			code = read_stamp(text, length, at, before, &time, &from, error);
		if (code != CUBE_OK)
			return code;
		before = time;
		zeros += piece.zeros;
		if (piece.count == 0)
			continue;
		nodes[count].end = count + 1;
		times[count++] = time;
	}
	struct cube_alg rest;
	code = cube_parse(text + from, length - from, size, dialect, nodes + count, &rest, error);
	if (code != CUBE_OK) {
		error->offset += from;
		return code;
	}
	if (rest.count + rest.zeros > 0)
		return fault(error, CUBE_ERROR_TIME_MISSING, from, length - from,
			     "a time after each move, or no times at all");
	*alg = (struct cube_alg){
		.nodes = nodes, .count = count, .size = (uint8_t)size, .zeros = zeros};
	return CUBE_OK;
}

size_t timed_text_max(size_t count)
{
	return count * STAMP_TEXT_MAX + 1;
}

size_t timed_print(int size, const struct cube_turn *turns, const uint32_t *times, size_t count,
		   char *text)
{
	size_t length = 0;
	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		if (turns[i].quarters == 0)
			continue;
		if (length > 0)
			text[length++] = ' ';
		char turn[CUBE_TURN_TEXT_MAX];
		cube_turn_print(size, turns[i], turn);
		length += (size_t)snprintf(text + length, STAMP_TEXT_MAX, "%s@%lu", turn,
					   (unsigned long)times[i]);
	}
	return length;
}

bool timed_is_rotation(int size, struct cube_turn turn)
{
	return turn.from == 1 && turn.to == size;
}

void timed_skip_inspection(int size, const struct cube_turn *turns, size_t count, uint32_t *times)
{
	size_t first = 0;
	while (first < count && timed_is_rotation(size, turns[first]))
		first++;
	for (size_t i = 0; first < count && i < first; i++)
		times[i] = times[first];
}

#define HAND_TURN_MS 50
#define HAND_AT_ONCE 4

bool timed_by_hand(int size, const struct cube_turn *turns, size_t count, int64_t took_ms)
{
	int64_t layers = 0;
	for (size_t i = 0; i < count; i++)
		layers += turns[i].quarters != 0 && !timed_is_rotation(size, turns[i]);
	return layers <= HAND_AT_ONCE || took_ms >= (layers - 1) * HAND_TURN_MS;
}
