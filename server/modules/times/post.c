/* post.c: POST /v1/solves: a solve made elsewhere is judged and recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "server/access/secret.h"
#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/new_session.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/idempotency.h"
#include "server/api/steps/rate_limit.h"
#include "server/api/steps/receipt.h"
#include "server/api/steps/session_visit.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/handlers.h"
#include "server/modules/times/sent.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

struct post {
	struct sent_solve sent;
	struct stored_token owner;
	char token[TOKEN_TEXT + 1]; /* of a new book; "": the book exists */
};

struct storing {
	struct job job;
	struct context *ctx;
	enum store_status status;
	uint64_t count;
};

static void post_entered(struct context *ctx);
static void post_compute(struct context *ctx);
static void reply(struct context *ctx, const struct post *post);
static void post_computed(struct context *ctx);
static void write_solves(struct context *ctx, uint64_t count);
static void count_run(struct job *job, struct store_reader *reader);
static void count_done(struct job *job);

void times_post_handle(struct context *ctx)
{
	if (ctx->lines) {
		times_lines_handle(ctx);
		return;
	}
	struct post *post = ctx_alloc(ctx, sizeof *post);
	bool there;
	if (post)
		*post = (struct post){.sent = sent_solve_new};
	ctx->data = post;
	if (!post || !etag_allows(ctx, NULL) || !sent_read(ctx, &post->sent) ||
	    !book_read(ctx, post->sent.session, &there))
		ctx_answer(ctx);
	else if (there)
		ctx_acquire(ctx, NEED_READ, post_entered);
	else
		post_entered(ctx);
}

static void post_entered(struct context *ctx)
{
	struct post *post = ctx->data;
	if (!ctx->visit.session && !rate_limit_creation(ctx)) {
		ctx_answer(ctx);
		return;
	}
	const int usual =
		ctx->visit.session ? ctx->visit.session->meta.size : (int)input_size_default(ctx);
	const int size = sent_size(&post->sent, usual);
	sent_begin(&post->sent, size, ctx->visit.session ? authorize_actor(ctx) : 1);
	uint64_t cost = sent_cost(ctx, &post->sent, size);
	if (moves_given(&post->sent.solution))
		cost += solve_stages_cost(size, post->sent.solution.text.length / 2);
	ctx_compute(ctx, cost, post_compute, post_computed);
}

static void post_compute(struct context *ctx)
{
	struct post *post = ctx->data;
	struct stored_solve *solve = &post->sent.solve;
	if (!sent_judge(ctx, &post->sent))
		return;
	if (!ctx->visit.session &&
	    !book_make(ctx, solve->size ? solve->size : (int)input_size_default(ctx), &post->owner,
		       post->token))
		return;
	const struct session_id *book = book_id(ctx);
	if (!new_solve_id(ctx, book, solve->id))
		return;
	memcpy(solve->book, book->bytes, sizeof solve->book);
	if (solve->created_ms == 0)
		solve->created_ms = wall_ms();
	reply(ctx, post);
	if (post->token[0])
		idempotency_token(ctx, post->token);
	secret_forget(post->token, sizeof post->token);
	ctx->visit.write.solves = solve;
	ctx->visit.write.solve_count = 1;
}

const struct session_id *book_id(const struct context *ctx)
{
	return ctx->visit.session ? &ctx->visit.session->meta.id : &ctx->visit.write.meta.id;
}

bool book_make(struct context *ctx, int size, struct stored_token *owner, char *token)
{
	struct cube *cube = ctx_alloc(ctx, cube_bytes(size));
	if (!cube)
		return false;
	cube_init(cube, size);
	const struct session_meta meta = {.size = (uint8_t)size, .access = ACCESS_NONE};
	return new_session(ctx, cube, &meta, owner, token);
}

static void reply(struct context *ctx, const struct post *post)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	struct session_id id;
	char location[64] = "/v1/solves/";
	struct roster *roster =
		post->token[0] ? roster_create(&post->owner, 1) : roster_share(ctx->visit.roster);
	out_open(&out, '{');
	const bool written = (roster || !post->token[0]) &&
			     book_write_solve(&out, &post->sent.solve, &post->sent.moves, roster) &&
			     solve_stages_write(&out, &post->sent.solve, &post->sent.moves);
	roster_release(roster);
	if (!written) {
		ctx_no_memory(ctx);
		return;
	}
	if (post->token[0])
		text_member(&out, "token", post->token);
	out_close(&out, '}');
	ctx_reply_json(ctx, 201);
	memcpy(id.bytes, post->sent.solve.id, sizeof id.bytes);
	session_id_print(&id, location + strlen(location));
	ctx->request->reply.location = ctx_reply_text(ctx, location, strlen(location));
}

static void post_computed(struct context *ctx)
{
	if (ctx->request->reply.status == 201)
		solves_store(ctx);
	else
		ctx_answer(ctx);
}

void solves_store(struct context *ctx)
{
	if (!ctx->visit.session) {
		write_solves(ctx, 0);
		return;
	}
	struct storing *storing = ctx_alloc(ctx, sizeof *storing);
	if (!storing) {
		ctx_answer(ctx);
		return;
	}
	*storing = (struct storing){
		.job = {.run = count_run, .done = count_done, .client = ctx->client}, .ctx = ctx};
	pool_submit(ctx->service->readers, &storing->job);
}

static void write_solves(struct context *ctx, uint64_t count)
{
	if (count + ctx->visit.write.solve_count > ctx->service->config.limits.solves)
		problem_answer(ctx->request, PROBLEM_SOLVES_FULL,
			       "The session would have too many solves (solves in /v1/limits).");
	else if (ctx_reply_made(ctx)) {
		ctx_write(ctx);
		return;
	}
	ctx_answer(ctx);
}

static void count_run(struct job *job, struct store_reader *reader)
{
	struct storing *storing = container_of(job, struct storing, job);
	struct context *ctx = storing->ctx;
	storing->status = ctx->service->store->operations->solve_count(
		reader, ctx->visit.session->meta.key, &storing->count);
}

static void count_done(struct job *job)
{
	struct storing *storing = container_of(job, struct storing, job);
	struct context *ctx = storing->ctx;
	if (storing->status == STORE_OK) {
		ctx->visit.write.kind = WRITE_SOLVES;
		ctx->visit.write.meta = ctx->visit.session->meta;
		write_solves(ctx, storing->count);
	} else {
		ctx_store_problem(ctx, storing->status);
		ctx_answer(ctx);
	}
}

void times_post_again(struct context *ctx, const struct receipt_answer *answer)
{
	if (ctx->lines) {
		times_lines_again(ctx, answer);
		return;
	}
	struct post *post = ctx_alloc(ctx, sizeof *post);
	if (!post)
		return;
	*post = (struct post){.sent = sent_solve_new};
	if (!sent_read(ctx, &post->sent))
		return;
	sent_begin(&post->sent, (int)answer->size, (uint32_t)answer->actor);
	if (!sent_judge(ctx, &post->sent))
		return;
	memcpy(post->sent.solve.id, answer->solve, sizeof post->sent.solve.id);
	memcpy(post->sent.solve.book, answer->session.bytes, sizeof post->sent.solve.book);
	post->sent.solve.created_ms = (int64_t)answer->created_ms;
	post->owner = (struct stored_token){
		.number = 1, .role = ROLE_OWNER, .created_ms = post->sent.solve.created_ms};
	if (answer->token)
		snprintf(post->token, sizeof post->token, "%s", answer->token);
	reply(ctx, post);
	secret_forget(post->token, sizeof post->token);
}
