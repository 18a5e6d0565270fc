/* write.c: the writes under way: queued ahead of the disk, called back once stored. */
#include <limits.h>
#include <stdlib.h>

#include "cube/turn.h"
#include "server/session/session_cache_internal.h"
#include "server/session/states.h"
#include "server/util/container_of.h"
#include "server/util/log.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"
#include "server/util/splitmix.h"

/* The number of times that a visit enters again when other writes of this process were first; and
 * the time for which it does if those of other processes may have been. */
#define ATTEMPTS_MAX 8
#define ATTEMPTS_MS 2000

static void session_cache_count_writes(struct session_cache *session_cache, int change)
{
	size_t writes = atomic_load_explicit(&session_cache->writes, memory_order_relaxed);
	atomic_store_explicit(&session_cache->writes, writes + (size_t)change,
			      memory_order_relaxed);
}

static bool may_retry(struct visit *visit)
{
	if (!visit->calls->entered)
		return false;
	const int64_t now_ms = visit->cache->gate.pool ? monotonic_ms() : 0;
	if (visit->attempts == 0)
		visit->retry_until_ms = now_ms + ATTEMPTS_MS;
	if (visit->attempts < UCHAR_MAX)
		visit->attempts++;
	return visit->cache->gate.pool ? now_ms < visit->retry_until_ms
				       : visit->attempts <= ATTEMPTS_MAX;
}

void session_retry(struct visit *visit)
{
	if (!may_retry(visit)) {
		visit->calls->refused(visit, STORE_CONFLICT);
		return;
	}
	struct session_cache *session_cache = visit->cache;
	struct session *session = visit->session;
	history_release(visit->after);
	visit->after = NULL;
	session->pins++; /* the visit may leave it */
	session_unlock(visit);
	session_acquire(visit, visit->need);
	/* Visits that waited for its lock are first. */
	session_cache_advance(session_cache, session);
	if (--session->pins == 0 && session->listing == SESSION_UNLISTED)
		session_cache_drop(session_cache, session);
}

bool session_may_submit(struct visit *visit)
{
	const struct session *session = visit->session;
	lock_assert_held(&visit->cache->lock);
	if (visit->write.kind != WRITE_APPEND ||
	    (session->state >= SESSION_DIVERGED && visit->snapshot == session->head))
		return true;
	session_retry(visit);
	return false;
}

/* Returns 63 random bits that are not 0. */
static uint64_t new_state_id(struct session_cache *session_cache)
{
	uint64_t id;
	do
		id = splitmix_next(&session_cache->state_ids) >> 1;
	while (id == 0);
	return id;
}

/* Names the states that the store checks. */
static void name_states(struct visit *visit)
{
	struct store_write *write = &visit->write;
	const struct session *session = visit->session;
	write->meta.version = visit->version;
	if (write->kind != WRITE_APPEND)
		return;
	const struct history *before = visit->snapshot;
	write->before_ms = before->revision > 0 ? before->updated_ms : session->meta.created_ms;
	write->state_before = before->id;
	write->state_after = new_state_id(visit->cache);
	write->last_actor = visit->after->last_actor;
	visit->after->id = write->state_after;
}

void session_submit(struct visit *visit)
{
	struct session_cache *session_cache = visit->cache;
	struct session *session = visit->session;
	struct store_write *write = &visit->write;
	write->generation = session_cache->generation;
	write->status = STORE_OK;
	write->next = NULL;
	visit->changes_before = session_cache->gate.changed;
	if (session)
		name_states(visit);
	enum store_status status =
		session_cache->store->operations->submit(session_cache->store, write);
	if (status != STORE_OK) {
		visit->calls->refused(visit, status);
		return;
	}
	atomic_store(&session_cache->submitted, true);
	session_cache_count_writes(session_cache, 1);
	if (write->kind == WRITE_APPEND)
		session_unlock(visit);
	visit_become(visit, VISIT_WRITING);
	if (!session) /* WRITE_CREATE: there is none yet */
		return;
	session->writes++;
	if (write->kind == WRITE_APPEND) {
		state_replace(&session->head, visit->after);
		session_cache_advance(session_cache, session);
	}
}

void session_cache_flush(struct session_cache *session_cache)
{
	if (atomic_load_explicit(&session_cache->submitted, memory_order_relaxed) &&
	    atomic_exchange(&session_cache->submitted, false))
		session_cache->store->operations->flush(session_cache->store);
}

