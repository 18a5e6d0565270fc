/* test_loops.c: several threads serve and poll one service, as the HTTP layer's loops do: every request is
 * answered once, the answered writes of a session are its revisions, none twice. Under ThreadSanitizer too. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/serve.h"
#include "server/json/reader.h"
#include "server/api/service.h"
#include "server/util/log.h"
#include "tests/server/service_client.h"
#include "tests/server/run.h"

#define LOOPS 4
#define SLOTS 8       /* requests that a loop has under way */
#define REQUESTS 1500 /* of a loop */
#define SESSIONS 3
#define REVISIONS (LOOPS * REQUESTS + 1)

static char sessions[SESSIONS][64];
/* The number of times that each revision was answered to a writer. */
static _Atomic unsigned char written[SESSIONS][REVISIONS];
static _Atomic unsigned refused;

struct slot {
	struct request request;
	char target[128];
	int session; /* of a write; -1: none */
	unsigned times;
	_Atomic bool answered;
	bool busy;
};

struct loop {
	pthread_t thread;
	struct service *service;
	unsigned random;
	unsigned begun, ended;
	struct slot slots[SLOTS];
};

/* The requests, made in turn and by chance. A '%s' is the path of a session. */
static const struct {
	const char *method, *target, *body;
	bool writes;
} asked[] = {
	{"POST", "%s/moves", "{\"moves\":\"R U R' U'\"}", true},
	{"POST", "%s/moves", "{\"moves\":\"(L D)30 x2 M\"}", true},
	{"POST", "%s/undo", "{}", true},
	{"POST", "%s/reset", "{}", true},
	{"POST", "%s/scramble", "{\"moves\":\"F B2\"}", true},
	{"GET", "%s", NULL, false},
	{"GET", "%s/cube?at=0", NULL, false},
	{"GET", "%s/history?limit=5", NULL, false},
	{"POST", "/v1/apply", "{\"size\":3,\"moves\":\"R U F\"}", false},
	{"POST", "/v1/apply", "{\"size\":60,\"moves\":\"3-7Rw (20Uw2 F)40\"}", false},
	{"POST", "/v1/algorithm", "{\"moves\":\"(R U)99\"}", false},
	{"GET", "/v1/sessions?limit=2", NULL, false},
	{"POST", "/v1/sessions", "{\"size\":2}", false},
	{"GET", "/nowhere", NULL, false},
	{"POST", "/v1/apply", "{", false},
};
#define ASKED (sizeof asked / sizeof asked[0])

static void slot_answered(struct request *request)
{
	struct slot *slot = request->owner;
	slot->times++;
	atomic_store(&slot->answered, true);
}

static unsigned loop_random(struct loop *loop, unsigned below)
{
	loop->random = loop->random * 1664525u + 1013904223u;
	return (loop->random >> 8) % below;
}

static void slot_begin(struct loop *loop, struct slot *slot)
{
	size_t what = loop_random(loop, ASKED);
	int session = (int)loop_random(loop, SESSIONS);
	struct request *request = &slot->request;
	slot->session = asked[what].writes ? session : -1;
	slot->times = 0;
	slot->busy = true;
	atomic_store(&slot->answered, false);
	const char *template = asked[what].target,
		   *rest = template[0] == '%' ? template + 2 : template;
	snprintf(slot->target, sizeof slot->target, "%s%s",
		 rest == template ? "" : sessions[session], rest);
	request_init(request);
	request->method = asked[what].method;
	request->target = slot->target;
	request->target_length = strlen(slot->target);
	request->body = asked[what].body;
	request->body_length = asked[what].body ? strlen(asked[what].body) : 0;
	if (asked[what].body)
		request->header[HEADER_CONTENT_TYPE] = "application/json";
	request->header[HEADER_AUTHORIZATION] = client_token(slot->target, NULL);
	request->owner = slot;
	request->answered = slot_answered;
	loop->begun++;
	serve(loop->service, request);
}

