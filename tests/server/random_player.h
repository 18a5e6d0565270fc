/* random_player.h: makes random entries and keeps a plain record of them, with which histories and
 * stores are compared.
 *
 * The record is the cube of every revision, and the undo chain as two plain arrays. */
#ifndef TESTS_SERVER_RANDOM_PLAYER_H
#define TESTS_SERVER_RANDOM_PLAYER_H

#include "server/history/history.h"

struct played_entry {
	struct cube_turn *turns; /* NULL with count 0 may be a known, empty list: see has_turns */
	uint32_t *times;         /* of some moves */
	size_t count;
	bool has_turns;
	struct entry entry;
};

struct random_player {
	int size;
	uint64_t random;
	int64_t time_ms;
	uint32_t actors; /* entries have a random actor from 0 to this */
	uint32_t revision, capacity;
	struct cube **states;        /* by revision */
	struct played_entry *played; /* by revision */
	uint32_t *done, *undone;
	uint32_t done_count, undone_count;
};

/* `base` NULL: solved. */
void random_player_init(struct random_player *player, int size, const struct cube *base,
			uint64_t seed);
void random_player_finish(struct random_player *player);
uint64_t random_player_draw(struct random_player *player, uint64_t below);

/* Makes the next entry; valid as long as the player. */
const struct entry *random_player_next(struct random_player *player);
/* The same, but fast: only moves, of a few turns without times. */
const struct entry *random_player_move(struct random_player *player);

/* Fails the test unless the history equals the record at its newest revision. */
void random_player_check(const struct random_player *player, const struct history *history);
/* Fails the test unless the entry is the one that the player made. */
void random_player_check_entry(const struct random_player *player, const struct entry *entry);

#endif
