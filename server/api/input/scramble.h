/* scramble.h: a request's wish for a scramble that the server makes. */
#ifndef SERVER_API_INPUT_SCRAMBLE_H
#define SERVER_API_INPUT_SCRAMBLE_H

#include "server/api/input/input.h"
#include "server/solving/scrambling.h"

struct scramble_request {
	bool wanted;
	struct text seed; /* bytes NULL: none, by the system's randomness */
	enum cube_scramble_variant variant;
};

/* Takes a seed of 1 to SEED_BYTES_MAX bytes. Answers 400. */
bool scramble_read_seed(struct context *ctx, struct text seed, const struct json_place *place,
			struct scramble_request *scramble);

/* Begins to make them; scrambling_end in any case. Answers 503 where memory is out. Any thread. */
bool scramble_begin(struct context *ctx, const struct scramble_request *scramble, int size,
		    struct scrambling *scrambling);

/* One of them, on the arena. Any thread. */
bool scramble_make(struct context *ctx, const struct scramble_request *scramble, int size,
		   struct cube_turn **turns, size_t *count);

/* What scramble_make costs, and turning a cube by what it makes, in ns; 0 if none is wanted. */
uint64_t scramble_cost(const struct scramble_request *scramble, int size);

#endif
