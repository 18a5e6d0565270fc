/* test_receiver.c: the bytes of a connection on their way to libmicrohttpd. The same stream gives the same plain form, however
 * it is cut into pieces and however much is requested at a time; the plain form is itself a stream that passes unchanged. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/http/receiver.h"

#define HEADS_MAX 16
#define TEXT_MAX (64 << 10)
#define HOST "Host: a\r\n"
#define CHUNKED "POST /v1/apply HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"

/* A stream that arrives in pieces, with nothing to read between them. */
struct stream_source {
	const char *bytes;
	size_t length, at, piece;
	bool pause;
};

static ssize_t read_piece(void *from, void *bytes, size_t most)
{
	struct stream_source *source = from;
	const size_t left = source->length - source->at;
	size_t length = left < source->piece ? left : source->piece;
	source->pause = !source->pause;
	if (!source->pause || left == 0) {
		errno = EAGAIN;
		return -1;
	}
	if (length > most)
		length = most;
	memcpy(bytes, source->bytes + source->at, length);
	source->at += length;
	return (ssize_t)length;
}

/* The result of a stream. */
struct outcome {
	char plain[TEXT_MAX];
	size_t length;
	struct {
		char text[256]; /* method, target and Host */
		struct taken_head taken;
	} heads[HEADS_MAX];
	size_t count;
	struct fault body_fault;
};

/* Returns the length of the head that libmicrohttpd would report. */
static size_t plain_head(const struct outcome *outcome, size_t *from)
{
	const char *head = outcome->plain + *from;
	const char *end = memmem(head, outcome->length - *from, "\r\n\r\n", 4);
	ck_assert_ptr_nonnull(end);
	const size_t length = (size_t)(end + 4 - head);
	const char *declared = memmem(head, length, "Content-Length:", 15);
	*from += length + (declared ? strtoul(declared + 15, NULL, 10) : 0);
	if (memmem(head, length, "chunked", 7)) {
		const char *last = memmem(head + length, outcome->length, "0\r\n\r\n", 5);
		*from = last ? (size_t)(last + 5 - outcome->plain) : outcome->length;
	}
	return length;
}

static void take_heads(struct receiver *receiver, struct outcome *outcome)
{
	size_t from = 0;
	while (receiver->taken < receiver->passed) {
		struct request request;
		request_init(&request);
		ck_assert_uint_lt(outcome->count, HEADS_MAX);
		ck_assert(receiver_take(receiver, &request, plain_head(outcome, &from),
					&outcome->heads[outcome->count].taken));
		snprintf(outcome->heads[outcome->count].text,
			 sizeof outcome->heads[outcome->count].text, "%s %s %s",
			 request.method ? request.method : "-",
			 request.target ? request.target : "-",
			 request.header[HEADER_HOST] ? request.header[HEADER_HOST] : "-");
		outcome->count++;
		request_finish(&request);
	}
	outcome->body_fault = receiver_body_fault(receiver);
	if (outcome->count > 0 && outcome->heads[outcome->count - 1].taken.fault.detail)
		outcome->body_fault.detail = NULL;
}

static struct outcome *run(const char *bytes, size_t length, size_t piece, size_t most)
{
	struct outcome *outcome = calloc(1, sizeof *outcome);
	struct receiver receiver = {0};
	struct stream_source stream = {.bytes = bytes, .length = length, .piece = piece};
	const struct receive_source source = {read_piece, &stream, -1, true};
	ssize_t count = 1;
	while (count > 0 || (stream.at < length && receiver.part != RECEIVE_STOPPED)) {
		count = receiver_read(&receiver, &source, outcome->plain + outcome->length, most);
		outcome->length += count > 0 ? (size_t)count : 0;
		ck_assert_uint_le(outcome->length + most, TEXT_MAX);
	}
	take_heads(&receiver, outcome);
	receiver_finish(&receiver);
	return outcome;
}

