/* session_cache.h: the sessions in use: a bounded cache, the line of those who wait for one, and the writes
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
 *   NEED_WRITE   nobody holds it and nobody waits before: the context may queue a write on the head
 *   NEED_ALONE   the same, and no write is under way: head and committed are one. The context may hold
 * it (session_lock) while a job reads its history */
#ifndef SERVER_SESSION_SESSION_CACHE_H
#define SERVER_SESSION_SESSION_CACHE_H

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

#include "server/api/request/context.h"
#include "server/threads/pool.h"

enum session_need { NEED_READ, NEED_WRITE, NEED_ALONE };

/* What each request looks at stands first: of sessions that are not in the processor's cache, each
 * line costs. */
struct session {
	UT_hash_handle hh;
	struct session *newer, *older;
	unsigned pins;   /* contexts that point here */
	unsigned writes; /* under way */
	bool loaded;
	bool loading;           /* a job reads it */
	bool listed;            /* found by its id; else it goes when the last work has left */
	bool advancing;         /* session_cache_advance is at it */
	bool again;             /* somebody came into the line meanwhile */
	bool stale;             /* the store knows better: read again when the writes are back */
	struct context *holder; /* between session_lock and session_unlock */
	struct context *first_waiter, *last_waiter;
	struct history *committed, *head;
	struct roster *roster;   /* its tokens; NULL for none */
	struct topic *topic;     /* of those who watch it; it pins the session. NULL: nobody does */
	struct live_poll *polls; /* contexts that wait for its next entry */
	size_t bytes;            /* as counted in the session cache */
	size_t scramble_count;
	struct cube_turn *scramble; /* of its creation; NULL for none */
	struct session_meta meta;
};

struct session_cache {
	struct store *store;
	struct pool *readers;
	uint64_t generation; /* of the store, as known here */
	uint64_t bytes_max;
	_Atomic size_t writes;           /* under way; changed under the service's lock */
	size_t bytes;                    /* of all sessions */
	struct session *sessions;        /* by id */
	struct session *newest, *oldest; /* by last use */
};

void session_cache_init(struct session_cache *session_cache, struct store *store,
			struct pool *readers, uint64_t bytes_max);
/* With no work under way. */
void session_cache_finish(struct session_cache *session_cache);

/* Calls ctx->enter(work) when ctx->id's session is loaded and `need` is met, perhaps at once.
 * Answers 401, 403, 404, 410 or 503 instead if that is not possible or not allowed (steps/authorize.h). Sets
 * ctx->session and ctx->roster. A context that is already inside goes to the end of the line. */
void session_acquire(struct context *ctx, enum session_need need,
		     void (*enter)(struct context *ctx));
/* The context leaves its session: unpins it and lets go of its snapshot. Called by ctx_answer. */
void session_release(struct context *ctx);

/* Whether sessions take less memory than they may, now that those were dropped that nobody uses. */
bool session_cache_has_room(struct session_cache *session_cache);

/* References the head (committed) as ctx->snapshot. */
void session_take_snapshot(struct context *ctx, struct history *state);

/* Keeps everybody else who writes out until session_unlock. */
void session_lock(struct context *ctx);
void session_unlock(struct context *ctx);

/* True where the context is in no session, or holds the one it is in with nobody's turn under way:
 * what it computes then needs no lock. */
bool session_is_exclusive(const struct context *ctx);

/* A problem for what the store said. */
void ctx_store_problem(struct context *ctx, enum store_status status);

/* Queues ctx->write (its kind, and for APPEND packed bytes, revision and ctx->after, are set).
 * When it is committed the context's reply, prepared before, is answered; else a problem, or the context
 * enters again where the state it was worked out on (ctx->snapshot) is no longer the head. */
void session_write_entry(struct context *ctx);

/* Writes came back from the store: a chain, in the order in which they were committed. */
void session_cache_written(struct session_cache *session_cache, struct store_write *writes);

#endif
