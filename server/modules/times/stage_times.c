/* stage_times.c: a recorded solve, split into its stages by patterns (stage_tracker.h), with any hold
 * and colours. */
#include <stdlib.h>
#include <string.h>

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/named.h"
#include "cube/pack.h"
#include "server/api/sessions/stage_tracker.h"
#include "server/format/cube_out.h"
#include "server/modules/times/times_internal.h"

/* For one kind of cube, with a NULL. */
#define NAMES_MAX 8

/* By size; the last row is for all larger ones. */
static const char *const stages_of[][NAMES_MAX] = {
	{"first-layer", "solved"},
	{"cross", "f2l", "oll", "solved"},
	{"centers", "edges-paired", "cross", "f2l", "oll", "solved"},
};

struct stage_replay {
	const struct stored_solve *solve;
	const struct solve_moves *moves;
	const char *const *names;
	struct cube_query_node *queries[NAMES_MAX];
	void *memory[NAMES_MAX];
	struct chains chains;
	struct cube *cube;
	uint8_t *colors;
};

static uint32_t fits(void *context, size_t stage)
{
	const struct stage_replay *replay = context;
	return cube_query_match(replay->queries[stage], replay->colors, CUBE_FITS_ALL);
}

static bool track_entry(struct stage_replay *replay, size_t turns)
{
	cube_colors(replay->cube, replay->colors);
	return chains_look(&replay->chains, replay->cube->size, replay->colors,
			   (struct find_place){0}, turns);
}

/* The cube at the beginning. False if it is unknown; *memory is false if out of memory. */
static bool set_up(struct stage_replay *replay, bool *memory)
{
	const struct stored_solve *solve = replay->solve;
	const struct stored_solve scramble = {.solution = solve->scramble, .size = solve->size};
	struct solve_moves moves;
	if (solve->base)
		return cube_unpack(replay->cube, solve->size, solve->base, solve->base_bytes);
	if (!solve->scramble)
		return false;
	*memory = solve_moves_read(&scramble, SIZE_MAX / 64, &moves);
	const bool read = moves.turns != NULL;
	if (read) {
		cube_init(replay->cube, solve->size);
		cube_turn_all(replay->cube, moves.turns, moves.count);
	}
	solve_moves_free(&moves);
	return read;
}

static bool make_queries(struct stage_replay *replay)
{
	struct chains *chains = &replay->chains;
	for (; replay->names[chains->count]; chains->count++) {
		const char *name = replay->names[chains->count];
		const struct cube_named *named = cube_named_find(name, strlen(name));
		void *memory = malloc(cube_named_bytes(named, replay->solve->size));
		if (!memory)
			return false;
		replay->memory[chains->count] = memory;
		replay->queries[chains->count] =
			cube_named_make(named, replay->solve->size, memory);
		chains->layer[chains->count] = named->layer;
	}
	return true;
}

/* ---- writing ---- */

/* For the turns from..to: the time from the last turn before them to their last. */
static void write_times(struct out *out, const struct stage_replay *replay, size_t from, size_t to,
			uint64_t turned)
{
	const uint32_t *times = replay->moves->times;
	const uint32_t begin = !times ? 0 : times[from > 0 ? from - 1 : 0];
	const uint32_t end = !times || to == 0 ? begin : times[to - 1];
	number_member(out, "duration_ms", end - begin, times);
	out_key(out, "tps");
	if (times && end > begin && turned < CUBE_COUNT_MAX / 100000)
		out_decimal(out, (int64_t)turned * 100000 / (end - begin));
	else
		out_null(out);
}

static void write_stage(struct out *out, const struct stage_replay *replay,
			const struct stage *stage, size_t i)
{
	const size_t from = i > 0 ? stage[-1].turns : 0, to = stage->turns;
	const struct cube_turn *turns = replay->moves->turns + from;
	struct cube_metrics metrics = {0};
	if (to > from)
		cube_turns_metrics(replay->solve->size, turns, to - from, &metrics);
	out_open(out, '{');
	text_member(out, "name", replay->names[i]);
	number_member(out, "move", (int64_t)to, true);
	out_member_bytes(out, "face", &cube_face_letters[cube_fit_face(stage->fit)], 1);
	number_member(out, "rotation", 90 * cube_fit_rotation(stage->fit), true);
	out_key(out, "moves");
	turns_write(out, replay->solve->size, turns, to - from);
	out_key(out, "metrics");
	metrics_write(out, &metrics);
	write_times(out, replay, from, to, metrics.htm);
	out_close(out, '}');
}

static void write_stages(struct out *out, struct stage_replay *replay)
{
	const struct solve_moves *moves = replay->moves;
	chains_begin(&replay->chains);
	bool more = track_entry(replay, 0);
	for (size_t i = 0; i < moves->count && more; i++) {
		cube_turn(replay->cube, moves->turns[i]);
		more = track_entry(replay, i + 1);
	}
	const struct chain *chain = chains_best(&replay->chains);
	out_open(out, '[');
	for (size_t i = 0; i < chain->reached; i++)
		write_stage(out, replay, &chain->stage[i], i);
	out_close(out, ']');
}

bool solve_stages_write(struct out *out, const struct stored_solve *solve,
			const struct solve_moves *moves)
{
	const int size = solve->size;
	struct stage_replay replay = {.solve = solve, .moves = moves, .chains = {.fits = fits}};
	bool memory = true, known = moves->turns != NULL && size >= CUBE_SIZE_MIN;
	replay.chains.context = &replay;
	out_key(out, "stages");
	if (known) {
		replay.names = stages_of[size <= 3 ? size - 2 : 2];
		replay.cube = malloc(cube_bytes(size));
		replay.colors = malloc(cube_facelets(size));
		memory = replay.cube && replay.colors && make_queries(&replay);
		known = memory && set_up(&replay, &memory);
	}
	if (known)
		write_stages(out, &replay);
	else
		out_null(out);
	for (size_t i = 0; i < NAMES_MAX; i++)
		free(replay.memory[i]);
	free(replay.cube);
	free(replay.colors);
	return memory;
}

uint64_t solve_stages_cost(int size, size_t moves)
{
	const uint64_t facelets = cube_facelets(size);
	return 20000 + (moves + 6) * (500 + 3 * facelets);
}
