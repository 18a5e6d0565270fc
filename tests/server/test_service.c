/* test_service.c: the service without sockets: shared stores, failing commits, bursts, threads. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service_client.h"
#include "run.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/store/memory.h"
#include "build/modules.h"

static struct client_response answer; /* large: not for the stack */

/* Creates a session of that size; returns its path. */
static const char *create(struct service *service, int size)
{
	static char path[64];
	char body[64];
	snprintf(body, sizeof body, "{\"size\":%d,\"access\":\"edit\"}", size);
	client_send(service, &answer, "POST", "/v1/sessions", body, NULL);
	ck_assert_uint_eq(answer.status, 201);
	memcpy(path, answer.location, sizeof path);
	return path;
}

static unsigned post(struct service *service, const char *path, const char *action,
		     const char *body)
{
	char target[128];
	snprintf(target, sizeof target, "%s/%s", path, action);
	client_send(service, &answer, "POST", target, body, NULL);
	return answer.status;
}

static long long revision(struct service *service, const char *path)
{
	client_send(service, &answer, "GET", path, NULL, NULL);
	ck_assert_uint_eq(answer.status, 200);
	return client_number(&answer, "revision");
}

/* The facelets in the last answer, as a copy. */
static char *facelets(void)
{
	const char *at = strstr(answer.body, "\"facelets\":\"");
	ck_assert_ptr_nonnull(at);
	at += strlen("\"facelets\":\"");
	return strndup(at, strcspn(at, "\""));
}

#ifdef MODULE_POSTGRES
START_TEST(two_services_share_a_store)
{
	struct service *one = client_start_service("memory:shared"),
		       *two = client_start_service("memory:shared");
	const char *path = create(one, 3);
	static const char *const moves[] = {"R", "U'", "F2", "M", "x", "Rw"};
	char body[64];
	for (int i = 1; i <= 600; i++) {
		struct service *service = rand() % 2 ? one : two;
		snprintf(body, sizeof body, "{\"moves\":\"%s\"}", moves[rand() % 6]);
		unsigned status = i % 7 == 0 ? post(service, path, "undo", "{}")
					     : post(service, path, "moves", body);
		ck_assert_msg(status == 200, "%u %s", status, answer.body);
		ck_assert_int_eq(client_number(&answer, "revision"), i);
	}
	post(one, path, "moves", "{\"moves\":\"R\"}");
	char *newest = facelets();
	post(two, path, "moves", "{\"moves\":\"R'\"}");
	post(two, path, "undo", "{}");
	char *same = facelets();
	ck_assert_str_eq(newest, same);
	ck_assert_int_eq(client_number(&answer, "revision"), 603);
	free(newest);
	free(same);
	client_stop_service(one);
	client_stop_service(two);
}
END_TEST

START_TEST(a_stale_writer_of_another_service_is_told)
{
	struct service *one = client_start_service("memory:stale"),
		       *two = client_start_service("memory:stale");
	const char *path = create(one, 3);
	ck_assert_uint_eq(post(two, path, "moves", "{\"moves\":\"R\",\"revision\":0}"), 200);
	/* `one` still believes in revision 0; the store knows better. */
	ck_assert_uint_eq(post(one, path, "moves", "{\"moves\":\"U\",\"revision\":0}"), 409);
	ck_assert_int_eq(client_number(&answer, "revision"), 1);
	ck_assert_ptr_nonnull(strstr(
		answer.body, "\"missed\":[{\"revision\":1,\"kind\":\"moves\",\"moves\":\"R\""));
	client_stop_service(one);
	client_stop_service(two);
}
END_TEST
#endif

