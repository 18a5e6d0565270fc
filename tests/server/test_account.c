/* test_account.c: requests that take much memory: who is refused and how, what waits, and that nothing
 * is counted when they have ended. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service_client.h"
#include "run.h"
#include "server/api/request/stream.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/api/steps/request_memory.h"

#define MIB ((uint64_t)1 << 20)
#define TOTAL (32 * MIB)
#define SHARE (16 * MIB)
/* Some 8 MB; of a share there is room for one. */
#define LARGE "/v1/apply?size=100&as=poses"

static struct client_response answer; /* large: not for the stack */

struct ask {
	struct request request;
	_Atomic unsigned answers, pieces;
};

static void answered(struct request *request)
{
	atomic_fetch_add(&((struct ask *)request->owner)->answers, 1);
}

static void produced(struct request *request)
{
	atomic_fetch_add(&((struct ask *)request->owner)->pieces, 1);
}

static struct service *start(uint64_t total, uint64_t share)
{
	struct service *service = client_start_service("memory:");
	budget_destroy(service->budget);
	service->budget = budget_create(total, share);
	return service;
}

static void stop(struct service *service)
{
	ck_assert_uint_eq(budget_bytes(service->budget), 0);
	ck_assert_uint_eq(budget_accounts(service->budget), 0);
	client_stop_service(service);
}

/* `client` is the last byte of its address. */
static void prepare(struct ask *ask, unsigned client, const char *method, const char *target,
		    const char *type, const char *body)
{
	static const uint8_t network[16] = {
		[10] = 0xff, [11] = 0xff, [12] = 192, [13] = 0, [14] = 2};
	struct request *request = &ask->request;
	atomic_store(&ask->answers, 0);
	atomic_store(&ask->pieces, 0);
	request_init(request);
	memcpy(request->peer.address, network, sizeof network);
	request->peer.address[15] = (uint8_t)client;
	request->method = method;
	request->target = target;
	request->target_length = strlen(target);
	request->header[HEADER_CONTENT_TYPE] = type;
	request->body = body;
	request->body_length = strlen(body);
	request->owner = ask;
	request->answered = answered;
	request->produced = produced;
}

static unsigned ask_for(struct service *service, struct ask *ask, unsigned client,
			const char *target)
{
	prepare(ask, client, "GET", target, NULL, "");
	serve(service, &ask->request);
	ck_assert_uint_eq(ask->answers, 1);
	return ask->request.reply.status;
}

static unsigned post(struct service *service, struct ask *ask, unsigned client, const char *target,
		     const char *type, const char *body)
{
	prepare(ask, client, "POST", target, type, body);
	serve(service, &ask->request);
	ck_assert_uint_eq(ask->answers, 1);
	return ask->request.reply.status;
}

/* A problem of that type, which says when to come again. */
static void check_problem(const struct ask *ask, const char *type, bool again)
{
	const struct reply *reply = &ask->request.reply;
	char urn[64];
	const int length = snprintf(urn, sizeof urn, "\"urn:cubed:problem:%s\"", type);
	ck_assert(!reply->body.failed);
	ck_assert_msg(memmem(reply->body.bytes, reply->body.length, urn, (size_t)length) != NULL,
		      "%.*s", (int)reply->body.length, reply->body.bytes);
	ck_assert_int_eq(reply->retry_after_s > 0, again);
}

START_TEST(a_client_has_a_share)
{
	struct service *service = start(TOTAL, SHARE);
	struct ask first, second, other;
	ck_assert_uint_eq(ask_for(service, &first, 1, LARGE), 200);
	ck_assert_uint_gt(first.request.reply.body.length, 7000000);
	ck_assert_uint_ge(budget_bytes(service->budget), first.request.reply.body.length);
	/* Answers that wait to be sent are its own. */
	ck_assert_uint_eq(ask_for(service, &second, 1, LARGE), 429);
	check_problem(&second, "rate-limited", true);
	request_finish(&second.request);
	ck_assert_uint_eq(ask_for(service, &second, 1, "/v1/apply?size=10&as=poses"), 200);
	request_finish(&second.request);
	ck_assert_uint_eq(ask_for(service, &other, 2, LARGE), 200);
	request_finish(&other.request);
	request_finish(&first.request);
	ck_assert_uint_eq(ask_for(service, &second, 1, LARGE), 200);
	request_finish(&second.request);
	stop(service);
}
END_TEST

START_TEST(all_together_have_a_limit)
{
	struct service *service = start(TOTAL, TOTAL);
	struct ask asks[3], other;
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(ask_for(service, &asks[i], i + 1, LARGE), 200);
	ck_assert_uint_eq(ask_for(service, &other, 9, LARGE), 503);
	check_problem(&other, "busy", true);
	request_finish(&other.request);
	/* A usual request needs nothing of it. */
	ck_assert_uint_eq(ask_for(service, &other, 9, "/v1/apply?moves=R&as=faces"), 200);
	request_finish(&other.request);
	for (unsigned i = 0; i < 3; i++)
		request_finish(&asks[i].request);
	stop(service);
}
END_TEST

