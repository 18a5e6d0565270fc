/* live.h: sessions that are watched: their entries as events, as they are committed.
 *
 * docs/internals/live.md tells why nothing is missed. A session that is watched has a topic: a ring of its
 * last LIVE_RING events, each made once, when its entry becomes visible, and shared by all who send
 * it. A subscriber has no queue: only a cursor, the revision it was sent last. What is next for it
 * comes from the ring; where the ring has moved past it, from the log, page by page; where that
 * would be too much, it is one `resync` with the whole state. A new subscriber is one whose cursor was
 * set with the session cache's lock, so that it sees every entry behind that.
 *
 * Threads. Events are published with the session cache's lock. They are sent by shards: a thread of the
 * HTTP layer each, to which a subscriber belongs from live_start() on; it asks live_fill() what to
 * send, and tells by live_sent() how much of that has left. A shard that has nothing left to send
 * helps those that have. A session that nobody watches costs one test of a pointer. Locks are taken
 * in this order: the session cache's, a topic's, a shard's. */
#ifndef SERVER_LIVE_LIVE_H
#define SERVER_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "server/util/error.h"

#define LIVE_RING 256
#define LIVE_SHARDS 4
/* The most text that one call of live_fill tells to send. */
#define LIVE_PIECES 64
/* Bytes of a name that a subscriber may have. */
#define LIVE_NAME_BYTES 128

/* How a subscriber reads: Server-Sent Events or lines of JSON, with the cube in each entry or not. */
enum live_form { LIVE_EVENTS, LIVE_EVENTS_CUBE, LIVE_LINES, LIVE_LINES_CUBE, LIVE_FORMS };

struct limits;
struct live;
struct pool;
struct session;
struct session_cache;
struct store;
struct subscriber;
struct visit;

struct live_options {
	struct session_cache *sessions;
	struct store *store;
	struct pool *readers; /* for pages of the log */
	const struct limits *limits;
	bool waits; /* long polls wait; false: the service has no threads */
};

/* NULL if memory or file descriptors run out. */
struct live *live_create(const struct live_options *options);
/* With no subscriber and no topic left. */
void live_destroy(struct live *live);

/* How the session cache notifies it: what is committed becomes events, and long polls go on. */
extern const struct session_observer live_observer;

/* Wakes the shards that have something to do. Without any lock; after each round of commits. */
void live_flush(struct live *live);

/* ---- watching ---- */

struct subscribe_options {
	enum live_form form;
	bool resume;      /* from `after` on; else it begins with the state */
	bool foreign;     /* `after` is of another database: resync */
	uint32_t after;   /* the revision that was seen last */
	const char *name; /* of the one who watches; NULL: nobody known */
};

/* FULL: the session is watched by as many as it may be; CROWDED: sessions in use take all the
 * memory that they may. */
enum live_joined { LIVE_JOINED, LIVE_FULL, LIVE_CROWDED, LIVE_NO_MEMORY };

/* Subscribes to a session that a visit has entered. With the session cache's lock. */
MUST_USE enum live_joined live_join(struct live *live, struct session *session,
				    const struct subscribe_options *options,
				    struct subscriber **subscriber);
/* Ends it; never with the session cache's lock. After live_start only by its shard's thread. */
void live_leave(struct subscriber *subscriber);

/* Text that keeps a connection busy when there is nothing to tell. */
const char *live_ping(const struct subscriber *subscriber);

/* ---- shards ---- */

/* Gives a subscriber to a shard; `stream` is the shard's own. Any thread. */
void live_start(struct subscriber *subscriber, unsigned shard, void *stream);

/* An eventfd: readable when live_turn has something to do. */
int live_wake_fd(const struct live *live, unsigned shard);
void live_wake(struct live *live, unsigned shard);

/* What the HTTP layer does for a stream. */
struct live_calls {
	/* Sends what live_fill gives, as far as it goes now. False: it has to end. Another shard's
	 * thread may call it, while the stream's own is in live_turn and leaves the stream alone. */
	bool (*send)(void *stream);
	/* Ends it, with its subscriber; only on its shard's thread. */
	void (*end)(void *stream);
};

/* Calls them for each stream that may have something to send now, and then `send` for those of other
 * shards that are at it. All shards give the same calls. */
void live_turn(struct live *live, unsigned shard, const struct live_calls *calls);
/* One stream may have something to send: before sending out of turn. */
void live_look(struct subscriber *subscriber);

/* What is to be sent next: fills at most LIVE_PIECES and returns how many. 0: nothing now; `send`
 * will be called when there is. -1: the stream has come to its end. */
int live_fill(struct subscriber *subscriber, struct iovec *pieces);
/* So many bytes of what live_fill gave last have left. */
void live_sent(struct subscriber *subscriber, size_t bytes);

/* What time brings: presence is told, graces and long polls end. For one thread, that of shard 0.
 * Returns the ms until it wants to be called again, or -1: when the shard is woken. `now_ms` is of
 * the monotonic clock. */
int64_t live_tick(struct live *live, int64_t now_ms);

/* How much there is of it; with the session cache's lock. */
struct live_counts {
	size_t sessions, subscribers, polls;
};
struct live_counts live_count(const struct live *live);

/* ---- long polls; with the session cache's lock ---- */

/* A visit, inside its session, that enters again (NEED_READ) at the session's next entry, after
 * `wait_ms`, or when the service stops. */
struct live_poll {
	struct live_poll *previous, *next; /* of the session */
	struct live_poll *before, *after;  /* of all */
	struct live *live;
	struct visit *visit;
	int64_t due_ms;
};
void live_wait(struct live *live, struct live_poll *poll, struct visit *visit, int64_t wait_ms);
/* Whether a long poll may wait. */
bool live_waits(const struct live *live);
/* Ends all long polls, and lets none wait from now on. */
void live_stop(struct live *live);

#endif
