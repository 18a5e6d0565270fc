/* test_loop_time.c: no request keeps a loop for longer than a millisecond, whatever it asks for: every
 * route of the table, with cubes of the largest size, in every form that it can answer.
 *
 * The test is a loop: it serves one request at a time, with the service's threads as they are, and
 * counts what serve() and each service_poll() take of its own time on the processor. The least of TRIES
 * counts, so that what else the machine does does not.
 *
 *     test_loop_time          all
 *     test_loop_time TEXT     those whose target or body has this text, and all their times
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/modules.h"
#include "cube/cube.h"
#include "cube/turn.h"
#include "server/json/reader.h"
#include "server/api/request/media.h"
#include "server/api/request/route.h"
#include "server/api/routes.h"
#include "server/api/service.h"
#include "server/format/format.h"
#include "server/modules/modules.h"
#include "server/util/log.h"
#include "tests/proof/loop_client.h"
#include "tests/server/service_client.h"

#define SIZE CUBE_SIZE_MAX

static char session[48]; /* the path of the large one */
static char solve_id[32], job_id[128];
static bool served[256]; /* by row of the table */

/* ---- bodies ---- */

static struct buffer cubes[FORMATS_MAX + 4]; /* cube objects */
static size_t cube_count;
static struct buffer many_moves, scramble_moves;

static void text(struct buffer *buffer, const char *format, const char *inside)
{
	const char *at = strstr(format, "%s");
	buffer_add(buffer, format, at ? (size_t)(at - format) : strlen(format));
	if (at) {
		buffer_text(buffer, inside);
		buffer_text(buffer, at + 2);
	}
}

static struct cube *scrambled(int size)
{
	struct cube *cube = malloc(cube_bytes(size));
	need(cube != NULL, "no memory");
	cube_init(cube, size);
	for (int i = 1; i <= size; i++)
		for (int face = 0; face < 3; face++)
			cube_turn(cube, cube_turn_make(size, face, i, i, 1 + (i + face) % 3));
	return cube;
}

/* The largest cube in each form that is read; of what is longer than a body the largest that fits. */
static void make_cubes(void)
{
	const struct format_options options = {0};
	for (size_t i = 0; i < format_count; i++) {
		for (int size = formats[i].size_max; formats[i].read; size -= 1 + size / 8) {
			struct buffer *buffer = &cubes[cube_count];
			struct out out = {.buffer = buffer};
			struct cube *cube = scrambled(size);
			out_open(&out, '{');
			out_key(&out, formats[i].name);
			formats[i].write(&out, cube, &options);
			out_close(&out, '}');
			buffer_add(buffer, "", 1);
			free(cube);
			if (buffer->length < 1000000)
				break;
			buffer_free(buffer);
		}
		cube_count += formats[i].read != NULL;
	}
	text(&cubes[cube_count], "{\"session\":\"%s\"}", session + strlen("/v1/sessions/"));
	buffer_add(&cubes[cube_count++], "", 1);
	text(&cubes[cube_count], "{\"session\":\"%s\",\"at\":3}",
	     session + strlen("/v1/sessions/"));
	buffer_add(&cubes[cube_count++], "", 1);
	buffer_add(&cubes[cube_count++], "{\"size\":100}", sizeof "{\"size\":100}");
	text(&cubes[cube_count], "{\"size\":100,\"moves\":\"%s\"}", many_moves.bytes);
	buffer_add(&cubes[cube_count++], "", 1);
}

static void make_moves(struct buffer *buffer, size_t count)
{
	static const char *const moves[] = {"7R ", "3Uw' ", "F2 ", "50-52L' ", "D "};
	for (size_t i = 0; i < count; i++)
		buffer_text(buffer, moves[(i + i / 7) % 5]);
	buffer_add(buffer, "", 1);
}

