/* compute.c: where a request's computations are made: here, on a worker, or among the long ones. */
#include "server/api/work.h"

#include <stddef.h>

#include "server/api/limit.h"
#include "server/api/problem.h"
#include "server/api/state.h"

/* What the loop's thread may do at a time; what takes longer goes to a worker, and what takes
 * longer than WORKER_NS to the one for long computations, so that nothing short waits behind it. */
#define INLINE_NS 300000
/* The same where the lock is kept meanwhile, which all loops wait for. */
#define LOCKED_NS 30000

void work_problem_left(struct work *work)
{
	problem_answer(work->request, PROBLEM_BUSY,
		       "The client closed its side of the connection before this was computed, "
		       "which counts as leaving. Keep the connection open until the answer.");
}

void work_drop(struct job *job)
{
	struct work *work = work_of_job(job);
	buffer_free(&work->request->reply.body);
	work_problem_left(work);
	job->done(job);
}

struct work *work_of_job(struct job *job)
{
	return (struct work *)((char *)job - offsetof(struct work, job));
}

static void compute_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	(void)reader;
	work->compute(work);
}

static void compute_done(struct job *job)
{
	struct work *work = work_of_job(job);
	if (work->then)
		work->then(work);
	else
		work_answer(work);
}

static uint64_t limit_ns(uint64_t limit_ms)
{
	return limit_ms > UINT64_MAX / 1000000 ? UINT64_MAX / 2 : limit_ms * 1000000;
}

/* Also what fails leaves by `then`: it frees what the work has. */
static void compute_slowly(struct work *work, uint64_t cost_ns)
{
	const struct limits *limits = &work->service->config.limits;
	const struct pool_share share = {
		.total_ns = limit_ns(limits->computing_ms),
		.client_ns = limit_ns(work->counted ? limits->address_computing_ms
						    : limits->computing_ms),
	};
	switch (pool_admit(work->service->slow, &work->job, cost_ns, &share)) {
	case POOL_ADMITTED:
		return;
	case POOL_CLIENT_FULL:
		limit_full(work->request,
			   "Too many long computations of this address are waiting. Try again, or "
			   "ask for less at a time.");
		break;
	case POOL_FULL:
		problem_answer(work->request, PROBLEM_BUSY,
			       "Too many long computations are waiting. Try again, or ask for less "
			       "at a time.");
		break;
	}
	compute_done(&work->job);
}

void work_compute(struct work *work, uint64_t cost_ns, void (*compute)(struct work *work),
		  void (*then)(struct work *work))
{
	work->compute = compute;
	work->then = then;
	work->job.run = compute_run;
	work->job.done = compute_done;
	const bool alone = hub_works_alone(work);
	if (cost_ns <= (alone ? INLINE_NS : LOCKED_NS)) {
		if (alone)
			pthread_mutex_unlock(&work->service->lock);
		compute(work);
		if (alone)
			pthread_mutex_lock(&work->service->lock);
		compute_done(&work->job);
	} else if (cost_ns <= WORKER_NS) {
		pool_submit(work->service->workers, &work->job);
	} else {
		compute_slowly(work, cost_ns);
	}
}
