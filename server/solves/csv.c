/* csv.c: tables of solves as csTimer writes them. */
#include "server/solves/csv.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "server/solves/times.h"

#define COLUMNS_MAX 64

/* ---- fields ---- */

struct csv_table {
	struct arena *arena;
	const char *begin, *at, *end;
	char separator;
	const char *place[COLUMNS_MAX]; /* where the fields of the row stand in the file */
	struct csv_fault *fault;
};

static enum cstimer_result bad(struct csv_table *table, const char *at, const char *what)
{
	size_t line = 1, column = 1;
	for (const char *c = table->begin; c < at; c++) {
		line += *c == '\n';
		column = *c == '\n' ? 1 : column + ((*c & 0xc0) != 0x80);
	}
	*table->fault = (struct csv_fault){line, column, (size_t)(at - table->begin), what};
	return CSTIMER_BAD;
}

/* The same for a field of the row, or for its end if it has no such field. */
static enum cstimer_result bad_field(struct csv_table *table, int column, size_t count,
				     const char *what)
{
	const bool there = column >= 0 && (size_t)column < count;
	return bad(table, there ? table->place[column] : table->at, what);
}

/* One field; the row has ended where *last is set. A quote inside is written twice. */
static enum cstimer_result read_field(struct csv_table *table, struct span *field, bool *last)
{
	const char *at = table->at, *end = table->end;
	if (at < end && *at == '"') {
		char *room = arena_alloc(table->arena, (size_t)(end - at));
		size_t length = 0;
		if (!room)
			return CSTIMER_NO_MEMORY;
		for (at++; at < end; at++) {
			if (*at == '"' && !(at + 1 < end && at[1] == '"'))
				break;
			at += *at == '"';
			room[length++] = *at;
		}
		if (at == end)
			return bad(table, table->at, "this quote is not closed");
		at++;
		*field = (struct span){room, length};
	} else {
		while (at < end && *at != table->separator && *at != '\n' && *at != '\r')
			at++;
		*field = (struct span){table->at, (size_t)(at - table->at)};
	}
	if (at < end && *at != table->separator && *at != '\n' && *at != '\r')
		return bad(table, at, "there is text after the closing quote of this field");
	*last = at == end || *at != table->separator;
	at += at < end && *at == '\r' && *last;
	at += at < end && (*at == '\n' || !*last);
	table->at = at;
	return CSTIMER_OK;
}

static enum cstimer_result read_row(struct csv_table *table, struct span *fields, size_t *count)
{
	bool last = false;
	*count = 0;
	while (!last) {
		if (*count == COLUMNS_MAX)
			return bad(table, table->at, "this row has too many fields");
		table->place[*count] = table->at;
		enum cstimer_result result = read_field(table, &fields[(*count)++], &last);
		if (result != CSTIMER_OK)
			return result;
	}
	return CSTIMER_OK;
}

/* ---- what fields say ---- */

/* "1:02:03.456", "62.34", with up to three decimals. *ms; false if it is invalid. */
static bool read_time(struct span text, int64_t *ms)
{
	int64_t whole = 0, part = 0, thousandths = 0;
	int digits = 0, colons = 0;
	size_t i = 0;
	for (; i < text.length && text.bytes[i] != '.'; i++) {
		const char c = text.bytes[i];
		if (c == ':' && digits > 0 && colons < 2) {
			whole = (whole + part) * 60;
			part = digits = 0;
			colons++;
		} else if (c >= '0' && c <= '9' && digits < 9) {
			part = part * 10 + (c - '0');
			digits++;
		} else {
			return false;
		}
	}
	if (digits == 0)
		return false;
	if (i < text.length) {
		int64_t unit = 100;
		if (++i == text.length || text.length - i > 3)
			return false;
		for (; i < text.length; i++, unit /= 10) {
			if (text.bytes[i] < '0' || text.bytes[i] > '9')
				return false;
			thousandths += unit * (text.bytes[i] - '0');
		}
	}
	*ms = (whole + part) * 1000 + thousandths;
	return *ms <= TIME_MAX;
}

/* "12.34", "14.34+", "DNF(12.34)", "DNF": what is shown, and which of the three. */
static bool read_shown(struct span text, int64_t *shown_ms, bool *plus, bool *dnf)
{
	*plus = *dnf = false;
	*shown_ms = 0;
	if (text.length >= 3 && memcmp(text.bytes, "DNF", 3) == 0) {
		*dnf = true;
		if (text.length == 3)
			return true;
		if (text.bytes[3] != '(' || text.bytes[text.length - 1] != ')')
			return false;
		return read_time((struct span){text.bytes + 4, text.length - 5}, shown_ms);
	}
	*plus = text.length > 0 && text.bytes[text.length - 1] == '+';
	text.length -= *plus;
	return read_time(text, shown_ms);
}

/* "2026-11-21 18:00:00", optionally with a T between them and fractions and a Z after them. False
 * if it is not a date since 1970. */
static bool read_date(struct span text, int64_t *ms)
{
	char copy[40];
	struct tm date = {0}, same;
	if (text.length < 19 || text.length >= sizeof copy)
		return false;
	memcpy(copy, text.bytes, text.length);
	copy[text.length] = '\0';
	if (copy[10] == 'T')
		copy[10] = ' ';
	const char *rest = strptime(copy, "%Y-%m-%d %H:%M:%S", &date);
	if (!rest)
		return false;
	if (*rest == '.')
		rest += 1 + strspn(rest + 1, "0123456789");
	if (*rest != '\0' && strcmp(rest, "Z") != 0)
		return false;
	const int day = date.tm_mday;
	const time_t seconds = timegm(&date);
	*ms = (int64_t)seconds * 1000;
	/* The 30th of February would be a day in March. */
	return seconds > 0 && gmtime_r(&seconds, &same) && same.tm_mday == day;
}