/* A body with a cube in each form, in place of "%s". */
static void check_cubes(const char *path, const char *body)
{
	for (size_t i = 0; i < cube_count; i++) {
		struct buffer buffer = {0};
		text(&buffer, body, cubes[i].bytes);
		check((struct sent){"POST", path, "application/json", NULL, NULL, NULL,
				    buffer.bytes, buffer.length},
		      NULL, 0);
		buffer_free(&buffer);
	}
}

/* Something over and over, to a body of some length; an array's items, or with `plain` text. */
static void check_repeated(const char *path, const char *before, const char *item,
			   const char *after, size_t length, bool plain)
{
	const bool lines = strchr(item, '\n') != NULL;
	struct buffer buffer = {0};
	buffer_text(&buffer, before);
	while (buffer.length + 2 * strlen(item) + strlen(after) < length) {
		buffer_text(&buffer, item);
		buffer_text(&buffer, plain ? "" : ",");
	}
	buffer_text(&buffer, item);
	buffer_text(&buffer, after);
	check((struct sent){"POST", path, lines ? "application/x-ndjson" : "application/json", NULL,
			    NULL, NULL, buffer.bytes, buffer.length},
	      NULL, 0);
	buffer_free(&buffer);
}

/* ---- what each try needs ---- */

static void made_session(char *target, size_t room)
{
	struct answer made =
		must("POST", "/v1/sessions", "{\"size\":100,\"access\":\"edit\"}", 201);
	snprintf(target, room, "%s", made.location);
}

static void made_token(char *target, size_t room)
{
	char path[96];
	snprintf(path, sizeof path, "%s/tokens", session);
	struct answer made = must("POST", path, "{\"role\":\"viewer\"}", 201);
	const char *id = strstr(made.body, "\"id\":\"") + 6;
	snprintf(target, room, "%s/%.*s", path, (int)strcspn(id, "\""), id);
}

#ifdef MODULE_TIMES
static void made_solve(char *target, size_t room)
{
	char body[128];
	snprintf(body, sizeof body, "{\"session\":\"%s\",\"time_ms\":12345}", session + 13);
	struct answer made = must("POST", "/v1/solves", body, 201);
	snprintf(target, room, "/v1/solves/%.16s", strstr(made.body, "\"id\":\"") + 6);
}
#endif

static void made_pattern(char *target, size_t room)
{
	(void)room;
	struct answer made;
	static const char body[] = "{\"pattern\":{\"name\":\"f2l\"}}";
	send_one(&(struct sent){"PUT", target, "application/json", NULL, NULL, NULL, body,
				strlen(body)},
		 &made);
	need(made.status == 200 || made.status == 201, made.body);
}

static void turned_back(char *target, size_t room)
{
	char path[96];
	(void)target;
	(void)room;
	snprintf(path, sizeof path, "%s/undo", session);
	must("POST", path, "{}", 200);
}

/* ---- every route ---- */

