/* write.c: the writes under way: queued ahead of the disk, answered behind it. */
#include <stddef.h>
#include <stdlib.h>

#include "server/api/limit.h"
#include "server/api/problem.h"
#include "server/api/retry.h"
#include "server/api/state.h"
#include "server/live/live.h"
#include "server/session/inside.h"
#include "server/util/log.h"

/* How often a work begins again when others were faster. */
#define ATTEMPTS_MAX 8

static void hub_count_writes(struct hub *hub, size_t change)
{
	size_t writes = atomic_load_explicit(&hub->writes, memory_order_relaxed);
	atomic_store_explicit(&hub->writes, writes + change, memory_order_relaxed);
}

/* The state that the work was worked out on is no longer the head: it enters again, behind the
 * others. */
static void hub_again(struct work *work)
{
	if (++work->attempts > ATTEMPTS_MAX) {
		work_store_problem(work, STORE_CONFLICT);
		work_answer(work);
		return;
	}
	history_release(work->after);
	work->after = NULL;
	hub_release(work);
	request_clear_reply(work->request);
	hub_enter(work, (enum session_need)work->need, work->enter);
}

void hub_write(struct work *work)
{
	struct hub *hub = &work->service->hub;
	struct session *session = work->session;
	struct store_write *write = &work->write;
	if (write->kind == WRITE_APPEND && (session->stale || work->snapshot != session->head)) {
		hub_again(work);
		return;
	}
	if ((work->retry && !retry_keep(work)) || !limit_stored(work)) {
		work_answer(work);
		return;
	}
	write->generation = hub->generation;
	write->status = STORE_OK;
	write->next = NULL;
	enum store_status status = hub->store->operations->submit(hub->store, write);
	if (status != STORE_OK) {
		work_store_problem(work, status);
		work_answer(work);
		return;
	}
	atomic_store(&work->service->submitted, true);
	hub_count_writes(hub, 1);
	if (!session)
		return;
	session->writes++;
	if (write->kind == WRITE_APPEND) {
		state_replace(&session->head, work->after);
		hub_release(work);
		hub_advance(hub, session);
	}
}

/* A commit failed: everything that was under way fails, so every head goes back. */
static void hub_adopt_generation(struct hub *hub, uint64_t generation)
{
	struct session *session, *following;
	log_event(LOG_DEBUG, "a commit failed, sessions go back to what is stored",
		  LOG_NUMBER("epoch", generation));
	hub->generation = generation;
	HASH_ITER (hh, hub->sessions, session, following)
		if (session->writes > 0 && session->loaded)
			state_replace(&session->head, session->committed);
}

/* A created session goes into the cache as it was made, if there is room: its first reader need not
 * load it. */
static void hub_created(struct hub *hub, struct work *work)
{
	struct session *session = hub_add(hub, &work->write.meta.id);
	if (!session)
		return;
	session->meta = work->write.meta;
	if (work->write.scramble_count > 0) {
		session->scramble = malloc(work->write.scramble_count * sizeof *session->scramble);
		if (!session->scramble) {
			hub_drop(hub, session);
			return;
		}
		session->scramble_count = work->write.scramble_count;
		for (size_t i = 0; i < session->scramble_count; i++)
			session->scramble[i] = work->write.scramble[i];
	}
	if (work->write.token) {
		session->roster = roster_create(work->write.token, 1);
		if (!session->roster) {
			hub_drop(hub, session);
			return;
		}
	}
	session->committed = history_share(work->after);
	session->head = history_share(work->after);
	session->loaded = true;
	hub_count_bytes(hub, session);
	hub_trim(hub);
}

/* Where memory is out the session is read again. */
static void hub_put_token(struct hub *hub, struct session *session,
			  const struct stored_token *token)
{
	struct roster *roster = roster_with(session->roster, token);
	if (roster) {
		roster_release(session->roster);
		session->roster = roster;
		hub_count_bytes(hub, session);
	} else {
		session->stale = true;
	}
}

