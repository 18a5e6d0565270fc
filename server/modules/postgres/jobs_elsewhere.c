/* jobs_elsewhere.c: jobs of other servers, as their notices say. */
#include <stdio.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/api/request/service_state.h"
#include "server/modules/postgres/job_notice.h"
#include "server/util/varint.h"

/* The first byte of a notice. */
#define JOB_NOTICE 1
#define CANCEL_NOTICE 2

bool job_notice_cancels(const struct store_notice *notice)
{
	return notice->length == 1 && notice->bytes[0] == CANCEL_NOTICE;
}

void job_subject(const char *id, uint8_t subject[NOTICE_SUBJECT_BYTES])
{
	uint8_t hash[HASH_BYTES];
	secret_hash("cubed job", id, JOB_ID_TEXT, hash);
	memcpy(subject, hash, NOTICE_SUBJECT_BYTES);
}

/* ---- the layout: a byte, numbers, the method with its NUL, the result ---- */

#define NUMBERS 9

void job_notice_write(const struct job_view *view, struct buffer *bytes)
{
	const uint64_t numbers[NUMBERS] = {
		(uint64_t)view->status,     (uint64_t)view->end,
		(uint64_t)view->size,       view->nodes,
		(uint64_t)view->depth,      (uint64_t)(view->best + 1),
		(uint64_t)view->elapsed_ms, (uint64_t)view->ahead,
		view->text != NULL,
	};
	const uint8_t kind = JOB_NOTICE;
	buffer_add(bytes, &kind, 1);
	for (size_t i = 0; i < NUMBERS; i++) {
		uint8_t number[VARINT_MAX];
		buffer_add(bytes, number, varint_put(number, numbers[i]));
	}
	buffer_add(bytes, view->method, strlen(view->method) + 1);
	if (view->text)
		buffer_add(bytes, view->text->bytes, view->text->length);
}

bool job_notice_read(const struct store_notice *notice, struct job_elsewhere *job)
{
	const uint8_t *at = notice->bytes, *end = at + notice->length;
	uint64_t numbers[NUMBERS];
	if (at == end || *at++ != JOB_NOTICE)
		return false;
	for (size_t i = 0; i < NUMBERS; i++)
		if (!varint_get(&at, end, &numbers[i]))
			return false;
	const uint8_t *stop = memchr(at, '\0', (size_t)(end - at));
	if (!stop || (size_t)(stop - at) >= sizeof job->method || numbers[0] >= JOB_STATUSES ||
	    numbers[1] > SOLVE_WRONG)
		return false;
	memcpy(job->method, at, (size_t)(stop - at) + 1);
	job->text.length = 0;
	buffer_add(&job->text, stop + 1, (size_t)(end - stop - 1));
	struct job_view *view = &job->view;
	view->status = (enum job_status)numbers[0];
	view->end = (enum solve_end)numbers[1];
	view->size = (int)numbers[2];
	view->nodes = numbers[3];
	view->depth = (int)numbers[4];
	view->best = (int)numbers[5] - 1;
	view->elapsed_ms = (int64_t)numbers[6];
	view->ahead = (size_t)numbers[7];
	view->method = job->method;
	view->text = numbers[8] ? &job->text : NULL;
	view->stopped = notice->stopped && view->status < JOB_DONE;
	if (view->stopped)
		view->status = JOB_FAILED;
	return !job->text.failed;
}

/* ---- reading ---- */

bool nodes_job_begin(struct text id, struct job_elsewhere *job)
{
	if (id.length != JOB_ID_TEXT)
		return false;
	*job = (struct job_elsewhere){.found = false};
	memcpy(job->view.id, id.bytes, JOB_ID_TEXT);
	job_subject(job->view.id, job->subject);
	return true;
}

static void hear(void *context, const struct store_notice *notice)
{
	struct job_elsewhere *job = context;
	if (job_notice_read(notice, job))
		job->found = true;
}

void nodes_job_read(struct store_reader *reader, struct job_elsewhere *job)
{
	job->found = false;
	job->status = reader->store->operations->notices(reader, &job->subject, 1, hear, job);
}

void nodes_job_cancel(struct store_reader *reader, struct job_elsewhere *job, bool cancel)
{
	static const uint8_t bytes[] = {CANCEL_NOTICE};
	struct store_notice notice = {.bytes = cancel ? bytes : NULL, .length = cancel ? 1 : 0};
	memcpy(notice.subject, job->subject, NOTICE_SUBJECT_BYTES);
	job->status = reader->store->operations->post(reader, &notice, 1);
}
