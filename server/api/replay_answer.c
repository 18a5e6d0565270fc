/* replay_answer.c: making an answer again from its receipt. */
#include "server/api/replay_answer.h"

#include <string.h>

#include "server/api/cubes/custom_patterns_put.h"
#include "server/api/input/input.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/append.h"
#include "server/api/sessions/session_reply.h"

/* Large views take long to write, so this is always done on a worker: more than a loop may do, less
 * than what belongs to the thread of long computations. */
#define WRITE_NS 1000000

/* Parsing and judging, per byte of the body. */
#define MAKE_BYTE_NS 1000

struct again {
	const struct receipt_answer *answer;
	struct answer_view view;
	bool turns;
	uint64_t key; /* the store's, of the session */
	int size;
	struct session_snapshot session; /* as it was then */
	struct history *history;         /* at the revision shown in the answer */
	enum store_status status;
	bool found; /* the entry */
};

static void from_history(struct context *ctx, const struct receipt_answer *answer);
static bool read_view(struct context *ctx, struct again *again);
static bool read_session(struct context *ctx, struct again *again);
static void read_run(struct context *ctx, struct store_reader *reader);
static bool entry_visit(void *context, const struct entry *entry);
static void read_done(struct context *ctx);
static void write_entry(struct context *ctx);
static void write_session(struct context *ctx);
static void replay_written(struct context *ctx);
static void finish(struct context *ctx, const struct receipt_answer *answer);
static void from_request(struct context *ctx, const struct receipt_answer *answer);
static void make_from_body(struct context *ctx);
static void change_run(struct context *ctx, struct store_reader *reader);
static void change_done(struct context *ctx);
static void from_receipt(struct context *ctx, const struct receipt_answer *answer);

void replay_answer(struct context *ctx, const struct receipt_answer *answer)
{
	switch ((enum receipt_kind)answer->kind) {
	case RECEIPT_ENTRY:
	case RECEIPT_SESSION:
		from_history(ctx, answer);
		break;
	case RECEIPT_PATTERN:
	case RECEIPT_SOLVE:
	case RECEIPT_SOLVE_CHANGE:
		from_request(ctx, answer);
		break;
	case RECEIPT_BODY:
	case RECEIPT_KINDS:
		from_receipt(ctx, answer);
		break;
	}
}

static void from_history(struct context *ctx, const struct receipt_answer *answer)
{
	struct again *again = ctx_alloc(ctx, sizeof *again);
	if (again)
		*again = (struct again){.answer = answer,
					.key = ctx->visit.session->meta.key,
					.size = ctx->visit.session->meta.size};
	ctx->data = again;
	if (!again || !read_view(ctx, again) ||
	    (answer->kind == RECEIPT_SESSION && !read_session(ctx, again))) {
		ctx_answer(ctx);
		return;
	}
	ctx_read(ctx, read_run, read_done);
}

/* The answer's media type and view replace those of the retry. */
static bool read_view(struct context *ctx, struct again *again)
{
	const struct receipt_answer *answer = again->answer;
	ctx->media = MEDIA_JSON;
	for (enum media media = 0; media < MEDIA_COUNT; media++)
		if (answer->content_type && strcmp(answer->content_type, media_type(media)) == 0)
			ctx->media = media;
	ctx->query = (struct query){0};
	if (!query_read(ctx, answer->rest.bytes, answer->rest.length, ctx->route->parameters) ||
	    !answer_view_read(ctx, &again->view) ||
	    !query_bool(ctx, PARAMETER_TURNS, &again->turns))
		return false;
	/* As the first request preferred, not the retry. */
	const struct text *as = &ctx->query.value[PARAMETER_AS];
	again->view.none = answer->minimal || (as->bytes && text_names(*as, "none"));
	return true;
}

static bool read_session(struct context *ctx, struct again *again)
{
	const struct receipt_answer *answer = again->answer;
	struct session_meta *meta = &again->session.meta;
	const char *name = answer->name ? answer->name : "";
	if (!session_look(ctx, &again->session))
		return false;
	if (strlen(name) > SESSION_NAME_BYTES || answer->access >= ACCESS_COUNT ||
	    answer->policy >= POLICY_COUNT) {
		ctx_store_problem(ctx, STORE_BROKEN);
		return false;
	}
	meta->access = (uint8_t)answer->access;
	meta->listed = answer->listed;
	meta->policy = (uint8_t)answer->policy;
	meta->updated_ms = (int64_t)answer->updated_ms;
	memcpy(meta->name, name, strlen(name) + 1);
	return true;
}

