/* test_memory.c: every allocation of every kind of request fails once: the request is answered 503
 * and nothing else is changed. Linked with --wrap, so that the project's own allocations can be
 * counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service_client.h"
#include "build/modules.h"
#include "run.h"
#include "tests/failing/failing.h"

#define BLANKS_16 "                "
#define BLANKS_256                                                                                 \
	BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16  \
		BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16 BLANKS_16
#define BLANKS_4096                                                                                \
	BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256    \
		BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256 BLANKS_256       \
			BLANKS_256

static struct client_response answer, before, after;

/* '~' in the target stands for the session's path, or at the end for its id; '%' for the path of a
 * solve of it; '!' before it for an Idempotency-Key, '&' for one that was answered before; '$' and
 * '^' for the Accept of a table and of csTimer. */
static const struct row {
	const char *method, *target, *body, *if_match;
	unsigned status; /* when memory suffices */
} rows[] = {
	{"GET", "/v1/apply?size=4&moves=(Rw+U)3+%5BR,+F%5D&as=faces,net&turns=true", NULL, NULL,
	 200},
	{"POST", "/v1/apply", "{\"cube\":{\"size\":5,\"moves\":\"3Rw\"},\"moves\":\"M\"}", NULL,
	 200},
	{"POST", "/v1/apply", "{\"moves\":\"R Q\"}", NULL, 422},
	/* Longer than what is left of a block: read the short way, and by the library. */
	{"POST", "/v1/apply", "{\"moves\":\"" BLANKS_4096 "\"}", NULL, 200},
	{"POST", "/v1/apply", "{\"moves\":\"\\t" BLANKS_4096 "\"}", NULL, 200},
	{"POST", "/v1/apply", "{\"moves\":[{\"face\":\"R\"},{\"axis\":\"x\"}]}", NULL, 200},
	{"POST", "/v1/apply", "{\"movse\":\"R\"}", NULL, 400},
	{"POST", "/v1/algorithm", "{\"moves\":\"(((R U)99999)99999)99999\"}", NULL, 200},
	{"POST", "/v1/convert?as=faces,cubies,reid,index,features,flatten,pieces,rubyks,poses,net",
	 "{\"cube\":{\"moves\":\"R U\"}}", NULL, 200},
	{"POST", "/v1/match",
	 "{\"pattern\":{\"all\":[{\"name\":\"f2l-2\"},{\"not\":{\"pieces\":{\"UF\":\"home\"}}},"
	 "{\"faces\":\"********* ********* ********* ********* ********* *********\"}]}}",
	 NULL, 200},
	{"POST", "/v1/match",
	 "{\"cube\":{\"size\":2},\"pattern\":{\"faces\":[[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1],"
	 "[1,1,1,1],[1,1,1,7]]}}",
	 NULL, 422},
	/* The newest will do: there are more of them each time. */
	{"POST", "/v1/search?limit=1",
	 "{\"pattern\":\"********* ********* ********* ********* ********* *********\"}", NULL,
	 200},
	{"POST", "~/find", "{\"pattern\":{\"name\":\"cross\"}}", NULL, 200},
	{"POST", "~/find", "{\"patterns\":[{\"name\":\"cross\"},{\"name\":\"solved\"}]}", NULL,
	 200},
	{"GET", "/v1/patterns?size=4", NULL, NULL, 200},
	{"GET", "/v1/patterns/edges-paired?size=5", NULL, NULL, 200},
	{"GET", "/v1/facts?moves=R+U", NULL, NULL, 200},
	{"GET", "/v1/image.svg?size=5&moves=Rw+U&view=net&colors=okabe-ito", NULL, NULL, 200},
	{"GET", "/v1/image.svg?view=plane", NULL, NULL, 400},
	{"GET", "/v1/visualcube?stage=oll-x&case=RU2R'&arw=U0U2&size=40", NULL, NULL, 200},
	{"GET", "/v1/image.png?size=5&case=Rw+U&mask=f2l&arrows=U0U2&pixels=50", NULL, NULL, 200},
	{"GET",
	 "/v1/image.png?facelets=nnnnnnnnnRRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLL.........&pixels=50",
	 NULL, NULL, 200},
	{"POST", "/v1/convert?as=flatten", "{\"cube\":{\"index\":\"7\",\"size\":2}}", NULL, 200},
	{"POST", "/v1/convert?as=rubyks",
	 "{\"cube\":{\"facelets\":\"UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
	 NULL, 200},
	{"POST", "/v1/validate",
	 "{\"cube\":{\"facelets\":\"UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
	 NULL, 200},
	{"POST", "/v1/compose?as=compact_poses",
	 "{\"cubes\":[{\"moves\":\"R\"},{\"reid\":"
	 "\"UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR\"},"
	 "{\"cubies\":{\"order\":\"nissy\",\"corner_permutation\":[0,1,2,3,4,5,6,7],"
	 "\"corner_orientation\":[0,0,0,0,0,0,0,0],"
	 "\"edge_permutation\":[0,1,2,3,4,5,6,7,8,9,10,11],"
	 "\"edge_orientation\":[0,0,0,0,0,0,0,0,0,0,0,0]}}]}",
	 NULL, 200},
	{"POST", "/v1/compose", "{\"cubes\":[{\"size\":3},{\"size\":4}]}", NULL, 400},
	{"POST", "/v1/invert", "{\"cube\":{\"size\":5,\"moves\":\"3Rw\"}}", NULL, 200},
	{"POST", "/v1/features?dtype=float32", "{\"cubes\":[{},{\"moves\":\"R\"}]}", NULL, 200},
	{"POST", "/v1/features", "{\"cubes\":[{},{\"moves\":\"Q\"}]}", NULL, 422},
	{"GET", "/v1/formats", NULL, NULL, 200},
	{"GET", "/v1/limits", NULL, NULL, 200},
	{"GET", "/openapi.json", NULL, NULL, 200},
	{"GET", "/nowhere", NULL, NULL, 404},
	{"PUT", "/healthz", NULL, NULL, 405},
	{"OPTIONS", "/v1/sessions", NULL, NULL, 204},
	{"POST", "/v1/sessions", "{\"size\":6,\"scramble\":\"3Rw U\",\"name\":\"n\"}", NULL, 201},
	{"GET", "/v1/sessions", NULL, NULL, 200},
	{"GET", "~", NULL, NULL, 200},
	{"GET", "~/cube?at=1", NULL, NULL, 200},
	{"GET", "~/history", NULL, NULL, 200},
	{"POST", "~/moves", "{\"moves\":\"[R, U] F2\"}", NULL, 200},
	{"POST", "~/moves", "{\"moves\":\"R\",\"revision\":0}", NULL, 409},
	{"POST", "~/moves", "{\"moves\":\"R\"}", "\"1\"", 412},
	{"POST", "~/undo", "{\"count\":2}", NULL, 200},
	{"POST", "~/redo", "{}", NULL, 200},
	{"POST", "~/reset", "{}", NULL, 200},
	{"POST", "~/scramble", "{\"moves\":\"F R\"}", NULL, 200},
	{"PATCH", "~", "{\"name\":\"other\",\"access\":\"edit\"}", NULL, 200},
	{"POST", "~/tokens", "{\"role\":\"editor\",\"label\":\"A\"}", NULL, 201},
	{"GET", "~/tokens", NULL, NULL, 200},
	{"DELETE", "~/tokens/1", NULL, NULL, 409},
	{"POST", "/v1/tickets", "{\"sessions\":[{\"id\":\"0000000000000000\"}]}", NULL, 404},
	{"POST", "~/moves?turns=true&as=none", "{\"moves\":\"R U\"}", NULL, 200},
	{"POST", "~/moves", "{\"moves\":\"R\",\"revision\":0,\"rebase\":\"always\"}", NULL, 200},
	{"POST", "!~/moves", "{\"moves\":\"R\"}", NULL, 200},
	{"POST", "!~/tokens", "{\"role\":\"editor\"}", NULL, 201},
	{"PUT", "/v1/patterns/mine?session=~",
	 "{\"title\":\"t\",\"pattern\":{\"any\":[{\"name\":\"f2l\"},{\"pieces\":{\"UF\":\"home\"}}]"
	 "}}",
	 NULL, 201},
	{"PUT", "!/v1/patterns/mine?session=~", "{\"pattern\":{\"name\":\"f2l\"}}", NULL, 201},
	{"PUT", "/v1/patterns/kept?session=~", "{\"pattern\":{\"name\":\"f2l\"}}", NULL, 200},
	{"DELETE", "/v1/patterns/kept?session=~", NULL, NULL, 204},
	{"GET", "/v1/patterns/kept?session=~", NULL, NULL, 200},
	{"GET", "/v1/patterns?size=3&session=~", NULL, NULL, 200},
	{"POST", "~/find", "{\"pattern\":{\"name\":\"kept\"}}", NULL, 200},
#ifdef MODULE_TIMES
	{"POST", "/v1/solves",
	 "{\"scramble\":\"R U\",\"solution\":\"U'@0 R'@9\",\"comment\":\"c\"}", NULL, 201},
	{"POST", "!/v1/solves", "{\"time_ms\":7}", NULL, 201},
	{"POST", "/v1/solves", "{\"scramble\":\"R\",\"solution\":\"R'@0 Q@1\"}", NULL, 422},
	{"POST", "/v1/solves/import",
	 "{\"session1\":[[[0,1],\"R\",\"\",9]],\"session2\":\"[[[0,2],\\\"\\\",\\\"c\\\",9]]\","
	 "\"properties\":{\"sessionData\":\"{}\"}}",
	 NULL, 201},
	{"POST", "/v1/solves/import?session=~", "{\"session1\":[[[0,1],\"R\",\"\",9]]}", NULL, 201},
	{"POST", "/v1/solves/import", "[]", NULL, 422},
	{"POST", "/v1/solves?session=~",
	 "{\"time_ms\":7,\"list\":\"home\",\"event\":\"333oh\",\"splits\":[{\"name\":\"a\",\"time_"
	 "ms\":3}]}",
	 NULL, 201},
	{"GET", "/v1/solves/stats?session=~&group_by=list", NULL, NULL, 200},
	{"GET", "/v1/solves?session=~", NULL, NULL, 200},
	{"GET", "$/v1/solves?session=~", NULL, NULL, 200},
	{"GET", "^/v1/solves?session=~", NULL, NULL, 200},
	{"GET", "/v1/solves/stats?session=~", NULL, NULL, 200},
	{"GET", "%", NULL, NULL, 200},
	{"PATCH", "%", "{\"penalty\":\"dnf\",\"comment\":\"c\"}", NULL, 200},
	{"DELETE", "%", NULL, NULL, 204},
#endif
	/* It ends a solve, which is recorded. */
	{"POST", "~/moves", "{\"moves\":\"U' R' D'\"}", NULL, 200},
	{"POST", "/v1/sessions", "{\"size\":2,\"scramble\":true,\"seed\":\"s\"}", NULL, 201},
	{"POST", "~/scramble", "{}", NULL, 200},
	{"GET", "/v1/scramble?size=2&count=3&as=faces", NULL, NULL, 200},
	{"GET", "/v1/solvers", NULL, NULL, 200},
	{"POST", "/v1/solve", "{\"cube\":{\"size\":2,\"moves\":\"R U F\"},\"solutions\":3}", NULL,
	 200},
	{"POST", "/v1/solve", "{\"cube\":{\"session\":\"~\",\"moves\":\"R U\"}}", NULL, 200},
	{"POST", "/v1/solve", "{\"cube\":{\"session\":\"~\",\"at\":1},\"method\":\"beginner\"}",
	 NULL, 200},
	{"POST", "/v1/solve", "{\"cube\":{\"size\":2,\"moves\":\"R U F\"},\"wait_ms\":0}", NULL,
	 202},
	{"POST", "/v1/solve",
	 "{\"cube\":{\"size\":2,\"moves\":\"R "
	 "U\"},\"until\":{\"any\":[{\"name\":\"solved\"},{\"name\":\"face\"}]},"
	 "\"generators\":\"R U\"}",
	 NULL, 200},
	{"POST", "/v1/solve",
	 "{\"cube\":{\"session\":\"~\"},\"until\":{\"cube\":{\"size\":3,\"moves\":\"R\"}}}", NULL,
	 200},
	{"POST", "&~/moves?as=faces,poses", "{\"moves\":\"R@0 U@9\"}", NULL, 200},
	{"POST", "&~/moves", "{\"moves\":\"(R U) x6\"}", NULL, 200},
	{"POST", "&~/undo", "{}", NULL, 200},
	{"PATCH", "&~?as=faces", "{\"name\":\"n\",\"access\":\"none\"}", NULL, 200},
	{"POST", "&~/tokens", "{\"role\":\"editor\"}", NULL, 201},
	{"POST", "&/v1/sessions", "{\"size\":6,\"scramble\":\"3Rw U\",\"name\":\"n\"}", NULL, 201},
#ifdef MODULE_TIMES
	/* Its answer is too long to be kept. */
	{"POST", "&/v1/solves", "{\"scramble\":\"(U' R')3000\",\"solution\":\"(R U)3000\"}", NULL,
	 201},
#endif
	{"DELETE", "&~", NULL, NULL, 204},
	{"DELETE", "~", NULL, NULL, 204},
};

