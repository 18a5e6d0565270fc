/* shared_jobs.h: jobs that other servers of the same database can answer for; by a module.
 *
 * A job runs where it was submitted. Once it is answered 202, its server posts a notice of it
 * (store.h) each second while it runs, and at its end; the subject is a hash of the job's id, so the
 * database gives no id away. Another server reads the notice, and cancels the job by a notice of its
 * own. A job whose server has not posted for NOTICE_ALIVE_MS has failed.
 *
 * With the service's lock, unless it says otherwise. */
#ifndef SERVER_API_SEARCH_SHARED_JOBS_H
#define SERVER_API_SEARCH_SHARED_JOBS_H

#include "server/api/request/context.h"
#include "server/api/request/nodes.h"
#include "server/api/request/service_state.h"
#include "server/search/jobs.h"

struct shared_jobs;
struct job_elsewhere;

/* The functions of the module (server/modules/postgres/shared_jobs.c); described below. */
struct shared_jobs_calls {
	/* NULL if out of memory. `pool`: of one thread, which posts. */
	struct shared_jobs *(*create)(struct service *service, struct pool *pool);
	/* Stops posting. */
	void (*stop)(struct shared_jobs *shared);
	/* After jobs_stop() and the end of the pool: posts how the jobs ended. Without the lock. */
	void (*destroy)(struct shared_jobs *shared);
	void (*publish)(struct context *ctx, struct solve_job *job,
			void (*then)(struct context *ctx));
	bool (*have_end)(const struct shared_jobs *shared, const struct solve_job *job);
	bool (*begin)(struct text id, struct job_elsewhere *job);
	void (*read)(struct store_reader *reader, struct job_elsewhere *job);
	void (*cancel)(struct store_reader *reader, struct job_elsewhere *job, bool cancel);
};

/* Posts a job of this server now, then calls `then`; and again until it is no longer kept. Only if the
 * service has shared jobs. */
static inline void shared_jobs_publish(struct context *ctx, struct solve_job *job,
				       void (*then)(struct context *ctx))
{
	ctx->service->nodes->jobs->publish(ctx, job, then);
}
/* Returns true if the end of the job is posted, so that no server says less than this one. */
MUST_USE static inline bool shared_jobs_have_end(const struct service *service,
						 const struct solve_job *job)
{
	return service->nodes->jobs->have_end(service->shared_jobs, job);
}

/* ---- a job of another server ---- */

#define JOB_METHOD_BYTES 32

struct job_elsewhere {
	struct job_view view; /* valid if found */
	bool found;
	enum store_status status; /* of the search for it */
	char method[JOB_METHOD_BYTES];
	struct buffer text; /* of the view */
	uint8_t subject[NOTICE_SUBJECT_BYTES];
};

/* Prepares the search for a job by its id; false if it cannot be at another server. */
MUST_USE static inline bool job_elsewhere_begin(const struct service *service, struct text id,
						struct job_elsewhere *job)
{
	return service->nodes && service->nodes->jobs->begin(id, job);
}
/* Reads it, on a reader's thread. */
static inline void job_elsewhere_read(const struct service *service, struct store_reader *reader,
				      struct job_elsewhere *job)
{
	service->nodes->jobs->read(reader, job);
}
/* Posts a notice that cancels it, or takes that away; on the poster's thread. Sets job->status. */
static inline void job_elsewhere_cancel(const struct service *service, struct store_reader *reader,
					struct job_elsewhere *job, bool cancel)
{
	service->nodes->jobs->cancel(reader, job, cancel);
}
static inline void job_elsewhere_finish(struct job_elsewhere *job)
{
	buffer_free(&job->text);
}

#endif
