/* receipt.c: the layout of receipts, and what goes into them. */
#include "server/api/steps/receipt.h"

#include <string.h>

#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/util/varint.h"

/* In the first byte, above the status. */
#define WITH_TOKEN 0x80
#define VERSION_2 0x40
/* In the byte of the kind. */
#define CREATED 0x80
/* Flags above a number: whether there are notes, enum cube_known, the access. */
#define MINIMAL_ENTRY 2
#define MINIMAL_SESSION 4
#define LISTED 4

/* ---- the layout ---- */

/* Writes to `to`; or reads from `at` if that is NULL. So the layout stands in one place. */
struct codec {
	struct buffer *to;
	const uint8_t *at, *end;
	bool bad;
};

static void code_bytes(struct codec *codec, void *bytes, size_t length)
{
	if (codec->to) {
		buffer_add(codec->to, bytes, length);
	} else if ((size_t)(codec->end - codec->at) < length) {
		codec->bad = true;
		codec->at = codec->end;
	} else {
		memcpy(bytes, codec->at, length);
		codec->at += length;
	}
}

static void code_number(struct codec *codec, uint64_t *number)
{
	uint8_t bytes[VARINT_MAX];
	if (codec->to)
		buffer_add(codec->to, bytes, varint_put(bytes, *number));
	else if (!varint_get(&codec->at, codec->end, number))
		codec->bad = true;
}

static void code_text(struct codec *codec, const char **text)
{
	if (codec->to) {
		buffer_add(codec->to, *text ? *text : "", *text ? strlen(*text) + 1 : 1);
		return;
	}
	const uint8_t *stop = memchr(codec->at, '\0', (size_t)(codec->end - codec->at));
	if (!stop) {
		codec->bad = true;
		return;
	}
	*text = stop > codec->at ? (const char *)codec->at : NULL;
	codec->at = stop + 1;
}

static void code_rest(struct codec *codec, struct text *rest)
{
	if (codec->to) {
		buffer_add(codec->to, rest->bytes, rest->length);
		return;
	}
	*rest = (struct text){(const char *)codec->at, (size_t)(codec->end - codec->at)};
	codec->at = codec->end;
}

/* A number below `bit`, and a flag that older releases did not have. */
static void code_flag(struct codec *codec, uint64_t *number, uint64_t bit, bool *flag)
{
	uint64_t both = *number | (*flag ? bit : 0);
	code_number(codec, &both);
	*flag = (both & bit) != 0;
	*number = both & ~bit;
}

static void code_kind(struct codec *codec, struct receipt_answer *answer)
{
	switch ((enum receipt_kind)answer->kind) {
	case RECEIPT_BODY:
		code_rest(codec, &answer->rest);
		break;
	case RECEIPT_ENTRY:
		code_number(codec, &answer->revision);
		answer->rebased_from++;
		code_number(codec, &answer->rebased_from);
		answer->rebased_from--;
		code_flag(codec, &answer->noted, MINIMAL_ENTRY, &answer->minimal);
		code_rest(codec, &answer->rest);
		break;
	case RECEIPT_SESSION:
		code_number(codec, &answer->revision);
		code_flag(codec, &answer->known, MINIMAL_SESSION, &answer->minimal);
		code_flag(codec, &answer->access, LISTED, &answer->listed);
		code_number(codec, &answer->policy);
		code_number(codec, &answer->updated_ms);
		code_text(codec, &answer->name);
		code_rest(codec, &answer->rest);
		break;
	case RECEIPT_PATTERN:
		code_number(codec, &answer->size);
		code_number(codec, &answer->updated_ms);
		break;
	case RECEIPT_SOLVE:
		code_number(codec, &answer->size);
		code_number(codec, &answer->actor);
		code_number(codec, &answer->created_ms);
		code_bytes(codec, answer->solve, sizeof answer->solve);
		break;
	case RECEIPT_SOLVE_CHANGE:
		code_number(codec, &answer->clock);
		code_number(codec, &answer->assisted);
		code_number(codec, &answer->time_ms);
		code_number(codec, &answer->penalty_ms);
		break;
	case RECEIPT_KINDS:
		break;
	}
}

static void code_texts(struct codec *codec, struct receipt_answer *answer, bool token)
{
	code_text(codec, &answer->content_type);
	code_text(codec, &answer->location);
	code_text(codec, &answer->etag);
	code_text(codec, &answer->link);
	if (token)
		code_text(codec, &answer->token);
}

void receipt_write(struct receipt_answer *answer, struct buffer *to)
{
	struct codec codec = {.to = to};
	const int flags = VERSION_2 | (answer->token ? WITH_TOKEN : 0);
	uint8_t status[2] = {(uint8_t)((answer->status >> 8) | (unsigned)flags),
			     (uint8_t)answer->status};
	uint8_t kind = (uint8_t)(answer->kind | (answer->created ? CREATED : 0));
	code_bytes(&codec, status, sizeof status);
	code_texts(&codec, answer, answer->token != NULL);
	code_bytes(&codec, &kind, sizeof kind);
	code_bytes(&codec, answer->session.bytes, SESSION_ID_BYTES);
	code_kind(&codec, answer);
}

