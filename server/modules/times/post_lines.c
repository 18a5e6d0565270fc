/* post_lines.c: POST /v1/solves with NDJSON: a solve a line. Those that can be read are stored together. */
#include <string.h>

#include "server/api/input/batch.h"
#include "server/api/input/input.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/new_session.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/receipt.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/sent.h"
#include "server/util/monotonic.h"

/* The limits of one request: its lines, and the estimated time to judge them. */
#define LINES_MAX 10000
#define JUDGE_NS 2000000000
/* Reading and keeping a byte, in ns. What judging takes is known only then, so it is always done on
 * the thread for long computations. */
#define READ_BYTE_NS 100

struct lines {
	struct context *ctx;
	int size; /* of solves that do not say their own */
	uint32_t actor;
	int64_t now_ms;
	uint8_t first[SESSION_ID_BYTES]; /* id of the first solve, from which the others follow */
	struct stored_solve *solves;     /* on the arena; NULL: they are not stored again */
	size_t count, capacity;
	uint64_t cost;
};

static void lines_entered(struct context *ctx);
static void lines_compute(struct context *ctx);
static bool read_lines(struct lines *lines);
static bool read_line(struct lines *lines, struct batch_item *item);
static bool read_solve(struct lines *lines, struct context *ctx, struct sent_solve *sent);
static bool judge_solve(struct lines *lines, struct context *ctx, struct sent_solve *sent);
static bool keep(struct lines *lines, const struct stored_solve *solve);
static void write_line(struct lines *lines, size_t number, const struct stored_solve *solve);
static void lines_computed(struct context *ctx);

void times_lines_handle(struct context *ctx)
{
	struct lines *lines = ctx_alloc(ctx, sizeof *lines);
	if (lines)
		*lines = (struct lines){.ctx = ctx};
	ctx->data = lines;
	if (lines && etag_allows(ctx, NULL))
		book_enter(ctx, NEED_READ, lines_entered);
	else
		ctx_answer(ctx);
}

static void lines_entered(struct context *ctx)
{
	struct lines *lines = ctx->data;
	lines->size = ctx->visit.session->meta.size;
	lines->actor = authorize_actor(ctx);
	ctx_compute(ctx, LONG_COMPUTATION_NS + ctx->request->body_length * READ_BYTE_NS,
		    lines_compute, lines_computed);
}

static void lines_compute(struct context *ctx)
{
	struct lines *lines = ctx->data;
	lines->now_ms = wall_ms();
	lines->count = 0; /* also if another write came first, and all is read again */
	lines->cost = 0;
	lines->capacity = 64;
	lines->solves = ctx_alloc(ctx, lines->capacity * sizeof *lines->solves);
	if (!lines->solves || !new_solve_id(ctx, &ctx->visit.session->meta.id, lines->first) ||
	    !read_lines(lines))
		return;
	ctx->request->reply.status = 200;
	ctx->request->reply.content_type = media_type(MEDIA_NDJSON);
	ctx->visit.write.solves = lines->solves;
	ctx->visit.write.solve_count = lines->count;
	ctx->visit.write.solves_bytes = store_solves_bytes(&ctx->visit.write);
}

/* False with a problem of the whole request. */
static bool read_lines(struct lines *lines)
{
	struct batch batch = {.ctx = lines->ctx};
	struct batch_item item;
	bool read = true;
	for (size_t count = 0; read && batch_next(&batch, &item); count++) {
		if (count == LINES_MAX) {
			problem_answer(lines->ctx->request, PROBLEM_BODY_LARGE,
				       "A request may have at most 10000 lines.");
			read = false;
		} else {
			read = read_line(lines, &item);
		}
		batch_item_finish(&item);
	}
	return read;
}

