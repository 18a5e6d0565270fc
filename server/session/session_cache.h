/* session_cache.h: the sessions in use: a bounded cache, each with the line of its visits and the
 * writes under way.
 *
 * The store is the truth; a session here is a copy of it, which may be dropped whenever it is
 * unused. Each has two states. `committed` is what everyone may see: all of it is on disk. `head`
 * is ahead of it by the writes under way: a move is applied to the head at once, queued, and
 * answered when it is committed; then `committed` moves on. If a commit fails, every head goes back
 * to `committed` (see generations in store.h). States are immutable and reference-counted
 * (history_share), so jobs on other threads may read the state they were given.
 *
 * Everything here but session_cache_flush() is used with the cache's lock, which is held for a few
 * microseconds: what takes longer than 30 us is computed without it (request/compute.c).
 *
 *     visit.c            which visits may enter
 *     line.c             who waits, and who is next
 *     loaded_sessions.c  which sessions are in memory
 *     write.c            the writes under way
 *     gate.h             what other processes changed, asked before visits enter
 *     states.c           the states of sessions and visits, and what may follow what */
#ifndef SERVER_SESSION_SESSION_CACHE_H
#define SERVER_SESSION_SESSION_CACHE_H

/* Running out of memory is answered, not fatal. */
#define HASH_NONFATAL_OOM 1
/* Ids are random: their first bytes are as good as any hash of them. */
#define HASH_FUNCTION(key, length, hash) memcpy(&(hash), (key), sizeof(hash))
#include <stdatomic.h>
#include <string.h>
#include <uthash.h>
/* Enough for some thousand sessions from the start, 64 KiB. The default of 32 grows only when a
 * bucket holds ten, and walking through sessions that are not in the processor's cache is
 * expensive. */
#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_INITIAL_NUM_BUCKETS 4096U
#define HASH_INITIAL_NUM_BUCKETS_LOG2 12U

#include "server/session/gate.h"
#include "server/session/line.h"
#include "server/session/visit.h"
#include "server/threads/pool.h"
#include "server/util/error.h"
#include "server/util/lock.h"

/* The content of a session: how much of it is here, and how well it is known.
 * docs/internals/sessions.md has the drawing, states.c the transitions. The order counts: from
 * SESSION_STALE on, `committed` and `head` are there; from SESSION_DIVERGED on, visits may enter. */
enum session_state {
	SESSION_EMPTY,    /* only its id */
	SESSION_LOADING,  /* a job is reading it */
	SESSION_STALE,    /* the store is newer: read again when the writes are back */
	SESSION_DIVERGED, /* the head is on a state that the store has not got: writers wait until
			   * the writes are back */
	SESSION_CURRENT,  /* it may be entered */
	SESSION_STATES
};

/* The ways to find a session. */
enum session_listing {
	SESSION_UNLISTED, /* not any more: freed with the last pin */
	SESSION_LISTED,   /* by its id */
	SESSION_KEYED,    /* by its key, too, where others write the store */
	SESSION_LISTINGS
};

/* A session. The members that every request reads come first: for sessions that are not in the
 * processor's cache, each cache line costs. */
struct session {
	UT_hash_handle hh;
	struct session *newer, *older;
	unsigned pins;   /* visits and observers that point to it */
	unsigned writes; /* writes under way */
	enum session_state state;
	enum session_listing listing;
	bool advancing;       /* visits are being called: none that writes enters but in turn */
	bool own;             /* its newest known entry was made here, or it was created here */
	struct visit *holder; /* between session_lock and session_unlock */
	struct line line;
	struct history *committed, *head;
	struct roster *roster; /* its tokens; NULL: none */
	struct topic *topic;   /* the observer's, pins the session; NULL: not watched */
	struct live_poll
		*polls; /* the observer's: visits that wait for the next entry; NULL: none */
	UT_hash_handle hk;
	size_t bytes;    /* as counted in the session cache */
	uint64_t rounds; /* of the gate, when it was read */
	size_t scramble_count;
	struct cube_turn *scramble; /* it was created with; NULL: none */
	struct session_meta meta;
};

/* A committed entry, as packed. */
struct appended {
	const uint8_t *packed;
	size_t bytes;
	uint32_t revision;
	int64_t before_ms; /* the time that it was packed with */
};

/* Notified of what happens to a session with a `topic`; of `appended`, `changed` and `tokens` also if it
 * only has `polls`. All called with the lock; each may let visits enter the session. */
struct session_observer {
	/* An entry was committed; session->committed is the state after it, and was `before`. */
	void (*appended)(struct session *session, const struct history *before,
			 const struct appended *appended);
	/* It was reloaded from the store, perhaps with more entries. */
	void (*reloaded)(struct session *session);
	/* Its name, turn policy or, if `access`, its access changed. */
	void (*changed)(struct session *session, bool access);
	/* A token was added or revoked. */
	void (*tokens)(struct session *session);
	/* It was deleted, or is being dropped from the cache. */
	void (*ended)(struct session *session);
};

struct session_cache {
	struct lock lock;
	struct store *store;
	struct pool *readers;
	const struct session_observer *observer;
	void (*solves_changed)(void *context, uint64_t key);
	void *context;
	uint64_t generation; /* of the store, as known here */
	char incarnation[INCARNATION_TEXT + 1];
	uint64_t state_ids; /* the state of the generator of ids of states */
	struct gate gate;
	uint64_t bytes_max;
	_Atomic size_t writes;           /* under way; changed with the lock */
	_Atomic bool submitted;          /* there are writes since the last flush */
	size_t bytes;                    /* of all sessions */
	size_t loads;                    /* sessions that are being read */
	struct session *sessions;        /* by id */
	struct session *by_key;          /* the loaded ones, where others write too */
	struct session *newest, *oldest; /* by last use */
};

/* False if the lock cannot be created. */
MUST_USE bool session_cache_init(struct session_cache *session_cache);
struct session_cache_options {
	struct store *store;
	struct pool *readers;
	struct pool *feed; /* of one thread with a reader, for the gate; NULL: the store has no
			    * `changes` */
	const struct gate_calls *gate; /* with `feed` */
	uint64_t bytes_max;
	const struct session_observer *observer; /* must outlive the cache */
	/* Another process changed the solves of the session with this key; 0: perhaps of any. With
	 * the lock. */
	void (*solves_changed)(void *context, uint64_t key);
	void *context;
};
/* Before the first visit. */
void session_cache_open(struct session_cache *session_cache,
			const struct session_cache_options *options);
/* Drops all sessions, with the lock, which it takes; all visits must have ended. */
void session_cache_close(struct session_cache *session_cache);
void session_cache_finish(struct session_cache *session_cache);

/* Returns true if sessions take less memory than allowed, once unused ones are dropped. */
MUST_USE bool session_cache_has_room(struct session_cache *session_cache);

/* Writes came back from the store: a chain, in commit order. */
void session_cache_written(struct session_cache *session_cache, struct store_write *writes);

/* Makes the store commit what was queued since the last call. Without the lock. */
void session_cache_flush(struct session_cache *session_cache);

#endif
