/* match.c: POST /v1/match: whether and how a cube fits a pattern, or which named patterns it fits. */
#include "cube/named.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/custom_patterns.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"

/* The phases of a match, in order. */
enum match_phase {
	MATCH_GATHER,  /* reads the own patterns that the pattern names... */
	MATCH_COMPARE, /* ...and compares the cube */
	MATCH_REFUSED, /* the reply is a problem */
	MATCH_WAIT,    /* continues later, or has been answered */
};

struct match {
	struct input_cube cube; /* first: input_cube_resolve passes it back as ctx->data */
	enum match_phase resume_at;
	struct pattern_request pattern;
	struct custom_pattern_scope own;
	bool any;
	bool named; /* every named pattern for the size, instead of one pattern */
};

static bool match_read(struct context *ctx, struct match *match);
static void match_go_on(struct context *ctx);
static enum match_phase match_gather(struct context *ctx, struct match *match);
static void custom_pattern_run(struct context *ctx, struct store_reader *reader);
static enum match_phase match_compare(struct context *ctx, const struct match *match);
static void match_compute(struct context *ctx);
static bool match_named(struct context *ctx, struct out *out, const struct match *match,
			const uint8_t *colors);
static void write_fits(struct out *out, const struct pattern_request *pattern, const char *name,
		       const uint8_t *colors, uint32_t fits, bool any);

void match_handle(struct context *ctx)
{
	struct match *match = ctx_alloc(ctx, sizeof *match);
	caching_follows(ctx);
	if (match)
		*match = (struct match){.cube = {.at = -1}, .resume_at = MATCH_GATHER};
	if (match && match_read(ctx, match))
		input_cube_resolve(ctx, &match->cube, match_go_on);
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
		{"named", JSON_BOOLEAN, &match->named, 0, 0},
	};
	bool read = cube_body_read(ctx, members, 4, &cube);
	if (match->named && pattern)
		read = input_problem(ctx, "/pattern", "Send either pattern or named.",
				     "no pattern beside named", NULL);
	else if (!match->named)
		read = pattern_read(ctx, pattern, "/pattern", &match->pattern) && read;
	return input_cube_member(ctx, cube, "/cube", &match->cube) && read;
}

/* Do not touch the context after a phase that waits: it may have been answered. */
static void match_go_on(struct context *ctx)
{
	struct match *match = ctx->data;
	enum match_phase phase = match->resume_at;
	while (phase != MATCH_WAIT)
		switch (phase) {
		case MATCH_GATHER:
			phase = match_gather(ctx, match);
			break;
		case MATCH_COMPARE:
			phase = match_compare(ctx, match);
			break;
		case MATCH_REFUSED:
			ctx_answer(ctx);
			return;
		case MATCH_WAIT:
			return;
		}
}

static enum match_phase match_gather(struct context *ctx, struct match *match)
{
	match->own = custom_pattern_scope(ctx);
	if (match->named || !custom_pattern_is_named(ctx, &match->own, &match->pattern))
		return MATCH_COMPARE;
	match->resume_at = MATCH_COMPARE;
	ctx_read(ctx, custom_pattern_run, match_go_on);
	return MATCH_WAIT;
}

static void custom_pattern_run(struct context *ctx, struct store_reader *reader)
{
	struct match *match = ctx->data;
	custom_pattern_find(ctx, reader, &match->own, &match->pattern);
}

/* Rough cost in ns of trying every named pattern, of two parts each. */
static uint64_t named_cost(int size)
{
	return (uint64_t)cube_named_count * cube_facelets(size) * 2 * 44;
}

static enum match_phase match_compare(struct context *ctx, const struct match *match)
{
	if (ctx->request->reply.status != 0)
		return MATCH_REFUSED;
	int size = match->cube.size;
	uint64_t cost = match->named ? named_cost(size)
				     : pattern_cost(&match->pattern, ctx, size) +
					       pattern_match_cost(&match->pattern, size);
	ctx_compute(ctx, moves_cost(&match->cube.moves, size) + cost, match_compute, NULL);
	return MATCH_WAIT;
}

static void match_compute(struct context *ctx)
{
	struct match *match = ctx->data;
	uint8_t *colors = ctx_alloc(ctx, cube_facelets(match->cube.size));
	struct out out = {.buffer = &ctx->request->reply.body};
	if (!colors || !input_cube_turn(ctx, &match->cube))
		return;
	cube_colors(match->cube.cube, colors);
	if (!match->named && !pattern_make(ctx, &match->pattern, match->cube.size))
		return;
	out_open(&out, '{');
	out_member_open(&out, "matches", '[');
	if (!match->named) {
		uint32_t fits = cube_query_match(match->pattern.query, colors, CUBE_FITS_ALL);
		write_fits(&out, &match->pattern, NULL, colors, fits, match->any);
	} else if (!match_named(ctx, &out, match, colors)) {
		return;
	}
	out_close(&out, ']');
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

static bool is_for(const struct cube_named *named, int size)
{
	return size >= named->size_min && size <= named->size_max;
}

/* Tries the rows one after the other in the same memory. */
static bool match_named(struct context *ctx, struct out *out, const struct match *match,
			const uint8_t *colors)
{
	const int size = match->cube.size;
	size_t most = 0;
	for (size_t i = 0; i < cube_named_count; i++) {
		size_t bytes =
			is_for(&cube_named[i], size) ? cube_named_bytes(&cube_named[i], size) : 0;
		if (bytes > most)
			most = bytes;
	}
	void *memory = ctx_alloc(ctx, most);
	for (size_t i = 0; memory && i < cube_named_count; i++) {
		if (!is_for(&cube_named[i], size))
			continue;
		const struct pattern_request row = {
			.query = cube_named_make(&cube_named[i], size, memory)};
		uint32_t fits = cube_query_match(row.query, colors, CUBE_FITS_ALL);
		write_fits(out, &row, cube_named[i].name, colors, fits, match->any);
	}
	return memory;
}

/* `name`: that of the pattern, if it was not asked for; else NULL. */
static void write_fits(struct out *out, const struct pattern_request *pattern, const char *name,
		       const uint8_t *colors, uint32_t fits, bool any)
{
	for (; fits; fits &= fits - 1) {
		out_open(out, '{');
		if (name)
			out_member_string(out, "name", name);
		pattern_fit_write(out, pattern, colors, __builtin_ctz(fits));
		out_close(out, '}');
		if (any)
			break;
	}
}
