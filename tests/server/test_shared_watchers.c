/* test_shared_watchers.c: who watches a session at one service sees each entry made at any of them
 * once and in order, also after going on at another service from the last id. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/live/live.h"
#include "server/store/memory.h"
#include "shared_services.h"

#define WATCHERS 6
#define ENTRIES 400

struct watcher {
	struct service *service;
	struct subscriber *subscriber;
	char text[1 << 17];
	size_t length;
	unsigned seen, faults; /* the last revision */
};

static struct shared_services shared;
static struct watcher watchers[WATCHERS];
static struct client_response answer;
static char path[64];
static struct subscriber *taken;

static void stream_answered(struct request *request)
{
	taken = request->reply.subscriber;
	request->reply.subscriber = NULL;
}

/* Watches from the last entry seen on. */
static void watch(struct watcher *watcher, struct service *service)
{
	struct request request;
	char target[96], last[48] = "";
	snprintf(target, sizeof target, "%s/events", path);
	snprintf(last, sizeof last, "%s-%u", client_incarnation(service), watcher->seen);
	request_init(&request);
	request.method = "GET";
	request.target = target;
	request.target_length = strlen(target);
	request.body = "";
	request.header[HEADER_LAST_EVENT_ID] = last;
	request.answered = stream_answered;
	taken = NULL;
	serve(service, &request);
	/* Perhaps it waits until writes of the service come back. */
	for (int step = 0; !taken; step++) {
		ck_assert_int_lt(step, 100000);
		service_poll(service);
		if (!taken)
			shared_step(&shared);
	}
	request_finish(&request);
	watcher->service = service;
	watcher->subscriber = taken;
	live_start(taken, 0, watcher);
}

static bool watcher_send(void *stream)
{
	struct watcher *watcher = stream;
	struct iovec pieces[LIVE_PIECES];
	int count;
	while ((count = live_fill(watcher->subscriber, pieces)) > 0) {
		size_t all = 0;
		for (int i = 0; i < count; i++) {
			ck_assert_uint_lt(watcher->length + pieces[i].iov_len,
					  sizeof watcher->text);
			memcpy(watcher->text + watcher->length, pieces[i].iov_base,
			       pieces[i].iov_len);
			watcher->length += pieces[i].iov_len;
			all += pieces[i].iov_len;
		}
		live_sent(watcher->subscriber, all);
	}
	return count == 0;
}

static void watcher_end(void *stream)
{
	live_leave(((struct watcher *)stream)->subscriber);
	((struct watcher *)stream)->subscriber = NULL;
}

/* Checks the events that came: entries, each the next one. */
static void check_text(struct watcher *watcher)
{
	char *at = watcher->text, *found;
	watcher->text[watcher->length] = '\0';
	while ((found = strstr(at, "event: entry\nid: ")) != NULL) {
		at = strchr(strstr(found, "id: "), '-') + 1;
		const unsigned revision = (unsigned)strtoul(at, NULL, 10);
		watcher->faults += revision != watcher->seen + 1;
		watcher->seen = revision;
	}
	watcher->faults += strstr(watcher->text, "event: resync") != NULL;
	watcher->length = 0;
}

/* Each service asks for changes, and its shard has a turn. */
static void turn(struct service *service)
{
	static const struct live_calls calls = {.send = watcher_send, .end = watcher_end};
	lock_acquire(&service->session_cache.lock);
	gate_ask(&service->session_cache.gate);
	lock_release(&service->session_cache.lock);
	service_poll(service);
	for (int i = 0; i < 3; i++) {
		live_turn(service->live, 0, &calls);
		service_poll(service);
	}
	for (size_t i = 0; i < WATCHERS; i++)
		if (watchers[i].service == service)
			check_text(&watchers[i]);
}

static void move_on(struct watcher *watcher)
{
	turn(watcher->service);
	live_leave(watcher->subscriber);
	watch(watcher, shared.service[shared_draw(&shared, SHARED_SERVICES)]);
}

static void begin_move(void)
{
	struct shared_call *call = shared_free_call(&shared);
	if (!call)
		return;
	strcpy(call->method, "POST");
	snprintf(call->target, sizeof call->target, "%s/moves", path);
	strcpy(call->body, "{\"moves\":\"R\"}");
	shared_begin(&shared, call);
}

/* Returns the faults that all watchers saw together. */
static unsigned run_trial(uint64_t seed, unsigned faults)
{
	unsigned made = 0, found = 0;
	struct shared_call *call;
	shared_start(&shared, seed, faults);
	memset(watchers, 0, sizeof watchers);
	client_send(shared.service[0], &answer, "POST", "/v1/sessions",
		    "{\"size\":3,\"access\":\"edit\"}", NULL);
	snprintf(path, sizeof path, "%s", answer.location);
	for (size_t i = 0; i < WATCHERS; i++)
		watch(&watchers[i], shared.service[i % SHARED_SERVICES]);
	shared_hold(&shared, true);
	for (int step = 0; made < ENTRIES; step++) {
		ck_assert_int_lt(step, 400000);
		shared_step(&shared);
		if (shared_draw(&shared, 8) == 0)
			begin_move();
		if (shared_draw(&shared, 8) == 0)
			turn(shared.service[shared_draw(&shared, SHARED_SERVICES)]);
		if (shared_draw(&shared, 100) == 0)
			move_on(&watchers[shared_draw(&shared, WATCHERS)]);
		while ((call = shared_answered(&shared)))
			made += call->status == 200;
	}
	shared_hold(&shared, false);
	for (int round = 0; round < 100; round++)
		for (size_t i = 0; i < SHARED_SERVICES; i++)
			turn(shared.service[i]);
	client_send(shared.service[0], &answer, "GET", path, NULL, NULL);
	const long long last = client_number(&answer, "revision");
	ck_assert_int_ge(last, ENTRIES);
	for (size_t i = 0; i < WATCHERS; i++) {
		found += watchers[i].faults + (watchers[i].seen != last);
		live_leave(watchers[i].subscriber);
	}
	for (size_t i = 0; i < SHARED_SERVICES; i++)
		turn(shared.service[i]);
	shared_stop(&shared);
	return found;
}

START_TEST(each_entry_once_in_order)
{
	const unsigned found = run_trial((uint64_t)_i + 1, 0);
	ck_assert_msg(found == 0, "seed %d: %u faults", _i + 1, found);
}
END_TEST

START_TEST(without_changes_nothing_is_seen)
{
	ck_assert_uint_gt(run_trial(1, MEMORY_REPORTS_NOTHING), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_watchers");
	TCase *tests = tcase_create("shared_watchers");
	tcase_set_timeout(tests, 300);
	tcase_add_loop_test(tests, each_entry_once_in_order, 0, 4);
	tcase_add_test(tests, without_changes_nothing_is_seen);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 5);
}
