/* visit.c: entering and leaving sessions: their states, and which visits may enter. */
#include "server/session/session_cache_internal.h"
#include "server/session/states.h"
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
	if (session->state < SESSION_DIVERGED)
		return false;
	switch (visit->need) {
	case NEED_READ:
		return true;
	case NEED_WRITE:
		return !session->holder && session->state == SESSION_CURRENT;
	case NEED_ALONE:
		return !session->holder && session->writes == 0;
	}
	return false;
}

static void session_cache_run(struct visit *visit)
{
	visit_become(visit, VISIT_INSIDE);
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
	if (session->listing == SESSION_UNLISTED)
		session_cache_drop(session_cache, session);
}

void session_acquire(struct visit *visit, enum session_need need)
{
	struct session_cache *session_cache = visit->cache;
	struct session *session = visit->session;
	lock_assert_held(&session_cache->lock);
	checked_assert(!session || session->holder != visit);
	visit->need = need;
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
			visit_become(visit, VISIT_OUTSIDE);
			visit->calls->refused(visit, STORE_NO_MEMORY);
			return;
		}
		session->pins++;
		visit->session = session;
	}
	const bool loaded = session_is_loaded(session);
	if (loaded)
		meter_add(METER_SESSIONS_HOT, 1);
	session_cache_touch(session_cache, session);
	const bool writes = need != NEED_READ;
	const bool waits = writes && (session->advancing || line_is_behind(&session->line, visit));
	if (!waits && session_cache_may_enter(session, visit)) {
		session_cache_run(visit);
		return;
	}
	visit_become(visit, VISIT_IN_LINE);
	line_put(&session->line, visit, visit->attempts > 0 || visit->losses > 0);
	visit->loads = visit->loads || !loaded;
	if (session->state == SESSION_EMPTY)
		session_cache_load(session_cache, session);
	else
		session_cache_advance(session_cache, session);
}

void session_join(struct visit *visit, struct session *session)
{
	visit_become(visit, VISIT_INSIDE);
	visit->session = session;
	visit->version = session->meta.version;
	session->pins++;
}

void session_lock(struct visit *visit)
{
	struct session *session = visit->session;
	if (session->holder == visit)
		return;
	checked_assert(!session->holder);
	visit_become(visit, VISIT_HOLDING);
	session->holder = visit;
}

void session_unlock(struct visit *visit)
{
	struct session *session = visit->session;
	if (!session || session->holder != visit)
		return;
	visit_become(visit, VISIT_INSIDE);
	session->holder = NULL;
}

bool session_yield(struct visit *visit)
{
	struct session *session = visit->session;
	if (visit->state != VISIT_HOLDING || visit->losses >= LOSSES_BEFORE_KEEPING)
		return false;
	session->holder = NULL;
	visit_become(visit, VISIT_APART);
	line_set_apart(&session->line, visit);
	session_cache_advance(visit->cache, session);
	return true;
}

bool session_resume(struct visit *visit)
{
	struct session *session = visit->session;
	lock_assert_held(&visit->cache->lock);
	line_rejoin(&session->line, visit);
	const bool lost = !session_cache_may_enter(session, visit) ||
			  visit->version != session->meta.version ||
			  (visit->snapshot && visit->snapshot != session->head) ||
			  (!visit->urgent && session->line.first[LINE_URGENT]);
	visit_become(visit, lost ? VISIT_LOST : VISIT_HOLDING);
	if (!lost)
		session->holder = visit;
	return !lost;
}

void session_enter_again(struct visit *visit)
{
	visit->losses++;
	history_release(visit->after);
	visit->after = NULL;
	session_acquire(visit, visit->need);
}

void session_forgo(struct visit *visit)
{
	visit_become(visit, VISIT_INSIDE);
}

void session_trust(struct visit *visit)
{
	if (visit->pass == PASS_NONE)
		visit_set_pass(visit, PASS_TRUSTING);
}

void session_distrust(struct visit *visit)
{
	if (visit->pass == PASS_TRUSTING || visit->pass == PASS_TRUSTED)
		visit_set_pass(visit, PASS_NONE);
}

bool session_is_exclusive(const struct visit *visit)
{
	const struct session *session = visit->session;
	return !session || (visit->state == VISIT_HOLDING && !session->advancing);
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
	checked_assert(visit->state == VISIT_INSIDE || visit->state == VISIT_HOLDING);
	session_unlock(visit);
	session_cache_advance(session_cache, session);
	visit_become(visit, VISIT_OUTSIDE);
	visit->session = NULL;
	if (--session->pins == 0) {
		if (session->listing == SESSION_UNLISTED)
			session_cache_drop(session_cache, session);
		else if (session_cache->bytes > session_cache->bytes_max)
			session_cache_trim(session_cache);
	}
}
