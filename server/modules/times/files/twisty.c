/* twisty.c: files of Twisty Timer and Cubic Timer. */
#include "server/modules/times/files/twisty.h"

#include <string.h>
#include <strings.h>

#include "server/modules/times/files/results.h"
#include "server/modules/times/files/shown.h"

enum { PUZZLE, CATEGORY, TIME, DATE, SCRAMBLE, PENALTY, COMMENT, BACKUP_FIELDS };

static const char heading[] = "Puzzle,Category,";

/* ---- events ---- */

/* Returns the name that events.def has for a category, from the users' name of it. */
static const char *kind_of(struct span category)
{
	static const struct {
		const char *kind, *name;
	} names[] = {
		{"oh", "oh"},          {"oh", "one-handed"},   {"oh", "one handed"},
		{"oh", "onehanded"},   {"bld", "bld"},         {"bld", "bf"},
		{"bld", "blind"},      {"bld", "blindfolded"}, {"bld", "3bld"},
		{"bld", "4bld"},       {"bld", "5bld"},        {"fm", "fm"},
		{"fm", "fmc"},         {"fm", "fewest moves"}, {"ft", "ft"},
		{"ft", "feet"},        {"ft", "with feet"},    {"mbld", "mbld"},
		{"mbld", "multi-bld"}, {"mbld", "multiblind"}, {"mbld", "multi-blind"},
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i].name) == category.length &&
		    strncasecmp(names[i].name, category.bytes, category.length) == 0)
			return names[i].kind;
	return "";
}

/* Parts "333oh" into the puzzle and its kind, which is "" without one. */
static const char *split_puzzle(struct span *puzzle)
{
	size_t digits = 0;
	while (digits < puzzle->length && puzzle->bytes[digits] >= '0' &&
	       puzzle->bytes[digits] <= '9')
		digits++;
	const struct span rest = {puzzle->bytes + digits, puzzle->length - digits};
	const char *kind = digits > 0 && rest.length > 0 ? kind_of(rest) : "";
	if (kind[0])
		puzzle->length = digits;
	return kind;
}

/* The event, and the size of its cube. */
static enum solve_event event_of(struct span puzzle, struct span category, int *size)
{
	const char *kind = split_puzzle(&puzzle);
	if (!kind[0] && category.bytes)
		kind = kind_of(category);
	*size = 0;
	for (enum solve_event i = EVENT_USUAL + 1; i < EVENT_COUNT; i++) {
		if (!solve_events[i].puzzle[0] || !span_is(puzzle, solve_events[i].puzzle))
			continue;
		*size = solve_events[i].size;
		if (strcmp(solve_events[i].category, kind) == 0)
			return i;
	}
	return EVENT_OTHER;
}

/* ---- rows ---- */

/* Digits only, at most `most`. */
static bool read_whole(struct span text, int64_t most, int64_t *number)
{
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] < '0' || text.bytes[i] > '9')
			return false;
	return text.length > 0 && slice_integer(text, number) && *number <= most;
}

/* Penalties above 2 are packed: hundreds are of the inspection, and 10 marks an entry that only keeps a
 * category. */
#define PENALTY_NO_SOLVE 10

static bool is_no_solve(const struct field_rows *rows)
{
	int64_t penalty;
	return rows->count >= BACKUP_FIELDS - 1 &&
	       read_whole(field_at(rows, PENALTY), TIME_MAX, &penalty) &&
	       penalty % 100 == PENALTY_NO_SOLVE;
}

