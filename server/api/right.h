/* right.h: who asks, and what he may do. docs/access.md tells it for people.
 *
 *     right_read    before anything is looked up: is there a token, and can it be one?
 *     right_ask     with a token: finds it among those of its session, or answers 401
 *     right_check   when a session is entered: may he see it, turn it, own it?
 *
 * Nobody enters a session but through the hub, and that asks right_check; so a new call needs
 * nothing but its row in the table of routes. */
#ifndef SERVER_API_RIGHT_H
#define SERVER_API_RIGHT_H

#include "server/api/work.h"

/* Reads Authorization into work->who. False with a 401 where it holds no token. */
bool right_read(struct work *work);
/* The same for ?ticket=, once route and query are known; it must be of the session in the path. */
bool right_read_ticket(struct work *work);

/* Finds out whose token was sent, and calls `then`; or answers the work with 401, or 503 where the
 * store cannot be read. With the service's lock, in no session. */
void right_ask(struct work *work, void (*then)(struct work *work));
/* Makes the reply the 401 of an unknown token, or 429 where there were too many. */
void right_unknown(struct work *work);

/* Whether the work may do in work->session what its route does. False with a problem: 404 where he
 * may not even know that there is such a session, 410, 401 or 403. With the service's lock. */
bool right_check(struct work *work);

/* In a session: the token that he has shown and that is one of this session's; NULL: nobody known.
 * From work->roster, on any thread. */
const struct stored_token *right_token(const struct work *work);
/* Its number, the actor of what he does; 0 for nobody known. */
uint32_t right_actor(const struct work *work);
/* Whether they may turn the session's cube. */
bool right_turns(const struct work *work);
/* Whether he may do what only the owner may. */
bool right_owns(const struct work *work);

#endif