/* The request for each route; NULL: as its path says. */
static const struct row {
	const char *method, *path, *query, *body;
	prepare *before;
	unsigned status; /* 0: any below 500 */
} rows[] = {
	{"GET", "/v1/apply", "?size=100&moves=3R%20U", NULL, NULL, 200},
	{"GET", "/v1/apply", "?session=@", NULL, NULL, 200},
	{"GET", "/v1/apply", "?session=@&at=2", NULL, NULL, 200},
	{"POST", "/v1/apply", "", "{\"size\":100,\"moves\":\"3R U\"}", NULL, 200},
	{"POST", "/v1/apply", "?turns=cubies", "{\"size\":100,\"moves\":\"3R U\"}", NULL, 200},
	{"GET", "/v1/algorithm", "?size=100&moves=3R%20U%207F2", NULL, NULL, 200},
	{"GET", "/v1/convert", "?session=@&moves=3R%20U", NULL, NULL, 200},
	{"GET", "/v1/validate", "?session=@&moves=3R%20U", NULL, NULL, 200},
	{"GET", "/v1/match", "?session=@&pattern=solved", NULL, NULL, 200},
	{"GET", "/v1/solve", "?session=@&wait_ms=0", NULL, NULL, 0},
	{"POST", "/v1/algorithm", "", "{\"size\":100,\"moves\":\"3R U 7F2\"}", NULL, 200},
	{"POST", "/v1/convert", "", "{\"cube\":{\"session\":\"@\"}}", NULL, 200},
	{"POST", "/v1/validate", "", "{\"cube\":{\"session\":\"@\"}}", NULL, 200},
	{"POST", "/v1/compose", "", "{\"cubes\":[{\"session\":\"@\"},{\"session\":\"@\"}]}", NULL,
	 200},
	{"POST", "/v1/invert", "", "{\"cube\":{\"session\":\"@\"}}", NULL, 200},
	{"POST", "/v1/features", "", "{\"cubes\":[{},{\"moves\":\"R\"}]}", NULL, 200},
	{"POST", "/v1/match", "",
	 "{\"cube\":{\"session\":\"@\"},\"pattern\":{\"name\":\"centers\"}}", NULL, 200},
	{"GET", "/v1/patterns", "?session=@", NULL, NULL, 200},
	{"GET", "/v1/patterns/{name}", "?session=@", NULL, NULL, 200},
	{"PUT", "/v1/patterns/{name}", "?session=@", "{\"pattern\":{\"name\":\"f2l\"}}", NULL, 0},
	{"DELETE", "/v1/patterns/{name}", "?session=@", NULL, made_pattern, 204},
	{"GET", "/v1/facts", "?session=@", NULL, NULL, 200},
	{"POST", "/v1/facts", "", "{\"cube\":{\"session\":\"@\"}}", NULL, 200},
	{"GET", "/v1/geometry", "?size=100", NULL, NULL, 200},
	{"GET", "/v1/scramble", "?size=100&count=2", NULL, NULL, 200},
	{"GET", "/v1/states", "?size=3&count=200", NULL, NULL, 200},
	{"GET", "/v1/sheet", "?size=100&count=2", NULL, NULL, 200},
	{"POST", "/v1/solve", "", "{\"cube\":{\"size\":3,\"moves\":\"R U F\"}}", NULL, 200},
	{"POST", "/v1/solve", "", "{\"cube\":{\"session\":\"@\"},\"wait_ms\":30000}", NULL, 0},
	{"GET", "/v1/jobs/{job_id}", "", NULL, NULL, 200},
	{"DELETE", "/v1/jobs/{job_id}", "", NULL, NULL, 200},
	{"GET", "/v1/jobs/{job_id}/events", "", NULL, NULL, 200},
	{"GET", "/v1/image.svg", "?session=@", NULL, NULL, 200},
	{"GET", "/v1/image.svg", "?session=@&view=net", NULL, NULL, 200},
	{"GET", "/v1/image.png", "?session=@&view=trans&pixels=1024", NULL, NULL, 200},
	{"GET", "/v1/image.png", "?pixels=1024", NULL, NULL, 200},
	{"GET", "/v1/visualcube", "?size=1024&pzl=10&fo=50&co=50", NULL, NULL, 200},
	{"GET", "/v1/image.png", "?pixels=100", NULL, NULL, 200},
	{"GET", "/v1/sessions/{id}/image.svg", "", NULL, NULL, 200},
	{"GET", "/v1/sessions/{id}/image.png", "?pixels=16&mask=f2l", NULL, NULL, 200},
	{"GET", "/v1/sessions", "?limit=100", NULL, NULL, 200},
	{"POST", "/v1/sessions", "", "{\"cube\":{\"session\":\"@\"},\"scramble\":\"3R U\"}", NULL,
	 201},
	{"POST", "/v1/sessions", "", "{\"size\":100,\"scramble\":true}", NULL, 201},
	{"PATCH", "/v1/sessions/{id}", "", "{\"name\":\"large\"}", NULL, 200},
	{"DELETE", "/v1/sessions/{id}", "", NULL, made_session, 204},
	{"GET", "/v1/sessions/{id}/cube", "", NULL, NULL, 200},
	{"GET", "/v1/sessions/{id}/cube", "?at=4", NULL, NULL, 200},
	{"POST", "/v1/sessions/{id}/moves", "", "{\"moves\":\"3R U\"}", NULL, 200},
	{"POST", "/v1/sessions/{id}/moves", "?turns=true", "{\"moves\":\"(3R U)5000\"}", NULL, 200},
	{"POST", "/v1/sessions/{id}/moves", "", "{\"moves\":\"3R U\",\"revision\":1}", NULL, 409},
	{"POST", "/v1/sessions/{id}/moves", "",
	 "{\"moves\":\"R\",\"revision\":1,\"rebase\":\"always\"}", NULL, 200},
	{"POST", "/v1/sessions/{id}/undo", "", "{}", NULL, 200},
	{"POST", "/v1/sessions/{id}/redo", "", "{}", turned_back, 200},
	{"POST", "/v1/sessions/{id}/reset", "", "{}", NULL, 200},
	{"POST", "/v1/sessions/{id}/scramble", "", "{\"moves\":\"3R U\"}", NULL, 200},
	{"POST", "/v1/sessions/{id}/scramble", "", "{}", NULL, 200},
	{"GET", "/v1/sessions/{id}/history", "?limit=1000", NULL, NULL, 200},
	{"GET", "/v1/sessions/{id}/events", "?cube=true", NULL, NULL, 200},
	{"GET", "/v1/sessions/{id}/events", "?after=1", NULL, NULL, 200},
	{"POST", "/v1/sessions/{id}/tokens", "", "{\"role\":\"viewer\"}", NULL, 201},
	{"GET", "/v1/sessions/{id}/tokens", "", NULL, NULL, 200},
	{"PATCH", "/v1/sessions/{id}/tokens/{token_id}", "", "{\"label\":\"Bo\"}", NULL, 200},
	{"DELETE", "/v1/sessions/{id}/tokens/{token_id}", "", NULL, made_token, 204},
	{"POST", "/v1/tickets", "", "{\"sessions\":[{\"id\":\"@\"}]}", NULL, 201},
	{"POST", "/v1/search", "", "{\"cube\":{\"session\":\"@\"}}", NULL, 200},
	{"POST", "/v1/search", "", "{\"size\":100,\"pattern\":{\"name\":\"centers\"}}", NULL, 200},
	{"POST", "/v1/sessions/{id}/find", "", "{\"pattern\":{\"name\":\"centers\"}}", NULL, 200},
#ifdef MODULE_TIMES
	{"GET", "/v1/solves", "?session=@&limit=100", NULL, NULL, 200},
	{"POST", "/v1/solves", "", "{\"session\":\"@\",\"time_ms\":12345}", NULL, 201},
	{"POST", "/v1/solves/import", "?session=@", "{\"session1\":[[[0,1],\"R\",\"\",9]]}", NULL,
	 201},
	{"GET", "/v1/solves/stats", "?session=@", NULL, NULL, 200},
	{"PATCH", "/v1/solves/{solve_id}", "", "{\"comment\":\"c\"}", NULL, 200},
	{"DELETE", "/v1/solves/{solve_id}", "", NULL, made_solve, 204},
#endif
	{"GET", "/assets/{version}/page/{name}", "", NULL, NULL, 0},
	{"GET", "/assets/{version}/client/{name}", "", NULL, NULL, 0},
};
#define ROWS (sizeof rows / sizeof rows[0])

