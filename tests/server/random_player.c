/* random_player.c: makes random entries and keeps a plain record of them. */
#include "cube/cube.h"
#include "cube/turn.h"
#include "tests/core/check.h"
#include "tests/server/random_player.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

static struct cube *clone(const struct cube *cube)
{
	struct cube *copy = must(malloc(cube_bytes(cube->size)));
	cube_copy(copy, cube);
	return copy;
}

uint64_t random_player_draw(struct random_player *player, uint64_t below)
{
	player->random += 0x9E3779B97F4A7C15u; /* splitmix64 */
	uint64_t z = player->random;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return (z ^ (z >> 31)) % below;
}

static void grow(struct random_player *player)
{
	if (player->revision + 2 <= player->capacity)
		return;
	player->capacity = player->capacity == 0 ? 64 : player->capacity * 2;
	size_t n = player->capacity;
	player->states = must(realloc(player->states, n * sizeof(*player->states)));
	player->played = must(realloc(player->played, n * sizeof(*player->played)));
	player->done = must(realloc(player->done, n * sizeof(*player->done)));
	player->undone = must(realloc(player->undone, n * sizeof(*player->undone)));
}

void random_player_init(struct random_player *player, int size, const struct cube *base,
			uint64_t seed)
{
	*player = (struct random_player){.size = size, .random = seed, .time_ms = 1700000000000};
	grow(player);
	player->states[0] = must(malloc(cube_bytes(size)));
	if (base == NULL)
		cube_init(player->states[0], size);
	else
		cube_copy(player->states[0], base);
	player->played[0] = (struct played_entry){0};
}

void random_player_finish(struct random_player *player)
{
	for (uint32_t i = 0; i <= player->revision; i++) {
		free(player->states[i]);
		free(player->played[i].turns);
		free(player->played[i].times);
	}
	free(player->states);
	free(player->played);
	free(player->done);
	free(player->undone);
}

static struct cube_turn random_turn(struct random_player *player)
{
	int n = player->size;
	int from = 1, to = 1;
	if (random_player_draw(player, 4) == 0) {
		from = 1 + (int)random_player_draw(player, (uint64_t)n);
		to = from + (int)random_player_draw(player, (uint64_t)(n - from + 1));
	}
	int face = (int)random_player_draw(player, CUBE_FACES);
	return cube_turn_make(n, face, from, to, (int64_t)random_player_draw(player, 5) - 2);
}

/* Gathers the turns of `count` entries at the top of the stack: backwards and inverted for undo.
 * False if one of them has no turns. */
static bool gather(struct random_player *player, const uint32_t *stack, uint32_t depth,
		   uint32_t count, bool undo, struct played_entry *played)
{
	for (uint32_t k = 0; k < count; k++) {
		const struct played_entry *one = &player->played[stack[depth - 1 - k]];
		if (!one->has_turns)
			return false;
		played->turns = must(realloc(played->turns, (played->count + one->count + 1) *
								    sizeof(*played->turns)));
		for (size_t i = 0; i < one->count; i++)
			played->turns[played->count++] =
				undo ? cube_turn_inverse(one->turns[one->count - 1 - i])
				     : one->turns[i];
	}
	return true;
}

static const struct entry *accept(struct random_player *player, struct played_entry played,
				  enum entry_kind kind, uint32_t restores, const struct cube *after)
{
	static const int64_t gaps[] = {0, 1, 900, 20000, -5, 86400000};
	player->time_ms += gaps[random_player_draw(player, sizeof(gaps) / sizeof(gaps[0]))];
	grow(player);
	uint32_t revision = ++player->revision;
	player->states[revision] = clone(after != NULL ? after : player->states[revision - 1]);
	if (after == NULL)
		cube_turn_all(player->states[revision], played.turns, played.count);
	played.entry = (struct entry){
		.time_ms = player->time_ms,
		.revision = revision,
		.restores = restores,
		.kind = kind,
		.actor = player->actors == 0
				 ? 0
				 : (uint32_t)random_player_draw(player, player->actors + 1),
		.has_turns = played.has_turns,
		.turn_count = played.count,
		.turns = played.turns,
		.times = played.times,
		.cube = played.has_turns ? NULL : player->states[revision],
	};
	player->played[revision] = played;
	return &player->played[revision].entry;
}

static void push_done(struct random_player *player)
{
	player->done[player->done_count++] = player->revision;
	player->undone_count = 0;
}

/* NULL, or a time for each turn, never decreasing. */
static uint32_t *times(struct random_player *player, size_t count)
{
	static const uint64_t steps[] = {1, 200, 100000, UINT32_MAX / 50};
	if (count == 0 || random_player_draw(player, 4) > 0)
		return NULL;
	uint32_t *played = must(calloc(count, sizeof(*played))), time = 0;
	const uint64_t step = steps[random_player_draw(player, sizeof(steps) / sizeof(steps[0]))];
	for (size_t i = 0; i < count; i++)
		played[i] = time += (uint32_t)random_player_draw(player, step);
	return played;
}

