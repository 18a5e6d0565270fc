/* test_stream.c: answers that are made while they are read: pieces, their end, and what breaks
 * them. Linked with --wrap, so that the project's own allocations can be failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service_client.h"
#include "run.h"
#include "server/api/request/stream.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "tests/failing/failing.h"

#define LINES 3000

/* The state of a client. Nothing is asserted while allocations may fail: that allocates too. */
struct reader {
	unsigned answers, pieces, asked;
	size_t largest, pending;
	struct buffer got;
};

static void answered(struct request *request)
{
	((struct reader *)request->owner)->answers++;
}

static void produced(struct request *request)
{
	((struct reader *)request->owner)->pieces++;
}

/* LINES cubes, of which every 500th is none. */
static struct buffer body_make(void)
{
	struct buffer body = {0};
	for (int i = 0; i < LINES; i++) {
		char line[64];
		snprintf(line, sizeof line, "{\"cube\":{\"moves\":\"(R U)%d %s\"}}\n", i,
			 i % 500 == 499 ? "Q" : "F");
		buffer_text(&body, line);
	}
	return body;
}

static void begin(struct request *request, struct reader *reader, const char *target,
		  const char *accept, const struct buffer *body)
{
	*reader = (struct reader){0};
	request_init(request);
	request->method = "POST";
	request->target = target;
	request->target_length = strlen(target);
	request->header[HEADER_CONTENT_TYPE] = "application/x-ndjson";
	request->header[HEADER_ACCEPT] = accept;
	request->body = body->bytes;
	request->body_length = body->length;
	request->owner = reader;
	request->answered = answered;
	request->produced = produced;
}

static void take(struct reader *reader, struct stream *stream)
{
	buffer_add(&reader->got, stream->piece.bytes, stream->piece.length);
	if (stream->piece.length > reader->largest)
		reader->largest = stream->piece.length;
	stream->piece.length = 0;
}

/* Reads `pieces` pieces at most; returns how it stands then. */
static enum stream_state read_on(struct service *service, struct request *request, unsigned pieces)
{
	struct reader *reader = request->owner;
	struct stream *stream = request->reply.stream;
	take(reader, stream);
	while (stream->state == STREAM_MORE && pieces-- > 0) {
		serve_more(service, request);
		reader->asked++;
		reader->pending += service_pending(service);
		if (stream->state != STREAM_BROKEN)
			take(reader, stream);
	}
	return stream->state;
}

static void check_reader(const struct reader *reader)
{
	ck_assert_uint_eq(reader->answers, 1);
	ck_assert_uint_eq(reader->pieces, reader->asked);
	ck_assert_uint_eq(reader->pending, 0);
	ck_assert_uint_lt(reader->largest, 2 * PIECE_BYTES);
}

static size_t count(const struct buffer *text, const char *what)
{
	size_t found = 0, length = strlen(what);
	for (size_t i = 0; i + length <= text->length; i++)
		found += memcmp(text->bytes + i, what, length) == 0;
	return found;
}

START_TEST(a_stream_comes_in_pieces)
{
	struct service *service = client_start_service("memory:");
	struct buffer body = body_make();
	struct reader reader;
	struct request request;
	begin(&request, &reader, "/v1/convert?as=cubies", NULL, &body);
	serve(service, &request);
	ck_assert_uint_eq(request.reply.status, 200);
	ck_assert_ptr_nonnull(request.reply.stream);
	ck_assert_int_eq(read_on(service, &request, 100000), STREAM_END);
	ck_assert_uint_gt(reader.pieces, 5);
	check_reader(&reader);
	ck_assert_uint_eq(count(&reader.got, "\n"), LINES);
	ck_assert_uint_eq(count(&reader.got, "{\"cube\":"), LINES - LINES / 500);
	ck_assert_uint_eq(count(&reader.got, "{\"line\":500,\"error\":{"), 1);
	ck_assert_uint_eq(count(&reader.got, "\"error\":"), LINES / 500);
	request_finish(&request);
	buffer_free(&reader.got);
	buffer_free(&body);
	client_stop_service(service);
}
END_TEST

START_TEST(a_sender_without_pieces_gets_the_whole)
{
	struct service *service = client_start_service("memory:");
	struct buffer body = body_make();
	struct reader reader;
	struct request request;
	begin(&request, &reader, "/v1/convert", NULL, &body);
	request.produced = NULL;
	serve(service, &request);
	ck_assert_uint_eq(request.reply.status, 200);
	ck_assert_ptr_null(request.reply.stream);
	ck_assert_uint_eq(count(&request.reply.body, "\n"), LINES);
	request_finish(&request);
	buffer_free(&body);
	client_stop_service(service);
}
END_TEST

