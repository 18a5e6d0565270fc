/* test_session_turns.c: nobody holds a session while it waits for a thread. All threads of a pool are held by the test; what
 * waits for them keeps nobody else out of the session, and is right when they go on. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/json/reader.h"
#include "server/util/log.h"
#include "service_client.h"

#define THREADS 2 /* of each pool */

static struct client_response answer; /* large: not for the stack */
static struct service *service;
static char path[64], owner[112], editor[112], editor_id[16];

/* ---- threads that are held ---- */

/* Holders of two rounds: the next ones may come before the loop has heard of the last ones' end. */
static struct holder {
	struct job job; /* first */
	unsigned round;
	uint8_t client[CLIENT_KEY_BYTES];
} holders[2][THREADS];

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned round, over; /* the last rounds that began, and that were let go */
	unsigned held;        /* threads of the last round */
	unsigned ended;       /* of all rounds */
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void hold_run(struct job *job, struct store_reader *reader)
{
	const struct holder *holder = (const struct holder *)job;
	(void)reader;
	pthread_mutex_lock(&gate.mutex);
	gate.held++;
	pthread_cond_broadcast(&gate.changed);
	while (gate.over < holder->round)
		pthread_cond_wait(&gate.changed, &gate.mutex);
	pthread_mutex_unlock(&gate.mutex);
}

static void hold_done(struct job *job)
{
	(void)job;
	gate.ended++;
}

/* Returns when no thread of the pool is free. */
static void hold(struct pool *pool)
{
	const unsigned round = ++gate.round;
	gate.held = 0;
	for (size_t i = 0; i < THREADS; i++) {
		struct holder *holder = &holders[round % 2][i];
		*holder = (struct holder){.job = {.run = hold_run, .done = hold_done},
					  .round = round,
					  .client = {(uint8_t)(200 + i)}};
		holder->job.client = holder->client;
		pool_submit(pool, &holder->job);
	}
	pthread_mutex_lock(&gate.mutex);
	while (gate.held < THREADS)
		pthread_cond_wait(&gate.changed, &gate.mutex);
	pthread_mutex_unlock(&gate.mutex);
}

static void release(void)
{
	pthread_mutex_lock(&gate.mutex);
	gate.over = gate.round;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.mutex);
}

static void step(void)
{
	service_flush(service);
	struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
	poll(&wake, 1, 10);
	service_poll(service);
}

static void let_go(void)
{
	release();
	while (gate.ended < gate.round * THREADS)
		step();
}

/* Runs all that waits for the pool, without the loop hearing of it; then all its threads are held again. */
static void run_what_waits(struct pool *pool)
{
	release();
	hold(pool);
	while (pool_waiting(pool) > 0)
		sched_yield();
}

/* ---- requests ---- */

struct ask {
	struct request request;
	char target[128];
	_Atomic bool answered;
};

static void answered(struct request *request)
{
	atomic_store(&((struct ask *)request->owner)->answered, true);
}

static void begin(struct ask *ask, const char *who, const char *method, const char *call,
		  const char *body)
{
	struct request *request = &ask->request;
	atomic_store(&ask->answered, false);
	snprintf(ask->target, sizeof ask->target, "%s%s", path, call);
	request_init(request);
	request->method = method;
	request->target = ask->target;
	request->target_length = strlen(ask->target);
	request->body = body ? body : "";
	request->body_length = body ? strlen(body) : 0;
	request->header[HEADER_CONTENT_TYPE] = body ? "application/json" : NULL;
	request->header[HEADER_AUTHORIZATION] = who;
	request->owner = ask;
	request->answered = answered;
	serve(service, request);
}

/* Waits until it is answered, and returns its status; the answer's body is a text then. */
static unsigned status_of(struct ask *ask)
{
	while (!atomic_load(&ask->answered))
		step();
	buffer_add(&ask->request.reply.body, "", 1);
	ck_assert(!ask->request.reply.body.failed);
	return ask->request.reply.status;
}

static unsigned ask_for(const char *who, const char *method, const char *call, const char *body)
{
	struct ask ask;
	begin(&ask, who, method, call, body);
	const unsigned status = status_of(&ask);
	snprintf(answer.body, sizeof answer.body, "%s", ask.request.reply.body.bytes);
	request_finish(&ask.request);
	return status;
}

static void expect(struct ask *ask, unsigned status, const char *part)
{
	const unsigned was = status_of(ask);
	const char *body = ask->request.reply.body.bytes;
	ck_assert_msg(was == status && (!part || strstr(body, part)), "%u %.400s", was, body);
	request_finish(&ask->request);
}

/* Lets what can be done be done, and checks that this is not. */
static void still_waits(struct ask *ask)
{
	for (int i = 0; i < 5; i++)
		step();
	ck_assert(!atomic_load(&ask->answered));
}

