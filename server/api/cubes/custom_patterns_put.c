/* custom_patterns_put.c: PUT and DELETE /v1/patterns/{name}: storing and removing own patterns of a
 * session. */
#include "server/api/cubes/custom_patterns_put.h"

#include <stdio.h>
#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/input/custom_patterns.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/receipt.h"
#include "server/api/steps/session_visit.h"
#include "server/util/monotonic.h"

/* The phases of storing or removing a pattern, in order. */
enum keep_phase {
	KEEP_READ,    /* in the session: reads what is stored now... */
	KEEP_DECIDE,  /* ...makes the answer... */
	KEEP_WRITE,   /* ...and queues the write */
	KEEP_REFUSED, /* the reply is a problem */
	KEEP_WAIT,    /* continues later, or has been answered */
};

struct keep {
	bool removes;
	enum keep_phase resume_at;
	struct pattern_request pattern;
	struct custom_pattern own; /* as it will be */
	int64_t size;              /* -1: the size of the session's cube */
	char title[SESSION_NAME_BYTES + 1];
	struct stored_pattern stored;
	/* The pattern that is stored now: */
	uint64_t key, count;
	bool there;
	struct etag_state state; /* if it exists and the request has a precondition */
};

static bool put_read(struct context *ctx, struct keep *keep);
static bool read_name(struct context *ctx, struct keep *keep);
static bool name_is_valid(struct text name);
static void enter(struct context *ctx);
static void keep_entered(struct context *ctx);
static void keep_go_on(struct context *ctx);
static enum keep_phase keep_read(struct context *ctx, struct keep *keep);
static void put_run(struct context *ctx, struct store_reader *reader);
static bool make_row(struct context *ctx, struct keep *keep);
static bool read_stored(struct context *ctx, struct store_reader *reader);
static void write_stored(struct context *ctx);
static bool count_one(void *context, const struct stored_pattern *pattern);
static bool read_state(void *context, const struct stored_pattern *pattern);
static enum keep_phase put_decide(struct context *ctx, struct keep *keep);
static void put_reply(struct context *ctx, const struct keep *keep);
static void remove_run(struct context *ctx, struct store_reader *reader);
static enum keep_phase remove_decide(struct context *ctx, const struct keep *keep);

void pattern_put_handle(struct context *ctx)
{
	struct keep *keep = ctx_alloc(ctx, sizeof *keep);
	if (keep)
		*keep = (struct keep){.size = -1};
	ctx->data = keep;
	if (keep && put_read(ctx, keep))
		enter(ctx);
	else
		ctx_answer(ctx);
}

static bool put_read(struct context *ctx, struct keep *keep)
{
	struct json_value *pattern = NULL, *title = NULL;
	const struct json_member members[] = {
		{"pattern", JSON_ANY, &pattern, 0, 0},
		{"title", JSON_ANY, &title, 0, 0},
		{"size", JSON_INT64, &keep->size, CUBE_SIZE_MIN, input_size_max(ctx)},
	};
	if (!read_name(ctx, keep))
		return false;
	if (cube_named_find(keep->own.name.bytes, keep->own.name.length)) {
		problem_answer(ctx->request, PROBLEM_NAME_TAKEN,
			       "A common pattern has this name; choose another one.");
		return false;
	}
	if (!input_object(ctx, ctx->body, "", members, 3) ||
	    !pattern_read(ctx, pattern, "/pattern", &keep->pattern) ||
	    (title && !input_name(ctx, title, "/title", keep->title)))
		return false;
	keep->pattern.alone = true;
	if (keep->title[0])
		keep->own.title = (struct text){keep->title, strlen(keep->title)};
	return true;
}

static bool read_name(struct context *ctx, struct keep *keep)
{
	const char *name = arena_text(&ctx->request->arena, ctx->name.bytes, ctx->name.length);
	if (!name)
		return ctx_no_memory(ctx);
	keep->own.name = (struct text){name, ctx->name.length};
	keep->stored.name = name;
	if (!name_is_valid(keep->own.name))
		return query_problem(
			ctx, "name",
			"A pattern's name has 1 to 64 lower-case letters, digits and hyphens, for "
			"example my-cross.",
			"1 to 64 lower-case letters, digits and hyphens, with no hyphen first",
			NULL);
	return true;
}

