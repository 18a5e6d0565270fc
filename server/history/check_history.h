/* check_history.h: the rules that a history obeys, checked entry by entry: for what comes from a file.
 *
 * An undo takes back entries that are in force, a redo brings back what was undone, and the cube
 * after an entry that restores a revision is the cube of that revision. To know the last without
 * keeping every cube, a mark of 64 bits is kept of each: 8 bytes an entry, 8 MB for the longest
 * history. */
#ifndef SERVER_HISTORY_CHECK_HISTORY_H
#define SERVER_HISTORY_CHECK_HISTORY_H

#include "server/history/history.h"
#include "server/util/error.h"

struct history_check {
	struct history *history; /* owned; the state after the last entry */
	uint32_t first;          /* the oldest revision that has a mark */
	uint64_t *marks;         /* of the cubes from `first` on */
	size_t count, capacity;
};

enum history_check_result { HISTORY_CHECK_SOUND, HISTORY_CHECK_WRONG, HISTORY_CHECK_NO_MEMORY };

/* Begins at a state, which it takes over, also where it fails: memory is out. An audit of all zeros
 * may be begun and finished; a begun one may be begun again. */
MUST_USE bool history_check_begin(struct history_check *history_check, struct history *history);
/* Checks one entry and applies it. On HISTORY_CHECK_WRONG `*wrong` says what is, and the audit is over. */
MUST_USE enum history_check_result history_check_entry(struct history_check *history_check,
						       const struct entry *entry,
						       const char **wrong);
void history_check_finish(struct history_check *history_check);

#endif
