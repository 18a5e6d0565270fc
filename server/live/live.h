/* live.h: watched sessions: their entries as events, as they are committed.
 *
 * docs/internals/live.md explains why nothing is missed. A watched session has a topic: a ring of
 * its last LIVE_RING events, each made once, when its entry becomes visible, and shared by all that
 * send it. A subscriber has no queue, only a cursor: the last revision it was sent. Its next events
 * come from the ring; if the ring has moved past it, from the log, page by page; if that would be
 * too much, it gets one `resync` with the whole state. The cursor of a new subscriber is set with
 * the session cache's lock, so it sees every entry after that.
 *
 * Threads. Events are published with the session cache's lock. They are sent by shards, each a
 * thread of the HTTP layer; a subscriber belongs to one from live_start() on. The shard asks
 * live_fill() what to send and reports with live_sent() how much was sent. A shard with nothing
 * left to send helps the others. A session that is not watched costs one test of a pointer. Lock
 * order: the session cache's, a topic's, a shard's. */
#ifndef SERVER_LIVE_LIVE_H
#define SERVER_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "server/access/token.h"
#include "server/util/error.h"
#include "server/util/text.h"

#define LIVE_RING 256
#define LIVE_SHARDS 4
/* The maximum number of pieces that one call of live_fill returns. */
#define LIVE_PIECES 64

/* The form of a stream, a sum of bits; 0: Server-Sent Events. */
enum live_form {
	LIVE_LINES = 1, /* lines of JSON */
	LIVE_CUBE = 2,  /* with the cube in each entry */
	LIVE_TURNS = 4, /* with each turn of an entry as an object, too */
	LIVE_MANY = 8,  /* of several sessions: each event says which; see bundle.c */
	LIVE_FORMS = 16
};

struct elsewhere_calls;
struct limits;
struct live;
struct pool;
struct session;
struct session_cache;
struct store;
struct subscriber;
struct session_id;
struct visit;

struct live_options {
	struct session_cache *sessions;
	struct store *store;
	struct pool *readers; /* for pages of the log */
	struct pool *poster;  /* of one thread, for notices; NULL: the store has none */
	const struct elsewhere_calls *elsewhere; /* with `poster` */
	const struct limits *limits;
	bool waits; /* long polls wait; false: the service has no threads */
};

/* NULL if out of memory or file descriptors. */
MUST_USE struct live *live_create(const struct live_options *options);
/* All subscribers and topics must be gone. */
void live_destroy(struct live *live);

/* Called by the session cache: committed entries become events, and long polls continue. */
extern const struct session_observer live_observer;

/* Wakes the shards that have something to do. Without any lock, after each round of commits. */
void live_flush(struct live *live);

/* ---- watching ---- */

struct subscribe_options {
	unsigned form;  /* bits of enum live_form */
	bool resume;    /* from `after` on; else starts with the state */
	bool foreign;   /* `after` is of another incarnation: resync */
	uint32_t after; /* the last revision seen */
	uint32_t token; /* the right to watch: a token's number; 0: the session's access */
};

/* FULL: the session has the maximum number of subscribers; CROWDED: sessions in use take all the
 * memory allowed. */
enum live_joined { LIVE_JOINED, LIVE_FULL, LIVE_CROWDED, LIVE_NO_MEMORY };

/* Subscribes to a session that a visit has entered. When it is deleted, or the right to watch ends
 * (options->token is revoked, or without one the access is taken), the stream gets an event `end`
 * with the reason, and ends. With the session cache's lock. */
MUST_USE enum live_joined live_join(struct live *live, struct session *session,
				    const struct subscribe_options *options,
				    struct subscriber **subscriber);
/* Before a stream begins, the other servers of the database are met: they can know that it watches,
 * and what they know about the watchers is known here. In the caller's memory. */
struct live_meeting {
	void (*done)(struct live_meeting *meeting);
	struct live_meeting *prev, *next;
};
/* Meets all sessions that were joined so far. Calls `done` once, perhaps at once; both with the
 * session cache's lock. */
void live_meet(struct live *live, struct live_meeting *meeting);

/* A cue is shown until the next one, so clients that come later get the last one as well. A reaction
 * is seen for a moment, only by clients that watch then. */
enum live_cue_kind { LIVE_CUE, LIVE_REACTION, LIVE_CUE_KINDS };

/* A cue that somebody shows to all who watch a session: the step of a lesson, say. Not stored. */
struct live_cue {
	enum live_cue_kind kind;
	struct text json;                 /* an object */
	const struct stored_token *actor; /* who shows it; NULL: without a token */
	int64_t time_ms;
};
/* live_meet() of a session to which a cue will be sent. With the session cache's lock. False, without
 * a meeting, if out of memory. */
