/* sets.c: GET /v1/sets: the sets of cases; one of them, with its cases and their algorithms; and one of
 * these cases. */
#include <stdio.h>

#include "cube/cube.h"
#include "server/api/input/case.h"
#include "server/api/input/answer_view.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"
#include "server/json/writer.h"
#include "server/util/base_path.h"
#include "server/util/suggest.h"

/* Enumerating the cases, and writing one of them. */
#define CASES_NS 3000000
#define CASE_NS 20000

/* The cases of a set, to be written. */
struct set_cases {
	const struct cube_set *set;
	struct cube_case *cases;
	struct cube *cube; /* room for the one of a case */
	struct answer_view view;
};

static void write_set(struct out *out, const struct cube_set *set);
static const struct cube_set *find_set(struct context *ctx, struct text name);
static void set_compute(struct context *ctx);
static void case_compute(struct context *ctx);
static bool cases_make(struct context *ctx, const struct cube_set *set, struct set_cases *made);
static void write_case(struct out *out, const struct set_cases *made, size_t place);
static void write_related(struct out *out, const char *key, const struct set_cases *made,
			  int place);
static void write_aliases(struct out *out, const char *name);
static void write_address(struct out *out, const struct set_cases *made, size_t place);
static void write_picture(struct out *out, const struct cube_set *set, const struct cube *cube);
static void write_algorithms(struct out *out, const struct cube_set *set, size_t place);
static void write_algorithm(struct out *out, const struct cube_case_algorithm *algorithm);
static void write_adjustment(struct out *out, const char *key, int hold, int quarters);
static void write_generators(struct out *out, const char *moves);

void sets_handle(struct context *ctx)
{
	struct out out = {0};
	page_begin(ctx, &out);
	for (size_t i = 0; i < CUBE_SETS; i++) {
		out_open(&out, '{');
		write_set(&out, &cube_sets[i]);
		out_close(&out, '}');
	}
	page_end(ctx, &out, 0);
	ctx->request->reply.cache = caching_shared;
	ctx_answer(ctx);
}

static void write_set(struct out *out, const struct cube_set *set)
{
	out_member_string(out, "name", set->name);
	out_member_string(out, "title", set->title);
	out_member_integer(out, "size", set->size);
	out_member_integer(out, "count", set->cases);
	out_member_string(out, "before", set->before);
	out_member_string(out, "after", set->after);
	out_member_string(out, "source", set->source);
}

void set_handle(struct context *ctx)
{
	const struct cube_set *set = find_set(ctx, ctx->name);
	if (!set) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = (void *)(uintptr_t)set;
	ctx_compute(ctx, CASES_NS + (uint64_t)set->cases * CASE_NS, set_compute, NULL);
}

void set_case_handle(struct context *ctx)
{
	const struct cube_set *set = find_set(ctx, ctx->outer);
	if (!set) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = (void *)(uintptr_t)set;
	ctx_compute(ctx, CASES_NS, case_compute, NULL);
}

/* Finds a set by its name. If no set has that name, answers 404 and returns NULL. */
static const struct cube_set *find_set(struct context *ctx, struct text name)
{
	const struct cube_set *set = cube_set_find(name.bytes, name.length);
	const char *names[CUBE_SETS];
	struct out out;
	if (set)
		return set;
	case_set_names(names);
	problem_begin(ctx->request, PROBLEM_NO_SUCH_SET, &out,
		      "No set has this name; GET /v1/sets lists them.");
	problem_member(&out, "suggestion",
		       suggest_nearest(name.bytes, name.length, names, CUBE_SETS));
	problem_end(ctx->request, &out);
	return NULL;
}

static void set_compute(struct context *ctx)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	struct set_cases made;
	if (!cases_make(ctx, ctx->data, &made))
		return;
	out_open(&out, '{');
	write_set(&out, made.set);
	out_member_open(&out, "cases", '[');
	for (size_t i = 0; i < made.set->cases; i++)
		write_case(&out, &made, i);
	out_close(&out, ']');
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	ctx->request->reply.cache = caching_shared;
}

static void case_compute(struct context *ctx)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	struct set_cases made;
	if (!cases_make(ctx, ctx->data, &made))
		return;
	const char *called = cube_case_called(made.set, ctx->name.bytes, ctx->name.length);
	for (size_t i = 0; i < made.set->cases; i++) {
		if (!text_names(ctx->name, made.cases[i].name) &&
		    (!called || strcmp(called, made.cases[i].name) != 0))
			continue;
		write_case(&out, &made, i);
		ctx_reply_json(ctx, 200);
		ctx->request->reply.cache = caching_shared;
		return;
	}
	const char *nearest = case_nearest(ctx, made.set, made.cases, ctx->name, 0);
	problem_begin(ctx->request, PROBLEM_NO_SUCH_CASE, &out, CASE_UNKNOWN, made.set->name,
		      made.set->name);
	problem_member(&out, "suggestion", nearest);
	problem_end(ctx->request, &out);
}

static bool cases_make(struct context *ctx, const struct cube_set *set, struct set_cases *made)
{
	*made = (struct set_cases){.set = set,
				   .cases = ctx_alloc(ctx, set->cases * sizeof *made->cases),
				   .cube = ctx_alloc(ctx, cube_bytes(set->size))};
	if (!made->cases || !made->cube || !answer_view_read(ctx, &made->view))
		return false;
	cube_set_cases(set, made->cases);
	return true;
}