/* `text` with each '@' the large session's id. */
static void fill(char *into, size_t room, const char *from)
{
	size_t length = 0;
	for (; *from && length + 20 < room; from++) {
		if (*from == '@')
			length += (size_t)snprintf(into + length, room - length, "%s",
						   session + strlen("/v1/sessions/"));
		else
			into[length++] = *from;
	}
	into[length] = '\0';
}

static void fill_path(char *into, size_t room, const char *path)
{
	static const struct {
		const char *hole, *value;
	} holes[] = {{"{id}", session + 13},
		     {"{name}", "own-1"},
		     {"{solve_id}", solve_id},
		     {"{job_id}", job_id},
		     {"{token_id}", "900"}};
	size_t length = 0;
	while (*path && length + 64 < room) {
		size_t i = 0;
		while (i < 5 && strncmp(path, holes[i].hole, strlen(holes[i].hole)) != 0)
			i++;
		if (i == 5) {
			into[length++] = *path++;
			continue;
		}
		length += (size_t)snprintf(into + length, room - length, "%s", holes[i].value);
		path += strlen(holes[i].hole);
	}
	into[length] = '\0';
}

/* In every form, and in every form at once; in every media type. */
static void check_forms(const struct route *route, const struct row *row, const char *target,
			const char *body)
{
	char asked[1024], all[256] = "";
	struct sent sent = {route->method, target, "application/json",     NULL, NULL,
			    NULL,          body,   body ? strlen(body) : 0};
	check(sent, row->before, row->status);
	for (enum media media = 0; media < MEDIA_COUNT; media++) {
		if (!(route->media >> media & 1))
			continue;
		sent.accept = media_type(media);
		check(sent, row->before, row->status);
	}
	sent.accept = NULL;
	if (!(route->parameters >> PARAMETER_AS & 1))
		return;
	sent.target = asked;
	for (size_t i = 0; i < format_count; i++) {
		if (!format_serves(&formats[i], SIZE))
			continue;
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? "," : "",
			 formats[i].name);
		snprintf(asked, sizeof asked, "%s%cas=%s", target, strchr(target, '?') ? '&' : '?',
			 formats[i].name);
		check(sent, row->before, row->status);
	}
	snprintf(asked, sizeof asked, "%s%cas=%s", target, strchr(target, '?') ? '&' : '?', all);
	check(sent, row->before, row->status);
}

