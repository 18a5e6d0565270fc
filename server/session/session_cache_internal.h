/* session_cache_internal.h: what the files of the session cache share. */
#ifndef SERVER_SESSION_SESSION_CACHE_INTERNAL_H
#define SERVER_SESSION_SESSION_CACHE_INTERNAL_H

#include "server/session/session_cache.h"

/* ---- loaded_sessions.c: which sessions are in memory ---- */

/* The session with this id; NULL: it is not in memory. */
struct session *session_cache_find(struct session_cache *session_cache,
				   const struct session_id *id);
/* A new, empty session in the cache; NULL: out of memory. */
struct session *session_cache_add(struct session_cache *session_cache, const struct session_id *id);
/* Removes it from the cache; freed now, or with its last pin. */
void session_cache_drop(struct session_cache *session_cache, struct session *session);
/* Marks it as just used. */
void session_cache_touch(struct session_cache *session_cache, struct session *session);
/* Recounts its memory. */
void session_cache_count_bytes(struct session_cache *session_cache, struct session *session);
/* Drops unused sessions, least recently used first, until the bound is met. */
void session_cache_trim(struct session_cache *session_cache);
/* Makes it possible to find a loaded session by its key, where others write too; false if out of
 * memory. */
MUST_USE bool session_cache_key(struct session_cache *session_cache, struct session *session);

/* ---- load.c ---- */

/* Makes a reader load it; then all waiting visits enter, or are refused. */
void session_cache_load(struct session_cache *session_cache, struct session *session);

/* ---- visit.c: which visits may enter ---- */

/* Calls all visits that can enter the session, in the order of its line. */
void session_cache_advance(struct session_cache *session_cache, struct session *session);
/* Replaces the referenced state by `state`. */
void state_replace(struct history **slot, struct history *state);

/* ---- write.c: the writes under way ---- */

/* An entry is committed: `after` is the committed state now, which observers hear of. */
void session_cache_advance_committed(struct session_cache *session_cache, struct session *session,
				     struct history *after, const struct appended *appended);

/* Another entry came first: the visit enters again; refused after several attempts. */
void session_retry(struct visit *visit);

#endif
