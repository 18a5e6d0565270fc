/* apply_change.c: what another process changed, applied to the cached session, or this process
 * itself, where the answer of its write has not come back yet. */
#include "server/modules/postgres/gate_internal.h"
#include "server/session/states.h"

/* Entries that take longer to apply are read from the store instead: most bytes of entries times
 * layers of the cube. */
#define APPLY_COST_MAX 65536

void session_cache_outdate(struct session_cache *session_cache, struct session *session)
{
	if (session->pins == 0 && session->writes == 0) {
		session_cache_drop(session_cache, session);
		return;
	}
	session_expire(session);
	session->own = false;
	if (session->writes == 0 && session->state != SESSION_LOADING)
		session_cache_load(session_cache, session);
}

/* Applies entries that follow the committed state. False, with the entries before applied, if that
 * fails. */
static bool apply_entries(struct session_cache *session_cache, struct session *session,
			  const struct store_change *change, struct entry_reader *reader)
{
	for (;;) {
		struct appended appended = {.packed = reader->at,
					    .revision = reader->revision,
					    .before_ms = reader->before_ms};
		struct entry entry;
		enum entry_read read = entry_reader_next(reader, &entry);
		if (read != ENTRY_READ)
			return read == ENTRY_END;
		struct history *after = history_copy(session->committed);
		if (!after || !history_apply(after, &entry)) {
			history_destroy(after);
			return false;
		}
		appended.bytes = (size_t)(reader->at - appended.packed);
		if (after->revision == change->last) {
			after->id = change->state;
			after->last_actor = change->last_actor;
			after->last_known = true;
		}
		session_cache_advance_committed(session_cache, session, after, &appended);
		history_release(after);
	}
}

static void apply_appended(struct session_cache *session_cache, struct session *session,
			   const struct store_change *change)
{
	const struct history *committed = session->committed;
	/* A change that this process wrote itself, and that was answered since. */
	if (change->last <= committed->revision)
		return;
	session->own = false;
	const bool follows = change->first == committed->revision + 1 &&
			     change->version == session->meta.version;
	if (!follows || change->bytes * session->meta.size > APPLY_COST_MAX) {
		session_cache_outdate(session_cache, session);
		return;
	}
	struct entry_reader reader;
	const int64_t before_ms =
		committed->revision > 0 ? committed->updated_ms : session->meta.created_ms;
	entry_reader_init(&reader, session->meta.size, change->entries, change->bytes,
			  change->first, before_ms);
	session->pins++; /* observers let visits in, which may release it */
	const bool applied = apply_entries(session_cache, session, change, &reader);
	entry_reader_finish(&reader);
	if (applied && session->writes == 0)
		state_replace(&session->head, session->committed);
	session->pins--;
	if (!applied)
		session_cache_outdate(session_cache, session);
	else
		session_cache_advance(session_cache, session);
}

/* Returns true if the database is another incarnation. Earlier answers may never have been durable:
 * streams end, and what their clients have is of another incarnation when they come back. */
static bool is_reincarnated(struct session_cache *session_cache)
{
	char now[INCARNATION_TEXT + 1];
	session_cache->store->operations->incarnation(session_cache->store, now);
	const bool reincarnated = strcmp(now, session_cache->incarnation) != 0;
	memcpy(session_cache->incarnation, now, sizeof now);
	return reincarnated;
}

static void apply_missed(struct session_cache *session_cache)
{
	struct session *session, *following;
	const bool reincarnated = is_reincarnated(session_cache);
	session_cache->solves_changed(session_cache->context, 0);
	HASH_ITER (hh, session_cache->sessions, session, following) {
		if (reincarnated && session->topic)
			session_cache->observer->ended(session);
		if (session->state != SESSION_LOADING)
			session_cache_outdate(session_cache, session);
	}
}

/* The connection broke: what was read since the last round but one began may never have been
 * committed. A round that began later reported it, and the store knows what became of that. */
static void apply_reconnected(struct session_cache *session_cache)
{
	struct session *session, *following;
	session_cache->solves_changed(session_cache->context, 0);
	HASH_ITER (hh, session_cache->sessions, session, following)
		if (session->state != SESSION_LOADING &&
		    session->rounds + 2 > session_cache->gate.rounds)
			session_cache_outdate(session_cache, session);
}

void session_cache_apply(struct session_cache *session_cache, const struct store_change *change)
{
	struct session *session;
	lock_assert_held(&session_cache->lock);
	if (change->kind == CHANGE_MISSED) {
		apply_missed(session_cache);
		return;
	}
	if (change->kind == CHANGE_RECONNECTED) {
		apply_reconnected(session_cache);
		return;
	}
	if (change->kind == CHANGE_SOLVES) {
		session_cache->solves_changed(session_cache->context, change->key);
		return;
	}
	HASH_FIND(hk, session_cache->by_key, &change->key, sizeof change->key, session);
	/* One that is being read is compared with the recent changes afterwards. */
	if (!session || session->state == SESSION_LOADING)
		return;
	if (change->kind == CHANGE_META || session->state == SESSION_STALE)
		session_cache_outdate(session_cache, session);
	else
		apply_appended(session_cache, session, change);
}
