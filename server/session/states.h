/* states.h: the states of sessions and visits, changed by these functions alone; with the session
 * cache's lock. */
#ifndef SERVER_SESSION_STATES_H
#define SERVER_SESSION_STATES_H

#include "server/session/session_cache.h"
#include "server/util/transition.h"

extern const transition_row session_transitions[SESSION_STATES];
extern const transition_row listing_transitions[SESSION_LISTINGS];
extern const transition_row visit_transitions[VISIT_STATES];
extern const transition_row pass_transitions[PASS_COUNT];

static inline void session_become(struct session *session, enum session_state state)
{
	transition_assert(session_transitions, session->state, state);
	session->state = state;
}

/* The store is newer. What is not loaded is read anyway. */
static inline void session_expire(struct session *session)
{
	if (session->state >= SESSION_DIVERGED)
		session_become(session, SESSION_STALE);
}

static inline void session_set_listing(struct session *session, enum session_listing listing)
{
	transition_assert(listing_transitions, session->listing, listing);
	session->listing = listing;
}

/* Returns true if its states are there, perhaps older ones than the store has. */
static inline bool session_is_loaded(const struct session *session)
{
	return session->state >= SESSION_STALE;
}

static inline void visit_become(struct visit *visit, enum visit_state state)
{
	lock_assert_held(&visit->cache->lock);
	transition_assert(visit_transitions, visit->state, state);
	visit->state = state;
}

static inline void visit_set_pass(struct visit *visit, enum visit_pass pass)
{
	lock_assert_held(&visit->cache->lock);
	transition_assert(pass_transitions, visit->pass, pass);
	visit->pass = pass;
}

/* Makes a visit that waits or writes no longer do so: it is where visit->session says. */
static inline void visit_settle(struct visit *visit)
{
	const struct session *session = visit->session;
	visit_become(visit, !session                   ? VISIT_OUTSIDE
			    : session->holder == visit ? VISIT_HOLDING
						       : VISIT_INSIDE);
}

/* Checked builds end if the session breaks an invariant of docs/internals/sessions.md. Call it when
 * nothing is being changed. */
void session_check(const struct session *session);
static inline void session_assert(const struct session *session)
{
	if (IS_CHECKED)
		session_check(session);
}

#endif
