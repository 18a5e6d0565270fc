/* stages.c: POST .../find with a list of patterns: a solve split into its stages.
 *
 * A stage is reached where its pattern first holds at or after the place where the one before was;
 * so several may be reached at once. A scramble begins anew: what is told is the newest solve.
 *
 * Patterns that are about a layer (cube/named.h) are about the same one in all stages. Which one
 * that is shows at the end: the stages are kept for each colour of the first layer, and told for
 * the one with which the solve comes furthest, soonest. */
#include <string.h>

#include "server/api/cube_out.h"
#include "server/api/find.h"
#include "server/api/input.h"
#include "server/api/session_out.h"
#include "server/api/state.h"

struct stage {
	struct find_place at;
	int fit;
	uint64_t look; /* the state it was reached in: the how-manieth */
	size_t turns;  /* in all, up to it */
	bool whole;    /* all turns since the stage before are known */
};

/* The stages as they come where the first layer is that of one colour. */
struct chain {
	bool whole; /* the turns since the last stage are all known */
	size_t reached;
	struct stage stage[STAGES_MAX];
};

struct stages {
	uint32_t revision; /* where the solve begins */
	int64_t time_ms;
	struct buffer turns; /* struct cube_turn after struct cube_turn, since then */
	uint64_t looks;
	struct chain chain[CUBE_FACES];
};

static size_t turn_count(const struct stages *stages)
{
	return stages->turns.length / sizeof(struct cube_turn);
}

/* Of these fits those in which A is on the layer's face: a face is told by the colour in its
 * middle, which goes with it however the cube is held. */
static uint32_t fits_of(const struct find *find, uint8_t layer, int color, uint32_t fits)
{
	size_t n = (size_t)find->cube->size, middle = n / 2 * n + n / 2;
	int wanted = layer == CUBE_LAYER_LAST ? (color + 3) % CUBE_FACES : color;
	if (layer == CUBE_LAYER_NONE)
		return fits;
	for (int face = 0; face < CUBE_FACES; face++)
		if (find->colors[(size_t)face * n * n + middle] != wanted)
			fits &= ~(0xfu << cube_fit(face, 0));
	return fits;
}

/* The fits of a stage in this state, found when they are asked for first. */
struct looking {
	uint32_t known, fits[STAGES_MAX];
};

static void chain_look(struct find *find, struct looking *looking, int color)
{
	struct stages *stages = find->data;
	struct chain *chain = &stages->chain[color];
	while (chain->reached < find->count) {
		size_t i = chain->reached;
		if (!(looking->known >> i & 1))
			looking->fits[i] = find_fits(find, &find->patterns[i]);
		looking->known |= 1u << i;
		uint32_t fits = fits_of(find, find->patterns[i].layer, color, looking->fits[i]);
		if (fits == 0)
			return;
		chain->stage[chain->reached++] = (struct stage){.at = find->at,
								.fit = __builtin_ctz(fits),
								.look = stages->looks,
								.turns = turn_count(stages),
								.whole = chain->whole};
		chain->whole = true;
	}
}

static void stages_look(struct find *find)
{
	struct stages *stages = find->data;
	struct looking looking = {.known = 0};
	stages->looks++;
	for (int color = 0; color < CUBE_FACES; color++)
		chain_look(find, &looking, color);
}

/* Whether a tells the solve better than b: it comes further; else its last stage came earlier, or
 * the one before that. */
static bool chain_is_better(const struct chain *a, const struct chain *b)
{
	if (a->reached != b->reached)
		return a->reached > b->reached;
	for (size_t i = a->reached; i-- > 0;)
		if (a->stage[i].look != b->stage[i].look)
			return a->stage[i].look < b->stage[i].look;
	return false;
}

static const struct chain *chain_told(const struct stages *stages)
{
	const struct chain *best = &stages->chain[0];
	for (int color = 1; color < CUBE_FACES; color++)
		if (chain_is_better(&stages->chain[color], best))
			best = &stages->chain[color];
	return best;
}

static void start(struct find *find, uint32_t revision, int64_t time_ms)
{
	struct stages *stages = find->data;
	stages->revision = revision;
	stages->time_ms = time_ms;
	stages->turns.length = 0;
	for (int color = 0; color < CUBE_FACES; color++) {
		stages->chain[color].whole = true;
		stages->chain[color].reached = 0;
	}
}