static bool read_line(struct lines *lines, struct batch_item *item)
{
	struct context *ctx = &item->ctx;
	struct sent_solve sent = sent_solve_new;
	const struct reply *reply = &item->request.reply;
	if (read_solve(lines, ctx, &sent) && judge_solve(lines, ctx, &sent)) {
		write_line(lines, item->number, &sent.solve);
		lines->count++;
		return true;
	}
	if (lines->ctx->request->reply.status != 0)
		return false;
	if (reply->status == 0 || reply->status >= 500)
		return ctx_no_memory(lines->ctx);
	batch_error_write(item, &lines->ctx->request->reply.body);
	return true;
}

static bool read_solve(struct lines *lines, struct context *ctx, struct sent_solve *sent)
{
	if (!batch_line_fits(ctx) || !input_parse(ctx) || !sent_read(ctx, sent))
		return false;
	if (sent->session.bytes)
		return input_problem(ctx, "/session",
				     "All lines are of one session, which the request names.",
				     "the query parameter session, or its token", NULL);
	const int size = sent_size(sent, lines->size);
	lines->cost += sent_cost(ctx, sent, size);
	sent_begin(sent, size, lines->actor);
	if (lines->cost <= JUDGE_NS)
		return true;
	problem_answer(lines->ctx->request, PROBLEM_BODY_LARGE,
		       "Judging all lines would take too long; send fewer in one request.");
	return false;
}

static bool judge_solve(struct lines *lines, struct context *ctx, struct sent_solve *sent)
{
	struct stored_solve *solve = &sent->solve;
	const uint8_t *first = lines->first;
	if (!sent_judge(ctx, sent))
		return false;
	/* The first bytes differ: by them the store finds a solve. The bucket stays. */
	const uint32_t number = ((uint32_t)first[0] << 24 | (uint32_t)first[1] << 16 |
				 (uint32_t)first[2] << 8 | first[3]) +
				(uint32_t)lines->count;
	memcpy(solve->id, first, sizeof solve->id);
	for (int i = 0; i < 4; i++)
		solve->id[i] = (uint8_t)(number >> (24 - 8 * i));
	if (solve->created_ms == 0)
		solve->created_ms = lines->now_ms;
	return !lines->solves || keep(lines, solve);
}

/* Copies it, because the line's memory ends with the line. False with a 503. */
static bool keep(struct lines *lines, const struct stored_solve *solve)
{
	struct context *ctx = lines->ctx;
	if (lines->count == lines->capacity) {
		struct stored_solve *more =
			ctx_alloc(ctx, 2 * lines->capacity * sizeof *lines->solves);
		if (!more)
			return false;
		memcpy(more, lines->solves, lines->count * sizeof *more);
		lines->solves = more;
		lines->capacity *= 2;
	}
	return solve_keep(ctx, solve, &lines->solves[lines->count]);
}

/* Only what can be made again from the body and the first id. */
static void write_line(struct lines *lines, size_t number, const struct stored_solve *solve)
{
	struct buffer *body = &lines->ctx->request->reply.body;
	struct out out = {.buffer = body};
	char penalty[PENALTY_TEXT_MAX];
	out_open(&out, '{');
	number_member(&out, "line", (int64_t)number, true);
	solve_id_write(&out, "id", solve->id);
	text_member(&out, "event", solve_events[solve_event_of(solve->event, solve->size)].id);
	text_member(&out, "penalty", penalty_print(solve->penalty_ms, penalty));
	result_members(&out, time_result(solve->time_ms, solve->penalty_ms));
	out_close(&out, '}');
	buffer_add(body, "\n", 1);
}

static void lines_computed(struct context *ctx)
{
	const struct lines *lines = ctx->data;
	if (ctx->request->reply.status == 200 && lines->count > 0)
		solves_store(ctx);
	else
		ctx_answer(ctx);
}

void times_lines_again(struct context *ctx, const struct receipt_answer *answer)
{
	struct lines lines = {.ctx = ctx, .size = ctx->visit.session->meta.size};
	memcpy(lines.first, answer->solve, sizeof lines.first);
	if (read_lines(&lines))
		ctx->request->reply.status = 200;
}
