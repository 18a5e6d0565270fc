/* visit.c: entering and leaving sessions: their states, and which visits may enter. */
#include "server/session/session_cache_internal.h"
#include "server/util/meters.h"

/* A visit that was lost so often keeps its session the next time, so that it is served at last. */
#define LOSSES_BEFORE_KEEPING 3

/* ---- states ---- */

void state_replace(struct history **slot, struct history *state)
{
	struct history *old = *slot;
	*slot = history_share(state);
	history_release(old);
}

void session_take_snapshot(struct visit *visit, struct history *state)
{
	history_share(state);
	history_release(visit->snapshot);
	visit->snapshot = state;
}

/* ---- who may enter ---- */

static bool session_cache_may_enter(const struct session *session, const struct visit *visit)
{
	if (!session->loaded || session->stale)
		return false;
	switch ((enum session_need)visit->need) {
	case NEED_READ:
		return true;
	case NEED_WRITE:
		return !session->holder && !session->diverged;
	case NEED_ALONE:
		return !session->holder && session->writes == 0;
	}
	return false;
}

static void session_cache_run(struct visit *visit)
{
	roster_release(visit->roster);
	visit->roster = roster_share(visit->session->roster);
	visit->version = visit->session->meta.version;
	if (visit->calls->authorize(visit))
		visit->calls->entered(visit);
}

void session_cache_advance(struct session_cache *session_cache, struct session *session)
{
	struct visit *visit;
	if (session->advancing || session->line.waiting == 0)
		return;
	session->advancing = true;
	session->pins++;
	/* If the next one cannot enter, nobody overtakes it. */
	while ((visit = line_next(&session->line)) && session_cache_may_enter(session, visit)) {
		line_take(&session->line, visit);
		session_cache_run(visit);
	}
	session->advancing = false;
	session->pins--;
	if (!session->listed)
		session_cache_drop(session_cache, session);
}

void session_acquire(struct visit *visit, enum session_need need)
{
	struct session_cache *session_cache = visit->cache;
	struct session *session = visit->session;
	lock_assert_held(&session_cache->lock);
	visit->need = (unsigned char)need;
	if (!gate_is_passed(&session_cache->gate, visit) &&
	    !gate_trusts(&session_cache->gate, visit)) {
		gate_wait(&session_cache->gate, visit);
		return;
	}
	if (!session) {
		session = session_cache_find(session_cache, &visit->id);
		if (!session)
			session = session_cache_add(session_cache, &visit->id);
		if (!session) {
			visit->calls->refused(visit, STORE_NO_MEMORY);
			return;
		}
		session->pins++;
		visit->session = session;
	}
	if (session->loaded)
		meter_add(METER_SESSIONS_HOT, 1);
	session_cache_touch(session_cache, session);
	const bool writes = need != NEED_READ;
	const bool waits = writes && (session->advancing || line_is_behind(&session->line, visit));
	if (!waits && session_cache_may_enter(session, visit)) {
		session_cache_run(visit);
		return;
	}
	line_put(&session->line, visit, visit->attempts > 0 || visit->losses > 0);
	visit->loads = visit->loads || !session->loaded;
	if (!session->loaded && !session->loading)
		session_cache_load(session_cache, session);
	else
		session_cache_advance(session_cache, session);
}

void session_join(struct visit *visit, struct session *session)
{
	lock_assert_held(&visit->cache->lock);
	visit->session = session;
	visit->version = session->meta.version;
	session->pins++;
}

void session_lock(struct visit *visit)
{
	visit->session->holder = visit;
}

void session_unlock(struct visit *visit)
{
	if (visit->session && visit->session->holder == visit)
		visit->session->holder = NULL;
}

bool session_yield(struct visit *visit)
{
	struct session *session = visit->session;
	if (!session || session->holder != visit || visit->losses >= LOSSES_BEFORE_KEEPING)
		return false;
	session->holder = NULL;
	visit->yielded = true;
	line_set_apart(&session->line, visit);
	session_cache_advance(visit->cache, session);
	return true;
}

bool session_resume(struct visit *visit)
{
	struct session *session = visit->session;
	lock_assert_held(&visit->cache->lock);
	line_rejoin(&session->line, visit);
	visit->yielded = false;
	visit->lost = !session_cache_may_enter(session, visit) ||
		      visit->version != session->meta.version ||
		      (visit->snapshot && visit->snapshot != session->head) ||
		      (!visit->urgent && session->line.first[LINE_URGENT]);
	if (!visit->lost)
		session->holder = visit;
	return !visit->lost;
}

void session_enter_again(struct visit *visit)
{
	visit->lost = false;
	visit->losses++;
	history_release(visit->after);
	visit->after = NULL;
	session_acquire(visit, (enum session_need)visit->need);
}

bool session_is_exclusive(const struct visit *visit)
{
	const struct session *session = visit->session;
	return !session || (session->holder == visit && !session->advancing);
}

void session_release(struct visit *visit)
{
	struct session_cache *session_cache = visit->cache;
	struct session *session = visit->session;
	history_release(visit->snapshot);
	history_release(visit->after);
	roster_release(visit->roster);
	visit->snapshot = visit->after = NULL;
	visit->roster = NULL;
	if (!session)
		return;
	session_unlock(visit);
	session_cache_advance(session_cache, session);
	visit->session = NULL;
	if (--session->pins == 0) {
		if (!session->listed)
			session_cache_drop(session_cache, session);
		else if (session_cache->bytes > session_cache->bytes_max)
			session_cache_trim(session_cache);
	}
}
