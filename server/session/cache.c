/* cache.c: which sessions are in memory: found by id, bounded, read from the store. */
#include <stdlib.h>

#include "server/api/right.h"
#include "server/live/live.h"
#include "server/session/inside.h"
#include "server/util/meters.h"

/* How many sessions one trim looks at. */
#define TRIM_LOOK 32

/* ---- the cache ---- */

void hub_init(struct hub *hub, struct store *store, struct pool *readers, uint64_t bytes_max)
{
	*hub = (struct hub){.store = store, .readers = readers, .bytes_max = bytes_max};
}

static void hub_unlink(struct hub *hub, struct session *session)
{
	*(session->newer ? &session->newer->older : &hub->newest) = session->older;
	*(session->older ? &session->older->newer : &hub->oldest) = session->newer;
	session->newer = session->older = NULL;
}

static void hub_link_newest(struct hub *hub, struct session *session)
{
	session->older = hub->newest;
	session->newer = NULL;
	*(hub->newest ? &hub->newest->newer : &hub->oldest) = session;
	hub->newest = session;
}

void hub_touch(struct hub *hub, struct session *session)
{
	if (!session->listed || hub->newest == session)
		return;
	hub_unlink(hub, session);
	hub_link_newest(hub, session);
}

static void session_free(struct session *session)
{
	history_release(session->committed);
	history_release(session->head);
	roster_release(session->roster);
	free(session->scramble);
	free(session);
}

void hub_drop(struct hub *hub, struct session *session)
{
	if (session->topic)
		live_end(session);
	if (session->listed) {
		HASH_DEL(hub->sessions, session);
		hub_unlink(hub, session);
		hub->bytes -= session->bytes;
		session->listed = false;
	}
	if (session->pins == 0 && !session->loading)
		session_free(session);
}

void hub_trim(struct hub *hub)
{
	struct session *session = hub->oldest;
	for (int looked = 0; session && hub->bytes > hub->bytes_max && looked < TRIM_LOOK;
	     looked++) {
		struct session *newer = session->newer;
		/* Those in use, watched for hours maybe, shall not be looked at again and again. */
		if (session->pins == 0 && !session->loading)
			hub_drop(hub, session);
		else
			hub_touch(hub, session);
		session = newer;
	}
}

bool hub_has_room(struct hub *hub)
{
	if (hub->bytes > hub->bytes_max)
		hub_trim(hub);
	return hub->bytes <= hub->bytes_max;
}

void hub_finish(struct hub *hub)
{
	struct session *session, *following;
	HASH_ITER (hh, hub->sessions, session, following)
		hub_drop(hub, session);
}

void hub_count_bytes(struct hub *hub, struct session *session)
{
	size_t bytes = sizeof *session + session->scramble_count * sizeof *session->scramble;
	if (session->roster)
		bytes += sizeof *session->roster +
			 session->roster->count * sizeof session->roster->tokens[0];
	if (session->committed)
		bytes += history_bytes(session->committed);
	if (session->listed)
		hub->bytes += bytes - session->bytes;
	session->bytes = bytes;
}

struct session *hub_add(struct hub *hub, const struct session_id *id)
{
	struct session *session = calloc(1, sizeof *session);
	if (!session)
		return NULL;
	session->meta.id = *id;
	bool failed = false;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = true)
	HASH_ADD(hh, hub->sessions, meta.id, sizeof session->meta.id, session);
	if (failed) {
		free(session);
		return NULL;
	}
	session->listed = true;
	hub_link_newest(hub, session);
	hub_count_bytes(hub, session);
	return session;
}

/* ---- loading ---- */

struct load {
	struct job job;
	struct hub *hub;
	struct session *session;
	struct session_id id;
	struct stored_session found;
	enum store_status status;
};

static void load_run(struct job *job, struct store_reader *reader)
{
	struct load *load = (struct load *)job;
	load->status = load->hub->store->operations->find(reader, &load->id, &load->found);
}

/* The session cannot be had: everybody who waits is told. */
static void load_failed(struct hub *hub, struct session *session, enum store_status status)
{
	struct work *work = session->first_waiter;
	session->first_waiter = session->last_waiter = NULL;
	session->pins++;
	hub_drop(hub, session);
	while (work) {
		struct work *next = work->next;
		if (work->who.pending && status == STORE_NOT_FOUND)
			right_unknown(work);
		else
			work_store_problem(work, status);
		work_answer(work);
		work = next;
	}
	session->pins--;
	hub_drop(hub, session);
}

static void load_done(struct job *job)
{
	struct load *load = (struct load *)job;
	struct hub *hub = load->hub;
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
		load_failed(hub, session, load->status);
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
		live_moved(session);
	hub_count_bytes(hub, session);
	hub_trim(hub);
	hub_advance(hub, session);
}

void hub_load(struct hub *hub, struct session *session)
{
	struct load *load = calloc(1, sizeof *load);
	if (!load) {
		load_failed(hub, session, STORE_NO_MEMORY);
		return;
	}
	*load = (struct load){.hub = hub, .session = session, .id = session->meta.id};
	load->job.run = load_run;
	load->job.done = load_done;
	/* For others as well who wait for it, so it is never dropped. */
	if (session->first_waiter)
		load->job.client = session->first_waiter->client;
	meter_add(METER_SESSIONS_COLD, 1);
	session->loading = true;
	session->loaded = false;
	pool_submit(hub->readers, &load->job);
}
