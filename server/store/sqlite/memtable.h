/* memtable.h: in memory, what the log holds: entries that are committed but not compacted into chunks yet.
 *
 * The writer thread alone changes it. A reader copies the memtable of a session first and reads the
 * database after: so an entry that is compacted in between is seen twice, never not at all. */
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
	int64_t seq; /* of its row, which others may share */
	uint32_t revision;
	size_t length;
	uint8_t packed[]; /* by itself: before_ms 0 */
};

struct memtable_session {
	struct hash_link by_key; /* first: see hash_table.h */
	uint64_t key;
	struct memtable_entry *first, **last;
	struct memtable_session *next; /* in the queue, or among the damaged */
	bool queued, damaged;
};

struct memtable {
	struct lock lock;
	struct hash_table by_key;
	struct memtable_session *first, **last; /* with entries, by the age of the oldest */
	struct memtable_session *damaged;
	_Atomic size_t entries, bytes; /* all, damaged sessions' too */
};

/* False if out of memory. */
MUST_USE bool memtable_init(struct memtable *memtable);
void memtable_finish(struct memtable *memtable);

/* memtable_prepare will soon be asked about that session. */
void memtable_expect(const struct memtable *memtable, uint64_t key);
/* The writer's, or where there is no other thread: a session's entries that are not compacted, in the order of the log;
 * NULL: there are none. */
const struct memtable_entry *memtable_entries(const struct memtable *memtable, uint64_t key);
/* Takes all memory that publishing needs. NULL when it is out. */
MUST_USE struct memtable_entry *memtable_prepare(struct memtable *memtable, uint64_t key,
						 int64_t seq, uint32_t revision,
						 const uint8_t *packed, size_t length);
/* Shows a chain of prepared entries to readers, or frees it. */
void memtable_publish(struct memtable *memtable, struct memtable_entry *entries);
void memtable_discard(struct memtable_entry *entries);

/* The writer's: the session whose first entry is the oldest; NULL: nothing is to be compacted. */
struct memtable_session *memtable_oldest(const struct memtable *memtable);
/* The oldest entry that is not compacted; INT64_MAX if there is none. */
int64_t memtable_oldest_seq(const struct memtable *memtable);
/* Keys of all sessions with entries that are not compacted, the newest first; to be freed. False if
 * out of memory. */
MUST_USE bool memtable_keys(struct memtable *memtable, uint64_t **keys, size_t *count);
/* The oldest `count` entries of memtable_oldest are in chunks now. */
void memtable_drop(struct memtable *memtable, size_t count);
/* A queued session cannot be compacted: leaves it alone from now on. */
void memtable_set_aside(struct memtable *memtable, uint64_t key);
/* The first row of the log from `seq` on that has an entry of such a session, and so is to be kept;
 * INT64_MAX if there is none. */
int64_t memtable_kept_seq(const struct memtable *memtable, int64_t seq);

/* A session's entries as they are now: revisions one after another. */
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