bool receipt_read(const char *bytes, size_t length, struct receipt_answer *answer)
{
	struct codec codec = {.at = (const uint8_t *)bytes, .end = (const uint8_t *)bytes + length};
	uint8_t status[2] = {0}, kind = 0;
	*answer = (struct receipt_answer){0};
	code_bytes(&codec, status, sizeof status);
	answer->bare = !(status[0] & VERSION_2);
	answer->status = (unsigned)(status[0] & ~(WITH_TOKEN | VERSION_2)) << 8 | status[1];
	code_texts(&codec, answer, status[0] & WITH_TOKEN);
	if (answer->bare) {
		code_rest(&codec, &answer->rest);
		return !codec.bad;
	}
	code_bytes(&codec, &kind, sizeof kind);
	code_bytes(&codec, answer->session.bytes, SESSION_ID_BYTES);
	answer->created = kind & CREATED;
	answer->kind = kind & (uint8_t)~CREATED;
	code_kind(&codec, answer);
	return !codec.bad && answer->kind < RECEIPT_KINDS && codec.at == codec.end &&
	       answer->revision <= UINT32_MAX;
}

/* ---- what to keep ---- */

static struct text query_of(const struct request *request)
{
	const char *question = memchr(request->target, '?', request->target_length);
	if (!question)
		return (struct text){"", 0};
	const size_t before = (size_t)(question + 1 - request->target);
	return (struct text){question + 1, request->target_length - before};
}

static void read_entry(const struct context *ctx, struct receipt_answer *answer)
{
	answer->kind = RECEIPT_ENTRY;
	answer->revision = ctx->visit.write.revision;
	answer->rebased_from = ctx->facts.rebased ? ctx->facts.seen : RECEIPT_NO_REBASE;
	answer->noted = ctx->facts.noted;
	answer->minimal = ctx->request->reply.minimal;
	answer->rest = query_of(ctx->request);
}

/* `history`: at the revision shown in the answer. */
static void read_session(const struct context *ctx, const struct history *history,
			 enum cube_known known, struct receipt_answer *answer)
{
	const struct session_meta *meta = &ctx->visit.write.meta;
	const int64_t updated_ms =
		meta->updated_ms > history->updated_ms ? meta->updated_ms : history->updated_ms;
	answer->kind = RECEIPT_SESSION;
	answer->revision = history->revision;
	answer->known = known;
	answer->minimal = ctx->request->reply.minimal;
	answer->access = meta->access;
	answer->listed = meta->listed;
	answer->policy = meta->policy;
	answer->updated_ms = (uint64_t)updated_ms;
	answer->name = meta->name[0] ? meta->name : NULL;
	answer->rest = query_of(ctx->request);
}

static void read_pattern(const struct context *ctx, struct receipt_answer *answer)
{
	answer->kind = RECEIPT_PATTERN;
	answer->size = ctx->facts.pattern_size;
	answer->updated_ms = (uint64_t)ctx->visit.write.pattern->updated_ms;
}

static void read_solve(const struct context *ctx, struct receipt_answer *answer)
{
	const struct stored_solve *solve = ctx->visit.write.solves;
	answer->kind =
		ctx->visit.write.kind == WRITE_SOLVE_CHANGE ? RECEIPT_SOLVE_CHANGE : RECEIPT_SOLVE;
	answer->size = solve->size;
	answer->actor = solve->actor;
	answer->clock = solve->clock;
	answer->assisted = solve->assisted;
	answer->created_ms = (uint64_t)solve->created_ms;
	answer->time_ms = (uint64_t)solve->time_ms;
	answer->penalty_ms = (uint64_t)solve->penalty_ms;
	memcpy(answer->solve, solve->id, sizeof answer->solve);
}

static void read_body(const struct context *ctx, struct receipt_answer *answer)
{
	const struct buffer *body = &ctx->request->reply.body;
	answer->kind = RECEIPT_BODY;
	answer->token = ctx->request->reply.token;
	answer->rest = (struct text){body->bytes, body->length};
}

void receipt_of(const struct context *ctx, const char *token, struct receipt_answer *answer)
{
	const struct reply *reply = &ctx->request->reply;
	const struct store_write *write = &ctx->visit.write;
	*answer = (struct receipt_answer){
		.status = reply->status,
		.content_type = reply->content_type,
		.location = reply->location,
		.etag = reply->etag,
		.link = reply->link,
		.token = token,
		.created = write->kind == WRITE_CREATE,
		.session =
			write->kind == WRITE_CREATE ? write->meta.id : ctx->visit.session->meta.id,
	};
	if (write->kind == WRITE_APPEND)
		read_entry(ctx, answer);
	else if (write->kind == WRITE_META)
		read_session(ctx, ctx->visit.session->committed, CUBE_KNOWN, answer);
	else if (ctx->facts.creates)
		read_session(ctx, ctx->visit.after, (enum cube_known)ctx->facts.known, answer);
	else if (reply->body.length <= RECEIPT_BODY_MAX)
		read_body(ctx, answer);
	else if (write->kind == WRITE_PATTERN)
		read_pattern(ctx, answer);
	else
		read_solve(ctx, answer);
}