START_TEST(a_stream_may_be_left)
{
	struct service *service = client_start_service("memory:");
	struct buffer body = body_make();
	for (unsigned pieces = 0; pieces < 4; pieces++) {
		struct reader reader;
		struct request request;
		begin(&request, &reader, "/v1/convert", NULL, &body);
		serve(service, &request);
		ck_assert_int_eq(read_on(service, &request, pieces), STREAM_MORE);
		request_finish(&request);
		buffer_free(&reader.got);
	}
	buffer_free(&body);
	client_stop_service(service);
}
END_TEST

/* Rows of features: all cubes are looked at before the first byte is answered. */
START_TEST(a_length_that_is_told_is_kept)
{
	struct service *service = client_start_service("memory:");
	struct buffer body = {0};
	struct reader reader;
	struct request request;
	for (int i = 0; i < LINES; i++)
		buffer_text(&body, "{\"moves\":\"R U F\"}\n");
	begin(&request, &reader, "/v1/features?dtype=float32", "application/x-npy", &body);
	serve(service, &request);
	ck_assert_uint_eq(request.reply.status, 200);
	ck_assert_uint_eq(request.reply.stream->length, 128 + LINES * 364 * 4);
	ck_assert_int_eq(read_on(service, &request, 100000), STREAM_END);
	ck_assert_uint_eq(reader.got.length, request.reply.stream->length);
	request_finish(&request);
	buffer_free(&reader.got);
	buffer_text(&body, "{\"moves\":\"Q\"}\n");
	begin(&request, &reader, "/v1/features", "application/octet-stream", &body);
	serve(service, &request);
	ck_assert_uint_eq(request.reply.status, 422);
	ck_assert_uint_eq(count(&request.reply.body, "\"line\":3001"), 1);
	request_finish(&request);
	buffer_free(&body);
	client_stop_service(service);
}
END_TEST

/* Memory that runs out for a line is reported in its place, or breaks the stream; no line is lost or
 * doubled. */
START_TEST(memory_that_runs_out)
{
	struct service *service = client_start_service("memory:");
	struct buffer body = body_make();
	unsigned told = 0, broken = 0, refused = 0;
	for (long k = 1; k < 200; k++) {
		struct reader reader;
		struct request request;
		begin(&request, &reader, "/v1/convert?as=net,poses", NULL, &body);
		reader.got.bytes = malloc(1 << 20);
		reader.got.capacity = 1 << 20;
		countdown = k;
		serve(service, &request);
		enum stream_state state = STREAM_BROKEN;
		if (request.reply.stream)
			state = read_on(service, &request, 2);
		countdown = 0;
		check_reader(&reader);
		ck_assert_int_ne(state, STREAM_END);
		if (request.reply.stream) {
			broken += state == STREAM_BROKEN;
			told += count(&reader.got, "out-of-memory") > 0;
		} else {
			ck_assert_uint_eq(request.reply.status, 503);
			refused++;
		}
		request_finish(&request);
		buffer_free(&reader.got);
	}
	ck_assert_uint_gt(refused, 0);
	ck_assert_uint_gt(told + broken, 0);
	buffer_free(&body);
	client_stop_service(service);
}
END_TEST

/* Questions to solvers, each with an answer or an error; as above when out of memory. */
START_TEST(questions_are_answered_in_order)
{
	struct service *service = client_start_service("memory:");
	struct buffer body = {0};
	unsigned told = 0;
	for (int i = 0; i < 40; i++)
		buffer_text(&body, i % 10 == 9 ? "{\"cube\":{\"size\":2,\"moves\":\"Q\"}}\n"
					       : "{\"size\":2,\"moves\":\"R U\"}\n");
	for (long k = 0; k < 400; k++) {
		struct reader reader;
		struct request request;
		begin(&request, &reader, "/v1/solve", NULL, &body);
		reader.got.bytes = malloc(1 << 20);
		reader.got.capacity = 1 << 20;
		countdown = k; /* 0: there is enough */
		serve(service, &request);
		enum stream_state state = STREAM_END;
		if (request.reply.stream)
			state = read_on(service, &request, 100);
		else
			take(&reader, &(struct stream){.piece = request.reply.body});
		countdown = 0;
		if (request.reply.status == 200 && state == STREAM_END) {
			ck_assert_uint_eq(count(&reader.got, "\n"), 40);
			told += count(&reader.got, "out-of-memory") > 0;
		}
		if (k == 0) {
			ck_assert_uint_eq(count(&reader.got, "\"solution\":\"U' R'\""), 36);
			ck_assert_uint_eq(count(&reader.got, "{\"line\":40,\"error\":{"), 1);
		}
		request_finish(&request);
		buffer_free(&reader.got);
	}
	ck_assert_uint_gt(told, 0);
	buffer_free(&body);
	client_stop_service(service);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tests = tcase_create("stream");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, a_stream_comes_in_pieces);
	tcase_add_test(tests, a_sender_without_pieces_gets_the_whole);
	tcase_add_test(tests, a_stream_may_be_left);
	tcase_add_test(tests, a_length_that_is_told_is_kept);
	tcase_add_test(tests, memory_that_runs_out);
	tcase_add_test(tests, questions_are_answered_in_order);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 6);
}
