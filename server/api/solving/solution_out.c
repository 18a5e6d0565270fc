/* solution_out.c: writing one solution. */
#include "server/api/solving/solution_out.h"

#include "cube/algorithm.h"
#include "cube/goal.h"
#include "server/format/cube_out.h"

/* As the dialect nissy has it: the moves on the inverse in parentheses. */
static void write_pair(struct out *out, int size, const struct solve_turns *found)
{
	const size_t normal = found->count - found->inverse;
	char text[CUBE_GOAL_LENGTH_MAX * CUBE_TURN_TEXT_MAX + sizeof " ()"];
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

void solution_write(struct out *out, int size, const struct solve_turns *found, bool niss)
{
	const size_t normal = found ? found->count - found->inverse : 0;
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
	if (!niss)
		return;
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