static void write_case(struct out *out, const struct set_cases *made, size_t place)
{
	const struct cube_case *one = &made->cases[place];
	cube_case_cube(made->set, made->cases, place, made->cube);
	out_open(out, '{');
	out_member_string(out, "name", one->name);
	write_aliases(out, one->name);
	write_address(out, made, place);
	out_member_integer(out, "states", one->states);
	write_related(out, "mirror", made, cube_case_mirror(made->set, made->cases, place));
	write_related(out, "inverse", made, cube_case_inverse(made->set, made->cases, place));
	out_cube_member(out, made->cube, &made->view, CUBE_KNOWN);
	write_picture(out, made->set, made->cube);
	write_algorithms(out, made->set, place);
	out_close(out, '}');
}

/* Writes the usual names of a case, if it has any. */
static void write_aliases(struct out *out, const char *name)
{
	const char *aliases[CUBE_CASE_ALIASES_MAX];
	const size_t count = cube_case_aliases(name, aliases);
	if (count == 0)
		return;
	out_member_open(out, "aliases", '[');
	for (size_t i = 0; i < count; i++)
		out_string(out, aliases[i]);
	out_close(out, ']');
}

/* The name of the case at that place; null if `place` is -1. */
static void write_related(struct out *out, const char *key, const struct set_cases *made, int place)
{
	out_member_string(out, key, place < 0 ? NULL : made->cases[place].name);
}

static void write_address(struct out *out, const struct set_cases *made, size_t place)
{
	char address[64 + BASE_PATH_BYTES];
	snprintf(address, sizeof address, "%s/v1/sets/%s/%s", base_path(), made->set->name,
		 made->cases[place].name);
	out_member_string(out, "address", address);
}

/* The last layer from above, in which what is free is grey; with a layer at D that counts, the net; with the last
 * slot, the cube in space. */
static void write_picture(struct out *out, const struct cube_set *set, const struct cube *cube)
{
	static const struct {
		const char *set, *look;
	} looks[] = {{"oll", "view=plan&mask=oll"},
		     {"pll", "view=plan&mask=pll"},
		     {"coll", "view=plan&mask=coll"},
		     {"cmll", "view=plan&mask=cll"},
		     {"zbll", "view=plan&mask=ll"},
		     {"ollcp", "view=plan&mask=coll"},
		     {"cll", "view=plan"},
		     {"eg1", "view=net"},
		     {"eg2", "view=net"},
		     {"pbl", "view=net"},
		     {"f2l", "mask=f2l"},
		     {"zbls", "mask=vh"},
		     {"wv", "mask=wv"}};
	static const char path[] = "/v1/image.svg?facelets=";
	char text[BASE_PATH_BYTES + sizeof path + 128];
	size_t length = (size_t)(stpcpy(stpcpy(text, base_path()), path) - text);
	for (size_t i = 0; i < cube_facelets(set->size); i++)
		text[length++] = cube_face_letters[cube_color_at(cube, i)];
	text[length++] = '&';
	for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
		if (strcmp(looks[i].set, set->name) == 0) {
			memcpy(text + length, looks[i].look, strlen(looks[i].look));
			length += strlen(looks[i].look);
		}
	out_member_bytes(out, "picture", text, length);
}

static void write_algorithms(struct out *out, const struct cube_set *set, size_t place)
{
	size_t count;
	const struct cube_case_algorithm *algorithm = cube_case_algorithms(set, place, &count);
	out_member_open(out, "algorithms", '[');
	for (size_t i = 0; i < count; i++)
		write_algorithm(out, &algorithm[i]);
	out_close(out, ']');
}

static void write_algorithm(struct out *out, const struct cube_case_algorithm *algorithm)
{
	out_open(out, '{');
	out_member_string(out, "moves", algorithm->moves);
	write_adjustment(out, "before", algorithm->hold, algorithm->before);
	write_adjustment(out, "after", 0, algorithm->after);
	out_member_integer(out, "length", algorithm->length);
	out_key(out, "effort");
	out_decimal(out, algorithm->effort * 10);
	write_generators(out, algorithm->moves);
	out_close(out, '}');
}

/* Writes how the cube, and then U, is turned. */
static void write_adjustment(struct out *out, const char *key, int hold, int quarters)
{
	static const char *const rotations[] = {"", "y", "y2", "y'"}, *const turns[] = {"", "U",
											"U2", "U'"};
	char text[8];
	const char *between = hold > 0 && quarters > 0 ? " " : "";
	const size_t length = strlen(rotations[hold]), gap = strlen(between);
	memcpy(text, rotations[hold], length);
	memcpy(text + length, between, gap);
	memcpy(text + length + gap, turns[quarters], strlen(turns[quarters]));
	out_member_bytes(out, key, text, length + gap + strlen(turns[quarters]));
}

/* Writes the blocks that the moves turn, each once, in the order of their first turns: "R U Rw". */
static void write_generators(struct out *out, const char *moves)
{
	char text[CUBE_ALGORITHM_BYTES];
	size_t length = 0;
	for (const char *at = moves; *at; at += strcspn(at, " "), at += *at == ' ') {
		const size_t block = strcspn(at, "2' ");
		bool known = false;
		for (size_t i = 0; i < length; i += strcspn(text + i, " ") + 1)
			known |=
				strcspn(text + i, " ") == block && memcmp(text + i, at, block) == 0;
		if (known)
			continue;
		memcpy(text + length, at, block);
		text[length + block] = ' ';
		length += block + 1;
		text[length] = '\0';
	}
	out_member_bytes(out, "generators", text, length > 0 ? length - 1 : 0);
}
