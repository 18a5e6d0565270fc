/* notation/separator.c: a comma or colon outside of square brackets.
 *
 * "U: [R, D]" lacks the outer brackets. "R, U" may lack them too, or be a list of moves: both are
 * suggested. With more than one comma the text is such a list. What is proposed stands for the whole text
 * and is read once, so that nothing is suggested that would be refused. */
#include "core/notation/notation_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static_assert(sizeof(((struct cube_error *)0)->suggestion) <= TRIAL_MAX &&
		      sizeof(((struct cube_error *)0)->readings[0]) <= TRIAL_MAX,
	      "whatever fits can be tried");

/* The text without the white space around it. */
struct trimmed {
	size_t start, end;
};

static struct trimmed trim(const struct reader *r)
{
	struct trimmed trimmed = {r->length, 0};
	for (size_t at = 0; at < r->length;) {
		struct mark mark = notation_mark(r, at);
		if (mark.kind != MARK_BLANK && trimmed.start == r->length)
			trimmed.start = at;
		at += mark.length;
		if (mark.kind != MARK_BLANK)
			trimmed.end = at;
	}
	return trimmed;
}

/* Writes the text in brackets; false if it does not fit, or cannot be read then. */
static bool in_brackets(const struct reader *r, struct trimmed part, char *text, size_t room)
{
	int length = snprintf(text, room, "[%.*s]", (int)(part.end - part.start),
			      (const char *)r->text + part.start);
	return length > 0 && (size_t)length < room && notation_reads(r, text, (size_t)length);
}

/* Writes the text without its commas outside of brackets, of which *commas is the number. */
static bool without_commas(const struct reader *r, struct trimmed part, char *text, size_t room,
			   size_t *commas)
{
	size_t length = 0;
	int depth = 0;
	*commas = 0;
	for (size_t at = part.start; at < part.end;) {
		struct mark mark = notation_mark(r, at);
		depth += mark.kind == MARK_ROUND_OPEN || mark.kind == MARK_SQUARE_OPEN;
		depth -= mark.kind == MARK_ROUND_CLOSE || mark.kind == MARK_SQUARE_CLOSE;
		bool comma = depth == 0 && mark.kind == MARK_COMMA;
		size_t next = at + mark.length;
		*commas += comma;
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
	static const char expected[] = "one comma or colon, between the two parts of [ ]";
	struct cube_error *error = r->error;
	char bracketed[sizeof(error->suggestion)], list[sizeof(error->suggestion)];
	size_t commas, most = sizeof(error->readings[0]);
	notation_refuse(r, CUBE_ERROR_BRACKET_PARTS, r->at, mark.length, expected);
	if (r->trial)
		return false;
	const struct trimmed part = trim(r);
	const bool comma = mark.kind == MARK_COMMA;
	const bool is_list = without_commas(r, part, list, sizeof(list), &commas) && comma;
	if (comma && (commas > 1 || !(r->dialect->forms & FORM_SQUARE))) {
		notation_suggest(r, " ");
		if (is_list) {
			refuse_all(r, part, CUBE_ERROR_BRACKET_PARTS, "spaces between moves");
			notation_suggest(r, "%s", list);
		}
		return false;
	}
	if (!in_brackets(r, part, bracketed, sizeof(bracketed)))
		return false;
	if (!comma) {
		refuse_all(r, part, CUBE_ERROR_BRACKET_PARTS, expected);
		notation_suggest(r, "%s", bracketed);
	} else if (is_list && strlen(bracketed) < most) {
		refuse_all(r, part, CUBE_ERROR_AMBIGUOUS,
			   "[A, B] for a commutator, or spaces between moves");
		memcpy(error->readings[0], bracketed, strlen(bracketed) + 1);
		memcpy(error->readings[1], list, strlen(list) + 1);
	}
	return false;
}
