/* test_live.c: watchers of a session: what each is sent, whatever its pace, without sockets.
 *
 * A shard is played by hand: each reader takes as many bytes at a time as it is given leave to.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service_client.h"
#include "run.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/live/event_id.h"
#include "server/live/live_internal.h"
#include "server/util/monotonic.h"
#include "tests/failing/failing.h"

#define READERS 4

/* A watcher: what it has read. */
struct reader {
	struct subscriber *subscriber;
	char *text;
	size_t length, capacity;
	size_t leave; /* bytes it may still take now */
	size_t most;  /* bytes in one go */
	bool ended;
};

static struct client_response answer; /* large: not for the stack */
static struct service *service;
static char path[64];
static unsigned posted;

static void post(const char *action, const char *body, unsigned status)
{
	char target[128];
	snprintf(target, sizeof target, "%s/%s", path, action);
	client_send(service, &answer, "POST", target, body, NULL);
	ck_assert_msg(answer.status == status, "%u %s", answer.status, answer.body);
}

static void shared_send(unsigned count)
{
	static const char *const moves[] = {"R", "U'", "F2", "M", "x", "Rw"};
	for (unsigned i = 0; i < count; i++, posted++) {
		char body[64];
		snprintf(body, sizeof body, "{\"moves\":\"%s\"}", moves[rand() % 6]);
		if (posted > 0 && rand() % 9 == 0)
			post("reset", "{}", 200);
		else
			post("moves", body, 200);
	}
}

static void begin(void)
{
	service = client_start_service("memory:");
	client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":3,\"access\":\"edit\"}",
		    NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(path, sizeof path, "%s", answer.location);
	posted = 0;
}

static void end(void)
{
	/* Topics whose graces have not ended are left to the service. */
	client_stop_service(service);
}

/* ---- readers ---- */

static struct subscriber *taken;
static unsigned answered_status;
static unsigned shards = LIVE_SHARDS; /* to one of which it goes */
static bool turned_away; /* its connection, after all: there are as many as there may be */

static void answered(struct request *request)
{
	answered_status = request->reply.status;
	taken = request->reply.subscriber;
	request->reply.subscriber = NULL;
}

/* Asks for the events; the status. */
static unsigned watch(struct reader *reader, const char *query, const char *accept,
		      const char *last)
{
	struct request request;
	char target[160];
	snprintf(target, sizeof target, "%s/events%s", path, query);
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
	if (countdown == 0) /* an assertion allocates too */
		ck_assert_uint_ne(answered_status, 0);
	request_finish(&request);
	*reader = (struct reader){.subscriber = taken, .most = SIZE_MAX, .leave = SIZE_MAX};
	if (taken && !turned_away)
		live_start(taken, (unsigned)rand() % shards, reader);
	return answered_status;
}

static void take(struct reader *reader, const struct iovec *pieces, int count, size_t bytes)
{
	for (int i = 0; i < count && bytes > 0; i++) {
		size_t part = pieces[i].iov_len < bytes ? pieces[i].iov_len : bytes;
		if (reader->length + part + 1 > reader->capacity) {
			reader->capacity = (reader->length + part + 1) * 2;
			reader->text = __real_realloc(reader->text, reader->capacity);
		}
		memcpy(reader->text + reader->length, pieces[i].iov_base, part);
		reader->length += part;
		reader->text[reader->length] = '\0';
		bytes -= part;
	}
}

