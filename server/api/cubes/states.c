/* states.c: GET /v1/states: random states, without moves that lead there: in JSON, a line each, as strings of facelets, or
 * as rows of features; made while they are read. */
#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/access/secret.h"
#include "server/api/cubes/feature_rows.h"
#include "server/api/input/cube.h"
#include "server/api/input/answer_view.h"
#include "server/api/input/scramble.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

/* Drawing a state, per facelet. */
#define FACELET_NS 20

struct states {
	struct stream stream; /* first */
	struct context *ctx;
	struct scramble_request request; /* only its seed */
	struct cube_seeded seeded;
	struct answer_view view;
	const struct feature_dtype *dtype;
	int64_t size, count, made;
	struct cube *cube;
	uint8_t *colors; /* scratch of drawing */
	bool comma;      /* the next piece begins with one */
};

static bool states_read(struct context *ctx, struct states *states);
static bool features_fit(struct context *ctx, const struct states *states);
static void states_seed(struct states *states);
static enum stream_state states_next(struct stream *stream, struct buffer *piece);
static void write_begin(struct states *states, struct buffer *piece, struct out *out);
static void write_state(struct states *states, struct buffer *piece, struct out *out);

void states_handle(struct context *ctx)
{
	struct states *states = ctx_alloc(ctx, sizeof *states);
	if (states)
		*states = (struct states){.stream = {.next = states_next, .length = UINT64_MAX},
					  .ctx = ctx,
					  .size = input_size_default(ctx),
					  .count = 1};
	if (!states || !states_read(ctx, states)) {
		ctx_answer(ctx);
		return;
	}
	const uint64_t each_ns = cube_facelets((int)states->size) * FACELET_NS +
				 answer_view_cost(ctx, &states->view, (int)states->size);
	states->stream.cost_ns = stream_cost(each_ns, (uint64_t)states->count);
	if (feature_media_is_bare(ctx->media))
		states->stream.length =
			feature_rows_bytes(ctx->media, states->dtype, (uint64_t)states->count);
	states_seed(states);
	ctx->request->reply.cache = states->request.seed.bytes ? caching_pure : caching_none;
	stream_start(ctx, &states->stream, media_type(ctx->media));
}

static bool states_read(struct context *ctx, struct states *states)
{
	static const struct json_place place = {.parameter = "seed"};
	const struct text *seed = &ctx->query.value[PARAMETER_SEED];
	const uint64_t limit = ctx->service->config.limits.states;
	if (!query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx),
			   &states->size) ||
	    !query_integer(ctx, PARAMETER_COUNT_OF, 1,
			   limit < INT32_MAX ? (int64_t)limit : INT32_MAX, &states->count) ||
	    (seed->bytes && !scramble_read_seed(ctx, *seed, &place, &states->request)) ||
	    !answer_view_read(ctx, &states->view) ||
	    !answer_view_fits(ctx, &states->view, (int)states->size) ||
	    !feature_dtype_read(ctx, &states->dtype) || !features_fit(ctx, states))
		return false;
	if (states->view.none)
		return query_problem(ctx, "as", "none would leave nothing of a state.",
				     "formats of /v1/formats, or no as", NULL);
	states->cube = ctx_alloc(ctx, cube_bytes((int)states->size));
	states->colors = ctx_alloc(ctx, cube_facelets((int)states->size));
	return states->cube && states->colors;
}

static bool features_fit(struct context *ctx, const struct states *states)
{
	return states->size == 3 || !feature_media_is_bare(ctx->media) ||
	       query_problem(ctx, "size",
			     "Rows of features are of a 3x3x3; send size=3, or accept JSON.",
			     "size 3", NULL);
}

/* Without a seed, all 256 bits of the generator are the system's. */
static void states_seed(struct states *states)
{
	const struct text *seed = &states->request.seed;
	if (seed->bytes)
		cube_seeded_init(&states->seeded, seed->bytes, seed->length);
	else
		secret_random(states->seeded.word, sizeof states->seeded.word);
}

static enum stream_state states_next(struct stream *stream, struct buffer *piece)
{
	struct states *states = container_of(stream, struct states, stream);
	const struct cube_random random = {cube_seeded_next, &states->seeded};
	const uint64_t due_ns = monotonic_ns() + STREAM_PIECE_NS;
	struct out out = {.buffer = piece, .comma = states->comma};
	if (states->made == 0)
		write_begin(states, piece, &out);
	do {
		cube_random_cube(&random, (int)states->size, states->cube, states->colors);
		write_state(states, piece, &out);
		states->made++;
	} while (states->made < states->count && piece->length < PIECE_BYTES && !piece->failed &&
		 monotonic_ns() < due_ns);
	states->comma = out.comma;
	if (states->made < states->count)
		return STREAM_MORE;
	if (states->ctx->media == MEDIA_JSON) {
		out_close(&out, ']');
		out_close(&out, '}');
		buffer_add(piece, "\n", 1);
	}
	return STREAM_END;
}

static void write_begin(struct states *states, struct buffer *piece, struct out *out)
{
	if (states->ctx->media == MEDIA_NPY)
		feature_head_write(states->dtype, (uint64_t)states->count, piece);
	if (states->ctx->media != MEDIA_JSON)
		return;
	out_open(out, '{');
	out_member_integer(out, "size", states->size);
	out_member_string(out, "seed", states->request.seed.bytes);
	out_member_open(out, "states", '[');
}

/* Only the colours are random: centres of one colour and spins are assumed, as in facelets that are read. */
static void write_state(struct states *states, struct buffer *piece, struct out *out)
{
	const enum media media = states->ctx->media;
	const size_t facelets = cube_facelets((int)states->size);
	if (feature_media_is_bare(media)) {
		feature_numbers_write(states->dtype, states->cube, piece);
	} else if (media == MEDIA_TEXT) {
		char *room = buffer_room(piece, facelets + 1);
		if (!room)
			return;
		cube_facelets_print(states->cube, room);
		room[facelets] = '\n';
		piece->length += facelets + 1;
	} else {
		out_open(out, '{');
		out_cube_member(out, states->cube, &states->view, CUBE_ASSUMED);
		out_close(out, '}');
		if (media == MEDIA_NDJSON) {
			buffer_add(piece, "\n", 1);
			out->comma = false;
		}
	}
}