static const struct entry *turns(struct random_player *player, enum entry_kind kind, size_t count,
				 bool timed)
{
	struct played_entry played = {.has_turns = true, .count = count};
	played.turns = must(calloc(count + 1, sizeof(*played.turns)));
	for (size_t i = 0; i < count; i++)
		played.turns[i] = random_turn(player);
	played.times = timed ? times(player, count) : NULL;
	const struct entry *entry = accept(player, played, kind, HISTORY_NONE, NULL);
	push_done(player);
	return entry;
}

static const struct entry *undo(struct random_player *player)
{
	struct played_entry played = {0};
	uint32_t most = player->done_count < 9 ? player->done_count : 9;
	uint32_t count = 1 + (uint32_t)random_player_draw(player, most);
	played.has_turns = gather(player, player->done, player->done_count, count, true, &played);
	if (!played.has_turns)
		played.count = 0;
	for (uint32_t k = 0; k < count; k++)
		player->undone[player->undone_count++] = player->done[--player->done_count];
	uint32_t target = player->done_count == 0 ? 0 : player->done[player->done_count - 1];
	return accept(player, played, ENTRY_UNDO, target, player->states[target]);
}

static const struct entry *redo(struct random_player *player)
{
	struct played_entry played = {0};
	uint32_t count = 1 + (uint32_t)random_player_draw(player, player->undone_count);
	played.has_turns =
		gather(player, player->undone, player->undone_count, count, false, &played);
	if (!played.has_turns)
		played.count = 0;
	for (uint32_t k = 0; k < count; k++)
		player->done[player->done_count++] = player->undone[--player->undone_count];
	uint32_t target = player->done[player->done_count - 1];
	return accept(player, played, ENTRY_REDO, target, player->states[target]);
}

const struct entry *random_player_move(struct random_player *player)
{
	return turns(player, ENTRY_MOVES, 1 + random_player_draw(player, 3) / 2, false);
}

const struct entry *random_player_next(struct random_player *player)
{
	uint64_t choice = random_player_draw(player, 20);
	if (choice < 5 && player->done_count > 0)
		return undo(player);
	if (choice < 8 && player->undone_count > 0)
		return redo(player);
	if (choice == 8) {
		const struct entry *entry =
			accept(player, (struct played_entry){0}, ENTRY_RESET, 0, player->states[0]);
		push_done(player);
		return entry;
	}
	if (choice == 9)
		return turns(player, ENTRY_SCRAMBLE, random_player_draw(player, 300), false);
	return random_player_draw(player, 4) > 0
		       ? random_player_move(player)
		       : turns(player, ENTRY_MOVES, random_player_draw(player, 40), true);
}

void random_player_check(const struct random_player *player, const struct history *history)
{
	ck_assert_uint_eq(history->revision, player->revision);
	ck_assert(cube_equal(history->cube, player->states[player->revision]));
	if (player->revision > 0)
		ck_assert_int_eq(history->updated_ms, player->time_ms);
	ck_assert_uint_eq(history_undoable(history), player->done_count);
	ck_assert_uint_eq(history_redoable(history), player->undone_count);
	for (uint32_t k = 0; k < player->done_count && k < 50; k++) {
		ck_assert_uint_eq(history_done_at(history, k),
				  player->done[player->done_count - 1 - k]);
		ck_assert_uint_eq(
			history_undo_target(history, k + 1),
			k + 1 == player->done_count ? 0 : player->done[player->done_count - 2 - k]);
	}
	for (uint32_t k = 0; k < player->undone_count && k < 50; k++) {
		uint32_t revision = player->undone[player->undone_count - 1 - k];
		ck_assert_uint_eq(history_undone_at(history, k), revision);
		ck_assert_uint_eq(history_redo_target(history, k + 1), revision);
	}
}

static bool same_turn(const struct cube_turn *a, const struct cube_turn *b)
{
	return a->face == b->face && a->from == b->from && a->to == b->to &&
	       a->quarters == b->quarters && a->style == b->style;
}

void random_player_check_entry(const struct random_player *player, const struct entry *entry)
{
	ck_assert_uint_ge(entry->revision, 1);
	ck_assert_uint_le(entry->revision, player->revision);
	const struct entry *played = &player->played[entry->revision].entry;
	ck_assert_int_eq(entry->time_ms, played->time_ms);
	ck_assert_uint_eq(entry->restores, played->restores);
	ck_assert_int_eq(entry->kind, played->kind);
	ck_assert_uint_eq(entry->actor, played->actor);
	ck_assert_int_eq(entry->has_turns, played->has_turns);
	if (!played->has_turns) {
		ck_assert(cube_equal(entry->cube, played->cube));
		return;
	}
	ck_assert_ptr_null(entry->cube);
	ck_assert_int_eq(entry->times != NULL, played->times != NULL && entry->turn_count > 0);
	size_t at = 0;
	for (size_t i = 0; i < played->turn_count; i++) {
		/* An export leaves out turns that do nothing. */
		bool there =
			at < entry->turn_count && same_turn(&entry->turns[at], &played->turns[i]);
		ck_assert(there || played->turns[i].quarters == 0);
		if (there && played->times)
			ck_assert_uint_eq(entry->times[at], played->times[i]);
		at += there;
	}
	ck_assert_uint_eq(at, entry->turn_count);
}
