/* hub.c: the sessions in use: finding, loading, waiting, writing. */
#include "server/session/hub.h"

#include <stddef.h>
#include <stdlib.h>

#include "server/api/problem.h"
#include "server/api/state.h"
#include "server/util/log.h"

#define ATTEMPTS_MAX 8
/* How many sessions one trim looks at: those in use stay, and are few. */
#define TRIM_LOOK 32

/* ---- states ---- */

struct snapshot *snapshot_create(struct history *history)
{
	struct snapshot *snapshot = malloc(sizeof *snapshot);
	if (!snapshot) {
		history_destroy(history);
		return NULL;
	}
	*snapshot = (struct snapshot){.references = 1, .history = history};
	return snapshot;
}

static struct snapshot *snapshot_share(struct snapshot *snapshot)
{
	snapshot->references++;
	return snapshot;
}

void snapshot_release(struct snapshot *snapshot)
{
	if (!snapshot || --snapshot->references > 0)
		return;
	history_destroy(snapshot->history);
	free(snapshot);
}

static void snapshot_replace(struct snapshot **slot, struct snapshot *snapshot)
{
	struct snapshot *old = *slot;
	*slot = snapshot_share(snapshot);
	snapshot_release(old);
}

void hub_look(struct work *work, struct snapshot *state)
{
	snapshot_share(state);
	snapshot_release(work->snapshot);
	work->snapshot = state;
}

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

static void session_free(struct session *session)
{
	snapshot_release(session->committed);
	snapshot_release(session->head);
	free(session->scramble);
	free(session);
}

/* Takes it out of the cache; freed now, or when the last work leaves. */
static void hub_drop(struct hub *hub, struct session *session)
{
	if (session->listed) {
		HASH_DEL(hub->sessions, session);
		hub_unlink(hub, session);
		hub->bytes -= session->bytes;
		session->listed = false;
	}
	if (session->pins == 0 && !session->loading)
		session_free(session);
}

static void hub_trim(struct hub *hub)
{
	struct session *session = hub->oldest;
	for (int looked = 0; session && hub->bytes > hub->bytes_max && looked < TRIM_LOOK; looked++) {
		struct session *newer = session->newer;
		if (session->pins == 0 && !session->loading)
			hub_drop(hub, session);
		session = newer;
	}
}

void hub_finish(struct hub *hub)
{
	struct session *session, *following;
	HASH_ITER(hh, hub->sessions, session, following)
		hub_drop(hub, session);
}

static void hub_count_bytes(struct hub *hub, struct session *session)
{
	size_t bytes = sizeof *session + session->scramble_count * sizeof *session->scramble;
	if (session->committed)
		bytes += sizeof *session->committed + history_bytes(session->committed->history);
	if (session->listed)
		hub->bytes += bytes - session->bytes;
	session->bytes = bytes;
}

/* A new, empty session in the cache; NULL when memory is out. */
static struct session *hub_add(struct hub *hub, const struct session_id *id)
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

static void hub_advance(struct hub *hub, struct session *session);

static void load_run(struct job *job, struct store_reader *reader)
{
	struct load *load = (struct load *)job;
	load->status = load->hub->store->operations->find(reader, &load->id, &load->found);
}

static enum problem_type problem_of_store(enum store_status status)
{
	static const enum problem_type types[] = {
		[STORE_NOT_FOUND] = PROBLEM_NOT_FOUND,
		[STORE_CONFLICT] = PROBLEM_BUSY,
		[STORE_BUSY] = PROBLEM_BUSY,
		[STORE_FULL] = PROBLEM_STORAGE_FULL,
		[STORE_BROKEN] = PROBLEM_STORE_UNAVAILABLE,
		[STORE_NO_MEMORY] = PROBLEM_OUT_OF_MEMORY,
		[STORE_STOPPED] = PROBLEM_SHUTTING_DOWN,
	};
	return types[status];
}

