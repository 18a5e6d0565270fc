/* scramble.h: scrambles that the server makes for a request. */
#ifndef SERVER_API_INPUT_SCRAMBLE_H
#define SERVER_API_INPUT_SCRAMBLE_H

#include "server/api/input/input.h"
#include "server/search/scrambling.h"
#include "server/util/error.h"

struct scramble_request {
	bool wanted;
	struct text seed; /* bytes NULL: none, use the system's randomness */
	enum cube_scramble_variant variant;
};

/* Takes a seed of 1 to SEED_BYTES_MAX bytes. Answers 400. */
MUST_USE bool scramble_read_seed(struct context *ctx, struct text seed,
				 const struct json_place *place, struct scramble_request *scramble);

/* Prepares to make scrambles; call scrambling_end in any case. Answers 503 if out of memory or
 * without tables. Any thread. */
bool scramble_begin(struct context *ctx, const struct scramble_request *scramble, int size,
		    struct scrambling *scrambling);

/* Makes one scramble, on the arena. Any thread. */
MUST_USE bool scramble_make(struct context *ctx, const struct scramble_request *scramble, int size,
			    struct cube_turn **turns, size_t *count);

/* Cost of scramble_make, and of turning a cube by its result, in ns; 0 if no scramble is wanted. */
uint64_t scramble_cost(const struct scramble_request *scramble, int size);

#endif
