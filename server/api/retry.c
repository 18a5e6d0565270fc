/* retry.c: receipts: made, sealed, found, opened. */
#include "server/api/retry.h"

#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/api/input.h"
#include "server/api/negotiate.h"
#include "server/api/problem.h"
#include "server/api/state.h"
#include "server/session/hub.h"

struct retry {
	uint8_t key[HASH_BYTES], seal[HASH_BYTES], body[HASH_BYTES];
	void (*go)(struct work *work);
	struct work *waiting, *last; /* with the same key, by work->next */
	struct receipt receipt;      /* to be written, or found */
	enum store_status status;    /* of the look into the store */
	bool first;                  /* it is in the table */
	UT_hash_handle hh;
};

/* ---- what is asked ---- */

static bool bad_key(struct work *work)
{
	struct out out;
	problem_begin(work->request, PROBLEM_BAD_REQUEST, &out,
		      "An Idempotency-Key has 1 to %d visible characters.", RETRY_KEY_MAX);
	problem_member(&out, "expected", "a random text, of a new one for each change");
	problem_end(work->request, &out);
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

/* Who, what and the key, each ended by a NUL, which none of them has. */
static bool hash_request(struct work *work, struct retry *retry)
{
	const struct request *request = work->request;
	const char *key = request->header[HEADER_IDEMPOTENCY_KEY];
	const char *question = memchr(request->target, '?', request->target_length);
	const size_t path =
		question ? (size_t)(question - request->target) : request->target_length;
	struct buffer all = {0};
	if (work->who.token > 0) {
		buffer_add(&all, work->who.session.bytes, SESSION_ID_BYTES);
		buffer_add(&all, &work->who.token, sizeof work->who.token);
	}
	buffer_add(&all, "", 1);
	buffer_add(&all, request->method, strlen(request->method) + 1);
	buffer_add(&all, request->target, path);
	buffer_add(&all, "", 1);
	buffer_text(&all, key);
	const bool made = !all.failed;
	if (made) {
		secret_hash("cubed receipt", all.bytes, all.length, retry->key);
		secret_hash("cubed receipt seal", all.bytes, all.length, retry->seal);
		secret_hash("cubed receipt body", request->body, request->body_length, retry->body);
		secret_forget(all.bytes, all.length);
	}
	buffer_free(&all);
	return made || work_no_memory(work);
}

/* ---- the bytes of an answer ---- */

/* In the first byte, above the status: a token follows the other texts. */
#define WITH_TOKEN 0x80

/* Status, then content type, Location, ETag, Link, and the token if there is one, each ended by a
 * NUL, then the body. */
static void answer_write(const struct reply *reply, struct buffer *to)
{
	const char *const texts[] = {reply->content_type, reply->location, reply->etag, reply->link,
				     reply->token};
	const uint8_t status[2] = {(uint8_t)(reply->status >> 8 | (reply->token ? WITH_TOKEN : 0)),
				   (uint8_t)reply->status};
	buffer_add(to, status, sizeof status);
	for (size_t i = 0; i < (reply->token ? 5 : 4); i++)
		buffer_add(to, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) + 1 : 1);
	buffer_add(to, reply->body.bytes, reply->body.length);
}

static bool next_text(const char **at, const char *end, const char **text)
{
	const char *stop = memchr(*at, '\0', (size_t)(end - *at));
	if (!stop)
		return false;
	*text = stop > *at ? *at : NULL;
	*at = stop + 1;
	return true;
}

/* `bytes` lives as long as the request. False where they are no answer. */
static bool answer_read(const char *bytes, size_t length, struct reply *reply)
{
	const char *at = bytes + 2, *end = bytes + length, *type = NULL;
	if (length < 2)
		return false;
	const uint8_t high = (uint8_t)bytes[0];
	reply->status = (unsigned)(high & ~WITH_TOKEN) << 8 | (uint8_t)bytes[1];
	if (!next_text(&at, end, &type) || !next_text(&at, end, &reply->location) ||
	    !next_text(&at, end, &reply->etag) || !next_text(&at, end, &reply->link) ||
	    (high & WITH_TOKEN && !next_text(&at, end, &reply->token)))
		return false;
	/* The usual type is told by its address. */
	const char *json = media_type(MEDIA_JSON);
	reply->content_type = type && strcmp(type, json) == 0 ? json : type;
	buffer_add(&reply->body, at, (size_t)(end - at));
	return true;
}