static void read_run(struct context *ctx, struct store_reader *reader)
{
	struct again *again = ctx->data;
	const struct receipt_answer *answer = again->answer;
	const struct store_operations *store = ctx->service->store->operations;
	const uint32_t revision = (uint32_t)answer->revision;
	again->status = STORE_OK;
	if (answer->kind == RECEIPT_ENTRY) {
		if (revision > 0)
			again->status =
				store->entries(reader, again->key, revision - 1, entry_visit, ctx);
		if (again->status == STORE_OK && !again->found)
			again->status = STORE_BROKEN;
	}
	if (again->status == STORE_OK)
		again->status = store->at(reader, again->key, revision, &again->history);
}

static bool entry_visit(void *context, const struct entry *entry)
{
	struct context *ctx = context;
	struct again *again = ctx->data;
	const uint64_t from = again->answer->rebased_from;
	const uint32_t seen = (uint32_t)from;
	struct out out = {.buffer = &ctx->request->reply.body};
	again->found = entry->revision == again->answer->revision;
	if (again->found && ctx->media == MEDIA_JSON)
		append_write_entry(&out, entry, again->size, again->turns, ctx->visit.roster,
				   from == RECEIPT_NO_REBASE ? NULL : &seen);
	return false;
}

static void read_done(struct context *ctx)
{
	struct again *again = ctx->data;
	if (again->status != STORE_OK) {
		ctx_store_problem(ctx, again->status);
		ctx_answer(ctx);
	} else {
		session_take_snapshot(&ctx->visit, again->history); /* released with the context */
		history_release(again->history);
		ctx_compute(ctx, WRITE_NS,
			    again->answer->kind == RECEIPT_ENTRY ? write_entry : write_session,
			    replay_written);
	}
}

static void write_entry(struct context *ctx)
{
	const struct again *again = ctx->data;
	const struct cube *cube = ctx->visit.snapshot->cube;
	struct out out = {.buffer = &ctx->request->reply.body, .comma = true};
	if (reply_cube_text(ctx, cube, &again->view, again->answer->status))
		return;
	if (!again->answer->noted || append_write_notes_again(ctx, &out, again->size)) {
		append_write_cube(&out, cube, &again->view);
		ctx_reply_json(ctx, again->answer->status);
	}
}

static void write_session(struct context *ctx)
{
	struct again *again = ctx->data;
	const struct receipt_answer *answer = again->answer;
	again->session.history = ctx->visit.snapshot;
	session_reply(ctx, &again->session, &again->view, answer->status,
		      (enum cube_known)answer->known, answer->token);
	/* Answers that are not JSON have the token in a header. */
	ctx->request->reply.token = ctx->media == MEDIA_JSON ? NULL : answer->token;
}

static void replay_written(struct context *ctx)
{
	const struct again *again = ctx->data;
	finish(ctx, again->answer);
}

/* The headers as they were, whatever the body is made from. */
static void finish(struct context *ctx, const struct receipt_answer *answer)
{
	struct reply *reply = &ctx->request->reply;
	if (reply->problem == 0 && ctx_reply_made(ctx)) {
		const char *json = media_type(MEDIA_JSON);
		const char *type = answer->content_type;
		reply->status = answer->status;
		/* The usual type is recognized by its pointer. */
		reply->content_type = type && strcmp(type, json) == 0 ? json : type;
		reply->location = answer->location;
		reply->etag = answer->etag;
		reply->link = answer->link;
		reply->minimal = answer->minimal;
		reply->replayed = true;
	}
	ctx_answer(ctx);
}

static void from_request(struct context *ctx, const struct receipt_answer *answer)
{
	struct again *again = ctx_alloc(ctx, sizeof *again);
	ctx->data = again;
	if (!again) {
		ctx_answer(ctx);
		return;
	}
	*again = (struct again){.answer = answer};
	if (answer->kind != RECEIPT_SOLVE_CHANGE) {
		const uint64_t least_ns = ctx->lines ? LONG_COMPUTATION_NS : WRITE_NS;
		ctx_compute(ctx, least_ns + ctx->request->body_length * MAKE_BYTE_NS,
			    make_from_body, replay_written);
		return;
	}
	ctx_read(ctx, change_run, change_done);
}

static void make_from_body(struct context *ctx)
{
	const struct again *again = ctx->data;
	if (!ctx->lines && !input_parse(ctx))
		return;
	if (again->answer->kind == RECEIPT_PATTERN)
		pattern_put_again(ctx, again->answer);
	else
		ctx->service->books->post_again(ctx, again->answer);
}

static void change_run(struct context *ctx, struct store_reader *reader)
{
	const struct again *again = ctx->data;
	ctx->service->books->change_again(ctx, reader, again->answer);
}

static void change_done(struct context *ctx)
{
	replay_written(ctx);
}

static void from_receipt(struct context *ctx, const struct receipt_answer *answer)
{
	struct reply *reply = &ctx->request->reply;
	reply->token = answer->token;
	buffer_add(&reply->body, answer->rest.bytes, answer->rest.length);
	finish(ctx, answer);
}
