/* cube_make.c: making the cube that a request describes. */
#include <stdio.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/session_visit.h"

/* The maximum number of problems listed for an impossible cube. */
#define PROBLEMS_MAX 16
/* The maximum number of candidates: more than there are of any kind, except of a nearly solved cube. */
#define CANDIDATES_MAX 48
/* Reading a description, per byte (arrays of small numbers are the worst case), and making the
 * cube, per facelet. */
#define BYTE_NS 20
#define FACELET_NS 20

static void problem_write(struct out *out, const struct cube_problem *problem)
{
	out_open(out, '{');
	problem_member(out, "kind", cube_problem_name(problem->kind));
	problem_member(out, "piece", problem->piece);
	problem_member(out, "place", problem->place);
	problem_member(out, "letters", problem->letters);
	if (problem->amount || problem->kind == CUBE_PROBLEM_WRONG_COUNT)
		out_member_integer(out, "amount", problem->amount);
	problem_member(out, "repair", problem->repair);
	out_close(out, '}');
}

static void problems_write(struct out *out, const struct cube_problem *problems, size_t count)
{
	out_member_open(out, "problems", '[');
	for (size_t i = 0; i < count && i < PROBLEMS_MAX; i++)
		problem_write(out, &problems[i]);
	out_close(out, ']');
	out_member_integer(out, "problem_count", (int64_t)count);
}

static bool impossible(struct context *ctx, const struct input_cube *request,
		       const struct cube_problem *problems, size_t count, const char *suggestion)
{
	struct out out;
	problem_begin(ctx->request, PROBLEM_IMPOSSIBLE_CUBE, &out,
		      "No sequence of turns leads to these colours: %zu problem%s%s.", count,
		      count == 1 ? "" : "s",
		      count > PROBLEMS_MAX ? ", the first 16 of which are listed" : "");
	input_place_write(ctx, &out, &request->where);
	problem_member(&out, "suggestion", suggestion ? suggestion : "");
	problems_write(&out, problems, count);
	problem_end(ctx->request, &out);
	return false;
}

static bool read_given(struct context *ctx, struct input_cube *request)
{
	struct format_given *given = &request->given;
	if (!input_form_read(ctx, &request->form, given))
		return false;
	request->size = given->size;
	request->known = given->cube ? CUBE_KNOWN : CUBE_ASSUMED;
	return request->size <= input_size_max(ctx) ||
	       input_place_problem(
		       ctx, &request->where,
		       "The cube is larger than this server allows (size in /v1/limits).", NULL,
		       NULL);
}

static bool make_given(struct context *ctx, struct input_cube *request)
{
	const struct format_given *given = &request->given;
	struct cube_problem problems[PROBLEMS_MAX];
	size_t count = cube_from_colors(request->cube, request->size, given->colors, problems,
					PROBLEMS_MAX);
	const bool assembled = count > 0 && request->assembly != ASSEMBLY_REFUSED &&
			       request->size <= 3 &&
			       cube_assemble(request->cube, request->size, given->colors);
	if (count > 0 && !request->paint && !(assembled && request->assembly == ASSEMBLY_ACCEPTED))
		return impossible(ctx, request, problems, count,
				  assembled ? "{\"assembled\": true}" : NULL);
	if (assembled) {
		request->known = CUBE_ASSEMBLED;
	} else if (count > 0) {
		request->known = CUBE_IMPOSSIBLE;
		format_paint(request->cube, request->size, given->colors);
	} else if (given->cube) {
		request->cube = given->cube;
	}
	return true;
}

bool input_cube_make(struct context *ctx, struct input_cube *request)
{
	if (request->source == CUBE_OF_FORMAT && !read_given(ctx, request))
		return false;
	request->cube = ctx_alloc(ctx, cube_bytes(request->size));
	if (!request->cube)
		return false;
	if (request->source != CUBE_OF_FORMAT)
		cube_init(request->cube, request->size);
	else if (!make_given(ctx, request))
		return false;
	return input_cube_check(ctx, request);
}

static bool make_stored(struct context *ctx, struct input_cube *request, const struct cube *stored)
{
	request->size = stored->size;
	request->cube = ctx_alloc(ctx, cube_bytes(stored->size));
	if (!request->cube)
		return false;
	cube_copy(request->cube, stored);
	return input_cube_check(ctx, request);
}