static bool name_is_valid(struct text name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	return name.length >= 1 && name.length <= CUSTOM_PATTERN_NAME_BYTES &&
	       name.bytes[0] != '-' && strspn(name.bytes, letters) == name.length;
}

static void enter(struct context *ctx)
{
	if (ctx->query.value[PARAMETER_SESSION].bytes) {
		custom_pattern_enter(ctx, NEED_ALONE, keep_entered);
	} else if (ctx->who.token > 0) {
		ctx->visit.id = ctx->who.session;
		ctx_acquire(ctx, NEED_ALONE, keep_entered);
	} else {
		problem_answer(
			ctx->request, PROBLEM_TOKEN_REQUIRED,
			"An own pattern belongs to a session: send a token of an owner or an "
			"editor of the session, or ?session=ID of a session with the access "
			"edit.");
		ctx_answer(ctx);
	}
}

/* Called again if another write came first. */
static void keep_entered(struct context *ctx)
{
	struct keep *keep = ctx->data;
	keep->resume_at = KEEP_READ;
	keep_go_on(ctx);
}

/* Do not touch the context after a phase that waits: it may have been answered. */
static void keep_go_on(struct context *ctx)
{
	struct keep *keep = ctx->data;
	enum keep_phase phase = keep->resume_at;
	while (phase != KEEP_WAIT)
		switch (phase) {
		case KEEP_READ:
			phase = keep_read(ctx, keep);
			break;
		case KEEP_DECIDE:
			phase = keep->removes ? remove_decide(ctx, keep) : put_decide(ctx, keep);
			break;
		case KEEP_WRITE:
			write_stored(ctx);
			return;
		case KEEP_REFUSED:
			ctx_answer(ctx);
			return;
		case KEEP_WAIT:
			return;
		}
}

static enum keep_phase keep_read(struct context *ctx, struct keep *keep)
{
	const struct session_meta *meta = &ctx->visit.session->meta;
	session_lock(&ctx->visit);
	if (!keep->removes)
		keep->own.size = keep->size < 0 ? meta->size : (int)keep->size;
	keep->key = meta->key;
	keep->count = 0; /* also if another process was first, and all is read again */
	keep->there = false;
	keep->resume_at = KEEP_DECIDE;
	ctx_read(ctx, keep->removes ? remove_run : put_run, keep_go_on);
	return KEEP_WAIT;
}

static void put_run(struct context *ctx, struct store_reader *reader)
{
	struct keep *keep = ctx->data;
	if (pattern_make(ctx, &keep->pattern, keep->own.size) && make_row(ctx, keep))
		read_stored(ctx, reader);
}

/* The row as JSON, on the arena. */
static bool make_row(struct context *ctx, struct keep *keep)
{
	const size_t most = (size_t)ctx->service->config.limits.pattern_bytes;
	struct buffer buffer = {0};
	struct out out = {.buffer = &buffer};
	out_open(&out, '{');
	out_member_integer(&out, "size", keep->own.size);
	out_member_string(&out, "title", keep->title[0] ? keep->title : NULL);
	out_key(&out, "pattern");
	json_print(&ctx->request->arena, keep->pattern.value, &buffer);
	out_close(&out, '}');
	const char *text = buffer.failed
				   ? NULL
				   : arena_text(&ctx->request->arena, buffer.bytes, buffer.length);
	const size_t length = buffer.length;
	buffer_free(&buffer);
	if (!text)
		return ctx_no_memory(ctx);
	keep->stored.pattern = text;
	return length <= most || pattern_problem(ctx, "/pattern", NULL,
						 "The pattern takes %zu bytes when stored; the "
						 "limit is %zu (pattern_bytes in /v1/limits).",
						 length, most);
}

/* Reads what is stored now, which cannot change while the session is locked. */
static bool read_stored(struct context *ctx, struct store_reader *reader)
{
	struct keep *keep = ctx->data;
	const struct store_operations *store = ctx->service->store->operations;
	enum store_status status = store->patterns(reader, keep->key, NULL, false, count_one, keep);
	if (status == STORE_OK && keep->there && etag_asked(ctx))
		status = store->patterns(reader, keep->key, keep->stored.name, true, read_state,
					 keep);
	if (status != STORE_OK)
		ctx_store_problem(ctx, status);
	return status == STORE_OK;
}