void work_store_problem(struct work *work, enum store_status status)
{
	static const char *const details[] = {
		[STORE_NOT_FOUND] = "No session has this id.",
		[STORE_CONFLICT] = "Others are changing this session faster than this change could be stored. Try again.",
		[STORE_BUSY] = "Too many changes are waiting for the disk. Try again.",
		[STORE_FULL] = "There is no room to store the change; nothing was changed.",
		[STORE_BROKEN] = "The store failed; until the server is restarted it only answers questions. "
		                 "Whether this change was kept shows then.",
		[STORE_NO_MEMORY] = "There is not enough memory for this request now; nothing was changed.",
		[STORE_STOPPED] = "The server is shutting down; nothing was changed.",
	};
	problem_answer(work->request, problem_of_store(status), details[status]);
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
	struct snapshot *snapshot = NULL;
	session->loading = false;
	if (load->status == STORE_OK) {
		snapshot = snapshot_create(found->history);
		found->history = NULL;
		if (!snapshot)
			load->status = STORE_NO_MEMORY;
	}
	if (load->status != STORE_OK) {
		stored_session_free(found);
		load_failed(hub, session, load->status);
		free(load);
		return;
	}
	session->meta = found->meta;
	free(session->scramble);
	session->scramble = found->scramble;
	session->scramble_count = found->scramble_count;
	found->scramble = NULL;
	stored_session_free(found);
	free(load);
	snapshot_replace(&session->committed, snapshot);
	snapshot_replace(&session->head, snapshot);
	snapshot_release(snapshot);
	session->loaded = true;
	session->stale = false;
	hub_count_bytes(hub, session);
	hub_trim(hub);
	hub_advance(hub, session);
}

static bool hub_load(struct hub *hub, struct session *session)
{
	struct load *load = calloc(1, sizeof *load);
	if (!load)
		return false;
	*load = (struct load){.hub = hub, .session = session, .id = session->meta.id};
	load->job.run = load_run;
	load->job.done = load_done;
	session->loading = true;
	session->loaded = false;
	pool_submit(hub->readers, &load->job);
	return true;
}

/* ---- the line ---- */

static bool hub_may_enter(const struct session *session, const struct work *work)
{
	if (!session->loaded || session->stale)
		return false;
	switch ((enum session_need)work->need) {
	case NEED_READ:
		return true;
	case NEED_WRITE:
		return !session->holder;
	case NEED_ALONE:
		return !session->holder && session->writes == 0;
	}
	return false;
}

static void hub_run(struct work *work)
{
	if (work->session->meta.deleted) {
		problem_answer(work->request, PROBLEM_GONE, "This session was deleted.");
		work_answer(work);
		return;
	}
	work->enter(work);
}

static void hub_wait(struct session *session, struct work *work)
{
	work->next = NULL;
	if (session->first_waiter)
		session->last_waiter->next = work;
	else
		session->first_waiter = work;
	session->last_waiter = work;
}

/* Lets in whoever can come in, readers before their turn. */
static void hub_advance(struct hub *hub, struct session *session)
{
	if (session->advancing || !session->first_waiter)
		return;
	session->advancing = true;
	session->pins++;
	struct work *line = session->first_waiter;
	session->first_waiter = session->last_waiter = NULL;
	bool closed = false; /* somebody must wait: nobody who writes passes him */
	while (line) {
		struct work *work = line;
		line = line->next;
		if (hub_may_enter(session, work) && (!closed || work->need == NEED_READ)) {
			hub_run(work);
		} else {
			hub_wait(session, work);
			closed = true;
		}
	}
	session->advancing = false;
	session->pins--;
	if (!session->listed)
		hub_drop(hub, session);
}

void hub_enter(struct work *work, enum session_need need, void (*enter)(struct work *work))
{
	struct hub *hub = &work->service->hub;
	struct session *session = work->session;
	work->need = (unsigned char)need;
	work->enter = enter;
	if (!session) {
		HASH_FIND(hh, hub->sessions, &work->id, sizeof work->id, session);
		if (!session)
			session = hub_add(hub, &work->id);
		if (!session) {
			work_no_memory(work);
			work_answer(work);
			return;
		}
		session->pins++;
		work->session = session;
	}
	if (session->listed && hub->newest != session) {
		hub_unlink(hub, session);
		hub_link_newest(hub, session);
	}
	bool line = need != NEED_READ && (session->first_waiter || session->advancing);
	if (!line && hub_may_enter(session, work)) {
		hub_run(work);
		return;
	}
	hub_wait(session, work);
	if (!session->loaded && !session->loading && !hub_load(hub, session))
		load_failed(hub, session, STORE_NO_MEMORY);
}

