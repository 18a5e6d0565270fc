/* states.c: which state of a session or a visit may follow which, and what is true in each. */
#include "server/session/states.h"

const transition_row session_transitions[SESSION_STATES] = {
	[SESSION_EMPTY] = TO(SESSION_LOADING) | TO(SESSION_CURRENT),
	[SESSION_LOADING] = TO(SESSION_CURRENT) | TO(SESSION_EMPTY),
	[SESSION_STALE] = TO(SESSION_LOADING),
	[SESSION_DIVERGED] = TO(SESSION_CURRENT) | TO(SESSION_STALE),
	[SESSION_CURRENT] = TO(SESSION_DIVERGED) | TO(SESSION_STALE),
};

const transition_row listing_transitions[SESSION_LISTINGS] = {
	[SESSION_UNLISTED] = TO(SESSION_LISTED),
	[SESSION_LISTED] = TO(SESSION_KEYED) | TO(SESSION_UNLISTED),
	[SESSION_KEYED] = TO(SESSION_UNLISTED),
};

const transition_row visit_transitions[VISIT_STATES] = {
	[VISIT_OUTSIDE] = TO(VISIT_OUTSIDE) | TO(VISIT_AT_GATE) | TO(VISIT_IN_LINE) |
			  TO(VISIT_INSIDE) | TO(VISIT_WRITING),
	[VISIT_AT_GATE] = TO(VISIT_IN_LINE) | TO(VISIT_INSIDE) | TO(VISIT_OUTSIDE),
	[VISIT_IN_LINE] = TO(VISIT_INSIDE),
	[VISIT_INSIDE] = TO(VISIT_INSIDE) | TO(VISIT_AT_GATE) | TO(VISIT_IN_LINE) |
			 TO(VISIT_HOLDING) | TO(VISIT_WRITING) | TO(VISIT_OUTSIDE),
	[VISIT_HOLDING] = TO(VISIT_INSIDE) | TO(VISIT_APART) | TO(VISIT_WRITING),
	[VISIT_APART] = TO(VISIT_HOLDING) | TO(VISIT_LOST),
	[VISIT_LOST] = TO(VISIT_AT_GATE) | TO(VISIT_IN_LINE) | TO(VISIT_INSIDE),
	[VISIT_WRITING] = TO(VISIT_HOLDING) | TO(VISIT_INSIDE) | TO(VISIT_OUTSIDE),
};

const transition_row pass_transitions[PASS_COUNT] = {
	[PASS_NONE] = TO(PASS_TRUSTING) | TO(PASS_FRESH),
	[PASS_TRUSTING] = TO(PASS_TRUSTED) | TO(PASS_FRESH) | TO(PASS_NONE),
	[PASS_TRUSTED] = TO(PASS_TRUSTED) | TO(PASS_FRESH) | TO(PASS_NONE),
	[PASS_FRESH] = TO(PASS_NONE),
};

void session_check(const struct session *session)
{
	const struct visit *holder = session->holder;
	if (holder)
		checked_assert(holder->session == session &&
			       (holder->state == VISIT_HOLDING || holder->state == VISIT_WRITING));
	if (session_is_loaded(session))
		checked_assert(session->committed && session->head &&
			       (session->writes > 0 || session->head == session->committed));
	checked_assert(session->state != SESSION_DIVERGED || session->writes > 0);
	checked_assert(session->state != SESSION_EMPTY || session->line.waiting == 0);
	for (const struct visit *apart = session->line.apart; IS_CHECKED && apart;
	     apart = apart->next)
		checked_assert(apart->state == VISIT_APART && apart->session == session);
}
