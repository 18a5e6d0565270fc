/* test_scans.c: long reads of the store in slices, statistics that are kept, long computations that
 * are shared and dropped; through the whole service. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cube/cube.h"
#include "service_client.h"
#include "build/modules.h"
#include "run.h"
#include "server/json/reader.h"
#include "server/api/input/moves.h"
#include "server/api/input/picture.h"
#include "server/api/serve.h"
#include "server/api/service.h"
#include "server/modules/times/stats_cache.h"
#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/log.h"
#include "server/util/meters.h"

/* ---- a store whose reads are counted ---- */

static struct {
	struct store_operations real, counting;
	unsigned lists, solves, entries;
	bool sqlite;
} counted;

/* Between two slices the log can be reset: nothing of the last one is open. */
static void check_idle(struct store_reader *reader)
{
	if (!counted.sqlite)
		return;
	sqlite3 *db = reader_connection(reader)->db;
	ck_assert(sqlite3_get_autocommit(db));
	for (sqlite3_stmt *s = sqlite3_next_stmt(db, NULL); s; s = sqlite3_next_stmt(db, s))
		ck_assert(!sqlite3_stmt_busy(s));
}

static enum store_status count_list(struct store_reader *reader, uint64_t own, uint64_t before,
				    uint32_t look_at, store_visit_session *visit, void *context,
				    uint64_t *next)
{
	counted.lists++;
	check_idle(reader);
	return counted.real.list(reader, own, before, look_at, visit, context, next);
}

static enum store_status count_solves(struct store_reader *reader, const struct solve_query *query,
				      store_visit_solve *visit, void *context, uint64_t *next)
{
	counted.solves++;
	check_idle(reader);
	return counted.real.solves(reader, query, visit, context, next);
}

static enum store_status count_entries(struct store_reader *reader, uint64_t key, uint32_t after,
				       store_visit_entry *visit, void *context)
{
	counted.entries++;
	check_idle(reader);
	return counted.real.entries(reader, key, after, visit, context);
}

static void count_reads(struct service *service)
{
	counted.real = counted.counting = *service->store->operations;
	counted.counting.list = count_list;
	counted.counting.solves = count_solves;
	counted.counting.entries = count_entries;
	counted.sqlite = strcmp(counted.real.name, "sqlite") == 0;
	counted.lists = counted.solves = counted.entries = 0;
	service->store->operations = &counted.counting;
}

static char folder[32];

/* One without threads, whose slices are a row each. */
static struct service *start(bool sqlite)
{
	char location[64] = "memory:";
	if (sqlite) {
		strcpy(folder, "/tmp/cubed-test-XXXXXX");
		ck_assert_ptr_nonnull(mkdtemp(folder));
		snprintf(location, sizeof location, "sqlite:%s/scans.db", folder);
	}
	struct service *service = client_start_service(location);
	count_reads(service);
	return service;
}

static void stop(struct service *service)
{
	char command[64];
	client_stop_service(service);
	if (counted.sqlite) {
		snprintf(command, sizeof command, "rm -rf %s", folder);
		ck_assert_int_eq(system(command), 0);
	}
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;
	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		count++;
	return count;
}

/* ---- slices ---- */

START_TEST(searches_and_lists_are_read_in_slices)
{
	static struct client_response answer;
	struct service *service = start(_i == 1);
	for (int i = 0; i < 30; i++) {
		client_send(service, &answer, "POST", "/v1/sessions",
			    i % 3 == 0   ? "{\"size\":3,\"listed\":true}"
			    : i % 3 == 1 ? "{\"cube\":{\"moves\":\"R\"},\"listed\":true}"
					 : "{\"size\":3}",
			    NULL);
		ck_assert_uint_eq(answer.status, 201);
	}
	counted.lists = 0;
	client_send(service, &answer, "POST", "/v1/search?limit=100",
		    "{\"pattern\":{\"name\":\"solved\"},\"size\":3}", NULL);
	ck_assert_uint_eq(answer.status, 200);
	ck_assert_uint_eq(count_of(answer.body, "\"id\":"), 10);
	ck_assert_int_eq(client_number(&answer, "looked_at"), 20);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"next_cursor\":null"));
	ck_assert_uint_ge(counted.lists, 20); /* a slice each */
	counted.lists = 0;
	client_send(service, &answer, "GET", "/v1/sessions?limit=100", NULL, NULL);
	ck_assert_uint_eq(count_of(answer.body, "\"id\":"), 20);
	ck_assert_uint_ge(counted.lists, 20);
	client_send(service, &answer, "GET", "/v1/sessions?limit=7", NULL, NULL);
	ck_assert_uint_eq(count_of(answer.body, "\"id\":"), 7);
	ck_assert_ptr_null(strstr(answer.body, "\"next_cursor\":null"));
	stop(service);
}
END_TEST