static void slot_end(struct loop *loop, struct slot *slot)
{
	struct request *request = &slot->request;
	buffer_add(&request->reply.body, "", 1);
	ck_assert_uint_eq(slot->times, 1);
	ck_assert_uint_ne(request->reply.status, 0);
	ck_assert_uint_lt(request->reply.status, 500);
	if (slot->session >= 0 && request->reply.status == 200) {
		const char *at = strstr(request->reply.body.bytes, "\"revision\":");
		ck_assert_ptr_nonnull(at);
		long revision = strtol(at + strlen("\"revision\":"), NULL, 10);
		ck_assert_int_gt(revision, 0);
		ck_assert_int_lt(revision, REVISIONS);
		atomic_fetch_add(&written[slot->session][revision], 1);
	} else if (slot->session >= 0) {
		/* Nothing to undo. */
		ck_assert_uint_eq(request->reply.status, 409);
		atomic_fetch_add(&refused, 1);
	}
	request_finish(request);
	slot->busy = false;
	loop->ended++;
}

static void *loop_main(void *argument)
{
	struct loop *loop = argument;
	while (loop->ended < REQUESTS) {
		struct pollfd wake = {.fd = service_wake_fd(loop->service), .events = POLLIN};
		for (size_t i = 0; i < SLOTS; i++) {
			struct slot *slot = &loop->slots[i];
			if (slot->busy && atomic_load(&slot->answered))
				slot_end(loop, slot);
			if (!slot->busy && loop->begun < REQUESTS)
				slot_begin(loop, slot);
		}
		service_flush(loop->service);
		/* Another loop may have finished what is ours. */
		if (poll(&wake, 1, 1) > 0) /* bound: it looks again */
			service_poll(loop->service);
	}
	return NULL;
}

static long newest(struct service *service, const char *path)
{
	static struct client_response answer;
	client_send(service, &answer, "GET", path, NULL, NULL);
	ck_assert_uint_eq(answer.status, 200);
	return (long)client_number(&answer, "revision");
}

static void play(const char *store)
{
	static struct client_response answer;
	static struct loop loops[LOOPS];
	struct error error = {0};
	struct config config = client_config(store);
	log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
	json_setup();
	struct service *service = service_create(&config, true, &error);
	ck_assert_msg(service != NULL, "%s", error.text);
	memset(written, 0, sizeof written);
	refused = 0;
	for (size_t i = 0; i < SESSIONS; i++) {
		client_send(service, &answer, "POST", "/v1/sessions",
			    i ? "{\"size\":3}" : "{\"size\":7}", NULL);
		ck_assert_uint_eq(answer.status, 201);
		snprintf(sessions[i], sizeof sessions[i], "%s", answer.location);
	}
	for (unsigned i = 0; i < LOOPS; i++) {
		loops[i] = (struct loop){.service = service, .random = i + 1};
		ck_assert_int_eq(pthread_create(&loops[i].thread, NULL, loop_main, &loops[i]), 0);
	}
	for (size_t i = 0; i < LOOPS; i++)
		pthread_join(loops[i].thread, NULL);
	long total = 0;
	for (size_t i = 0; i < SESSIONS; i++) {
		long last = newest(service, sessions[i]);
		for (long revision = 1; revision < REVISIONS; revision++)
			ck_assert_uint_eq(written[i][revision], revision <= last);
		total += last;
	}
	ck_assert_int_gt(total, LOOPS * REQUESTS / 5);
	ck_assert_uint_eq(service_pending(service), 0);
	client_stop_service(service);
}

START_TEST(in_memory)
{
	play("memory:");
}
END_TEST

START_TEST(on_disk)
{
	char directory[64] = "/tmp/cubed-test-XXXXXX", store[96];
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(store, sizeof store, "sqlite:%s/cubed.db", directory);
	play(store);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("loops");
	TCase *tests = tcase_create("loops");
	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, in_memory);
	tcase_add_test(tests, on_disk);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 2);
}