/* ---- costs ---- */

int input_cube_size_bound(const struct context *ctx, const struct input_cube *request)
{
	if (request->size)
		return request->size;
	if (request->form.format && request->form.format->size_max <= 3)
		return request->form.format->size_max;
	/* Every format takes at least a byte for a facelet. */
	size_t bytes = ctx->request->body_length + ctx->request->target_length;
	int size = CUBE_SIZE_MIN;
	while (size < CUBE_SIZE_MAX && cube_facelets(size + 1) <= bytes)
		size++;
	return size;
}

uint64_t input_cube_cost(const struct context *ctx, const struct input_cube *request)
{
	uint64_t bytes = ctx->request->body_length + ctx->request->target_length;
	uint64_t facelets = cube_facelets(input_cube_size_bound(ctx, request));
	return request->source == CUBE_OF_FORMAT ? facelets * FACELET_NS + bytes * BYTE_NS
						 : facelets / 2;
}

/* Finds the problems of a painting again; 0, with a problem as the reply, if out of memory. */
static size_t problems_again(struct context *ctx, int size, const uint8_t *colors,
			     struct cube_problem problems[PROBLEMS_MAX])
{
	struct cube *scratch = ctx_alloc(ctx, cube_bytes(size));
	return scratch ? cube_from_colors(scratch, size, colors, problems, PROBLEMS_MAX) : 0;
}

/* The current colours; NULL, with a problem as the reply, if out of memory. */
static uint8_t *colors_now(struct context *ctx, const struct cube *cube)
{
	size_t facelets = cube_facelets(cube->size);
	uint8_t *colors = ctx_alloc(ctx, facelets);
	for (size_t i = 0; colors && i < facelets; i++)
		colors[i] = (uint8_t)cube_color_at(cube, i);
	return colors;
}

bool input_cube_possible(struct context *ctx, const struct input_cube *request)
{
	struct cube_problem problems[PROBLEMS_MAX];
	if (request->known != CUBE_IMPOSSIBLE)
		return true;
	size_t count = problems_again(ctx, request->size, request->given.colors, problems);
	return count > 0 && impossible(ctx, request, problems, count, NULL);
}

/* The member `candidates`, if there is more than one. */
static void candidates_write(struct out *out, int size, const uint8_t *colors)
{
	char candidates[CANDIDATES_MAX][CUBE_REPAIR_BYTES];
	const size_t count = cube_repair_candidates(size, colors, candidates, CANDIDATES_MAX);
	if (count < 2)
		return;
	out_member_open(out, "candidates", '[');
	for (size_t i = 0; i < count && i < CANDIDATES_MAX; i++)
		out_string(out, candidates[i]);
	out_close(out, ']');
}

bool cube_problems_write(struct context *ctx, struct out *out, const struct input_cube *request)
{
	struct cube_problem problems[PROBLEMS_MAX] = {0};
	const uint8_t *colors = NULL;
	size_t count = 0;
	if (request->known == CUBE_IMPOSSIBLE) {
		colors = colors_now(ctx, request->cube);
		count = colors ? problems_again(ctx, request->size, colors, problems) : 0;
		if (count == 0)
			return false;
	}
	problems_write(out, problems, count);
	if (colors)
		candidates_write(out, request->size, colors);
	return true;
}

bool cube_assembly_write(struct context *ctx, struct out *out, const struct cube *cube,
			 bool *possible)
{
	struct cube_problem problems[PROBLEMS_MAX];
	struct cube *scratch = ctx_alloc(ctx, cube_bytes(cube->size));
	const uint8_t *colors = scratch ? colors_now(ctx, cube) : NULL;
	if (!colors)
		return false;
	const size_t count = cube_from_colors(scratch, cube->size, colors, problems, PROBLEMS_MAX);
	*possible = count == 0;
	out_member_bool(out, "possible", *possible);
	problems_write(out, problems, count);
	return true;
}

