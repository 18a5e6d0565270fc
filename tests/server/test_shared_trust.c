/* test_shared_trust.c: a service appends to a session that it was the last to change without asking
 * what others did, and no answer shows that: neither a refusal nor an entry rests on an old state. */
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "server/api/service.h"
#include "server/util/meters.h"
#include "shared_services.h"

#define A 0
#define B 1

static struct client_response answer;
static struct shared_services shared;
static char path[64], owner[96], editor[96];

/* A new session, which A has created. */
static void open_session(const char *access)
{
	char body[64];
	shared_start(&shared, 1, 0);
	snprintf(body, sizeof body, "{\"size\":3,\"access\":\"%s\"}", access);
	client_send(shared.service[A], &answer, "POST", "/v1/sessions", body, NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(path, sizeof path, "%s", answer.location);
	snprintf(owner, sizeof owner, "%s", client_token(path, NULL));
}

/* Its answer; the status must be that. */
static const struct shared_call *call(size_t service, const char *method, const char *action,
				      const char *body, const char *authorization, unsigned status)
{
	struct shared_call *made = shared_free_call(&shared);
	ck_assert_ptr_nonnull(made);
	made->service = shared.service[service];
	snprintf(made->method, sizeof made->method, "%s", method);
	snprintf(made->target, sizeof made->target, "%s%s", path, action);
	snprintf(made->body, sizeof made->body, "%s", body);
	snprintf(made->authorization, sizeof made->authorization, "%s", authorization);
	shared_begin(&shared, made);
	for (int step = 0; !made->answered; step++) {
		ck_assert_int_lt(step, 100000);
		shared_step(&shared);
	}
	ck_assert_msg(made->status == status, "%s %s: %u %s", method, action, made->status,
		      made->text);
	ck_assert_ptr_eq(shared_answered(&shared), made);
	return made;
}

/* A move at A that enters the session unasked, at least at first. */
static const struct shared_call *trusting_move(const char *body, const char *authorization,
					       unsigned status)
{
	const uint64_t trusted = meter_sum(METER_GATE_TRUSTED);
	const struct shared_call *made = call(A, "POST", "/moves", body, authorization, status);
	ck_assert_uint_gt(meter_sum(METER_GATE_TRUSTED), trusted);
	return made;
}

static void add_editor(size_t service)
{
	const struct shared_call *made =
		call(service, "POST", "/tokens", "{\"role\":\"editor\"}", owner, 201);
	const char *token = strstr(made->text, "\"token\":\"");
	ck_assert_ptr_nonnull(token);
	snprintf(editor, sizeof editor, "Bearer %.*s", (int)strcspn(token + 9, "\""), token + 9);
}

static void close_session(void)
{
	shared_stop(&shared);
}

START_TEST(own_sessions_are_not_asked_for)
{
	open_session("view");
	const uint64_t rounds = meter_sum(METER_GATE_ROUNDS);
	for (int i = 1; i <= 5; i++)
		ck_assert_int_eq(shared_number(trusting_move("{\"moves\":\"R\"}", owner, 200)->text,
					       "revision"),
				 i);
	ck_assert_uint_eq(meter_sum(METER_GATE_ROUNDS), rounds);
	/* A read always asks. */
	call(A, "GET", "", "", owner, 200);
	ck_assert_uint_eq(meter_sum(METER_GATE_ROUNDS), rounds + 1);
	close_session();
}
END_TEST

START_TEST(others_were_first)
{
	open_session("edit");
	call(B, "POST", "/moves", "{\"moves\":\"U\"}", "", 200);
	const uint64_t wrong = meter_sum(METER_GATE_WRONG);
	const struct shared_call *made = trusting_move("{\"moves\":\"R\"}", "", 200);
	ck_assert_int_eq(shared_number(made->text, "revision"), 2);
	ck_assert_uint_eq(meter_sum(METER_GATE_WRONG), wrong + 1);
	/* For a while, all ask. */
	const uint64_t trusted = meter_sum(METER_GATE_TRUSTED);
	call(A, "POST", "/moves", "{\"moves\":\"R\"}", "", 200);
	ck_assert_uint_eq(meter_sum(METER_GATE_TRUSTED), trusted);
	for (int i = 0; i < 40; i++)
		call(A, "POST", "/moves", "{\"moves\":\"R\"}", "", 200);
	ck_assert_uint_gt(meter_sum(METER_GATE_TRUSTED), trusted);
	close_session();
}
END_TEST

/* A has not heard of the revision that it is asked to be at. */
START_TEST(a_newer_revision)
{
	open_session("edit");
	call(B, "POST", "/moves", "{\"moves\":\"U\"}", "", 200);
	const struct shared_call *made = trusting_move("{\"moves\":\"R\",\"revision\":1}", "", 200);
	ck_assert_int_eq(shared_number(made->text, "revision"), 2);
	close_session();
}
END_TEST

START_TEST(an_older_revision)
{
	open_session("edit");
	call(B, "POST", "/moves", "{\"moves\":\"U\"}", "", 200);
	const struct shared_call *made = trusting_move("{\"moves\":\"R\",\"revision\":0}", "", 409);
	ck_assert_int_eq(shared_number(made->text, "revision"), 1);
	close_session();
}
END_TEST

START_TEST(a_new_token)
{
	open_session("view");
	add_editor(B);
	trusting_move("{\"moves\":\"R\"}", editor, 200);
	close_session();
}
END_TEST

START_TEST(a_revoked_token)
{
	open_session("view");
	add_editor(A);
	trusting_move("{\"moves\":\"R\"}", editor, 200);
	call(B, "DELETE", "/tokens/2", "", owner, 204);
	trusting_move("{\"moves\":\"R\"}", editor, 401);
	close_session();
}
END_TEST

START_TEST(more_access)
{
	open_session("view");
	call(B, "PATCH", "", "{\"access\":\"edit\"}", owner, 200);
	trusting_move("{\"moves\":\"R\"}", "", 200);
	close_session();
}
END_TEST

START_TEST(less_access)
{
	open_session("edit");
	call(B, "PATCH", "", "{\"access\":\"view\"}", owner, 200);
	trusting_move("{\"moves\":\"R\"}", "", 401);
	close_session();
}
END_TEST

START_TEST(a_deleted_session)
{
	open_session("edit");
	call(B, "DELETE", "", "", owner, 204);
	trusting_move("{\"moves\":\"R\"}", "", 410);
	close_session();
}
END_TEST

/* Moves that are wrong in any state are refused once. */
START_TEST(wrong_moves)
{
	open_session("edit");
	const struct shared_call *made = trusting_move("{\"moves\":\"R Q\"}", "", 422);
	const char *first = strstr(made->text, "\"detail\"");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, "\"detail\""));
	close_session();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_trust");
	TCase *tests = tcase_create("shared_trust");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, own_sessions_are_not_asked_for);
	tcase_add_test(tests, others_were_first);
	tcase_add_test(tests, a_newer_revision);
	tcase_add_test(tests, an_older_revision);
	tcase_add_test(tests, a_new_token);
	tcase_add_test(tests, a_revoked_token);
	tcase_add_test(tests, more_access);
	tcase_add_test(tests, less_access);
	tcase_add_test(tests, a_deleted_session);
	tcase_add_test(tests, wrong_moves);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 10);
}
