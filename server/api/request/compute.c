/* compute.c: which thread does the work of a request: this one, a worker, the one for long
 * computations, or a reader of the store. */
#include "server/api/request/context.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/util/container_of.h"

/* The time that a loop's thread may take while the lock is held, for which all loops wait; without it
 * INLINE_NS. Work that takes longer goes to a worker, and what takes longer than WORKER_NS to the thread
 * for long computations, so that nothing short waits behind it. */
#define LOCKED_NS 30000
/* The longest that a computation may have to wait for a worker, by processor time. The clock runs
 * faster, since loops and other threads use the same cores, and a client that waits for some seconds
 * gives up, so that its computation is wasted. A client's first one may wait for longer, so that many
 * clients with one question each are all answered. */
static const struct pool_patience patience = {.first_ns = 1000000000, .further_ns = 250000000};

void ctx_problem_left(struct context *ctx)
{
	problem_answer(
		ctx->request, PROBLEM_BUSY,
		"The client closed its side of the connection before the answer was computed, "
		"which cancels the request. Keep the connection open until the answer arrives.");
	problem_reason(ctx->request, REFUSAL_CLIENT_LEFT);
}

void ctx_drop(struct job *job)
{
	struct context *ctx = ctx_of_job(job);
	buffer_free(&ctx->request->reply.body);
	ctx_problem_left(ctx);
	job->done(job);
}

struct context *ctx_of_job(struct job *job)
{
	return container_of(job, struct context, job);
}

/* No session is held while its visit waits for a thread. With the lock, before the job is queued. */
static void yield_until_run(struct context *ctx)
{
	if (ctx->visit.state != VISIT_HOLDING || ctx->service->inline_jobs)
		return;
	/* If it keeps the session, it goes ahead of the client's other jobs. */
	if (!session_yield(&ctx->visit))
		ctx->job.queued.begun = true;
}

/* On the job's thread. False: the session has changed, and nothing is to be done. */
static bool is_resumed(struct context *ctx)
{
	if (ctx->visit.state != VISIT_APART)
		return true;
	lock_acquire(&ctx->service->session_cache.lock);
	const bool resumed = session_resume(&ctx->visit);
	lock_release(&ctx->service->session_cache.lock);
	return resumed;
}

static void compute_run(struct job *job, struct store_reader *reader)
{
	struct context *ctx = ctx_of_job(job);
	(void)reader;
	if (is_resumed(ctx))
		ctx->wait.compute(ctx);
}

static void compute_done(struct job *job)
{
	struct context *ctx = ctx_of_job(job);
	if (ctx->visit.state == VISIT_LOST)
		session_enter_again(&ctx->visit);
	else if (ctx->wait.then)
		ctx->wait.then(ctx);
	else
		ctx_answer(ctx);
}

static void read_run(struct job *job, struct store_reader *reader)
{
	struct context *ctx = ctx_of_job(job);
	if (is_resumed(ctx))
		ctx->wait.read(ctx, reader);
}

static void read_on(struct pool *pool, struct context *ctx,
		    void (*read)(struct context *ctx, struct store_reader *reader),
		    void (*then)(struct context *ctx))
{
	ctx->wait.read = read;
	ctx->wait.then = then;
	ctx->job.run = read_run;
	ctx->job.done = compute_done;
	yield_until_run(ctx);
	pool_submit(pool, &ctx->job);
}

void ctx_read(struct context *ctx, void (*read)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx))
{
	read_on(ctx->service->readers, ctx, read, then);
}

void ctx_post(struct context *ctx, void (*post)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx))
{
	read_on(ctx->service->poster, ctx, post, then);
}

void ctx_scan(struct context *ctx, void (*read)(struct context *ctx, struct store_reader *reader),
	      void (*then)(struct context *ctx))
{
	read_on(ctx->service->scans, ctx, read, then);
}

static uint64_t limit_ns(uint64_t limit_ms)
{
	return limit_ms > UINT64_MAX / 1000000 ? UINT64_MAX / 2 : limit_ms * 1000000;
}

/* Answers the problem that is set. Failures end in `then` as well: it frees what the context holds. */
static void refuse_computation(struct context *ctx)
{
	if (ctx->visit.state == VISIT_APART && !session_resume(&ctx->visit))
		session_forgo(&ctx->visit); /* it is answered all the same */
	compute_done(&ctx->job);
}

static void compute_soon(struct context *ctx)
{
	yield_until_run(ctx);
	if (pool_submit_soon(ctx->service->workers, &ctx->job, &patience))
		return;
	problem_answer(ctx->request, PROBLEM_BUSY,
		       "Too many computations are waiting already. Try again, or send fewer "
		       "requests at a time.");
	refuse_computation(ctx);
}

static void compute_slowly(struct context *ctx, uint64_t cost_ns)
{
	const struct limits *limits = &ctx->service->config.limits;
	const struct pool_share share = {
		.total_ns = limit_ns(limits->computing_ms),
		.client_ns = limit_ns(ctx->rates.counted ? limits->address_computing_ms
							 : limits->computing_ms),
	};
	yield_until_run(ctx);
	switch (pool_admit(ctx->service->slow, &ctx->job, cost_ns, &share)) {
	case POOL_ADMITTED:
		return;
	case POOL_CLIENT_FULL:
		problem_full(ctx->request, "Too many long computations from this address are "
					   "waiting. Try again, or ask for less at a time.");
		problem_reason(ctx->request, REFUSAL_ADDRESS_COMPUTING);
		break;
	case POOL_FULL:
		problem_answer(ctx->request, PROBLEM_BUSY,
			       "Too many long computations are waiting. Try again, or ask for less "
			       "at a time.");
		problem_reason(ctx->request, REFUSAL_COMPUTING);
		break;
	}
	refuse_computation(ctx);
}

void ctx_compute(struct context *ctx, uint64_t cost_ns, void (*compute)(struct context *ctx),
		 void (*then)(struct context *ctx))
{
	ctx->wait.compute = compute;
	ctx->wait.then = then;
	ctx->job.run = compute_run;
	ctx->job.done = compute_done;
	const bool alone = session_is_exclusive(&ctx->visit);
	if (cost_ns <= (alone ? INLINE_NS : LOCKED_NS)) {
		if (alone)
			lock_release(&ctx->service->session_cache.lock);
		compute(ctx);
		if (alone)
			lock_acquire(&ctx->service->session_cache.lock);
		compute_done(&ctx->job);
	} else if (cost_ns <= WORKER_NS) {
		compute_soon(ctx);
	} else {
		compute_slowly(ctx, cost_ns);
	}
}
