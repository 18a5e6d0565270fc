/* recorded.c: GET /v1/solves, and reading, changing and removing one. */
#include <stddef.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/cursor.h"
#include "server/api/request/problem.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/receipt.h"
#include "server/api/steps/session_visit.h"
#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/handlers.h"
#include "server/modules/times/times_internal.h"
#include "server/times/timed.h"

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100

/* The maximum number of solves that one page skips. */
#define LOOK_AT 20000

/* A page of long solves ends early. */
#define PAGE_BYTES (4u << 20)

struct solve_list {
	struct context *ctx;
	struct solve_query query;
	int64_t limit, count;
	struct scan scan;
	struct out out;
	bool failed;
};

struct solve_change {
	struct stored_solve solve; /* as it is, and as it will be */
	struct context *ctx;
	enum store_status status;
	bool there, remove;
	struct text times; /* the solution with the client's times; bytes NULL: not given */
	bool penalty, comment, assistance, listed; /* are changed, to: */
	enum solve_event event;                    /* EVENT_USUAL: not changed */
	const char *list;
	int64_t penalty_ms;
	bool assisted;
	const char *text;
};

static void list_entered(struct context *ctx);
static void list_run(struct context *ctx, struct store_reader *reader);
static void list_begin(struct context *ctx, struct solve_list *list);
static bool list_visit(void *context, const struct stored_solve *solve);
static void read_entered(struct context *ctx);
static void read_compute(struct context *ctx);
static void write_solve(struct context *ctx, const struct stored_solve *solve);
static void change_start(struct context *ctx, bool remove);
static bool change_read(struct context *ctx, struct solve_change *change);
static void change_entered(struct context *ctx);
static void look_run(struct context *ctx, struct store_reader *reader);
static bool look_visit(void *context, const struct stored_solve *solve);
static void look_done(struct context *ctx);
static bool may_change(struct context *ctx, const struct stored_solve *solve);
static bool state_fits(struct context *ctx, const struct stored_solve *solve);
static bool change_apply(struct context *ctx, struct solve_change *change);
static bool change_times(struct context *ctx, struct solve_change *change);
static bool same_turns(const struct solve_moves *a, const struct solve_moves *b);
static bool write_times(struct context *ctx, struct stored_solve *solve,
			const struct solve_moves *moves);
static bool problem_owner(struct context *ctx);
static bool change_source(struct context *ctx, struct stored_solve *solve);

void times_list_handle(struct context *ctx)
{
	struct solve_list *list = ctx_alloc(ctx, sizeof *list);
	if (list)
		*list = (struct solve_list){
			.ctx = ctx, .limit = LIMIT_DEFAULT, .query = {.texts = true}};
	ctx->data = list;
	if (list && solve_query_read(ctx, &list->query) &&
	    query_integer(ctx, PARAMETER_LIMIT, 1, LIMIT_MAX, &list->limit) &&
	    cursor_read(ctx, &list->query.from)) {
		if (list->query.from == UINT64_MAX)
			list->query.from = 0; /* the beginning */
		book_enter(ctx, NEED_READ, list_entered);
	} else {
		ctx_answer(ctx);
	}
}

static void list_entered(struct context *ctx)
{
	struct solve_list *list = ctx->data;
	list->query.session = ctx->visit.session->meta.key;
	if (ctx->media != MEDIA_JSON) {
		solves_export(ctx, &list->query);
		return;
	}
	ctx_read(ctx, list_run, ctx_answer);
}

/* One slice: filters may skip many solves. */
static void list_run(struct context *ctx, struct store_reader *reader)
{
	struct solve_list *list = ctx->data;
	if (!list->out.buffer)
		list_begin(ctx, list);
	if (!scan_solves(&list->scan, reader, &list->query))
		return;
	if (list->scan.status != STORE_OK || list->failed) {
		ctx_store_problem(ctx, list->failed ? STORE_NO_MEMORY : list->scan.status);
		return;
	}
	page_end(ctx, &list->out, list->scan.at);
}

