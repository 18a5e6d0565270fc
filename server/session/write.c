/* write.c: the writes under way: queued ahead of the disk, answered behind it. */
#include <stddef.h>
#include <stdlib.h>

#include "server/api/steps/rate_limit.h"
#include "server/api/request/problem.h"
#include "server/api/steps/idempotency.h"
#include "server/api/request/service_internal.h"
#include "server/live/live.h"
#include "server/session/session_cache_internal.h"
#include "server/util/log.h"

/* How often a context begins again when others were faster. */
#define ATTEMPTS_MAX 8

static void session_cache_count_writes(struct session_cache *session_cache, size_t change)
{
	size_t writes = atomic_load_explicit(&session_cache->writes, memory_order_relaxed);
	atomic_store_explicit(&session_cache->writes, writes + change, memory_order_relaxed);
}

/* The state that the context was worked out on is no longer the head: it enters again, behind the
 * others. */
static void session_cache_again(struct context *ctx)
{
	if (++ctx->attempts > ATTEMPTS_MAX) {
		ctx_store_problem(ctx, STORE_CONFLICT);
		ctx_answer(ctx);
		return;
	}
	history_release(ctx->after);
	ctx->after = NULL;
	session_unlock(ctx);
	request_clear_reply(ctx->request);
	session_acquire(ctx, (enum session_need)ctx->need, ctx->enter);
}

void session_write_entry(struct context *ctx)
{
	struct session_cache *session_cache = &ctx->service->session_cache;
	struct session *session = ctx->session;
	struct store_write *write = &ctx->write;
	if (write->kind == WRITE_APPEND && (session->stale || ctx->snapshot != session->head)) {
		session_cache_again(ctx);
		return;
	}
	if ((ctx->retry && !idempotency_keep(ctx)) || !rate_limit_stored(ctx)) {
		ctx_answer(ctx);
		return;
	}
	write->generation = session_cache->generation;
	write->status = STORE_OK;
	write->next = NULL;
	enum store_status status =
		session_cache->store->operations->submit(session_cache->store, write);
	if (status != STORE_OK) {
		ctx_store_problem(ctx, status);
		ctx_answer(ctx);
		return;
	}
	atomic_store(&ctx->service->submitted, true);
	session_cache_count_writes(session_cache, 1);
	if (!session)
		return;
	session->writes++;
	if (write->kind == WRITE_APPEND) {
		state_replace(&session->head, ctx->after);
		session_unlock(ctx);
		session_cache_advance(session_cache, session);
	}
}

/* A commit failed: everything that was under way fails, so every head goes back. */
static void session_cache_adopt_generation(struct session_cache *session_cache, uint64_t generation)
{
	struct session *session, *following;
	log_event(LOG_DEBUG, "a commit failed, sessions go back to what is stored",
		  LOG_NUMBER("epoch", generation));
	session_cache->generation = generation;
	HASH_ITER (hh, session_cache->sessions, session, following)
		if (session->writes > 0 && session->loaded)
			state_replace(&session->head, session->committed);
}

/* A created session goes into the cache as it was made, if there is room: its first reader need not
 * load it. */
static void session_cache_created(struct session_cache *session_cache, struct context *ctx)
{
	struct session *session = session_cache_add(session_cache, &ctx->write.meta.id);
	if (!session)
		return;
	session->meta = ctx->write.meta;
	if (ctx->write.scramble_count > 0) {
		session->scramble = malloc(ctx->write.scramble_count * sizeof *session->scramble);
		if (!session->scramble) {
			session_cache_drop(session_cache, session);
			return;
		}
		session->scramble_count = ctx->write.scramble_count;
		for (size_t i = 0; i < session->scramble_count; i++)
			session->scramble[i] = ctx->write.scramble[i];
	}
	if (ctx->write.token) {
		session->roster = roster_create(ctx->write.token, 1);
		if (!session->roster) {
			session_cache_drop(session_cache, session);
			return;
		}
	}
	session->committed = history_share(ctx->after);
	session->head = history_share(ctx->after);
	session->loaded = true;
	session_cache_count_bytes(session_cache, session);
	session_cache_trim(session_cache);
}

/* Where memory is out the session is read again. */
static void session_cache_put_token(struct session_cache *session_cache, struct session *session,
				    const struct stored_token *token)
{
	struct roster *roster = roster_with(session->roster, token);
	if (roster) {
		roster_release(session->roster);
		session->roster = roster;
		session_cache_count_bytes(session_cache, session);
	} else {
		session->stale = true;
	}
}

