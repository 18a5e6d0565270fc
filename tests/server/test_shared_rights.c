/* test_shared_rights.c: a token that is revoked at one service is worth nothing at another one, also
 * for what is under way: an entry that is stored after the answer 204 is never one of that token. */
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "server/api/service.h"
#include "server/store/memory.h"
#include "shared_services.h"

#define RACES 200

static struct client_response answer;
static struct shared_services shared;

static void finish(struct shared_call *call)
{
	for (int step = 0; !call->answered; step++) {
		ck_assert_int_lt(step, 100000);
		shared_step(&shared);
	}
}

/* A session's path and its owner's Authorization, and an editor's. */
struct room {
	char path[64], owner[96], editor[96];
};

static void open_room(struct room *room)
{
	char target[96];
	client_send(shared.service[0], &answer, "POST", "/v1/sessions",
		    "{\"size\":3,\"access\":\"view\"}", NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(room->path, sizeof room->path, "%s", answer.location);
	snprintf(room->owner, sizeof room->owner, "%s", client_token(room->path, NULL));
	snprintf(target, sizeof target, "%s/tokens", room->path);
	client_send(shared.service[0], &answer, "POST", target, "{\"role\":\"editor\"}", NULL);
	ck_assert_uint_eq(answer.status, 201);
	const char *token = strstr(answer.body, "\"token\":\"");
	ck_assert_ptr_nonnull(token);
	snprintf(room->editor, sizeof room->editor, "Bearer %.*s", (int)strcspn(token + 9, "\""),
		 token + 9);
}

static struct shared_call *begin(const struct room *room, size_t service, const char *method,
				 const char *action, const char *body, const char *authorization)
{
	struct shared_call *call = shared_free_call(&shared);
	ck_assert_ptr_nonnull(call);
	call->service = shared.service[service];
	snprintf(call->method, sizeof call->method, "%s", method);
	snprintf(call->target, sizeof call->target, "%s%s", room->path, action);
	snprintf(call->body, sizeof call->body, "%s", body);
	snprintf(call->authorization, sizeof call->authorization, "%s", authorization);
	shared_begin(&shared, call);
	return call;
}

/* Some steps of the service that uses the token, but nothing is committed. */
static void some_steps(size_t service)
{
	for (uint64_t left = shared_draw(&shared, 4); left > 0; left--)
		service_poll(shared.service[service]);
}

/* One race: a move under way at one service, the token revoked at another one. Returns whether the
 * move was made although it was stored after the token's end. */
static bool race(void)
{
	struct room room;
	shared_hold(&shared, false);
	open_room(&room);
	shared_hold(&shared, true);
	struct shared_call *use =
		begin(&room, 1, "POST", "/moves", "{\"moves\":\"R\"}", room.editor);
	some_steps(1);
	const bool stored =
		shared_draw(&shared, 3) == 0 && store_memory_commit(shared.service[1]->store);
	struct shared_call *revoke = begin(&room, 2, "DELETE", "/tokens/2", "", room.owner);
	for (int step = 0; !revoke->answered; step++) {
		ck_assert_int_lt(step, 1000);
		service_poll(shared.service[2]);
		store_memory_commit(shared.service[2]->store);
		store_memory_answer(shared.service[2]->store, 0);
	}
	ck_assert_uint_eq(revoke->status, 204);
	struct shared_call *late = begin(&room, shared_draw(&shared, 2), "POST", "/moves",
					 "{\"moves\":\"U\"}", room.editor);
	finish(use);
	finish(late);
	ck_assert(use->status == 200 || use->status == 401);
	/* A request that was stored before is answered as made, even if late. */
	ck_assert(!stored || use->status == 200);
	const bool used = (use->status == 200 && !stored) || late->status == 200;
	while (shared_answered(&shared))
		;
	return used;
}

static unsigned run_races(unsigned faults)
{
	unsigned used = 0;
	shared_start(&shared, 10, faults);
	for (int i = 0; i < RACES; i++)
		used += race();
	shared_stop(&shared);
	return used;
}

START_TEST(revoked_everywhere_at_once)
{
	ck_assert_uint_eq(run_races(0), 0);
}
END_TEST

START_TEST(versions_have_to_be_checked)
{
	ck_assert_uint_gt(run_races(MEMORY_IGNORES_VERSIONS), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_rights");
	TCase *tests = tcase_create("shared_rights");
	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, revoked_everywhere_at_once);
	tcase_add_test(tests, versions_have_to_be_checked);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 2);
}
