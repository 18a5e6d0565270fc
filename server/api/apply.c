/* apply.c: GET and POST /v1/apply: a cube, turned; nothing is stored. */
#include "server/api/cube_in.h"
#include "server/api/cube_out.h"
#include "server/api/input.h"
#include "server/api/moves_in.h"
#include "server/api/routes.h"
#include "server/session/hub.h"

struct apply {
	struct cube_request cube; /* first: cube_resolve hands it back as work->data */
	struct moves_request moves;
	struct cube_view view;
	bool turns;
};

static void write_turn(struct out *out, int size, struct cube_turn turn)
{
	static const int8_t axes[CUBE_FACES][3] = {{0, 1, 0},  {1, 0, 0},  {0, 0, 1},
						   {0, -1, 0}, {-1, 0, 0}, {0, 0, -1}};
	char text[CUBE_TURN_TEXT_MAX];
	out_open(out, '{');
	out_key(out, "move");
	out_bytes(out, text, cube_turn_print(size, turn, text));
	out_key(out, "axis");
	out_open(out, '[');
	for (int i = 0; i < 3; i++)
		out_integer(out, axes[turn.face][i]);
	out_close(out, ']');
	out_key(out, "layers");
	out_open(out, '[');
	out_integer(out, turn.from);
	out_integer(out, turn.to);
	out_close(out, ']');
	out_key(out, "turns");
	out_integer(out, turn.quarters);
	out_close(out, '}');
}

static bool write_turns(struct work *work, struct out *out, const struct apply *apply,
			const struct cube_alg *alg)
{
	struct cube_turn *turns;
	size_t count;
	if (!moves_expand(work, &apply->moves, alg, &turns, &count))
		return false;
	out_key(out, "turns");
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		write_turn(out, alg->size, turns[i]);
	out_close(out, ']');
	return true;
}

/* Reads the moves, turns the cube, writes the answer. Any thread. */
static void apply_compute(struct work *work)
{
	struct apply *apply = work->data;
	struct cube_alg alg;
	struct cube_metrics metrics;
	if (!cube_view_fits(work, &apply->view, apply->cube.size) ||
	    !cube_request_turn(work, &apply->cube) ||
	    !moves_read(work, &apply->moves, apply->cube.size, &alg) ||
	    !cube_turn_by(work, apply->cube.cube, &alg))
		return;
	if (cube_reply_text(work, apply->cube.cube, &apply->view, 200))
		return;
	char *canonical = moves_print(work, &alg);
	if (!canonical)
		return;
	struct out out = {.buffer = &work->request->reply.body};
	out_open(&out, '{');
	out_key(&out, "cube");
	cube_write(&out, apply->cube.cube, &apply->view, apply->cube.known);
	out_key(&out, "moves");
	out_string(&out, canonical);
	cube_alg_metrics(&alg, &metrics);
	out_key(&out, "metrics");
	metrics_write(&out, &metrics);
	if (apply->turns && !write_turns(work, &out, apply, &alg))
		return;
	out_close(&out, '}');
	work_reply_json(work, 200);
}

static void apply_resolved(struct work *work)
{
	struct apply *apply = work->data;
	uint64_t cost = moves_cost(&apply->moves, apply->cube.size) +
			moves_cost(&apply->cube.moves, apply->cube.size);
	work_compute(work, cost, apply_compute, NULL);
}

static bool apply_read_body(struct work *work, struct apply *apply)
{
	int64_t size = -1;
	struct json_t *cube = NULL, *moves = NULL;
	struct text notation = {0};
	const struct input_member members[] = {
		{"cube", INPUT_OBJECT, &cube, 0, 0},
		{"size", INPUT_INTEGER, &size, CUBE_SIZE_MIN, cube_size_max(work)},
		{"moves", INPUT_ANY, &moves, 0, 0},
		{"notation", INPUT_TEXT, &notation, 0, 0},
	};
	if (!input_object(work, work->body, "", members, sizeof members / sizeof members[0]))
		return false;
	if (cube && size >= 0)
		return input_problem(work, "/size", "A cube has one description.",
				     "either cube or size", NULL);
	if (cube ? !cube_request_read(work, cube, "/cube", &apply->cube)
		 : !cube_request_solved(work, size >= 0 ? size : cube_size_default(work), "/size",
					&apply->cube))
		return false;
	return moves_take_dialect(work, notation, "/notation", &apply->moves) &&
	       (!moves || moves_take(work, moves, "/moves", &apply->moves));
}

static bool apply_read(struct work *work, struct apply *apply)
{
	if (!cube_view_read(work, &apply->view) ||
	    !query_bool(work, PARAMETER_TURNS, &apply->turns))
		return false;
	if (work->route->body)
		return apply_read_body(work, apply);
	apply->moves.text = work->query.value[PARAMETER_MOVES];
	return cube_request_query(work, &apply->cube) &&
	       moves_take_dialect(work, work->query.value[PARAMETER_NOTATION], NULL, &apply->moves);
}

void apply_handle(struct work *work)
{
	struct apply *apply = work_take(work, sizeof *apply);
	if (apply)
		*apply = (struct apply){.cube = {.at = -1}};
	if (!apply || !apply_read(work, apply))
		work_answer(work);
	else
		cube_resolve(work, &apply->cube, apply_resolved);
}