/* ---- rows ---- */

struct columns {
	int time, comment, scramble, date, assisted, phase[CSTIMER_PHASES_MAX];
	size_t phases;
};

static void find_columns(const struct span *fields, size_t count, struct columns *columns)
{
	*columns = (struct columns){
		.time = -1, .comment = -1, .scramble = -1, .date = -1, .assisted = -1};
	for (size_t i = 0; i < count; i++) {
		char phase[32];
		snprintf(phase, sizeof phase, "P.%zu", columns->phases + 1);
		if (span_is(fields[i], "Time"))
			columns->time = (int)i;
		else if (span_is(fields[i], "Comment"))
			columns->comment = (int)i;
		else if (span_is(fields[i], "Scramble"))
			columns->scramble = (int)i;
		else if (span_is(fields[i], "Date"))
			columns->date = (int)i;
		else if (span_is(fields[i], "Assisted"))
			columns->assisted = (int)i;
		else if (span_is(fields[i], phase) && columns->phases < CSTIMER_PHASES_MAX)
			columns->phase[columns->phases++] = (int)i;
	}
}

static struct span field_at(const struct span *fields, size_t count, int column)
{
	return column >= 0 && (size_t)column < count && fields[column].length > 0
		       ? fields[column]
		       : (struct span){0};
}

/* The ends of the phases; *count is how many there are. False if one is invalid. */
static bool read_phases(const struct columns *columns, const struct span *fields,
			size_t field_count, int64_t ends[CSTIMER_PHASES_MAX], size_t *count)
{
	int64_t end = 0, phase;
	*count = 0;
	for (size_t i = 0; i < columns->phases; i++) {
		struct span field = field_at(fields, field_count, columns->phase[i]);
		if (!field.bytes)
			break;
		if (!read_time(field, &phase))
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

static enum cstimer_result read_solve(struct csv_table *table, const struct columns *columns,
				      const struct span *fields, size_t count,
				      struct cstimer_solve *solve)
{
	int64_t shown, ends[CSTIMER_PHASES_MAX];
	size_t phases;
	bool plus, dnf;
	struct span time = field_at(fields, count, columns->time);
	if (!time.bytes || !read_shown(time, &shown, &plus, &dnf))
		return bad_field(table, columns->time, count,
				 "this is not a time, such as 12.34 or 1:02.34");
	if (!read_phases(columns, fields, count, ends, &phases))
		return bad_field(table, columns->phase[phases], count,
				 "this phase is not a time, such as 12.34 or 1:02.34");
	solve->comment = field_at(fields, count, columns->comment);
	solve->scramble = field_at(fields, count, columns->scramble);
	struct span date = field_at(fields, count, columns->date);
	solve->created_ms = 0;
	if (date.bytes && !read_date(date, &solve->created_ms))
		return bad_field(table, columns->date, count,
				 "this is not a date and time, such as 2026-11-21 18:00:00");
	if (!read_flag(field_at(fields, count, columns->assisted), &solve->assisted))
		return bad_field(table, columns->assisted, count,
				 "this is neither 1 (assisted) nor 0 or empty (not assisted)");
	solve->solution = (struct span){0};
	/* A time with a + includes the penalty; the phases add up to the time without it. */
	solve->penalty_ms = dnf ? PENALTY_DNF : plus ? PENALTY_TWO : 0;
	if (plus && phases > 0 && shown >= ends[phases - 1])
		solve->penalty_ms = shown - ends[phases - 1];
	solve->time_ms = plus ? shown - solve->penalty_ms : shown;
	if (solve->time_ms < 0)
		return bad_field(table, columns->time, count,
				 "this time is shorter than its penalty");
	if (phases > 0 && ends[phases - 1] != solve->time_ms)
		phases = 0; /* they do not belong to this time */
	struct buffer source = {0};
	cstimer_solve_write(&source, solve, ends, phases > 0 ? phases - 1 : 0);
	char *copy = source.failed ? NULL : arena_text(table->arena, source.bytes, source.length);
	solve->source = (struct span){copy, source.length};
	solve->time_ms =
		solve->time_ms > 0 ? solve->time_ms : TIME_NONE; /* as cstimer_solve_read */
	buffer_free(&source);
	return copy ? CSTIMER_OK : CSTIMER_NO_MEMORY;
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
			     void *context, struct csv_fault *fault)
{
	struct span fields[COLUMNS_MAX];
	struct columns columns;
	size_t count;
	struct csv_table table = {.arena = arena, .begin = text.bytes, .fault = fault};
	if (text.length >= 3 && memcmp(text.bytes, "\xef\xbb\xbf", 3) == 0) {
		text.bytes += 3;
		text.length -= 3;
	}
	table.at = text.bytes;
	table.end = text.bytes + text.length;
	table.separator = separator_of(text);
	enum cstimer_result result = read_row(&table, fields, &count);
	if (result != CSTIMER_OK)
		return result;
	find_columns(fields, count, &columns);
	if (columns.time < 0)
		return bad(&table, text.bytes, "the header row has no column Time");
	while (table.at < table.end) {
		struct cstimer_solve solve = {.size = size};
		result = read_row(&table, fields, &count);
		if (result == CSTIMER_OK && count == 1 && fields[0].length == 0)
			continue; /* an empty line */
		if (result == CSTIMER_OK)
			result = read_solve(&table, &columns, fields, count, &solve);
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