/* A commit failed: everything under way fails, so every head goes back. */
static void session_cache_adopt_generation(struct session_cache *session_cache, uint64_t generation)
{
	struct session *session, *following;
	log_event(LOG_DEBUG, "a commit failed; sessions return to their committed states",
		  LOG_NUMBER("generation", generation));
	session_cache->generation = generation;
	HASH_ITER (hh, session_cache->sessions, session, following)
		if (session->writes > 0 && session_is_loaded(session))
			state_replace(&session->head, session->committed);
}

/* Puts a created session into the cache if there is room, so that its first reader need not load it. */
static void session_cache_created(struct session_cache *session_cache, struct visit *visit)
{
	struct session *session = session_cache_add(session_cache, &visit->write.meta.id);
	if (!session)
		return;
	session->meta = visit->write.meta;
	if (visit->write.scramble_count > 0) {
		session->scramble = malloc(visit->write.scramble_count * sizeof *session->scramble);
		if (!session->scramble) {
			session_cache_drop(session_cache, session);
			return;
		}
		session->scramble_count = visit->write.scramble_count;
		for (size_t i = 0; i < session->scramble_count; i++)
			session->scramble[i] = visit->write.scramble[i];
	}
	if (visit->write.token) {
		session->roster = roster_create(visit->write.token, 1);
		if (!session->roster) {
			session_cache_drop(session_cache, session);
			return;
		}
	}
	session->committed = history_share(visit->after);
	session->head = history_share(visit->after);
	session->own = true;
	session_become(session, SESSION_CURRENT);
	/* Another process may have changed it already. */
	if (session_cache->gate.changed != visit->changes_before ||
	    !session_cache_key(session_cache, session)) {
		session_cache_drop(session_cache, session);
		return;
	}
	session_cache_count_bytes(session_cache, session);
	session_cache_trim(session_cache);
}

/* If memory runs out, the session is read again. */
static void session_cache_put_token(struct session_cache *session_cache, struct session *session,
				    const struct stored_token *token)
{
	struct roster *roster = roster_with(session->roster, token);
	if (roster) {
		roster_release(session->roster);
		session->roster = roster;
		session_cache_count_bytes(session_cache, session);
	} else {
		session_expire(session);
	}
}

static bool is_observed(const struct session *session)
{
	return session->topic || session->polls;
}

/* Also if the session was deleted. */
static void session_cache_changed(struct session_cache *session_cache, struct session *session,
				  const struct session_meta *meta)
{
	const bool access = session->meta.access != meta->access;
	const uint32_t assisted = session->meta.assisted;
	session->meta = *meta;
	session->meta.assisted = assisted; /* it may have changed since */
	session->meta.version++;
	if (meta->deleted && session->topic)
		session_cache->observer->ended(session);
	if (is_observed(session))
		session_cache->observer->changed(session, access);
}

void session_cache_advance_committed(struct session_cache *session_cache, struct session *session,
				     struct history *after, const struct appended *appended)
{
	struct history *before = session->committed;
	session->committed = history_share(after);
	session_cache_count_bytes(session_cache, session);
	if (is_observed(session))
		session_cache->observer->appended(session, before, appended);
	history_release(before);
}

static void session_cache_appended(struct session_cache *session_cache, struct visit *visit)
{
	const struct store_write *write = &visit->write;
	const struct appended appended = {
		.packed = write->packed, .bytes = write->packed_bytes, .revision = write->revision};
	visit->session->own = true;
	/* A round of the gate may have brought it already. */
	if (write->revision > visit->session->committed->revision)
		session_cache_advance_committed(session_cache, visit->session, visit->after,
						&appended);
}

/* Returns true if the session was read from the store after this change of its description, because
 * a round of the gate brought it before its answer. */
static bool is_known(const struct session_cache *session_cache, const struct session *session,
		     const struct store_write *write)
{
	return session_cache->gate.pool && session->meta.version > write->meta.version;
}

