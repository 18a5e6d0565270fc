/* compose.c: POST /v1/compose and /v1/invert: cubes as transformations. */
#include <stdio.h>

#include "cube/cube.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/answer_view.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/session/session_cache.h"

#define COMPOSE_MAX 1000

/* The stickers of all cubes together: 1000 cubes up to 31x31x31, or a hundred 100x100x100. */
#define COMPOSE_STICKERS_MAX 6000000

struct compose;

struct compose_cube {
	struct input_cube request; /* first: input_cube_resolve passes it back as ctx->data */
	struct compose *compose;
};

struct compose {
	struct compose_cube *cubes;
	size_t count, next; /* cubes before `next` are resolved */
	size_t stickers;
	bool assembled; /* cubes in any assembly are accepted */
	struct answer_view view;
};

struct invert {
	struct input_cube cube; /* first */
	bool assembled;
	struct answer_view view;
};

static bool compose_read(struct context *ctx, struct compose *compose);
static bool compose_read_cubes(struct context *ctx, struct compose *compose,
			       struct json_value *array);
static void compose_go_on(struct context *ctx, struct compose *compose);
static void compose_resolved(struct context *ctx);
static bool read_stickers(struct context *ctx, struct compose *compose, int size);
static uint64_t compose_cost(const struct compose *compose, const struct context *ctx);
static void compose_compute(struct context *ctx);
static bool compose_make(struct context *ctx, struct compose *compose, size_t index);
static void multiply(struct cube **product, struct cube **scratch, const struct cube *cube);
static enum cube_assembly assembly_of(bool assembled);
static void reply_cube(struct context *ctx, const struct cube *cube, const struct answer_view *view,
		       enum cube_known known, bool assembled);
static bool invert_read(struct context *ctx, struct invert *invert);
static void invert_resolved(struct context *ctx);
static void invert_compute(struct context *ctx);

void compose_handle(struct context *ctx)
{
	struct compose *compose = ctx_alloc(ctx, sizeof *compose);
	if (compose)
		*compose = (struct compose){0};
	if (compose && compose_read(ctx, compose))
		compose_go_on(ctx, compose);
	else
		ctx_answer(ctx);
}

static bool compose_read(struct context *ctx, struct compose *compose)
{
	struct json_value *cubes = NULL;
	const struct json_member members[] = {
		{"cubes", JSON_ITEMS, &cubes, 0, 0},
		{"assembled", JSON_BOOLEAN, &compose->assembled, 0, 0}};
	if (!answer_view_read(ctx, &compose->view) || !input_object(ctx, ctx->body, "", members, 2))
		return false;
	return cubes ? compose_read_cubes(ctx, compose, cubes)
		     : input_problem(ctx, "/cubes",
				     "cubes is required, for example {\"cubes\": [{\"moves\": "
				     "\"R\"}, {\"moves\": \"U\"}]}.",
				     "an array of cubes", NULL);
}

static bool compose_read_cubes(struct context *ctx, struct compose *compose,
			       struct json_value *array)
{
	compose->count = json_item_count(array);
	if (compose->count < 1 || compose->count > COMPOSE_MAX)
		return input_problem(ctx, "/cubes", "Must be an array of 1 to 1000 cubes.",
				     "1 to 1000 cubes", NULL);
	compose->cubes = ctx_alloc(ctx, compose->count * sizeof *compose->cubes);
	if (!compose->cubes)
		return false;
	bool read = true;
	for (size_t i = 0; i < compose->count; i++) {
		struct compose_cube *cube = &compose->cubes[i];
		const char *pointer = input_pointer_index(ctx, "/cubes", i);
		cube->compose = compose;
		read = input_cube_read(ctx, json_item(array, i), pointer, &cube->request) && read;
		cube->request.assembly = assembly_of(compose->assembled);
	}
	return read;
}

static void compose_go_on(struct context *ctx, struct compose *compose)
{
	for (; compose->next < compose->count; compose->next++) {
		struct input_cube *request = &compose->cubes[compose->next].request;
		if (request->source == CUBE_OF_SESSION) {
			input_cube_resolve(ctx, request, compose_resolved);
			return;
		}
	}
	ctx->data = compose;
	ctx_compute(ctx, compose_cost(compose, ctx), compose_compute, NULL);
}

static void compose_resolved(struct context *ctx)
{
	struct compose_cube *cube = ctx->data;
	struct compose *compose = cube->compose;
	session_release(&ctx->visit);
	compose->next++;
	if (read_stickers(ctx, compose, cube->request.size))
		compose_go_on(ctx, compose);
	else
		ctx_answer(ctx);
}

/* Called once the size of a cube is known. */
static bool read_stickers(struct context *ctx, struct compose *compose, int size)
{
	char expected[48];
	compose->stickers += cube_facelets(size);
	if (compose->stickers <= COMPOSE_STICKERS_MAX)
		return true;
	snprintf(expected, sizeof expected, "at most %zu of this size",
		 COMPOSE_STICKERS_MAX / cube_facelets(size));
	return input_problem(ctx, "/cubes", "There are too many cubes of this size.", expected,
			     NULL);
}

