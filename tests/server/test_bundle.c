/* test_bundle.c: one stream of several sessions: what it is sent, whatever its pace and wherever it
 * breaks off, without sockets. A shard is played by hand, as in test_live.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service_client.h"
#include "run.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/live/event_id.h"
#include "server/live/live_internal.h"
#include "tests/failing/failing.h"

#define SESSIONS 10

struct reader {
	struct subscriber *subscriber;
	char *text;
	size_t length, capacity;
	size_t most; /* bytes in one go */
	bool blocked, ended;
};

static struct client_response answer; /* large: not for the stack */
static struct service *service;
static char ids[SESSIONS][SESSION_ID_TEXT + 1];
static unsigned revisions[SESSIONS];
static char ticket[4096];
static struct subscriber *taken;
static unsigned answered_status;

/* ---- the server ---- */

static void ask(const char *method, const char *target, const char *body, unsigned status)
{
	client_send(service, &answer, method, target, body, NULL);
	ck_assert_msg(answer.status == status, "%s %s: %u %s", method, target, answer.status,
		      answer.body);
}

static void begin(void)
{
	service = client_start_service("memory:");
	for (size_t i = 0; i < SESSIONS; i++) {
		ask("POST", "/v1/sessions", "{\"size\":3,\"access\":\"edit\"}", 201);
		snprintf(ids[i], sizeof ids[i], "%.16s", answer.location + strlen("/v1/sessions/"));
		revisions[i] = 0;
	}
}

static void turn(size_t session)
{
	char target[80];
	snprintf(target, sizeof target, "/v1/sessions/%s/moves", ids[session]);
	ask("POST", target, "{\"moves\":\"R U\"}", 200);
	revisions[session]++;
}

static void turn_some(unsigned count)
{
	while (count-- > 0)
		turn((size_t)rand() % SESSIONS);
}

/* A ticket for `count` sessions from `first` on. */
static void take_ticket(size_t first, size_t count)
{
	static char body[SESSIONS * 32 + 64];
	size_t length = (size_t)snprintf(body, sizeof body, "{\"sessions\":[");
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(body + length, sizeof body - length, "%s{\"id\":\"%s\"}",
					   i > 0 ? "," : "", ids[(first + i) % SESSIONS]);
	snprintf(body + length, sizeof body - length, "]}");
	ask("POST", "/v1/tickets", body, 201);
	const char *at = strstr(answer.body, "\"ticket\":\"") + strlen("\"ticket\":\"");
	snprintf(ticket, sizeof ticket, "%.*s", (int)strcspn(at, "\""), at);
}

static void answered(struct request *request)
{
	answered_status = request->reply.status;
	taken = request->reply.problem == 0 ? request->reply.subscriber : NULL;
	if (taken)
		request->reply.subscriber = NULL;
}

static unsigned watch(struct reader *reader, const char *query, const char *accept,
		      const char *last)
{
	struct request request;
	static char target[8192];
	snprintf(target, sizeof target, "/v1/events?ticket=%s%s", ticket, query);
	request_init(&request);
	request.method = "GET";
	request.target = target;
	request.target_length = strlen(target);
	request.body = "";
	request.header[HEADER_ACCEPT] = accept;
	request.header[HEADER_LAST_EVENT_ID] = last;
	request.answered = answered;
	taken = NULL;
	answered_status = 0;
	serve(service, &request);
	service_poll(service);
	request_finish(&request);
	*reader = (struct reader){.subscriber = taken, .most = SIZE_MAX, .ended = !taken};
	if (taken)
		live_start(taken, (unsigned)rand() % LIVE_SHARDS, reader);
	return answered_status;
}

/* ---- the reader ---- */

static bool reader_send(void *seat)
{
	struct reader *reader = seat;
	struct iovec pieces[LIVE_PIECES];
	while (!reader->blocked) {
		int count = live_fill(reader->subscriber, pieces);
		if (count <= 0)
			return count == 0;
		size_t part = (size_t)rand() % reader->most + 1;
		part = part < pieces[0].iov_len ? part : pieces[0].iov_len;
		if (reader->length + part + 1 > reader->capacity) {
			reader->capacity = (reader->length + part + 1) * 2;
			reader->text = __real_realloc(reader->text, reader->capacity);
		}
		memcpy(reader->text + reader->length, pieces[0].iov_base, part);
		reader->length += part;
		reader->text[reader->length] = '\0';
		live_sent(reader->subscriber, part);
	}
	return true;
}