/* Where access is another, whoever may still watch asks again, and is told then. */
static void hub_changed(struct session *session, const struct session_meta *meta)
{
	const bool access = session->meta.access != meta->access;
	const uint32_t assisted = session->meta.assisted;
	session->meta = *meta;
	session->meta.assisted = assisted; /* it may have changed since */
	if (session->topic && access)
		live_renew(session);
	else if (session->topic)
		live_about(session);
	live_go_on(session);
}

static void hub_committed(struct hub *hub, struct work *work)
{
	struct session *session = work->session;
	switch (work->write.kind) {
	case WRITE_CREATE:
		hub_created(hub, work);
		break;
	case WRITE_APPEND:
		if (session->topic)
			live_publish(session, work);
		state_replace(&session->committed, work->after);
		hub_count_bytes(hub, session);
		live_go_on(session);
		break;
	case WRITE_META:
		hub_changed(session, &work->write.meta);
		break;
	case WRITE_DELETE:
		if (session->topic)
			live_end(session);
		session->meta = work->write.meta;
		live_go_on(session);
		break;
	case WRITE_TOKEN:
		hub_put_token(hub, session, work->write.token);
		if (session->topic)
			live_tokens(session);
		if (session->topic && work->write.token->revoked_ms != 0)
			live_renew(session);
		break;
	case WRITE_ASSISTANCE:
		if (session->meta.assisted <= work->write.revision)
			session->meta.assisted = work->write.revision + 1;
		break;
	case WRITE_PATTERN: /* in the store alone */
	case WRITE_SOLVES:
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
	case WRITE_ANSWER:
		break;
	}
}

static struct work *work_of_write(struct store_write *write)
{
	return (struct work *)((char *)write - offsetof(struct work, write));
}

static void hub_written_one(struct hub *hub, struct store_write *write)
{
	struct work *work = work_of_write(write);
	struct session *session = work->session;
	hub_count_writes(hub, (size_t)-1);
	if (write->generation != hub->generation)
		hub_adopt_generation(hub, write->generation);
	if (session) {
		session->writes--;
		session->pins++;
	}
	/* Also if it failed: it may be on the disk all the same. */
	if (write->solve_count > 0)
		stats_cache_changed(work->service->stats, write->meta.key);
	if (write->status == STORE_OK) {
		hub_committed(hub, work);
		work_answer(work);
	} else if (session &&
		   (write->status == STORE_CONFLICT || write->status == STORE_NOT_FOUND)) {
		session->stale = true;
		hub_again(work);
	} else {
		work_store_problem(work, write->status);
		work_answer(work);
	}
	if (!session)
		return;
	if (session->stale && session->writes == 0 && !session->loading)
		hub_load(hub, session);
	hub_advance(hub, session);
	session->pins--;
	if (session->pins == 0 && !session->listed)
		hub_drop(hub, session);
}

/* A batch is some hundred writes, and what they are about was last looked at a batch ago: asks the
 * processor for it ahead, in two steps, each one write before the next. */
static void expect_write(struct store_write *write)
{
	const struct work *work = work_of_write(write);
	__builtin_prefetch(&work->request);
	__builtin_prefetch(write);
	__builtin_prefetch(&work->session);
}

static void expect_session(struct store_write *write)
{
	const struct work *work = work_of_write(write);
	const struct session *session = work->session;
	__builtin_prefetch(work->after);
	__builtin_prefetch(&work->request->reply);
	if (session) {
		__builtin_prefetch(&session->pins);
		__builtin_prefetch(&session->topic);
	}
}

void hub_written(struct hub *hub, struct store_write *writes)
{
	while (writes) {
		struct store_write *next = writes->next;
		if (next && next->next)
			expect_write(next->next);
		if (next)
			expect_session(next);
		hub_written_one(hub, writes);
		writes = next;
	}
}
