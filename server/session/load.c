/* load.c: reading sessions from the store. */
#include <stdlib.h>
#include <string.h>

#include "server/session/session_cache_internal.h"
#include "server/session/states.h"
#include "server/util/container_of.h"
#include "server/util/meters.h"

struct load {
	struct job job;
	struct session_cache *session_cache;
	struct session *session;
	struct session_id id;
	struct stored_session found;
	enum store_status status;
	uint64_t since; /* gate->changed when it began */
};

static void load_run(struct job *job, struct store_reader *reader)
{
	struct load *load = container_of(job, struct load, job);
	load->status =
		load->session_cache->store->operations->find(reader, &load->id, &load->found);
	if (load->status == STORE_OK && !load->found.meta.deleted)
		load->status = store_read_last(reader, load->found.meta.key, load->found.history);
	if (load->status != STORE_OK)
		stored_session_free(&load->found);
}

/* The session could not be loaded: all waiting visits are refused. */
static void load_failed(struct session_cache *session_cache, struct session *session,
			enum store_status status)
{
	struct visit *visit;
	session->pins++;
	if (session->state == SESSION_LOADING)
		session_become(session, SESSION_EMPTY);
	session_cache_drop(session_cache, session);
	while ((visit = line_next(&session->line))) {
		line_take(&session->line, visit);
		visit_settle(visit);
		visit->calls->refused(visit, status);
	}
	session->pins--;
	session_cache_drop(session_cache, session);
}

/* Takes over what was read. */
static void take_over(struct session *session, struct stored_session *found, struct roster *roster)
{
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
	session_become(session, SESSION_CURRENT);
}

/* The last that was reported to observers. */
struct reported {
	struct session_meta meta;
	struct roster *roster; /* referenced */
	uint32_t revision;
};

static bool is_described_alike(const struct session_meta *a, const struct session_meta *b)
{
	return a->updated_ms == b->updated_ms && a->access == b->access && a->listed == b->listed &&
	       a->policy == b->policy && a->deleted == b->deleted && strcmp(a->name, b->name) == 0;
}

/* Reports what another process changed. */
static void report_changes(struct session_cache *session_cache, struct session *session,
			   const struct reported *before)
{
	const struct session_observer *observer = session_cache->observer;
	const struct session_meta *meta = &session->meta;
	if (session->topic || (session->polls && session->committed->revision > before->revision))
		observer->reloaded(session);
	if (meta->version == before->meta.version)
		return;
	if (meta->deleted && session->topic)
		observer->ended(session);
	/* Patterns and solves have a part in the version, but nobody watches them. */
	const bool observed = session->topic || session->polls;
	if (observed && !roster_equals(session->roster, before->roster))
		observer->tokens(session);
	if (observed && !is_described_alike(meta, &before->meta))
		observer->changed(session, meta->access != before->meta.access);
}

static void load_done(struct job *job)
{
	struct load *load = container_of(job, struct load, job);
	struct session_cache *session_cache = load->session_cache;
	struct session *session = load->session;
	struct stored_session *found = &load->found;
	struct roster *roster = NULL;
	session_cache->loads--;
	if (load->status == STORE_OK && found->token_count > 0) {
		roster = roster_create(found->tokens, found->token_count);
		if (!roster)
			load->status = STORE_NO_MEMORY;
	}
	if (load->status == STORE_OK) {
		const struct reported before = {
			.meta = session->meta,
			.roster = roster_share(session->roster),
			.revision = session->committed ? session->committed->revision : 0,
		};
		const bool first = !session->committed;
		take_over(session, found, roster);
		session->rounds = session_cache->gate.rounds;
		if (!session_cache_key(session_cache, session))
			load->status = STORE_NO_MEMORY;
		else if (!first)
			report_changes(session_cache, session, &before);
		roster_release(before.roster);
	}
	const enum store_status status = load->status;
	const uint64_t since = load->since;
	stored_session_free(found);
	free(load);
	if (status != STORE_OK) {
		load_failed(session_cache, session, status);
		return;
	}
	session->pins++;
	session_cache_count_bytes(session_cache, session);
	gate_catch_up(&session_cache->gate, session, since);
	session_cache_trim(session_cache);
	session_cache_advance(session_cache, session);
	session_assert(session);
	session->pins--;
	if (session->pins == 0 && session->listing == SESSION_UNLISTED)
		session_cache_drop(session_cache, session);
}

void session_cache_load(struct session_cache *session_cache, struct session *session)
{
	struct load *load = calloc(1, sizeof *load);
	if (!load) {
		load_failed(session_cache, session, STORE_NO_MEMORY);
		return;
	}
	*load = (struct load){.session_cache = session_cache,
			      .session = session,
			      .id = session->meta.id,
			      .since = session_cache->gate.changed};
	load->job.run = load_run;
	load->job.done = load_done;
	/* Other visits may wait for it too, so it is never dropped. */
	const struct visit *first = line_next(&session->line);
	if (first)
		load->job.client = first->client;
	meter_add(METER_SESSIONS_COLD, 1);
	session_become(session, SESSION_LOADING);
	session_cache->loads++;
	pool_submit(session_cache->readers, &load->job);
}
