/* session_cache_internal.h: what the session cache's files share: session_cache.c the line, loaded_sessions.c which sessions are in memory,
 * write.c the writes. */
#ifndef SERVER_SESSION_SESSION_CACHE_INTERNAL_H
#define SERVER_SESSION_SESSION_CACHE_INTERNAL_H

#include "server/session/session_cache.h"

/* ---- states ---- */

/* Holds `state` instead of what is held there. */
void state_replace(struct history **slot, struct history *state);

/* ---- loaded_sessions.c ---- */

/* A new, empty session in the cache; NULL when memory is out. */
struct session *session_cache_add(struct session_cache *session_cache, const struct session_id *id);
/* Takes it out of the cache; freed now, or when the last work leaves. */
void session_cache_drop(struct session_cache *session_cache, struct session *session);
/* It was used just now. */
void session_cache_touch(struct session_cache *session_cache, struct session *session);
/* Counts its memory anew. */
void session_cache_count_bytes(struct session_cache *session_cache, struct session *session);
/* Drops sessions that nobody uses, the longest unused first, until the bound is met. */
void session_cache_trim(struct session_cache *session_cache);
/* Has a reader load it; everybody who waits is let in, or told that it cannot be had. */
void session_cache_load(struct session_cache *session_cache, struct session *session);

/* ---- session_cache.c ---- */

/* Lets in all contexts that can acquire the session, readers before their turn. */
void session_cache_advance(struct session_cache *session_cache, struct session *session);

#endif
