/* match.c: POST /v1/match: whether and how a cube fits a pattern. */
#include "server/api/input/cube.h"
#include "server/api/input/custom_patterns.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"

struct match {
	struct cube_request cube; /* first: cube_resolve passes it back as ctx->data */
	struct pattern_request pattern;
	struct custom_pattern_scope own;
	bool any;
};

static bool match_read(struct context *ctx, struct match *match);
static void match_resolved(struct context *ctx);
static void match_go(struct context *ctx);
static void match_compute(struct context *ctx);
static void write_fits(struct out *out, const struct match *match, const uint8_t *colors,
		       uint32_t fits);
static void custom_pattern_run(struct context *ctx, struct store_reader *reader);
static void custom_pattern_done(struct context *ctx);

void match_handle(struct context *ctx)
{
	struct match *match = ctx_alloc(ctx, sizeof *match);
	caching_follows(ctx);
	if (match)
		*match = (struct match){.cube = {.at = -1}};
	if (match && match_read(ctx, match))
		cube_resolve(ctx, &match->cube, match_resolved);
	else
		ctx_answer(ctx);
}

static bool match_read(struct context *ctx, struct match *match)
{
	struct json_value *cube = NULL, *pattern = NULL;
	const struct json_member members[] = {
		{"cube", JSON_ANY, &cube, 0, 0},
		{"pattern", JSON_ANY, &pattern, 0, 0},
		{"any", JSON_BOOLEAN, &match->any, 0, 0},
	};
	bool read = input_object(ctx, ctx->body, "", members, 3);
	read = pattern_read(ctx, pattern, "/pattern", &match->pattern) && read;
	return cube_request_member(ctx, cube, "/cube", &match->cube) && read;
}

static void match_resolved(struct context *ctx)
{
	struct match *match = ctx->data;
	match->own = custom_pattern_scope(ctx);
	if (!custom_pattern_is_named(ctx, &match->own, &match->pattern)) {
		match_go(ctx);
		return;
	}
	ctx_read(ctx, custom_pattern_run, custom_pattern_done);
}

static void match_go(struct context *ctx)
{
	const struct match *match = ctx->data;
	int size = match->cube.size;
	ctx_compute(ctx,
		    moves_cost(&match->cube.moves, size) +
			    pattern_cost(&match->pattern, ctx, size) +
			    pattern_match_cost(&match->pattern, size),
		    match_compute, NULL);
}

static void match_compute(struct context *ctx)
{
	struct match *match = ctx->data;
	uint8_t *colors = ctx_alloc(ctx, cube_facelets(match->cube.size));
	struct out out = {.buffer = &ctx->request->reply.body};
	if (!colors || !cube_request_turn(ctx, &match->cube) ||
	    !pattern_make(ctx, &match->pattern, match->cube.size))
		return;
	cube_colors(match->cube.cube, colors);
	uint32_t fits = cube_query_match(match->pattern.query, colors, CUBE_FITS_ALL);
	out_open(&out, '{');
	write_fits(&out, match, colors, fits);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

static void write_fits(struct out *out, const struct match *match, const uint8_t *colors,
		       uint32_t fits)
{
	out_key(out, "matches");
	out_open(out, '[');
	for (; fits; fits &= fits - 1) {
		out_open(out, '{');
		pattern_fit_write(out, &match->pattern, colors, __builtin_ctz(fits));
		out_close(out, '}');
		if (match->any)
			break;
	}
	out_close(out, ']');
}

static void custom_pattern_run(struct context *ctx, struct store_reader *reader)
{
	struct match *match = ctx->data;
	custom_pattern_find(ctx, reader, &match->own, &match->pattern);
}

static void custom_pattern_done(struct context *ctx)
{
	if (ctx->request->reply.status != 0)
		ctx_answer(ctx);
	else
		match_go(ctx);
}