static void reader_end(void *seat)
{
	struct reader *reader = seat;
	reader->ended = true;
	live_leave(reader->subscriber);
}

static const struct live_calls calls = {.send = reader_send, .end = reader_end};

static void settle(void)
{
	for (int round = 0; round < 60; round++) {
		for (unsigned i = 0; i < LIVE_SHARDS; i++)
			live_turn(service->live, i, &calls);
		service_poll(service);
	}
}

static void unblock(struct reader *reader)
{
	reader->blocked = false;
	if (!reader->ended) {
		live_look(reader->subscriber);
		if (!reader_send(reader))
			reader_end(reader);
	}
	settle();
}

static void leave(struct reader *reader)
{
	if (!reader->ended)
		live_leave(reader->subscriber);
	settle();
	free(reader->text);
	*reader = (struct reader){.ended = true};
}

/* ---- what a client has ---- */

struct client {
	bool known[SESSIONS], over[SESSIONS];
	unsigned revision[SESSIONS];
	unsigned resyncs, ends;
	char id[1024]; /* of the last event that had one */
};

static size_t session_of(const char *event)
{
	const char *at = strstr(event, "\"session\":\"");
	ck_assert_ptr_nonnull(at);
	for (size_t i = 0; i < SESSIONS; i++)
		if (strncmp(at + strlen("\"session\":\""), ids[i], SESSION_ID_TEXT) == 0)
			return i;
	ck_abort_msg("an event of another session");
	return 0;
}

/* One event, which must be the next of its session. */
static void client_take(struct client *client, const char *event)
{
	char name[16];
	if (strncmp(event, LIVE_RETRY, strlen(LIVE_RETRY)) == 0)
		event += strlen(LIVE_RETRY);
	if (sscanf(event, "event: %15s\n", name) != 1)
		return;
	const size_t session = session_of(event);
	const char *revision = strstr(event, "\"revision\":");
	const unsigned number =
		revision ? (unsigned)strtoul(revision + strlen("\"revision\":"), NULL, 10) : 0;
	ck_assert(!client->over[session]);
	if (strcmp(name, "entry") == 0) {
		ck_assert(client->known[session]);
		ck_assert_uint_eq(number, client->revision[session] + 1);
		client->revision[session] = number;
	} else if (strcmp(name, "state") == 0 || strcmp(name, "resync") == 0) {
		ck_assert(!client->known[session] || name[0] == 'r');
		client->resyncs += name[0] == 'r';
		client->known[session] = true;
		client->revision[session] = number;
	} else if (strcmp(name, "end") == 0) {
		client->over[session] = true;
		client->ends++;
	}
	const char *id = strstr(event, "\nid: ");
	ck_assert(!id == (strcmp(name, "entry") && strcmp(name, "state") &&
			  strcmp(name, "resync") && strcmp(name, "end")));
	if (id)
		snprintf(client->id, sizeof client->id, "%.*s", (int)strcspn(id + 5, "\n"), id + 5);
}

/* Takes all whole events that the reader has, and forgets the rest, as a client whose connection
 * breaks. */
static void client_read(struct client *client, struct reader *reader)
{
	char *at = reader->text, *stop;
	while (at && (stop = strstr(at, "\n\n")) != NULL) {
		stop[1] = '\0';
		client_take(client, at);
		at = stop + 2;
	}
	reader->length = 0;
	if (reader->text)
		reader->text[0] = '\0';
}

static void check_all(const struct client *client, size_t first, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const size_t session = (first + i) % SESSIONS;
		if (!client->over[session])
			ck_assert_uint_eq(client->revision[session], revisions[session]);
	}
}

/* ---- tests ---- */

