/* test_times_files.c: csTimer's files and tables, read and written again without loss. */
#include "tests/server/run.h"

#include "server/modules/times/files/cstimer_sessions.h"
#include "server/modules/times/files/cstimer_types.h"
#include "server/modules/times/files/csv.h"
#include "server/modules/times/files/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOLVES_MAX 64

struct kept {
	struct arena arena;
	struct cstimer_solve solves[SOLVES_MAX];
	size_t count;
	struct buffer frame, out;
};

static struct span text_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

static bool keep(void *context, const struct cstimer_solve *solve)
{
	struct kept *kept = context;
	ck_assert_uint_lt(kept->count, SOLVES_MAX);
	kept->solves[kept->count++] = *solve;
	return true;
}

static void kept_free(struct kept *kept)
{
	arena_finish(&kept->arena);
	buffer_free(&kept->frame);
	buffer_free(&kept->out);
}

static void fill(void *context, struct span list, struct buffer *to)
{
	const struct kept *kept = context;
	bool any = false;
	for (size_t i = 0; i < kept->count; i++) {
		const struct span *of = &kept->solves[i].list;
		if (of->length != list.length || memcmp(of->bytes, list.bytes, list.length) != 0)
			continue;
		buffer_add(to, ",", any);
		any = true;
		buffer_add(to, kept->solves[i].source.bytes, kept->solves[i].source.length);
	}
}

static void assert_text(const struct buffer *buffer, const char *text)
{
	ck_assert_msg(!buffer->failed && buffer->length == strlen(text) &&
			      memcmp(buffer->bytes, text, buffer->length) == 0,
		      "\"%.*s\" is not \"%s\"", (int)buffer->length, buffer->bytes, text);
}

static void assert_span(struct span span, const char *text)
{
	ck_assert_msg(text ? span_is(span, text) : !span.bytes, "\"%.*s\" is not \"%s\"",
		      (int)span.length, span.bytes ? span.bytes : "", text ? text : "(none)");
}

/* ---- csTimer ---- */

/* Each comes back as it was. */
static const char *const files[] = {
	"{\"session1\":[]}",
	"{\"session1\":[],\"properties\":{}}",
	"{\"session1\":[[[0,12340],\"R U R'\",\"\",1700000000]],\"session2\":[],\"properties\":{}}",
	"{\"session1\":[[[2000,12345],\"R\",\"a \\\"b\\\" \\u00e9 \xc3\xa9\",1700000000],"
	"[[-1,99],\"\",\"\",1700000001,[\"R@0 U@90\",\"333\"]],"
	"[[0,30000,20000,5000],\"x\",\"c\",1700000002]],\"unknown\":[1,2.5e3,{\"a\":null}],"
	"\"properties\":{\"sessionData\":\"{\\\"1\\\":{\\\"name\\\":1,\\\"opt\\\":{\\\"scrType\\\":"
	"\\\"444wca\\\"},\\\"rank\\\":1}}\",\"theme\":true},\"session10\":[[[0,1],\"\",\"\",5]]}",
	/* lists as strings, as older versions have them */
	"{\"session1\":\"[[[0,5],\\\"R\\\",\\\"\\\",7],[[-1,6],\\\"U\\\",\\\"q\\\\\\\"\\\",8]]\","
	"\"session2\":\"[]\",\"properties\":\"{}\"}",
	/* items that are not understood */
	"{\"session1\":[null,7,[],[[]],[[0]],[\"x\"],[[0,1.75],1,2,\"3\",[],{}],[[0,1e3],\"\",\"\","
	"0]],"
	"\"session\":[3],\"sessions1\":[4],\"session2\":{\"a\":1},\"session3\":\"no list\"}",
};

START_TEST(files_come_back_as_they_were)
{
	struct kept kept = {0};
	size_t offset;
	ck_assert_int_eq(
		cstimer_read(text_of(files[_i]), &kept.arena, keep, &kept, &kept.frame, &offset),
		CSTIMER_OK);
	const struct span frame = {kept.frame.bytes, kept.frame.length};
	struct cstimer_sessions sessions;
	ck_assert(cstimer_sessions_read(frame, &kept.arena, &sessions));
	ck_assert(cstimer_write(frame, &sessions, fill, &kept, &kept.out));
	assert_text(&kept.out, files[_i]);
	kept_free(&kept);
}
END_TEST