static void check_route(size_t at)
{
	static const struct row plain = {.query = ""};
	const struct route *route = &routes[at];
	bool asked = false;
	char path[160], target[256], body[256], whole[420];
	fill_path(path, sizeof path, route->path);
	for (size_t i = 0; i <= ROWS; i++) {
		const struct row *row = i < ROWS ? &rows[i] : &plain;
		if (i < ROWS && (strcmp(row->method, route->method) != 0 ||
				 strcmp(row->path, route->path) != 0))
			continue;
		if (i == ROWS && (asked || route_changes(route)))
			break;
		fill(target, sizeof target, row->query);
		snprintf(whole, sizeof whole, "%s%s", path, target);
		if (row->body)
			fill(body, sizeof body, row->body);
		check_forms(route, row, whole, row->body ? body : NULL);
		asked = true;
	}
	served[at] = asked;
}

/* ---- what a client may send ---- */

static void check_bodies(void)
{
	static const char *const paths[] = {"/v1/apply", "/v1/convert", "/v1/validate", "/v1/facts",
					    "/v1/invert"};
	char moves[96];
	snprintf(moves, sizeof moves, "%s/moves", session);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		check_cubes(paths[i], "{\"cube\":%s}");
	check_cubes("/v1/sessions", "{\"cube\":%s}");
	check_cubes("/v1/search", "{\"cube\":%s}");
	check_cubes("/v1/match", "{\"cube\":%s,\"pattern\":{\"name\":\"centers\"}}");
	check_cubes("/v1/compose", "{\"cubes\":[%s,%s]}");
	check_cubes("/v1/features", "{\"cubes\":[%s]}");
	check_cubes("/v1/solve", "{\"cube\":%s,\"wait_ms\":1,\"timeout_ms\":100}");
	check_repeated("/v1/compose", "{\"cubes\":[", "{\"moves\":\"R\"}", "]}", 14000, false);
	check_repeated("/v1/compose", "{\"cubes\":[", "{\"size\":100}", "]}", 1300, false);
	check_repeated("/v1/features", "{\"cubes\":[", "{}", "]}", 1000000, false);
	check_repeated("/v1/features", "{\"cubes\":[", "{}", "]}", 15000, false);
	check_repeated("/v1/features", "", "{\"moves\":\"R U\"}\n", "", 4000000, true);
	check_repeated("/v1/convert", "", "{\"size\":100}\n", "", 100000, true);
	check_repeated(moves, "{\"moves\":[", "{\"face\":\"R\"}", "]}", 100000, false);
	check_repeated(moves, "{\"moves\":[", "{\"face\":\"R\"}", "]}", 14000, false);
	check_repeated(moves, "{\"moves\":[", "\"R U\"", "]}", 1000000, false);
	check_repeated(moves, "{\"moves\":[", "\"R U\"", "]}", 59000, false);
	check_repeated(moves, "{\"moves\":\"", "7R ", "\"}", 29000, true);
	check_repeated(moves, "{\"moves\":[", "[]", "", 1000000, false);
	check_repeated("/v1/algorithm", "{\"size\":100,\"moves\":[", "\"(R U)9\"", "]}", 80000,
		       false);
	check_repeated("/v1/match", "{\"pattern\":{\"all\":[", "{\"name\":\"f2l\"}", "]}}", 15000,
		       false);
	check_repeated("/v1/match", "{\"pattern\":{\"all\":[", "{\"name\":\"f2l\"}", "]}}", 1000000,
		       false);
	check_repeated("/v1/solve", "{\"goal\":{\"all\":[", "{\"name\":\"f2l\"}", "]}}", 1000000,
		       false);
	check_repeated("/v1/apply", "{\"moves\":\"R\"", ",\"moves\":\"R\"", "}", 1000000, true);
	check_repeated("/v1/apply", "{\"\":{", "{\"\":", "", 1000000, true);
	struct sent sent = {.method = "POST", .target = moves, .content_type = "application/json"};
	struct buffer body = {0};
	text(&body, "{\"moves\":\"%s\"}", many_moves.bytes);
	sent.body = body.bytes;
	sent.length = body.length;
	check(sent, NULL, 200);
	sent.if_match = "\"1\"";
	check(sent, NULL, 412);
	sent.if_match = NULL;
	sent.target = "/v1/algorithm";
	check(sent, NULL, 0);
	buffer_free(&body);
}