START_TEST(every_entry_of_every_session_once)
{
	struct reader readers[3];
	struct client clients[3] = {0};
	begin();
	turn_some(5);
	take_ticket(0, SESSIONS);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(
			watch(&readers[i], i == 1 ? "&cube=true&turns=true" : "", NULL, NULL), 200);
	readers[1].most = 40;
	for (int i = 0; i < 60; i++) {
		turn_some((unsigned)rand() % 30);
		readers[2].blocked = i % 15 != 14;
		if (i % 15 == 14)
			unblock(&readers[2]);
		if (rand() % 3 == 0)
			settle();
	}
	unblock(&readers[2]);
	settle();
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(strncmp(readers[i].text, LIVE_RETRY, strlen(LIVE_RETRY)), 0);
		client_read(&clients[i], &readers[i]);
		check_all(&clients[i], 0, SESSIONS);
		ck_assert_uint_eq(clients[i].resyncs, 0);
		leave(&readers[i]);
	}
	client_stop_service(service);
}
END_TEST

/* Wherever it breaks off, the id of the last whole event resumes all sessions. */
START_TEST(it_resumes_wherever_it_broke_off)
{
	struct reader reader;
	struct client client = {0};
	begin();
	take_ticket(0, SESSIONS);
	for (int round = 0; round < 200; round++) {
		/* Another ticket, in another order: the id does not depend on it. */
		if (round % 20 == 19)
			take_ticket((size_t)rand() % SESSIONS, SESSIONS);
		ck_assert_uint_eq(watch(&reader, "", NULL, client.id[0] ? client.id : NULL), 200);
		reader.most = (size_t)rand() % 2000 + 1;
		if (round % 50 == 49)
			turn_some(LIVE_RING * 3);
		turn_some((unsigned)rand() % 12);
		settle();
		turn_some((unsigned)rand() % 12);
		if (rand() % 2)
			settle();
		reader.length -= reader.length > 0 ? (size_t)rand() % (reader.length + 1) : 0;
		if (reader.text)
			reader.text[reader.length] = '\0';
		client_read(&client, &reader);
		leave(&reader);
		ck_assert_uint_le(strlen(client.id), 17 + 17 * SESSIONS);
	}
	ck_assert_uint_eq(watch(&reader, "", NULL, client.id), 200);
	settle();
	client_read(&client, &reader);
	check_all(&client, 0, SESSIONS);
	ck_assert_uint_eq(client.resyncs, 0);
	leave(&reader);
	client_stop_service(service);
}
END_TEST

START_TEST(one_session_ends_the_others_go_on)
{
	struct reader reader, again;
	struct client client = {0};
	char target[64];
	begin();
	take_ticket(0, 4);
	watch(&reader, "", NULL, NULL);
	settle();
	snprintf(target, sizeof target, "/v1/sessions/%s", ids[1]);
	ask("DELETE", target, NULL, 204);
	turn(0);
	snprintf(target, sizeof target, "/v1/sessions/%s", ids[2]);
	ask("PATCH", target, "{\"access\":\"none\"}", 200);
	turn(2);
	turn(3);
	settle();
	ck_assert(!reader.ended);
	ck_assert_ptr_nonnull(strstr(reader.text, "\"reason\":\"deleted\""));
	ck_assert_ptr_nonnull(strstr(reader.text, "\"reason\":\"revoked\""));
	client_read(&client, &reader);
	ck_assert(client.over[1] && client.over[2]);
	ck_assert_uint_eq(client.ends, 2);
	ck_assert_uint_eq(client.revision[2], 0);
	check_all(&client, 0, 4);
	/* Their ends are not reported again. */
	watch(&again, "", NULL, client.id);
	turn(3);
	settle();
	client_read(&client, &again);
	ck_assert_uint_eq(client.ends, 2);
	check_all(&client, 0, 4);
	/* Without an id the ends are there at once; when none is left, so is the end. */
	leave(&again);
	snprintf(target, sizeof target, "/v1/sessions/%s", ids[0]);
	ask("DELETE", target, NULL, 204);
	snprintf(target, sizeof target, "/v1/sessions/%s", ids[3]);
	ask("DELETE", target, NULL, 204);
	settle();
	ck_assert(reader.ended);
	struct client first = {0};
	ck_assert_uint_eq(watch(&again, "", NULL, NULL), 200);
	settle();
	ck_assert(again.ended);
	client_read(&first, &again);
	ck_assert_uint_eq(first.ends, 4);
	free(again.text);
	ck_assert_uint_eq(watch(&again, "", NULL, first.id), 204);
	leave(&reader);
	client_stop_service(service);
}
END_TEST

