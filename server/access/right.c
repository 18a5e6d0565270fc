/* right.c: what a caller may do in a session, and whose turn it is. */
#include "server/access/right.h"

enum right right_of(const struct roster *roster, const struct session_meta *meta,
		    const struct stored_token *token)
{
	static const enum right by_access[] = {
		[ACCESS_EDIT] = RIGHT_TURN, [ACCESS_VIEW] = RIGHT_SEE, [ACCESS_NONE] = RIGHT_NONE};
	static const enum right by_role[] = {
		[ROLE_OWNER] = RIGHT_OWN, [ROLE_EDITOR] = RIGHT_TURN, [ROLE_VIEWER] = RIGHT_SEE};
	if (!roster)
		return RIGHT_OWN;
	const enum right all = by_access[meta->access];
	const enum right own = token ? by_role[token->role] : RIGHT_NONE;
	return own > all ? own : all;
}

/* Returns true if the actor with that token (0: none) is a player of a round-robin. */
static bool in_the_round(const struct roster *roster, const struct session_meta *meta,
			 uint32_t number)
{
	const bool open = !roster || meta->access == ACCESS_EDIT;
	if (number == 0)
		return open;
	const struct stored_token *token = roster_at(roster, number);
	/* A token without a name whose guests play is the link that they came by. */
	return token && token->revoked_ms == 0 && (open || token->role != ROLE_VIEWER) &&
	       (!token->shared || token->label[0]);
}

uint32_t right_next(const struct roster *roster, const struct session_meta *meta, uint32_t actor)
{
	const size_t numbers = (roster ? roster->count : 0) + 1;
	for (size_t step = 1; step <= numbers; step++) {
		uint32_t number = (uint32_t)((actor + step) % numbers);
		if (in_the_round(roster, meta, number))
			return number;
	}
	return actor;
}