static void write_stored(struct context *ctx)
{
	struct keep *keep = ctx->data;
	ctx->visit.write.kind = WRITE_PATTERN;
	ctx->visit.write.meta = ctx->visit.session->meta;
	ctx->visit.write.pattern = &keep->stored;
	ctx->facts.pattern_size = (uint8_t)keep->own.size;
	if (ctx_reply_made(ctx))
		ctx_write(ctx);
	else
		ctx_answer(ctx);
}

/* A store_visit_pattern. */
static bool count_one(void *context, const struct stored_pattern *pattern)
{
	struct keep *keep = context;
	keep->count++;
	keep->there |= strcmp(pattern->name, keep->stored.name) == 0;
	return true;
}

static bool read_state(void *context, const struct stored_pattern *pattern)
{
	struct keep *keep = context;
	keep->state = custom_pattern_state(pattern);
	return false;
}

static enum keep_phase put_decide(struct context *ctx, struct keep *keep)
{
	if (ctx->request->reply.status != 0 || !etag_allows(ctx, keep->there ? &keep->state : NULL))
		return KEEP_REFUSED;
	if (!keep->there && keep->count >= ctx->service->config.limits.patterns) {
		problem_answer(ctx->request, PROBLEM_PATTERNS_FULL,
			       "The session has the maximum number of own patterns (patterns in "
			       "/v1/limits).");
		return KEEP_REFUSED;
	}
	keep->own.value = keep->pattern.value;
	keep->stored.updated_ms = keep->own.updated_ms = wall_ms();
	put_reply(ctx, keep);
	return KEEP_WRITE;
}

static void put_reply(struct context *ctx, const struct keep *keep)
{
	char id[SESSION_ID_TEXT + 1], location[64 + CUSTOM_PATTERN_NAME_BYTES];
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	custom_pattern_write(&out, &keep->own);
	out_member_null(&out, "setup");
	out_member_integer(&out, "size", keep->own.size);
	out_key(&out, "pattern");
	json_print(&ctx->request->arena, keep->pattern.value, out.buffer);
	out_close(&out, '}');
	ctx_reply_json(ctx, keep->there ? 200 : 201);
	const struct etag_state state = custom_pattern_state(&keep->stored);
	etag_reply(ctx, &state);
	session_id_print(&ctx->visit.session->meta.id, id);
	int length = snprintf(location, sizeof location, "/v1/patterns/%s?session=%s",
			      keep->stored.name, id);
	if (!keep->there)
		ctx->request->reply.location = ctx_reply_text(ctx, location, (size_t)length);
}

void pattern_remove_handle(struct context *ctx)
{
	struct keep *keep = ctx_alloc(ctx, sizeof *keep);
	if (keep)
		*keep = (struct keep){.size = -1, .removes = true};
	ctx->data = keep;
	if (keep && read_name(ctx, keep))
		enter(ctx);
	else
		ctx_answer(ctx);
}

static void remove_run(struct context *ctx, struct store_reader *reader)
{
	read_stored(ctx, reader);
}

static enum keep_phase remove_decide(struct context *ctx, const struct keep *keep)
{
	if (ctx->request->reply.status != 0)
		return KEEP_REFUSED;
	if (!keep->there) {
		problem_answer(ctx->request, PROBLEM_NO_SUCH_PATTERN,
			       "The session has no own pattern with this name.");
		return KEEP_REFUSED;
	}
	if (!etag_allows(ctx, &keep->state))
		return KEEP_REFUSED;
	ctx->request->reply.status = 204;
	return KEEP_WRITE;
}

void pattern_put_again(struct context *ctx, const struct receipt_answer *answer)
{
	struct keep *keep = ctx_alloc(ctx, sizeof *keep);
	if (!keep)
		return;
	*keep = (struct keep){.size = -1, .there = answer->status == 200};
	if (!put_read(ctx, keep))
		return;
	keep->own.size = (int)answer->size;
	keep->own.value = keep->pattern.value;
	keep->own.updated_ms = (int64_t)answer->updated_ms;
	put_reply(ctx, keep);
}
