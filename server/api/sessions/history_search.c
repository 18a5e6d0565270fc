/* history_search.c: POST .../find: where in a history a pattern began to hold, and where it was
 * lost. */
#include "cube/cube.h"
#include "server/api/sessions/history_search.h"

#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/session_visit.h"

/* A replay ends after the entry that reaches this cost; the client continues from there. */
#define FIND_NS 250000000
#define MATCHES_MAX 1000

struct matches {
	bool holds;
	uint32_t count;
};

static bool find_read(struct context *ctx, struct find *find);
static bool read_patterns(struct context *ctx, struct json_value *array, struct find *find);
static void find_entered(struct context *ctx);
static void find_run(struct context *ctx, struct store_reader *reader);
static bool find_prepare(struct find *find, struct store_reader *reader);
static bool find_begin(struct find *find, const struct history *history);
static const struct find_looker *looker_of(const struct find *find);
static bool find_wants_more(const struct find *find);
static bool find_visit(void *context, const struct entry *entry);
static bool replay_turns(struct find *find, const struct entry *entry);
static void find_look_at(struct find *find, const struct cube_turn *turn);
static void find_end(struct find *find);
static void find_done(struct context *ctx);
static bool match_begin(struct find *find, int64_t time_ms);
static void match_turned(struct find *find, const struct cube_turn *turn);
static void match_end(struct find *find);
static void match_entry(struct find *find, const struct entry *entry);
static void match_finish(struct find *find);

static const struct find_looker match_looker = {match_begin, match_turned, match_entry, match_end,
						match_finish};

void session_find_handle(struct context *ctx)
{
	struct find *find = ctx_alloc(ctx, sizeof *find);
	if (find)
		*find = (struct find){0};
	if (find && find_read(ctx, find)) {
		ctx->data = find;
		ctx_acquire(ctx, NEED_READ, find_entered);
	} else {
		ctx_answer(ctx);
	}
}

static bool find_read(struct context *ctx, struct find *find)
{
	struct json_value *pattern = NULL, *patterns = NULL;
	const struct json_member members[] = {
		{"pattern", JSON_ANY, &pattern, 0, 0},
		{"patterns", JSON_ITEMS, &patterns, 0, 0},
		{"first", JSON_BOOLEAN, &find->first, 0, 0},
		{"after", JSON_INT64, &find->after, 0, UINT32_MAX - 1},
	};
	if (!input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]))
		return false;
	if (patterns && (pattern || find->first))
		return input_problem(ctx, "/patterns",
				     "patterns is not allowed together with pattern or first.",
				     "either pattern, optionally with first, or patterns", NULL);
	if (patterns)
		return read_patterns(ctx, patterns, find);
	find->count = 1;
	find->patterns = ctx_alloc(ctx, sizeof *find->patterns);
	return find->patterns && pattern_read(ctx, pattern, "/pattern", find->patterns);
}

static bool read_patterns(struct context *ctx, struct json_value *array, struct find *find)
{
	find->count = json_item_count(array);
	find->stages = true;
	if (find->count < 1 || find->count > STAGES_MAX)
		return input_problem(ctx, "/patterns", "Must be an array of 1 to 32 patterns.",
				     "1 to 32 patterns", NULL);
	find->patterns = ctx_alloc(ctx, find->count * sizeof *find->patterns);
	if (!find->patterns)
		return false;
	for (size_t i = 0; i < find->count; i++)
		if (!pattern_read(ctx, json_item(array, i),
				  input_pointer_index(ctx, "/patterns", i), &find->patterns[i]))
			return false;
	return true;
}

static void find_entered(struct context *ctx)
{
	struct find *find = ctx->data;
	const struct session *session = ctx->visit.session;
	session_take_snapshot(&ctx->visit, session->committed);
	if (find->after > (int64_t)ctx->visit.snapshot->revision) {
		input_problem(ctx, "/after", "The session has fewer revisions.",
			      "a revision that the session has reached", NULL);
		ctx_answer(ctx);
		return;
	}
	find->own = custom_pattern_scope(ctx);
	find->key = session->meta.key;
	find->created_ms = session->meta.created_ms;
	ctx_read(ctx, find_run, find_done);
}

/* One slice. */
static void find_run(struct context *ctx, struct store_reader *reader)
{
	struct find *find = ctx->data;
	find->ctx = ctx;
	if (!find->begun && !find_prepare(find, reader))
		return;
	find->begun = true;
	const uint32_t last = find->last;
	const size_t turns_done = find->turns_done;
	if (find_wants_more(find)) {
		enum store_status status = ctx->service->store->operations->entries(
			reader, find->key, find->last, find_visit, find);
		if (status != STORE_OK) {
			ctx_store_problem(ctx, status);
			return;
		}
	}
	/* Unless the store unexpectedly has no further entries. */
	ctx->job.more =
		find_wants_more(find) && (find->last != last || find->turns_done != turns_done);
	if (!ctx->job.more)
		find_end(find);
}

/* Prepares patterns, memory and state; false with a problem. */
static bool find_prepare(struct find *find, struct store_reader *reader)
{
	struct context *ctx = find->ctx;
	const struct history *now = ctx->visit.snapshot;
	struct history *history;
	const int size = now->cube->size;
	find->answer.buffer = &ctx->request->reply.body;
	find->out = &find->answer;
	find->upto = now->revision;
	for (size_t i = 0; i < find->count; i++)
		if (!custom_pattern_find(ctx, reader, &find->own, &find->patterns[i]) ||
		    !pattern_make(ctx, &find->patterns[i], size))
			return false;
	find->cube = ctx_alloc(ctx, cube_bytes(size));
	find->colors = ctx_alloc(ctx, cube_facelets(size));
	if (!find->cube || !find->colors)
		return false;
	enum store_status status = ctx->service->store->operations->at(
		reader, find->key, (uint32_t)find->after, &history);
	if (status != STORE_OK) {
		ctx_store_problem(ctx, status);
		return false;
	}
	const bool begun = find_begin(find, history);
	history_destroy(history);
	return begun;
}