static bool stages_begin(struct find *find, int64_t time_ms)
{
	find->data = work_take(find->work, sizeof(struct stages));
	if (!find->data)
		return false;
	memset(find->data, 0, sizeof(struct stages));
	start(find, find->at.revision, time_ms);
	stages_look(find);
	return true;
}

static void stages_entry(struct find *find, const struct entry *entry)
{
	if (entry->kind != ENTRY_SCRAMBLE)
		return;
	start(find, entry->revision, entry->time_ms);
	stages_look(find);
}

static void stages_turned(struct find *find, const struct cube_turn *turn)
{
	struct stages *stages = find->data;
	bool told = turn && turn_count(stages) < find->work->service->config.limits.moves;
	if (told)
		buffer_add(&stages->turns, turn, sizeof *turn);
	for (int color = 0; color < CUBE_FACES; color++)
		stages->chain[color].whole &= told;
	find->failed |= stages->turns.failed;
	stages_look(find);
}

/* What a stage is called: its name, where it has one. */
static void write_name(struct out *out, const struct pattern_request *pattern)
{
	struct json_t *name =
		input_is_object(pattern->value) ? input_member_at(pattern->value, "name") : NULL;
	struct text text = name ? input_text(name) : (struct text){0};
	out_key(out, "name");
	if (name)
		out_bytes(out, text.bytes, text.length);
	else
		out_null(out);
}

static void write_turns(struct find *find, const struct stage *stage, size_t from)
{
	const struct stages *stages = find->data;
	const struct cube_turn *turns =
		(const struct cube_turn *)(const void *)stages->turns.bytes + from;
	size_t count = stage->turns - from;
	int size = find->cube->size;
	struct cube_metrics metrics = {0};
	out_key(find->out, "moves");
	if (!stage->whole) {
		out_null(find->out);
		out_key(find->out, "metrics");
		out_null(find->out);
		return;
	}
	if (count > 0)
		cube_turns_metrics(size, turns, count, &metrics);
	turns_write(find->out, size, turns, count);
	out_key(find->out, "metrics");
	metrics_write(find->out, &metrics);
}

static void write_stage(struct find *find, const struct chain *chain, size_t i)
{
	const struct stages *stages = find->data;
	const struct stage *stage = &chain->stage[i];
	size_t from = i > 0 ? chain->stage[i - 1].turns : 0;
	int64_t since = i > 0 ? chain->stage[i - 1].at.time_ms : stages->time_ms;
	out_open(find->out, '{');
	write_name(find->out, &find->patterns[i]);
	find_place_write(find->out, &stage->at);
	out_key(find->out, "face");
	out_bytes(find->out, &cube_face_letters[cube_fit_face(stage->fit)], 1);
	out_key(find->out, "rotation");
	out_integer(find->out, 90 * cube_fit_rotation(stage->fit));
	write_turns(find, stage, from);
	out_key(find->out, "time");
	out_time(find->out, stage->at.time_ms);
	out_key(find->out, "duration_ms");
	out_integer(find->out, stage->at.time_ms > since ? stage->at.time_ms - since : 0);
	out_close(find->out, '}');
}

static void stages_end(struct find *find)
{
	const struct stages *stages = find->data;
	const struct chain *chain = chain_told(stages);
	out_key(find->out, "start");
	out_open(find->out, '{');
	out_key(find->out, "revision");
	out_integer(find->out, stages->revision);
	out_key(find->out, "time");
	out_time(find->out, stages->time_ms);
	out_close(find->out, '}');
	out_key(find->out, "stages");
	out_open(find->out, '[');
	for (size_t i = 0; i < find->count; i++) {
		if (i < chain->reached)
			write_stage(find, chain, i);
		else
			out_null(find->out);
	}
	out_close(find->out, ']');
}

static void stages_finish(struct find *find)
{
	struct stages *stages = find->data;
	if (stages)
		buffer_free(&stages->turns);
}

const struct find_looker stages_looker = {stages_begin, stages_turned, stages_entry, stages_end,
					  stages_finish};
