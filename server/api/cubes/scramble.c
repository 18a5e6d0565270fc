/* scramble.c: GET /v1/scramble: as many scrambles as are asked for, made while they are read. */
#include <stdio.h>
#include <string.h>

#include "server/api/input/case.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_view.h"
#include "server/api/input/input.h"
#include "server/api/input/pattern.h"
#include "server/api/input/scramble.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/steps/caching.h"
#include "server/format/cube_out.h"
#include "server/util/monotonic.h"
#include "server/util/suggest.h"

/* The time that one piece may take. */
#define PIECE_NS 5000000

/* Enumerating the cases of a set. */
#define FIND_CASE_NS 3000000

/* Turning a cube, per facelet. */
#define FACELET_NS 100

static const char *const variant_names[] = {
	[CUBE_SCRAMBLE_PLAIN] = "plain", [CUBE_SCRAMBLE_BLD] = "bld", [CUBE_SCRAMBLE_FMC] = "fmc"};

#define VARIANTS (sizeof variant_names / sizeof variant_names[0])

/* The events of the WCA that are scrambled here. */
static const struct scramble_event {
	const char *id;
	int size;
	enum cube_scramble_variant variant;
} events[] = {
	{"222", 2, CUBE_SCRAMBLE_PLAIN},   {"333", 3, CUBE_SCRAMBLE_PLAIN},
	{"333oh", 3, CUBE_SCRAMBLE_PLAIN}, {"333bf", 3, CUBE_SCRAMBLE_BLD},
	{"333fm", 3, CUBE_SCRAMBLE_FMC},   {"333mbf", 3, CUBE_SCRAMBLE_BLD},
	{"444", 4, CUBE_SCRAMBLE_PLAIN},   {"444bf", 4, CUBE_SCRAMBLE_BLD},
	{"555", 5, CUBE_SCRAMBLE_PLAIN},   {"555bf", 5, CUBE_SCRAMBLE_BLD},
	{"666", 6, CUBE_SCRAMBLE_PLAIN},   {"777", 7, CUBE_SCRAMBLE_PLAIN},
};

#define EVENTS (sizeof events / sizeof events[0])

struct scrambles {
	struct stream stream; /* first */
	struct context *ctx;
	struct scramble_request request;
	struct cube_view view;
	struct scrambling scrambling;
	struct cube_turn *turns;
	struct cube *cube;
	const struct scramble_event *event; /* NULL: none was named */
	struct pattern_request until;       /* value NULL: any state, or of a set */
	struct case_request of_set;         /* set NULL: of none */
	int64_t size, count;
	int64_t made;
};

static enum stream_state scrambles_next(struct stream *stream, struct buffer *piece);
static void write_begin(struct scrambles *scrambles, struct out *out);
static void write_line(struct scrambles *scrambles, struct buffer *piece);
static void write_one(struct scrambles *scrambles, struct out *out);
static void scrambles_destroy(struct stream *stream);
static bool scrambles_read(struct context *ctx, struct scrambles *scrambles);
static bool read_event(struct context *ctx, struct scrambles *scrambles);
static bool read_variant(struct context *ctx, struct scrambles *scrambles);
static bool read_until(struct context *ctx, struct scrambles *scrambles);
static bool read_set(struct context *ctx, struct scrambles *scrambles);
static void scrambles_prepare(struct context *ctx);
static bool prepare_until(struct context *ctx, struct scrambles *scrambles);
static void scrambles_start(struct context *ctx);

void scramble_handle(struct context *ctx)
{
	struct scrambles *scrambles = ctx_alloc(ctx, sizeof *scrambles);
	if (scrambles)
		*scrambles = (struct scrambles){.stream = {.next = scrambles_next,
							   .destroy = scrambles_destroy,
							   .length = UINT64_MAX},
						.ctx = ctx,
						.request = {.wanted = true},
						.size = cube_size_default(ctx),
						.count = 1};
	if (!scrambles || !scrambles_read(ctx, scrambles)) {
		ctx_answer(ctx);
		return;
	}
	const int size = (int)scrambles->size;
	const uint64_t cost_ns = scramble_cost(&scrambles->request, size) +
				 cube_scramble_room(size) * cube_facelets(size) * FACELET_NS / 6;
	/* Many are made on the thread of long computations, one piece at a time, in turn with
	 * others. */
	const uint64_t all_ns = cost_ns * (uint64_t)scrambles->count;
	const uint64_t least_ns = all_ns > WORKER_NS ? LONG_COMPUTATION_NS : PIECE_NS;
	scrambles->stream.cost_ns = cost_ns > least_ns ? cost_ns : least_ns;
	ctx->data = scrambles;
	/* Finding that nothing fits a pattern may take half a second. */
	const uint64_t until_ns = scrambles->until.value  ? LONG_COMPUTATION_NS
				  : scrambles->of_set.set ? FIND_CASE_NS
							  : 0;
	ctx_compute(ctx, cost_ns + until_ns, scrambles_prepare, scrambles_start);
}

