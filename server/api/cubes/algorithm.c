/* algorithm.c: GET and POST /v1/algorithm: what a move sequence is, without a cube. */
#include "cube/cube.h"
#include "server/api/cubes/written.h"
#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/input/links.h"
#include "server/api/input/moves.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"

struct algorithm {
	struct moves_request moves, rotate;
	int size;
	uint8_t mirror; /* a row of planes[] */
	uint8_t write;  /* enum written; WRITTEN_COUNT: nothing */
	bool mirrored, spin;
};

static const char *const planes[] = {
	[CUBE_PLANE_E] = "E", [CUBE_PLANE_M] = "M", [CUBE_PLANE_S] = "S"};

static bool algorithm_read(struct context *ctx, struct algorithm *algorithm);
static void algorithm_compute(struct context *ctx);
static bool transform(struct context *ctx, const struct algorithm *algorithm, struct cube_alg *alg);
static bool rotate(struct context *ctx, const struct moves_request *moves, int size,
		   struct cube_transform *transform);
static bool write_inverse(struct context *ctx, struct out *out, const struct cube_alg *alg);
static bool write_expanded(struct context *ctx, struct out *out, const struct algorithm *algorithm,
			   const struct cube_alg *alg);
static bool write_order(struct context *ctx, struct out *out, const struct cube_alg *alg,
			bool spin);

void algorithm_handle(struct context *ctx)
{
	struct algorithm *algorithm = ctx_alloc(ctx, sizeof *algorithm);
	caching_follows(ctx);
	if (algorithm)
		*algorithm = (struct algorithm){.write = WRITTEN_COUNT};
	if (!algorithm || !algorithm_read(ctx, algorithm)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = algorithm;
	ctx_compute(ctx, moves_cost(&algorithm->moves, algorithm->size), algorithm_compute, NULL);
}

static bool algorithm_read(struct context *ctx, struct algorithm *algorithm)
{
	struct input_cube size = {0};
	int64_t layers = 0;
	struct json_value *moves = NULL;
	struct json_value *rotation = NULL;
	struct text notation = {0}, mirror = {0}, write = {0};
	const struct json_member members[] = {
		{"moves", JSON_ANY, &moves, 0, 0},
		{"size", JSON_INT64, &layers, CUBE_SIZE_MIN, input_size_max(ctx)},
		{"notation", JSON_TEXT, &notation, 0, 0},
		{"spin", JSON_BOOLEAN, &algorithm->spin, 0, 0},
		{"rotation", JSON_ANY, &rotation, 0, 0},
		{"mirror", JSON_TEXT, &mirror, 0, 0},
		{"write", JSON_TEXT, &write, 0, 0},
	};
	bool read = input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]);
	read = (!moves || moves_from_json(ctx, moves, "/moves", &algorithm->moves)) && read;
	read = (!rotation || moves_from_json(ctx, rotation, "/rotation", &algorithm->rotate)) &&
	       read;
	algorithm->mirrored = mirror.bytes != NULL;
	read = (!algorithm->mirrored ||
		input_choice(ctx, mirror, "/mirror", "mirror", planes,
			     sizeof planes / sizeof planes[0], &algorithm->mirror)) &&
	       read;
	if (layers == 0)
		layers = links_size(&algorithm->moves);
	if (layers == 0)
		layers = input_size_default(ctx);
	read = input_cube_solved(ctx, layers, "/size", &size) && read;
	algorithm->size = size.size;
	read = written_read(ctx, write, size.size, &algorithm->write) && read;
	read = moves_read_dialect(ctx, notation, "/notation", &algorithm->moves) && read;
	if (!moves)
		return input_problem(ctx, "/moves", "moves is required, for example \"R U R' U'\".",
				     "moves such as \"R U R' U'\"", NULL);
	return read;
}