static char solve_path[64]; /* of the fresh session's solve */

static void send(struct service *service, struct client_response *to, const struct row *row,
		 const char *path)
{
	char target[256];
	const char *from = row->target + (strchr("!&$^", row->target[0]) != NULL);
	const size_t before_id = strcspn(from, "~");
	client_key = strchr("!&", row->target[0]) ? "a-key" : NULL;
	client_accept = row->target[0] == '$'   ? "text/csv"
			: row->target[0] == '^' ? "application/vnd.cstimer+json"
						: NULL;
	if (from[0] == '~')
		snprintf(target, sizeof target, "%s%s", path, from + 1);
	else if (from[before_id] == '~')
		snprintf(target, sizeof target, "%.*s%s", (int)before_id, from,
			 strrchr(path, '/') + 1);
	else
		snprintf(target, sizeof target, "%s", from[0] == '%' ? solve_path : from);
	char body[256];
	const char *id = row->body ? strchr(row->body, '~') : NULL;
	if (id)
		snprintf(body, sizeof body, "%.*s%s%s", (int)(id - row->body), row->body,
			 strrchr(path, '/') + 1, id + 1);
	client_send(service, to, row->method, target, id ? body : row->body, row->if_match);
	client_key = client_accept = NULL;
}

static void create(struct service *service, char path[64])
{
	static const char *const moves[] = {"{\"moves\":\"R\"}", "{\"moves\":\"U\"}",
					    "{\"moves\":\"F\"}"};
	char target[96];
	client_send(service, &answer, "POST", "/v1/sessions", "{\"size\":3,\"scramble\":\"D\"}",
		    NULL);
	memcpy(path, answer.location, 64);
	snprintf(target, sizeof target, "%s/moves", path);
	for (int i = 0; i < 3; i++)
		client_send(service, &answer, "POST", target, moves[i], NULL);
	snprintf(target, sizeof target, "/v1/patterns/kept?session=%s", strrchr(path, '/') + 1);
	client_send(service, &answer, "PUT", target, "{\"pattern\":{\"not\":{\"name\":\"f2l\"}}}",
		    NULL);
	ck_assert_uint_eq(answer.status, 201);
	snprintf(target, sizeof target, "%s/undo", path);
	client_send(service, &answer, "POST", target, "{}", NULL);
	ck_assert_uint_eq(answer.status, 200);
#ifdef MODULE_TIMES
	char body[128];
	snprintf(body, sizeof body,
		 "{\"session\":\"%s\",\"scramble\":\"R\",\"solution\":\"R'@0 x@5\"}",
		 path + strlen("/v1/sessions/"));
	client_send(service, &answer, "POST", "/v1/solves", body, NULL);
	ck_assert_uint_eq(answer.status, 201);
	memcpy(solve_path, answer.location, sizeof solve_path);
#endif
}

