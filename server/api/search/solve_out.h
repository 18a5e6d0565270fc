/* solve_out.h: writing solutions and jobs. */
#ifndef SERVER_API_SEARCH_SOLVE_OUT_H
#define SERVER_API_SEARCH_SOLVE_OUT_H

#include "server/api/request/context.h"
#include "server/json/writer.h"
#include "server/search/jobs.h"

/* In the API: "htm", "qtm". */
extern const char *const solve_metric_names[CUBE_SOLVE_METRICS];

/* The text of a solution as /v1/solve answers it, without a line break: a jobs_options.write. */
void solve_write(const struct solve_question *question, const struct solve_answer *answer,
		 enum solve_end end, struct buffer *text);

/* Makes the reply the problem of a question that was not admitted as a job. */
void solve_refuse(struct context *ctx, enum job_admission admission);

/* Makes the reply the problem of a job that failed or was cancelled. */
void solve_problem(struct request *request, const struct job_view *view, bool stopping);

/* {"id", "status", "method", "size", "progress", "result", "problem"}. */
void job_write(struct out *out, const struct job_view *view);

/* Sets Retry-After if the job has not ended: when to look again. */
void job_retry_after(struct context *ctx, const struct job_view *view);

/* Finishes an answer whose body is a solution as solve_write() makes it; in plain text it becomes a
 * line for each solution. */
void solve_reply(struct context *ctx);

#endif
