/* hub.h: the sessions in use: a bounded cache, the line of those who wait for one, and the writes
 * under way.
 *
 * All of it is touched with the service's lock only. What the store holds is the truth; a session
 * here is a copy of it, that may be thrown away whenever nobody uses it.
 *
 * Each session has two states. `committed` is what everybody may see: all of it is on disk. `head`
 * is ahead of it by the writes that are under way: a new move is worked out on the head at once,
 * queued, and answered when it is committed; then `committed` moves on. When a commit fails, every
 * head goes back to `committed` (see the generations of store.h). States are immutable and counted
 * (history_share), so jobs on other threads may read the one they were given.
 *
 * Works enter a session by what they need:
 *   NEED_READ    it is loaded
 *   NEED_WRITE   nobody holds it and nobody waits before: the work may queue a write on the head
 *   NEED_ALONE   the same, and no write is under way: head and committed are one. The work may hold
 * it (hub_hold) while a job reads its history */
#ifndef SERVER_SESSION_HUB_H
#define SERVER_SESSION_HUB_H

/* A full memory is answered, not fatal. */
#define HASH_NONFATAL_OOM 1
/* Ids are random: their first bytes are as good as any hash of them. */
#define HASH_FUNCTION(key, length, hash) memcpy(&(hash), (key), sizeof(hash))
#include <stdatomic.h>
#include <string.h>
#include <uthash.h>
/* From the beginning enough for some thousand sessions, 64 KiB: with 32 it grows only where ten are
 * in one bucket, and to walk along sessions that are not in the processor's cache is dear. */
#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_INITIAL_NUM_BUCKETS 4096U
#define HASH_INITIAL_NUM_BUCKETS_LOG2 12U

#include "server/api/work.h"
#include "server/session/jobs.h"

enum session_need { NEED_READ, NEED_WRITE, NEED_ALONE };

/* What each request looks at stands first: of sessions that are not in the processor's cache, each
 * line costs. */
struct session {
	UT_hash_handle hh;
	struct session *newer, *older;
	unsigned pins;   /* works that point here */
	unsigned writes; /* under way */
	bool loaded;
	bool loading;        /* a job reads it */
	bool listed;         /* found by its id; else it goes when the last work has left */
	bool advancing;      /* hub_advance is at it */
	bool again;          /* somebody came into the line meanwhile */
	bool stale;          /* the store knows better: read again when the writes are back */
	struct work *holder; /* between hub_hold and hub_release */
	struct work *first_waiter, *last_waiter;
	struct history *committed, *head;
	struct roster *roster;   /* its tokens; NULL for none */
	struct topic *topic;     /* of those who watch it; it pins the session. NULL: nobody does */
	struct live_poll *polls; /* works that wait for its next entry */
	size_t bytes;            /* as counted in the hub */
	size_t scramble_count;
	struct cube_turn *scramble; /* of its creation; NULL for none */
	struct session_meta meta;
};

struct hub {
	struct store *store;
	struct pool *readers;
	uint64_t generation; /* of the store, as known here */
	uint64_t bytes_max;
	_Atomic size_t writes;           /* under way; changed under the service's lock */
	size_t bytes;                    /* of all sessions */
	struct session *sessions;        /* by id */
	struct session *newest, *oldest; /* by last use */
};

void hub_init(struct hub *hub, struct store *store, struct pool *readers, uint64_t bytes_max);
/* With no work under way. */
void hub_finish(struct hub *hub);

/* Calls work->enter(work) when work->id's session is loaded and `need` is met, perhaps at once.
 * Answers 401, 403, 404, 410 or 503 instead where that cannot be, or he may not (right.h). Sets
 * work->session and work->roster. A work that is already inside goes to the end of the line. */
void hub_enter(struct work *work, enum session_need need, void (*enter)(struct work *work));
/* The work leaves its session: unpins it and lets go of its snapshot. Called by work_answer. */
void hub_leave(struct work *work);

/* Whether sessions take less memory than they may, now that those were dropped that nobody uses. */
bool hub_has_room(struct hub *hub);

/* References the head (committed) as work->snapshot. */
void hub_look(struct work *work, struct history *state);

/* Keeps everybody else who writes out until hub_release. */
void hub_hold(struct work *work);
void hub_release(struct work *work);

/* True where the work is in no session, or holds the one it is in with nobody's turn under way:
 * what it computes then needs no lock. */
bool hub_works_alone(const struct work *work);

/* A problem for what the store said. */
void work_store_problem(struct work *work, enum store_status status);

/* Queues work->write (its kind, and for APPEND packed bytes, revision and work->after, are set).
 * When it is committed the work's reply, prepared before, is answered; else a problem, or the work
 * enters again where the state it was worked out on (work->snapshot) is no longer the head. */
void hub_write(struct work *work);

/* Writes came back from the store: a chain, in the order in which they were committed. */
void hub_written(struct hub *hub, struct store_write *writes);

#endif