MUST_USE bool live_meet_for_cue(struct live *live, struct session *session,
				struct live_meeting *meeting);
/* After that, sends it to all who watch the session; a LIVE_CUE also to clients that come later, until
 * another one is sent or nobody watches. A slow subscriber gets only the last one of each kind. Other
 * servers know it after another live_meet(). With the session cache's lock. False if out of memory. */
MUST_USE bool live_send_cue(struct live *live, struct session *session, const struct live_cue *cue,
			    uint32_t *watchers);
/* Ends the subscription; never with the session cache's lock. After live_start only on its shard's
 * thread. */
void live_leave(struct subscriber *subscriber);

/* Reasons of an event `end`: the session was deleted; the right to watch it was taken. */
#define LIVE_DELETED "deleted"
#define LIVE_REVOKED "revoked"

/* ---- one stream of several sessions ---- */

/* A subscriber that sends the events of several sessions. In `form` LIVE_MANY is implied. NULL if
 * out of memory. */
MUST_USE struct subscriber *live_bundle(struct live *live, unsigned form, size_t most);
/* Adds a session, at most `most` and each once; otherwise as live_join. `options->form` is that of the
 * bundle. Before live_start. */
MUST_USE enum live_joined live_bundle_join(struct subscriber *bundle, struct session *session,
					   const struct subscribe_options *options);
/* Adds a session of which nothing is sent but its end; `reason` NULL: the client has seen that
 * already. Before live_start. */
void live_bundle_end(struct subscriber *bundle, const struct session_id *id, const char *reason);
/* The number of sessions that it sends. */
size_t live_sessions(const struct subscriber *subscriber);

/* Text that keeps an idle connection open. */
const char *live_ping(const struct subscriber *subscriber);

/* ---- shards ---- */

/* Gives a subscriber to a shard; `stream` is the HTTP layer's. Any thread. */
void live_start(struct subscriber *subscriber, unsigned shard, void *stream);

/* An eventfd: readable when live_turn has something to do. */
int live_wake_fd(const struct live *live, unsigned shard);
void live_wake(struct live *live, unsigned shard);

/* The calls of the HTTP layer for a stream. */
struct live_calls {
	/* Sends what live_fill returns, as much as can be sent now. False: the stream has to end.
	 * Another shard's thread may call it, while the stream's own shard is in live_turn and
	 * leaves the stream alone. */
	bool (*send)(void *stream);
	/* Ends the stream and its subscriber; only on its shard's thread. */
	void (*end)(void *stream);
};

/* Makes these calls for each stream that may have something to send now, then `send` for streams of
 * other shards that are still sending. All shards pass the same calls. */
void live_turn(struct live *live, unsigned shard, const struct live_calls *calls);
/* One stream may have something to send: called before sending out of turn. */
void live_look(struct subscriber *subscriber);

/* Fills in at most LIVE_PIECES pieces to send next, and returns their number. 0: nothing now;
 * `send` will be called when there is. -1: the stream has ended. */
int live_fill(struct subscriber *subscriber, struct iovec *pieces);
/* Reports how many bytes of the last live_fill were sent. */
void live_sent(struct subscriber *subscriber, size_t bytes);

/* Handles time: reports presence, ends graces and long polls. Only on the thread of shard 0.
 * Returns the ms until it wants to be called again; -1: not before the shard is woken. `now_ms` is
 * of the monotonic clock. */
int64_t live_tick(struct live *live, int64_t now_ms);

/* Asks what other processes changed, if anybody watches or waits. With the session cache's lock. */
void live_ask(struct live *live);

/* Counts for the metrics; with the session cache's lock. */
struct live_counts {
	size_t sessions, subscribers, polls;
};
struct live_counts live_count(const struct live *live);

/* ---- long polls; with the session cache's lock ---- */

/* A visit in its session that enters again (NEED_READ) at the session's next entry, after `wait_ms`,
 * when the service stops, and when the session's description or tokens change. It may wait again then. */
struct live_poll {
	struct live_poll *previous, *next; /* of the session */
	struct live_poll *before, *after;  /* of all sessions */
	struct live *live;
	struct visit *visit;
	int64_t due_ms;
};
void live_wait(struct live *live, struct live_poll *poll, struct visit *visit, int64_t wait_ms);
/* Returns true if a long poll may wait. */
MUST_USE bool live_waits(const struct live *live);
/* Ends all long polls; from now on none waits. */
void live_stop(struct live *live);

#endif