/* After a change of access, subscribers that may still watch reconnect, and get the change then. */
static void session_cache_changed(struct session *session, const struct session_meta *meta)
{
	const bool access = session->meta.access != meta->access;
	const uint32_t assisted = session->meta.assisted;
	session->meta = *meta;
	session->meta.assisted = assisted; /* it may have changed since */
	if (session->topic && access)
		live_renew(session);
	else if (session->topic)
		live_about(session);
	live_go_on(session);
}

static void session_cache_committed(struct session_cache *session_cache, struct context *ctx)
{
	struct session *session = ctx->session;
	switch (ctx->write.kind) {
	case WRITE_CREATE:
		session_cache_created(session_cache, ctx);
		break;
	case WRITE_APPEND:
		if (session->topic)
			live_publish(session, ctx);
		state_replace(&session->committed, ctx->after);
		session_cache_count_bytes(session_cache, session);
		live_go_on(session);
		break;
	case WRITE_META:
		session_cache_changed(session, &ctx->write.meta);
		break;
	case WRITE_DELETE:
		if (session->topic)
			live_end(session);
		session->meta = ctx->write.meta;
		live_go_on(session);
		break;
	case WRITE_TOKEN:
		session_cache_put_token(session_cache, session, ctx->write.token);
		if (session->topic)
			live_tokens(session);
		if (session->topic && ctx->write.token->revoked_ms != 0)
			live_renew(session);
		break;
	case WRITE_ASSISTANCE:
		if (session->meta.assisted <= ctx->write.revision)
			session->meta.assisted = ctx->write.revision + 1;
		break;
	case WRITE_PATTERN: /* in the store alone */
	case WRITE_SOLVES:
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
	case WRITE_ANSWER:
		break;
	}
}

static struct context *ctx_of_write(struct store_write *write)
{
	return (struct context *)((char *)write - offsetof(struct context, write));
}

static void session_cache_written_one(struct session_cache *session_cache,
				      struct store_write *write)
{
	struct context *ctx = ctx_of_write(write);
	struct session *session = ctx->session;
	session_cache_count_writes(session_cache, (size_t)-1);
	if (write->generation != session_cache->generation)
		session_cache_adopt_generation(session_cache, write->generation);
	if (session) {
		session->writes--;
		session->pins++;
	}
	/* Also if it failed: it may be on the disk all the same. */
	if (write->solve_count > 0)
		stats_cache_changed(ctx->service->stats, write->meta.key);
	if (write->status == STORE_OK) {
		session_cache_committed(session_cache, ctx);
		ctx_answer(ctx);
	} else if (session &&
		   (write->status == STORE_CONFLICT || write->status == STORE_NOT_FOUND)) {
		session->stale = true;
		session_cache_again(ctx);
	} else {
		ctx_store_problem(ctx, write->status);
		ctx_answer(ctx);
	}
	if (!session)
		return;
	if (session->stale && session->writes == 0 && !session->loading)
		session_cache_load(session_cache, session);
	session_cache_advance(session_cache, session);
	session->pins--;
	if (session->pins == 0 && !session->listed)
		session_cache_drop(session_cache, session);
}

/* A batch is some hundred writes, and what they are about was last looked at a batch ago: asks the
 * processor for it ahead, in two steps, each one write before the next. */
static void expect_write(struct store_write *write)
{
	const struct context *ctx = ctx_of_write(write);
	__builtin_prefetch(&ctx->request);
	__builtin_prefetch(write);
	__builtin_prefetch(&ctx->session);
}

static void expect_session(struct store_write *write)
{
	const struct context *ctx = ctx_of_write(write);
	const struct session *session = ctx->session;
	__builtin_prefetch(ctx->after);
	__builtin_prefetch(&ctx->request->reply);
	if (session) {
		__builtin_prefetch(&session->pins);
		__builtin_prefetch(&session->topic);
	}
}

void session_cache_written(struct session_cache *session_cache, struct store_write *writes)
{
	while (writes) {
		struct store_write *next = writes->next;
		if (next && next->next)
			expect_write(next->next);
		if (next)
			expect_session(next);
		session_cache_written_one(session_cache, writes);
		writes = next;
	}
}
