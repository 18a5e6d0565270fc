/* test_shared_recording.c: solves that are sent to a session which another server renames meanwhile
 * are read once more, and stored once. */
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "server/api/request/service_state.h"
#include "server/api/service.h"
#include "server/store/memory.h"
#include "shared_services.h"

#define A 0
#define B 1

static struct client_response answer;
static struct shared_services shared;
static char path[64], owner[96];

static struct shared_call *begin(size_t service, const char *method, const char *target,
				 const char *body, const char *content_type)
{
	struct shared_call *call = shared_free_call(&shared);
	ck_assert_ptr_nonnull(call);
	call->service = shared.service[service];
	snprintf(call->method, sizeof call->method, "%s", method);
	snprintf(call->target, sizeof call->target, "%s", target);
	snprintf(call->body, sizeof call->body, "%s", body);
	call->content_type = content_type;
	snprintf(call->authorization, sizeof call->authorization, "%s", owner);
	shared_begin(&shared, call);
	return call;
}

/* All that a service does without its store. */
static void settle(size_t service)
{
	for (int i = 0; i < 100; i++)
		service_poll(shared.service[service]);
}

static void commit(size_t service)
{
	while (store_memory_commit(shared.service[service]->store))
		;
	while (store_memory_answer(shared.service[service]->store, 0))
		;
	settle(service);
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;
	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

/* The ways to record solves. */
static const struct {
	const char *action, *body, *content_type;
	unsigned status;
	unsigned solves;
} ways[] = {
	{"/v1/solves", "{\"time_ms\":9000}", NULL, 201, 1},
	{"/v1/solves", "{\"time_ms\":9000}\n{\"time_ms\":8000}\n", "application/x-ndjson", 200, 2},
	{"/v1/solves/import", "{\"session1\":[[[0,9000],\"R U\",\"\",1700000000]]}", NULL, 201, 1},
};
#define WAYS (sizeof ways / sizeof ways[0])

START_TEST(solves_meet_a_new_name)
{
	shared_start(&shared, 1, 0);
	client_send(shared.service[A], &answer, "POST", "/v1/sessions", "{\"size\":3}", NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(path, sizeof path, "%s", answer.location);
	snprintf(owner, sizeof owner, "%s", client_token(path, NULL));
	shared_hold(&shared, true);
	struct shared_call *record =
		begin(A, "POST", ways[_i].action, ways[_i].body, ways[_i].content_type);
	settle(A);
	struct shared_call *rename = begin(B, "PATCH", path, "{\"name\":\"other\"}", NULL);
	settle(B);
	commit(B);
	ck_assert_msg(rename->status == 200, "%s", rename->text);
	ck_assert(!record->answered);
	commit(A);
	ck_assert(!record->answered); /* a conflict came first */
	commit(A);
	ck_assert_msg(record->status == ways[_i].status, "%s", record->text);
	shared_hold(&shared, false);
	const struct shared_call *list = begin(B, "GET", "/v1/solves", "", NULL);
	settle(B);
	ck_assert_uint_eq(count_of(list->text, "\"created_at\":"), ways[_i].solves);
	shared_stop(&shared);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_recording");
	TCase *tests = tcase_create("shared_recording");
	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, solves_meet_a_new_name, 0, WAYS);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 3);
}
