/* book_query.c: which solves are asked for, and their book. */
#include <stdlib.h>
#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/session_visit.h"
#include "server/modules/times/files/date.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/times_internal.h"
#include "server/util/container_of.h"

static bool read_book(struct context *ctx);

/* ---- the book ---- */

void book_enter(struct context *ctx, enum session_need need, void (*entered)(struct context *ctx))
{
	if (read_book(ctx))
		ctx_acquire(ctx, need, entered);
	else
		ctx_answer(ctx);
}

bool book_read(struct context *ctx, struct text member, bool *there)
{
	const bool named = member.bytes != NULL;
	const struct text id = named ? member : ctx->query.value[PARAMETER_SESSION];
	const struct json_place place = {.pointer = named ? "/session" : NULL,
					 .parameter = named ? NULL : "session"};
	*there = id.bytes || ctx->who.token > 0;
	if (id.bytes) {
		ctx->named = place;
		return input_session_id(ctx, &place, id, &ctx->visit.id);
	}
	ctx->visit.id = ctx->who.session;
	return true;
}

static bool read_book(struct context *ctx)
{
	bool there;
	return book_read(ctx, (struct text){0}, &there) &&
	       (there ||
		query_problem(
			ctx, "session",
			"Recorded solves are those of one session; name it, or send its token.",
			"session=ID, or the header Authorization: Bearer TOKEN", NULL));
}

void book_enter_or_new(struct context *ctx, enum session_need need,
		       void (*entered)(struct context *ctx))
{
	if (ctx->query.value[PARAMETER_SESSION].bytes || ctx->who.token > 0)
		book_enter(ctx, need, entered);
	else
		entered(ctx);
}

/* ---- parameters ---- */

static bool read_time_parameter(struct context *ctx, enum parameter parameter, const char *name,
				int64_t *ms)
{
	const struct text *text = &ctx->query.value[parameter];
	return !text->bytes || date_read(text->bytes, text->length, ms) ||
	       query_problem(ctx, name, "Invalid time.",
			     "a date, or a time in UTC such as 2026-11-21T18:00:00Z", NULL);
}

static bool read_penalty(struct context *ctx, struct solve_query *query)
{
	const struct text *text = &ctx->query.value[PARAMETER_PENALTY];
	int64_t penalty_ms;
	if (!text->bytes)
		return true;
	if (!penalty_find(*text, &penalty_ms) || penalty_ms > PENALTY_TWO)
		return query_problem(ctx, "penalty", "Unknown penalty; use none, +2 or dnf.",
				     "none, +2 or dnf", NULL);
	query->penalty = penalty_ms == PENALTY_DNF ? SOLVE_FAILED
			 : penalty_ms == 0         ? SOLVE_CLEAN
						   : SOLVE_PENALIZED;
	return true;
}

bool event_parameter(struct context *ctx, enum solve_event *event)
{
	const struct text *id = &ctx->query.value[PARAMETER_EVENT];
	char expected[EVENTS_TEXT_MAX];
	const char *suggestion;
	*event = EVENT_USUAL;
	if (!id->bytes)
		return true;
	*event = event_find(*id, expected, &suggestion);
	return *event != EVENT_USUAL ||
	       query_problem(ctx, "event", "Unknown event.", expected, suggestion);
}

bool solve_query_read(struct context *ctx, struct solve_query *query)
{
	int64_t size = -1;
	query->since_ms = INT64_MIN;
	query->until_ms = INT64_MAX;
	bool assisted = false;
	if (!query_bool(ctx, PARAMETER_ASSISTED, &assisted))
		return false;
	if (ctx->query.value[PARAMETER_ASSISTED].bytes)
		query->assisted = assisted ? SOLVE_ASSISTED : SOLVE_UNASSISTED;
	if (!query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx), &size) ||
	    !read_time_parameter(ctx, PARAMETER_FROM, "from", &query->since_ms) ||
	    !read_time_parameter(ctx, PARAMETER_TO, "to", &query->until_ms) ||
	    !read_penalty(ctx, query) || !event_parameter(ctx, &query->event))
		return false;
	query->size = (int)size;
	query->list = ctx->query.value[PARAMETER_LIST].bytes;
	return true;
}

/* ---- one solve ---- */

static bool keep_text(struct context *ctx, const char *text, const char **copy)
{
	*copy = text ? arena_text(&ctx->request->arena, text, strlen(text)) : NULL;
	return !text || *copy || ctx_no_memory(ctx);
}

bool solve_keep(struct context *ctx, const struct stored_solve *solve, struct stored_solve *copy)
{
	*copy = *solve;
	if (solve->base) {
		uint8_t *base = ctx_alloc(ctx, solve->base_bytes);
		if (!base)
			return false;
		memcpy(base, solve->base, solve->base_bytes);
		copy->base = base;
	}
	return keep_text(ctx, solve->scramble, &copy->scramble) &&
	       keep_text(ctx, solve->solution, &copy->solution) &&
	       keep_text(ctx, solve->comment, &copy->comment) &&
	       keep_text(ctx, solve->list, &copy->list) &&
	       keep_text(ctx, solve->list_name, &copy->list_name) &&
	       keep_text(ctx, solve->splits, &copy->splits) &&
	       keep_text(ctx, solve->source, &copy->source);
}

struct solve_finding {
	struct job job;
	struct context *ctx;
	struct session_id id;
	enum session_need need;
	struct stored_solve *solve;
	void (*entered)(struct context *ctx);
	enum store_status status;
};

static bool keep_found(void *context, const struct stored_solve *solve)
{
	struct solve_finding *finding = context;
	return solve_keep(finding->ctx, solve, finding->solve);
}

static void no_such_solve(struct context *ctx)
{
	problem_no_such_solve(ctx->request);
	ctx_answer(ctx);
}

static void find_run(struct job *job, struct store_reader *reader)
{
	struct solve_finding *finding = container_of(job, struct solve_finding, job);
	finding->status = finding->ctx->service->store->operations->solve(reader, finding->id.bytes,
									  keep_found, finding);
}

static void find_done(struct job *job)
{
	struct solve_finding *finding = container_of(job, struct solve_finding, job);
	struct context *ctx = finding->ctx;
	if (ctx->request->reply.status != 0) {
		ctx_answer(ctx);
	} else if (finding->status == STORE_NOT_FOUND) {
		ctx_seem_absent(ctx);
	} else if (finding->status != STORE_OK) {
		ctx_store_problem(ctx, finding->status);
		ctx_answer(ctx);
	} else {
		memcpy(ctx->visit.id.bytes, finding->solve->book, sizeof ctx->visit.id.bytes);
		ctx_acquire(ctx, finding->need, finding->entered);
	}
}

void solve_find(struct context *ctx, enum session_need need, struct stored_solve *solve,
		void (*entered)(struct context *ctx))
{
	struct solve_finding *finding = ctx_alloc(ctx, sizeof *finding);
	if (!finding) {
		ctx_answer(ctx);
		return;
	}
	*finding = (struct solve_finding){
		.job = {.run = find_run, .done = find_done, .client = ctx->client},
		.ctx = ctx,
		.need = need,
		.solve = solve,
		.entered = entered};
	if (session_id_parse(ctx->name.bytes, ctx->name.length, &finding->id))
		pool_submit(ctx->service->readers, &finding->job);
	else
		no_such_solve(ctx);
}