static enum stream_state scrambles_next(struct stream *stream, struct buffer *piece)
{
	struct scrambles *scrambles = (struct scrambles *)stream;
	const enum media media = scrambles->ctx->media;
	const uint64_t due_ns = monotonic_ns() + PIECE_NS;
	struct out out = {.buffer = piece, .comma = scrambles->made > 0 && media == MEDIA_JSON};
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
	} while (++scrambles->made < scrambles->count && piece->length < PIECE_BYTES &&
		 !piece->failed && monotonic_ns() < due_ns);
	if (scrambles->made < scrambles->count)
		return STREAM_MORE;
	if (media == MEDIA_JSON) {
		out_close(&out, ']');
		out_close(&out, '}');
		buffer_add(piece, "\n", 1);
	}
	return STREAM_END;
}

static void write_begin(struct scrambles *scrambles, struct out *out)
{
	const struct scramble_request *request = &scrambles->request;
	const bool seeded = request->seed.bytes != NULL;
	out_open(out, '{');
	out_key(out, "size");
	out_integer(out, scrambles->size);
	out_key(out, "event");
	out_string(out, scrambles->event ? scrambles->event->id : NULL);
	out_key(out, "variant");
	out_string(out, variant_names[request->variant]);
	out_key(out, "until");
	out_string(out, scrambles->ctx->query.value[PARAMETER_UNTIL].bytes);
	out_key(out, "seed");
	out_string(out, request->seed.bytes);
	out_key(out, "note");
	out_string(out, seeded ? "Made from a seed: not for competition." : NULL);
	out_key(out, "scrambles");
	out_open(out, '[');
}

static void write_line(struct scrambles *scrambles, struct buffer *piece)
{
	const int size = (int)scrambles->size;
	size_t count = scrambling_next(&scrambles->scrambling, scrambles->turns);
	size_t length = cube_turns_print(size, scrambles->turns, count, NULL, 0);
	char *room = buffer_room(piece, length + 1);
	if (!room)
		return;
	cube_turns_print(size, scrambles->turns, count, room, length + 1);
	room[length] = '\n';
	piece->length += length + 1;
}

static void write_one(struct scrambles *scrambles, struct out *out)
{
	const int size = (int)scrambles->size;
	size_t count = scrambling_next(&scrambles->scrambling, scrambles->turns);
	cube_init(scrambles->cube, size);
	cube_turn_all(scrambles->cube, scrambles->turns, count);
	out_open(out, '{');
	out_key(out, "moves");
	turns_write(out, size, scrambles->turns, count);
	cube_member_write(out, scrambles->cube, &scrambles->view, CUBE_KNOWN);
	out_close(out, '}');
}

static void scrambles_destroy(struct stream *stream)
{
	scrambling_end(&((struct scrambles *)stream)->scrambling);
}

static bool scrambles_read(struct context *ctx, struct scrambles *scrambles)
{
	static const struct json_place place = {.parameter = "seed"};
	const struct text *seed = &ctx->query.value[PARAMETER_SEED];
	const uint64_t most = ctx->service->config.limits.scrambles;
	return query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, cube_size_max(ctx),
			     &scrambles->size) &&
	       read_event(ctx, scrambles) &&
	       query_integer(ctx, PARAMETER_COUNT_OF, 1,
			     most < INT32_MAX ? (int64_t)most : INT32_MAX, &scrambles->count) &&
	       read_variant(ctx, scrambles) && read_until(ctx, scrambles) &&
	       (!seed->bytes || scramble_read_seed(ctx, *seed, &place, &scrambles->request)) &&
	       cube_view_read(ctx, &scrambles->view) &&
	       cube_view_fits(ctx, &scrambles->view, (int)scrambles->size);
}

/* The event sets size and variant; beside it they may be given if they say the same. */
static bool read_event(struct context *ctx, struct scrambles *scrambles)
{
	const struct text *id = &ctx->query.value[PARAMETER_EVENT];
	const char *names[EVENTS];
	char expected[128];
	if (!id->bytes)
		return true;
	for (size_t i = 0; i < EVENTS; i++) {
		names[i] = events[i].id;
		if (text_names(*id, events[i].id))
			scrambles->event = &events[i];
	}
	const struct scramble_event *event = scrambles->event;
	if (!event) {
		suggest_list(names, EVENTS, expected, sizeof expected);
		return query_problem(ctx, "event", "Unknown event, or none of a cube.", expected,
				     suggest_nearest(id->bytes, id->length, names, EVENTS));
	}
	if (event->size > cube_size_max(ctx))
		return query_problem(ctx, "event", "This server has no cubes of that size.", NULL,
				     NULL);
	if (ctx->query.value[PARAMETER_SIZE].bytes && scrambles->size != event->size) {
		snprintf(expected, sizeof expected, "%d, or no size beside the event", event->size);
		return query_problem(ctx, "size", "The event has cubes of another size.", expected,
				     NULL);
	}
	scrambles->size = event->size;
	scrambles->request.variant = event->variant;
	return true;
}

