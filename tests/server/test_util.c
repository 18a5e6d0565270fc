/* test_util.c: the arena, the base path, the buffer, the log's lines. */
#include "tests/server/run.h"

#include "server/config.h"
#include "server/util/arena.h"
#include "server/util/base_path.h"
#include "server/util/buffer.h"
#include "server/util/log.h"
#include "server/util/log_limit.h"
#include "server/util/splitmix.h"
#include "server/util/utf8.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

START_TEST(arena_gives_aligned_memory)
{
	struct arena arena = {0};
	unsigned char *taken[600];
	for (size_t i = 0; i < 600; i++) {
		size_t bytes = i * 7919 % 6000;
		taken[i] = arena_alloc(&arena, bytes);
		ck_assert_ptr_nonnull(taken[i]);
		ck_assert_uint_eq((uintptr_t)taken[i] % alignof(max_align_t), 0);
		memset(taken[i], (int)(i & 0xff), bytes);
	}
	/* Nothing lies on top of another. */
	for (size_t i = 0; i < 600; i++)
		for (size_t at = 0; at < i * 7919 % 6000; at++)
			ck_assert_uint_eq(taken[i][at], i & 0xff);
	ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX));
	ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX - 64));
	ck_assert_ptr_null(arena_text(&arena, "", SIZE_MAX));
	ck_assert_str_eq(arena_text(&arena, "abcdef", 3), "abc");
	arena_finish(&arena);
	ck_assert_ptr_null(arena.blocks);
}
END_TEST

/* The caller's memory comes first, and only what does not fit is taken from elsewhere. */
START_TEST(arena_begins_with_memory_of_the_caller)
{
	alignas(max_align_t) unsigned char first[256];
	struct arena arena;
	arena_begin(&arena, first, sizeof first);
	ck_assert_ptr_eq(arena_alloc(&arena, 100), first);
	ck_assert_ptr_eq(arena_alloc(&arena, 100), first + 112);
	ck_assert_ptr_null(arena.blocks);
	unsigned char *outside = arena_alloc(&arena, 100);
	ck_assert(outside < first || outside >= first + sizeof first);
	memset(outside, 1, 100);
	memset(first, 2, sizeof first);
	arena_finish(&arena);
	ck_assert_ptr_null(arena.blocks);
}
END_TEST

START_TEST(base_path_comes_and_goes)
{
	static const char *const cases[][2] = {
		{"/cubes/v1?a=1", "/v1?a=1"},
		{"/cubes/", "/"},
		{"/cubes", "/"},
		{"/cubes?alg=R", "/?alg=R"},
		{"/v1", "/v1"},
		{"/cubesome/v1", "/cubesome/v1"},
		{"/cube", "/cube"},
		{"/", "/"},
		{"/x/cubes/v1", "/x/cubes/v1"},
		{"*", "*"},
	};
	struct arena arena = {0};
	base_path_set("/cubes");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *target = cases[i][0];
		size_t length = strlen(target);
		ck_assert(base_path_remove(&arena, &target, &length));
		ck_assert_uint_eq(length, strlen(cases[i][1]));
		ck_assert_mem_eq(target, cases[i][1], length);
	}
	ck_assert_str_eq(base_path_add(&arena, "/v1"), "/cubes/v1");
	ck_assert_ptr_null(base_path_add(&arena, NULL));
	base_path_set("");
	const char *target = "/cubes/v1";
	size_t length = strlen(target);
	ck_assert(base_path_remove(&arena, &target, &length));
	ck_assert_str_eq(target, "/cubes/v1");
	ck_assert_str_eq(base_path_add(&arena, "/v1"), "/v1");
	arena_finish(&arena);
}
END_TEST

START_TEST(buffer_grows)
{
	struct buffer buffer = {0};
	for (int i = 0; i < 5000; i++)
		buffer_text(&buffer, "0123456789");
	ck_assert_uint_eq(buffer.length, 50000);
	ck_assert(!buffer.failed);
	for (size_t i = 0; i < buffer.length; i++)
		ck_assert_int_eq(buffer.bytes[i], '0' + (int)(i % 10));
	ck_assert_ptr_null(buffer_room(&buffer, SIZE_MAX));
	ck_assert(buffer.failed);
	buffer_text(&buffer, "more");
	ck_assert_uint_eq(buffer.length, 50000);
	buffer_free(&buffer);
	ck_assert(!buffer.failed);
	buffer_add(&buffer, NULL, 0);
	ck_assert_uint_eq(buffer.length, 0);
	buffer_free(&buffer);
}
END_TEST

/* The pipe that takes stderr between begin and end. */
static int saved, reading;

static void capture_begin(void)
{
	int ends[2];
	ck_assert_int_eq(pipe(ends), 0);
	saved = dup(STDERR_FILENO);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	reading = ends[0];
}

static size_t capture_end(char *text, size_t capacity)
{
	dup2(saved, STDERR_FILENO);
	close(saved);
	ssize_t length = read(reading, text, capacity - 1);
	close(reading);
	text[length > 0 ? length : 0] = '\0';
	return strlen(text);
}

/* Returns the rest of a line after "time=...Z". */
static const char *rest(const char *line)
{
	const char *end = strchr(line, 'Z');
	ck_assert_ptr_nonnull(end);
	return end + 1;
}

