/* idempotency.c: sealing, finding and opening receipts; and who may have their answers. */
#include "server/api/steps/idempotency.h"

#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/receipt.h"
#include "server/api/steps/session_visit.h"
#include "server/json/writer.h"
#include "server/session/session_cache.h"
#include "server/util/monotonic.h"

/* The names by which a receipt is found and with which it is sealed. */
struct receipt_names {
	uint8_t key[HASH_BYTES], seal[HASH_BYTES];
};

struct idempotency {
	struct receipt_names names;
	struct receipt_names
		older;   /* as older releases kept those without a token: for all addresses */
	bool look_older; /* there may still be such receipts */
	bool found_older;
	uint8_t body[HASH_BYTES];
	char token[TOKEN_TEXT + 1];   /* in the answer; "": none */
	struct receipt_answer answer; /* the one that was found */
	void (*go)(struct context *ctx);
	replay_receipt *replay;
	struct context *waiting, *last; /* with the same key, by ctx->next */
	struct receipt receipt;         /* to be written, or found */
	enum store_status status;       /* of the search in the store */
	bool first;                     /* it is in the table */
	bool settled;                   /* a refusal is the answer */
	UT_hash_handle hh;
};

/* ---- the request ---- */

static bool bad_key(struct context *ctx)
{
	struct out out;
	problem_begin(
		ctx->request, PROBLEM_BAD_REQUEST, &out,
		"The Idempotency-Key must be 1 to %d visible ASCII characters; use a new random "
		"one for each change.",
		RETRY_KEY_MAX);
	problem_member(&out, "expected", "a random string, a new one for each change");
	problem_end(ctx->request, &out);
	return false;
}

static bool key_fits(const char *key)
{
	size_t length = strlen(key);
	for (size_t i = 0; i < length; i++)
		if (key[i] <= ' ' || key[i] > '~')
			return false;
	return length >= 1 && length <= RETRY_KEY_MAX;
}

/* Caller, method, path and key, each followed by a NUL. `who` is a token or an address: they cannot
 * be confused, as they differ in length and no method has a NUL in it. */
static bool hash_names(const struct request *request, const void *who, size_t who_bytes,
		       struct receipt_names *names)
{
	const char *key = request->header[HEADER_IDEMPOTENCY_KEY];
	const char *question = memchr(request->target, '?', request->target_length);
	const size_t path =
		question ? (size_t)(question - request->target) : request->target_length;
	struct buffer all = {0};
	buffer_add(&all, who, who_bytes);
	buffer_add(&all, "", 1);
	buffer_add(&all, request->method, strlen(request->method) + 1);
	buffer_add(&all, request->target, path);
	buffer_add(&all, "", 1);
	buffer_text(&all, key);
	const bool made = !all.failed;
	if (made) {
		secret_hash("cubed receipt", all.bytes, all.length, names->key);
		secret_hash("cubed receipt seal", all.bytes, all.length, names->seal);
		secret_forget(all.bytes, all.length);
	}
	buffer_free(&all);
	return made;
}

static bool hash_request(struct context *ctx, struct idempotency *retry)
{
	const struct request *request = ctx->request;
	uint8_t who[sizeof ctx->client];
	size_t who_bytes = sizeof who;
	if (ctx->who.token > 0) {
		who_bytes = SESSION_ID_BYTES + sizeof ctx->who.token;
		memcpy(who, ctx->who.session.bytes, SESSION_ID_BYTES);
		memcpy(who + SESSION_ID_BYTES, &ctx->who.token, sizeof ctx->who.token);
	} else {
		memcpy(who, ctx->client, sizeof who);
		/* Receipts of an older release expire a day after this one started. */
		retry->look_older = wall_ms() - ctx->service->started_ms < RECEIPT_KEPT_MS;
	}
	/* One solve as a line is another request than one as JSON. */
	secret_hash(ctx->lines ? "cubed receipt lines" : "cubed receipt body", request->body,
		    request->body_length, retry->body);
	return (hash_names(request, who, who_bytes, &retry->names) &&
		(!retry->look_older || hash_names(request, "", 0, &retry->older))) ||
	       ctx_no_memory(ctx);
}

/* ---- keeping ---- */

void idempotency_token(struct context *ctx, const char *token)
{
	if (ctx->idempotency)
		memcpy(ctx->idempotency->token, token, TOKEN_TEXT + 1);
}

bool idempotency_keep(struct context *ctx)
{
	struct idempotency *retry = ctx->idempotency;
	struct receipt *receipt = &retry->receipt;
	struct receipt_answer answer;
	struct buffer plain = {0};
	receipt_of(ctx, retry->token[0] ? retry->token : NULL, &answer);
	receipt_write(&answer, &plain);
	secret_forget(retry->token, sizeof retry->token);
	if (!plain.failed)
		receipt->answer = arena_alloc(&ctx->request->arena, plain.length + SEAL_OVERHEAD);
	const bool made = !plain.failed && receipt->answer;
	if (made) {
		secret_seal(retry->names.seal, plain.bytes, plain.length, receipt->answer);
		secret_forget(plain.bytes, plain.length);
		receipt->answer_bytes = plain.length + SEAL_OVERHEAD;
		receipt->created_ms = wall_ms();
		memcpy(receipt->key, retry->names.key, HASH_BYTES);
		memcpy(receipt->body, retry->body, HASH_BYTES);
		ctx->visit.write.receipt = receipt;
	}
	buffer_free(&plain);
	return made || ctx_no_memory(ctx);
}

/* ---- finding ---- */

/* The caller may have the answer. */
static void answer_again(struct context *ctx)
{
	struct idempotency *retry = ctx->idempotency;
	if (secret_equal(retry->receipt.body, retry->body)) {
		retry->replay(ctx, &retry->answer);
		return;
	}
	problem_answer(ctx->request, PROBLEM_IDEMPOTENCY,
		       "This Idempotency-Key was used for a request with another body. Use a new "
		       "key for each change.");
	ctx_answer(ctx);
}

