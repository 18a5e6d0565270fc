/* tail.h: in memory, what the log holds: entries that are committed but not folded into chunks yet.
 *
 * The writer thread alone changes it. A reader copies the tail of a session first and reads the
 * database after: so an entry that is folded in between is seen twice, never not at all. */
#ifndef SERVER_STORE_SQLITE_TAIL_H
#define SERVER_STORE_SQLITE_TAIL_H

#include "server/store/table.h"

#include <pthread.h>
#include <stdatomic.h>

struct tail_session;

struct tail_entry {
	struct tail_entry *next;
	struct tail_session *session;
	int64_t seq; /* of its row, which others may share */
	uint32_t revision;
	size_t length;
	uint8_t packed[]; /* by itself: before_ms 0 */
};

struct tail_session {
	struct link by_key; /* first: see table.h */
	uint64_t key;
	struct tail_entry *first, **last;
	struct tail_session *next; /* in the queue, or among the damaged */
	bool queued, damaged;
};

struct tail {
	pthread_mutex_t mutex;
	struct table by_key;
	struct tail_session *first, **last; /* with entries, by the age of the oldest */
	struct tail_session *damaged;
	_Atomic size_t entries, bytes; /* all, damaged sessions' too */
};

/* False when memory is out. */
bool tail_init(struct tail *tail);
void tail_finish(struct tail *tail);

/* tail_prepare will soon be asked about that session. */
void tail_expect(const struct tail *tail, uint64_t key);
/* The writer's, or where there is no other thread: a session's entries that are not folded, in the order of the log;
 * NULL: there are none. */
const struct tail_entry *tail_entries(const struct tail *tail, uint64_t key);
/* Takes all memory that publishing needs. NULL when it is out. */
struct tail_entry *tail_prepare(struct tail *tail, uint64_t key, int64_t seq, uint32_t revision,
                                const uint8_t *packed, size_t length);
/* Shows a chain of prepared entries to readers, or frees it. */
void tail_publish(struct tail *tail, struct tail_entry *entries);
void tail_discard(struct tail_entry *entries);

/* The writer's: the session whose first entry is the oldest; NULL: nothing is to be folded. */
struct tail_session *tail_oldest(const struct tail *tail);
/* The oldest entry that is not folded; INT64_MAX where there is none. */
int64_t tail_oldest_seq(const struct tail *tail);
/* Keys of all sessions with entries that are not folded, the newest first; to be freed. False when memory is out. */
bool tail_keys(struct tail *tail, uint64_t **keys, size_t *count);
/* The oldest `count` entries of tail_oldest are in chunks now. */
void tail_drop(struct tail *tail, size_t count);
/* A queued session cannot be folded: leaves it alone from now on. */
void tail_set_aside(struct tail *tail, uint64_t key);
/* The first row of the log from `seq` on that has an entry of such a session, and so is to be kept; INT64_MAX
 * where there is none. */
int64_t tail_kept_seq(const struct tail *tail, int64_t seq);

/* A session's entries as they are now: revisions one after another. */
struct tail_copy {
	uint32_t revision; /* of the first */
	size_t count;
	size_t *ends;      /* of each entry in `bytes`; owned, with `bytes` in one block */
	uint8_t *bytes;
};
/* False when memory is out. */
bool tail_copy(struct tail *tail, uint64_t key, struct tail_copy *copy);
void tail_copy_finish(struct tail_copy *copy);

#endif