static void member(const char *name, char *into, size_t room)
{
	char key[32];
	snprintf(key, sizeof key, "\"%s\":\"", name);
	const char *at = strstr(answer.body, key);
	ck_assert_ptr_nonnull(at);
	at += strlen(key);
	snprintf(into, room, "%.*s", (int)strcspn(at, "\""), at);
}

/* A session with an owner and an editor. */
static void share(int size)
{
	char body[32], token[96], id[24];
	path[0] = '\0';
	snprintf(body, sizeof body, "{\"size\":%d}", size);
	ck_assert_uint_eq(ask_for(NULL, "POST", "/v1/sessions", body), 201);
	member("id", id, sizeof id);
	member("token", token, sizeof token);
	snprintf(owner, sizeof owner, "Bearer %s", token);
	snprintf(path, sizeof path, "/v1/sessions/%s", id);
	ck_assert_uint_eq(ask_for(owner, "POST", "/tokens", "{\"role\":\"editor\"}"), 201);
	member("id", editor_id, sizeof editor_id);
	member("token", token, sizeof token);
	snprintf(editor, sizeof editor, "Bearer %s", token);
}

static void start(int size)
{
	struct error error = {0};
	struct config config = client_config("memory:");
	log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
	json_setup();
	service = service_create(&config, true, &error);
	ck_assert_msg(service != NULL, "%s", error.text);
	share(size);
}

static void stop(void)
{
	ck_assert_uint_eq(service_pending(service), 0);
	client_stop_service(service);
}

static void revoke_editor(void)
{
	char call[32];
	snprintf(call, sizeof call, "/tokens/%s", editor_id);
	ck_assert_uint_eq(ask_for(owner, "DELETE", call, NULL), 204);
}

/* ---- what must not hold a session ---- */

#define MOVE "{\"moves\":\"R\"}"

START_TEST(a_scramble_is_made_outside)
{
	struct ask scramble;
	start(3);
	hold(service->workers);
	begin(&scramble, editor, "POST", "/scramble", "{\"seed\":\"one\"}");
	still_waits(&scramble);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", MOVE), 200);
	still_waits(&scramble);
	let_go();
	expect(&scramble, 200, "\"revision\":2");
	stop();
}
END_TEST

/* A scramble that cannot be stored is not made. */
START_TEST(a_refused_scramble_needs_no_thread)
{
	start(3);
	hold(service->workers);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", MOVE), 200);
	ck_assert_uint_eq(ask_for(editor, "POST", "/scramble", "{\"revision\":0}"), 409);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"missed\":[{\"revision\":1"));
	ck_assert_uint_eq(ask_for(NULL, "POST", "/scramble", "{}"), 401);
	let_go();
	stop();
}
END_TEST

/* A request that became stale meanwhile is refused. */
START_TEST(a_scramble_is_checked_again)
{
	struct ask scramble, other;
	start(3);
	hold(service->workers);
	begin(&scramble, editor, "POST", "/scramble", "{\"revision\":0}");
	begin(&other, editor, "POST", "/scramble", "{}");
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", MOVE), 200);
	let_go();
	expect(&scramble, 409, "\"missed\":[{\"revision\":1");
	expect(&other, 200, "\"revision\":2");
	stop();
}
END_TEST

START_TEST(an_editor_who_waits_can_be_revoked)
{
	struct ask scramble;
	start(3);
	hold(service->workers);
	begin(&scramble, editor, "POST", "/scramble", "{}");
	still_waits(&scramble);
	revoke_editor();
	let_go();
	expect(&scramble, 401, NULL);
	ck_assert_uint_eq(ask_for(owner, "GET", "", NULL), 200);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"revision\":0"));
	stop();
}
END_TEST

/* ---- many moves ---- */

static char *many_moves(size_t count)
{
	static const char *const moves[] = {"R", "2U'", "F2", "x",  "m",
					    "B", "2Rw", "y'", "L'", "D"};
	struct buffer body = {0};
	buffer_text(&body, "{\"moves\":\"");
	for (size_t i = 0; i < count; i++) {
		buffer_text(&body, moves[(i * i + i / 3) % 10]);
		buffer_text(&body, " ");
	}
	buffer_add(&body, "\"}", 3);
	ck_assert(!body.failed);
	return body.bytes;
}

START_TEST(many_moves_are_read_outside)
{
	struct ask moves;
	char *body = many_moves(9000);
	start(100);
	hold(service->slow);
	begin(&moves, editor, "POST", "/moves?as=none", body);
	still_waits(&moves);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves?as=none", MOVE), 200);
	still_waits(&moves);
	let_go();
	expect(&moves, 200, "\"revision\":2");
	free(body);
	stop();
}
END_TEST