#ifdef MODULE_TIMES
static void check_solves(void)
{
	char target[128];
	struct buffer body = {0};
	snprintf(target, sizeof target, "/v1/solves/import?session=%s", session + 13);
	check_repeated(target, "{\"session1\":[", "[[0,12345],\"R U F\",\"\",1700000000]", "]}",
		       200000, false);
	text(&body, "{\"size\":100,\"scramble\":\"%s\",\"solution\":\"R\"}", scramble_moves.bytes);
	check((struct sent){.method = "POST",
			    .target = "/v1/solves",
			    .content_type = "application/json",
			    .body = body.bytes,
			    .length = body.length},
	      NULL, 0);
	buffer_free(&body);
}
#endif

/* ---- all of it ---- */

/* A large session with a history, as many tokens and patterns as it may have, a solve, and a job. */
static void prepare_all(void)
{
	struct answer made;
	struct buffer body = {0};
	char path[128], small[128];
	make_moves(&many_moves, 9000);
	make_moves(&scramble_moves, 10000);
	text(&body, "{\"size\":100,\"access\":\"edit\",\"scramble\":\"%s\"}", scramble_moves.bytes);
	buffer_add(&body, "", 1);
	made = must("POST", "/v1/sessions", body.bytes, 201);
	memcpy(owner, authorization, sizeof owner);
	snprintf(session, sizeof session, "%.40s", made.location);
	buffer_free(&body);
	text(&body, "{\"moves\":\"%s\"}", many_moves.bytes);
	buffer_add(&body, "", 1);
	snprintf(path, sizeof path, "%s/moves", session);
	for (int i = 0; i < 12; i++)
		made = must("POST", path, i % 3 ? "{\"moves\":\"3R U\"}" : body.bytes, 200);
	buffer_free(&body);
	snprintf(path, sizeof path, "%s/tokens", session);
	for (int i = 0; i < 900; i++)
		made = must("POST", path, "{\"role\":\"editor\",\"label\":\"of somebody\"}", 201);
	char items[6 * 10000 + 8];
	memset(items, '*', sizeof items);
	items[6 * 10000] = '\0';
	text(&body, "{\"pattern\":{\"faces\":\"%s\"}}", items);
	buffer_add(&body, "", 1);
	for (int i = 0; i < 99; i++) {
		snprintf(path, sizeof path, "/v1/patterns/own-%d?session=%s", i, session + 13);
		made = must("PUT", path,
			    i < 3 ? body.bytes : "{\"pattern\":{\"name\":\"centers\"}}", 201);
	}
	buffer_free(&body);
#ifdef MODULE_TIMES
	snprintf(small, sizeof small, "{\"session\":\"%s\",\"time_ms\":12345}", session + 13);
	made = must("POST", "/v1/solves", small, 201);
	snprintf(solve_id, sizeof solve_id, "%.16s", strstr(made.body, "\"id\":\"") + 6);
#endif
	snprintf(small, sizeof small, "{\"cube\":{\"session\":\"%s\"},\"wait_ms\":0}",
		 session + 13);
	made = must("POST", "/v1/solve", small, 202);
	snprintf(job_id, sizeof job_id, "%.100s", made.location + strlen("/v1/jobs/"));
	snprintf(path, sizeof path, "/v1/jobs/%.100s", job_id);
	for (int i = 0; i < 12000 && !strstr(made.body, "\"done\""); i++) {
		poll(NULL, 0, 10);
		made = must("GET", path, NULL, 200);
	}
	make_cubes();
}