static void list_begin(struct context *ctx, struct solve_list *list)
{
	list->scan = (struct scan){.ctx = ctx,
				   .at = list->query.from,
				   .left = LOOK_AT,
				   .solve = list_visit,
				   .context = list};
	page_begin(ctx, &list->out);
}

static bool list_visit(void *context, const struct stored_solve *solve)
{
	struct solve_list *list = context;
	struct solve_moves moves;
	list->failed = !solve_moves_read(solve, SIZE_MAX / 64, &moves);
	if (list->failed)
		return false;
	out_open(&list->out, '{');
	list->failed = !book_write_solve(&list->out, solve, &moves, list->ctx->visit.roster);
	out_close(&list->out, '}');
	solve_moves_free(&moves);
	list->count++;
	return !list->failed && list->count < list->limit &&
	       list->out.buffer->length < PAGE_BYTES && !list->out.buffer->failed;
}

void times_read_handle(struct context *ctx)
{
	struct stored_solve *solve = ctx_alloc(ctx, sizeof *solve);
	ctx->data = solve;
	if (solve)
		solve_find(ctx, NEED_READ, solve, read_entered);
	else
		ctx_answer(ctx);
}

static void read_entered(struct context *ctx)
{
	const struct stored_solve *solve = ctx->data;
	const size_t moves = solve->solution ? strlen(solve->solution) / 2 : 0;
	ctx_compute(ctx, solve->size == 0 ? 0 : solve_stages_cost(solve->size, moves), read_compute,
		    NULL);
}

static void read_compute(struct context *ctx)
{
	write_solve(ctx, ctx->data);
}

static void write_solve(struct context *ctx, const struct stored_solve *solve)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	const struct etag_state state = solve_state(solve);
	struct solve_moves moves;
	etag_reply_form(ctx, &state, solve_form(solve, ctx->visit.roster));
	if (etag_unchanged(ctx))
		return;
	if (!solve_moves_read(solve, SIZE_MAX / 64, &moves)) {
		ctx_no_memory(ctx);
		return;
	}
	out_open(&out, '{');
	bool written = book_write_solve(&out, solve, &moves, ctx->visit.roster) &&
		       solve_stages_write(&out, solve, &moves);
	out_close(&out, '}');
	solve_moves_free(&moves);
	if (written)
		ctx_reply_json(ctx, 200);
	else
		ctx_no_memory(ctx);
}

void times_change_handle(struct context *ctx)
{
	change_start(ctx, false);
}

static void change_start(struct context *ctx, bool remove)
{
	struct solve_change *change = ctx_alloc(ctx, sizeof *change);
	if (change)
		*change = (struct solve_change){.ctx = ctx, .remove = remove};
	ctx->data = change;
	if (change && (remove || change_read(ctx, change)))
		solve_find(ctx, NEED_ALONE, &change->solve, change_entered);
	else
		ctx_answer(ctx);
}

static bool change_read(struct context *ctx, struct solve_change *change)
{
	struct text penalty = {0}, event = {0};
	struct json_value *comment = NULL, *assisted = NULL, *list = NULL;
	const struct json_member as_bool = {.type = JSON_BOOLEAN, .into = &change->assisted};
	const struct json_member members[] = {
		{"penalty", JSON_TEXT, &penalty, 0, 0},
		{"comment", JSON_ANY, &comment, 0, 0},
		{"solution", JSON_TEXT, &change->times, 0, 0},
		{"assisted", JSON_ANY, &assisted, 0, 0},
		{"list", JSON_ANY, &list, 0, 0},
		{"event", JSON_TEXT, &event, 0, 0},
	};
	if (!input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]))
		return false;
	if (!penalty.bytes && !comment && !change->times.bytes && !assisted && !list &&
	    !event.bytes)
		return input_problem(
			ctx, "", "At least one change is required.",
			"at least one of penalty, comment, list, event, solution, assisted", NULL);
	change->listed = list != NULL;
	if (!list_read(ctx, list, &change->list) ||
	    (event.bytes && !event_read(ctx, event, &change->event)))
		return false;
	change->assistance = assisted != NULL;
	if (assisted && !input_value(ctx, assisted, "/assisted", &as_bool))
		return false;
	if (penalty.bytes && !penalty_read(ctx, penalty, "/penalty", &change->penalty_ms))
		return false;
	change->penalty = penalty.bytes != NULL;
	change->comment = comment != NULL;
	return !comment || comment_read(ctx, comment, &change->text);
}

