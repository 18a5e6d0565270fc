/* powercut_model.h: games that are written to a store: what was sent and what was answered, with
 * which the store is compared after a power cut. */
#ifndef TESTS_PROOF_POWERCUT_MODEL_H
#define TESTS_PROOF_POWERCUT_MODEL_H

#include "server/store/store.h"
#include "tests/server/random_player.h"

#define POWERCUT_GAMES 10
#define POWERCUT_BATCH 24

struct game {
	bool used;     /* its creation was sent */
	bool answered; /* and answered */
	uint64_t key;
	unsigned number;
	struct cube *base; /* NULL for solved */
	struct random_player player;
	uint32_t stored, sent; /* revisions: answered, and given to the store */
	char name[2][16];      /* answered; sent later */
};

struct sent {
	struct store_write write; /* first: see powercut_model_committed */
	struct game *game;
	bool answered;
	uint8_t *packed;
	struct stored_solve solve; /* of some entries */
};

struct powercut_model {
	uint64_t random;
	unsigned games_made;
	struct game games[POWERCUT_GAMES];
	struct sent batch[POWERCUT_BATCH]; /* one transaction; at a cut, what was in flight */
	size_t batch_count;
	uint64_t answered; /* writes in total */
};

enum verdict { VERDICT_WELL, VERDICT_LOST, VERDICT_WRONG };

void powercut_model_init(struct powercut_model *model, uint64_t seed);
void powercut_model_finish(struct powercut_model *model);

/* store_options.committed; its context is the model. */
void powercut_model_committed(void *model, struct store_write *batch);
/* Submits a random batch of writes of all kinds. */
void powercut_model_submit(struct powercut_model *model, struct store *store);
/* Call it once they are answered, with the power on. False if a write was refused. */
bool powercut_model_settle(struct powercut_model *model);

/* Compares the store with the model: all answered writes are there, in order and once; of the batch
 * in flight all or nothing; replays give the stored cubes. Writes a sentence into `why`. Afterwards
 * the model equals the store. */
enum verdict powercut_model_check(struct powercut_model *model, struct store *store,
				  struct store_reader *reader, char *why, size_t capacity);

#endif
