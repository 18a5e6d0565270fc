/* scramble.c: scrambles that the server makes for a request. */
#include "server/api/input/scramble.h"

#include <stdio.h>

#include "server/api/input/tables.h"
#include "server/api/request/service_state.h"
#include "server/util/utf8.h"

/* Printing a turn, and turning the cube by it, as in moves_cost. */
#define TURN_NS 30

bool scramble_read_seed(struct context *ctx, struct text seed, const struct json_place *place,
			struct scramble_request *scramble)
{
	char detail[64];
	if (seed.length == 0)
		snprintf(detail, sizeof detail, "The seed must not be empty.");
	else if (seed.length > SEED_BYTES_MAX)
		snprintf(detail, sizeof detail, "The seed has %zu bytes, and at most %d may be.",
			 seed.length, SEED_BYTES_MAX);
	else if (!utf8_valid(seed.bytes, seed.length))
		snprintf(detail, sizeof detail, "The seed is not UTF-8.");
	else {
		scramble->seed = seed;
		return true;
	}
	return input_place_problem(ctx, place, detail,
				   "1 to 64 bytes of UTF-8, or no seed for a random one", NULL);
}

bool scramble_begin(struct context *ctx, const struct scramble_request *scramble, int size,
		    struct scrambling *scrambling)
{
	const enum table_cache_result result =
		scrambling_begin(scrambling, ctx->service->table_cache, size, scramble->variant,
				 scramble->seed.bytes, scramble->seed.length);
	return tables_taken(ctx, result, "scrambles of this size");
}

bool scramble_make(struct context *ctx, const struct scramble_request *scramble, int size,
		   struct cube_turn **turns, size_t *count)
{
	struct scrambling scrambling;
	*turns = ctx_alloc(ctx, cube_scramble_room(size) * sizeof **turns);
	if (!*turns)
		return false;
	const bool begun = scramble_begin(ctx, scramble, size, &scrambling);
	if (begun)
		*count = scrambling_next(&scrambling, *turns);
	scrambling_end(&scrambling);
	return begun;
}

uint64_t scramble_cost(const struct scramble_request *scramble, int size)
{
	const uint64_t turn_ns = TURN_NS + (uint64_t)size * (uint64_t)size;
	if (!scramble->wanted)
		return 0;
	return scrambling_cost(size, scramble->variant) + cube_scramble_room(size) * turn_ns;
}
