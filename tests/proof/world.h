/* world.h: games in a store, what was sent and what was answered: the model that a store is held
 * against after a power cut. */
#ifndef TESTS_PROOF_WORLD_H
#define TESTS_PROOF_WORLD_H

#include "server/store/store.h"
#include "tests/server/player.h"

#define WORLD_GAMES 10
#define WORLD_BATCH 24

struct game {
	bool used;     /* its creation was sent */
	bool answered; /* and answered */
	uint64_t key;
	unsigned number;
	struct cube *base; /* NULL for solved */
	struct player player;
	uint32_t stored, sent; /* revisions: answered, and given to the store */
	char name[2][16];      /* answered; sent later */
};

struct sent {
	struct store_write write; /* first: see world_committed */
	struct game *game;
	bool answered;
	uint8_t *packed;
	struct stored_solve solve; /* of some entries */
};

struct world {
	uint64_t random;
	unsigned games_made;
	struct game games[WORLD_GAMES];
	struct sent batch[WORLD_BATCH]; /* one transaction; at a cut, what was in flight */
	size_t batch_count;
	uint64_t answered; /* writes, of all times */
};

enum verdict { VERDICT_WELL, VERDICT_LOST, VERDICT_WRONG };

void world_init(struct world *world, uint64_t seed);
void world_finish(struct world *world);

/* store_options.committed, with the world as its context. */
void world_committed(void *world, struct store_write *batch);
/* Gives the store some writes of all kinds. */
void world_submit(struct world *world, struct store *store);
/* After they were answered, where the power is on: false where one was refused. */
bool world_settle(struct world *world);

/* Compares all that is stored with the model: what was answered is there in order, nothing twice,
 * nothing half; of the batch in flight all or nothing; replays. `why` gets a sentence.
 * Afterwards the model is what is stored. */
enum verdict world_check(struct world *world, struct store *store, struct store_reader *reader,
			 char *why, size_t capacity);

#endif
