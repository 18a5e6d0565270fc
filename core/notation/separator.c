/* notation/separator.c: commas, colons and slashes outside of square brackets that make no bracket of
 * the text.
 *
 * "R, U, F" is a list of moves, as is every text in a dialect without square brackets. What is proposed
 * stands for the whole text and is read once, so that nothing is suggested that would be refused. */
#include "core/notation/notation_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static_assert(sizeof(((struct cube_error *)0)->suggestion) <= TRIAL_MAX &&
		      sizeof(((struct cube_error *)0)->readings[0]) <= TRIAL_MAX,
	      "whatever fits can be tried");

struct trimmed notation_trim(const struct reader *r, size_t from, size_t to)
{
	struct trimmed trimmed = {to, from};
	for (size_t at = from; at < to;) {
		struct mark mark = notation_mark(r, at);
		if (mark.kind != MARK_BLANK && trimmed.start == to)
			trimmed.start = at;
		at += mark.length;
		if (mark.kind != MARK_BLANK)
			trimmed.end = at;
	}
	return trimmed;
}

bool notation_without_commas(const struct reader *r, struct trimmed part, char *text, size_t room)
{
	size_t length = 0;
	int depth = 0;
	for (size_t at = part.start; at < part.end;) {
		struct mark mark = notation_mark(r, at);
		depth += mark.kind == MARK_ROUND_OPEN || mark.kind == MARK_SQUARE_OPEN;
		depth -= mark.kind == MARK_ROUND_CLOSE || mark.kind == MARK_SQUARE_CLOSE;
		bool comma = depth == 0 && mark.kind == MARK_COMMA;
		size_t next = at + mark.length;
		/* "R, U" becomes "R U", and "R,U" too. */
		bool gap = next < part.end && notation_mark(r, next).kind == MARK_BLANK;
		for (; at < next; at++)
			if (!comma && length < room)
				text[length++] = (char)r->text[at];
		if (comma && !gap && length < room)
			text[length++] = ' ';
	}
	if (length >= room)
		return false;
	text[length] = '\0';
	return notation_reads(r, text, length);
}

/* Refuses the whole text. */
static void refuse_all(struct reader *r, struct trimmed part, enum cube_error_code code,
		       const char *expected)
{
	notation_refuse(r, code, part.start, part.end - part.start, expected);
}

bool notation_refuse_bare_separator(struct reader *r, struct mark mark)
{
	struct cube_error *error = r->error;
	char moves[sizeof(error->suggestion)];
	const bool list = r->bare > 0 && r->stack[0].kind == MARK_COMMA;
	if (list && mark.kind == MARK_COMMA)
		r->at = r->stack[0].offset; /* it was the first of a list */
	notation_refuse(r, CUBE_ERROR_BRACKET_PARTS, r->at, notation_mark(r, r->at).length,
			"one comma or colon, between the two parts of [ ]");
	if (r->trial || mark.kind != MARK_COMMA || (r->bare > 0 && !list))
		return false;
	const struct trimmed part = notation_trim(r, 0, r->length);
	const bool is_list = notation_without_commas(r, part, moves, sizeof(moves));
	notation_suggest(r, " ");
	if (is_list) {
		refuse_all(r, part, CUBE_ERROR_BRACKET_PARTS, "spaces between moves");
		notation_suggest(r, "%s", moves);
	}
	return false;
}
