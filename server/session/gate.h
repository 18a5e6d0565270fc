/* gate.h: what other processes changed, known before a visit enters a session.
 *
 * Where several processes write the store, a cached session may be outdated. So every visit waits
 * at the gate for one call of the store's `changes` that began after the visit came: then all that
 * was answered anywhere before it came is applied to the cache, and what the visit is shown is as
 * new as its request. One call serves all visits that wait, so the cost of a question is shared as
 * the cost of a commit is (the read index of Raft: Ongaro, Ousterhout, "In Search of an
 * Understandable Consensus Algorithm", 2014, section 8). Writes pass the gate too, so that refusals
 * (a stale revision, a revoked token) are never based on an old state; that nothing came in between
 * is for the store to check.
 *
 * An append proves itself, though: it is stored only on the state and under the description that it
 * was made on. So a visit that is PASS_TRUSTING enters without a question if the newest known entry of
 * its session was made here; it is PASS_TRUSTED then. What it is answered when its write is committed
 * is certain. Anything else is not: the owner has to send the visit through the gate first, and
 * session_retry() does so after a conflict. Conflicts are expensive, so after one the next visits
 * have to ask again for a while.
 *
 * While the store does not answer, visits wait; when it gives up, they are refused with its status.
 * Sessions that are watched need changes also when nobody asks: gate_ask(). The store's hints say
 * when; those about sessions that nobody follows here are ignored.
 *
 * In a store that only this process writes there are no changes, and the gate is always open.
 *
 * The module `postgres` has the gate: here is what the session cache knows of it.
 *
 *     server/modules/postgres/gate.c           the visits that wait, and the rounds
 *     server/modules/postgres/apply_change.c   a change, applied to a cached session
 *
 * All functions are called with the session cache's lock, unless they say otherwise. */
#ifndef SERVER_SESSION_GATE_H
#define SERVER_SESSION_GATE_H

#include "server/session/visit.h"
#include "server/threads/pool.h"
#include "server/util/buffer.h"

/* Slots that count followed sessions; sessions share one if their keys are equal modulo this. */
#define GATE_FOLLOW_SLOTS 16384

struct gate;

/* The functions of a module for the gate of a store that several processes write. Those without a
 * comment are described below. */
struct gate_calls {
	bool (*trusts)(struct gate *gate, struct visit *visit);
	void (*trusted_wrongly)(struct gate *gate);
	void (*wait)(struct gate *gate, struct visit *visit);
	void (*follow)(struct gate *gate, uint64_t key);
	void (*unfollow)(struct gate *gate, uint64_t key);
	/* Takes a hint: others have probably changed the sessions with these keys; `count` 0: any.
	 * Returns whether one of them may be followed; then gate->hinted is set. Any thread, without
	 * the lock, also before gate_open(). */
	bool (*hint)(struct gate *gate, const uint64_t *keys, size_t count);
	void (*ask)(struct gate *gate);
	void (*catch_up)(struct gate *gate, struct session *session, uint64_t since);
};

/* One question at a time. */
struct gate {
	struct job job;
	struct pool *pool; /* of one thread, whose reader asks; NULL: the gate is open */
	const struct gate_calls *calls; /* with `pool` */
	struct session_cache *session_cache;
	unsigned cautious;     /* so many visits that trust have to wait like all others */
	bool asking;           /* a round is under way */
	bool ask_again;        /* somebody wants another one after it */
	_Atomic bool hinted;   /* others have probably changed something followed; any thread */
	struct visit *waiting; /* for the next round; linked by visit->next, oldest first */
	struct visit *last;    /* of them */
	struct visit *asked;   /* for the round that is under way */
	struct buffer changes; /* found by the round: the pool's thread fills it */
	bool lost;             /* out of memory meanwhile: changes are missing there */
	uint64_t rounds;       /* answered ones */
	enum store_status status;
	/* The changes that were applied while sessions were being read, to be applied to those
	 * found. */
	uint64_t changed;       /* the number of changes so far */
	uint64_t journal_first; /* `changed` before the first change in the journal */
	struct buffer journal;
	_Atomic uint16_t followed[GATE_FOLLOW_SLOTS]; /* sessions; any thread reads */
};

/* `pool` NULL: the store has no `changes`. */
static inline void gate_open(struct gate *gate, struct session_cache *session_cache,
			     struct pool *pool, const struct gate_calls *calls)
{
	gate->session_cache = session_cache;
	gate->pool = pool;
	gate->calls = calls;
}
/* All visits must have ended. */
static inline void gate_close(struct gate *gate)
{
	buffer_free(&gate->changes);
	buffer_free(&gate->journal);
}

/* Returns true if the visit need not wait. */
static inline bool gate_is_passed(const struct gate *gate, const struct visit *visit)
{
	return visit->pass == PASS_FRESH || !gate->pool;
}
/* Returns true if a visit that is PASS_TRUSTING or PASS_TRUSTED may enter without waiting; it is
 * PASS_TRUSTED then. */
MUST_USE static inline bool gate_trusts(struct gate *gate, struct visit *visit)
{
	return gate->calls->trusts(gate, visit);
}
/* The write of a trusted visit was a conflict: the next ones have to wait. */
static inline void gate_trusted_wrongly(struct gate *gate)
{
	gate->calls->trusted_wrongly(gate);
}
/* The visit waits for a round that begins now or later; then it is PASS_FRESH, and session_acquire()
 * is called for it. */
static inline void gate_wait(struct gate *gate, struct visit *visit)
{
	gate->calls->wait(gate, visit);
}

/* The session's changes are wanted although no visit asks for them, from now on and until it is
 * unfollowed as often. */
static inline void gate_follow(struct gate *gate, uint64_t key)
{
	if (gate->pool)
		gate->calls->follow(gate, key);
}
static inline void gate_unfollow(struct gate *gate, uint64_t key)
{
	if (gate->pool)
		gate->calls->unfollow(gate, key);
}

/* Asks for changes although no visit waits, for the sake of observers. Cheap if a round is under
 * way already, or the gate is open. */
static inline void gate_ask(struct gate *gate)
{
	if (gate->pool)
		gate->calls->ask(gate);
}

/* Applies to a session that was just read what changed since gate->changed was `since`. If some of
 * that is not remembered, the session is read again. */
static inline void gate_catch_up(struct gate *gate, struct session *session, uint64_t since)
{
	if (gate->pool)
		gate->calls->catch_up(gate, session, since);
}

#endif