/* Opens the receipt; its text goes on the arena. */
static bool open_receipt(struct context *ctx)
{
	struct idempotency *retry = ctx->idempotency;
	const struct receipt *receipt = &retry->receipt;
	const struct receipt_names *names = retry->found_older ? &retry->older : &retry->names;
	char *plain = ctx_alloc(ctx, receipt->answer_bytes);
	if (!plain)
		return false;
	if (receipt->answer_bytes >= SEAL_OVERHEAD &&
	    secret_open(names->seal, receipt->answer, receipt->answer_bytes, plain) &&
	    receipt_read(plain, receipt->answer_bytes - SEAL_OVERHEAD, &retry->answer))
		return true;
	ctx_store_problem(ctx, STORE_BROKEN);
	return false;
}

/* Checks the rights of the first request again: the session may have been closed or deleted since,
 * or the token revoked. The creator of a session needs no rights, only that it still exists; and
 * its deletion is answered although it does not. */
static void ask_again(struct context *ctx)
{
	const struct receipt_answer *answer = &ctx->idempotency->answer;
	static const struct session_id none;
	if (!answer->bare)
		ctx->visit.id = answer->session;
	if (answer->created)
		ctx->who.rights = RIGHTS_OF_CREATOR;
	else if (ctx->route->does == DELETES)
		ctx->who.rights = RIGHTS_AFTER_DELETION;
	if (memcmp(&ctx->visit.id, &none, sizeof none) == 0)
		answer_again(ctx); /* an older release did not store the session */
	else
		ctx_acquire(ctx, NEED_READ, answer_again);
}

static void find_receipt(struct context *ctx, struct store_reader *reader)
{
	struct idempotency *retry = ctx->idempotency;
	const struct store_operations *store = ctx->service->store->operations;
	retry->status = store->receipt(reader, retry->names.key, &retry->receipt);
	if (retry->status == STORE_NOT_FOUND && retry->look_older) {
		retry->status = store->receipt(reader, retry->older.key, &retry->receipt);
		retry->found_older = retry->status == STORE_OK;
	}
}

static void found_receipt(struct context *ctx)
{
	struct idempotency *retry = ctx->idempotency;
	if (retry->status == STORE_NOT_FOUND) {
		retry->go(ctx);
		return;
	}
	retry->settled = true;
	bool opened = false;
	if (retry->status == STORE_OK)
		opened = open_receipt(ctx);
	else
		ctx_store_problem(ctx, retry->status);
	free(retry->receipt.answer);
	retry->receipt.answer = NULL;
	if (opened)
		ask_again(ctx);
	else
		ctx_answer(ctx);
}

/* ---- what another process may have answered ---- */

bool idempotency_in_doubt(const struct context *ctx)
{
	return ctx->idempotency && ctx->visit.write.status == STORE_CONFLICT;
}

static void found_again(struct context *ctx)
{
	if (ctx->idempotency->status != STORE_NOT_FOUND) {
		session_release(&ctx->visit);
		request_clear_reply(ctx->request);
	}
	found_receipt(ctx);
}

static void plan_again(struct context *ctx)
{
	session_acquire(&ctx->visit, ctx->visit.need);
}

void idempotency_find_again(struct context *ctx)
{
	ctx->visit.write.status = STORE_OK;
	ctx->idempotency->go = plan_again;
	ctx_read(ctx, find_receipt, found_again);
}

static void refuse(struct context *ctx)
{
	ctx->service->answer(ctx);
}

bool idempotency_doubts_refusal(struct context *ctx)
{
	struct idempotency *retry = ctx->idempotency;
	if (retry->settled || ctx->request->reply.status < 400 ||
	    !ctx->service->store->operations->changes)
		return false;
	retry->settled = true;
	retry->go = refuse;
	ctx_read(ctx, find_receipt, found_again);
	return true;
}

static void join_or_find(struct context *ctx)
{
	struct service *service = ctx->service;
	struct idempotency *retry = ctx->idempotency, *other;
	HASH_FIND(hh, service->retries, retry->names.key, HASH_BYTES, other);
	if (other) {
		ctx->next = NULL;
		*(other->waiting ? &other->last->next : &other->waiting) = ctx;
		other->last = ctx;
		return;
	}
	bool failed = false;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = true)
	HASH_ADD(hh, service->retries, names.key, HASH_BYTES, retry);
	if (failed) {
		ctx_no_memory(ctx);
		ctx_answer(ctx);
		return;
	}
	retry->first = true;
	ctx_read(ctx, find_receipt, found_receipt);
}

void idempotency_begin(struct context *ctx, void (*go)(struct context *ctx), replay_receipt *replay)
{
	struct idempotency *retry = ctx_alloc(ctx, sizeof *retry);
	if (retry)
		*retry = (struct idempotency){.go = go, .replay = replay};
	if (!retry || !hash_request(ctx, retry) ||
	    (!key_fits(ctx->request->header[HEADER_IDEMPOTENCY_KEY]) && !bad_key(ctx))) {
		ctx_answer(ctx);
		return;
	}
	ctx->idempotency = retry;
	join_or_find(ctx);
}

void idempotency_end(struct context *ctx)
{
	struct idempotency *retry = ctx->idempotency;
	ctx->idempotency = NULL;
	if (!retry->first)
		return;
	HASH_DEL(ctx->service->retries, retry);
	/* The first of them goes on and the others wait for it, or all find the receipt. */
	for (struct context *next, *waiting = retry->waiting; waiting; waiting = next) {
		next = waiting->next;
		join_or_find(waiting);
	}
}