/* 5 MiB of tree for 60 KB of text. */
static char *many_objects(size_t count)
{
	char *body = malloc(16 + 3 * count), *at = body;
	at += sprintf(at, "{\"cubes\":[");
	for (size_t i = 0; i < count; i++)
		at += sprintf(at, "%s{}", i ? "," : "");
	sprintf(at, "]}");
	return body;
}

START_TEST(what_alone_is_too_much)
{
	struct service *service = start(4 * MIB, 4 * MIB);
	struct ask ask;
	char *body = many_objects(20000);
	memcpy(body, "{\"moves\":[", 10);
	ck_assert_uint_eq(post(service, &ask, 1, "/v1/apply", "application/json", body), 413);
	check_problem(&ask, "too-large", false);
	request_finish(&ask.request);
	free(body);
	ck_assert_uint_eq(ask_for(service, &ask, 1, LARGE), 503);
	check_problem(&ask, "busy", true);
	request_finish(&ask.request);
	stop(service);
}
END_TEST

/* A change is refused before it is made. */
START_TEST(a_refused_change_is_not_made)
{
	struct service *service = start(TOTAL, SHARE);
	struct ask first, second;
	char target[128];
	client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":100,\"access\":\"edit\"}",
		    NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(target, sizeof target, "%s/moves?as=poses", answer.location);
	char *path = strdup(answer.location);
	ck_assert_uint_eq(post(service, &first, 1, target, "application/json", "{\"moves\":\"R\"}"),
			  200);
	ck_assert_uint_eq(
		post(service, &second, 1, target, "application/json", "{\"moves\":\"R\"}"), 429);
	check_problem(&second, "rate-limited", true);
	request_finish(&second.request);
	/* So is the answer that the revision is another one. */
	ck_assert_uint_eq(post(service, &second, 1, target, "application/json",
			       "{\"moves\":\"R\",\"revision\":0}"),
			  429);
	request_finish(&second.request);
	request_finish(&first.request);
	client_send(service, &answer, "GET", path, NULL, NULL);
	ck_assert_int_eq(client_number(&answer, "revision"), 1);
	free(path);
	stop(service);
}
END_TEST

START_TEST(room_for_a_body_is_asked_for)
{
	struct service *service = start(TOTAL, SHARE);
	struct ask ask;
	prepare(&ask, 1, "POST", "/v1/convert", "application/x-ndjson", "");
	request_memory_open(service, &ask.request);
	ck_assert(request_memory_admits(&ask.request, 8 * MIB));
	ck_assert_uint_lt(budget_bytes(service->budget), MIB);
	ck_assert(!request_memory_admits(&ask.request, SHARE));
	ck_assert_uint_eq(ask.request.reply.status, 413);
	request_finish(&ask.request);
	prepare(&ask, 1, "POST", "/v1/convert", "application/x-ndjson", "");
	request_memory_open(service, &ask.request);
	struct charge other;
	charge_begin(&other, service->budget, ask.request.charge.client, true);
	ck_assert(charge_take(&other, 8 * MIB));
	ck_assert(!request_memory_admits(&ask.request, 8 * MIB));
	ck_assert_uint_eq(ask.request.reply.status, 429);
	charge_end(&other);
	request_finish(&ask.request);
	stop(service);
}
END_TEST

/* ---- answers in pieces ---- */

static void take_piece(struct stream *stream, struct buffer *got)
{
	buffer_add(got, stream->piece.bytes, stream->piece.length);
	stream->piece.length = 0;
}

/* Reads to the end; the bytes. */
static struct buffer read_all(struct service *service, struct ask *ask)
{
	struct buffer got = {0};
	struct stream *stream = ask->request.reply.stream;
	take_piece(stream, &got);
	while (stream->state == STREAM_MORE) {
		serve_more(service, &ask->request);
		take_piece(stream, &got);
	}
	ck_assert_int_eq(stream->state, STREAM_END);
	return got;
}

/* The whole answer. One that takes long, as on a busy machine, comes in pieces however short it is. */
static struct buffer read_answer(struct service *service, struct ask *ask)
{
	if (ask->request.reply.stream != NULL)
		return read_all(service, ask);
	struct buffer got = {0};
	buffer_add(&got, ask->request.reply.body.bytes, ask->request.reply.body.length);
	return got;
}

