/* test_times_kinds.c: files of other timers (tests/data/timers) are recognised, and damaged ones do no harm;
 * dates, times and events as they are written. */
#include "tests/server/run.h"

#include "server/modules/times/files/date.h"
#include "server/modules/times/files/shown.h"
#include "server/modules/times/files/solve_file.h"
#include "server/modules/times/files/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 4096

static const struct {
	const char *name;
	enum solve_file_kind kind;
	size_t solves;
} files[] = {
	{"cstimer.json", FILE_CSTIMER, 7},     {"cstimer-statistics.txt", FILE_TIMES, 5},
	{"cstimer-times.txt", FILE_TIMES, 6},  {"cstimer.csv", FILE_TABLE, 3},
	{"twisty-backup.txt", FILE_TWISTY, 6}, {"twisty-times.txt", FILE_TWISTY, 3},
	{"times.txt", FILE_TIMES, 9},          {"cubic-backup.txt", FILE_TWISTY, 6},
};

static size_t slurp(const char *name, char text[TEXT_MAX])
{
	char path[96];
	snprintf(path, sizeof path, "tests/data/timers/%s", name);
	FILE *file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	size_t length = fread(text, 1, TEXT_MAX, file);
	ck_assert_uint_lt(length, TEXT_MAX);
	fclose(file);
	return length;
}

static bool count(void *context, const struct cstimer_solve *solve)
{
	ck_assert_ptr_nonnull(solve->source.bytes);
	ck_assert_int_ge(solve->time_ms, TIME_NONE);
	++*(size_t *)context;
	return true;
}

/* Reads a text that ends where its memory ends, as what it looks like. */
static enum cstimer_result read_copy(const char *text, size_t length, size_t *solves)
{
	struct arena arena = {0};
	struct buffer frame = {0};
	struct file_fault fault = {0};
	char *copy = malloc(length > 0 ? length : 1);
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, length);
	const struct span span = {copy, length};
	*solves = 0;
	enum cstimer_result result = solve_file_read(span, solve_file_kind_of(span), 3, &arena,
						     count, solves, &frame, &fault);
	if (result != CSTIMER_OK) {
		ck_assert_ptr_nonnull(fault.what);
		ck_assert_uint_le(fault.offset, length);
		ck_assert_uint_ge(fault.line, 1);
	}
	arena_finish(&arena);
	buffer_free(&frame);
	free(copy);
	return result;
}

START_TEST(files_are_recognised)
{
	static char text[TEXT_MAX];
	size_t solves;
	const size_t length = slurp(files[_i].name, text);
	ck_assert_int_eq(solve_file_kind_of((struct span){text, length}), files[_i].kind);
	ck_assert_int_eq(read_copy(text, length, &solves), CSTIMER_OK);
	ck_assert_uint_eq(solves, files[_i].solves);
	/* With a byte order mark before it. */
	memmove(text + 3, text, length);
	memcpy(text, "\xef\xbb\xbf", 3);
	ck_assert_int_eq(read_copy(text, length + 3, &solves), CSTIMER_OK);
	ck_assert_uint_eq(solves, files[_i].solves);
}
END_TEST

/* Cut anywhere, and with each byte changed. */
START_TEST(damaged_files_do_no_harm)
{
	static char text[TEXT_MAX];
	size_t solves;
	const size_t length = slurp(files[_i].name, text);
	for (size_t cut = 0; cut < length; cut++)
		(void)!read_copy(text, cut, &solves);
	for (size_t at = 0; at < length; at++)
		for (const char *with = "\";\n(:)[]=@.9D, x"; *with; with++) {
			const char was = text[at];
			text[at] = *with;
			(void)!read_copy(text, length, &solves);
			text[at] = was;
		}
}
END_TEST