static void algorithm_compute(struct context *ctx)
{
	const struct algorithm *algorithm = ctx->data;
	struct out out = {.buffer = &ctx->request->reply.body};
	struct cube_alg alg;
	struct cube_metrics metrics;
	struct cube_notes notes;
	if (!moves_read_noted(ctx, &algorithm->moves, algorithm->size, &alg, &notes))
		return;
	if (!transform(ctx, algorithm, &alg))
		return;
	char *canonical = moves_print(ctx, &alg);
	if (!canonical)
		return;
	if (ctx->media == MEDIA_TEXT) {
		if (algorithm->write == WRITTEN_COUNT)
			buffer_text(out.buffer, canonical);
		else if (!written_write(ctx, &out, &algorithm->moves, &alg, algorithm->write))
			return;
		buffer_add(out.buffer, "\n", 1);
		ctx->request->reply.status = 200;
		ctx->request->reply.content_type = media_type(MEDIA_TEXT);
		return;
	}
	out_open(&out, '{');
	out_member_integer(&out, "size", alg.size);
	out_member_string(&out, "canonical", canonical);
	if (algorithm->write != WRITTEN_COUNT &&
	    !written_write(ctx, &out, &algorithm->moves, &alg, algorithm->write))
		return;
	if (!write_inverse(ctx, &out, &alg) || !write_expanded(ctx, &out, algorithm, &alg))
		return;
	cube_alg_metrics(&alg, &metrics);
	out_key(&out, "metrics");
	metrics_write(&out, &metrics);
	if (!write_order(ctx, &out, &alg, algorithm->spin))
		return;
	if (!links_write(ctx, &out, alg.size, canonical))
		return;
	moves_notes_write(&out, &algorithm->moves, &notes);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

/* Rotated, then mirrored. */
static bool transform(struct context *ctx, const struct algorithm *algorithm, struct cube_alg *alg)
{
	struct cube_transform transform;
	if (!algorithm->mirrored && !moves_given(&algorithm->rotate))
		return true;
	struct cube_node *nodes = ctx_alloc(ctx, ((size_t)alg->count + 1) * sizeof *nodes);
	if (!nodes)
		return false;
	cube_transform_init(&transform);
	if (moves_given(&algorithm->rotate) &&
	    !rotate(ctx, &algorithm->rotate, alg->size, &transform))
		return false;
	if (algorithm->mirrored)
		cube_transform_mirror(&transform, (enum cube_plane)algorithm->mirror);
	cube_alg_transform(alg, &transform, nodes, alg);
	return true;
}

static bool rotate(struct context *ctx, const struct moves_request *moves, int size,
		   struct cube_transform *transform)
{
	struct cube_alg alg;
	struct cube_turn *turns;
	size_t count;
	if (!moves_read(ctx, moves, size, &alg) || !moves_expand(ctx, moves, &alg, &turns, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (turns[i].from != 1 || turns[i].to != size)
			return input_problem(ctx, "/rotation",
					     "Must be rotations of the whole cube, as y or x2 z'.",
					     "rotations of the whole cube", NULL);
		cube_transform_rotate(transform, size, turns[i]);
	}
	return true;
}

static bool write_inverse(struct context *ctx, struct out *out, const struct cube_alg *alg)
{
	struct cube_node *nodes = ctx_alloc(ctx, ((size_t)alg->count + 1) * sizeof *nodes);
	struct cube_alg inverse;
	if (!nodes)
		return false;
	cube_alg_inverse(alg, nodes, &inverse);
	char *text = moves_print(ctx, &inverse);
	if (!text)
		return false;
	out_member_string(out, "inverse", text);
	return true;
}

/* `expanded` and `simplified`; null if they would exceed the limit. */
static bool write_expanded(struct context *ctx, struct out *out, const struct algorithm *algorithm,
			   const struct cube_alg *alg)
{
	uint64_t length = cube_alg_length(alg);
	bool within = length != CUBE_COUNT_OVER && length <= ctx->service->config.limits.moves;
	struct cube_turn *turns = NULL;
	size_t count = 0;
	if (within && !moves_expand(ctx, &algorithm->moves, alg, &turns, &count))
		return false;
	out_key(out, "expanded");
	if (within)
		turns_write(out, alg->size, turns, count);
	else
		out_null(out);
	out_key(out, "expanded_length");
	count_write(out, length);
	out_key(out, "simplified");
	if (within)
		turns_write(out, alg->size, turns, cube_turns_simplify(alg->size, turns, count));
	else
		out_null(out);
	return true;
}

static bool write_order(struct context *ctx, struct out *out, const struct cube_alg *alg, bool spin)
{
	struct cube *cube = ctx_alloc(ctx, cube_bytes(alg->size));
	if (!cube)
		return false;
	cube_init(cube, alg->size);
	if (!cube_turn_by(ctx, cube, alg))
		return false;
	out_member_integer(out, "order", (int64_t)cube_order(cube, spin));
	return true;
}