/* The array is not kept as a tree while the answer is read. */
START_TEST(an_array_of_cubes_is_read_in_its_place)
{
	struct service *service = start(2 * MIB, MIB);
	struct ask ask;
	char *body = many_objects(300000);
	ck_assert_uint_eq(post(service, &ask, 1, "/v1/features", "application/json", body), 200);
	ck_assert_ptr_nonnull(ask.request.reply.stream);
	ck_assert_uint_lt(budget_bytes(service->budget), 300000);
	struct buffer got = read_all(service, &ask);
	ck_assert_uint_lt(budget_bytes(service->budget), 300000);
	ck_assert_uint_eq(got.length, 300000 * (2 * 364 + 2) + 2);
	request_finish(&ask.request);
	buffer_free(&got);
	free(body);
	stop(service);
}
END_TEST

/* In its place or parsed, the answer is the same. */
START_TEST(an_array_that_is_wrong_is_refused_as_ever)
{
	static const struct {
		const char *body;
		unsigned status;
		const char *answer;
	} cases[] = {
		{"{\"cubes\":[]}", 200, "[]\n"},
		{" { \"cubes\" : [ {} , { \"moves\" : \"R ]}\\\" \" } ] } ", 422, "\"offset\""},
		{" { \"cubes\" : [ {} , { \"moves\" : \"R\" } ] } ", 200, "],["},
		{"{\"cub\\u0065s\":[{},{}]}", 200, "],["},
		{"{\"cubes\":[{},{\"size\":4}]}", 400, "\"pointer\":\"/cubes/1\""},
		{"{\"cubes\":[{},{\"sice\":4}]}", 400, "\"pointer\":\"/cubes/1/sice\""},
		{"{\"cubes\":[{},7]}", 400, "\"pointer\":\"/cubes/1\""},
		{"{\"cubes\":[{}],\"x\":1}", 400, "\"pointer\":\"/x\""},
		{"{\"cubes\":{}}", 400, "\"pointer\":\"/cubes\""},
		{"{}", 400, "\"pointer\":\"/cubes\""},
		{"", 400, "\"pointer\":\"/cubes\""},
		{"[]", 400, "bad-member"},
		/* Malformed JSON is reported before an invalid cube. */
		{"{\"cubes\":[{\"size\":4},{\"a\":tru}]}", 400, "malformed-json"},
		{"{\"cubes\":[{\"size\":4},{]}]}", 400, "malformed-json"},
		{"{\"cubes\":[{},{\"size\":3,\"size\":3}]}", 400, "malformed-json"},
		{"{\"cubes\":[{},{}", 400, "malformed-json"},
		{"{\"cubes\":[{},]}", 400, "malformed-json"},
		{"{\"cubes\":[{}{}]}", 400, "malformed-json"},
		{"{\"cubes\":[{}]]", 400, "malformed-json"},
		{"{\"cubes\":[{}]}}", 400, "malformed-json"},
		{"{\"cubes\":[{\"moves\":\"\\", 400, "malformed-json"},
		{"{\"cubes \":[{}]}", 400, "bad-member"},
	};
	struct service *service = start(TOTAL, SHARE);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ask ask;
		const unsigned status =
			post(service, &ask, 1, "/v1/features", "application/json", cases[i].body);
		struct buffer body = read_answer(service, &ask);
		ck_assert_ptr_nonnull(body.bytes);
		ck_assert_msg(status == cases[i].status &&
				      memmem(body.bytes, body.length, cases[i].answer,
					     strlen(cases[i].answer)),
			      "%s: %u %.*s", cases[i].body, status, (int)body.length, body.bytes);
		buffer_free(&body);
		request_finish(&ask.request);
	}
	stop(service);
}
END_TEST

/* An answer that was begun goes on when there is room again, and nothing of it is lost. */
START_TEST(a_begun_answer_waits)
{
	static const char lines[] = "{\"size\":2}\n{\"size\":100}\n{\"size\":100}\n{\"size\":2}\n"
				    "{\"size\":100}\n{\"size\":3}\n";
	struct service *service = start(2 * TOTAL, 2 * SHARE);
	struct ask ask, alone, other;
	prepare(&alone, 1, "POST", "/v1/convert?as=poses", "application/x-ndjson", lines);
	serve(service, &alone.request);
	struct buffer expected = read_all(service, &alone), got = {0};
	request_finish(&alone.request);
	ck_assert_uint_gt(expected.length, 20000000);

	prepare(&ask, 1, "POST", "/v1/convert?as=poses", "application/x-ndjson", lines);
	serve(service, &ask.request);
	struct stream *stream = ask.request.reply.stream;
	ck_assert_ptr_nonnull(stream);
	/* The rest of this client's share is taken, and more. */
	charge_begin(&other.request.charge, service->budget, ask.request.charge.client, true);
	charge_force(&other.request.charge, 2 * SHARE);
	take_piece(stream, &got);
	unsigned waited = 0;
	while (stream->state == STREAM_MORE) {
		const unsigned pieces = ask.pieces;
		serve_more(service, &ask.request);
		for (unsigned i = 0; i < 3 && ask.pieces == pieces; i++, waited++) {
			ck_assert_uint_eq(service_pending(service), 1);
			service_tick(service);
		}
		charge_end(&other.request.charge);
		service_tick(service);
		ck_assert_uint_eq(ask.pieces, pieces + 1);
		take_piece(stream, &got);
	}
	ck_assert_int_eq(stream->state, STREAM_END);
	ck_assert_uint_eq(waited, 3);
	ck_assert_uint_eq(got.length, expected.length);
	ck_assert(memcmp(got.bytes, expected.bytes, got.length) == 0);
	request_finish(&ask.request);
	buffer_free(&got);
	buffer_free(&expected);
	stop(service);
}
END_TEST

