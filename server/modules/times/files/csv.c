/* csv.c: tables of solves as csTimer writes them. */
#include "server/modules/times/files/csv.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "server/modules/times/files/date.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/files/shown.h"

/* ---- rows ---- */

enum { TIME, COMMENT, SCRAMBLE, DATE, ASSISTED, COLUMNS };
static const char *const headings[COLUMNS] = {"Time", "Comment", "Scramble", "Date", "Assisted"};

/* The position in a row of each column; -1 for one that the table lacks. */
struct columns {
	int at[COLUMNS], phase[CSTIMER_PHASES_MAX];
	size_t phases;
};

static void find_columns(const struct field_rows *rows, struct columns *columns)
{
	columns->phases = 0;
	for (int column = 0; column < COLUMNS; column++)
		columns->at[column] = -1;
	for (size_t i = 0; i < rows->count; i++) {
		char phase[32];
		for (int column = 0; column < COLUMNS; column++)
			if (span_is(rows->field[i], headings[column]))
				columns->at[column] = (int)i;
		snprintf(phase, sizeof phase, "P.%zu", columns->phases + 1);
		if (columns->phases < CSTIMER_PHASES_MAX && span_is(rows->field[i], phase))
			columns->phase[columns->phases++] = (int)i;
	}
}

/* The ends of the phases; *count is how many there are. False if one is invalid. */
static bool read_phases(const struct columns *columns, const struct field_rows *rows,
			int64_t ends[CSTIMER_PHASES_MAX], size_t *count)
{
	int64_t end = 0, phase;
	*count = 0;
	for (size_t i = 0; i < columns->phases; i++) {
		struct span field = field_at(rows, columns->phase[i]);
		if (!field.bytes)
			break;
		if (!shown_duration(field, &phase))
			return false;
		end += phase;
		ends[(*count)++] = end;
	}
	return true;
}

/* "1", or nothing. False if it is neither. */
static bool read_flag(struct span field, bool *set)
{
	*set = field.bytes && (span_is(field, "1") || span_is(field, "true"));
	return *set || !field.bytes || span_is(field, "0") || span_is(field, "false");
}

static enum cstimer_result read_solve(struct field_rows *rows, const struct columns *columns,
				      struct cstimer_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	size_t phases;
	struct shown_time shown;
	struct span time = field_at(rows, columns->at[TIME]);
	if (!time.bytes || !shown_time_read(time, &shown))
		return field_fault(rows, columns->at[TIME],
				   "this is not a time, such as 12.34 or 1:02.34");
	if (!read_phases(columns, rows, ends, &phases))
		return field_fault(rows, columns->phase[phases],
				   "this phase is not a time, such as 12.34 or 1:02.34");
	solve->comment = field_at(rows, columns->at[COMMENT]);
	solve->scramble = field_at(rows, columns->at[SCRAMBLE]);
	struct span date = field_at(rows, columns->at[DATE]);
	if (!shown_date_read(date, &solve->created_ms))
		return field_fault(rows, columns->at[DATE],
				   "this is not a date and time, such as 2026-11-21 18:00:00");
	if (!read_flag(field_at(rows, columns->at[ASSISTED]), &solve->assisted))
		return field_fault(rows, columns->at[ASSISTED],
				   "this is neither 1 (assisted) nor 0 or empty (not assisted)");
	if (!shown_time_put(&shown, ends, &phases, solve))
		return field_fault(rows, columns->at[TIME],
				   "this time is shorter than its penalty");
	return cstimer_solve_make(solve, ends, phases, rows->arena) ? CSTIMER_OK
								    : CSTIMER_NO_MEMORY;
}

static char separator_of(struct span text)
{
	const char *end = memchr(text.bytes, '\n', text.length);
	const size_t length = end ? (size_t)(end - text.bytes) : text.length;
	return memchr(text.bytes, ';', length)    ? ';'
	       : memchr(text.bytes, '\t', length) ? '\t'
						  : ',';
}

