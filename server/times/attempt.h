/* attempt.h: the solve that an entry ends, found in the history of its session.
 *
 * An attempt begins with the newest scramble, or with a reset, which restores the first cube; or
 * with that first cube if there was neither. It ends with the first entry of moves after which the
 * cube is solved; later turns do not count until the next attempt begins. Turns that were undone
 * count as turned.
 * Times are the client's own if a single client made all turns and sent a time with each, never
 * decreasing; else those of the entries, so that all turns of an entry have one time, and a solve
 * within one entry is untimed. So is a solve that no hand can have made in its time.
 *
 * For a reader's thread: O(entries of the session) to find the beginning, then a replay. */
#ifndef SERVER_TIMES_ATTEMPT_H
#define SERVER_TIMES_ATTEMPT_H

#include "server/store/store.h"
#include "server/util/arena.h"
#include "server/util/error.h"

struct attempt {
	/* In: the session, its first scramble, and the entry that solves its cube, which is not in
	 * the store yet, packed alone. */
	uint64_t key;
	int size;
	const struct cube_turn *scramble;
	size_t scramble_count;
	const uint8_t *packed;
	size_t packed_bytes;
	uint32_t revision;
	size_t moves_max; /* if there are more, only the time is kept */

	/* Out: whether it ends an attempt; if so, the solve without its id. Texts are on the arena.
	 */
	bool found;
	uint32_t beginning; /* the revision of its scramble or reset, or 0 */
	struct stored_solve solve;
};

/* Finds out if the attempt in progress at a revision has shown this cube, held in any way, at its
 * beginning or after any of its entries. Gives up, with false, after about a quarter of a
 * second. */
MUST_USE enum store_status attempt_shows(struct store *store, struct store_reader *reader,
					 uint64_t key, uint32_t revision, const struct cube *cube,
					 bool *shows);

MUST_USE enum store_status attempt_find(struct attempt *attempt, struct store *store,
					struct store_reader *reader, struct arena *arena);

#endif
