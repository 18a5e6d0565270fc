/* match.c: POST /v1/match: whether and how a cube fits a pattern. */
#include "server/api/cube_in.h"
#include "server/api/input.h"
#include "server/api/own.h"
#include "server/api/routes.h"
#include "server/api/state.h"

struct match {
	struct cube_request cube; /* first: cube_resolve hands it back as work->data */
	struct pattern_request pattern;
	struct own_scope own;
	bool any;
};

static void write_fits(struct out *out, const struct match *match, const uint8_t *colors,
		       uint32_t fits)
{
	out_key(out, "matches");
	out_open(out, '[');
	for (; fits; fits &= fits - 1) {
		out_open(out, '{');
		pattern_fit_write(out, &match->pattern, colors, __builtin_ctz(fits));
		out_close(out, '}');
		if (match->any)
			break;
	}
	out_close(out, ']');
}

static void match_compute(struct work *work)
{
	struct match *match = work->data;
	uint8_t *colors = work_take(work, cube_facelets(match->cube.size));
	struct out out = {.buffer = &work->request->reply.body};
	if (!colors || !cube_request_turn(work, &match->cube) ||
	    !pattern_make(work, &match->pattern, match->cube.size))
		return;
	cube_colors(match->cube.cube, colors);
	uint32_t fits = cube_query_match(match->pattern.query, colors, CUBE_FITS_ALL);
	out_open(&out, '{');
	write_fits(&out, match, colors, fits);
	out_close(&out, '}');
	work_reply_json(work, 200);
}

static void match_go(struct work *work)
{
	const struct match *match = work->data;
	int size = match->cube.size;
	work_compute(work,
		     moves_cost(&match->cube.moves, size) +
			     pattern_cost(&match->pattern, work, size) +
			     pattern_match_cost(&match->pattern, size),
		     match_compute, NULL);
}

static void own_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct match *match = work->data;
	own_find(work, reader, &match->own, &match->pattern);
}

static void own_done(struct job *job)
{
	struct work *work = work_of_job(job);
	if (work->request->reply.status != 0)
		work_answer(work);
	else
		match_go(work);
}

static void match_resolved(struct work *work)
{
	struct match *match = work->data;
	match->own = own_scope(work);
	if (!own_is_named(work, &match->own, &match->pattern)) {
		match_go(work);
		return;
	}
	work->job.run = own_run;
	work->job.done = own_done;
	pool_submit(work->service->readers, &work->job);
}

static bool match_read(struct work *work, struct match *match)
{
	struct input_value *cube = NULL, *pattern = NULL;
	const struct input_member members[] = {
		{"cube", INPUT_OBJECT, &cube, 0, 0},
		{"pattern", INPUT_ANY, &pattern, 0, 0},
		{"any", INPUT_BOOL, &match->any, 0, 0},
	};
	return input_object(work, work->body, "", members, 3) &&
	       pattern_take(work, pattern, "/pattern", &match->pattern) &&
	       (cube ? cube_request_read(work, cube, "/cube", &match->cube)
		     : cube_request_solved(work, cube_size_default(work), "/cube", &match->cube));
}

void match_handle(struct work *work)
{
	struct match *match = work_take(work, sizeof *match);
	if (match)
		*match = (struct match){.cube = {.at = -1}};
	if (match && match_read(work, match))
		cube_resolve(work, &match->cube, match_resolved);
	else
		work_answer(work);
}