START_TEST(lines_have_the_same_ids)
{
	struct reader reader;
	begin();
	take_ticket(0, 2);
	watch(&reader, "", "application/x-ndjson", NULL);
	settle();
	turn(1);
	settle();
	char wanted[160];
	snprintf(wanted, sizeof wanted, "\"id\":\"%s-%.6s0.%.6s1\"}\n", client_incarnation(service),
		 ids[0], ids[1]);
	ck_assert_msg(strstr(reader.text, wanted) != NULL, "%s\n%s", wanted, reader.text);
	snprintf(wanted, sizeof wanted,
		 "{\"event\":\"entry\",\"data\":{\"session\":\"%s\",\"revision\":1,", ids[1]);
	ck_assert_ptr_nonnull(strstr(reader.text, wanted));
	leave(&reader);
	client_stop_service(service);
}
END_TEST

/* A client of another database, or with a wrong id. */
START_TEST(ids_that_are_not_of_here)
{
	static const char *const bad[] = {
		"x",         "17",       "0-",         "0-abc",
		"0-abcdef-", "0-u23456", "0-abcdef1.", "0-abcdef4294967296"};
	struct reader reader;
	struct client client = {0};
	char id[80];
	begin();
	turn(0);
	take_ticket(0, 1);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(watch(&reader, "", NULL, bad[i]) == 400, "%s", bad[i]);
	snprintf(id, sizeof id, "0123456789abcdef-%.6s1", ids[0]);
	ck_assert_uint_eq(watch(&reader, "", NULL, id), 200);
	settle();
	client_read(&client, &reader);
	ck_assert_uint_eq(client.resyncs, 1);
	check_all(&client, 0, 1);
	leave(&reader);
	ticket[5] = ticket[5] == '0' ? '1' : '0';
	ck_assert_uint_eq(watch(&reader, "", NULL, NULL), 401);
	client_stop_service(service);
}
END_TEST

/* Whatever allocation fails: nothing is missed, or the stream ends and can be resumed. */
START_TEST(memory_that_runs_out)
{
	bool failed = true;
	unsigned refused = 0, ended = 0;
	for (long k = 1; failed; k++) {
		struct reader reader;
		struct client client = {0};
		begin();
		turn_some(3);
		take_ticket(0, 3);
		countdown = k;
		const unsigned status = watch(&reader, "", NULL, NULL);
		settle();
		failed = countdown == 0;
		countdown = 0;
		refused += status != 200;
		ck_assert(status == 200 || status == 503);
		for (size_t i = 0; i < 3; i++)
			turn(i);
		settle();
		ended += status == 200 && reader.ended;
		client_read(&client, &reader);
		if (!reader.ended)
			check_all(&client, 0, 3);
		leave(&reader);
		ck_assert_uint_eq(watch(&reader, "", NULL, client.id[0] ? client.id : NULL), 200);
		settle();
		client_read(&client, &reader);
		check_all(&client, 0, 3);
		leave(&reader);
		client_stop_service(service);
	}
	ck_assert_uint_ge(refused, 3);
	ck_assert_uint_ge(ended, 1);
}
END_TEST

START_TEST(memory_that_runs_out_for_a_ticket)
{
	static char body[160];
	bool failed = true;
	unsigned refused = 0;
	begin();
	snprintf(body, sizeof body, "{\"sessions\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]}", ids[0],
		 ids[1]);
	for (long k = 1; failed; k++) {
		countdown = k;
		client_send(service, &answer, "POST", "/v1/tickets", body, NULL);
		failed = countdown == 0;
		countdown = 0;
		ck_assert(answer.status == 201 || answer.status == 503);
		refused += answer.status == 503;
	}
	ck_assert_uint_eq(answer.status, 201);
	ck_assert_uint_ge(refused, 1);
	client_stop_service(service);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bundle");
	TCase *tests = tcase_create("bundle");
	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, every_entry_of_every_session_once);
	tcase_add_test(tests, it_resumes_wherever_it_broke_off);
	tcase_add_test(tests, one_session_ends_the_others_go_on);
	tcase_add_test(tests, lines_have_the_same_ids);
	tcase_add_test(tests, ids_that_are_not_of_here);
	tcase_add_test(tests, memory_that_runs_out);
	tcase_add_test(tests, memory_that_runs_out_for_a_ticket);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 7);
}
