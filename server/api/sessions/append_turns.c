/* append_turns.c: the turns of an entry: read or made, and what they do to a cube.
 *
 * They depend on the session's size only, which never changes. So what takes long is done before the
 * session is entered: a scramble and the tables it needs, reading and writing out moves. Of many
 * turns the effect on a solved cube is worked out, too; composing that with the session's cube takes
 * O(n^2), however many they are. */
#include <string.h>

#include "cube/cube.h"
#include "server/api/sessions/append.h"

/* Writing a turn, and with `turns` also as an object. */
#define WRITE_NS 60
#define WRITE_OBJECT_NS 500
/* Reading moves, together with writing each turn as an object. */
#define TURNS_FACTOR 8
/* Composing two cubes, per facelet; and copying one. */
#define COMPOSE_NS 3
/* So many turns cost about as much as composing. */
#define FEW_TURNS(size) (8 + (size_t)(size) / 2)

uint64_t append_turns_cost(const struct append *append, int size)
{
	if (append->made.ready)
		return 0;
	return moves_cost(&append->moves, size) + scramble_cost(&append->scramble, size);
}

uint64_t append_entry_cost(const struct append *append, int size)
{
	const struct append_turns *made = &append->made;
	const uint64_t area = (uint64_t)size * (uint64_t)size;
	const uint64_t write_ns = append->turns ? WRITE_OBJECT_NS : WRITE_NS;
	if (!made->ready)
		return append->turns ? append_turns_cost(append, size) * (TURNS_FACTOR - 1) : 0;
	return made->count * write_ns +
	       (made->effect ? CUBE_FACES * area * COMPOSE_NS : made->count * (WRITE_NS + area));
}

bool append_read_moves(struct context *ctx, struct append *append, int size, struct cube_alg *alg,
		       uint32_t **times)
{
	return append->kind == ENTRY_MOVES
		       ? moves_read_timed(ctx, &append->moves, size, alg, times, &append->notes)
		       : moves_read_noted(ctx, &append->moves, size, alg, &append->notes);
}

static bool make_of_moves(struct context *ctx, struct append *append)
{
	struct append_turns *made = &append->made;
	struct cube_alg alg;
	uint32_t *times = NULL;
	if (!append_read_moves(ctx, append, made->size, &alg, &times) ||
	    !moves_expand(ctx, &append->moves, &alg, &made->turns, &made->count))
		return false;
	made->times = made->count > 0 ? times : NULL;
	/* Turns by 0 quarters count as moves, though they are not stored. */
	return made->count > 0 || alg.zeros > 0 ||
	       input_problem(ctx, "/moves",
			     "moves is empty; send at least one move, for example \"R\".",
			     "at least one move", NULL);
}

bool append_turns_make(struct context *ctx, struct append *append)
{
	struct append_turns *made = &append->made;
	made->ready = append->scramble.wanted ? scramble_make(ctx, &append->scramble, made->size,
							      &made->turns, &made->count)
					      : make_of_moves(ctx, append);
	return made->ready;
}

void append_turns_prepare(struct context *ctx)
{
	struct append *append = ctx->data;
	struct append_turns *made = &append->made;
	if (!append_turns_make(ctx, append) || made->count <= FEW_TURNS(made->size))
		return;
	struct cube *effect = ctx_alloc(ctx, cube_bytes(made->size));
	if (!effect)
		return;
	cube_init(effect, made->size);
	cube_turn_all(effect, made->turns, made->count);
	made->effect = effect;
}

bool append_turns_take(struct context *ctx, const struct append *append, struct entry *entry)
{
	const struct append_turns *made = &append->made;
	entry->has_turns = true;
	entry->turns = made->turns;
	entry->turn_count = made->count;
	entry->times = made->times;
	if (!made->effect)
		return true;
	struct cube *after = ctx_alloc(ctx, cube_bytes(made->size));
	if (after)
		cube_compose(after, ctx->visit.snapshot->cube, made->effect);
	entry->cube = after;
	return after != NULL;
}
