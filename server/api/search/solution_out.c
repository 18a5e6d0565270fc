/* solution_out.c: writing one solution. */
#include "server/api/search/solution_out.h"

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/goal.h"
#include "server/format/cube_out.h"

/* Most turns of a pair: of a goal with NISS, or of a stage. */
#define SIDES_MAX                                                                                  \
	(CUBE_GOAL_LENGTH_MAX > CUBE_SOLUTION_MAX ? CUBE_GOAL_LENGTH_MAX : CUBE_SOLUTION_MAX)

/* As the dialect nissy has it: the moves on the inverse in parentheses. */
static void write_pair(struct out *out, int size, const struct solve_turns *found)
{
	const size_t normal = found->count - found->inverse;
	char text[SIDES_MAX * CUBE_TURN_TEXT_MAX + sizeof " ()"];
	size_t length = cube_turns_print(size, found->turns, normal, text, sizeof text);
	if (found->inverse > 0) {
		if (normal > 0)
			text[length++] = ' ';
		text[length++] = '(';
		length += cube_turns_print(size, found->turns + normal, found->inverse,
					   text + length, sizeof text - length);
		text[length++] = ')';
	}
	out_bytes(out, text, length);
}

static void write_sides(struct out *out, int size, const struct solve_turns *found)
{
	const size_t normal = found ? found->count - found->inverse : 0;
	out_key(out, "normal");
	if (found)
		turns_write(out, size, found->turns, normal);
	else
		out_null(out);
	out_key(out, "inverse");
	if (found)
		turns_write(out, size, found->inverse > 0 ? found->turns + normal : NULL,
			    found->inverse);
	else
		out_null(out);
}

void solution_write(struct out *out, int size, const struct solve_turns *found, bool niss)
{
	out_key(out, "solution");
	if (!found)
		out_null(out);
	else if (niss)
		write_pair(out, size, found);
	else
		turns_write(out, size, found->turns, found->count);
	out_key(out, "length");
	if (found)
		out_integer(out, found->length);
	else
		out_null(out);
	if (niss)
		write_sides(out, size, found);
}

/* ---- stages with turns on the inverse ---- */

static void write_stage(struct out *out, const struct solve_question *question,
			const struct cube_solve_step *step, struct cube_turn *turns)
{
	const struct solve_turns pair = {
		.turns = turns, .count = step->count, .inverse = step->inverse};
	const int size = question->cube->size;
	struct cube_metrics metrics;
	cube_turns_metrics(size, turns, step->count, &metrics);
	out_open(out, '{');
	out_member_string(out, "name", question->solver->stages[step->stage]);
	out_member_string(out, "axis", step->axis[0] ? step->axis : NULL);
	out_key(out, "moves");
	write_pair(out, size, &pair);
	write_sides(out, size, &pair);
	out_key(out, "metrics");
	metrics_write(out, &metrics);
	out_member_integer(out, "total", step->total);
	out_member_open(out, "steps", '[');
	out_close(out, ']');
	out_close(out, '}');
}

void niss_stages_write(struct out *out, const struct solve_question *question,
		       const struct solve_answer *answer)
{
	struct cube_turn *turns = answer->found[0].turns + answer->step_turns;
	out_open(out, '[');
	for (size_t i = 0; i < answer->step_count; i++) {
		write_stage(out, question, &answer->steps[i], turns);
		turns += answer->steps[i].count;
	}
	out_close(out, ']');
}