/* The first state. */
static bool find_begin(struct find *find, const struct history *history)
{
	const int64_t time_ms = history->updated_ms ? history->updated_ms : find->created_ms;
	cube_copy(find->cube, history->cube);
	cube_colors(find->cube, find->colors);
	find->at = (struct find_place){.revision = history->revision, .time_ms = time_ms};
	find->last = history->revision;
	out_open(find->out, '{');
	return looker_of(find)->begin(find, time_ms);
}

static const struct find_looker *looker_of(const struct find *find)
{
	return find->stages ? &stages_looker : &match_looker;
}

static bool find_wants_more(const struct find *find)
{
	return find->last < find->upto && !find->finished && !find->failed &&
	       !find->out->buffer->failed && find->spent_ns < FIND_NS;
}

/* A store_visit_entry. */
static bool find_visit(void *context, const struct entry *entry)
{
	struct find *find = context;
	if (entry->revision > find->upto)
		return false;
	find->at = (struct find_place){.revision = entry->revision, .time_ms = entry->time_ms};
	if (entry->has_turns && !replay_turns(find, entry))
		return false;
	if (!entry->has_turns) {
		cube_copy(find->cube, entry->cube);
		find->at.move = -1;
		find_look_at(find, NULL);
	}
	looker_of(find)->entry(find, entry);
	find->last = entry->revision;
	return find_wants_more(find) && !job_slice_over(&find->ctx->job);
}

/* A slice may end within an entry; then the next slice visits it again. False: the slice ended
 * within it. */
static bool replay_turns(struct find *find, const struct entry *entry)
{
	while (find->turns_done < entry->turn_count) {
		const struct cube_turn *turn = &entry->turns[find->turns_done++];
		/* Older entries have turns by 0 quarters, which are not in the entry's text. */
		if (turn->quarters == 0)
			continue;
		cube_turn(find->cube, *turn);
		find->at.move = ++find->moves_done;
		find_look_at(find, turn);
		if (find->turns_done < entry->turn_count && job_slice_over(&find->ctx->job))
			return false;
	}
	find->turns_done = 0;
	find->moves_done = 0;
	return true;
}

static void find_look_at(struct find *find, const struct cube_turn *turn)
{
	size_t facelets = cube_facelets(find->cube->size);
	cube_colors(find->cube, find->colors);
	find->spent_ns += 50 + facelets;
	looker_of(find)->turned(find, turn);
}

static void find_end(struct find *find)
{
	if (find->failed) {
		ctx_no_memory(find->ctx);
		return;
	}
	looker_of(find)->end(find);
	bool whole = find->last >= find->upto || (find->finished && (find->first || find->stages));
	out_key(find->out, "next_after");
	if (whole)
		out_null(find->out);
	else
		out_integer(find->out, find->last);
	out_close(find->out, '}');
	ctx_reply_json(find->ctx, 200);
}

static void find_done(struct context *ctx)
{
	looker_of(ctx->data)->finish(ctx->data);
	ctx_answer(ctx);
}

uint32_t find_fits(struct find *find, const struct pattern_request *pattern)
{
	uint64_t nodes = pattern->query->span;
	find->spent_ns += nodes * (find->cube->size <= 3 ? 60 : 1000);
	return cube_query_match(pattern->query, find->colors, CUBE_FITS_ALL);
}

void find_place_write(struct out *out, const struct find_place *at)
{
	out_member_integer(out, "revision", at->revision);
	out_key(out, "move");
	if (at->move >= 0)
		out_integer(out, at->move);
	else
		out_null(out);
}

static void match_look(struct find *find)
{
	struct matches *matches = find->data;
	uint32_t fits = find->finished ? 0 : find_fits(find, find->patterns);
	if (find->finished || (fits != 0) == matches->holds)
		return;
	matches->holds = fits != 0;
	if (matches->holds) {
		out_open(find->out, '{');
		find_place_write(find->out, &find->at);
		pattern_fit_write(find->out, find->patterns, find->colors, __builtin_ctz(fits));
		return;
	}
	out_member_open(find->out, "lost", '{');
	find_place_write(find->out, &find->at);
	out_close(find->out, '}');
	out_close(find->out, '}');
	find->finished = ++matches->count == MATCHES_MAX || find->first;
}

static bool match_begin(struct find *find, int64_t time_ms)
{
	(void)time_ms;
	find->data = ctx_alloc(find->ctx, sizeof(struct matches));
	if (!find->data)
		return false;
	*(struct matches *)find->data = (struct matches){0};
	out_member_open(find->out, "matches", '[');
	match_look(find);
	return true;
}

static void match_turned(struct find *find, const struct cube_turn *turn)
{
	(void)turn;
	match_look(find);
}

static void match_end(struct find *find)
{
	const struct matches *matches = find->data;
	if (matches->holds) {
		out_member_null(find->out, "lost");
		out_close(find->out, '}');
	}
	out_close(find->out, ']');
}

static void match_entry(struct find *find, const struct entry *entry)
{
	(void)find;
	(void)entry;
}

static void match_finish(struct find *find)
{
	(void)find;
}