START_TEST(other_json_is_no_export)
{
	static const char *const foreign[] = {
		"{}",
		"{\"items\":[[[0,1],\"\",\"\",0]]}",
		"{\"session\":[[[0,1],\"\",\"\",0]],\"session1\":7,\"session2\":\"x\"}",
		"{\"session1\":[{\"time\":1},7,[]],\"properties\":{}}",
	};
	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
		struct kept kept = {0};
		size_t offset;
		ck_assert_int_eq(cstimer_read(text_of(foreign[i]), &kept.arena, keep, &kept,
					      &kept.frame, &offset),
				 CSTIMER_FOREIGN);
		kept_free(&kept);
	}
}
END_TEST

START_TEST(solves_are_understood)
{
	struct kept kept = {0};
	size_t offset;
	int64_t ends[CSTIMER_PHASES_MAX];
	ck_assert_int_eq(
		cstimer_read(text_of(files[3]), &kept.arena, keep, &kept, &kept.frame, &offset),
		CSTIMER_OK);
	ck_assert_uint_eq(kept.count, 4);
	const struct cstimer_solve *solve = kept.solves;
	assert_span(solve->list, "session1");
	assert_span(solve->scramble, "R");
	assert_span(solve->comment, "a \"b\" \xc3\xa9 \xc3\xa9");
	assert_span(solve->solution, NULL);
	ck_assert_int_eq(solve->time_ms, 12345);
	ck_assert_int_eq(solve->penalty_ms, 2000);
	ck_assert_int_eq(solve->created_ms, 1700000000000);
	ck_assert_int_eq(solve->size, 4);
	ck_assert_int_eq(solve[1].penalty_ms, PENALTY_DNF);
	ck_assert_int_eq(solve[1].time_ms, 99);
	assert_span(solve[1].scramble, NULL);
	assert_span(solve[1].solution, "R@0 U@90");
	/* splits stand from the last to the first */
	ck_assert_uint_eq(cstimer_phases(solve[2].source, ends), 3);
	ck_assert_int_eq(ends[0], 5000);
	ck_assert_int_eq(ends[1], 20000);
	ck_assert_int_eq(ends[2], 30000);
	ck_assert_int_eq(solve[3].size, 3);
	kept_free(&kept);
	kept = (struct kept){0};
	ck_assert_int_eq(
		cstimer_read(text_of(files[5]), &kept.arena, keep, &kept, &kept.frame, &offset),
		CSTIMER_OK);
	ck_assert_uint_eq(kept.count, 8);
	for (size_t i = 0; i < 6; i++)
		ck_assert_int_eq(kept.solves[i].time_ms, TIME_NONE);
	ck_assert_int_eq(kept.solves[6].time_ms, 1);
	ck_assert_int_eq(kept.solves[7].time_ms, TIME_NONE);
	kept_free(&kept);
}
END_TEST

START_TEST(events_of_scramble_types)
{
	static const struct {
		const char *type;
		int size;
		enum solve_event event;
	} rows[] = {{"333", 3, EVENT_333},       {"333o", 3, EVENT_333},
		    {"222so", 2, EVENT_222},     {"222eg", 2, EVENT_OTHER},
		    {"444wca", 4, EVENT_444},    {"777wca", 7, EVENT_777},
		    {"888", 8, EVENT_OTHER},     {"101010", 10, EVENT_OTHER},
		    {"111111", 11, EVENT_OTHER}, {"sqrs", 0, EVENT_SQ1},
		    {"pyrso", 0, EVENT_PYRAM},   {"mgmp", 0, EVENT_MINX},
		    {"clkwca", 0, EVENT_CLOCK},  {"skbso", 0, EVENT_SKEWB},
		    {"333ni", 3, EVENT_333BF},   {"333oh", 3, EVENT_333OH},
		    {"333fm", 3, EVENT_333FM},   {"333ft", 3, EVENT_333FT},
		    {"r3ni", 3, EVENT_333MBF},   {"444bld", 4, EVENT_444BF},
		    {"555bld", 5, EVENT_555BF},  {"pll", 0, EVENT_OTHER},
		    {"input", 0, EVENT_OTHER},   {"", 0, EVENT_OTHER},
		    {"33", 0, EVENT_OTHER},      {"334", 0, EVENT_OTHER}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int size = -1;
		ck_assert_msg(cstimer_event_of(text_of(rows[i].type), &size) == rows[i].event &&
				      size == rows[i].size,
			      "%s", rows[i].type);
	}
}
END_TEST

