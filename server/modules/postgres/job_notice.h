/* job_notice.h: what servers say to one another about jobs (jobs_elsewhere.c). */
#ifndef SERVER_MODULES_POSTGRES_JOB_NOTICE_H
#define SERVER_MODULES_POSTGRES_JOB_NOTICE_H

#include "server/api/search/shared_jobs.h"

/* Write and read a notice about a job; `view->id` is not in it. False if it is not such a notice.
 * Any thread. */
void job_notice_write(const struct job_view *view, struct buffer *bytes);
MUST_USE bool job_notice_read(const struct store_notice *notice, struct job_elsewhere *job);
void job_subject(const char *id, uint8_t subject[NOTICE_SUBJECT_BYTES]);
/* A notice that cancels the job of its subject. */
MUST_USE bool job_notice_cancels(const struct store_notice *notice);

/* See struct shared_jobs_calls. */
MUST_USE bool nodes_job_begin(struct text id, struct job_elsewhere *job);
void nodes_job_read(struct store_reader *reader, struct job_elsewhere *job);
void nodes_job_cancel(struct store_reader *reader, struct job_elsewhere *job, bool cancel);

#endif
