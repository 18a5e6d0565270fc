/* turns.h: moves as an array of turns, each an object. */
#ifndef SERVER_API_INPUT_TURNS_H
#define SERVER_API_INPUT_TURNS_H

#include "server/api/input/moves.h"
#include "server/util/error.h"

/* Reads moves->array, nodes on the arena. A turn is {"face", "from", "to", "turns"}, with the members
 * that answers add (turn_members_write), which are checked against it; or Cubie's {"axis", "angle",
 * "start", "end"}. Answers 400 bad-member. Any thread. */
MUST_USE bool moves_read_turns(struct context *ctx, const struct moves_request *moves, int size,
			       struct cube_alg *alg);

#endif