START_TEST(other_texts_are_no_files)
{
	static const struct {
		const char *text;
		size_t offset;
	} rows[] = {
		{"", 0},
		{"hello", 0},
		{"{", 1},
		{"{\"a\":}", 5},
		{"{\"a\":1,}", 7},
		{"{\"a\" 1}", 5},
		{"{\"a\":1}x", 7},
		{"{\"a\":01}", 6},
		{"{\"a\":\"\\x\"}", 6},
		{"{\"a\":[1}", 7},
		{"{\"a\":tru}", 5},
		{"{\"a\":\"\n\"}", 6},
		{"{\"a\":[1 2]}", 8},
		{"{\"a\":-}", 6},
		{"{\"a\":\"\\ud8\"}", 6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct kept kept = {0};
		size_t offset = 99;
		ck_assert_int_eq(cstimer_read(text_of(rows[i].text), &kept.arena, keep, &kept,
					      &kept.frame, &offset),
				 CSTIMER_BAD);
		ck_assert_msg(offset == rows[i].offset, "%s: %zu", rows[i].text, offset);
		kept_free(&kept);
	}
	/* Nested too deep, and as deep as may be. */
	char deep[300];
	for (int levels = SLICE_DEPTH_MAX; levels <= SLICE_DEPTH_MAX + 1; levels++) {
		struct span value;
		const char *fault;
		memset(deep, '[', (size_t)levels);
		memset(deep + levels, ']', (size_t)levels);
		ck_assert(slice_document((struct span){deep, 2 * (size_t)levels}, &value, &fault) ==
			  (levels == SLICE_DEPTH_MAX));
	}
}
END_TEST

/* Every text cut anywhere, and with each byte changed, is read or refused, within its bounds. */
START_TEST(damaged_files_do_no_harm)
{
	const char *whole = files[3];
	const size_t length = strlen(whole);
	size_t offset;
	for (size_t cut = 0; cut < length; cut++) {
		char *copy = malloc(cut + 1); /* no byte more than there is */
		ck_assert_ptr_nonnull(copy);
		memcpy(copy, whole, cut);
		struct kept kept = {0};
		ck_assert_int_eq(cstimer_read((struct span){copy, cut}, &kept.arena, keep, &kept,
					      &kept.frame, &offset),
				 CSTIMER_BAD);
		kept_free(&kept);
		free(copy);
	}
	char *copy = malloc(length);
	ck_assert_ptr_nonnull(copy);
	for (size_t at = 0; at < length; at++)
		for (const char *with = "\"\\[]{},:0ux\x01"; *with; with++) {
			struct kept kept = {0};
			memcpy(copy, whole, length);
			copy[at] = *with;
			if (cstimer_read((struct span){copy, length}, &kept.arena, keep, &kept,
					 &kept.frame, &offset) == CSTIMER_BAD)
				ck_assert_uint_le(offset, length);
			kept_free(&kept);
		}
	free(copy);
}
END_TEST

/* Checks that the comment of an assisted solve says so in csTimer's text, and only there. */
static void marks_come_back(void)
{
	static const struct {
		const char *comment, *text;
		bool assisted;
	} rows[] = {
		{"half", "[[0,1],\"\",\"half [assisted]\",0]", true},
		{"", "[[0,1],\"\",\"[assisted]\",0]", true},
		{"two  ", "[[0,1],\"\",\"two   [assisted]\",0]", true},
		{"[assisted] no", "[[0,1],\"\",\"[assisted] no\",0]", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buffer out = {0}, changed = {0};
		struct arena arena = {0};
		struct cstimer_solve solve = {.time_ms = 1,
					      .comment = text_of(rows[i].comment),
					      .assisted = rows[i].assisted},
				     read;
		cstimer_solve_write(&out, &solve, NULL, 0);
		assert_text(&out, rows[i].text);
		ck_assert(cstimer_solve_read((struct span){out.bytes, out.length}, &arena, &read));
		ck_assert(read.assisted == rows[i].assisted);
		ck_assert_uint_eq(read.comment.length, strlen(rows[i].comment));
		ck_assert_mem_eq(read.comment.length ? read.comment.bytes : "", rows[i].comment,
				 read.comment.length);
		cstimer_solve_change(&changed, (struct span){out.bytes, out.length}, 2000,
				     text_of("other"), true);
		assert_text(&changed, "[[2000,1],\"\",\"other [assisted]\",0]");
		arena_finish(&arena);
		buffer_free(&out);
		buffer_free(&changed);
	}
}

START_TEST(solves_are_written_and_changed)
{
	struct buffer out = {0}, changed = {0};
	const int64_t splits[] = {5000, 20000};
	const struct cstimer_solve solve = {.time_ms = 30000,
					    .penalty_ms = 0,
					    .created_ms = 1700000000999,
					    .scramble = text_of("R U"),
					    .comment = text_of("\"\n\x01"),
					    .solution = text_of("U'@0 R'@300"),
					    .size = 3};
	cstimer_solve_write(&out, &solve, splits, 2);
	assert_text(&out, "[[0,30000,20000,5000],\"R U\",\"\\\"\\n\\u0001\",1700000000,"
			  "[\"U'@0 R'@300\",\"333\"]]");
	cstimer_solve_change(&changed, (struct span){out.bytes, out.length}, PENALTY_DNF,
			     text_of("why"), false);
	assert_text(&changed, "[[-1,30000,20000,5000],\"R U\",\"why\",1700000000,"
			      "[\"U'@0 R'@300\",\"333\"]]");
	changed.length = 0;
	cstimer_solve_change(&changed, text_of("[7]"), 2000, text_of("x"), true);
	assert_text(&changed, "[7]");
	changed.length = 0;
	cstimer_solve_change(&changed, text_of("[[0,5]]"), 2000, text_of("x"), false);
	assert_text(&changed, "[[2000,5]]");
	marks_come_back();
	buffer_free(&out);
	buffer_free(&changed);
}
END_TEST

/* ---- tables ---- */

static const char *const tables[] = {
	"No.;Time;Comment;Scramble;Date;P.1\r\n"
	"1;12.34;;R U R' U';2026-11-21 18:00:00;12.34\r\n"
	"2;14.34+;\"a;\"\"b\"\"\nc\";R U2;2026-11-21 18:01:00;12.34\r\n"
	"3;DNF(9.87);;;;9.87\r\n"
	"4;1:02.03;x;D2;2026-11-21 18:02:00;1:02.03\r\n"
	"5;1:00:00.00;;;2026-11-21 18:02:00;1:00:00.00\r\n"
	"6;16.00+;two of them;;2026-11-21 18:02:00;12.00",
	"No.;Time;Comment;Scramble;Date;P.1;P.2;P.3\r\n"
	"1;30.001;;R;2026-11-21 18:00:00;5.000;15.000;10.001\r\n"
	"2;12.340;;R;2026-11-21 18:00:00;12.340;;",
	"No.;Time;Comment;Scramble;Date;P.1",
};

START_TEST(tables_come_back_as_they_were)
{
	struct kept kept = {0};
	struct file_fault fault;
	ck_assert_int_eq(csv_read(text_of(tables[_i]), 3, &kept.arena, keep, &kept, &fault),
			 CSTIMER_OK);
	struct csv_format format = {.phases = 1};
	for (size_t i = 0; i < kept.count; i++)
		csv_format_fit(&format, &kept.solves[i]);
	csv_write_heading(&kept.out, &format);
	for (size_t i = 0; i < kept.count; i++) {
		/* By its text alone, as it is stored. */
		struct cstimer_solve solve;
		ck_assert(cstimer_solve_read(kept.solves[i].source, &kept.arena, &solve));
		csv_write_row(&kept.out, &format, i + 1, &solve);
	}
	assert_text(&kept.out, tables[_i]);
	kept_free(&kept);
}
END_TEST

START_TEST(other_tables_are_read)
{
	struct kept kept = {0};
	struct file_fault fault;
	/* Another order, other ends of lines, another separator, a byte order mark. */
	const char *text =
		"\xef\xbb\xbfTime,Scramble,Date\n9.1,\"R, U\",2026-11-21T18:00:00.000Z\n\n"
		"10.00+,,\n DNF";
	ck_assert_int_eq(csv_read(text_of(text), 3, &kept.arena, keep, &kept, &fault), CSTIMER_BAD);
	ck_assert_uint_eq(fault.line, 5);
	ck_assert_uint_eq(kept.count, 2);
	ck_assert_int_eq(kept.solves[0].time_ms, 9100);
	assert_span(kept.solves[0].scramble, "R, U");
	ck_assert_int_eq(kept.solves[0].created_ms, 1795284000000);
	ck_assert_int_eq(kept.solves[1].time_ms, 8000);
	ck_assert_int_eq(kept.solves[1].penalty_ms, 2000);
	kept_free(&kept);
}
END_TEST

/* Both formats have no other word for it; a 0 that counted would be the best of all. */
START_TEST(no_time_at_all_is_none)
{
	struct kept kept = {0};
	struct file_fault fault;
	size_t offset;
	ck_assert_int_eq(csv_read(text_of("Time;P.1\n0.00;0.00\n2.00+;0.00\nDNF(0.00);\n0.01;"), 3,
				  &kept.arena, keep, &kept, &fault),
			 CSTIMER_OK);
	ck_assert_int_eq(
		cstimer_read(text_of("{\"session1\":[[[0,0],\"R\",\"\",7],[[2000,0],\"\",\"\",7],"
				     "[[-1,0],\"\",\"\",7],[[0,10],\"\",\"\",7]]}"),
			     &kept.arena, keep, &kept, &kept.frame, &offset),
		CSTIMER_OK);
	ck_assert_uint_eq(kept.count, 8);
	for (size_t i = 0; i < 8; i++)
		ck_assert_int_eq(kept.solves[i].time_ms, i % 4 == 3 ? 10 : TIME_NONE);
	kept_free(&kept);
}
END_TEST

START_TEST(phases_that_end_before_they_begin_are_written_as_none)
{
	struct kept kept = {0};
	struct cstimer_solve solve;
	const struct csv_format format = {.phases = 2};
	const struct span source = text_of("[[0,5000,9000],\"R\",\"\",0]");
	ck_assert(cstimer_solve_read(source, &kept.arena, &solve));
	csv_write_row(&kept.out, &format, 1, &solve);
	assert_text(&kept.out, "\r\n1;5.00;;R;;9.00;0.00");
	kept_free(&kept);
}
END_TEST

START_TEST(faults_of_tables_have_their_place)
{
	static const struct {
		const char *text;
		size_t line, column, offset;
	} rows[] = {
		{"", 1, 1, 0},
		{"a;b\n1;2", 1, 1, 0},
		{"Time\n12.34\nx", 3, 1, 11},
		{"Time\n1.2345", 2, 1, 5},
		{"Time\n1.", 2, 1, 5},
		{"Time\n1:2:3:4", 2, 1, 5},
		{"Time\n-1", 2, 1, 5},
		{"Time\n1.00+", 2, 1, 5},
		{"Time;P.1\n1.00;x", 2, 6, 14},
		{"Time;P.1;P.2\n1.00;1.00;x", 2, 11, 23},
		{"Time\n\"1.00", 2, 1, 5},
		{"Time\n\"1.00\"x", 2, 7, 11},
		{"Time\n1000000000", 2, 1, 5},
		/* Quoted, after a comment of two lines and letters of two bytes. */
		{"Comment;Time\n\"\xc3\xa4\n\xc3\xb6\";\"x\"", 3, 4, 21},
		{"Time;Date\n1.00;yesterday", 2, 6, 15},
		{"Time;Date\n1.00;2026-02-30 10:00:00", 2, 6, 15},
		{"Time;Date\n1.00;2026-13-01 10:00:00", 2, 6, 15},
		{"Time;Date\n1.00;2026-11-21 25:00:00", 2, 6, 15},
		{"Time;Date\n1.00;2026-11-21 10:00:00.5x", 2, 6, 15},
		{"Time;Date\n1.00;1969-12-31 10:00:00", 2, 6, 15},
		{"Time;Date\n1.00;2026-11-21 10:00:00                        Z", 2, 6, 15},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct kept kept = {0};
		struct file_fault fault = {0};
		ck_assert_int_eq(
			csv_read(text_of(rows[i].text), 3, &kept.arena, keep, &kept, &fault),
			CSTIMER_BAD);
		ck_assert_msg(fault.line == rows[i].line && fault.column == rows[i].column &&
				      fault.offset == rows[i].offset,
			      "%s: line %zu, column %zu, offset %zu", rows[i].text, fault.line,
			      fault.column, fault.offset);
		ck_assert_ptr_nonnull(fault.what);
		kept_free(&kept);
	}
}
END_TEST

/* As for files; what is read is written again. */
START_TEST(damaged_tables_do_no_harm)
{
	const size_t length = strlen(tables[0]);
	for (size_t at = 0; at < length; at++)
		for (const char *with = "\";\r\n+(:.9DNF\xff"; *with; with++) {
			struct kept kept = {0};
			struct file_fault fault;
			/* Changed there, or cut there; no byte more than there is. */
			const size_t bytes = *with == '9' ? at : length;
			char *copy = malloc(bytes + 1);
			ck_assert_ptr_nonnull(copy);
			memcpy(copy, tables[0], bytes);
			if (at < bytes)
				copy[at] = *with;
			copy = realloc(copy, bytes ? bytes : 1);
			ck_assert_ptr_nonnull(copy);
			if (csv_read((struct span){copy, bytes}, 3, &kept.arena, keep, &kept,
				     &fault) == CSTIMER_BAD)
				ck_assert_uint_le(fault.offset, bytes);
			struct csv_format format = {.phases = 1};
			for (size_t i = 0; i < kept.count; i++) {
				csv_format_fit(&format, &kept.solves[i]);
				csv_write_row(&kept.out, &format, i, &kept.solves[i]);
			}
			kept_free(&kept);
			free(copy);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solve files");
	TCase *plain = tcase_create("solve files");
	tcase_set_timeout(plain, 60);
	tcase_add_loop_test(plain, files_come_back_as_they_were, 0, sizeof files / sizeof files[0]);
	tcase_add_test(plain, solves_are_understood);
	tcase_add_test(plain, other_json_is_no_export);
	tcase_add_test(plain, events_of_scramble_types);
	tcase_add_test(plain, other_texts_are_no_files);
	tcase_add_test(plain, damaged_files_do_no_harm);
	tcase_add_test(plain, solves_are_written_and_changed);
	tcase_add_loop_test(plain, tables_come_back_as_they_were, 0,
			    sizeof tables / sizeof tables[0]);
	tcase_add_test(plain, other_tables_are_read);
	tcase_add_test(plain, no_time_at_all_is_none);
	tcase_add_test(plain, phases_that_end_before_they_begin_are_written_as_none);
	tcase_add_test(plain, damaged_tables_do_no_harm);
	tcase_add_test(plain, faults_of_tables_have_their_place);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 20);
}