START_TEST(log_lines)
{
	char text[4096];
	log_configure(LOG_INFO, LOG_FORMAT_LOGFMT);
	capture_begin();
	log_event(LOG_DEBUG, "not shown");
	log_event(LOG_WARNING, "store opened", LOG_TEXT("path", "a \"b\"\n\x01\xc3"),
		  LOG_NUMBER("n", -5), LOG_TEXT("plain", "127.0.0.1:80"), LOG_TEXT("empty", ""));
	capture_end(text, sizeof text);
	ck_assert_str_eq(
		rest(text),
		" level=warning msg=\"store opened\" path=\"a \\\"b\\\"\\n\\u0001\\u00c3\" n=-5"
		" plain=127.0.0.1:80 empty=\"\"\n");
	log_configure(LOG_INFO, LOG_FORMAT_JSON);
	capture_begin();
	log_event(LOG_ERROR, "x", LOG_TEXT("a", "b\\"), LOG_NUMBER("n", 7));
	capture_end(text, sizeof text);
	ck_assert_str_eq(rest(text),
			 "\",\"level\":\"error\",\"msg\":\"x\",\"a\":\"b\\\\\",\"n\":7}\n");
}
END_TEST

/* Wherever a line is cut, it stays a line. */
START_TEST(log_lines_that_are_cut)
{
	static char message[3000];
	char text[8192];
	for (int format = LOG_FORMAT_LOGFMT; format <= LOG_FORMAT_JSON; format++)
		for (size_t length = 1900; length < 2100; length++) {
			memset(message, length % 2 ? 'x' : '"', length);
			message[length] = '\0';
			log_configure(LOG_INFO, (enum log_format)format);
			capture_begin();
			log_event(LOG_INFO, message, LOG_TEXT("k", "v w"), LOG_NUMBER("n", 1));
			size_t written = capture_end(text, sizeof text);
			ck_assert_uint_gt(written, 60);
			ck_assert_ptr_eq(strchr(text, '\n'), text + written - 1);
			if (format == LOG_FORMAT_JSON)
				ck_assert_int_eq(text[written - 2], '}');
		}
}
END_TEST

START_TEST(log_lines_of_a_flood)
{
	static struct log_limit limit = {.lock = LOCK_INITIALIZER};
	const int64_t begin = 5, minute = begin + LOG_LIMIT_MS;
	unsigned written = 0;
	for (int i = 0; i < 1000; i++)
		written += log_limit_admits(&limit, 3, begin + i);
	ck_assert_uint_eq(written, LOG_LIMIT_LINES);
	/* Each kind has its own minute. */
	ck_assert(log_limit_admits(&limit, 4, begin));
	ck_assert(log_limit_has_left_out(&limit));
	ck_assert_uint_eq(log_limit_take(&limit, 3, minute - 1), 0);
	ck_assert(log_limit_has_left_out(&limit));
	ck_assert(!log_limit_admits(&limit, 3, minute - 1));
	ck_assert_uint_eq(log_limit_take(&limit, 3, minute), 1000 - LOG_LIMIT_LINES + 1);
	ck_assert_uint_eq(log_limit_take(&limit, 3, minute), 0);
	ck_assert_uint_eq(log_limit_take(&limit, 4, minute), 0);
	ck_assert(!log_limit_has_left_out(&limit));
}
END_TEST

/* A flood that goes on: what a minute left out is reported although the next one has begun. */
START_TEST(log_lines_of_a_long_flood)
{
	static struct log_limit limit = {.lock = LOCK_INITIALIZER};
	uint64_t written = 0, reported = 0;
	const int64_t end = 10 * LOG_LIMIT_MS;
	for (int64_t now = 1; now <= end; now += 100) {
		written += log_limit_admits(&limit, 0, now);
		if (now % LOG_LIMIT_MS == 30001)
			reported += log_limit_take(&limit, 0, now);
	}
	ck_assert_uint_eq(written, 10 * LOG_LIMIT_LINES);
	ck_assert_uint_eq(reported, 9 * (LOG_LIMIT_MS / 100 - LOG_LIMIT_LINES));
	reported += log_limit_take(&limit, 0, INT64_MAX);
	ck_assert_uint_eq(written + reported, (uint64_t)end / 100);
	/* The clock of a machine that slept. */
	ck_assert(log_limit_admits(&limit, 0, INT64_MAX / 2));
}
END_TEST

/* The first numbers of a state of 0 and of 1234567, as other programs have them. */
START_TEST(numbers_are_those_of_splitmix)
{
	uint64_t zero = 0, other = 1234567;
	ck_assert_uint_eq(splitmix_next(&zero), UINT64_C(0xe220a8397b1dcdaf));
	ck_assert_uint_eq(splitmix_next(&other), UINT64_C(6457827717110365317));
	ck_assert_uint_eq(splitmix_next(&other), UINT64_C(3203168211198807973));
}
END_TEST

START_TEST(text_is_mended)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"R \xe2\x80\x99 \xf0\x9f\x98\x80", "R \xe2\x80\x99 \xf0\x9f\x98\x80"},
		{"cut \xc3", "cut ?"},
		{"\xff\xfeR", "??R"},
		{"\xe2\x80 U", "?? U"},
		{"\xed\xa0\x80", "???"},
		{"\xc3\xc3\xa9", "?\xc3\xa9"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[32];
		snprintf(text, sizeof text, "%s", cases[i][0]);
		utf8_mend(text);
		ck_assert_str_eq(text, cases[i][1]);
		ck_assert(utf8_valid(text, strlen(text)));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("util");
	TCase *plain = tcase_create("util");
	tcase_add_test(plain, arena_gives_aligned_memory);
	tcase_add_test(plain, arena_begins_with_memory_of_the_caller);
	tcase_add_test(plain, base_path_comes_and_goes);
	tcase_add_test(plain, buffer_grows);
	tcase_add_test(plain, log_lines);
	tcase_add_test(plain, log_lines_that_are_cut);
	tcase_add_test(plain, log_lines_of_a_flood);
	tcase_add_test(plain, log_lines_of_a_long_flood);
	tcase_add_test(plain, numbers_are_those_of_splitmix);
	tcase_add_test(plain, text_is_mended);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 10);
}
