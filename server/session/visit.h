/* visit.h: a visit to a session: entering it, locking it, writing to it.
 *
 * A visit lies in its owner's memory (a request embeds one; a background write has its own) and is
 * used with the session cache's lock. Its owner is called back through struct visit_calls. The path
 * of a move:
 *
 *     session_acquire()  waits until the session is loaded and `need` is met
 *       -> authorize     may the visit enter?
 *       -> entered       the owner plans its entry on the head: visit->snapshot, visit->after
 *     session_may_submit()  is the head still visit->snapshot? If not, the visit enters again
 *     session_submit()   queues visit->write
 *       -> committed     it is on disk, and the session's committed state is visit->after
 *       -> refused       the session could not be loaded, or the write was not stored
 *     session_release()
 *
 * Nobody holds a session while it waits for a thread. A visit that has locked its session and needs
 * a thread yields; others may enter. When the thread is there, the visit resumes: it has the session
 * again if nothing has changed meanwhile, else it enters again, ahead of its party's other visits.
 * Who is next among those that wait: line.h.
 */
#ifndef SERVER_SESSION_VISIT_H
#define SERVER_SESSION_VISIT_H

#include "server/access/token.h"
#include "server/store/session_id.h"
#include "server/store/store.h"
#include "server/util/error.h"
#include "server/util/fair_queue.h"

struct session;
struct session_cache;
struct visit;

/* The state of its session that a visit needs:
 *   NEED_READ    it is loaded
 *   NEED_WRITE   it is not locked and no writer waits ahead: the visit may queue a write on the head
 *   NEED_ALONE   the same, and no write is under way: head and committed are the same state. The visit
 *                may lock the session (session_lock) while a job reads its history */
enum session_need { NEED_READ, NEED_WRITE, NEED_ALONE };

/* The place of a visit. docs/internals/sessions.md has the drawing, states.c the transitions. */
enum visit_state {
	VISIT_OUTSIDE, /* in no session, and it waits for none */
	VISIT_AT_GATE, /* waits until others' changes are known (gate.h) */
	VISIT_IN_LINE, /* waits for the session to be loaded, or for its turn (line.h) */
	VISIT_INSIDE,  /* has entered */
	VISIT_HOLDING, /* has locked the session: no other visit may write */
	VISIT_APART,   /* had locked it, and waits for a thread: others may enter */
	VISIT_LOST,    /* others changed the session meanwhile: it has to enter again */
	VISIT_WRITING, /* its write is under way; with another write than an entry it holds the
			* session as well */
	VISIT_STATES
};

/* The knowledge of others' changes that a visit enters with (gate.h). */
enum visit_pass {
	PASS_NONE,     /* it has to wait for a round of the gate */
	PASS_TRUSTING, /* it means to append: the gate may let it in unasked */
	PASS_TRUSTED,  /* and did: until the write is committed nothing is certain */
	PASS_FRESH,    /* a round was made for it */
	PASS_COUNT
};

/* All called with the lock. A visit that only writes (session_join) needs
 * neither `authorize` nor `entered`. */
struct visit_calls {
	/* False: the visit may not enter; it was answered and released. */
	bool (*authorize)(struct visit *visit);
	/* The session is loaded, and the need is met. */
	void (*entered)(struct visit *visit);
	/* visit->write is on disk. */
	void (*committed)(struct visit *visit);
	/* The session could not be loaded, or visit->write was not stored. STORE_BROKEN: it may
	 * still be on disk. */
	void (*refused)(struct visit *visit, enum store_status status);
};

struct visit {
	const struct visit_calls *calls;
	struct session_cache *cache;
	/* In the session's line (line.h): */
	struct visit *next, *last, *next_party;
	const uint8_t *client;  /* CLIENT_KEY_BYTES: whose share pays for loading, and with `token`
				* the party; NULL: no one */
	uint32_t token;         /* the number of its token of this session; 0: none */
	bool urgent;            /* ahead of all that are not */
	bool loads;             /* it waited for its session to be read from the store */
	unsigned char losses;   /* the number of times that it was lost */
	unsigned char attempts; /* times it entered again because other writes were first */
	enum visit_state state; /* changed with the lock, by visit_become() alone */
	enum visit_pass pass;
	enum session_need need;
	struct session_id id;     /* of the session to enter */
	struct session *session;  /* pinned while set */
	struct roster *roster;    /* its tokens on entry; referenced while set */
	struct history *snapshot; /* the state that the visit works on; referenced while set */
	struct history *after;    /* the state that the write makes; referenced while set */
	int64_t retry_until_ms;   /* monotonic: it is refused then; see attempts */
	uint32_t version;         /* of the session's description when it entered */
	uint64_t changes_before;  /* gate.changed when the write was submitted */
	struct store_write write;
};

/* Enters the session visit->id (or, if already in a session, waits in its line) once it is loaded,
 * `need` is met and it is this visit's turn, perhaps at once; sets visit->session and visit->roster, then calls
 * calls->entered. Otherwise calls->authorize has answered, or calls->refused is called. */
void session_acquire(struct visit *visit, enum session_need need);
/* Leaves the session and releases both states. Does nothing outside a session. */
void session_release(struct visit *visit);
/* Enters a session that the caller has entered with another visit. */
void session_join(struct visit *visit, struct session *session);

/* References `state`, the head or the committed state, as visit->snapshot. */
void session_take_snapshot(struct visit *visit, struct history *state);

/* Keeps all other writers out until session_unlock(), session_release(), or the session_submit() of
 * an entry. */
void session_lock(struct visit *visit);
void session_unlock(struct visit *visit);

/* A visit that has locked its session begins to wait for a thread, apart: others may enter, perhaps
 * at once. False: it has not locked it, or has lost it so often that it keeps it this time; then
 * session_resume() must not be called. */
MUST_USE bool session_yield(struct visit *visit);
/* Ends that, once the thread is there: the visit has locked its session again. False: the session
 * has changed, another visit has locked it, or an urgent one waits; the visit is lost. */
bool session_resume(struct visit *visit);
/* A visit that is lost enters again. */
void session_enter_again(struct visit *visit);
/* A visit that is lost stays inside, for an answer that does not depend on the session. */
void session_forgo(struct visit *visit);

/* The visit means to append: the gate may let it in unasked. */
void session_trust(struct visit *visit);
/* From now on it asks first; what it is answered is certain. */
void session_distrust(struct visit *visit);

/* True if the visit is in no session, or has locked its session while no other visit is being
 * called: then it can compute without the lock. */
MUST_USE bool session_is_exclusive(const struct visit *visit);

/* Returns true if visit->write can be queued. False: another entry came first, and the visit enters
 * again (calls->entered, visit->attempts > 0) or was refused. */
MUST_USE bool session_may_submit(struct visit *visit);
/* Queues visit->write after session_may_submit(). Its kind must be set, and for WRITE_APPEND its
 * packed bytes, its revision and visit->after. Always calls `committed` or `refused` or, after a
 * conflict in the store, `entered`. */
void session_submit(struct visit *visit);

#endif
