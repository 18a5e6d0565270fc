/* stages.c: POST .../find with a list of patterns: a solve split into its stages (stage_tracker.h).
 * A scramble starts again: the newest solve is reported. */
#include <string.h>

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/history_search.h"
#include "server/format/cube_out.h"

struct stages {
	uint32_t revision; /* the beginning of the solve */
	int64_t time_ms;
	struct buffer turns; /* struct cube_turn after struct cube_turn, since then */
	struct chains chains;
};

static size_t turn_count(const struct stages *stages)
{
	return stages->turns.length / sizeof(struct cube_turn);
}

static uint32_t stage_fits(void *context, size_t i)
{
	struct find *find = context;
	return find_fits(find, &find->patterns[i]);
}

static void stages_look(struct find *find)
{
	struct stages *stages = find->data;
	chains_look(&stages->chains, find->cube->size, find->colors, find->at, turn_count(stages));
}

static void start(struct find *find, uint32_t revision, int64_t time_ms)
{
	struct stages *stages = find->data;
	stages->revision = revision;
	stages->time_ms = time_ms;
	stages->turns.length = 0;
	chains_begin(&stages->chains);
}

static bool stages_begin(struct find *find, int64_t time_ms)
{
	struct stages *stages = ctx_alloc(find->ctx, sizeof *stages);
	if (!stages)
		return false;
	memset(stages, 0, sizeof *stages);
	stages->chains.count = find->count;
	stages->chains.fits = stage_fits;
	stages->chains.context = find;
	for (size_t i = 0; i < find->count; i++)
		stages->chains.layer[i] = find->patterns[i].layer;
	find->data = stages;
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
	if (turn && turn_count(stages) < find->ctx->service->config.limits.moves)
		buffer_add(&stages->turns, turn, sizeof *turn);
	else
		chains_miss(&stages->chains);
	find->failed |= stages->turns.failed;
	stages_look(find);
}

/* A stage's name, if its pattern has one. */
static void write_name(struct out *out, const struct pattern_request *pattern)
{
	struct json_value *name = json_is_kind(pattern->value, JSON_KIND_OBJECT)
					  ? json_member_of(pattern->value, "name")
					  : NULL;
	struct text text = name ? json_value_text(name) : (struct text){0};
	out_key(out, "name");
	if (name)
		out_bytes(out, text.bytes, text.length);
	else
		out_null(out);
}

static void write_turns(struct find *find, const struct stage *stage, size_t from)
{
	const struct stages *stages = find->data;
	const struct cube_turn *turns = (const struct cube_turn *)(const void *)stages->turns.bytes;
	size_t count = stage->turns - from;
	int size = find->cube->size;
	struct cube_metrics metrics = {0};
	if (from > 0)
		turns += from;
	out_key(find->out, "moves");
	if (!stage->whole) {
		out_null(find->out);
		out_member_null(find->out, "metrics");
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
	out_member_bytes(find->out, "face", &cube_face_letters[cube_fit_face(stage->fit)], 1);
	out_member_integer(find->out, "rotation", 90 * cube_fit_rotation(stage->fit));
	write_turns(find, stage, from);
	out_member_time(find->out, "time", stage->at.time_ms);
	out_member_integer(find->out, "duration_ms",
			   stage->at.time_ms > since ? stage->at.time_ms - since : 0);
	out_close(find->out, '}');
}

static void stages_end(struct find *find)
{
	const struct stages *stages = find->data;
	const struct chain *chain = chains_best(&stages->chains);
	out_member_open(find->out, "start", '{');
	out_member_integer(find->out, "revision", stages->revision);
	out_member_time(find->out, "time", stages->time_ms);
	out_close(find->out, '}');
	out_member_open(find->out, "stages", '[');
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
