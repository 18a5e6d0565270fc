/* loaded_sessions.c: which sessions are in memory: found by id, bounded, read from the store. */
#include <stdlib.h>
#include <sys/random.h>

#include "cube/turn.h"
#include "server/session/session_cache_internal.h"
#include "server/session/states.h"

/* The maximum number of sessions that one trim examines. */
#define TRIM_LOOK 32

/* ---- the cache ---- */

bool session_cache_init(struct session_cache *session_cache)
{
	*session_cache = (struct session_cache){0};
	if (getrandom(&session_cache->state_ids, sizeof session_cache->state_ids, 0) !=
	    (ssize_t)sizeof session_cache->state_ids)
		return false;
	return lock_init_adaptive(&session_cache->lock);
}

void session_cache_open(struct session_cache *session_cache,
			const struct session_cache_options *options)
{
	session_cache->store = options->store;
	session_cache->readers = options->readers;
	session_cache->bytes_max = options->bytes_max;
	session_cache->observer = options->observer;
	session_cache->solves_changed = options->solves_changed;
	session_cache->context = options->context;
	options->store->operations->incarnation(options->store, session_cache->incarnation);
	gate_open(&session_cache->gate, session_cache, options->feed, options->gate);
}

static void session_cache_unlink(struct session_cache *session_cache, struct session *session)
{
	*(session->newer ? &session->newer->older : &session_cache->newest) = session->older;
	*(session->older ? &session->older->newer : &session_cache->oldest) = session->newer;
	session->newer = session->older = NULL;
}

static void session_cache_link_newest(struct session_cache *session_cache, struct session *session)
{
	session->older = session_cache->newest;
	session->newer = NULL;
	*(session_cache->newest ? &session_cache->newest->newer : &session_cache->oldest) = session;
	session_cache->newest = session;
}

void session_cache_touch(struct session_cache *session_cache, struct session *session)
{
	if (session->listing == SESSION_UNLISTED || session_cache->newest == session)
		return;
	session_cache_unlink(session_cache, session);
	session_cache_link_newest(session_cache, session);
}

static void session_free(struct session *session)
{
	history_release(session->committed);
	history_release(session->head);
	roster_release(session->roster);
	free(session->scramble);
	free(session);
}

struct session *session_cache_find(struct session_cache *session_cache, const struct session_id *id)
{
	struct session *session;
	HASH_FIND(hh, session_cache->sessions, id, sizeof *id, session);
	return session;
}

bool session_cache_key(struct session_cache *session_cache, struct session *session)
{
	if (session->listing != SESSION_LISTED || !session_cache->gate.pool)
		return true;
	bool failed = false;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = true)
	HASH_ADD(hk, session_cache->by_key, meta.key, sizeof session->meta.key, session);
	if (!failed)
		session_set_listing(session, SESSION_KEYED);
	return !failed;
}

void session_cache_drop(struct session_cache *session_cache, struct session *session)
{
	if (session->topic)
		session_cache->observer->ended(session);
	if (session->listing == SESSION_KEYED)
		HASH_DELETE(hk, session_cache->by_key, session);
	if (session->listing != SESSION_UNLISTED) {
		HASH_DEL(session_cache->sessions, session);
		session_cache_unlink(session_cache, session);
		session_cache->bytes -= session->bytes;
		session_set_listing(session, SESSION_UNLISTED);
	}
	if (session->pins == 0 && session->state != SESSION_LOADING)
		session_free(session);
}

void session_cache_trim(struct session_cache *session_cache)
{
	struct session *session = session_cache->oldest;
	for (int looked = 0;
	     session && session_cache->bytes > session_cache->bytes_max && looked < TRIM_LOOK;
	     looked++) {
		struct session *newer = session->newer;
		/* Sessions in use, perhaps for hours, must not be examined again and again. */
		if (session->pins == 0 && session->state != SESSION_LOADING)
			session_cache_drop(session_cache, session);
		else
			session_cache_touch(session_cache, session);
		session = newer;
	}
}

bool session_cache_has_room(struct session_cache *session_cache)
{
	if (session_cache->bytes > session_cache->bytes_max)
		session_cache_trim(session_cache);
	return session_cache->bytes <= session_cache->bytes_max;
}

void session_cache_close(struct session_cache *session_cache)
{
	struct session *session, *following;
	lock_acquire(&session_cache->lock);
	HASH_ITER (hh, session_cache->sessions, session, following)
		session_cache_drop(session_cache, session);
	lock_release(&session_cache->lock);
}

void session_cache_finish(struct session_cache *session_cache)
{
	gate_close(&session_cache->gate);
	lock_destroy(&session_cache->lock);
}

void session_cache_count_bytes(struct session_cache *session_cache, struct session *session)
{
	size_t bytes = sizeof *session + session->scramble_count * sizeof *session->scramble;
	if (session->roster)
		bytes += sizeof *session->roster +
			 session->roster->count * sizeof session->roster->tokens[0];
	if (session->committed)
		bytes += history_bytes(session->committed);
	if (session->listing != SESSION_UNLISTED)
		session_cache->bytes += bytes - session->bytes;
	session->bytes = bytes;
}

struct session *session_cache_add(struct session_cache *session_cache, const struct session_id *id)
{
	struct session *session = calloc(1, sizeof *session);
	if (!session)
		return NULL;
	session->meta.id = *id;
	bool failed = false;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = true)
	HASH_ADD(hh, session_cache->sessions, meta.id, sizeof session->meta.id, session);
	if (failed) {
		free(session);
		return NULL;
	}
	session_set_listing(session, SESSION_LISTED);
	session_cache_link_newest(session_cache, session);
	session_cache_count_bytes(session_cache, session);
	return session;
}