START_TEST(dates_are_read)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: none */
	} rows[] = {
		{"2026-11-21", 1795219200000},
		{"2026-11-21 18:00", 1795284000000},
		{"2026-11-21 18:00:01", 1795284001000},
		{"2026-11-21T18:00:01Z", 1795284001000},
		{"2026-11-21T18:00:01.5Z", 1795284001500},
		{"2026-11-21T18:00:01.123456789", 1795284001123},
		{"2026-11-21T19:00:01+01:00", 1795284001000},
		{"2026-11-21T17:30:01-00:30", 1795284001000},
		{"1970-01-01T00:00:00Z", 0},
		{"1969-12-31", -86400000},
		{"2024-02-29", 1709164800000},
		{"2026-02-29", -1},
		{"2026-13-01", -1},
		{"2026-11-21T24:00:00Z", -1},
		{"2026-11-21T18:60:00Z", -1},
		{"2026-11-21T18:00:00.Z", -1},
		{"2026-11-21T18:00:00+1", -1},
		{"2026-11-21T18:00:00Zx", -1},
		{"2026-11-21x", -1},
		{"2026-11", -1},
		{"", -1},
		{"now", -1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int64_t ms = -1;
		const bool read = date_read(rows[i].text, strlen(rows[i].text), &ms);
		ck_assert_msg(read == (rows[i].ms != -1) && (!read || ms == rows[i].ms), "%s: %lld",
			      rows[i].text, (long long)ms);
	}
}
END_TEST

START_TEST(times_are_read_as_they_are_shown)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: none */
		bool plus, dnf;
	} rows[] = {
		{"12.34", 12340, false, false},   {"12.3", 12300, false, false},
		{"12.345", 12345, false, false},  {"12", 12000, false, false},
		{"1:02.03", 62030, false, false}, {"1:00:00", 3600000, false, false},
		{"14.34+", 14340, true, false},   {"DNF", 0, false, true},
		{"dnf", 0, false, true},          {"DNF(12.34)", 12340, false, true},
		{"DNF()", -1, false, false},      {"DNF(12.34", -1, false, false},
		{"DNFx", -1, false, false},       {"", -1, false, false},
		{"+", -1, false, false},          {".5", -1, false, false},
		{"12.", -1, false, false},        {"12.3456", -1, false, false},
		{"1:2:3:4", -1, false, false},    {"-1", -1, false, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct shown_time time;
		const bool read =
			shown_time_read((struct span){rows[i].text, strlen(rows[i].text)}, &time);
		ck_assert_msg(read == (rows[i].ms >= 0), "%s", rows[i].text);
		if (read)
			ck_assert_msg(time.ms == rows[i].ms && time.plus == rows[i].plus &&
					      time.dnf == rows[i].dnf,
				      "%s", rows[i].text);
	}
}
END_TEST

START_TEST(each_event_is_found_by_its_id)
{
	for (enum solve_event i = EVENT_USUAL + 1; i < EVENT_COUNT; i++) {
		const int size = solve_events[i].size;
		ck_assert_int_eq(solve_event_find(solve_events[i].id), i);
		ck_assert_int_eq(solve_event_of(solve_event_pack(i, size), size), i);
	}
	ck_assert_int_eq(solve_event_find("334"), EVENT_USUAL);
	ck_assert_int_eq(solve_event_find(""), EVENT_USUAL);
	for (int size = 2; size <= 7; size++) {
		char id[40];
		snprintf(id, sizeof id, "%d%d%d", size, size, size);
		ck_assert_str_eq(solve_events[solve_event_of(EVENT_USUAL, size)].id, id);
	}
	ck_assert_int_eq(solve_event_of(EVENT_USUAL, 8), EVENT_OTHER);
	ck_assert_int_eq(solve_event_of(EVENT_USUAL, 0), EVENT_OTHER);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solve kinds");
	TCase *test = tcase_create("solve kinds");
	tcase_set_timeout(test, 120);
	tcase_add_loop_test(test, files_are_recognised, 0, sizeof files / sizeof files[0]);
	tcase_add_loop_test(test, damaged_files_do_no_harm, 0, sizeof files / sizeof files[0]);
	tcase_add_test(test, dates_are_read);
	tcase_add_test(test, times_are_read_as_they_are_shown);
	tcase_add_test(test, each_event_is_found_by_its_id);
	suite_add_tcase(suite, test);
	return run_suite(suite, 2 * sizeof files / sizeof files[0] + 3);
}
