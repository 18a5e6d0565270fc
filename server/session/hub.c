/* hub.c: the sessions in use: their states, and the line of works that want to enter. */
#include <stdlib.h>

#include "server/api/right.h"
#include "server/api/state.h"
#include "server/session/inside.h"
#include "server/util/meters.h"

/* ---- states ---- */

void state_replace(struct history **slot, struct history *state)
{
	struct history *old = *slot;
	*slot = history_share(state);
	history_release(old);
}

void hub_look(struct work *work, struct history *state)
{
	history_share(state);
	history_release(work->snapshot);
	work->snapshot = state;
}

/* ---- the line ---- */

static bool hub_may_enter(const struct session *session, const struct work *work)
{
	if (!session->loaded || session->stale)
		return false;
	switch ((enum session_need)work->need) {
	case NEED_READ:
		return true;
	case NEED_WRITE:
		return !session->holder;
	case NEED_ALONE:
		return !session->holder && session->writes == 0;
	}
	return false;
}

static void hub_run(struct work *work)
{
	roster_release(work->roster);
	work->roster = roster_share(work->session->roster);
	if (work->who.pending) { /* he does not enter: he asks who he is */
		work->enter(work);
		return;
	}
	if (!right_check(work)) {
		work_answer(work);
		return;
	}
	work->enter(work);
}

static void hub_wait(struct session *session, struct work *work)
{
	work->next = NULL;
	if (session->first_waiter)
		session->last_waiter->next = work;
	else
		session->first_waiter = work;
	session->last_waiter = work;
}

void hub_advance(struct hub *hub, struct session *session)
{
	if (session->advancing || !session->first_waiter)
		return;
	session->advancing = true;
	session->again = false;
	session->pins++;
	struct work *line = session->first_waiter;
	session->first_waiter = session->last_waiter = NULL;
	bool closed = false; /* somebody must wait: nobody who writes passes him */
	while (line) {
		struct work *work = line;
		line = line->next;
		if (hub_may_enter(session, work) && (!closed || work->need == NEED_READ)) {
			hub_run(work);
		} else {
			hub_wait(session, work);
			closed = true;
		}
	}
	session->advancing = false;
	session->pins--;
	if (session->again)
		hub_advance(hub, session);
	else if (!session->listed)
		hub_drop(hub, session);
}

void hub_enter(struct work *work, enum session_need need, void (*enter)(struct work *work))
{
	struct hub *hub = &work->service->hub;
	struct session *session = work->session;
	work->need = (unsigned char)need;
	work->enter = enter;
	if (!session) {
		HASH_FIND(hh, hub->sessions, &work->id, sizeof work->id, session);
		if (!session)
			session = hub_add(hub, &work->id);
		if (!session) {
			work_no_memory(work);
			work_answer(work);
			return;
		}
		session->pins++;
		work->session = session;
	}
	if (session->loaded)
		meter_add(METER_SESSIONS_HOT, 1);
	hub_touch(hub, session);
	bool line = need != NEED_READ && (session->first_waiter || session->advancing);
	if (!line && hub_may_enter(session, work)) {
		hub_run(work);
		return;
	}
	hub_wait(session, work);
	session->again = session->advancing;
	if (!session->loaded && !session->loading)
		hub_load(hub, session);
}

void hub_hold(struct work *work)
{
	work->session->holder = work;
}

void hub_release(struct work *work)
{
	if (work->session && work->session->holder == work)
		work->session->holder = NULL;
}

bool hub_works_alone(const struct work *work)
{
	const struct session *session = work->session;
	return !session || (session->holder == work && !session->advancing);
}

void hub_leave(struct work *work)
{
	struct hub *hub = &work->service->hub;
	struct session *session = work->session;
	history_release(work->snapshot);
	history_release(work->after);
	roster_release(work->roster);
	work->snapshot = work->after = NULL;
	work->roster = NULL;
	if (!session)
		return;
	hub_release(work);
	hub_advance(hub, session);
	work->session = NULL;
	if (--session->pins == 0) {
		if (!session->listed)
			hub_drop(hub, session);
		else if (hub->bytes > hub->bytes_max)
			hub_trim(hub);
	}
}
