/* inside.h: what the hub's files share: hub.c the line, cache.c which sessions are in memory,
 * write.c the writes. */
#ifndef SERVER_SESSION_INSIDE_H
#define SERVER_SESSION_INSIDE_H

#include "server/session/hub.h"

/* ---- states ---- */

/* Holds `state` instead of what is held there. */
void state_replace(struct history **slot, struct history *state);

/* ---- cache.c ---- */

/* A new, empty session in the cache; NULL when memory is out. */
struct session *hub_add(struct hub *hub, const struct session_id *id);
/* Takes it out of the cache; freed now, or when the last work leaves. */
void hub_drop(struct hub *hub, struct session *session);
/* It was used just now. */
void hub_touch(struct hub *hub, struct session *session);
/* Counts its memory anew. */
void hub_count_bytes(struct hub *hub, struct session *session);
/* Drops sessions that nobody uses, the longest unused first, until the bound is met. */
void hub_trim(struct hub *hub);
/* Has a reader load it; everybody who waits is let in, or told that it cannot be had. */
void hub_load(struct hub *hub, struct session *session);

/* ---- hub.c ---- */

/* Lets in whoever can come in, readers before their turn. */
void hub_advance(struct hub *hub, struct session *session);

#endif