/* Slices end within an entry as well. */
START_TEST(histories_are_replayed_in_slices)
{
	static struct client_response answer;
	char path[64], id[17];
	struct service *service = start(_i == 1);
	client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":3}", NULL);
	snprintf(id, sizeof id, "%.16s", strstr(answer.body, "\"id\":\"") + 6);
	snprintf(path, sizeof path, "/v1/sessions/%s/moves", id);
	for (int i = 0; i < 5; i++)
		client_send(service, &answer, "POST", path, "{\"moves\":\"R U U' R' F F'\"}", NULL);
	ck_assert_uint_eq(answer.status, 200);
	snprintf(path, sizeof path, "/v1/sessions/%s/find", id);
	client_send(service, &answer, "POST", path, "{\"pattern\":{\"name\":\"solved\"}}", NULL);
	ck_assert_uint_eq(answer.status, 200);
	/* At first; and in each entry after four and after six moves. */
	ck_assert_uint_eq(count_of(answer.body, "\"lost\":"), 11);
	ck_assert_ptr_nonnull(strstr(answer.body, "\"next_after\":null"));
	ck_assert_uint_ge(counted.entries, 30); /* moves */
	stop(service);
}
END_TEST

#ifdef MODULE_TIMES
static void post_solves(struct service *service, struct client_response *answer, const char *id,
			int count)
{
	char body[128];
	for (int i = 0; i < count; i++) {
		snprintf(body, sizeof body,
			 "{\"session\":\"%s\",\"time_ms\":%d,\"comment\":\"number %d\"}", id,
			 10000 + i * 100, i);
		client_send(service, answer, "POST", "/v1/solves", body, NULL);
		ck_assert_uint_eq(answer->status, 201);
	}
}

static void make_book(struct service *service, struct client_response *answer, char id[17])
{
	client_send(service, answer, "POST", "/v1/sessions", "{\"size\":3}", NULL);
	ck_assert_uint_eq(answer->status, 201);
	snprintf(id, 17, "%.16s", strstr(answer->body, "\"id\":\"") + 6);
}

START_TEST(books_are_read_in_slices)
{
	static struct client_response answer;
	char path[96], id[17];
	struct service *service = start(_i == 1);
	make_book(service, &answer, id);
	post_solves(service, &answer, id, 25);
	counted.solves = 0;
	snprintf(path, sizeof path, "/v1/solves?session=%s&limit=10", id);
	client_send(service, &answer, "GET", path, NULL, NULL);
	ck_assert_uint_eq(count_of(answer.body, "\"time_ms\":"), 10);
	ck_assert_uint_ge(counted.solves, 10);
	counted.solves = 0;
	snprintf(path, sizeof path, "/v1/solves?session=%s", id);
	client_accept = "text/csv";
	client_send(service, &answer, "GET", path, NULL, NULL);
	ck_assert_uint_eq(answer.status, 200);
	ck_assert_uint_eq(count_of(answer.body, "\r\n"), 25);
	ck_assert_ptr_nonnull(strstr(answer.body, "\r\n1;10.00;number 0;"));
	ck_assert_ptr_nonnull(strstr(answer.body, "\r\n25;12.40;number 24;"));
	ck_assert_uint_ge(counted.solves, 50); /* read twice */
	counted.solves = 0;
	client_accept = "application/vnd.cstimer+json";
	client_send(service, &answer, "GET", path, NULL, NULL);
	if (answer.status == 200) {
		ck_assert_uint_eq(count_of(answer.body, "number "), 25);
		ck_assert_uint_ge(counted.solves, 25);
	}
	client_accept = NULL;
	stop(service);
}
END_TEST

