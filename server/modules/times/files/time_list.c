/* time_list.c: lists of times as text. */
#include "server/modules/times/files/time_list.h"

#include <string.h>
#include <strings.h>

#include "server/modules/times/files/shown.h"

#define COMMA "write times with a point, such as 12.34; a comma separates them"
#define NO_TIME "this is not a time, such as 12.34, 1:02.34, 12.34+ or DNF"

struct time_list {
	struct arena *arena;
	const char *begin, *at, *end; /* of the text */
	const char *line_end;         /* of the line at `at`, without its line break */
	bool numbered;
	int size;
	struct file_fault *fault;
};

static enum cstimer_result bad(const struct time_list *list, const char *at, const char *what)
{
	return file_fault_at(list->fault, list->begin, at, what);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* The end of the line, without its line break; *next is the line after it. */
static const char *end_of_line(const char *at, const char *end, const char **next)
{
	const char *line_end = memchr(at, '\n', (size_t)(end - at));
	*next = line_end ? line_end + 1 : end;
	if (!line_end)
		line_end = end;
	while (line_end > at && line_end[-1] == '\r')
		line_end--;
	return line_end;
}

/* Behind "12. "; NULL: the line has no number. */
static const char *skip_number(const char *at, const char *end)
{
	at = skip_blanks(at, end);
	const char *digits = at;
	while (at < end && is_digit(*at))
		at++;
	if (at == digits || at + 1 >= end || *at != '.' || (at[1] != ' ' && at[1] != '\t'))
		return NULL;
	return skip_blanks(at + 1, end);
}

/* ---- where the solves begin ---- */

static bool ends_with_colon(const char *line, const char *end)
{
	static const char wide[] = "\xef\xbc\x9a"; /* as Chinese has it */
	while (end > line && end[-1] == ' ')
		end--;
	return (end > line && end[-1] == ':') || (end - line >= 3 && memcmp(end - 3, wide, 3) == 0);
}

static void skip_heading(struct time_list *list)
{
	static const char name[] = "csTimer";
	const char *next, *first_end = end_of_line(list->at, list->end, &next);
	const char *behind = list->at;
	const bool named = memmem(list->at, (size_t)(first_end - list->at), name, strlen(name));
	for (const char *line = list->at; line < list->end; line = next) {
		const char *line_end = end_of_line(line, list->end, &next);
		if (skip_number(line, line_end)) {
			list->numbered = true;
			list->at = line;
			return;
		}
		if (ends_with_colon(line, line_end))
			behind = next;
	}
	if (named)
		list->at = behind;
}

/* ---- one solve ---- */

/* The end of a time at `at`: digits, colons, a point, a plus; or DNF. */
static const char *end_of_time(const char *at, const char *end)
{
	if (end - at >= 3 && strncasecmp(at, "DNF", 3) == 0) {
		at += 3;
		const char *close =
			at < end && *at == '(' ? memchr(at, ')', (size_t)(end - at)) : NULL;
		return close ? close + 1 : at;
	}
	while (at < end && (is_digit(*at) || *at == ':' || *at == '.'))
		at++;
	return at + (at < end && *at == '+');
}

/* "=1.00+2.00", the durations of the phases. False if one is not a time; then *at is there. */
static bool read_phases(const char **at, const char *end, int64_t ends[CSTIMER_PHASES_MAX],
			size_t *count)
{
	int64_t sum = 0, phase;
	*count = 0;
	while (*at < end && (**at == '=' || (*count > 0 && **at == '+'))) {
		const char *from = ++*at;
		while (*at < end && (is_digit(**at) || **at == ':' || **at == '.'))
			++*at;
		if (*count == CSTIMER_PHASES_MAX ||
		    !shown_duration((struct span){from, (size_t)(*at - from)}, &phase)) {
			*at = from;
			return false;
		}
		sum += phase;
		ends[(*count)++] = sum;
	}
	return true;
}

/* Returns true if the byte may follow a solve. */
static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/* Returns true if a comment may end before `at`: after it the line ends, or the scramble or another
 * solve begins. */
static bool ends_comment(const char *at, const char *end)
{
	const char *next = skip_blanks(at, end);
	return next == end || next - at >= 3 || *at == ',' || *at == ';' || *at == '\t';
}

/* "[comment]", which may have brackets in it. `aside`: a parenthesis closes behind it. */
static bool read_comment(const char **at, const char *end, bool aside, struct span *comment)
{
	if (*at == end || **at != '[')
		return true;
	const char *from = *at + 1;
	for (const char *c = from; c < end; c++) {
		const bool closed = !aside || (c + 1 < end && c[1] == ')');
		if (*c != ']' || !closed || !ends_comment(c + 1 + aside, end))
			continue;
		*comment = (struct span){c > from ? from : NULL, (size_t)(c - from)};
		*at = c + 1;
		return true;
	}
	return false;
}

/* The time with its phases and its comment, in parentheses if an average left it out. */
static enum cstimer_result read_time(struct time_list *list, struct cstimer_solve *solve,
				     int64_t ends[CSTIMER_PHASES_MAX], size_t *phases)
{
	struct shown_time shown;
	const char *at = list->at, *end = list->line_end;
	const bool aside = at < end && *at == '(';
	at += aside;
	const char *from = at;
	at = end_of_time(at, end);
	if (at == from || !shown_time_read((struct span){from, (size_t)(at - from)}, &shown))
		return bad(list, from, NO_TIME);
	if (end - at >= 2 && *at == ',' && is_digit(at[1]) &&
	    !memchr(from, '.', (size_t)(at - from)))
		return bad(list, from, COMMA);
	if (!read_phases(&at, end, ends, phases))
		return bad(list, at, "this phase is not a time, such as 12.34 or 1:02.34");
	if (!read_comment(&at, end, aside, &solve->comment))
		return bad(list, at, "this comment has no closing bracket");
	if (aside && (at == end || *at != ')'))
		return bad(list, list->at, "this parenthesis is not closed");
	at += aside;
	if (at < end && !is_separator(*at))
		return bad(list, from, NO_TIME);
	if (!shown_time_put(&shown, ends, phases, solve))
		return bad(list, from, "this time is shorter than its penalty");
	list->at = at;
	return CSTIMER_OK;
}

/* The scramble and the date, each behind three spaces, or a tab; they end the line. */
static enum cstimer_result read_rest(struct time_list *list, struct cstimer_solve *solve)
{
	const char *from = skip_blanks(list->at, list->line_end), *end = list->line_end;
	while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (const char *c = end; c > from; c--)
		if (c[-1] == '@' && (c - 1 == from || c[-2] == ' ' || c[-2] == '\t')) {
			if (!shown_date_read((struct span){c, (size_t)(end - c)},
					     &solve->created_ms))
				return bad(
					list, c,
					"this is not a date and time, such as 2026-11-21 18:00:00");
			end = c - 1;
			break;
		}
	while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	solve->scramble = (struct span){end > from ? from : NULL, (size_t)(end - from)};
	list->at = list->line_end;
	return CSTIMER_OK;
}

/* Returns true if a scramble or a date follows. */
static bool has_rest(const struct time_list *list)
{
	const char *at = list->at, *end = list->line_end;
	const char *next = skip_blanks(at, end);
	return next < end && *next != ',' && *next != ';' &&
	       (*at == '\t' || next - at >= 3 || (list->numbered && next > at));
}

static enum cstimer_result read_solve(struct time_list *list, struct cstimer_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	size_t phases;
	*solve = (struct cstimer_solve){.size = list->size};
	enum cstimer_result result = read_time(list, solve, ends, &phases);
	if (result == CSTIMER_OK && has_rest(list))
		result = read_rest(list, solve);
	if (result == CSTIMER_OK && !cstimer_solve_make(solve, ends, phases, list->arena))
		return CSTIMER_NO_MEMORY;
	return result;
}

/* The solves of the line. */
static enum cstimer_result
read_line(struct time_list *list, bool (*visit)(void *context, const struct cstimer_solve *solve),
	  void *context, size_t *count)
{
	struct cstimer_solve solve;
	if (list->numbered) {
		const char *behind = skip_number(list->at, list->line_end);
		if (!behind)
			return bad(list, list->at, "this line has no number, as the others have");
		list->at = behind;
	}
	while (list->at < list->line_end) {
		enum cstimer_result result = read_solve(list, &solve);
		if (result != CSTIMER_OK)
			return result;
		if (!visit(context, &solve))
			return CSTIMER_STOPPED;
		++*count;
		while (list->at < list->line_end && is_separator(*list->at))
			list->at++;
	}
	return CSTIMER_OK;
}

enum cstimer_result time_list_read(struct span text, int size, struct arena *arena,
				   bool (*visit)(void *context, const struct cstimer_solve *solve),
				   void *context, struct file_fault *fault)
{
	struct time_list list = {.arena = arena,
				 .begin = text.bytes,
				 .at = text.bytes,
				 .end = text.bytes + text.length,
				 .size = size,
				 .fault = fault};
	size_t count = 0;
	skip_heading(&list);
	for (const char *next = list.at; list.at < list.end; list.at = next) {
		list.line_end = end_of_line(list.at, list.end, &next);
		list.at = skip_blanks(list.at, list.line_end);
		if (list.at == list.line_end)
			continue;
		enum cstimer_result result = read_line(&list, visit, context, &count);
		if (result != CSTIMER_OK)
			return result;
	}
	return count > 0 ? CSTIMER_OK : bad(&list, text.bytes, "there is no time in it");
}