static const struct stream_case {
	const char *stream;
	size_t count;      /* requests, with a refused one */
	const char *last;  /* method, target and Host of the last one */
	const char *fault; /* a word of it; NULL: none */
} cases[] = {
	{"GET /a?b=c HTTP/1.1\r\n" HOST "\r\n", 1, "GET /a?b=c a", NULL},
	{"\r\n\r\nGET /a HTTP/1.0\r\n\r\n", 1, "GET /a -", NULL},
	{"GET http://b/c HTTP/1.1\r\n" HOST "\r\n", 1, "GET /c b", NULL},
	{"POST /a HTTP/1.1\r\nContent-Length:5\r\n" HOST "\r\nGET /GET /b HTTP/1.1\r\n" HOST "\r\n",
	 2, "GET /b a", NULL},
	{CHUNKED "5;x=y\r\nGET /\r\n0003\r\nabc\r\n0\r\nX: y\r\n\r\nPUT /b HTTP/1.1\r\n" HOST
		 "\r\n",
	 2, "PUT /b a", NULL},
	{"GET /a HTTP/1.1\r\n" HOST "X: y\r\n z\r\n\r\n", 1, "GET /a a", "folded"},
	{"GET /a HTTP/1.1\r\n" HOST "\r\nGET /b HTTP/1.1\n" HOST "\r\n", 2, "- - -", "bare LF"},
	{"GET /a HTTP/1.1\r\n" HOST "Host: b\r\n\r\nGET /b HTTP/1.1\r\n", 1, "GET /a a",
	 "more than one Host"},
	{"GET /a HTTP/1.1\r\n\r\n", 1, "GET /a -", "Host header is missing"},
	{"GET  /a HTTP/1.1\r\n" HOST "\r\n", 1, "GET  /a a", "space"},
	{"GET /a HTTP/2.0\r\n", 1, "- - -", "version"},
	{"GET /a\rb HTTP/1.1\r\n" HOST "\r\n", 1, "GET /a\rb a", "control character"},
	{"GET /%00 HTTP/1.1\r\n" HOST "\r\n", 1, "GET /%00 a", "NUL"},
	{"POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 1,
	 "POST / a", "both"},
	{CHUNKED "2\r\nabc\r\n", 1, "POST /v1/apply a", "followed by CR LF"},
	{CHUNKED "2\nab\r\n", 1, "POST /v1/apply a", "bare LF"},
	{CHUNKED "g\r\n", 1, "POST /v1/apply a", "hexadecimal"},
	{CHUNKED "1 x\r\n", 1, "POST /v1/apply a", "hexadecimal"},
	{CHUNKED "1000000000000000\r\n", 1, "POST /v1/apply a", "too large"},
	{CHUNKED "0\r\nGET / HTTP/1.1\r\n\r\n", 1, "POST /v1/apply a", "no colon"},
};

static const char *fault_of(const struct outcome *outcome)
{
	if (outcome->body_fault.detail)
		return outcome->body_fault.detail;
	return outcome->count > 0 ? outcome->heads[outcome->count - 1].taken.fault.detail : NULL;
}

START_TEST(streams_are_read)
{
	const struct stream_case *row = &cases[_i];
	struct outcome *whole = run(row->stream, strlen(row->stream), SIZE_MAX, 4096);
	const char *fault = fault_of(whole);
	ck_assert_uint_eq(whole->count, row->count);
	ck_assert_str_eq(whole->heads[row->count - 1].text, row->last);
	ck_assert_msg(row->fault ? fault && strstr(fault, row->fault) : !fault, "%s",
		      fault ? fault : "no fault");
	free(whole);
}
END_TEST

/* Nothing depends on where the pieces end, or on how much is requested. */
START_TEST(pieces_make_no_difference)
{
	static const size_t rooms[] = {1, 2, 7, 64, 4096};
	const char *stream = cases[_i].stream;
	const size_t length = strlen(stream);
	struct outcome *whole = run(stream, length, SIZE_MAX, 4096);
	for (size_t piece = 1; piece <= length; piece++) {
		for (size_t room = 0; room < sizeof rooms / sizeof rooms[0]; room++) {
			struct outcome *cut = run(stream, length, piece, rooms[room]);
			ck_assert_uint_eq(cut->length, whole->length);
			ck_assert_mem_eq(cut->plain, whole->plain, whole->length);
			ck_assert_uint_eq(cut->count, whole->count);
			for (size_t i = 0; i < whole->count; i++)
				ck_assert_str_eq(cut->heads[i].text, whole->heads[i].text);
			ck_assert_pstr_eq(fault_of(cut), fault_of(whole));
			free(cut);
		}
	}
	free(whole);
}
END_TEST

/* A plain form is read without a fault, and is its own plain form. */
START_TEST(the_plain_form_is_plain)
{
	struct outcome *once = run(cases[_i].stream, strlen(cases[_i].stream), SIZE_MAX, 4096);
	struct outcome *twice = run(once->plain, once->length, SIZE_MAX, 4096);
	ck_assert_pstr_eq(fault_of(twice), NULL);
	ck_assert_uint_eq(twice->length, once->length);
	ck_assert_mem_eq(twice->plain, once->plain, once->length);
	free(once);
	free(twice);
}
END_TEST