START_TEST(a_full_disk_is_told_and_passes)
{
	struct service *service = client_start_service("memory:");
	const char *path = create(service, 4);
	ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"Rw U\"}"), 200);
	char *before = facelets();
	store_memory_fail_next(service->store, STORE_FULL);
	ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"F\"}"), 507);
	ck_assert_ptr_nonnull(strstr(answer.body, "urn:cubed:problem:storage-full"));
	ck_assert_int_eq(revision(service, path), 1);
	char *after = facelets();
	ck_assert_str_eq(before, after);
	ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"F\",\"revision\":1}"), 200);
	ck_assert_int_eq(client_number(&answer, "revision"), 2);
	free(before);
	free(after);
	client_stop_service(service);
}
END_TEST

START_TEST(a_broken_store_only_reads)
{
	struct service *service = client_start_service("memory:");
	const char *path = create(service, 3);
	ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"R\"}"), 200);
	store_memory_fail_next(service->store, STORE_BROKEN);
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"F\"}"), 503);
		ck_assert_uint_eq(post(service, path, "undo", "{}"), 503);
	}
	client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":3}", NULL);
	ck_assert_uint_eq(answer.status, 503);
	ck_assert_int_eq(revision(service, path), 1);
	client_send(service, &answer, "GET", "/readyz", NULL, NULL);
	ck_assert_uint_eq(answer.status, 503);
	client_stop_service(service);
}
END_TEST

/* ---- many requests at once ---- */

#define BURST 200

struct burst {
	struct request requests[BURST];
	unsigned status[BURST];
	long long revision[BURST];
	unsigned answered;
};

static struct burst burst;

static void burst_answered(struct request *request)
{
	size_t i = (size_t)(request - burst.requests);
	ck_assert_uint_eq(burst.status[i], 0);
	burst.status[i] = request->reply.status;
	buffer_add(&request->reply.body, "", 1);
	const char *at = strstr(request->reply.body.bytes, "\"revision\":");
	burst.revision[i] = at ? strtoll(at + strlen("\"revision\":"), NULL, 10) : -1;
	burst.answered++;
}

/* Starts all requests before any is finished, then waits for all. */
static void burst_run(struct service *service, const char *target, const char *body)
{
	memset(&burst, 0, sizeof burst);
	for (size_t i = 0; i < BURST; i++) {
		struct request *request = &burst.requests[i];
		request_init(request);
		request->method = "POST";
		request->target = target;
		request->target_length = strlen(target);
		request->body = body;
		request->body_length = strlen(body);
		request->header[HEADER_CONTENT_TYPE] = "application/json";
		request->answered = burst_answered;
		serve(service, request);
	}
	while (burst.answered < BURST) {
		service_flush(service);
		struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
		ck_assert_int_ge(poll(&wake, 1, 120000), 1);
		service_poll(service);
	}
	for (size_t i = 0; i < BURST; i++)
		request_finish(&burst.requests[i]);
}

static struct service *start_threads(const char *store)
{
	struct error error = {0};
	struct config config = client_config(store);
	struct service *service = service_create(&config, true, &error);
	ck_assert_msg(service != NULL, "%s", error.text);
	return service;
}

static const char *temporary_store(void)
{
	static char directory[64], store[96];
	strcpy(directory, "/tmp/cubed-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(store, sizeof store, "sqlite:%s/cubed.db", directory);
	return store;
}

static void burst_on(const char *store)
{
	static const struct {
		const char *action, *body;
	} calls[] = {{"moves", "{\"moves\":\"R U R' U'\"}"},
		     {"undo", "{}"},
		     {"moves", "{\"moves\":\"Rw2 x\"}"},
		     {"reset", "{}"},
		     {"scramble", "{\"moves\":\"F B2 (U)2\"}"}};
	struct service *service = start_threads(store);
	char target[128];
	static char path[64];
	memcpy(path, create(service, 3), sizeof path);
	long long expected = 0;
	for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
		snprintf(target, sizeof target, "%s/%s", path, calls[k].action);
		burst_run(service, target, calls[k].body);
		for (size_t i = 0; i < BURST; i++) {
			ck_assert_uint_eq(burst.status[i], 200);
			ck_assert_int_eq(burst.revision[i], ++expected);
		}
	}
	ck_assert_int_eq(revision(service, path), expected);
	client_stop_service(service);
}

