/* loaded_sessions.c: which sessions are in memory: found by id, bounded, read from the store. */
#include <stdlib.h>
#include <sys/random.h>

#include "server/session/session_cache_internal.h"
#include "server/util/meters.h"

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

void session_cache_open(struct session_cache *session_cache, struct store *store,
			struct pool *readers, uint64_t bytes_max,
			const struct session_observer *observer)
{
	session_cache->store = store;
	session_cache->readers = readers;
	session_cache->bytes_max = bytes_max;
	session_cache->observer = observer;
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
	if (!session->listed || session_cache->newest == session)
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

void session_cache_drop(struct session_cache *session_cache, struct session *session)
{
	if (session->topic)
		session_cache->observer->ended(session);
	if (session->listed) {
		HASH_DEL(session_cache->sessions, session);
		session_cache_unlink(session_cache, session);
		session_cache->bytes -= session->bytes;
		session->listed = false;
	}
	if (session->pins == 0 && !session->loading)
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
		if (session->pins == 0 && !session->loading)
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
	HASH_ITER (hh, session_cache->sessions, session, following)
		session_cache_drop(session_cache, session);
}

void session_cache_finish(struct session_cache *session_cache)
{
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
	if (session->listed)
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
	session->listed = true;
	session_cache_link_newest(session_cache, session);
	session_cache_count_bytes(session_cache, session);
	return session;
}

/* ---- loading ---- */

struct load {
	struct job job;
	struct session_cache *session_cache;
	struct session *session;
	struct session_id id;
	struct stored_session found;
	enum store_status status;
};

static void load_run(struct job *job, struct store_reader *reader)
{
	struct load *load = (struct load *)job;
	load->status =
		load->session_cache->store->operations->find(reader, &load->id, &load->found);
	if (load->status == STORE_OK && !load->found.meta.deleted)
		load->status = store_read_last(reader, load->found.meta.key, load->found.history);
}

/* The session could not be loaded: all waiting visits are refused. */
static void load_failed(struct session_cache *session_cache, struct session *session,
			enum store_status status)
{
	struct visit *visit = session->first_waiter;
	session->first_waiter = session->last_waiter = NULL;
	session->pins++;
	session_cache_drop(session_cache, session);
	while (visit) {
		struct visit *next = visit->next;
		visit->calls->refused(visit, status);
		visit = next;
	}
	session->pins--;
	session_cache_drop(session_cache, session);
}

static void load_done(struct job *job)
{
	struct load *load = (struct load *)job;
	struct session_cache *session_cache = load->session_cache;
	struct session *session = load->session;
	struct stored_session *found = &load->found;
	struct roster *roster = NULL;
	session->loading = false;
	if (load->status == STORE_OK && found->token_count > 0) {
		roster = roster_create(found->tokens, found->token_count);
		if (!roster)
			load->status = STORE_NO_MEMORY;
	}
	if (load->status != STORE_OK) {
		roster_release(roster);
		stored_session_free(found);
		load_failed(session_cache, session, load->status);
		free(load);
		return;
	}
	session->meta = found->meta;
	roster_release(session->roster);
	session->roster = roster;
	free(session->scramble);
	session->scramble = found->scramble;
	session->scramble_count = found->scramble_count;
	found->scramble = NULL;
	state_replace(&session->committed, found->history);
	state_replace(&session->head, found->history);
	history_release(found->history);
	found->history = NULL;
	stored_session_free(found);
	free(load);
	session->loaded = true;
	session->stale = false;
	if (session->topic)
		session_cache->observer->reloaded(session);
	session_cache_count_bytes(session_cache, session);
	session_cache_trim(session_cache);
	session_cache_advance(session_cache, session);
}

void session_cache_load(struct session_cache *session_cache, struct session *session)
{
	struct load *load = calloc(1, sizeof *load);
	if (!load) {
		load_failed(session_cache, session, STORE_NO_MEMORY);
		return;
	}
	*load = (struct load){
		.session_cache = session_cache, .session = session, .id = session->meta.id};
	load->job.run = load_run;
	load->job.done = load_done;
	/* Other visits may wait for it too, so it is never dropped. */
	if (session->first_waiter)
		load->job.client = session->first_waiter->client;
	meter_add(METER_SESSIONS_COLD, 1);
	session->loading = true;
	session->loaded = false;
	pool_submit(session_cache->readers, &load->job);
}
