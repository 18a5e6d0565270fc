/* check_history.h: checks the rules of a history entry by entry, for histories read from a file.
 *
 * An undo takes back entries in force, a redo brings back undone ones, and the cube after an entry
 * that restores a revision is the cube of that revision. To check the last without keeping every
 * cube, a hash of 64 bits is kept of each: 8 bytes an entry, 8 MB for the longest history. */
#ifndef SERVER_HISTORY_CHECK_HISTORY_H
#define SERVER_HISTORY_CHECK_HISTORY_H

#include "server/history/history.h"
#include "server/util/error.h"

struct history_check {
	struct history *history; /* owned; the state after the last entry */
	uint32_t first;          /* the oldest revision with a hash */
	uint64_t *marks;         /* hashes of the cubes from `first` on */
	size_t count, capacity;
};

enum history_check_result { HISTORY_CHECK_SOUND, HISTORY_CHECK_WRONG, HISTORY_CHECK_NO_MEMORY };

/* Begins at a state, of which it takes ownership, also if it fails: out of memory. *history_check
 * is all zero, or was begun before. */
MUST_USE bool history_check_begin(struct history_check *history_check, struct history *history);
/* Checks one entry and applies it. HISTORY_CHECK_WRONG: *wrong is a clause, and the check is
 * over. */
MUST_USE enum history_check_result history_check_entry(struct history_check *history_check,
						       const struct entry *entry,
						       const char **wrong);
void history_check_finish(struct history_check *history_check);

#endif