static bool reader_send(void *seat)
{
	struct reader *reader = seat;
	struct iovec pieces[LIVE_PIECES];
	while (reader->leave > 0) {
		int count = live_fill(reader->subscriber, pieces);
		if (count <= 0)
			return count == 0;
		size_t all = 0;
		for (int i = 0; i < count; i++)
			all += pieces[i].iov_len;
		size_t part = (size_t)rand() % reader->most + 1;
		part = part < all ? part : all;
		part = part < reader->leave ? part : reader->leave;
		take(reader, pieces, count, part);
		live_sent(reader->subscriber, part);
		reader->leave -= reader->leave == SIZE_MAX ? 0 : part;
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

/* All shards have their turn until nothing happens any more. */
static void settle(void)
{
	for (int round = 0; round < 200; round++) {
		for (unsigned i = 0; i < LIVE_SHARDS; i++)
			live_turn(service->live, i, &calls);
		service_poll(service);
	}
}

/* A reader whose socket has room again. */
static void let(struct reader *reader, size_t bytes)
{
	reader->leave = bytes;
	if (!reader->ended) {
		live_look(reader->subscriber);
		if (!reader_send(reader))
			reader_end(reader);
	}
}

static void leave(struct reader *reader)
{
	if (!reader->ended && reader->subscriber)
		live_leave(reader->subscriber);
	settle();
	free(reader->text);
	*reader = (struct reader){0};
}

/* ---- what they have read ---- */

/* Takes the next event of a kind that has an id, from `*at` on; its name and revision. */
static bool next_event(const char **at, char name[16], unsigned *revision)
{
	const char *start;
	char generation[32];
	while ((start = strstr(*at, "event: ")) != NULL) {
		const char *stop = strstr(start, "\n\n");
		ck_assert_msg(stop != NULL, "an event has no end");
		*at = stop + 2;
		if (sscanf(start, "event: %15s\nid: %31[0-9a-f]-%u\ndata: {", name, generation,
			   revision) == 3) {
			ck_assert_str_eq(generation, client_incarnation(service));
			return true;
		}
	}
	return false;
}

/* Fails unless it read `name` (NULL: nothing) at `first` and then each entry up to `last`, once, in
 * order. Returns how many resyncs came between. */
static unsigned check_sequence(const struct reader *reader, const char *name, unsigned first,
			       unsigned last)
{
	const char *at = reader->text ? reader->text : "";
	char event[16];
	unsigned revision, seen = first, resyncs = 0;
	if (name) {
		ck_assert(next_event(&at, event, &revision));
		ck_assert_str_eq(event, name);
		ck_assert_uint_eq(revision, first);
	}
	while (next_event(&at, event, &revision)) {
		if (strcmp(event, "resync") == 0) {
			ck_assert_uint_gt(revision, seen);
			resyncs++;
		} else {
			ck_assert_str_eq(event, "entry");
			ck_assert_uint_eq(revision, seen + 1);
		}
		seen = revision;
	}
	ck_assert_uint_eq(seen, last);
	return resyncs;
}

/* It ends with the event `end`. */
static void check_end(const struct reader *reader, const char *reason)
{
	char wanted[80];
	snprintf(wanted, sizeof wanted, "event: end\ndata: {\"reason\":\"%s\"}\n\n", reason);
	ck_assert_uint_ge(reader->length, strlen(wanted));
	ck_assert_str_eq(reader->text + reader->length - strlen(wanted), wanted);
}

/* ---- tests ---- */

START_TEST(every_entry_once_in_order)
{
	struct reader readers[READERS];
	begin();
	shared_send(3);
	for (size_t i = 0; i < READERS; i++)
		ck_assert_uint_eq(watch(&readers[i], i == 2 ? "?cube=true" : "", NULL, NULL), 200);
	readers[1].most = 50;  /* byte by byte nearly */
	readers[3].leave = 10; /* reads nothing for long */
	for (int i = 0; i < 40; i++) {
		shared_send((unsigned)rand() % 40);
		if (rand() % 3 == 0)
			settle();
		if (i % 10 == 9)
			let(&readers[3], (size_t)rand() % 60000);
	}
	let(&readers[3], SIZE_MAX);
	settle();
	for (size_t i = 0; i < READERS; i++) {
		ck_assert_uint_eq(check_sequence(&readers[i], "state", 3, posted), 0);
		leave(&readers[i]);
	}
	end();
}
END_TEST

/* Removes the members `standing`, which only events have that are sent as entries are made. */
static void remove_standing(char *text)
{
	static const char member[] = ",\"standing\":{";
	char *at = text, *to = text;
	for (char *next; (next = strstr(at, member)) != NULL;) {
		memmove(to, at, (size_t)(next - at));
		to += next - at;
		at = next + strlen(member);
		for (int depth = 1; depth > 0; at++)
			depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
	}
	memmove(to, at, strlen(at) + 1);
}

/* The ring is far behind; the log gives the same bytes, but for the standing. */
START_TEST(the_log_repeats_what_was_live)
{
	struct reader live, later;
	begin();
	watch(&live, "?cube=true", NULL, NULL);
	settle();
	shared_send(1200);
	post("moves", "{\"moves\":\"R\"}", 200);
	post("reset", "{}", 200);
	posted += 2;
	settle();
	check_sequence(&live, "state", 0, posted);
	remove_standing(live.text);
	for (unsigned from = 0; from < posted; from += from < 1000 ? 97 : 7) {
		char query[64], id[64], *same;
		snprintf(query, sizeof query, "?cube=true&after=%u", from);
		ck_assert_uint_eq(watch(&later, query, NULL, NULL), 200);
		settle();
		check_sequence(&later, NULL, from, posted);
		snprintf(id, sizeof id, "-%u\n", from + 1);
		same = strstr(live.text, id);
		while (strncmp(same, "event: ", 7) != 0)
			same--;
		const char *first = later.text + strlen(LIVE_RETRY);
		ck_assert_int_eq(strncmp(first, "event: session\n", 15), 0);
		char *entries = strstr(first, "\n\n") + 2;
		remove_standing(entries); /* the ring has the newest ones */
		ck_assert_str_eq(same, entries);
		leave(&later);
	}
	leave(&live);
	end();
}
END_TEST

START_TEST(too_much_is_one_resync)
{
	struct reader slow, back;
	char id[64];
	begin();
	service->config.limits.replay = 300;
	watch(&slow, "", NULL, NULL);
	settle();
	slow.leave = 0;
	shared_send(700);
	settle();
	let(&slow, SIZE_MAX);
	settle();
	ck_assert_uint_eq(check_sequence(&slow, "state", 0, posted), 1);
	shared_send(2);
	settle();
	ck_assert_uint_eq(check_sequence(&slow, "state", 0, posted), 1);
	leave(&slow);

	/* Too far back, of a later time, of another database. */
	watch(&back, "?after=100", NULL, NULL);
	settle();
	check_sequence(&back, "resync", posted, posted);
	leave(&back);
	watch(&back, "?after=9999", NULL, NULL);
	settle();
	check_sequence(&back, "resync", posted, posted);
	leave(&back);
	snprintf(id, sizeof id, "%u", posted);
	watch(&back, "", NULL, "abc-702");
	settle();
	check_sequence(&back, "resync", posted, posted);
	leave(&back);

	/* And just what was missed: the header counts, not the query. */
	snprintf(id, sizeof id, "%s-%u", client_incarnation(service), posted - 2);
	watch(&back, "?after=3", NULL, id);
	settle();
	check_sequence(&back, NULL, posted - 2, posted);
	leave(&back);
	end();
}
END_TEST

/* The ring is bounded by bytes too: what is too long for it is read from the log. */
START_TEST(long_entries_too)
{
	struct reader quick, slow;
	begin();
	watch(&quick, "?cube=true", NULL, NULL);
	watch(&slow, "", NULL, NULL);
	settle();
	slow.leave = 0;
	for (int i = 0; i < 100; i++) {
		post("moves", "{\"moves\":\"(R U' F2 Rw)2400\"}", 200);
		if (i % 7 == 0)
			settle();
		let(&slow, i % 10 == 0 ? 40000 : 0);
		ck_assert_uint_le(service->session_cache.newest->topic->ring_bytes, 1 << 20);
	}
	let(&slow, SIZE_MAX);
	settle();
	check_sequence(&quick, "state", 0, 100);
	check_sequence(&slow, "state", 0, 100);
	ck_assert_uint_gt(service->session_cache.newest->topic->ring_bytes, 0);
	leave(&quick);
	leave(&slow);

	end();
}
END_TEST

/* All rings together are bounded: those that are long keep their newest event, and the log has the
 * others. */
START_TEST(rings_share_what_there_is)
{
	struct reader quick, slow;
	begin();
	budget_destroy(service->live->rings);
	service->live->rings = budget_create(30000, UINT64_MAX);
	watch(&quick, "", NULL, NULL);
	watch(&slow, "", NULL, NULL);
	settle();
	slow.leave = 0;
	for (int i = 0; i < 100; i++) {
		post("moves", "{\"moves\":\"(R U' F2 Rw)100\"}", 200);
		settle();
		let(&slow, i % 10 == 0 ? 40000 : 0);
		ck_assert_uint_lt(service->session_cache.newest->topic->ring_bytes, 20000);
		ck_assert_uint_le(budget_bytes(service->live->rings), BUDGET_CHUNK_BYTES);
	}
	let(&slow, SIZE_MAX);
	settle();
	check_sequence(&quick, "state", 0, 100);
	check_sequence(&slow, "state", 0, 100);
	leave(&quick);
	leave(&slow);
	end();
}
END_TEST

/* Sessions that are watched stay; the others make room as before. */
START_TEST(the_cache_stays_bounded)
{
	static struct reader readers[60];
	begin();
	service->config.limits.cache_bytes = service->session_cache.bytes_max = 60000;
	size_t watched = 0;
	for (size_t i = 0; i < 60; i++) {
		client_send(service, &answer, "POST", "/v1/sessions",
			    "{\"size\":3,\"access\":\"edit\"}", NULL);
		ck_assert_uint_eq(answer.status, 201);
		snprintf(path, sizeof path, "%s", answer.location);
		unsigned status = watch(&readers[i], "", NULL, NULL);
		ck_assert_uint_eq(status, watched == i ? status : 503);
		watched += status == 200;
	}
	settle();
	for (size_t i = 0; i < 600; i++) {
		client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":3}", NULL);
		ck_assert_uint_eq(answer.status, 201);
		ck_assert_uint_le(service->session_cache.bytes, 62000);
	}
	for (size_t i = 0; i < 60; i++)
		leave(&readers[i]);
	end();
}
END_TEST

START_TEST(lines_say_the_same)
{
	struct reader reader;
	begin();
	watch(&reader, "?cube=true", "application/x-ndjson", NULL);
	settle();
	post("moves", "{\"moves\":\"R2\"}", 200);
	post("moves", "{\"moves\":\"R2\"}", 200);
	settle();
	const char *text = reader.text;
	ck_assert_int_eq(strncmp(text, "{\"event\":\"state\",\"id\":\"", 23), 0);
	ck_assert_ptr_nonnull(strstr(text, "-2\",\"data\":{\"revision\":2,\"kind\":\"moves\","));
	ck_assert_ptr_nonnull(
		strstr(text, "\"cube\":{\"size\":3,\"facelets\":\"UUDUUDUUDRRRRRRRRRFFBFFBFFB"));
	ck_assert_ptr_nonnull(strstr(text, "\n{\"event\":\"solved\",\"data\":{\"revision\":2,"));
	ck_assert_ptr_null(strstr(text, "\n\n"));
	leave(&reader);
	end();
}
END_TEST

START_TEST(what_is_no_wish_is_refused)
{
	static const char *const bad[] = {"?after=",           "?after=-1",
					  "?after=x-1",        "?after=1-",
					  "?after=4294967295", "?after=00000000000000000-1",
					  "?after=1e3",        "?cube=maybe",
					  "?turns=maybe",      "?limit=3"};
	struct reader reader;
	begin();
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(watch(&reader, bad[i], NULL, NULL) == 400, "%s", bad[i]);
	ck_assert_uint_eq(watch(&reader, "", NULL, "nonsense"), 400);
	ck_assert_uint_eq(watch(&reader, "", "image/png", NULL), 406);
	service->config.limits.watchers = 1;
	struct reader first;
	ck_assert_uint_eq(watch(&first, "", NULL, NULL), 200);
	ck_assert_uint_eq(watch(&reader, "", NULL, NULL), 429);
	leave(&first);
	turned_away = true;
	ck_assert_uint_eq(watch(&first, "", NULL, NULL), 200);
	leave(&first);
	turned_away = false;
	ck_assert_uint_eq(watch(&first, "", NULL, NULL), 200);
	leave(&first);
	end();
}
END_TEST

START_TEST(the_end_of_a_session_ends_its_streams)
{
	struct reader reader, second;
	begin();
	watch(&reader, "", NULL, NULL);
	watch(&second, "", NULL, NULL);
	settle();
	second.leave = 0;
	shared_send(4);
	client_send(service, &answer, "DELETE", path, NULL, NULL);
	if (answer.status == 401 || answer.status == 403) { /* rights are not this test's matter */
		lock_acquire(&service->session_cache.lock);
		live_observer.ended(service->session_cache.newest);
		lock_release(&service->session_cache.lock);
	}
	settle();
	ck_assert(reader.ended);
	ck_assert(!second.ended);
	let(&second, SIZE_MAX);
	ck_assert(second.ended);
	check_sequence(&reader, "state", 0, 4);
	check_sequence(&second, "state", 0, 4);
	check_end(&reader, "deleted");
	check_end(&second, "deleted");
	leave(&reader);
	leave(&second);
	end();
}
END_TEST

/* Its right ends while it is behind: it gets nothing of what was published since, and learns why. */
START_TEST(a_right_that_ends_ends_the_stream)
{
	struct reader quick, slow, paged;
	begin();
	watch(&quick, "", NULL, NULL);
	watch(&slow, "", NULL, NULL);
	watch(&paged, "", NULL, NULL);
	settle();
	slow.leave = paged.leave = 0;
	shared_send(3);
	settle();
	let(&slow, 50); /* in the midst of an entry */
	client_send(service, &answer, "PATCH", path, "{\"access\":\"none\"}", NULL);
	ck_assert_uint_eq(answer.status, 200);
	shared_send(LIVE_RING + 2);
	settle();
	ck_assert(quick.ended);
	check_sequence(&quick, "state", 0, 3);
	check_end(&quick, "revoked");
	ck_assert(!slow.ended && !paged.ended);
	let(&slow, SIZE_MAX);
	settle();
	let(&paged, SIZE_MAX);
	settle();
	ck_assert(slow.ended && paged.ended);
	check_sequence(&slow, "state", 0, 1);
	check_end(&slow, "revoked");
	check_sequence(&paged, "state", 0, 0);
	check_end(&paged, "revoked");
	leave(&quick);
	leave(&slow);
	leave(&paged);
	end();
}
END_TEST

/* The last `"subscribers":` that it read. */
static int crowd(const struct reader *reader)
{
	int count = -1;
	for (const char *at = reader->text; at && (at = strstr(at, "\"watchers\":")) != NULL;)
		count = (int)strtol(at += strlen("\"watchers\":"), NULL, 10);
	return count;
}

static size_t events_of(const struct reader *reader, const char *name)
{
	size_t count = 0;
	for (const char *at = reader->text; at && (at = strstr(at, name)) != NULL; at++)
		count++;
	return count;
}

static void show(unsigned number)
{
	char body[64];
	snprintf(body, sizeof body, "{\"text\":\"cue %u\"}", number);
	post("cue", body, 200);
}

/* Among entries; a slow reader gets the last one alone, and what was begun is finished. */
START_TEST(cues_reach_all_who_watch)
{
	struct reader quick, slow, cut, late;
	begin();
	show(0); /* nobody watches */
	watch(&quick, "", NULL, NULL);
	watch(&slow, "?turns=true", NULL, NULL);
	watch(&cut, "?cube=true", NULL, NULL);
	quick.most = 30;
	settle();
	slow.leave = cut.leave = 0;
	for (unsigned i = 1; i <= 9; i++) {
		show(i);
		settle();
		if (i == 1)
			let(&cut, 20); /* in the midst of the first one */
		shared_send(3);
		settle();
	}
	ck_assert_uint_eq(events_of(&quick, "event: cue"), 9);
	ck_assert_uint_eq(events_of(&slow, "event: cue"), 0);
	let(&slow, SIZE_MAX);
	let(&cut, SIZE_MAX);
	settle();
	ck_assert_uint_eq(events_of(&slow, "event: cue"), 1);
	ck_assert_uint_eq(events_of(&cut, "event: cue"), 2);
	ck_assert(strstr(cut.text, "\"cue 1\"") && strstr(cut.text, "\"cue 9\""));
	watch(&late, "?after=2", NULL, NULL);
	settle();
	ck_assert_uint_eq(events_of(&late, "\"cue 9\""), 1);
	check_sequence(&quick, "state", 0, posted);
	check_sequence(&slow, "state", 0, posted);
	check_sequence(&cut, "state", 0, posted);
	check_sequence(&late, NULL, 2, posted);
	leave(&quick);
	leave(&slow);
	leave(&cut);
	leave(&late);
	end();
}
END_TEST

static void react(const char *reaction)
{
	char body[64];
	snprintf(body, sizeof body, "{\"reaction\":\"%s\"}", reaction);
	post("cue", body, 200);
	settle();
}

/* A reader that watches gets it, late if slow; one that comes later does not. The cue that is shown
 * stays in any case. */
START_TEST(reactions_replace_no_cue)
{
	struct reader quick, slow, cut, late, back;
	begin();
	show(1);
	react("heart"); /* nobody watches */
	watch(&quick, "", NULL, NULL);
	watch(&slow, "?turns=true", NULL, NULL);
	watch(&cut, "", NULL, NULL);
	settle();
	ck_assert_uint_eq(events_of(&quick, "reaction"), 0);
	slow.leave = cut.leave = 0;
	react("clap");
	let(&cut, 20); /* in the midst of it */
	show(2);
	settle();
	react("wow");
	shared_send(3);
	settle();
	ck_assert_uint_eq(events_of(&quick, "\"cue\":{\"reaction\":\"clap\"}"), 1);
	ck_assert_uint_eq(events_of(&quick, "\"cue\":{\"reaction\":\"wow\"}"), 1);
	let(&slow, SIZE_MAX);
	let(&cut, SIZE_MAX);
	settle();
	ck_assert_uint_eq(events_of(&slow, "\"cue 2\""), 1);
	ck_assert_uint_eq(events_of(&slow, "\"wow\""), 1);
	ck_assert_uint_eq(events_of(&slow, "\"clap\""), 0);
	ck_assert_uint_eq(events_of(&cut, "\"clap\""), 1);
	ck_assert_uint_eq(events_of(&cut, "\"cue 2\""), 1);
	ck_assert_uint_eq(events_of(&cut, "\"wow\""), 1);
	watch(&late, "", NULL, NULL);
	watch(&back, "?after=1", NULL, NULL);
	settle();
	ck_assert_uint_eq(events_of(&late, "\"cue 2\"") + events_of(&back, "\"cue 2\""), 2);
	ck_assert_uint_eq(events_of(&late, "reaction") + events_of(&back, "reaction"), 0);
	react("heart");
	ck_assert_uint_eq(events_of(&late, "\"heart\"") + events_of(&back, "\"heart\""), 2);
	leave(&quick);
	leave(&slow);
	leave(&cut);
	leave(&late);
	leave(&back);
	end();
}
END_TEST

/* A page that is loaded again: its new stream may be there before the old one is gone. */
START_TEST(presence_is_one_if_a_stream_replaces_another)
{
	struct reader before, after;
	begin();
	watch(&before, "", NULL, NULL);
	struct timespec clock;
	clock_gettime(CLOCK_MONOTONIC, &clock);
	int64_t now_ms = (int64_t)clock.tv_sec * 1000 + clock.tv_nsec / 1000000;
	struct timespec moment = {0, 5000000};
	nanosleep(&moment, NULL); /* they come in different milliseconds */
	watch(&after, "", NULL, NULL);
	leave(&before);
	live_tick(service->live, now_ms + 400);
	settle();
	ck_assert_int_eq(crowd(&after), 1);
	leave(&after);
	end();
}
END_TEST

START_TEST(presence_has_a_grace)
{
	struct reader stays, goes;
	begin();
	watch(&stays, "", NULL, NULL);
	watch(&goes, "", NULL, NULL);
	struct timespec clock;
	clock_gettime(CLOCK_MONOTONIC, &clock);
	int64_t now_ms = (int64_t)clock.tv_sec * 1000 + clock.tv_nsec / 1000000;
	settle();
	ck_assert_int_eq(crowd(&stays), -1);
	ck_assert_int_ge(live_tick(service->live, now_ms), 0);
	live_tick(service->live, now_ms + 400);
	settle();
	ck_assert_int_eq(crowd(&stays), 2);
	ck_assert_int_eq(crowd(&goes), 2);

	/* Away and back within the grace: nobody hears of it. */
	leave(&goes);
	live_tick(service->live, now_ms + 3000);
	watch(&goes, "", NULL, NULL);
	live_tick(service->live, now_ms + 5000);
	settle();
	ck_assert_uint_eq(events_of(&stays, "event: presence"), 1);
	ck_assert_int_eq(crowd(&goes), 2);

	leave(&goes);
	for (int64_t ms = 5000; ms < 14000; ms += 250)
		live_tick(service->live, now_ms + ms);
	settle();
	ck_assert_uint_eq(events_of(&stays, "event: presence"), 2);
	ck_assert_int_eq(crowd(&stays), 1);

	/* Nobody is left, and after the grace nothing. */
	leave(&stays);
	int64_t wait_ms = 0;
	for (int64_t ms = 14000; ms < 24000; ms += 250)
		wait_ms = live_tick(service->live, now_ms + ms);
	ck_assert_int_eq(wait_ms, -1);
	ck_assert_ptr_null(service->session_cache.newest->topic);
	ck_assert_uint_eq(service->session_cache.newest->pins, 0);
	end();
}
END_TEST

/* Name, access and turn policy: watchers hear of them, also when they come back; no stream ends. */
START_TEST(what_the_session_is_is_told)
{
	struct reader stays, lines, back;
	static const char named[] = "event: session\ndata: {\"id\":\"";
	begin();
	shared_send(2);
	watch(&stays, "", NULL, NULL);
	watch(&lines, "", "application/x-ndjson", NULL);
	settle();
	client_send(service, &answer, "PATCH", path, "{\"name\":\"one\"}", NULL);
	client_send(service, &answer, "PATCH", path,
		    "{\"name\":\"two\",\"turn_policy\":\"alternate\"}", NULL);
	settle();
	ck_assert_uint_eq(events_of(&stays, named), 1); /* the newest */
	ck_assert_ptr_nonnull(strstr(stays.text,
				     "\"name\":\"two\",\"access\":\"edit\",\"listed\":false,\"turn_"
				     "policy\":\"alternate\",\"updated_at\":\""));
	ck_assert_uint_eq(events_of(&lines, "{\"event\":\"session\",\"data\":{\"id\":"), 1);
	post("undo", "{}", 200);
	settle();
	ck_assert_uint_eq(events_of(&stays, named), 1);
	stays.leave = 0;
	client_send(service, &answer, "PATCH", path, "{\"name\":\"three\"}", NULL);
	settle();
	let(&stays, 20); /* in pieces */
	let(&stays, SIZE_MAX);
	ck_assert_uint_eq(events_of(&stays, named), 2);
	int64_t now_ms = monotonic_ms();
	live_tick(service->live, now_ms + 400);
	settle();
	ck_assert_int_eq(crowd(&stays), 2);
	client_send(service, &answer, "PATCH", path, "{\"access\":\"view\"}", NULL);
	ck_assert_uint_eq(answer.status, 200);
	settle();
	ck_assert(!stays.ended && !lines.ended);
	ck_assert_uint_eq(events_of(&stays, named), 3);
	ck_assert_ptr_nonnull(strstr(stays.text, "\"access\":\"view\""));
	ck_assert_uint_eq(watch(&back, "?after=3", NULL, NULL), 200);
	settle();
	ck_assert_int_eq(strncmp(back.text + strlen(LIVE_RETRY), named, strlen(named)), 0);
	ck_assert_ptr_nonnull(strstr(back.text, "\"access\":\"view\""));
	live_tick(service->live, now_ms + 1000);
	settle();
	ck_assert_int_eq(crowd(&back), 3);
	leave(&back);
	leave(&stays);
	leave(&lines);
	end();
}
END_TEST

/* ---- one shard helps another ---- */

#define CROWD 200

static pthread_t owner;
static _Atomic unsigned sent_by_helper;

/* Returns true if a thread sends what others may send too. */
static bool shared_send_is_shared(void)
{
	struct shared_send *shared_send = &service->live->shards[0].shared_send;
	pthread_mutex_lock(&shared_send->lock);
	bool shared = shared_send->helpers > 0;
	pthread_mutex_unlock(&shared_send->lock);
	return shared;
}

/* The owner's first send lasts until somebody helps. */
static bool slowly_send(void *seat)
{
	if (!pthread_equal(pthread_self(), owner))
		atomic_fetch_add(&sent_by_helper, 1);
	while (shared_send_is_shared() && atomic_load(&sent_by_helper) == 0)
		sched_yield();
	return reader_send(seat);
}

static void owner_ends(void *seat)
{
	ck_assert(pthread_equal(pthread_self(), owner));
	reader_end(seat);
}

static const struct live_calls slow_calls = {.send = slowly_send, .end = owner_ends};

static void *help(void *stop)
{
	while (!atomic_load((_Atomic bool *)stop))
		live_turn(service->live, 1, &slow_calls);
	return NULL;
}

static void shared_send_with_help(void)
{
	_Atomic bool stop = false;
	pthread_t helper;
	owner = pthread_self();
	sent_by_helper = 0;
	ck_assert_int_eq(pthread_create(&helper, NULL, help, &stop), 0);
	live_turn(service->live, 0, &slow_calls);
	stop = true;
	pthread_join(helper, NULL);
	ck_assert_uint_gt(sent_by_helper, 0);
}

/* Each is sent everything once, by any shard, and ended by its own. */
START_TEST(idle_outlets_help)
{
	static struct reader crowd[CROWD];
	shards = 1;
	begin();
	for (size_t i = 0; i < CROWD; i++)
		ck_assert_uint_eq(watch(&crowd[i], "", NULL, NULL), 200);
	settle();
	for (unsigned head = 1; head <= 20; head++) {
		/* The ring moves past watchers that stay behind, and no further. */
		shared_send(head == 10 ? LIVE_RING : 1);
		crowd[head].leave = 0;
		shared_send_with_help();
	}
	for (size_t i = 0; i < CROWD; i++)
		crowd[i].leave = SIZE_MAX;
	shared_send(1);
	shared_send_with_help();
	settle();
	for (size_t i = 0; i < CROWD; i++)
		check_sequence(&crowd[i], "state", 0, LIVE_RING + 20);
	client_send(service, &answer, "PATCH", path, "{\"access\":\"none\"}", NULL);
	ck_assert_uint_eq(answer.status, 200);
	shared_send_with_help();
	for (size_t i = 0; i < CROWD; i++) {
		ck_assert(crowd[i].ended);
		leave(&crowd[i]);
	}
	end();
}
END_TEST

/* The revision that it read last; fails where it read any but the one after the last. */
static unsigned last_read(const struct reader *reader)
{
	const char *at = reader->text ? reader->text : "";
	char event[16];
	unsigned revision, seen = 0;
	while (next_event(&at, event, &revision)) {
		if (strcmp(event, "entry") == 0)
			ck_assert_uint_eq(revision, seen + 1);
		seen = revision;
	}
	return seen;
}

/* Whatever allocation fails: a subscriber misses nothing, or is ended and may come back. */
START_TEST(memory_that_runs_out)
{
	unsigned ended = 0, refused = 0;
	bool failed = true;
	for (long k = 1; failed; k++) {
		struct reader reader, slow, back;
		char id[64];
		begin();
		shared_send(2);
		watch(&slow, "?cube=true", NULL, NULL);
		settle();
		slow.leave = 0;
		shared_send(LIVE_RING + 2); /* it will need the log */
		countdown = k;
		unsigned status = watch(&reader, "", NULL, NULL);
		client_send(service, &answer, "PATCH", path,
			    k & 1 ? "{\"name\":\"n\"}" : "{\"access\":\"view\"}", NULL);
		client_send(service, &answer, "POST", strcat(strcpy(id, path), "/cue"),
			    "{\"text\":\"here\",\"marks\":[{\"places\":[1],\"kind\":\"goal\"}]}",
			    NULL);
		for (int i = 0; i < 3; i++)
			client_send(service, &answer, "POST", strcat(strcpy(id, path), "/reset"),
				    "{}", NULL);
		settle();
		let(&slow, SIZE_MAX);
		settle();
		live_tick(service->live, INT64_MAX / 2);
		settle();
		failed = countdown == 0;
		countdown = 0;
		client_send(service, &answer, "GET", path, NULL, NULL);
		unsigned head = (unsigned)client_number(&answer, "revision");
		ck_assert(status == 200 || status == 503);
		refused += status == 503;
		ended += slow.ended;
		if (status == 200 && !reader.ended)
			ck_assert_uint_eq(last_read(&reader), head);
		if (!slow.ended)
			ck_assert_uint_eq(last_read(&slow), head);
		snprintf(id, sizeof id, "%u", last_read(&slow));
		ck_assert_uint_eq(watch(&back, "?cube=true", NULL, id), 200);
		settle();
		check_sequence(&back, NULL, last_read(&slow), head);
		leave(&back);
		leave(&slow);
		leave(&reader);
		end();
	}
	ck_assert_uint_ge(refused, 3);
	ck_assert_uint_ge(ended, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("live");
	TCase *tests = tcase_create("live");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, every_entry_once_in_order);
	tcase_add_test(tests, the_log_repeats_what_was_live);
	tcase_add_test(tests, too_much_is_one_resync);
	tcase_add_test(tests, long_entries_too);
	tcase_add_test(tests, rings_share_what_there_is);
	tcase_add_test(tests, the_cache_stays_bounded);
	tcase_add_test(tests, lines_say_the_same);
	tcase_add_test(tests, what_is_no_wish_is_refused);
	tcase_add_test(tests, the_end_of_a_session_ends_its_streams);
	tcase_add_test(tests, cues_reach_all_who_watch);
	tcase_add_test(tests, reactions_replace_no_cue);
	tcase_add_test(tests, presence_is_one_if_a_stream_replaces_another);
	tcase_add_test(tests, presence_has_a_grace);
	tcase_add_test(tests, what_the_session_is_is_told);
	tcase_add_test(tests, a_right_that_ends_ends_the_stream);
	tcase_add_test(tests, idle_outlets_help);
	tcase_add_test(tests, memory_that_runs_out);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 17);
}
