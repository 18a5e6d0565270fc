/* geometry.c: GET /v1/geometry: which facelets lie beside which, the rings of layers, and cubies. */
#include "cube/geometry.h"
#include "cube/poses.h"

#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"
#include "server/format/format.h"

/* The cost of the whole answer, per facelet; measured for 100x100x100, with sending it. */
#define FACELET_NS 650

struct geometry {
	int size;
};

static bool geometry_read(struct context *ctx, struct geometry *geometry);
static void geometry_compute(struct context *ctx);
static void write_neighbors(struct out *out, int size);
static void write_rings(struct out *out, int size, uint16_t *ring);
static void write_cubies(struct out *out, int size);
static void write_facelets(struct out *out, const uint16_t *facelets, size_t count);

void geometry_handle(struct context *ctx)
{
	struct geometry *geometry = ctx_alloc(ctx, sizeof *geometry);
	if (!geometry || !geometry_read(ctx, geometry)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = geometry;
	ctx_compute(ctx, cube_facelets(geometry->size) * FACELET_NS, geometry_compute, NULL);
}

static bool geometry_read(struct context *ctx, struct geometry *geometry)
{
	int64_t layers = input_size_default(ctx);
	const struct json_member member = {"size", JSON_INT64, &layers, CUBE_SIZE_MIN,
					   input_size_max(ctx)};
	const bool read = input_object(ctx, ctx->body, "", &member, 1);
	geometry->size = (int)layers;
	return read;
}

static void geometry_compute(struct context *ctx)
{
	const struct geometry *geometry = ctx->data;
	const int size = geometry->size;
	struct out out = {.buffer = &ctx->request->reply.body};
	uint16_t *ring = ctx_alloc(ctx, 4 * (size_t)size * sizeof *ring);
	if (!ring)
		return;
	out_open(&out, '{');
	out_member_integer(&out, "size", size);
	write_neighbors(&out, size);
	write_rings(&out, size, ring);
	write_cubies(&out, size);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	ctx->request->reply.cache = caching_shared;
}

static void write_neighbors(struct out *out, int size)
{
	uint16_t neighbors[CUBE_WAYS];
	out_member_open(out, "neighbors", '[');
	for (size_t facelet = 0; facelet < cube_facelets(size); facelet++) {
		cube_facelet_neighbors(size, facelet, neighbors);
		write_facelets(out, neighbors, CUBE_WAYS);
	}
	out_close(out, ']');
}

static void write_rings(struct out *out, int size, uint16_t *ring)
{
	out_member_open(out, "rings", '{');
	for (int face = 0; face < CUBE_FACES; face++) {
		const char name[2] = {cube_face_letters[face], '\0'};
		out_member_open(out, name, '[');
		for (int layer = 1; layer <= size; layer++) {
			cube_layer_ring(size, face, layer, ring);
			write_facelets(out, ring, 4 * (size_t)size);
		}
		out_close(out, ']');
	}
	out_close(out, '}');
}

static void write_cubies(struct out *out, int size)
{
	uint16_t facelets[3];
	int8_t at[3];
	out_member_open(out, "cubies", '[');
	for (size_t cubie = 0; cubie < cube_poses_count(size); cubie++) {
		cube_pose_home(size, cubie, at);
		out_open(out, '{');
		out_key(out, "at");
		format_signed_write(out, at, 3);
		out_key(out, "facelets");
		write_facelets(out, facelets, (size_t)cube_cubie_facelets(size, cubie, facelets));
		out_close(out, '}');
	}
	out_close(out, ']');
	out_member_open(out, "facelet_cubies", '[');
	for (size_t facelet = 0; facelet < cube_facelets(size); facelet++)
		out_integer(out, (int64_t)cube_facelet_cubie(size, facelet));
	out_close(out, ']');
}

static void write_facelets(struct out *out, const uint16_t *facelets, size_t count)
{
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		out_integer(out, facelets[i]);
	out_close(out, ']');
}
