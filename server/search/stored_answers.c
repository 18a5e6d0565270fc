/* stored_answers.c: stored answers of solvers, found again for the same cube held in any way. */
#include "server/search/stored_answers.h"

#include <string.h>

#include "cube/libcube.h"

/* ---- making ---- */

bool stored_answer_make(struct stored_answer *answer, const struct cube *cube, const char *method,
			const struct cube_turn *turns, size_t count, int64_t now_ms,
			struct arena *arena)
{
	const size_t facelets = cube_facelets(cube->size);
	uint8_t *colors = arena_alloc(arena, 2 * facelets);
	uint8_t *moves = arena_alloc(arena, count * CUBE_PACKED_TURN_MAX + 1);
	if (!colors || !moves)
		return false;
	cube_colors(cube, colors);
	cube_canonical(cube->size, colors, colors + facelets);
	*answer = (struct stored_answer){
		.canonical = cube_colors_hash(cube->size, colors + facelets),
		.size = cube->size,
		.method = method,
		.colors = colors,
		.moves = moves,
		.move_bytes = cube_turns_pack(turns, count, cube->size, moves),
		.created_ms = now_ms};
	return true;
}

/* ---- finding ---- */

struct answer_search {
	const struct cube *cube;
	const char *method;
	struct arena *arena;
	const uint8_t *canonical; /* of the cube */
	uint8_t *spare;
	int fit; /* the way to hold it that is canonical */
	struct cube_turn *turns;
	size_t count;
	bool found, no_memory;
};

/* Computes where each face goes if a cube is turned as a whole by a hold. */
static void faces_of_hold(int hold, uint8_t to[CUBE_FACES])
{
	union {
		struct cube cube;
		char bytes[sizeof(struct cube) + CUBE_FACES * 9 * sizeof(uint16_t)];
	} solved, turned; /* 3x3x3, for the middles */
	cube_init(&solved.cube, 3);
	cube_hold_turn(&turned.cube, &solved.cube, hold);
	for (int face = 0; face < CUBE_FACES; face++)
		to[cube_color_at(&turned.cube, (size_t)face * 9 + 4)] = (uint8_t)face;
}

/* The same turns for a cube that is held otherwise. */
static void turn_over(int size, struct cube_turn *turns, size_t count, int hold)
{
	uint8_t to[CUBE_FACES];
	faces_of_hold(hold, to);
	for (size_t i = 0; i < count; i++) {
		const struct cube_turn turn = turns[i];
		turns[i] = cube_turn_make(size, to[turn.face], turn.from, turn.to, turn.quarters);
		if (turn.quarters == -2)
			turns[i].quarters = -2;
	}
}

static bool check_by_turning(struct answer_search *look)
{
	struct cube *cube = arena_alloc(look->arena, cube_bytes(look->cube->size));
	if (!cube) {
		look->no_memory = true;
		return false;
	}
	cube_copy(cube, look->cube);
	cube_turn_all(cube, look->turns, look->count);
	return cube_is_solved(cube);
}

/* A store_visit_answer. */
static bool visit_answer(void *context, const struct stored_answer *answer)
{
	struct answer_search *look = context;
	const int size = look->cube->size;
	const size_t facelets = cube_facelets(size);
	if (answer->size != size || strcmp(answer->method, look->method) != 0)
		return true;
	const int fit = cube_canonical(size, answer->colors, look->spare);
	if (memcmp(look->spare, look->canonical, facelets) != 0)
		return true; /* another cube with the same hash */
	look->turns = arena_alloc(look->arena, (answer->move_bytes + 1) * sizeof *look->turns);
	look->no_memory = !look->turns;
	if (look->no_memory || !cube_turns_unpack(answer->moves, answer->move_bytes, size,
						  look->turns, answer->move_bytes, &look->count))
		return !look->no_memory;
	/* From how it was held to the canonical way, and from there to how this cube is held. */
	turn_over(size, look->turns, look->count,
		  cube_hold_then(cube_hold_inverse(cube_fit_hold(fit)), cube_fit_hold(look->fit)));
	look->found = check_by_turning(look);
	return !look->found && !look->no_memory;
}

enum store_status stored_answer_find(struct store *store, struct store_reader *reader,
				     const struct cube *cube, const char *method,
				     struct arena *arena, struct cube_turn **turns, size_t *count)
{
	const size_t facelets = cube_facelets(cube->size);
	uint8_t *colors = arena_alloc(arena, 3 * facelets);
	if (!colors)
		return STORE_NO_MEMORY;
	struct answer_search look = {.cube = cube,
				     .method = method,
				     .arena = arena,
				     .canonical = colors + facelets,
				     .spare = colors + 2 * facelets};
	cube_colors(cube, colors);
	look.fit = cube_canonical(cube->size, colors, colors + facelets);
	enum store_status status = store->operations->answers(
		reader, cube_colors_hash(cube->size, look.canonical), visit_answer, &look);
	if (status != STORE_OK || look.no_memory)
		return status != STORE_OK ? status : STORE_NO_MEMORY;
	*turns = look.turns;
	*count = look.count;
	return look.found ? STORE_OK : STORE_NOT_FOUND;
}