/* Before its first byte it is refused as a whole, not with errors in place of its lines. */
START_TEST(an_answer_in_pieces_is_refused_before_it_begins)
{
	struct service *service = start(TOTAL, SHARE);
	struct ask first, second;
	ck_assert_uint_eq(ask_for(service, &first, 1, LARGE), 200);
	ck_assert_uint_eq(post(service, &second, 1, "/v1/convert?as=poses", "application/x-ndjson",
			       "{\"size\":100}\n{\"size\":100}\n{\"size\":100}\n"),
			  429);
	check_problem(&second, "rate-limited", true);
	request_finish(&second.request);
	request_finish(&first.request);
	stop(service);
}
END_TEST

/* ---- threads ---- */

#define THREADS 4
#define ROUNDS 12

struct shared {
	struct service *service;
	unsigned client;
	_Atomic unsigned served, refused;
};

static void await(struct service *service, struct ask *ask)
{
	while (atomic_load(&ask->answers) == 0) {
		struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
		poll(&wake, 1, 1);
		service_poll(service);
		service_tick(service);
	}
}

static void *ask_again_and_again(void *argument)
{
	struct shared *shared = argument;
	static const char *const targets[] = {"/v1/apply?size=40&as=poses",
					      "/v1/apply?size=30&as=poses", "/v1/apply?moves=R",
					      "/v1/apply?size=100"};
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct ask asks[4];
		for (unsigned i = 0; i < 4; i++) {
			prepare(&asks[i], shared->client, "GET", targets[i], NULL, "");
			serve(shared->service, &asks[i].request);
		}
		for (unsigned i = 0; i < 4; i++) {
			await(shared->service, &asks[i]);
			const unsigned status = asks[i].request.reply.status;
			atomic_fetch_add(status == 200 ? &shared->served : &shared->refused, 1);
		}
		for (unsigned i = 0; i < 4; i++)
			request_finish(&asks[i].request);
	}
	return NULL;
}

START_TEST(threads_that_are_served_and_refused)
{
	struct error error = {0};
	struct config config = client_config("memory:");
	config.limits.request_bytes = 3 * MIB;
	config.limits.address_request_bytes = 2 * MIB;
	struct service *service = service_create(&config, true, &error);
	struct shared shared[THREADS];
	pthread_t threads[THREADS];
	unsigned served = 0, refused = 0;
	for (unsigned i = 0; i < THREADS; i++) {
		shared[i] = (struct shared){.service = service, .client = i / 2};
		ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_again_and_again, &shared[i]),
				 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		served += shared[i].served;
		refused += shared[i].refused;
	}
	ck_assert_uint_eq(served + refused, THREADS * ROUNDS * 4);
	ck_assert_uint_ge(served, THREADS * ROUNDS); /* at least the small one of each round */
	ck_assert_uint_gt(refused, 0);
	stop(service);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("account");
	TCase *tests = tcase_create("account");
	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, a_client_has_a_share);
	tcase_add_test(tests, all_together_have_a_limit);
	tcase_add_test(tests, what_alone_is_too_much);
	tcase_add_test(tests, a_refused_change_is_not_made);
	tcase_add_test(tests, room_for_a_body_is_asked_for);
	tcase_add_test(tests, an_array_of_cubes_is_read_in_its_place);
	tcase_add_test(tests, an_array_that_is_wrong_is_refused_as_ever);
	tcase_add_test(tests, a_begun_answer_waits);
	tcase_add_test(tests, an_answer_in_pieces_is_refused_before_it_begins);
	suite_add_tcase(suite, tests);
	TCase *threads = tcase_create("threads");
	tcase_set_timeout(threads, 300);
	tcase_add_test(threads, threads_that_are_served_and_refused);
	suite_add_tcase(suite, threads);
	return run_suite(suite, 10);
}
