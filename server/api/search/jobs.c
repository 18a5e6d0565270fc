/* jobs.c: GET and DELETE /v1/jobs/{job_id}. */
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/search/jobs_internal.h"
#include "server/api/search/solve_out.h"
#include "server/util/container_of.h"

/* The time that DELETE waits for the search to end. */
#define CANCEL_MS 2000

/* The phases of cancelling a job of another server, in order: that server is asked by a notice, and
 * looked at until the search has ended. */
enum cancel_phase {
	CANCEL_ASK,       /* the job was looked for; posts the notice */
	CANCEL_LISTEN,    /* gives the search some time... */
	CANCEL_READ,      /* ...reads the job again... */
	CANCEL_JUDGE,     /* ...and is content, or gives it more */
	CANCEL_TAKE_BACK, /* removes the notice */
	CANCEL_ANSWER,
	CANCEL_WAIT, /* continues later, or has been answered */
};

struct cancelling {
	struct job_elsewhere elsewhere; /* first; of a job of another server */
	enum cancel_phase resume_at;
	struct context *ctx;
	struct solve_job *job; /* NULL: it is of another server */
	struct job_listener listener;
	int waited_ms;
};

static void elsewhere_run(struct context *ctx, struct store_reader *reader);
static void read_elsewhere(struct context *ctx);
static void answer_elsewhere(struct context *ctx);
static void cancel_go_on(struct context *ctx);
static enum cancel_phase cancel_ask(struct context *ctx, struct cancelling *cancelling);
static enum cancel_phase cancel_listen(struct context *ctx, struct cancelling *cancelling);
static enum cancel_phase cancel_read(struct context *ctx, struct cancelling *cancelling);
static enum cancel_phase cancel_judge(struct context *ctx, const struct cancelling *cancelling);
static enum cancel_phase cancel_take_back(struct context *ctx, struct cancelling *cancelling);
static void post_cancel(struct context *ctx, struct store_reader *reader);
static void take_cancel_away(struct context *ctx, struct store_reader *reader);
static void cancel_heard(struct job *heard);
static void answer_job(struct context *ctx, struct solve_job *job);
static void write_job(struct context *ctx);
static void cancel_ended(struct job *heard);

void job_read_handle(struct context *ctx)
{
	struct solve_job *job = job_of_path(ctx);
	if (job)
		answer_job(ctx, job);
	else
		job_find_elsewhere(ctx, ctx_alloc(ctx, sizeof(struct job_elsewhere)),
				   read_elsewhere);
}

struct solve_job *job_of_path(struct context *ctx)
{
	return job_find(ctx->service->jobs, ctx->name.bytes, ctx->name.length);
}

static void no_such_job(struct context *ctx)
{
	problem_answer(ctx->request, PROBLEM_NO_SUCH_JOB,
		       "No job has this id, or its result is no longer kept.");
	ctx_answer(ctx);
}

void job_find_elsewhere(struct context *ctx, struct job_elsewhere *elsewhere,
			void (*then)(struct context *ctx))
{
	ctx->data = elsewhere;
	if (!elsewhere)
		ctx_answer(ctx);
	else if (job_elsewhere_begin(ctx->service, ctx->name, elsewhere))
		ctx_read(ctx, elsewhere_run, then);
	else
		no_such_job(ctx);
}

static void elsewhere_run(struct context *ctx, struct store_reader *reader)
{
	job_elsewhere_read(ctx->service, reader, ctx->data);
}

bool job_found_elsewhere(struct context *ctx)
{
	struct job_elsewhere *elsewhere = ctx->data;
	if (elsewhere->status == STORE_OK && elsewhere->found)
		return true;
	job_elsewhere_finish(elsewhere);
	if (elsewhere->status == STORE_OK) {
		no_such_job(ctx);
	} else {
		ctx_store_problem(ctx, elsewhere->status);
		ctx_answer(ctx);
	}
	return false;
}

static void read_elsewhere(struct context *ctx)
{
	if (job_found_elsewhere(ctx))
		answer_elsewhere(ctx);
}

static void answer_elsewhere(struct context *ctx)
{
	struct job_elsewhere *elsewhere = ctx->data;
	struct out out = {.buffer = &ctx->request->reply.body};
	job_write(&out, &elsewhere->view);
	job_retry_after(ctx, &elsewhere->view);
	job_elsewhere_finish(elsewhere);
	ctx_reply_json(ctx, 200);
	ctx_answer(ctx);
}

bool job_end_to_post(const struct context *ctx, const struct solve_job *job,
		     const struct job_view *view)
{
	return ctx->service->shared_jobs && job && view->status >= JOB_DONE &&
	       !shared_jobs_have_end(ctx->service, job);
}

static void answer_job(struct context *ctx, struct solve_job *job)
{
	struct job_view view;
	job_look(ctx->service->jobs, job, &view);
	ctx->data = job;
	if (job_end_to_post(ctx, job, &view))
		shared_jobs_publish(ctx, job, write_job);
	else
		write_job(ctx);
}

