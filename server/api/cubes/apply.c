/* apply.c: GET and POST /v1/apply: a cube, turned; nothing is stored. */
#include <stdio.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/poses.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/answer_view.h"
#include "server/api/input/input.h"
#include "server/api/input/moves.h"
#include "server/api/request/handlers.h"
#include "server/api/request/route.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"
#include "server/session/session_cache.h"

/* The maximum number of cubies that one answer lists. */
#define LISTED_MAX 500000

/* Cost of listing a cubie that moves. */
#define LISTED_NS 60

enum listing { LIST_NOTHING, LIST_TURNS, LIST_CUBIES };

struct apply {
	struct input_cube cube; /* first: input_cube_resolve passes it back as ctx->data */
	struct moves_request moves;
	struct answer_view view;
	enum listing listing;
};

static bool apply_read(struct context *ctx, struct apply *apply);
static bool read_listing(struct context *ctx, enum listing *listing);
static bool apply_read_body(struct context *ctx, struct apply *apply);
static void apply_resolved(struct context *ctx);
static void apply_compute(struct context *ctx);
static bool keep_before(struct context *ctx, const struct apply *apply, struct cube **before);
static bool write_turns(struct context *ctx, struct out *out, const struct apply *apply,
			const struct cube_alg *alg, struct cube *cube);
static bool listed_fits(struct context *ctx, int size, const struct cube_turn *turns, size_t count);
static void write_turn(struct out *out, int size, struct cube_turn turn, const struct cube *cube,
		       uint32_t *cubies);
static void write_cubies(struct out *out, const struct cube *cube, struct cube_turn turn,
			 uint32_t *cubies);

void apply_handle(struct context *ctx)
{
	struct apply *apply = ctx_alloc(ctx, sizeof *apply);
	if (apply)
		*apply = (struct apply){.cube = {.at = -1}};
	if (!apply || !apply_read(ctx, apply))
		ctx_answer(ctx);
	else
		input_cube_resolve(ctx, &apply->cube, apply_resolved);
}

static bool apply_read(struct context *ctx, struct apply *apply)
{
	if (!answer_view_read(ctx, &apply->view) || !read_listing(ctx, &apply->listing))
		return false;
	if (ctx->route->body)
		return apply_read_body(ctx, apply);
	apply->moves.text = ctx->query.value[PARAMETER_MOVES];
	return input_cube_query(ctx, &apply->cube) &&
	       moves_read_dialect(ctx, ctx->query.value[PARAMETER_NOTATION], NULL, &apply->moves);
}

static bool read_listing(struct context *ctx, enum listing *listing)
{
	static const char *const words[] = {"false", "true", "cubies"};
	static const char *const digits[] = {"0", "1", ""};
	const struct text asked = ctx->query.value[PARAMETER_TURNS];
	if (!asked.bytes)
		return true;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (text_names(asked, words[i]) || (digits[i][0] && text_is(asked, digits[i]))) {
			*listing = (enum listing)i;
			return true;
		}
	return query_problem(ctx, "turns", "Must be true, false or cubies.",
			     "true, false or cubies", NULL);
}

