/* shared_jobs.h: jobs that other servers of the same database can answer for.
 *
 * A job runs where it was submitted. Once it is answered 202, its server posts a notice of it
 * (store.h) each second while it runs, and at its end; the subject is a hash of the job's id, so the
 * database gives no id away. Another server reads the notice, and cancels the job by a notice of its
 * own. A job whose server has not posted for NOTICE_ALIVE_MS has failed.
 *
 * With the service's lock, unless it says otherwise. */
#ifndef SERVER_API_SOLVING_SHARED_JOBS_H
#define SERVER_API_SOLVING_SHARED_JOBS_H

#include "server/api/request/context.h"
#include "server/solving/jobs.h"

struct shared_jobs;

/* NULL if out of memory. `pool`: of one thread, which posts. */
MUST_USE struct shared_jobs *shared_jobs_create(struct service *service, struct pool *pool);
/* Stops posting. */
void shared_jobs_stop(struct shared_jobs *shared);
/* After jobs_stop() and the end of the pool: posts how the jobs ended. Without the lock. NULL is
 * fine. */
void shared_jobs_destroy(struct shared_jobs *shared);

/* Posts a job of this server now, then calls `then`; and again until it is no longer kept. */
void shared_jobs_publish(struct context *ctx, struct solve_job *job,
			 void (*then)(struct context *ctx));
/* Returns true if the end of the job is posted, so that no server says less than this one. */
MUST_USE bool shared_jobs_have_end(const struct shared_jobs *shared, const struct solve_job *job);

/* ---- a job of another server (jobs_elsewhere.c) ---- */

#define JOB_METHOD_BYTES 32

struct job_elsewhere {
	struct job_view view; /* valid if found */
	bool found;
	enum store_status status; /* of the search for it */
	char method[JOB_METHOD_BYTES];
	struct buffer text; /* of the view */
	uint8_t subject[NOTICE_SUBJECT_BYTES];
};

/* Write and read a notice about a job; `view->id` is not in it. False if it is not such a notice.
 * Any thread. */
void job_notice_write(const struct job_view *view, struct buffer *bytes);
MUST_USE bool job_notice_read(const struct store_notice *notice, struct job_elsewhere *job);
void job_subject(const char *id, uint8_t subject[NOTICE_SUBJECT_BYTES]);
/* A notice that cancels the job of its subject. */
extern const uint8_t job_cancel_notice[1];
MUST_USE bool job_notice_cancels(const struct store_notice *notice);

/* Prepares the search for a job by its id; false if it cannot be at another server. */
MUST_USE bool job_elsewhere_begin(const struct service *service, struct text id,
				  struct job_elsewhere *job);
/* Reads it, on a reader's thread. */
void job_elsewhere_read(struct store_reader *reader, struct job_elsewhere *job);
void job_elsewhere_finish(struct job_elsewhere *job);

#endif