/* Only the framing reaches libmicrohttpd. */
START_TEST(a_head_is_covered)
{
	static const char head[] =
		"DELETE /secret?key=1 HTTP/1.1\r\nAuthorization: Bearer secret\r\n"
		"Host: secret\r\nConnection: keep-alive, Close\r\nExpect: 100-Continue\r\n"
		"Content-Length: 0012\r\n\r\n";
	struct outcome *outcome = run(head, strlen(head), SIZE_MAX, 4096);
	const char *plain = outcome->plain;
	ck_assert_uint_lt(outcome->length, strlen(head));
	outcome->plain[outcome->length] = '\0';
	ck_assert_int_eq(strncmp(plain, "DELETE /", 8), 0);
	ck_assert_ptr_null(strstr(plain, "secret"));
	ck_assert_ptr_nonnull(strstr(plain, "Content-Length:12\r\n"));
	ck_assert_ptr_nonnull(strstr(plain, "Connection:close\r\n"));
	ck_assert_ptr_nonnull(strstr(plain, "Expect:100-continue\r\n"));
	ck_assert_uint_eq(outcome->heads[0].taken.body, 12);
	free(outcome);
}
END_TEST

/* Random heads of valid lines behind another request: the length stays, and the plain form is plain. */
START_TEST(random_heads_keep_their_length)
{
	static const char *const lines[] = {
		"Content-Length:0\r\n",       "Connection:close\r\n",    "X: \t y \r\n",
		"connection: KEEP-ALIVE\r\n", "Expect:100-continue\r\n", "Accept:\r\n"};
	srand(1);
	for (int round = 0; round < 3000; round++) {
		char head[1024] = "GET / HTTP/1.1\r\nHost:\r\n\r\nX / HTTP/1.1\r\nHost:\r\n";
		bool used[6] = {0};
		for (int line = rand() % 6; line > 0; line--) {
			const int chosen = rand() % 6;
			if (!used[chosen])
				strcat(head, lines[chosen]);
			used[chosen] = true;
		}
		strcat(head, "\r\n");
		struct outcome *outcome = run(head, strlen(head), 1 + (size_t)(rand() % 40), 4096);
		ck_assert_uint_eq(outcome->length, strlen(head));
		ck_assert_pstr_eq(fault_of(outcome), NULL);
		struct outcome *twice = run(outcome->plain, outcome->length, SIZE_MAX, 4096);
		ck_assert_mem_eq(twice->plain, outcome->plain, outcome->length);
		free(outcome);
		free(twice);
	}
}
END_TEST

/* Too long a head, and too long a request line, are refused before they end. */
START_TEST(long_heads_are_refused)
{
	static char text[3 * HEAD_BYTES_MAX];
	memset(text, 'x', sizeof text);
	struct outcome *line = run(text, sizeof text, 1000, 4096);
	ck_assert_uint_eq(line->heads[0].taken.fault.type, PROBLEM_URI_LONG);
	free(line);
	memcpy(text, "GET / HTTP/1.1\r\nX: ", 19);
	struct outcome *head = run(text, sizeof text, 1000, 4096);
	ck_assert_uint_eq(head->heads[0].taken.fault.type, PROBLEM_HEAD_LARGE);
	ck_assert_uint_eq(head->length, strlen(HEAD_REFUSAL));
	ck_assert_mem_eq(head->plain, HEAD_REFUSAL, head->length);
	free(head);
}
END_TEST

/* Bytes that wait behind an unanswered request are bounded. */
START_TEST(heads_that_wait_are_bounded)
{
	enum { LENGTH = 8000, COUNT = 12 };
	char *text = malloc(LENGTH * COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		char *head = text + i * LENGTH;
		memset(head, 'x', LENGTH);
		memcpy(head, "GET / HTTP/1.1\r\nHost:", 21);
		memcpy(head + LENGTH - 4, "\r\n\r\n", 4);
	}
	struct outcome *outcome = run(text, LENGTH * COUNT, SIZE_MAX, 4096);
	ck_assert_uint_gt(outcome->count, 4);
	ck_assert_uint_lt(outcome->count, 8);
	ck_assert_uint_eq(outcome->heads[outcome->count - 1].taken.fault.type, PROBLEM_HEAD_LARGE);
	free(outcome);
	free(text);
}
END_TEST

/* A request that libmicrohttpd reports and that was not checked is not served. */
START_TEST(unchecked_requests_are_not_served)
{
	struct receiver receiver = {0};
	struct request request;
	struct taken_head taken;
	request_init(&request);
	ck_assert(!receiver_take(&receiver, &request, 20, &taken));
	request_finish(&request);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("receiver");
	const int count = (int)(sizeof cases / sizeof cases[0]);
	TCase *tcase = tcase_create("receiver");
	tcase_add_loop_test(tcase, streams_are_read, 0, count);
	tcase_add_loop_test(tcase, pieces_make_no_difference, 0, count);
	tcase_add_loop_test(tcase, the_plain_form_is_plain, 0, count);
	tcase_add_test(tcase, a_head_is_covered);
	tcase_add_test(tcase, random_heads_keep_their_length);
	tcase_add_test(tcase, long_heads_are_refused);
	tcase_add_test(tcase, heads_that_wait_are_bounded);
	tcase_add_test(tcase, unchecked_requests_are_not_served);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 3 * count + 5);
}