static enum cstimer_result read_backup(struct field_rows *rows, struct cstimer_solve *solve)
{
	int64_t time, date, penalty;
	if (rows->count < BACKUP_FIELDS - 1)
		return field_fault(rows, BACKUP_FIELDS, "this row has too few fields");
	if (!read_whole(field_at(rows, TIME), TIME_MAX, &time))
		return field_fault(rows, TIME, "this is not a time in milliseconds");
	if (!read_whole(field_at(rows, DATE), INT64_C(253402300799999), &date))
		return field_fault(rows, DATE, "this is not a date in milliseconds since 1970");
	if (!read_whole(field_at(rows, PENALTY), TIME_MAX, &penalty) || penalty % 100 > 2)
		return field_fault(rows, PENALTY, "this penalty is not 0, 1 (+2) or 2 (DNF)");
	struct span category = field_at(rows, CATEGORY);
	solve->event = event_of(field_at(rows, PUZZLE), category, &solve->size);
	if (category.bytes && !span_is(category, "Normal"))
		solve->list_name = category;
	solve->scramble = field_at(rows, SCRAMBLE);
	solve->comment = field_at(rows, COMMENT);
	solve->created_ms = date;
	const struct shown_time shown = {
		.ms = time, .plus = penalty % 100 == 1, .dnf = penalty % 100 == 2};
	size_t phases = 0;
	if (!shown_time_put(&shown, NULL, &phases, solve))
		return field_fault(rows, TIME, "this time is shorter than its penalty");
	return CSTIMER_OK;
}

static enum cstimer_result read_times(struct field_rows *rows, struct cstimer_solve *solve)
{
	struct shown_time shown;
	size_t phases = 0;
	struct span time = field_at(rows, 0), dnf = field_at(rows, 3);
	if (!time.bytes || !shown_time_read(time, &shown))
		return field_fault(rows, 0, "this is not a time, such as 12.34 or 1:02.34");
	if (dnf.bytes && !span_is(dnf, "DNF"))
		return field_fault(rows, 3, "this is neither DNF nor empty");
	shown.dnf |= dnf.bytes != NULL;
	solve->scramble = field_at(rows, 1);
	if (!shown_date_read(field_at(rows, 2), &solve->created_ms))
		return field_fault(rows, 2,
				   "this is not a date and time, such as 2026-11-21T18:00:00Z");
	if (!shown_time_put(&shown, NULL, &phases, solve))
		return field_fault(rows, 0, "this time is shorter than its penalty");
	return CSTIMER_OK;
}

bool twisty_is(struct span text)
{
	const size_t length = sizeof heading - 1;
	return text.length > 0 &&
	       (text.bytes[0] == '"' ||
		(text.length >= length && memcmp(text.bytes, heading, length) == 0));
}

/* The separator after the first field of a heading in quotes; 0: the first line is not a heading. */
static char heading_separator(struct span text)
{
	static const char first[] = "\"Puzzle\"";
	const size_t length = sizeof first - 1;
	if (text.length <= length || strncasecmp(text.bytes, first, length) != 0 ||
	    !strchr(";,\t", text.bytes[length]))
		return 0;
	return text.bytes[length];
}

enum cstimer_result twisty_read(struct span text, int size, struct arena *arena,
				bool (*visit)(void *context, const struct cstimer_solve *solve),
				void *context, struct file_fault *fault)
{
	struct field_rows rows = {.arena = arena,
				  .begin = text.bytes,
				  .at = text.bytes,
				  .end = text.bytes + text.length,
				  .separator = ';',
				  .fault = fault};
	enum cstimer_result result = CSTIMER_OK;
	const char separator = heading_separator(text);
	if (separator) {
		rows.separator = separator;
		rows.escapes = true;
	}
	if (separator || text.bytes[0] != '"') /* the heading */
		result = field_row_read(&rows);
	while (result == CSTIMER_OK && rows.at < rows.end) {
		struct cstimer_solve solve = {.size = size};
		result = field_row_read(&rows);
		if (result == CSTIMER_OK && (field_row_empty(&rows) || is_no_solve(&rows)))
			continue;
		if (result == CSTIMER_OK)
			result = rows.count > 4 ? read_backup(&rows, &solve)
						: read_times(&rows, &solve);
		if (result == CSTIMER_OK && !cstimer_solve_make(&solve, NULL, 0, arena))
			return CSTIMER_NO_MEMORY;
		if (result == CSTIMER_OK && !visit(context, &solve))
			return CSTIMER_STOPPED;
	}
	return result;
}