/* ---- statistics ---- */

START_TEST(statistics_are_kept_until_the_book_changes)
{
	static struct client_response answer, other;
	char path[96], one[96], id[17];
	struct service *service = start(_i == 1);
	make_book(service, &answer, id);
	post_solves(service, &answer, id, 12);
	snprintf(one, sizeof one, "/v1/solves/%.16s", strstr(answer.body, "\"id\":\"") + 6);
	snprintf(path, sizeof path, "/v1/solves/stats?session=%s", id);
	client_send(service, &answer, "GET", path, NULL, NULL);
	ck_assert_uint_eq(answer.status, 200);
	ck_assert_int_eq(client_number(&answer, "solves"), 12);
	const unsigned read = counted.solves;
	ck_assert_uint_ge(read, 12);
	client_send(service, &other, "GET", path, NULL, NULL);
	ck_assert_str_eq(other.body, answer.body);
	ck_assert_uint_eq(counted.solves, read); /* not read again */
	/* Another question. */
	char filtered[128];
	snprintf(filtered, sizeof filtered, "%s&to=2001-01-01", path);
	client_send(service, &other, "GET", filtered, NULL, NULL);
	ck_assert_str_eq(other.body, "{\"items\":[],\"others\":0}\n");
	snprintf(filtered, sizeof filtered, "%s&group_by=list", path);
	client_send(service, &other, "GET", filtered, NULL, NULL);
	ck_assert_str_eq(other.body, answer.body);
	ck_assert_uint_ge(counted.solves, 2 * read); /* but kept apart */
	snprintf(filtered, sizeof filtered, "%s&list=x", path);
	client_send(service, &other, "GET", filtered, NULL, NULL);
	ck_assert_str_eq(other.body, "{\"items\":[],\"others\":0}\n");
	/* Changed, removed, added. */
	client_send(service, &other, "PATCH", one, "{\"penalty\":\"dnf\"}", NULL);
	ck_assert_uint_eq(other.status, 200);
	client_send(service, &other, "GET", path, NULL, NULL);
	ck_assert_int_eq(client_number(&other, "dnf"), 1);
	client_send(service, &other, "DELETE", one, NULL, NULL);
	ck_assert_uint_eq(other.status, 204);
	client_send(service, &other, "GET", path, NULL, NULL);
	ck_assert_int_eq(client_number(&other, "solves"), 11);
	post_solves(service, &answer, id, 1);
	client_send(service, &other, "GET", path, NULL, NULL);
	ck_assert_int_eq(client_number(&other, "solves"), 12);
	stop(service);
}
END_TEST

START_TEST(statistics_that_were_overtaken_are_not_kept)
{
	struct stats_cache *cache = stats_cache_create();
	const struct stats_key key = {.book = 5, .size = 3};
	struct buffer answer = {0}, got = {0};
	buffer_text(&answer, "answer");
	const uint64_t generation = stats_cache_generation(cache, 5);
	stats_cache_changed(cache, 5);
	stats_cache_put(cache, &key, generation, &answer);
	ck_assert(!stats_cache_get(cache, &key, &got));
	stats_cache_put(cache, &key, stats_cache_generation(cache, 5), &answer);
	ck_assert(stats_cache_get(cache, &key, &got));
	ck_assert_uint_eq(got.length, 6);
	/* A thousand others take its place, but not while it is requested. */
	for (uint64_t i = 0; i < 1000; i++) {
		const struct stats_key another = {.book = 100 + i};
		stats_cache_put(cache, &another, 0, &answer);
		if (i < 500)
			ck_assert(stats_cache_get(cache, &key, &got));
	}
	ck_assert(!stats_cache_get(cache, &key, &got));
	buffer_free(&answer);
	buffer_free(&got);
	stats_cache_destroy(cache);
}
END_TEST
#endif

/* ---- long computations ---- */

#define HELD 8

struct asked {
	struct request request;
	_Atomic unsigned answers;
	unsigned status;
};

static void answered(struct request *request)
{
	struct asked *asked = request->owner;
	asked->status = request->reply.status;
	atomic_fetch_add(&asked->answers, 1);
}