static void write_job(struct context *ctx)
{
	struct solve_job *job = ctx->data;
	struct job_view view;
	struct out out = {.buffer = &ctx->request->reply.body};
	job_look(ctx->service->jobs, job, &view);
	job_write(&out, &view);
	job_retry_after(ctx, &view);
	job_release(ctx->service->jobs, job);
	ctx_reply_json(ctx, 200);
	ctx_answer(ctx);
}

/* Answers when the search has ended, with its result. */
void job_cancel_handle(struct context *ctx)
{
	struct job_view view;
	struct cancelling *cancelling = ctx_alloc(ctx, sizeof *cancelling);
	if (!cancelling) {
		ctx_answer(ctx);
		return;
	}
	struct solve_job *job = job_of_path(ctx);
	if (!job) {
		*cancelling = (struct cancelling){.ctx = ctx,
						  .resume_at = CANCEL_ASK,
						  .listener = {.heard = {.done = cancel_heard}}};
		job_find_elsewhere(ctx, &cancelling->elsewhere, cancel_go_on);
		return;
	}
	job_cancel(ctx->service->jobs, job);
	job_look(ctx->service->jobs, job, &view);
	if (view.status >= JOB_DONE) {
		answer_job(ctx, job);
		return;
	}
	*cancelling = (struct cancelling){
		.ctx = ctx, .job = job, .listener = {.heard = {.done = cancel_ended}}};
	job_listen(ctx->service->jobs, job, &cancelling->listener, CANCEL_MS);
}

static void cancel_ended(struct job *heard)
{
	struct cancelling *cancelling = container_of(heard, struct cancelling, listener.heard);
	answer_job(cancelling->ctx, cancelling->job);
}

/* Do not touch the context after a phase that waits: it may have been answered. */
static void cancel_go_on(struct context *ctx)
{
	struct job_elsewhere *elsewhere = ctx->data;
	struct cancelling *cancelling = container_of(elsewhere, struct cancelling, elsewhere);
	enum cancel_phase phase = cancelling->resume_at;
	while (phase != CANCEL_WAIT)
		switch (phase) {
		case CANCEL_ASK:
			phase = cancel_ask(ctx, cancelling);
			break;
		case CANCEL_LISTEN:
			phase = cancel_listen(ctx, cancelling);
			break;
		case CANCEL_READ:
			phase = cancel_read(ctx, cancelling);
			break;
		case CANCEL_JUDGE:
			phase = cancel_judge(ctx, cancelling);
			break;
		case CANCEL_TAKE_BACK:
			phase = cancel_take_back(ctx, cancelling);
			break;
		case CANCEL_ANSWER:
			answer_elsewhere(ctx);
			return;
		case CANCEL_WAIT:
			return;
		}
}

static enum cancel_phase cancel_ask(struct context *ctx, struct cancelling *cancelling)
{
	if (!job_found_elsewhere(ctx))
		return CANCEL_WAIT;
	if (cancelling->elsewhere.view.status >= JOB_DONE)
		return CANCEL_ANSWER;
	cancelling->resume_at = CANCEL_LISTEN;
	ctx_post(ctx, post_cancel, cancel_go_on);
	return CANCEL_WAIT;
}

/* Fails if the notice could not be posted. */
static enum cancel_phase cancel_listen(struct context *ctx, struct cancelling *cancelling)
{
	if (!job_found_elsewhere(ctx))
		return CANCEL_WAIT;
	cancelling->resume_at = CANCEL_READ;
	job_listen(ctx->service->jobs, NULL, &cancelling->listener, JOB_ELSEWHERE_MS);
	return CANCEL_WAIT;
}

static enum cancel_phase cancel_read(struct context *ctx, struct cancelling *cancelling)
{
	cancelling->waited_ms += JOB_ELSEWHERE_MS;
	cancelling->resume_at = CANCEL_JUDGE;
	ctx_read(ctx, elsewhere_run, cancel_go_on);
	return CANCEL_WAIT;
}

static enum cancel_phase cancel_judge(struct context *ctx, const struct cancelling *cancelling)
{
	if (!job_found_elsewhere(ctx))
		return CANCEL_WAIT;
	return cancelling->elsewhere.view.status < JOB_DONE && cancelling->waited_ms < CANCEL_MS
		       ? CANCEL_LISTEN
		       : CANCEL_TAKE_BACK;
}

static enum cancel_phase cancel_take_back(struct context *ctx, struct cancelling *cancelling)
{
	cancelling->resume_at = CANCEL_ANSWER;
	ctx_post(ctx, take_cancel_away, cancel_go_on);
	return CANCEL_WAIT;
}

static void cancel_heard(struct job *heard)
{
	cancel_go_on(container_of(heard, struct cancelling, listener.heard)->ctx);
}

static void post_cancel(struct context *ctx, struct store_reader *reader)
{
	job_elsewhere_cancel(ctx->service, reader, ctx->data, true);
}

static void take_cancel_away(struct context *ctx, struct store_reader *reader)
{
	job_elsewhere_cancel(ctx->service, reader, ctx->data, false);
}
