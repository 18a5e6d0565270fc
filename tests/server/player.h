/* player.h: plays at random, and remembers everything plainly: what histories and stores are
 * compared with.
 *
 * The model keeps the cube of every revision and the undo chain as two plain arrays. */
#ifndef TESTS_SERVER_PLAYER_H
#define TESTS_SERVER_PLAYER_H

#include "server/history/history.h"

struct made {
	struct cube_turn *turns; /* NULL with count 0 may still be known: see has_turns */
	uint32_t *times;         /* of some moves */
	size_t count;
	bool has_turns;
	struct entry entry;
};

struct player {
	int size;
	uint64_t random;
	int64_t time_ms;
	uint32_t actors; /* who make the entries, at random, nobody known among them; 0: nobody */
	uint32_t revision, capacity;
	struct cube **states; /* by revision */
	struct made *made;    /* by revision */
	uint32_t *done, *undone;
	uint32_t done_count, undone_count;
};

/* `base` NULL: solved. */
void player_init(struct player *player, int size, const struct cube *base, uint64_t seed);
void player_finish(struct player *player);
uint64_t player_random(struct player *player, uint64_t below);

/* Makes the next entry; it lives as long as the player. */
const struct entry *player_next(struct player *player);
/* Only moves of one or a few turns without times, quickly. */
const struct entry *player_move(struct player *player);

/* Fails the test where the history is not the model at its newest revision. */
void player_check(const struct player *player, const struct history *history);
/* Fails the test where the entry is not the one the player made. */
void player_check_entry(const struct player *player, const struct entry *entry);

#endif
