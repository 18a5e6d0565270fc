/* limit.h: how often a client may ask: by token and by address, for reading, writing, creating and
 * wrong tokens apart. Clients on loopback have the rates of others times a factor, unless the peer
 * is a trusted proxy. Any thread. */
#ifndef SERVER_API_LIMIT_H
#define SERVER_API_LIMIT_H

#include "server/api/work.h"

/* Sets the client and its rates; once, before the others. The client is known for every request,
 * also if nothing is limited. */
void limit_begin(struct work *work);
/* Counts the request for its address, by what its route does. False with 429. */
bool limit_address(struct work *work);
/* Counts it as one that creates a session, which its route does not tell. False with 429. */
bool limit_creation(struct work *work);
/* Takes that back, if it was counted: nothing was created. */
void limit_not_created(struct work *work);
/* Counts the bytes that work->write adds to the store for its address; again, if they were counted
 * before. False with 429. */
bool limit_stored(struct work *work);
/* Takes that back, if it was counted: nothing was stored. */
void limit_not_stored(struct work *work);
/* Counts it for its token, where it has one. False with 429. */
bool limit_token(struct work *work);
/* Before a token is looked up. False with 429. */
bool limit_lookup(struct work *work);
/* Counts a wrong token. False with 429. */
bool limit_wrong_token(struct work *work);

/* Answers 429 to one who has as much of something as there may be: it is not known when there is
 * room again. Any thread. */
void limit_full(struct request *request, const char *detail);

#endif
