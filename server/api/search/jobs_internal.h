/* jobs_internal.h: what the reads of a job (jobs.c) and the stream of its progress (job_events.c)
 * share. */
#ifndef SERVER_API_SEARCH_JOBS_INTERNAL_H
#define SERVER_API_SEARCH_JOBS_INTERNAL_H

#include "server/api/search/shared_jobs.h"

/* The time between two reads of a job of another server. */
#define JOB_ELSEWHERE_MS 250

/* A reference to the job of the path, if it is of this server; else NULL. */
MUST_USE struct solve_job *job_of_path(struct context *ctx);
/* Reads what another server says about the job; `elsewhere` (NULL: out of memory) becomes
 * ctx->data. */
void job_find_elsewhere(struct context *ctx, struct job_elsewhere *elsewhere,
			void (*then)(struct context *ctx));
/* False: it was answered. */
MUST_USE bool job_found_elsewhere(struct context *ctx);
/* Returns true if shared_jobs_publish() comes first: an end is posted before it is answered. `job`
 * NULL: of another server. */
MUST_USE bool job_end_to_post(const struct context *ctx, const struct solve_job *job,
			      const struct job_view *view);

#endif