static void change_entered(struct context *ctx)
{
	session_lock(&ctx->visit);
	ctx_read(ctx, look_run, look_done);
}

/* It may have changed since it was found. */
static void look_run(struct context *ctx, struct store_reader *reader)
{
	struct solve_change *change = ctx->data;
	uint8_t id[sizeof change->solve.id];
	memcpy(id, change->solve.id, sizeof id);
	change->there = false;
	change->status = ctx->service->store->operations->solve(reader, id, look_visit, change);
}

static bool look_visit(void *context, const struct stored_solve *solve)
{
	struct solve_change *change = context;
	change->there = solve_keep(change->ctx, solve, &change->solve);
	return change->there;
}

static void look_done(struct context *ctx)
{
	struct solve_change *change = ctx->data;
	struct store_write *write = &ctx->visit.write;
	if (ctx->request->reply.status == 0 && change->status == STORE_NOT_FOUND)
		problem_no_such_solve(ctx->request);
	else if (ctx->request->reply.status == 0 && change->status != STORE_OK)
		ctx_store_problem(ctx, change->status);
	if (ctx->request->reply.status == 0 && may_change(ctx, &change->solve) &&
	    state_fits(ctx, &change->solve) && (change->remove || change_apply(ctx, change))) {
		if (change->remove)
			ctx->request->reply.status = 204;
		write->kind = change->remove ? WRITE_SOLVE_DROP : WRITE_SOLVE_CHANGE;
		write->meta = ctx->visit.session->meta;
		write->solves = &change->solve;
		write->solve_count = 1;
		if (ctx_reply_made(ctx)) {
			ctx_write(ctx);
			return;
		}
	}
	ctx_answer(ctx);
}

/* An owner may change all solves, others only their own. */
static bool may_change(struct context *ctx, const struct stored_solve *solve)
{
	if (authorize_owns(ctx) || solve->actor == authorize_actor(ctx))
		return true;
	if (authorize_actor(ctx) > 0)
		problem_answer(ctx->request, PROBLEM_ROLE_SMALL,
			       "Only an owner of the session may change the solves of others.");
	else
		problem_answer(
			ctx->request, PROBLEM_TOKEN_REQUIRED,
			"The token of the solver or of an owner of the session is required.");
	return false;
}

static bool state_fits(struct context *ctx, const struct stored_solve *solve)
{
	const struct etag_state state = solve_state(solve);
	return !etag_asked(ctx) || etag_allows(ctx, &state);
}

static bool change_apply(struct context *ctx, struct solve_change *change)
{
	struct stored_solve *solve = &change->solve;
	if (change->times.bytes && !change_times(ctx, change))
		return false;
	if (change->penalty)
		solve->penalty_ms = change->penalty_ms;
	if (change->comment)
		solve->comment = change->text;
	if (!solve_place(ctx, solve, change->listed, change->list, change->event))
		return false;
	if (change->assistance) {
		if (solve->assisted && !change->assisted && !authorize_owns(ctx))
			return problem_owner(ctx);
		solve->assisted = change->assisted;
	}
	if (solve->source && !change_source(ctx, solve))
		return false;
	write_solve(ctx, solve);
	return ctx->request->reply.status == 200;
}

/* The solve of a session has the server's times, which include the network's delays: the solver may
 * replace them by their own. */
