/* scramble.c: GET /v1/scramble: as many scrambles as are asked for, made while they are read. */
#include "server/api/cubes/scramble_series.h"
#include "server/api/input/answer_view.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/stream.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

struct scrambles {
	struct stream stream; /* first */
	struct context *ctx;
	struct scramble_series series;
	struct answer_view view;
	int64_t made;
	bool comma; /* the next piece begins with one */
};

static enum stream_state scrambles_next(struct stream *stream, struct buffer *piece);
static void write_begin(struct scrambles *scrambles, struct out *out);
static void begin_extras(const struct scrambles *scrambles, struct out *out);
static void write_line(struct scrambles *scrambles, struct buffer *piece);
static void write_one(struct scrambles *scrambles, struct out *out);
static void scrambles_destroy(struct stream *stream);
static bool scrambles_read(struct context *ctx, struct scrambles *scrambles);
static void scrambles_prepare(struct context *ctx, struct stream *stream);

void scramble_handle(struct context *ctx)
{
	struct scrambles *scrambles = ctx_alloc(ctx, sizeof *scrambles);
	if (scrambles)
		*scrambles = (struct scrambles){.stream = {.next = scrambles_next,
							   .prepare = scrambles_prepare,
							   .destroy = scrambles_destroy,
							   .length = UINT64_MAX},
						.ctx = ctx};
	if (!scrambles || !scrambles_read(ctx, scrambles)) {
		ctx_answer(ctx);
		return;
	}
	const uint64_t cost_ns = series_cost(&scrambles->series);
	scrambles->stream.cost_ns = stream_cost(
		cost_ns, (uint64_t)(scrambles->series.count + scrambles->series.extras));
	scrambles->stream.prepare_ns = series_prepare_cost(&scrambles->series);
	stream_start(ctx, &scrambles->stream, media_type(ctx->media));
}

static enum stream_state scrambles_next(struct stream *stream, struct buffer *piece)
{
	struct scrambles *scrambles = container_of(stream, struct scrambles, stream);
	const enum media media = scrambles->ctx->media;
	const int64_t all = scrambles->series.count + scrambles->series.extras;
	const uint64_t due_ns = monotonic_ns() + STREAM_PIECE_NS;
	struct out out = {.buffer = piece, .comma = scrambles->comma};
	if (scrambles->made == 0 && media == MEDIA_JSON)
		write_begin(scrambles, &out);
	do {
		if (media == MEDIA_TEXT) {
			write_line(scrambles, piece);
		} else {
			write_one(scrambles, &out);
			if (media == MEDIA_NDJSON) {
				buffer_add(piece, "\n", 1);
				out.comma = false;
			}
		}
		scrambles->made++;
		if (media == MEDIA_JSON && scrambles->made == scrambles->series.count)
			begin_extras(scrambles, &out);
	} while (scrambles->made < all && piece->length < PIECE_BYTES && !piece->failed &&
		 monotonic_ns() < due_ns);
	scrambles->comma = out.comma;
	if (scrambles->made < all)
		return STREAM_MORE;
	if (media == MEDIA_JSON) {
		out_close(&out, ']');
		out_close(&out, '}');
		buffer_add(piece, "\n", 1);
	}
	return STREAM_END;
}

/* The list of scrambles ends; that of the extra ones begins, if the query has `extras`. */
static void begin_extras(const struct scrambles *scrambles, struct out *out)
{
	if (!scrambles->ctx->query.value[PARAMETER_EXTRAS].bytes)
		return;
	out_close(out, ']');
	out_member_open(out, "extras", '[');
}

static void write_begin(struct scrambles *scrambles, struct out *out)
{
	const struct scramble_series *series = &scrambles->series;
	const struct text *query = scrambles->ctx->query.value;
	const bool seeded = series->request.seed.bytes != NULL;
	const struct cube_goal_row *goal = series->goal.row;
	out_open(out, '{');
	out_member_integer(out, "size", series->size);
	out_member_string(out, "event", series->event ? series->event->id : NULL);
	out_member_string(out, "variant", scramble_variant_names[series->request.variant]);
	out_member_string(out, "until", query[PARAMETER_UNTIL].bytes);
	out_member_string(out, "goal", goal ? goal->name : NULL);
	out_member_string(out, "place",
			  !goal                          ? NULL
			  : query[PARAMETER_PLACE].bytes ? query[PARAMETER_PLACE].bytes
							 : goal->usual);
	out_key(out, "distance");
	if (goal)
		out_integer(out, series->distance);
	else
		out_null(out);
	out_member_string(out, "generators", query[PARAMETER_GENERATORS].bytes);
	out_member_string(out, "method", series_walks(series) ? "random_walk" : "random_state");
	out_member_string(out, "seed", series->request.seed.bytes);
	out_member_string(out, "note", seeded ? "Made from a seed: not for competition." : NULL);
	out_member_open(out, "scrambles", '[');
}

static void write_line(struct scrambles *scrambles, struct buffer *piece)
{
	struct scramble_series *series = &scrambles->series;
	const int size = (int)series->size;
	const size_t count = series_next(series);
	const size_t length = cube_turns_print(size, series->turns, count, NULL, 0);
	char *room = buffer_room(piece, length + 1);
	if (!room)
		return;
	cube_turns_print(size, series->turns, count, room, length + 1);
	room[length] = '\n';
	piece->length += length + 1;
}

static void write_one(struct scrambles *scrambles, struct out *out)
{
	struct scramble_series *series = &scrambles->series;
	const size_t count = series_next(series);
	series_turn(series, count);
	out_open(out, '{');
	out_key(out, "moves");
	turns_write(out, (int)series->size, series->turns, count);
	if (scrambles->made >= series->count && scrambles->ctx->media == MEDIA_NDJSON)
		out_member_bool(out, "extra", true);
	out_cube_member(out, series->cube, &scrambles->view, CUBE_KNOWN);
	out_close(out, '}');
}

static void scrambles_destroy(struct stream *stream)
{
	series_end(&container_of(stream, struct scrambles, stream)->series);
}

static bool scrambles_read(struct context *ctx, struct scrambles *scrambles)
{
	return series_read(ctx, &scrambles->series, 1, 0) &&
	       answer_view_read(ctx, &scrambles->view) &&
	       answer_view_fits(ctx, &scrambles->view, (int)scrambles->series.size);
}

/* May wait for tables. */
static void scrambles_prepare(struct context *ctx, struct stream *stream)
{
	struct scrambles *scrambles = (struct scrambles *)stream;
	(void)series_prepare(ctx, &scrambles->series);
	ctx->request->reply.cache =
		scrambles->series.request.seed.bytes ? caching_pure : caching_none;
}