bool input_cube_identity(struct context *ctx, const struct input_cube *request)
{
	struct out out;
	if (request->known != CUBE_ASSUMED || request->size <= 3)
		return true;
	problem_begin(ctx->request, PROBLEM_IDENTITY_UNKNOWN, &out,
		      "Colours alone do not distinguish the centres of one colour of a %dx%dx%d; "
		      "describe it by size and moves, or by poses.",
		      request->size, request->size, request->size);
	input_place_write(ctx, &out, &request->where);
	problem_member(&out, "expected", "size and moves, session, poses or compact_poses");
	problem_end(ctx->request, &out);
	return false;
}

/* A session's cube at an earlier revision. */
struct at_job {
	struct input_cube *request;
	struct history *history;
	enum store_status status;
	uint64_t key;
};

static void at_run(struct context *ctx, struct store_reader *reader)
{
	struct at_job *at = ctx->data;
	at->status = ctx->service->store->operations->at(reader, at->key, (uint32_t)at->request->at,
							 &at->history);
}

static void at_done(struct context *ctx)
{
	struct at_job *at = ctx->data;
	bool made = false;
	ctx->data = at->request;
	if (ctx->request->reply.status != 0) {
		/* It was not read. */
	} else if (at->status != STORE_OK) {
		ctx_store_problem(ctx, at->status);
	} else {
		made = make_stored(ctx, at->request, at->history->cube);
		history_destroy(at->history);
	}
	if (made)
		at->request->then(ctx);
	else
		ctx_answer(ctx);
}

static bool revision_beyond(struct context *ctx, const struct input_cube *request,
			    uint32_t revision)
{
	char expected[64], detail[64];
	snprintf(expected, sizeof expected, "a revision from 0 to %lu", (unsigned long)revision);
	snprintf(detail, sizeof detail, "The session is at revision %lu.", (unsigned long)revision);
	if (!request->pointer)
		return query_problem(ctx, "at", detail, expected, NULL);
	return input_problem(ctx, input_pointer(ctx, request->pointer, "at"), detail, expected,
			     NULL);
}

static void session_entered(struct context *ctx)
{
	struct input_cube *request = ctx->data;
	const struct history *now = ctx->visit.session->committed;
	session_take_snapshot(&ctx->visit, ctx->visit.session->committed);
	if (request->at > (int64_t)now->revision) {
		revision_beyond(ctx, request, now->revision);
		ctx_answer(ctx);
	} else if (request->at < 0 || request->at == (int64_t)now->revision) {
		if (make_stored(ctx, request, now->cube))
			request->then(ctx);
		else
			ctx_answer(ctx);
	} else {
		struct at_job *at = ctx_alloc(ctx, sizeof *at);
		if (!at) {
			ctx_answer(ctx);
			return;
		}
		*at = (struct at_job){.request = request, .key = ctx->visit.session->meta.key};
		ctx->data = at;
		ctx_read(ctx, at_run, at_done);
	}
}

static void make_compute(struct context *ctx)
{
	input_cube_make(ctx, ctx->data); /* a fault shows in the reply's status */
}

static void make_done(struct context *ctx)
{
	struct input_cube *request = ctx->data;
	if (ctx->request->reply.status == 0)
		request->then(ctx);
	else
		ctx_answer(ctx);
}

void input_cube_resolve(struct context *ctx, struct input_cube *request,
			void (*then)(struct context *ctx))
{
	request->then = then;
	ctx->data = request;
	if (request->source == CUBE_OF_SESSION) {
		ctx->visit.id = request->session;
		ctx->named = input_place(ctx, &request->where);
		ctx_acquire(ctx, NEED_READ, session_entered);
	} else {
		ctx_compute(ctx, input_cube_cost(ctx, request), make_compute, make_done);
	}
}

bool cube_turn_by(struct context *ctx, struct cube *cube, const struct cube_alg *alg)
{
	void *scratch = ctx_alloc(ctx, cube_alg_scratch_bytes(alg) + 1);
	if (!scratch)
		return false;
	cube_alg_apply(cube, alg, scratch);
	return true;
}

bool input_cube_turn(struct context *ctx, const struct input_cube *request)
{
	struct cube_alg alg;
	if (!moves_given(&request->moves))
		return true;
	return moves_read(ctx, &request->moves, request->size, &alg) &&
	       cube_turn_by(ctx, request->cube, &alg);
}