static void session_cache_committed(struct session_cache *session_cache, struct visit *visit)
{
	struct session *session = visit->session;
	switch (visit->write.kind) {
	case WRITE_CREATE:
		session_cache_created(session_cache, visit);
		break;
	case WRITE_APPEND:
		session_cache_appended(session_cache, visit);
		break;
	case WRITE_META:
	case WRITE_DELETE:
		if (!is_known(session_cache, session, &visit->write))
			session_cache_changed(session_cache, session, &visit->write.meta);
		break;
	case WRITE_TOKEN:
		if (is_known(session_cache, session, &visit->write))
			break;
		session->meta.version = visit->write.meta.version + 1;
		session_cache_put_token(session_cache, session, visit->write.token);
		if (is_observed(session))
			session_cache->observer->tokens(session);
		break;
	case WRITE_ASSISTANCE:
		if (session->meta.assisted <= visit->write.revision)
			session->meta.assisted = visit->write.revision + 1;
		break;
	case WRITE_PATTERN: /* only in the store */
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
		if (!is_known(session_cache, session, &visit->write))
			session->meta.version = visit->write.meta.version + 1;
		break;
	case WRITE_SOLVES:
	case WRITE_ANSWER:
		break;
	}
}

static struct visit *visit_of_write(struct store_write *write)
{
	return container_of(write, struct visit, write);
}

/* Others were first. A round of the gate brings what they did; if the visit fails once more, or the
 * session is gone, it is read again. */
static void session_cache_conflict(struct session_cache *session_cache, struct visit *visit)
{
	struct session *session = visit->session;
	meter_add(METER_STORE_CONFLICTS, visit->write.status == STORE_CONFLICT);
	if (visit->pass == PASS_TRUSTED)
		gate_trusted_wrongly(&session_cache->gate);
	if (visit->pass != PASS_NONE)
		visit_set_pass(visit, PASS_NONE);
	if (!session_cache->gate.pool || visit->attempts > 0 ||
	    visit->write.status == STORE_NOT_FOUND)
		session_expire(session);
	else if (session->state == SESSION_CURRENT)
		session_become(session, SESSION_DIVERGED);
	session_retry(visit);
}

/* Without writes under way, the head is the committed state. It is not yet if a round of the gate
 * brought entries of others behind the last own one before that was answered. */
static void settle_head(struct session *session)
{
	if (!session || session->writes > 0 || !session_is_loaded(session))
		return;
	if (session->head != session->committed)
		state_replace(&session->head, session->committed);
	if (session->state == SESSION_DIVERGED)
		session_become(session, SESSION_CURRENT);
}

static void session_cache_written_one(struct session_cache *session_cache,
				      struct store_write *write)
{
	struct visit *visit = visit_of_write(write);
	struct session *session = visit->session;
	session_cache_count_writes(session_cache, -1);
	/* An older one: another lane of the store failed meanwhile. */
	if (write->generation > session_cache->generation)
		session_cache_adopt_generation(session_cache, write->generation);
	visit_settle(visit);
	if (session) {
		session->writes--;
		session->pins++; /* the calls below may release it */
	}
	if (write->status == STORE_OK)
		session_cache_committed(session_cache, visit);
	settle_head(session);
	if (write->status == STORE_OK) {
		visit->calls->committed(visit);
	} else if (session &&
		   (write->status == STORE_CONFLICT || write->status == STORE_NOT_FOUND)) {
		session_cache_conflict(session_cache, visit);
	} else {
		visit->calls->refused(visit, write->status);
	}
	if (!session)
		return;
	settle_head(session);
	/* A session is empty here if it could not be read again. */
	if (session->writes == 0 &&
	    (session->state == SESSION_STALE || session->state == SESSION_EMPTY))
		session_cache_load(session_cache, session);
	session_cache_advance(session_cache, session);
	session_assert(session);
	session->pins--;
	if (session->pins == 0 && session->listing == SESSION_UNLISTED)
		session_cache_drop(session_cache, session);
}

/* A batch is some hundred writes, and their visits were last used a batch ago: fetches the visit two
 * writes ahead, and its session one write ahead. */
static void expect_write(struct store_write *write)
{
	const struct visit *visit = visit_of_write(write);
	__builtin_prefetch(visit);
	__builtin_prefetch(write);
	__builtin_prefetch(visit + 1); /* the structure that embeds the visit */
}

static void expect_session(struct store_write *write)
{
	const struct visit *visit = visit_of_write(write);
	const struct session *session = visit->session;
	__builtin_prefetch(visit->after);
	if (session) {
		__builtin_prefetch(&session->pins);
		__builtin_prefetch(&session->topic);
	}
}

void session_cache_written(struct session_cache *session_cache, struct store_write *writes)
{
	lock_assert_held(&session_cache->lock);
	while (writes) {
		struct store_write *next = writes->next;
		if (next && next->next)
			expect_write(next->next);
		if (next)
			expect_session(next);
		session_cache_written_one(session_cache, writes);
		writes = next;
	}
}