static bool change_times(struct context *ctx, struct solve_change *change)
{
	struct stored_solve *solve = &change->solve;
	const struct stored_solve sent = {.solution = change->times.bytes, .size = solve->size};
	struct solve_moves moves = {0}, recorded = {0};
	bool done = false;
	if (!solve_moves_read(&sent, SIZE_MAX / 64, &moves) ||
	    !solve_moves_read(solve, SIZE_MAX / 64, &recorded))
		ctx_no_memory(ctx);
	else if (solve->origin != SOLVE_OF_SESSION || moves.count < 2 || !moves.times ||
		 !same_turns(&moves, &recorded))
		input_problem(ctx, "/solution",
			      "solution can only add times to the moves recorded in a session.",
			      "the recorded moves with a time after each: R@0 U@120", NULL);
	else
		done = write_times(ctx, solve, &moves);
	solve_moves_free(&moves);
	solve_moves_free(&recorded);
	return done;
}

static bool same_turns(const struct solve_moves *a, const struct solve_moves *b)
{
	if (!a->turns || a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->turns[i].face != b->turns[i].face || a->turns[i].from != b->turns[i].from ||
		    a->turns[i].to != b->turns[i].to ||
		    a->turns[i].quarters != b->turns[i].quarters)
			return false;
	return true;
}

static bool write_times(struct context *ctx, struct stored_solve *solve,
			const struct solve_moves *moves)
{
	char *text = ctx_alloc(ctx, timed_text_max(moves->count));
	if (!text)
		return false;
	timed_skip_inspection(solve->size, moves->turns, moves->count, moves->times);
	timed_print(solve->size, moves->turns, moves->times, moves->count, text);
	solve->solution = text;
	solve->clock = SOLVE_CLIENT_CLOCK;
	solve->time_ms = solve_moves_time(moves, solve->size);
	return true;
}

static bool problem_owner(struct context *ctx)
{
	problem_answer(ctx->request, PROBLEM_ROLE_SMALL,
		       "Only an owner of the session may mark a solve as not assisted.");
	return false;
}

/* An imported solve keeps its own text, with the changes made in it. */
static bool change_source(struct context *ctx, struct stored_solve *solve)
{
	struct buffer text = {0};
	const struct span source = {solve->source, strlen(solve->source)};
	const struct span comment = {solve->comment ? solve->comment : "",
				     solve->comment ? strlen(solve->comment) : 0};
	cstimer_solve_change(&text, source, solve->penalty_ms, comment, solve->assisted);
	const char *copy =
		text.failed ? NULL : arena_text(&ctx->request->arena, text.bytes, text.length);
	buffer_free(&text);
	solve->source = copy;
	return copy || ctx_no_memory(ctx);
}

void times_remove_handle(struct context *ctx)
{
	change_start(ctx, true);
}

void times_change_again(struct context *ctx, struct store_reader *reader,
			const struct receipt_answer *answer)
{
	struct solve_change *change = ctx_alloc(ctx, sizeof *change);
	struct session_id id;
	if (!change)
		return;
	*change = (struct solve_change){.ctx = ctx};
	if (!input_parse(ctx) || !change_read(ctx, change))
		return;
	enum store_status status = STORE_NOT_FOUND;
	if (session_id_parse(ctx->name.bytes, ctx->name.length, &id))
		status = ctx->service->store->operations->solve(reader, id.bytes, look_visit,
								change);
	if (status == STORE_NOT_FOUND)
		problem_no_such_solve(ctx->request);
	else if (status != STORE_OK)
		ctx_store_problem(ctx, status);
	if (!change->there || (change->times.bytes && !change_times(ctx, change)))
		return;
	change->solve.clock = (uint8_t)answer->clock;
	change->solve.assisted = answer->assisted != 0;
	change->solve.time_ms = (int64_t)answer->time_ms;
	change->solve.penalty_ms = (int64_t)answer->penalty_ms;
	if (change->comment)
		change->solve.comment = change->text;
	if (solve_place(ctx, &change->solve, change->listed, change->list, change->event))
		write_solve(ctx, &change->solve);
}
