/* attempt.h: the solve that an entry ends: found in the history of its session.
 *
 * An attempt begins with the newest scramble, or with a reset, which brings the first cube back; or
 * with that first cube, where there was neither. It ends with the first entry of moves after which
 * the cube is solved; what is turned later is no solve until there is another beginning. What was
 * taken back meanwhile counts as it was turned. Times are those that who turned has told, where one
 * alone has turned, has told them of every turn, and they do not run backwards; else those of the entries, so that all
 * turns of an entry have one, and a solve that came in one entry is untimed.
 *
 * For a reader's thread: O(entries of the session) to find the beginning, then a replay. */
#ifndef SERVER_SOLVES_ATTEMPT_H
#define SERVER_SOLVES_ATTEMPT_H

#include "server/store/store.h"
#include "server/util/arena.h"
#include "server/util/error.h"

struct attempt {
	/* In: the session, its first scramble, and the entry that solves its cube, which is not in
	 * the store yet, packed by itself. */
	uint64_t key;
	int size;
	const struct cube_turn *scramble;
	size_t scramble_count;
	const uint8_t *packed;
	size_t packed_bytes;
	uint32_t revision;
	size_t moves_max; /* of more, only the time is kept */

	/* Out: whether it ends an attempt; and then all of the solve but its id. Texts are on the
	 * arena. */
	bool found;
	uint32_t beginning; /* the revision of its scramble or reset, or 0 */
	struct stored_solve solve;
};

/* Whether the attempt that is under way at a revision has come to this cube, held in any way, after
 * any of its entries or at its beginning. Gives up after the entries of a quarter of a second, roughly,
 * and says no. */
MUST_USE enum store_status attempt_shows(struct store *store, struct store_reader *reader,
					 uint64_t key, uint32_t revision, const struct cube *cube,
					 bool *shows);

MUST_USE enum store_status attempt_find(struct attempt *attempt, struct store *store,
					struct store_reader *reader, struct arena *arena);

#endif
