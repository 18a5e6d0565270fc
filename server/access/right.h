/* right.h: what a caller may do in a session, by token or by the session's access, and whose turn
 * it is. For users: docs/reference/access.md. */
#ifndef SERVER_ACCESS_RIGHT_H
#define SERVER_ACCESS_RIGHT_H

#include "server/access/token.h"
#include "server/store/store.h"

/* Each includes those before it. */
enum right { RIGHT_NONE, RIGHT_SEE, RIGHT_TURN, RIGHT_OWN };

/* With that token, which must be valid; NULL: without one. A NULL roster is that of a session
 * created before there were tokens: open to all until it has an owner. */
enum right right_of(const struct roster *roster, const struct session_meta *meta,
		    const struct stored_token *token);

/* In a round-robin: the number of the token whose turn is after that of `actor`; `actor` if nobody
 * else may turn. All callers without a token are one player, 0, if they may turn. */
uint32_t right_next(const struct roster *roster, const struct session_meta *meta, uint32_t actor);

#endif