/* For watchers, each entry is written, once for each form. */
static void watch_all(void)
{
	static char events[80], cubes_too[80];
	snprintf(events, sizeof events, "%s/events", session);
	snprintf(cubes_too, sizeof cubes_too, "%s/events?cube=true", session);
	memcpy(authorization, owner, sizeof owner);
	watch_end();
	watch(events, NULL);
	watch(cubes_too, NULL);
	watch(events, "application/x-ndjson");
	watch(cubes_too, "application/x-ndjson");
}

int main(int argc, char **argv)
{
	char directory[64] = "/tmp/cubed-test-XXXXXX", store[96];
	struct error error = {0};
	checked.only = argc > 1 ? argv[1] : NULL;
	need(mkdtemp(directory) != NULL, directory);
	snprintf(store, sizeof store, "sqlite:%s/cubed.db", directory);
	struct config config = client_config(store);
	log_configure(LOG_OFF, LOG_FORMAT_LOGFMT);
	modules_setup();
	json_setup();
	service = service_create(&config, true, &error);
	need(service != NULL, error.text);
	prepare_all();
	for (size_t i = 0; i < route_count; i++) {
		watch_all();
		check_route(i);
	}
	watch_all();
	check_bodies();
#ifdef MODULE_TIMES
	check_solves();
#endif
	for (size_t i = 0; i < route_count; i++)
		if (!served[i]) {
			printf("not asked: %s %s\n", routes[i].method, routes[i].path);
			checked.failures++;
		}
	watch_end();
	client_stop_service(service);
	snprintf(store, sizeof store, "rm -rf %s", directory);
	if (system(store) != 0)
		checked.failures++;
	printf("%zu requests, %zu of them too long or wrong; the longest step %.3f ms\n",
	       checked.requests, checked.failures, (double)checked.slowest_ns / 1e6);
	return checked.failures > 0;
}