enum cstimer_result csv_read(struct span text, int size, struct arena *arena,
			     bool (*visit)(void *context, const struct cstimer_solve *solve),
			     void *context, struct file_fault *fault)
{
	struct columns columns;
	struct field_rows rows = {.arena = arena, .begin = text.bytes, .fault = fault};
	if (text.length >= 3 && memcmp(text.bytes, "\xef\xbb\xbf", 3) == 0) {
		text.bytes += 3;
		text.length -= 3;
	}
	rows.at = text.bytes;
	rows.end = text.bytes + text.length;
	rows.separator = separator_of(text);
	enum cstimer_result result = field_row_read(&rows);
	if (result != CSTIMER_OK)
		return result;
	find_columns(&rows, &columns);
	if (columns.at[TIME] < 0)
		return file_fault_at(fault, rows.begin, text.bytes,
				     "the header row has no column Time");
	while (rows.at < rows.end) {
		struct cstimer_solve solve = {.size = size};
		result = field_row_read(&rows);
		if (result == CSTIMER_OK && field_row_empty(&rows))
			continue;
		if (result == CSTIMER_OK)
			result = read_solve(&rows, &columns, &solve);
		if (result != CSTIMER_OK)
			return result;
		if (!visit(context, &solve))
			return CSTIMER_STOPPED;
	}
	return CSTIMER_OK;
}

/* ---- writing ---- */

void csv_format_fit(struct csv_format *format, const struct cstimer_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	size_t count = cstimer_phases(solve->source, ends);
	format->assisted |= solve->assisted;
	if (count > format->phases)
		format->phases = count;
	for (size_t i = 0; i < count; i++)
		format->thousandths |= ends[i] % 10 != 0;
}

void csv_write_heading(struct buffer *to, const struct csv_format *format)
{
	buffer_text(to, "No.;Time;Comment;Scramble;Date");
	for (size_t i = 0; i < format->phases; i++) {
		char name[32];
		snprintf(name, sizeof name, ";P.%zu", i + 1);
		buffer_text(to, name);
	}
	buffer_text(to, format->assisted ? ";Assisted" : "");
}

static void add_time(struct buffer *to, const struct csv_format *format, int64_t ms)
{
	char text[48];
	ms = ms > 0 ? ms : 0; /* a file may have phases that end before they begin */
	const long long seconds = ms / 1000, minutes = seconds / 60;
	size_t length = 0;
	if (minutes >= 60)
		length = (size_t)snprintf(text, sizeof text, "%lld:%02lld:%02lld", minutes / 60,
					  minutes % 60, seconds % 60);
	else if (minutes > 0)
		length = (size_t)snprintf(text, sizeof text, "%lld:%02lld", minutes, seconds % 60);
	else
		length = (size_t)snprintf(text, sizeof text, "%lld", seconds);
	if (format->thousandths)
		snprintf(text + length, sizeof text - length, ".%03lld", (long long)(ms % 1000));
	else
		snprintf(text + length, sizeof text - length, ".%02lld",
			 (long long)(ms % 1000 / 10));
	buffer_text(to, text);
}

static void add_field(struct buffer *to, struct span text)
{
	bool quoted = text.length > 0 && text.bytes[0] == '"';
	for (size_t i = 0; i < text.length; i++)
		quoted |= strchr(";\n\r", text.bytes[i]) != NULL;
	if (!quoted) {
		buffer_add(to, text.bytes, text.length);
		return;
	}
	buffer_text(to, "\"");
	for (size_t i = 0; i < text.length; i++)
		buffer_add(to, text.bytes[i] == '"' ? "\"\"" : text.bytes + i,
			   text.bytes[i] == '"' ? 2 : 1);
	buffer_text(to, "\"");
}

static void add_date(struct buffer *to, int64_t created_ms)
{
	char text[32];
	struct tm date;
	const time_t seconds = created_ms / 1000;
	if (created_ms > 0 && gmtime_r(&seconds, &date) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &date) > 0)
		buffer_text(to, text);
}

void csv_write_row(struct buffer *to, const struct csv_format *format, size_t number,
		   const struct cstimer_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	size_t count = cstimer_phases(solve->source, ends);
	const int64_t time_ms = solve->time_ms >= 0 ? solve->time_ms : 0;
	char text[24];
	snprintf(text, sizeof text, "\r\n%zu;", number);
	buffer_text(to, text);
	if (solve->penalty_ms == PENALTY_DNF) {
		buffer_text(to, "DNF(");
		add_time(to, format, time_ms);
		buffer_text(to, ")");
	} else {
		add_time(to, format, time_ms + solve->penalty_ms);
		buffer_text(to, solve->penalty_ms > 0 ? "+" : "");
	}
	buffer_text(to, ";");
	add_field(to, solve->comment);
	buffer_text(to, ";");
	add_field(to, solve->scramble);
	buffer_text(to, ";");
	add_date(to, solve->created_ms);
	for (size_t i = 0; i < format->phases; i++) {
		buffer_text(to, ";");
		if (i < count)
			add_time(to, format, ends[i] - (i > 0 ? ends[i - 1] : 0));
	}
	if (format->assisted)
		buffer_text(to, solve->assisted ? ";1" : ";");
}
