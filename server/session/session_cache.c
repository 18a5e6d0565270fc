/* session_cache.c: the sessions in use: their states, and the line of contexts that want to enter. */
#include <stdlib.h>

#include "server/api/steps/authorize.h"
#include "server/api/request/service_internal.h"
#include "server/session/session_cache_internal.h"
#include "server/util/meters.h"

/* ---- states ---- */

void state_replace(struct history **slot, struct history *state)
{
	struct history *old = *slot;
	*slot = history_share(state);
	history_release(old);
}

void session_take_snapshot(struct context *ctx, struct history *state)
{
	history_share(state);
	history_release(ctx->snapshot);
	ctx->snapshot = state;
}

/* ---- the line ---- */

static bool session_cache_may_enter(const struct session *session, const struct context *ctx)
{
	if (!session->loaded || session->stale)
		return false;
	switch ((enum session_need)ctx->need) {
	case NEED_READ:
		return true;
	case NEED_WRITE:
		return !session->holder;
	case NEED_ALONE:
		return !session->holder && session->writes == 0;
	}
	return false;
}

static void session_cache_run(struct context *ctx)
{
	roster_release(ctx->roster);
	ctx->roster = roster_share(ctx->session->roster);
	if (ctx->who.pending) { /* only resolving a token: no session is acquired */
		ctx->enter(ctx);
		return;
	}
	if (!authorize_check(ctx)) {
		ctx_answer(ctx);
		return;
	}
	ctx->enter(ctx);
}

static void session_cache_wait(struct session *session, struct context *ctx)
{
	ctx->next = NULL;
	if (session->first_waiter)
		session->last_waiter->next = ctx;
	else
		session->first_waiter = ctx;
	session->last_waiter = ctx;
}

void session_cache_advance(struct session_cache *session_cache, struct session *session)
{
	if (session->advancing || !session->first_waiter)
		return;
	session->advancing = true;
	session->again = false;
	session->pins++;
	struct context *line = session->first_waiter;
	session->first_waiter = session->last_waiter = NULL;
	bool closed = false; /* one must wait: no writer passes it */
	while (line) {
		struct context *ctx = line;
		line = line->next;
		if (session_cache_may_enter(session, ctx) && (!closed || ctx->need == NEED_READ)) {
			session_cache_run(ctx);
		} else {
			session_cache_wait(session, ctx);
			closed = true;
		}
	}
	session->advancing = false;
	session->pins--;
	if (session->again)
		session_cache_advance(session_cache, session);
	else if (!session->listed)
		session_cache_drop(session_cache, session);
}

void session_acquire(struct context *ctx, enum session_need need,
		     void (*enter)(struct context *ctx))
{
	struct session_cache *session_cache = &ctx->service->session_cache;
	struct session *session = ctx->session;
	ctx->need = (unsigned char)need;
	ctx->enter = enter;
	if (!session) {
		HASH_FIND(hh, session_cache->sessions, &ctx->id, sizeof ctx->id, session);
		if (!session)
			session = session_cache_add(session_cache, &ctx->id);
		if (!session) {
			ctx_no_memory(ctx);
			ctx_answer(ctx);
			return;
		}
		session->pins++;
		ctx->session = session;
	}
	if (session->loaded)
		meter_add(METER_SESSIONS_HOT, 1);
	session_cache_touch(session_cache, session);
	bool line = need != NEED_READ && (session->first_waiter || session->advancing);
	if (!line && session_cache_may_enter(session, ctx)) {
		session_cache_run(ctx);
		return;
	}
	session_cache_wait(session, ctx);
	session->again = session->advancing;
	if (!session->loaded && !session->loading)
		session_cache_load(session_cache, session);
}

void session_lock(struct context *ctx)
{
	ctx->session->holder = ctx;
}

void session_unlock(struct context *ctx)
{
	if (ctx->session && ctx->session->holder == ctx)
		ctx->session->holder = NULL;
}

bool session_is_exclusive(const struct context *ctx)
{
	const struct session *session = ctx->session;
	return !session || (session->holder == ctx && !session->advancing);
}

void session_release(struct context *ctx)
{
	struct session_cache *session_cache = &ctx->service->session_cache;
	struct session *session = ctx->session;
	history_release(ctx->snapshot);
	history_release(ctx->after);
	roster_release(ctx->roster);
	ctx->snapshot = ctx->after = NULL;
	ctx->roster = NULL;
	if (!session)
		return;
	session_unlock(ctx);
	session_cache_advance(session_cache, session);
	ctx->session = NULL;
	if (--session->pins == 0) {
		if (!session->listed)
			session_cache_drop(session_cache, session);
		else if (session_cache->bytes > session_cache->bytes_max)
			session_cache_trim(session_cache);
	}
}