static bool read_variant(struct context *ctx, struct scrambles *scrambles)
{
	const struct scramble_event *event = scrambles->event;
	const struct text *name = &ctx->query.value[PARAMETER_VARIANT];
	char expected[64] = "", detail[128];
	bool known = !name->bytes;
	for (size_t i = 0; i < VARIANTS; i++) {
		const enum cube_scramble_variant variant = (enum cube_scramble_variant)i;
		if (!cube_scramble_has((int)scrambles->size, variant))
			continue;
		size_t length = strlen(expected);
		snprintf(expected + length, sizeof expected - length, "%s%s",
			 length > 0 ? ", " : "", variant_names[i]);
		if (name->bytes && text_names(*name, variant_names[i])) {
			scrambles->request.variant = variant;
			known = true;
		}
	}
	if (known && event && scrambles->request.variant != event->variant)
		return query_problem(ctx, "variant", "The event has scrambles of another variant.",
				     variant_names[event->variant], NULL);
	snprintf(detail, sizeof detail, "Unknown variant; for this size use %s.", expected);
	return known || query_problem(ctx, "variant", detail, expected, NULL);
}

/* The member of the body that the query makes. */
static bool read_until(struct context *ctx, struct scrambles *scrambles)
{
	struct json_value *until = NULL, *size;
	const struct json_member members[] = {{"until", JSON_ANY, &until, 0, 0},
					      {"size", JSON_ANY, &size, 0, 0}};
	if (!input_object(ctx, ctx->body, "", members, 2))
		return false;
	if (!until)
		return true;
	if (case_read(until, &scrambles->of_set))
		return read_set(ctx, scrambles);
	if (scrambles->size != 3 || scrambles->request.variant != CUBE_SCRAMBLE_PLAIN)
		return query_problem(ctx, "until",
				     "Only plain scrambles of a 3x3x3 can lead to a pattern.",
				     "size 3 and the variant plain, or no until", NULL);
	return pattern_read(ctx, until, "/until", &scrambles->until);
}

/* A set is of one size, which need not be given. */
static bool read_set(struct context *ctx, struct scrambles *scrambles)
{
	const struct cube_set *set = scrambles->of_set.set;
	char detail[128], expected[64];
	if (!scrambles->event && !ctx->query.value[PARAMETER_SIZE].bytes)
		scrambles->size = set->size;
	if (scrambles->size == set->size && scrambles->request.variant == CUBE_SCRAMBLE_PLAIN)
		return true;
	snprintf(detail, sizeof detail, "The set %s is for plain scrambles of a %dx%dx%d.",
		 set->name, set->size, set->size, set->size);
	snprintf(expected, sizeof expected, "size %d and the variant plain, or another until",
		 set->size);
	return query_problem(ctx, "until", detail, expected, NULL);
}

/* May wait for tables. */
static void scrambles_prepare(struct context *ctx)
{
	struct scrambles *scrambles = ctx->data;
	const int size = (int)scrambles->size;
	scrambles->turns = ctx_alloc(ctx, cube_scramble_room(size) * sizeof *scrambles->turns);
	scrambles->cube = ctx_alloc(ctx, cube_bytes(size));
	if (scrambles->turns && scrambles->cube &&
	    scramble_begin(ctx, &scrambles->request, size, &scrambles->scrambling))
		prepare_until(ctx, scrambles);
}

static bool prepare_until(struct context *ctx, struct scrambles *scrambles)
{
	struct case_request *of_set = &scrambles->of_set;
	if (of_set->set && !case_find(ctx, of_set, "/until"))
		return false;
	if (of_set->set)
		scrambling_of_set(&scrambles->scrambling, of_set->set, of_set->one);
	if (!scrambles->until.value)
		return true;
	struct cube_draw *draw = ctx_alloc(ctx, cube_draw_bytes());
	return draw && pattern_make(ctx, &scrambles->until, 3) &&
	       (scrambling_draw(&scrambles->scrambling, draw, scrambles->until.query) ||
		pattern_problem(ctx, "/until", "a pattern that a reachable 3x3x3 fits",
				"No state was found that fits this pattern."));
}

static void scrambles_start(struct context *ctx)
{
	struct scrambles *scrambles = ctx->data;
	ctx->request->reply.cache = scrambles->request.seed.bytes ? caching_pure : caching_none;
	if (ctx->request->reply.status != 0) {
		scrambles_destroy(&scrambles->stream);
		ctx_answer(ctx);
	} else {
		stream_start(ctx, &scrambles->stream, media_type(ctx->media));
	}
}