void hub_hold(struct work *work)
{
	work->session->holder = work;
}

void hub_release(struct work *work)
{
	if (work->session && work->session->holder == work)
		work->session->holder = NULL;
}

void hub_leave(struct work *work)
{
	struct hub *hub = &work->service->hub;
	struct session *session = work->session;
	snapshot_release(work->snapshot);
	snapshot_release(work->after);
	work->snapshot = work->after = NULL;
	if (!session)
		return;
	hub_release(work);
	hub_advance(hub, session);
	work->session = NULL;
	if (--session->pins == 0) {
		if (!session->listed)
			hub_drop(hub, session);
		else if (hub->bytes > hub->bytes_max)
			hub_trim(hub);
	}
}

/* ---- writes ---- */

/* The state that the work was worked out on is no longer the head: it enters again, behind the others. */
static void hub_again(struct work *work)
{
	if (++work->attempts > ATTEMPTS_MAX) {
		work_store_problem(work, STORE_CONFLICT);
		work_answer(work);
		return;
	}
	snapshot_release(work->after);
	work->after = NULL;
	hub_release(work);
	buffer_free(&work->request->reply.body);
	work->request->reply = (struct reply){0};
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
	write->epoch = hub->epoch;
	write->status = STORE_OK;
	write->next = NULL;
	enum store_status status = hub->store->operations->submit(hub->store, write);
	if (status != STORE_OK) {
		work_store_problem(work, status);
		work_answer(work);
		return;
	}
	if (!session)
		return;
	session->writes++;
	if (write->kind == WRITE_APPEND) {
		snapshot_replace(&session->head, work->after);
		hub_release(work);
		hub_advance(hub, session);
	}
}

/* A commit failed: everything that was under way fails, so every head goes back. */
static void hub_adopt_epoch(struct hub *hub, uint64_t epoch)
{
	struct session *session, *following;
	log_event(LOG_WARNING, "a commit failed, sessions go back to what is stored", LOG_NUMBER("epoch", epoch));
	hub->epoch = epoch;
	HASH_ITER(hh, hub->sessions, session, following)
		if (session->writes > 0 && session->loaded)
			snapshot_replace(&session->head, session->committed);
}

/* A created session goes into the cache as it was made, if there is room: its first reader need not load it. */
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
	session->committed = snapshot_share(work->after);
	session->head = snapshot_share(work->after);
	session->loaded = true;
	hub_count_bytes(hub, session);
	hub_trim(hub);
}

static void hub_committed(struct hub *hub, struct work *work)
{
	struct session *session = work->session;
	switch (work->write.kind) {
	case WRITE_CREATE:
		hub_created(hub, work);
		break;
	case WRITE_APPEND:
		snapshot_replace(&session->committed, work->after);
		hub_count_bytes(hub, session);
		break;
	case WRITE_META:
	case WRITE_DELETE:
		session->meta = work->write.meta;
		break;
	}
}

void hub_written(struct hub *hub, struct store_write *write)
{
	struct work *work = (struct work *)((char *)write - offsetof(struct work, write));
	struct session *session = work->session;
	if (write->epoch != hub->epoch)
		hub_adopt_epoch(hub, write->epoch);
	if (session) {
		session->writes--;
		session->pins++;
	}
	if (write->status == STORE_OK) {
		hub_committed(hub, work);
		work_answer(work);
	} else if (session && (write->status == STORE_CONFLICT || write->status == STORE_NOT_FOUND)) {
		session->stale = true;
		hub_again(work);
	} else {
		work_store_problem(work, write->status);
		work_answer(work);
	}
	if (!session)
		return;
	if (session->stale && session->writes == 0 && !session->loading && !hub_load(hub, session))
		load_failed(hub, session, STORE_NO_MEMORY);
	hub_advance(hub, session);
	session->pins--;
	if (session->pins == 0 && !session->listed)
		hub_drop(hub, session);
}