/* Commutators in one another, of a cube of 100: their cost is estimated at `ms`, roughly. */
static char *long_body(unsigned ms)
{
	static char body[1 << 20];
	char *at = body + sprintf(body, "{\"size\":100,\"moves\":\"");
	for (unsigned i = 0; i < ms / 10 + 1; i++)
		at += sprintf(at, "[[[[[[[[[[[[[R,U],F],D],L],B],R],U],F],D],L],B],R],U]");
	strcpy(at, "\"}");
	return body;
}

static void ask(struct service *service, struct asked *asked, const char *body, uint8_t address)
{
	*asked = (struct asked){0};
	request_init(&asked->request);
	asked->request.method = "POST";
	asked->request.target = "/v1/apply";
	asked->request.target_length = strlen(asked->request.target);
	asked->request.body = body;
	asked->request.body_length = strlen(body);
	asked->request.header[HEADER_CONTENT_TYPE] = "application/json";
	asked->request.owner = asked;
	asked->request.answered = answered;
	memcpy(asked->request.peer.address,
	       (uint8_t[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, address}, 16);
	serve(service, &asked->request);
}

static void poll_until(struct service *service, struct asked *asked)
{
	for (int tries = 0; atomic_load(&asked->answers) == 0; tries++) {
		ck_assert_int_lt(tries, 100000);
		struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
		poll(&wake, 1, 1000);
		service_poll(service);
	}
}

/* An abandoned computation is answered before the one that it waited behind, and is not made; a
 * client has its share of the waiting ones, and others have theirs. */
START_TEST(long_computations_are_shared_and_dropped)
{
	static struct asked first, held[HELD], others[2];
	struct error error = {0};
	struct config config = client_config("memory:");
	config.rate_limit = true;
	log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
	json_setup();
	struct service *service = service_create(&config, true, &error);
	ck_assert_msg(service != NULL, "%s", error.text);
	char *body = strdup(long_body(200));
	const uint64_t abandoned = meter_sum(METER_ABANDONED);
	ask(service, &first, body, 1);
	for (unsigned i = 0; i < HELD; i++) {
		/* Each is estimated at 4 s: the share of an address is 15. */
		struct asked *asked = &held[i];
		static char *longer;
		if (!longer)
			longer = strdup(long_body(4000));
		ask(service, asked, longer, 2);
		service_poll(service);
	}
	/* JSON of that length is parsed by a worker first. */
	for (int tries = 0; pool_waiting(service->slow) < 1; tries++) {
		ck_assert_int_lt(tries, 120000);
		struct pollfd wake = {.fd = service_wake_fd(service), .events = POLLIN};
		poll(&wake, 1, 10);
		service_poll(service);
	}
	ask(service, &others[0], body, 3);
	for (unsigned i = 0; i < HELD; i++)
		serve_left(service, &held[i].request);
	unsigned refused = 0, dropped = 0, computed = 0;
	for (unsigned i = 0; i < HELD; i++) {
		poll_until(service, &held[i]);
		computed += held[i].status == 200;
		refused += held[i].status == 429;
		dropped += held[i].status == 503;
		ck_assert_uint_eq(held[i].answers, 1);
	}
	/* One may have begun before its client left: a client may have one of the two threads. */
	ck_assert_uint_le(computed, 1);
	ck_assert_uint_eq(refused + dropped + computed, HELD);
	ck_assert_uint_ge(meter_sum(METER_ABANDONED) - abandoned, dropped);
	ck_assert_uint_ge(dropped, 1);
	poll_until(service, &first);
	poll_until(service, &others[0]);
	ck_assert_uint_eq(first.status, 200);
	ck_assert_uint_eq(others[0].status, 200);
	for (unsigned i = 0; i < HELD; i++)
		request_finish(&held[i].request);
	request_finish(&first.request);
	request_finish(&others[0].request);
	free(body);
	service_stop(service);
	service_destroy(service);
}
END_TEST

/* ---- estimates ---- */

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds of the processor for one that is estimated; the least of some tries. */
static double seconds_per_estimate(struct service *service, const char *moves, int size)
{
	static struct client_response answer;
	char body[4096];
	double least = 1e9;
	snprintf(body, sizeof body, "{\"size\":%d,\"moves\":\"%s\"}", size, moves);
	for (int i = 0; i < 3; i++) {
		const double begin = cpu_seconds();
		client_send(service, &answer, "POST", "/v1/apply", body, NULL);
		const double took = cpu_seconds() - begin;
		ck_assert_uint_eq(answer.status, 200);
		least = took < least ? took : least;
	}
	return least / ((double)moves_text_cost(moves, strlen(moves), size) * 1e-9);
}

/* Deeply nested moves are not estimated much lower than flat ones. They take 3 times as long for what is
 * estimated in a release, and less with sanitizers. */
START_TEST(nested_moves_are_not_taken_for_cheap)
{
	struct service *service = start(false);
	char flat[1001] = "", nested[1001] = "";
	while (strlen(flat) < 300)
		strcat(flat, "x y ");
	for (int i = 0; i < 48; i++)
		strcat(nested, "[");
	strcat(nested, "R");
	for (int i = 0; i < 12; i++)
		strcat(nested, ",U],F],D],L]");
	for (int size = 30; size <= 100; size += 70) {
		const double of_flat = seconds_per_estimate(service, flat, size);
		const double of_nested = seconds_per_estimate(service, nested, size);
		ck_assert_double_le(of_nested, 8 * of_flat);
	}
	stop(service);
}
END_TEST

/* The same of a picture of a solved cube. */
static double seconds_per_picture(enum media media, const char *arrows, int pixels)
{
	static union {
		struct cube cube;
		uint16_t room[64];
	} solved;
	double least = 1e9;
	uint64_t estimate = 0;
	cube_init(&solved.cube, 3);
	for (int i = 0; i < 5; i++) {
		struct request request;
		struct context ctx = {.request = &request, .media = media};
		struct picture_request asked = {.arrows = {arrows, strlen(arrows)}};
		request_init(&request);
		cube_picture_init(&asked.picture, CUBE_PICTURE_PLAN);
		asked.picture.pixels = pixels;
		asked.arrows.bytes = arrows[0] ? arrows : NULL;
		estimate = picture_cost(&ctx, &asked, 3);
		const double begin = cpu_seconds();
		picture_reply(&ctx, &asked, &solved.cube, NULL);
		const double took = cpu_seconds() - begin;
		ck_assert_uint_eq(request.reply.status, 200);
		request_finish(&request);
		least = took < least ? took : least;
	}
	return least / ((double)estimate * 1e-9);
}

/* Nor are arrows, each of which may cover the picture. */
START_TEST(arrows_are_not_taken_for_cheap)
{
	char arrows[1024] = "U0U8U2-s30-i50";
	for (int i = 1; i < CUBE_ARROWS_MAX; i++)
		strcat(arrows, ",U0U8U2-s30-i50");
	ck_assert_double_le(seconds_per_picture(MEDIA_SVG, arrows, 0),
			    3 * seconds_per_picture(MEDIA_SVG, "", 0));
	ck_assert_double_le(seconds_per_picture(MEDIA_PNG, arrows, 1024),
			    3 * seconds_per_picture(MEDIA_PNG, "", 1024));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scans");
	TCase *cases = tcase_create("scans");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, searches_and_lists_are_read_in_slices, 0, 2);
	tcase_add_loop_test(cases, histories_are_replayed_in_slices, 0, 2);
#ifdef MODULE_TIMES
	tcase_add_loop_test(cases, books_are_read_in_slices, 0, 2);
	tcase_add_loop_test(cases, statistics_are_kept_until_the_book_changes, 0, 2);
	tcase_add_test(cases, statistics_that_were_overtaken_are_not_kept);
#endif
	tcase_add_test(cases, nested_moves_are_not_taken_for_cheap);
	tcase_add_test(cases, arrows_are_not_taken_for_cheap);
	suite_add_tcase(suite, cases);
	TCase *threads = tcase_create("threads");
	tcase_set_timeout(threads, 60);
	tcase_add_test(threads, long_computations_are_shared_and_dropped);
	suite_add_tcase(suite, threads);
#ifdef MODULE_TIMES
	return run_suite(suite, 12);
#else
	return run_suite(suite, 7);
#endif
}