/* Fails the k-th allocation of a request on a fresh session; false when it had no k-th. */
static bool fail_one(struct service *service, const struct row *row, long k)
{
	char path[64];
	create(service, path);
	if (row->target[0] == '&')
		send(service, &answer, row, path);
	client_send(service, &before, "GET", path, NULL, NULL);
	countdown = k;
	send(service, &answer, row, path);
	bool failed = countdown == 0;
	countdown = 0;
	ck_assert_uint_eq(answer.answers, 1);
	ck_assert_msg(answer.status == row->status || (failed && answer.status == 503),
		      "%s %s, allocation %ld: %u %s", row->method, row->target, k, answer.status,
		      answer.body);
	if (failed && answer.status == 503) {
		client_send(service, &after, "GET", path, NULL, NULL);
		ck_assert_str_eq(before.body, after.body);
		send(service, &answer, row, path);
		ck_assert_msg(answer.status == row->status, "%s %s, allocation %ld, again: %u %s",
			      row->method, row->target, k, answer.status, answer.body);
	}
	return failed;
}

START_TEST(every_allocation_of_a_request)
{
	const struct row *row = &rows[_i];
	struct service *service = client_start_service("memory:");
	long k = 1;
	while (fail_one(service, row, k))
		k++;
	/* A test that made no allocation fail would prove nothing. */
	ck_assert_int_gt(k, 1);
	client_stop_service(service);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("memory");
	TCase *tests = tcase_create("memory");
	int count = (int)(sizeof rows / sizeof rows[0]);
	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, every_allocation_of_a_request, 0, count);
	suite_add_tcase(suite, tests);
	return run_suite(suite, count);
}
