/* test_shared_reconnects.c: what a session cache read just before the connection to the database
 * broke is read again, because it may never have been committed. */
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "server/store/store.h"
#include "shared_services.h"

static struct client_response answer;
static struct shared_services shared;
static char path[64];

/* ---- the store of one service, between it and the memory store ---- */

static const struct store_operations *memory;
static unsigned finds;
static bool shows_phantom, reconnects;

/* A server that ends shows a name that was never committed. */
static enum store_status find(struct store_reader *reader, const struct session_id *id,
			      struct stored_session *session)
{
	const enum store_status status = memory->find(reader, id, session);
	finds++;
	if (status == STORE_OK && shows_phantom)
		strcpy(session->meta.name, "phantom");
	return status;
}

static enum store_status changes(struct store_reader *reader, store_visit_change *visit,
				 void *context)
{
	if (reconnects)
		visit(context, &(struct store_change){.kind = CHANGE_RECONNECTED});
	reconnects = false;
	return memory->changes(reader, visit, context);
}

static void look(const char *name, unsigned expected_finds)
{
	finds = 0;
	client_send(shared.service[1], &answer, "GET", path, NULL, NULL);
	ck_assert_uint_eq(answer.status, 200);
	ck_assert_ptr_nonnull(strstr(answer.body, name));
	ck_assert_uint_eq(finds, expected_finds);
}

START_TEST(what_was_just_read_is_read_again)
{
	shared_start(&shared, 1, 0);
	struct store *store = shared.service[1]->store;
	memory = store->operations;
	struct store_operations operations = *memory;
	operations.find = find;
	operations.changes = changes;
	store->operations = &operations;
	client_send(shared.service[0], &answer, "POST", "/v1/sessions",
		    "{\"size\":3,\"name\":\"stored\"}", NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(path, sizeof path, "%s", answer.location);

	shows_phantom = true;
	look("phantom", 1);
	look("phantom", 0); /* from the cache */
	shows_phantom = false;
	reconnects = true;
	look("stored", 1);
	/* A round that began after it was read has seen the same. */
	look("stored", 0);
	look("stored", 0);
	reconnects = true;
	look("stored", 0);

	store->operations = memory;
	shared_stop(&shared);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_reconnects");
	TCase *tests = tcase_create("shared_reconnects");
	tcase_add_test(tests, what_was_just_read_is_read_again);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 1);
}
