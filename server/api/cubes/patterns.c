/* patterns.c: GET /v1/patterns: the named patterns, common ones and own ones of a session; and one
 * of them. */
#include <stdio.h>

#include "server/api/input/cube.h"
#include "server/api/input/custom_patterns.h"
#include "server/api/input/input.h"
#include "server/api/input/pattern.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"

struct asked {
	uint64_t key;
	struct custom_pattern *own;
	int64_t size; /* -1: any */
};

static struct asked *asked_create(struct context *ctx);
static void list_entered(struct context *ctx);
static void custom_pattern_begin(struct context *ctx, void (*then)(struct context *ctx));
static void custom_pattern_run(struct context *ctx, struct store_reader *reader);
static void list_done(struct context *ctx);
static void write_items(struct context *ctx, const struct custom_pattern *own, int64_t size);
static bool serves(const struct cube_named *named, int64_t size);
static void write_row(struct out *out, const struct cube_named *named, int64_t size_max);
static void one_entered(struct context *ctx);
static void one_done(struct context *ctx);
static void write_own(struct context *ctx, const struct asked *asked);
static bool size_problem(struct context *ctx, int min, int max);
static void pattern_compute(struct context *ctx);
static bool write_pattern(struct context *ctx, struct out *out, const struct cube_named *named,
			  int size);
static bool write_alternative(struct context *ctx, struct out *out, const char **at, int size,
			      struct cube_named_part *next, bool *more);
static bool write_part(struct context *ctx, struct out *out, const struct cube_named_part *part,
		       int size);
static bool write_colors(struct context *ctx, struct out *out, const struct cube_named_part *part,
			 int size);
static void write_pieces(struct out *out, const struct cube_named_part *part);

void patterns_handle(struct context *ctx)
{
	if (asked_create(ctx))
		custom_pattern_enter(ctx, NEED_READ, list_entered);
	else
		ctx_answer(ctx);
}

static struct asked *asked_create(struct context *ctx)
{
	struct asked *asked = ctx_alloc(ctx, sizeof *asked);
	if (!asked)
		return NULL;
	*asked = (struct asked){.size = -1};
	ctx->data = asked;
	return query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx), &asked->size)
		       ? asked
		       : NULL;
}

static void list_entered(struct context *ctx)
{
	custom_pattern_begin(ctx, list_done);
}

/* Reads the session's own patterns, or the named one; none without a session. */
static void custom_pattern_begin(struct context *ctx, void (*then)(struct context *ctx))
{
	struct asked *asked = ctx->data;
	asked->key = ctx->visit.session ? ctx->visit.session->meta.key : ctx->who.key;
	if (asked->key != 0)
		ctx_read(ctx, custom_pattern_run, then);
	else
		then(ctx);
}

static void custom_pattern_run(struct context *ctx, struct store_reader *reader)
{
	struct asked *asked = ctx->data;
	const char *name = ctx->name.bytes ? arena_text(&ctx->request->arena, ctx->name.bytes,
							ctx->name.length)
					   : NULL;
	if (ctx->name.bytes && !name)
		ctx_no_memory(ctx);
	else
		custom_pattern_read(ctx, reader, asked->key, name, &asked->own);
}

static void list_done(struct context *ctx)
{
	const struct asked *asked = ctx->data;
	if (ctx->request->reply.status == 0)
		write_items(ctx, asked->own, asked->size);
	ctx_answer(ctx);
}

static void write_items(struct context *ctx, const struct custom_pattern *own, int64_t size)
{
	struct out out = {0};
	int64_t most = input_size_max(ctx);
	const bool own_asked = ctx->who.asked || ctx->query.value[PARAMETER_SESSION].bytes;
	page_begin(ctx, &out);
	for (; own; own = own->next) {
		if (size >= 0 && size != own->size)
			continue;
		out_open(&out, '{');
		custom_pattern_write(&out, own);
		out_close(&out, '}');
	}
	for (size_t i = 0; i < cube_named_count; i++) {
		if (!serves(&cube_named[i], size) || cube_named[i].size_min > most)
			continue;
		out_open(&out, '{');
		write_row(&out, &cube_named[i], most);
		out_close(&out, '}');
	}
	page_end(ctx, &out, 0);
	if (!own_asked)
		ctx->request->reply.cache = caching_shared;
}

static bool serves(const struct cube_named *named, int64_t size)
{
	return size < 0 || (size >= named->size_min && size <= named->size_max);
}

static void write_row(struct out *out, const struct cube_named *named, int64_t size_max)
{
	out_member_string(out, "name", named->name);
	out_member_string(out, "title", named->title);
	out_range(out, "sizes", named->size_min,
		  named->size_max < size_max ? named->size_max : size_max);
	out_member_string(out, "layer", layer_names[named->layer]);
	out_member_string(out, "source", named->source);
	out_member_bool(out, "own", false);
}

void pattern_handle(struct context *ctx)
{
	if (asked_create(ctx))
		custom_pattern_enter(ctx, NEED_READ, one_entered);
	else
		ctx_answer(ctx);
}

static void one_entered(struct context *ctx)
{
	const struct asked *asked = ctx->data;
	if (!cube_named_find(ctx->name.bytes, ctx->name.length))
		custom_pattern_begin(ctx, one_done);
	else /* the largest row of the largest cube takes long */
		ctx_compute(ctx, asked->size >= 10 ? 1000000 : 1000, pattern_compute, NULL);
}