/* Composed with their effect, they make the same cube as one after the other. */
START_TEST(many_moves_do_what_each_does)
{
	static const int sizes[] = {3, 4, 7, 100};
	struct ask moves;
	char text[64], *body = many_moves(9000);
	char *facelets[2];
	start(sizes[_i]);
	for (int way = 0; way < 2; way++) {
		ck_assert_uint_eq(ask_for(owner, "POST", "/moves?as=none", MOVE), 200);
		if (way == 0) {
			begin(&moves, owner, "POST", "/moves?as=none", body);
			expect(&moves, 200, "\"revision\":2");
		}
		for (size_t i = 0, at = 10; way == 1 && i < 90; i++) {
			struct buffer part = {0};
			buffer_text(&part, "{\"moves\":\"");
			for (size_t turn = 0; turn < 100; turn++, at++) {
				const size_t length = strcspn(body + at, " ") + 1;
				buffer_add(&part, body + at, length);
				at += length - 1;
			}
			buffer_add(&part, "\"}", 3);
			snprintf(text, sizeof text, "\"revision\":%zu", i + 2);
			begin(&moves, owner, "POST", "/moves?as=none", part.bytes);
			expect(&moves, 200, text);
			buffer_free(&part);
		}
		begin(&moves, owner, "GET", "/cube?as=facelets,compact_poses", NULL);
		ck_assert_uint_eq(status_of(&moves), 200);
		facelets[way] = strdup(strstr(moves.request.reply.body.bytes, "\"cube\":"));
		ck_assert_ptr_nonnull(facelets[way]);
		request_finish(&moves.request);
		if (way == 0)
			share(sizes[_i]);
	}
	ck_assert_str_eq(facelets[0], facelets[1]);
	free(facelets[0]);
	free(facelets[1]);
	free(body);
	stop();
}
END_TEST

/* ---- what reads the history ---- */

/* Others enter while an undo waits for a reader; then it takes back what is the newest now. */
START_TEST(an_undo_waits_for_a_reader_outside)
{
	struct ask undo;
	start(3);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", MOVE), 200);
	hold(service->readers);
	begin(&undo, editor, "POST", "/undo", "{}");
	still_waits(&undo);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", "{\"moves\":\"U\"}"), 200);
	still_waits(&undo);
	revoke_editor();
	let_go();
	expect(&undo, 401, NULL);
	stop();
}
END_TEST

START_TEST(an_undo_takes_back_the_newest)
{
	struct ask undo, second;
	start(3);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", MOVE), 200);
	hold(service->readers);
	begin(&undo, owner, "POST", "/undo", "{\"revision\":1}");
	begin(&second, editor, "POST", "/moves", "{\"moves\":\"U\"}");
	expect(&second, 200, "\"revision\":2");
	begin(&second, editor, "POST", "/undo", "{}");
	still_waits(&undo);
	let_go();
	/* It came to a session that has another revision now. */
	expect(&undo, 409, "\"missed\":[{\"revision\":2");
	expect(&second, 200, "\"moves\":\"U'\"");
	stop();
}
END_TEST

/* However often others are first, it is served: at last it keeps them waiting. */
START_TEST(an_undo_is_served_at_last)
{
	struct ask undo, move;
	start(3);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves", MOVE), 200);
	hold(service->readers);
	begin(&undo, owner, "POST", "/undo", "{}");
	for (int round = 0; round < 3; round++) {
		begin(&move, editor, "POST", "/moves", "{\"moves\":\"U\"}");
		expect(&move, 200, NULL);
		run_what_waits(service->readers);
		still_waits(&undo);
	}
	begin(&move, editor, "POST", "/moves", "{\"moves\":\"F\"}");
	still_waits(&move);
	let_go();
	expect(&undo, 200, "\"revision\":5");
	expect(&move, 200, "\"revision\":6");
	stop();
}
END_TEST

/* ---- long answers ---- */

/* If others were first, it is made again. */
START_TEST(a_long_answer_is_written_outside)
{
	struct ask moves;
	start(100);
	hold(service->workers);
	begin(&moves, editor, "POST", "/moves?as=compact_poses", MOVE);
	still_waits(&moves);
	ck_assert_uint_eq(ask_for(owner, "POST", "/moves?as=none", "{\"moves\":\"U\"}"), 200);
	still_waits(&moves);
	let_go();
	expect(&moves, 200, "\"revision\":2");
	stop();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("session_turns");
	TCase *tests = tcase_create("threads");
	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, a_scramble_is_made_outside);
	tcase_add_test(tests, a_refused_scramble_needs_no_thread);
	tcase_add_test(tests, a_scramble_is_checked_again);
	tcase_add_test(tests, an_editor_who_waits_can_be_revoked);
	tcase_add_test(tests, many_moves_are_read_outside);
	tcase_add_loop_test(tests, many_moves_do_what_each_does, 0, 4);
	tcase_add_test(tests, an_undo_waits_for_a_reader_outside);
	tcase_add_test(tests, an_undo_takes_back_the_newest);
	tcase_add_test(tests, an_undo_is_served_at_last);
	tcase_add_test(tests, a_long_answer_is_written_outside);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 13);
}