static bool apply_read_body(struct context *ctx, struct apply *apply)
{
	int64_t size = -1;
	struct json_value *cube = NULL, *moves = NULL;
	struct text notation = {0};
	const struct json_member members[] = {
		{"cube", JSON_ANY, &cube, 0, 0},
		{"size", JSON_INT64, &size, CUBE_SIZE_MIN, input_size_max(ctx)},
		{"moves", JSON_ANY, &moves, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
	};
	bool read = cube_body_read(ctx, members, sizeof members / sizeof members[0], &cube);
	if (cube)
		read = input_cube_read(ctx, cube, "/cube", &apply->cube) && read;
	else
		read = input_cube_solved(ctx, size >= 0 ? size : input_size_default(ctx), "/size",
					 &apply->cube) &&
		       read;
	if (cube)
		input_cube_beside(&apply->cube, size);
	read = moves_read_dialect(ctx, notation, "/notation", &apply->moves) && read;
	return (!moves || moves_from_json(ctx, moves, "/moves", &apply->moves)) && read;
}

static void apply_resolved(struct context *ctx)
{
	struct apply *apply = ctx->data;
	uint64_t cost = moves_cost(&apply->moves, apply->cube.size) +
			moves_cost(&apply->cube.moves, apply->cube.size) +
			answer_view_cost(ctx, &apply->view, apply->cube.size);
	if (apply->listing == LIST_CUBIES) {
		/* A letter may be a turn of all cubies, a group any number of turns. */
		uint64_t size = (uint64_t)apply->cube.size;
		const struct text *text = &apply->moves.text;
		bool groups = text->length > 0 && (memchr(text->bytes, '(', text->length) ||
						   memchr(text->bytes, '[', text->length));
		uint64_t listed = groups ? LISTED_MAX : (text->length + 1) * size * size * size;
		cost += (listed < LISTED_MAX ? listed : LISTED_MAX) * LISTED_NS;
	}
	ctx_compute(ctx, cost, apply_compute, NULL);
}

/* Reads the moves, turns the cube, writes the answer. Any thread. */
static void apply_compute(struct context *ctx)
{
	struct apply *apply = ctx->data;
	struct cube_alg alg;
	struct cube_metrics metrics;
	struct cube_notes notes;
	struct cube *before;
	caching_follows(ctx);
	if (!answer_view_fits(ctx, &apply->view, apply->cube.size) ||
	    !input_cube_turn(ctx, &apply->cube) || !keep_before(ctx, apply, &before) ||
	    !moves_read_noted(ctx, &apply->moves, apply->cube.size, &alg, &notes) ||
	    !cube_turn_by(ctx, apply->cube.cube, &alg))
		return;
	if (reply_cube_text(ctx, apply->cube.cube, &apply->view, 200))
		return;
	char *canonical = moves_print(ctx, &alg);
	if (!canonical)
		return;
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	out_cube_member(&out, apply->cube.cube, &apply->view, apply->cube.known);
	out_member_string(&out, "moves", canonical);
	cube_alg_metrics(&alg, &metrics);
	out_key(&out, "metrics");
	metrics_write(&out, &metrics);
	moves_notes_write(&out, &apply->moves, &notes);
	if (apply->listing != LIST_NOTHING && !write_turns(ctx, &out, apply, &alg, before))
		return;
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

/* The cube before the moves, if it is needed together with the one after; false if out of
 * memory. */
static bool keep_before(struct context *ctx, const struct apply *apply, struct cube **before)
{
	*before = NULL;
	if (apply->listing != LIST_CUBIES)
		return true;
	*before = ctx_alloc(ctx, cube_bytes(apply->cube.size));
	if (*before)
		cube_copy(*before, apply->cube.cube);
	return *before != NULL;
}

/* `cube` is the cube before all turns; it is turned along if cubies are listed. */
static bool write_turns(struct context *ctx, struct out *out, const struct apply *apply,
			const struct cube_alg *alg, struct cube *cube)
{
	struct cube_turn *turns;
	uint32_t *cubies = NULL;
	size_t count;
	if (!moves_expand(ctx, &apply->moves, alg, &turns, &count))
		return false;
	if (cube) {
		cubies = ctx_alloc(ctx, cube_poses_count(alg->size) * sizeof *cubies);
		if (!cubies || !listed_fits(ctx, alg->size, turns, count))
			return false;
	}
	out_member_open(out, "turns", '[');
	for (size_t i = 0; i < count; i++) {
		write_turn(out, alg->size, turns[i], cube, cubies);
		if (cube)
			cube_turn(cube, turns[i]);
	}
	out_close(out, ']');
	return true;
}

/* Returns true if the moved cubies are few enough to list. */
static bool listed_fits(struct context *ctx, int size, const struct cube_turn *turns, size_t count)
{
	uint64_t listed = 0;
	for (size_t i = 0; i < count; i++)
		listed += (uint64_t)(turns[i].to - turns[i].from + 1) * (uint64_t)(size * size);
	if (listed <= LISTED_MAX)
		return true;
	char expected[96];
	snprintf(expected, sizeof expected,
		 "at most %d in total: send fewer moves at a time, or turns=true", LISTED_MAX);
	return query_problem(ctx, "turns", "The moves turn too many cubies to list them.", expected,
			     NULL);
}

/* `cube` is the cube before the turn; NULL if cubies are not listed. */
static void write_turn(struct out *out, int size, struct cube_turn turn, const struct cube *cube,
		       uint32_t *cubies)
{
	out_open(out, '{');
	turn_members_write(out, size, turn);
	if (cube)
		write_cubies(out, cube, turn, cubies);
	out_close(out, '}');
}

/* The cubies that a turn moves, by index of home in the order of compact_poses. */
static void write_cubies(struct out *out, const struct cube *cube, struct cube_turn turn,
			 uint32_t *cubies)
{
	size_t count = cube_turn_cubies(cube, turn, cubies);
	out_member_open(out, "cubies", '[');
	for (size_t i = 0; i < count; i++)
		out_integer(out, cubies[i]);
	out_close(out, ']');
}