static void one_done(struct context *ctx)
{
	if (ctx->request->reply.status == 0)
		write_own(ctx, ctx->data);
	ctx_answer(ctx);
}

/* An own pattern of a session. */
static void write_own(struct context *ctx, const struct asked *asked)
{
	const struct custom_pattern *own = asked->own;
	struct out out = {.buffer = &ctx->request->reply.body};
	if (!own) {
		problem_begin(ctx->request, PROBLEM_NO_SUCH_PATTERN, &out,
			      "No pattern has this name; GET /v1/patterns lists them.");
		problem_member(&out, "suggestion", pattern_nearest(ctx->name));
		problem_end(ctx->request, &out);
		return;
	}
	if (asked->size >= 0 && asked->size != own->size) {
		size_problem(ctx, own->size, own->size);
		return;
	}
	etag_reply(ctx, &own->state);
	if (etag_unchanged(ctx))
		return;
	out_open(&out, '{');
	custom_pattern_write(&out, own);
	out_member_null(&out, "setup");
	out_member_integer(&out, "size", own->size);
	out_key(&out, "pattern");
	json_print(&ctx->request->arena, own->value, out.buffer);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

static bool size_problem(struct context *ctx, int min, int max)
{
	char expected[32], detail[64];
	snprintf(expected, sizeof expected, min == max ? "%d" : "%d to %d", min, max);
	snprintf(detail, sizeof detail, "The pattern is for size %s.", expected);
	return query_problem(ctx, "size", detail, expected, NULL);
}

static void pattern_compute(struct context *ctx)
{
	const struct asked *asked = ctx->data;
	const struct cube_named *named = cube_named_find(ctx->name.bytes, ctx->name.length);
	struct out out = {.buffer = &ctx->request->reply.body};
	int64_t size = named->size_min < 3 ? 3 : named->size_min, most = input_size_max(ctx);
	if (size > most)
		size = named->size_min;
	if (asked->size >= 0)
		size = asked->size;
	if (!serves(named, size)) {
		size_problem(ctx, named->size_min, named->size_max);
		return;
	}
	out_open(&out, '{');
	write_row(&out, named, most);
	out_member_string(&out, "setup", named->setup);
	out_member_integer(&out, "size", size);
	out_key(&out, "pattern");
	if (!write_pattern(ctx, &out, named, (int)size))
		return;
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	ctx->request->reply.cache = caching_shared;
}

static bool write_pattern(struct context *ctx, struct out *out, const struct cube_named *named,
			  int size)
{
	const char *at = named->text, *ahead;
	struct cube_named_part part;
	bool several = false, made = true, more;
	for (ahead = at; cube_named_part(&ahead, &part);)
		several |= part.alternative;
	if (several) {
		out_open(out, '{');
		out_member_open(out, "any", '[');
	}
	more = cube_named_part(&at, &part);
	while (made && more)
		made = write_alternative(ctx, out, &at, size, &part, &more);
	if (several) {
		out_close(out, ']');
		out_close(out, '}');
	}
	return made;
}

/* Parts up to the next alternative: `next` is the first of them and, afterwards, the alternative's
 * first. */
static bool write_alternative(struct context *ctx, struct out *out, const char **at, int size,
			      struct cube_named_part *next, bool *more)
{
	const char *ahead = *at;
	struct cube_named_part part = *next;
	*more = cube_named_part(at, next);
	if (!*more || next->alternative)
		return write_part(ctx, out, &part, size);
	*at = ahead;
	out_open(out, '{');
	out_member_open(out, "all", '[');
	bool made = write_part(ctx, out, &part, size);
	while (made && (*more = cube_named_part(at, next)) && !next->alternative)
		made = write_part(ctx, out, next, size);
	out_close(out, ']');
	out_close(out, '}');
	return made;
}

static bool write_part(struct context *ctx, struct out *out, const struct cube_named_part *part,
		       int size)
{
	bool made = true;
	out_open(out, '{');
	if (part->kind == CUBE_NAMED_COLORS) {
		made = write_colors(ctx, out, part, size);
	} else if (part->kind == CUBE_NAMED_PIECES) {
		write_pieces(out, part);
	} else {
		out_member_string(out, "name", part->row->name);
	}
	out_close(out, '}');
	return made;
}

/* Six arrays separated by spaces, as one string. */
static bool write_colors(struct context *ctx, struct out *out, const struct cube_named_part *part,
			 int size)
{
	size_t area = (size_t)size * (size_t)size, at = 0;
	uint8_t *items = ctx_alloc(ctx, cube_facelets(size));
	char *text = ctx_alloc(ctx, cube_facelets(size) + CUBE_FACES);
	if (!items || !text)
		return false;
	cube_named_items(part, size, items);
	for (size_t i = 0; i < cube_facelets(size); i++) {
		if (i > 0 && i % area == 0)
			text[at++] = ' ';
		text[at++] = cube_pattern_letter(items[i]);
	}
	out_member_bytes(out, "faces", text, at);
	return true;
}

static void write_pieces(struct out *out, const struct cube_named_part *part)
{
	const char *at = part->text;
	struct cube_piece_rule rule;
	out_member_open(out, "pieces", '{');
	while (cube_named_rule(part, &at, &rule))
		out_member_string(
			out, cube_place_name(rule.place),
			cube_piece_condition_name((enum cube_piece_condition)rule.condition));
	out_close(out, '}');
	out_member_string(out, "views", "all");
}
