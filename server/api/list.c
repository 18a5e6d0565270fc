/* list.c: GET /v1/sessions: the public ones, newest first, in pages. */
#include "server/api/cursor.h"
#include "server/api/routes.h"
#include "server/api/scan.h"
#include "server/api/session_out.h"
#include "server/api/state.h"

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100
/* Sessions that nobody may see are passed over, this many a page at most. */
#define LOOK_AT 10000
/* A page of large cubes ends early. */
#define PAGE_BYTES (4u << 20)

struct list {
	struct cube_view view;
	int64_t limit;
	uint64_t before;
	struct scan scan;
	struct out out;
	int64_t count;
};

static bool list_visit(void *context, struct stored_session *session)
{
	struct list *list = context;
	session_write(&list->out, &session->meta, session->scramble, session->scramble_count,
		      session->history, &list->view, CUBE_KNOWN);
	list->count++;
	return list->count < list->limit && list->out.buffer->length < PAGE_BYTES &&
	       !list->out.buffer->failed;
}

static void list_begin(struct work *work, struct list *list)
{
	list->scan = (struct scan){.work = work,
				   .at = list->before,
				   .left = LOOK_AT,
				   .session = list_visit,
				   .context = list};
	list->out.buffer = &work->request->reply.body;
	out_open(&list->out, '{');
	out_key(&list->out, "items");
	out_open(&list->out, '[');
}

/* A slice of it. */
static void list_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct list *list = work->data;
	if (!list->out.buffer)
		list_begin(work, list);
	if (!scan_sessions(&list->scan, reader, 0, NULL))
		return;
	if (list->scan.status != STORE_OK) {
		work_store_problem(work, list->scan.status);
		return;
	}
	out_close(&list->out, ']');
	cursor_write(&list->out, list->scan.at);
	out_close(&list->out, '}');
	work_reply_json(work, 200);
}

static void list_done(struct job *job)
{
	work_answer(work_of_job(job));
}

void session_list_handle(struct work *work)
{
	struct list *list = work_take(work, sizeof *list);
	if (list)
		*list = (struct list){.limit = LIMIT_DEFAULT};
	if (list && cube_view_read(work, &list->view) &&
	    query_integer(work, PARAMETER_LIMIT, 1, LIMIT_MAX, &list->limit) &&
	    cursor_read(work, &list->before)) {
		work->data = list;
		work->job.run = list_run;
		work->job.done = list_done;
		pool_submit(work->service->readers, &work->job);
	} else {
		work_answer(work);
	}
}
