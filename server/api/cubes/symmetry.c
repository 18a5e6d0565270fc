/* symmetry.c: GET and POST /v1/facts: a cube as a permutation, and its canonical form. */
#include <stdio.h>

#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/hold.h"
#include "cube/query.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/route.h"
#include "server/api/steps/caching.h"

static bool symmetry_read(struct context *ctx, struct input_cube *request);
static void symmetry_resolved(struct context *ctx);
static void symmetry_compute(struct context *ctx);
static void write_cycles(struct out *out, const struct cube *cube);
static void write_cycle(struct out *out, const struct cube_cycle *cycle, bool edges);
static bool write_canonical(struct context *ctx, struct out *out, const struct cube *cube);

void symmetry_handle(struct context *ctx)
{
	struct input_cube *request = ctx_alloc(ctx, sizeof *request);
	if (request)
		*request = (struct input_cube){.at = -1};
	if (request && symmetry_read(ctx, request))
		input_cube_resolve(ctx, request, symmetry_resolved);
	else
		ctx_answer(ctx);
}

static bool symmetry_read(struct context *ctx, struct input_cube *request)
{
	struct json_value *cube = NULL;
	const struct json_member member = {"cube", JSON_ANY, &cube, 0, 0};
	if (!ctx->route->body) {
		if (!input_cube_query(ctx, request))
			return false;
		request->moves.text = ctx->query.value[PARAMETER_MOVES];
		return moves_read_dialect(ctx, ctx->query.value[PARAMETER_NOTATION], NULL,
					  &request->moves);
	}
	const bool read = cube_body_read(ctx, &member, 1, &cube);
	return input_cube_member(ctx, cube, "/cube", request) && read;
}

static void symmetry_resolved(struct context *ctx)
{
	const struct input_cube *request = ctx->data;
	ctx_compute(ctx,
		    moves_cost(&request->moves, request->size) + cube_facelets(request->size) * 200,
		    symmetry_compute, NULL);
}

static void symmetry_compute(struct context *ctx)
{
	const struct input_cube *request = ctx->data;
	const struct cube *cube = request->cube;
	struct out out = {.buffer = &ctx->request->reply.body};
	if (!input_cube_turn(ctx, request))
		return;
	out_open(&out, '{');
	out_member_integer(&out, "size", cube->size);
	out_member_bool(&out, "solved", cube_is_solved(cube));
	out_member_bool(&out, "home", cube_is_home(cube));
	out_member_string(&out, "rotation", cube_hold_moves(cube_hold_of(cube)));
	out_member_integer(&out, "order", (int64_t)cube_order(cube, false));
	write_cycles(&out, cube);
	if (!write_canonical(ctx, &out, cube))
		return;
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	caching_follows(ctx);
}

static void write_cycles(struct out *out, const struct cube *cube)
{
	struct cube_cycle cycles[CUBE_EDGE_CYCLES_MAX];
	struct cube_cubies cubies;
	out_key(out, "cycles");
	if (cube->size > 3) {
		out_null(out);
		return;
	}
	cube_cubies_of(&cubies, cube);
	out_open(out, '{');
	for (int edges = 0; edges < cube->size - 1; edges++) {
		size_t count = edges ? cube_edge_cycles(&cubies, cycles)
				     : cube_corner_cycles(&cubies, cycles);
		out_member_open(out, edges ? "edges" : "corners", '[');
		for (size_t i = 0; i < count; i++)
			write_cycle(out, &cycles[i], edges);
		out_close(out, ']');
	}
	out_close(out, '}');
}

static void write_cycle(struct out *out, const struct cube_cycle *cycle, bool edges)
{
	out_open(out, '{');
	out_member_open(out, "pieces", '[');
	for (int i = 0; i < cycle->length; i++)
		out_string(out, cube_place_name(cycle->pieces[i] + (edges ? CUBE_CORNERS : 0)));
	out_close(out, ']');
	out_member_integer(out, "turn", cycle->turn);
	out_close(out, '}');
}

/* The smallest of its rotations, as facelets, and its hash. */
static bool write_canonical(struct context *ctx, struct out *out, const struct cube *cube)
{
	size_t count = cube_facelets(cube->size);
	uint8_t *colors = ctx_alloc(ctx, count), *canonical = ctx_alloc(ctx, count);
	char hash[24];
	if (!colors || !canonical)
		return false;
	cube_colors(cube, colors);
	out_member_integer(out, "symmetry", cube_symmetry(cube->size, colors));
	cube_canonical(cube->size, colors, canonical);
	out_key(out, "canonical");
	char *letters = out_room(out, count);
	if (letters)
		for (size_t i = 0; i < count; i++)
			letters[i] = cube_face_letters[canonical[i]];
	snprintf(hash, sizeof hash, "%016llx",
		 (unsigned long long)cube_colors_hash(cube->size, canonical));
	out_member_string(out, "hash", hash);
	return true;
}
