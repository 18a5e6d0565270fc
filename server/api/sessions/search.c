/* search.c: POST /v1/search: sessions whose cube now fits a pattern, or is a given cube in any
 * rotation: the listed ones, and that of the token. */
#include <string.h>

#include "cube/facts.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/answer_view.h"
#include "server/api/input/custom_patterns.h"
#include "server/api/input/input.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/format/session_out.h"

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100

/* Sessions examined for one answer: some tenths of a second, in slices. */
#define LOOK_AT 5000
#define PAGE_BYTES (4u << 20)

struct session_search {
	struct input_cube cube; /* first: input_cube_resolve passes it back; for a search by cube */
	struct pattern_request pattern;
	struct custom_pattern_scope own;
	bool by_cube;
	int size;
	struct answer_view view;
	int64_t limit, count, looked_at;
	uint64_t before;
	struct scan scan;
	struct out out;
	uint8_t *colors, *spare, *canonical; /* by facelet; NULL until the first slice */
};

static bool search_read(struct context *ctx, struct session_search *search);
static void search_start(struct context *ctx);
static void search_run(struct context *ctx, struct store_reader *reader);
static bool search_prepare(struct context *ctx, struct store_reader *reader,
			   struct session_search *search);
static void search_begin(struct context *ctx, struct session_search *search);
static bool search_visit(void *context, struct stored_session *session);
static bool search_fits(struct session_search *search, const struct cube *cube);

void search_handle(struct context *ctx)
{
	struct session_search *search = ctx_alloc(ctx, sizeof *search);
	if (search)
		*search = (struct session_search){.cube = {.at = -1}, .limit = LIMIT_DEFAULT};
	ctx->data = search;
	if (!search || !search_read(ctx, search))
		ctx_answer(ctx);
	else if (search->by_cube)
		input_cube_resolve(ctx, &search->cube, search_start);
	else
		search_start(ctx);
}

static bool search_read(struct context *ctx, struct session_search *search)
{
	struct json_value *pattern = NULL, *cube = NULL;
	int64_t size = -1;
	const struct json_member members[] = {
		{"pattern", JSON_ANY, &pattern, 0, 0},
		{"size", JSON_INT64, &size, CUBE_SIZE_MIN, input_size_max(ctx)},
		{"cube", JSON_ANY, &cube, 0, 0},
	};
	if (!answer_view_read_lean(ctx, &search->view) ||
	    !query_integer(ctx, PARAMETER_LIMIT, 1, LIMIT_MAX, &search->limit) ||
	    !cursor_read(ctx, &search->before) || !cube_body_read(ctx, members, 3, &cube))
		return false;
	search->by_cube = cube != NULL;
	search->size = (int)(size >= 0 ? size : input_size_default(ctx));
	if (cube && pattern)
		return input_problem(ctx, "/pattern", "pattern is not allowed together with cube.",
				     "either cube, or pattern and size", NULL);
	if (!cube)
		return pattern_read(ctx, pattern, "/pattern", &search->pattern);
	if (!input_cube_read(ctx, cube, "/cube", &search->cube))
		return false;
	input_cube_beside(&search->cube, size);
	return true;
}

static void search_start(struct context *ctx)
{
	struct session_search *search = ctx->data;
	search->own = custom_pattern_scope(ctx);
	if (search->by_cube)
		search->size = search->cube.size;
	if (!answer_view_fits(ctx, &search->view, search->size)) {
		ctx_answer(ctx);
		return;
	}
	/* Few cubes match a cube, but a pattern is looked for in all sessions. */
	if (search->by_cube)
		ctx_read(ctx, search_run, ctx_answer);
	else
		ctx_scan(ctx, search_run, ctx_answer);
}

/* One slice. */
static void search_run(struct context *ctx, struct store_reader *reader)
{
	struct session_search *search = ctx->data;
	struct out *out = &search->out;
	if (!search->canonical) {
		if (!search_prepare(ctx, reader, search))
			return;
		search_begin(ctx, search);
	}
	const uint64_t hash =
		search->by_cube ? cube_colors_hash(search->size, search->canonical) : 0;
	if (!scan_sessions(&search->scan, reader, ctx->who.key, search->by_cube ? &hash : NULL))
		return;
	if (search->scan.status != STORE_OK) {
		ctx_store_problem(ctx, search->scan.status);
		return;
	}
	page_end_items(ctx, out, search->scan.at);
	out_member_integer(out, "looked_at", search->looked_at);
	out_close(out, '}');
	ctx_reply_json(ctx, 200);
}

static bool search_prepare(struct context *ctx, struct store_reader *reader,
			   struct session_search *search)
{
	size_t facelets = cube_facelets(search->size);
	search->colors = ctx_alloc(ctx, facelets);
	search->spare = ctx_alloc(ctx, facelets);
	search->canonical = ctx_alloc(ctx, facelets);
	if (!search->colors || !search->spare || !search->canonical)
		return false;
	if (!search->by_cube)
		return custom_pattern_find(ctx, reader, &search->own, &search->pattern) &&
		       pattern_make(ctx, &search->pattern, search->size);
	if (!input_cube_turn(ctx, &search->cube))
		return false;
	cube_colors(search->cube.cube, search->colors);
	cube_canonical(search->size, search->colors, search->canonical);
	return true;
}

static void search_begin(struct context *ctx, struct session_search *search)
{
	struct out *out = &search->out;
	search->scan = (struct scan){.ctx = ctx,
				     .at = search->before,
				     .left = LOOK_AT,
				     .session = search_visit,
				     .context = search};
	page_begin(ctx, out);
}

static bool search_visit(void *context, struct stored_session *session)
{
	struct session_search *search = context;
	search->looked_at++;
	if (session->meta.size != search->size || !search_fits(search, session->history->cube))
		return true;
	session_write(&search->out, &session->meta, session->scramble, session->scramble_count,
		      session->history, &search->view, CUBE_KNOWN);
	search->count++;
	return search->count < search->limit && search->out.buffer->length < PAGE_BYTES &&
	       !search->out.buffer->failed;
}

static bool search_fits(struct session_search *search, const struct cube *cube)
{
	cube_colors(cube, search->colors);
	if (!search->by_cube)
		return cube_query_match(search->pattern.query, search->colors, CUBE_FITS_ALL) != 0;
	cube_canonical(search->size, search->colors, search->spare);
	return memcmp(search->spare, search->canonical, cube_facelets(search->size)) == 0;
}