static uint64_t compose_cost(const struct compose *compose, const struct context *ctx)
{
	const int first = input_cube_size_bound(ctx, &compose->cubes[0].request);
	uint64_t cost = answer_view_cost(ctx, &compose->view, first);
	for (size_t i = 0; i < compose->count; i++) {
		const struct input_cube *request = &compose->cubes[i].request;
		int size = input_cube_size_bound(ctx, request);
		cost += moves_cost(&request->moves, size) + cube_facelets(size) * 10;
	}
	return cost + ctx->request->body_length * 20;
}

static void compose_compute(struct context *ctx)
{
	struct compose *compose = ctx->data;
	enum cube_known known = CUBE_KNOWN;
	struct cube *product = NULL, *scratch = NULL;
	for (size_t i = 0; i < compose->count; i++) {
		const struct input_cube *request = &compose->cubes[i].request;
		if (!compose_make(ctx, compose, i))
			return;
		if (request->known != CUBE_KNOWN)
			known = CUBE_ASSUMED; /* a later check shows if turns lead to the product */
		if (i > 0) {
			multiply(&product, &scratch, request->cube);
			continue;
		}
		product = request->cube;
		scratch = ctx_alloc(ctx, cube_bytes(request->size));
		if (!scratch)
			return;
	}
	if (answer_view_fits(ctx, &compose->view, product->size))
		reply_cube(ctx, product, &compose->view, known, compose->assembled);
}

/* Makes a cube, unless it is a session's, and checks its size against the first. */
static bool compose_make(struct context *ctx, struct compose *compose, size_t index)
{
	struct input_cube *request = &compose->cubes[index].request;
	if (request->source != CUBE_OF_SESSION &&
	    (!input_cube_make(ctx, request) || !input_cube_identity(ctx, request) ||
	     !read_stickers(ctx, compose, request->size)))
		return false;
	int first = compose->cubes[0].request.size;
	if (request->size != first) {
		char expected[48];
		snprintf(expected, sizeof expected, "a %dx%dx%d like the first cube", first, first,
			 first);
		return input_problem(ctx, input_pointer_index(ctx, "/cubes", index),
				     "All cubes must have the same size.", expected, NULL);
	}
	return input_cube_turn(ctx, request);
}

/* product = product, then `cube`; swaps the two buffers. */
static void multiply(struct cube **product, struct cube **scratch, const struct cube *cube)
{
	struct cube *before = *product;
	*product = *scratch;
	*scratch = before;
	cube_compose(*product, before, cube);
}

static enum cube_assembly assembly_of(bool assembled)
{
	return assembled ? ASSEMBLY_ACCEPTED : ASSEMBLY_SUGGESTED;
}

static void reply_cube(struct context *ctx, const struct cube *cube, const struct answer_view *view,
		       enum cube_known known, bool assembled)
{
	bool possible = true;
	if (reply_cube_text(ctx, cube, view, 200))
		return;
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	if (assembled && !cube_assembly_write(ctx, &out, cube, &possible))
		return;
	if (!possible)
		known = CUBE_ASSEMBLED;
	out_cube_member(&out, cube, view, known);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

void invert_handle(struct context *ctx)
{
	struct invert *invert = ctx_alloc(ctx, sizeof *invert);
	if (invert)
		*invert = (struct invert){.cube = {.at = -1}};
	if (invert && invert_read(ctx, invert))
		input_cube_resolve(ctx, &invert->cube, invert_resolved);
	else
		ctx_answer(ctx);
}

static bool invert_read(struct context *ctx, struct invert *invert)
{
	struct json_value *cube = NULL;
	const struct json_member members[] = {
		{"cube", JSON_ANY, &cube, 0, 0},
		{"assembled", JSON_BOOLEAN, &invert->assembled, 0, 0}};
	if (!answer_view_read(ctx, &invert->view))
		return false;
	bool read = cube_body_read(ctx, members, 2, &cube);
	read = input_cube_member(ctx, cube, "/cube", &invert->cube) && read;
	invert->cube.assembly = assembly_of(invert->assembled);
	return read;
}

static void invert_resolved(struct context *ctx)
{
	const struct invert *invert = ctx->data;
	uint64_t cost = moves_cost(&invert->cube.moves, invert->cube.size) +
			cube_facelets(invert->cube.size) * 20 +
			answer_view_cost(ctx, &invert->view, invert->cube.size);
	ctx_compute(ctx, cost, invert_compute, NULL);
}

static void invert_compute(struct context *ctx)
{
	struct invert *invert = ctx->data;
	struct cube *inverse = ctx_alloc(ctx, cube_bytes(invert->cube.size));
	if (!inverse || !input_cube_identity(ctx, &invert->cube) ||
	    !answer_view_fits(ctx, &invert->view, invert->cube.size) ||
	    !input_cube_turn(ctx, &invert->cube))
		return;
	cube_invert(inverse, invert->cube.cube);
	reply_cube(ctx, inverse, &invert->view,
		   invert->cube.known == CUBE_KNOWN ? CUBE_KNOWN : CUBE_ASSUMED, invert->assembled);
}
