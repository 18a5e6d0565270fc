/* list.c: GET /v1/sessions: the listed ones, newest first, in pages. */
#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/input/answer_view.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/format/session_out.h"
#include "server/util/utf8.h"

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100

/* The maximum number of sessions that one page examines. */
#define LOOK_AT 10000

/* A page of large cubes ends early. */
#define PAGE_BYTES (4u << 20)

struct session_list {
	struct answer_view view;
	int64_t size;     /* only sessions of this size; -1: of any */
	const char *name; /* only those whose name contains it; NULL: all */
	int64_t limit;
	uint64_t from;
	bool oldest; /* first */
	struct scan scan;
	struct out out;
	int64_t count;
};

static bool list_read(struct context *ctx, struct session_list *list);
static bool read_sort(struct context *ctx, struct session_list *list);
static void list_run(struct context *ctx, struct store_reader *reader);
static void list_begin(struct context *ctx, struct session_list *list);
static bool list_visit(void *context, struct stored_session *session);

void session_list_handle(struct context *ctx)
{
	struct session_list *list = ctx_alloc(ctx, sizeof *list);
	if (list)
		*list = (struct session_list){.limit = LIMIT_DEFAULT, .size = -1};
	if (list && list_read(ctx, list)) {
		ctx->data = list;
		ctx_read(ctx, list_run, ctx_answer);
	} else {
		ctx_answer(ctx);
	}
}

static bool list_read(struct context *ctx, struct session_list *list)
{
	const struct text *name = &ctx->query.value[PARAMETER_NAME];
	list->name = name->bytes;
	if (name->bytes && (name->length == 0 || name->length >= SESSION_NAME_BYTES ||
			    !utf8_valid(name->bytes, name->length)))
		return query_problem(ctx, "name", "Must be part of a session's name.",
				     "1 to 32 characters", NULL);
	return answer_view_read_lean(ctx, &list->view) &&
	       query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx),
			     &list->size) &&
	       query_integer(ctx, PARAMETER_LIMIT, 1, LIMIT_MAX, &list->limit) &&
	       cursor_read(ctx, &list->from) && read_sort(ctx, list);
}

/* The order of the keys, which the store has an index of. */
static bool read_sort(struct context *ctx, struct session_list *list)
{
	const struct text *sort = &ctx->query.value[PARAMETER_SORT];
	list->oldest = sort->bytes && strcmp(sort->bytes, "created_at") == 0;
	if (list->oldest && !ctx->query.value[PARAMETER_CURSOR].bytes)
		list->from = 0;
	return !sort->bytes || list->oldest || strcmp(sort->bytes, "-created_at") == 0 ||
	       query_problem(ctx, "sort", "Sessions cannot be sorted by this.",
			     "created_at (oldest first) or -created_at (newest first)", NULL);
}

/* One slice. */
static void list_run(struct context *ctx, struct store_reader *reader)
{
	struct session_list *list = ctx->data;
	if (!list->out.buffer)
		list_begin(ctx, list);
	if (!scan_sessions(&list->scan, reader, 0, NULL))
		return;
	if (list->scan.status != STORE_OK) {
		ctx_store_problem(ctx, list->scan.status);
		return;
	}
	page_end(ctx, &list->out, list->scan.at);
}

static void list_begin(struct context *ctx, struct session_list *list)
{
	list->scan = (struct scan){.ctx = ctx,
				   .at = list->from,
				   .oldest = list->oldest,
				   .left = LOOK_AT,
				   .session = list_visit,
				   .context = list};
	page_begin(ctx, &list->out);
}

static bool list_visit(void *context, struct stored_session *session)
{
	struct session_list *list = context;
	/* In the C locale, which is the server's, strcasestr() folds ASCII letters only. */
	if ((list->size >= 0 && session->meta.size != list->size) ||
	    (list->name && !strcasestr(session->meta.name, list->name)))
		return true;
	session_write(&list->out, &session->meta, session->scramble, session->scramble_count,
		      session->history, &list->view, CUBE_KNOWN);
	list->count++;
	return list->count < list->limit && list->out.buffer->length < PAGE_BYTES &&
	       !list->out.buffer->failed;
}