bool retry_keep(struct work *work)
{
	struct retry *retry = work->retry;
	struct receipt *receipt = &retry->receipt;
	struct buffer plain = {0};
	answer_write(&work->request->reply, &plain);
	if (!plain.failed)
		receipt->answer = arena_take(&work->request->arena, plain.length + SEAL_OVERHEAD);
	const bool made = !plain.failed && receipt->answer;
	if (made) {
		secret_seal(retry->seal, plain.bytes, plain.length, receipt->answer);
		secret_forget(plain.bytes, plain.length);
		receipt->answer_bytes = plain.length + SEAL_OVERHEAD;
		receipt->created_ms = service_now_ms();
		memcpy(receipt->key, retry->key, HASH_BYTES);
		memcpy(receipt->body, retry->body, HASH_BYTES);
		work->write.receipt = receipt;
	}
	buffer_free(&plain);
	return made || work_no_memory(work);
}

/* ---- finding ---- */

static void answer_again(struct work *work)
{
	struct retry *retry = work->retry;
	const struct receipt *receipt = &retry->receipt;
	if (!secret_equal(receipt->body, retry->body)) {
		problem_answer(
			work->request, PROBLEM_IDEMPOTENCY,
			"This Idempotency-Key was used for a request with another body. A new "
			"change needs a new key.");
		return;
	}
	char *plain = work_take(work, receipt->answer_bytes);
	if (!plain)
		return;
	if (!secret_open(retry->seal, receipt->answer, receipt->answer_bytes, plain) ||
	    !answer_read(plain, receipt->answer_bytes - SEAL_OVERHEAD, &work->request->reply))
		work_store_problem(work, STORE_BROKEN);
	else
		work_reply_made(work);
}

static void look_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct retry *retry = work->retry;
	retry->status =
		work->service->store->operations->receipt(reader, retry->key, &retry->receipt);
}

static void look_done(struct job *job)
{
	struct work *work = work_of_job(job);
	struct retry *retry = work->retry;
	if (retry->status == STORE_NOT_FOUND) {
		retry->go(work);
		return;
	}
	if (retry->status == STORE_OK)
		answer_again(work);
	else
		work_store_problem(work, retry->status);
	free(retry->receipt.answer);
	retry->receipt.answer = NULL;
	work_answer(work);
}

static void look(struct work *work)
{
	struct service *service = work->service;
	struct retry *retry = work->retry, *other;
	HASH_FIND(hh, service->retries, retry->key, HASH_BYTES, other);
	if (other) {
		work->next = NULL;
		*(other->waiting ? &other->last->next : &other->waiting) = work;
		other->last = work;
		return;
	}
	bool failed = false;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = true)
	HASH_ADD(hh, service->retries, key, HASH_BYTES, retry);
	if (failed) {
		work_no_memory(work);
		work_answer(work);
		return;
	}
	retry->first = true;
	work->job.run = look_run;
	work->job.done = look_done;
	pool_submit(service->readers, &work->job);
}

void retry_begin(struct work *work, void (*go)(struct work *work))
{
	struct retry *retry = work_take(work, sizeof *retry);
	if (retry)
		*retry = (struct retry){.go = go};
	if (!retry || !hash_request(work, retry) ||
	    (!key_fits(work->request->header[HEADER_IDEMPOTENCY_KEY]) && !bad_key(work))) {
		work_answer(work);
		return;
	}
	work->retry = retry;
	look(work);
}

void retry_end(struct work *work)
{
	struct retry *retry = work->retry;
	work->retry = NULL;
	if (!retry->first)
		return;
	HASH_DEL(work->service->retries, retry);
	/* The first of them goes on, the others wait for that one, or all find what is kept. */
	for (struct work *next, *waiting = retry->waiting; waiting; waiting = next) {
		next = waiting->next;
		look(waiting);
	}
}
