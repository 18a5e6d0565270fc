/* memtable.h: the log in memory: entries that are committed but not compacted into chunks yet.
 *
 * Only the writer's thread changes it. A reader first copies a session's entries and then reads the
 * database: so an entry that is compacted in between is seen twice, never missed. */
#ifndef SERVER_STORE_SQLITE_MEMTABLE_H
#define SERVER_STORE_SQLITE_MEMTABLE_H

#include "server/util/hash_table.h"
#include "server/util/lock.h"
#include "server/util/error.h"

#include <stdatomic.h>

struct memtable_session;

struct memtable_entry {
	struct memtable_entry *next;
	struct memtable_session *session;
	int64_t seq; /* of its row, which entries may share */
	uint32_t revision;
	size_t length;
	uint8_t packed[]; /* with a before_ms of 0 */
};

struct memtable_session {
	struct hash_link by_key; /* first: see hash_table.h */
	uint64_t key;
	struct memtable_entry *first, **last;
	struct memtable_session *next; /* in the queue, or in the list of damaged ones */
	bool queued, damaged;
};

struct memtable {
	struct lock lock;
	struct hash_table by_key;
	struct memtable_session *first, **last; /* with entries, oldest entry first */
	struct memtable_session *damaged;
	_Atomic size_t entries, bytes; /* of all sessions, damaged ones too */
};

/* False if out of memory. */
MUST_USE bool memtable_init(struct memtable *memtable);
void memtable_finish(struct memtable *memtable);

/* Prefetches the session for memtable_prepare(). */
void memtable_expect(const struct memtable *memtable, uint64_t key);
/* A session's entries in the order of the log; NULL: none. On the writer's thread, or if there is
 * no other. */
const struct memtable_entry *memtable_entries(const struct memtable *memtable, uint64_t key);
/* Allocates all that publishing needs. NULL if out of memory. */
MUST_USE struct memtable_entry *memtable_prepare(struct memtable *memtable, uint64_t key,
						 int64_t seq, uint32_t revision,
						 const uint8_t *packed, size_t length);
/* Shows a chain of prepared entries to readers; frees one that failed. */
void memtable_publish(struct memtable *memtable, struct memtable_entry *entries);
void memtable_discard(struct memtable_entry *entries);

/* The session whose first entry is the oldest; NULL: nothing to compact. These are for the writer's
 * thread. */
struct memtable_session *memtable_oldest(const struct memtable *memtable);
/* The oldest entry that is not compacted; INT64_MAX if there is none. */
int64_t memtable_oldest_seq(const struct memtable *memtable);
/* Keys of all sessions in the queue, newest first; the caller frees them. False if out of
 * memory. */
MUST_USE bool memtable_keys(struct memtable *memtable, uint64_t **keys, size_t *count);
/* Removes the oldest `count` entries of memtable_oldest(): they are in chunks now. */
void memtable_drop(struct memtable *memtable, size_t count);
/* A queued session that cannot be compacted: takes it out of the queue for good. */
void memtable_set_aside(struct memtable *memtable, uint64_t key);
/* The first row of the log from `seq` on with an entry of such a session, which must be kept;
 * INT64_MAX: none. */
int64_t memtable_kept_seq(const struct memtable *memtable, int64_t seq);

/* A copy of a session's entries, with consecutive revisions. */
struct memtable_copy {
	uint32_t revision; /* of the first */
	size_t count;
	size_t *ends; /* of each entry in `bytes`; owned, with `bytes` in one block */
	uint8_t *bytes;
};
/* False if out of memory. */
MUST_USE bool memtable_copy(struct memtable *memtable, uint64_t key, struct memtable_copy *copy);
void memtable_copy_finish(struct memtable_copy *copy);

#endif