START_TEST(bursts_keep_their_order)
{
	burst_on("memory:");
	burst_on(temporary_store());
}
END_TEST

START_TEST(of_a_burst_with_one_base_exactly_one_wins)
{
	struct service *service = start_threads(temporary_store());
	char target[128], body[64];
	static char path[64];
	memcpy(path, create(service, 2), sizeof path);
	snprintf(target, sizeof target, "%s/moves", path);
	for (long long base = 0; base < 5; base++) {
		unsigned won = 0;
		snprintf(body, sizeof body, "{\"moves\":\"R\",\"revision\":%lld}", base);
		burst_run(service, target, body);
		for (size_t i = 0; i < BURST; i++) {
			ck_assert(burst.status[i] == 200 || burst.status[i] == 409);
			ck_assert_int_eq(burst.revision[i], base + 1);
			won += burst.status[i] == 200;
		}
		ck_assert_uint_eq(won, 1);
	}
	client_stop_service(service);
}
END_TEST

/* Jobs of every kind on threads while the store writes. */
START_TEST(large_cubes_go_to_the_workers)
{
	struct service *service = start_threads(temporary_store());
	static char path[64];
	memcpy(path, create(service, 40), sizeof path);
	for (int i = 0; i < 20; i++) {
		ck_assert_uint_eq(post(service, path, "moves",
				       "{\"moves\":\"[3-7Rw, 20Uw2] (F 2-9L)3 x 40B' 11D\"}"),
				  200);
		ck_assert_uint_eq(post(service, path, "undo", "{}"), 200);
		ck_assert_uint_eq(post(service, path, "redo", "{}"), 200);
	}
	ck_assert_uint_eq(post(service, path, "undo", "{\"count\":20}"), 200);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"home\":true"));
	ck_assert_uint_eq(post(service, path, "undo", "{}"), 409);
	ck_assert_int_eq(client_number(&answer, "available"), 0);
	client_stop_service(service);
}
END_TEST

/* An undo of more moves than an entry may write out brings the cube back all the same. */
START_TEST(undo_past_the_limit_restores_the_cube)
{
	struct service *service = client_start_service("memory:");
	const char *path = create(service, 3);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"(R U F' D2)1200\"}"),
				  200);
	ck_assert_uint_eq(post(service, path, "undo", "{\"count\":3}"), 200);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"moves\":null,\"restores\":0"));
	ck_assert_ptr_nonnull(strstr(answer.body, "\"home\":true"));
	ck_assert_uint_eq(post(service, path, "redo", "{\"count\":2}"), 200);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"restores\":2"));
	ck_assert_uint_eq(post(service, path, "reset", "{}"), 200);
	ck_assert_uint_eq(post(service, path, "moves", "{\"moves\":\"R\"}"), 200);
	ck_assert_uint_eq(post(service, path, "reset", "{}"), 200);
	/* Only what came after the last reset was really turned back. */
	ck_assert_ptr_nonnull(
		strstr(answer.body, "\"kind\":\"reset\",\"moves\":\"R'\",\"restores\":0"));
	client_stop_service(service);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("service");
	TCase *tests = tcase_create("service");
	tcase_set_timeout(tests, 0);
#ifdef MODULE_POSTGRES
	tcase_add_test(tests, two_services_share_a_store);
	tcase_add_test(tests, a_stale_writer_of_another_service_is_told);
#endif
	tcase_add_test(tests, a_full_disk_is_told_and_passes);
	tcase_add_test(tests, a_broken_store_only_reads);
	tcase_add_test(tests, bursts_keep_their_order);
	tcase_add_test(tests, of_a_burst_with_one_base_exactly_one_wins);
	tcase_add_test(tests, large_cubes_go_to_the_workers);
	tcase_add_test(tests, undo_past_the_limit_restores_the_cube);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 6);
}
