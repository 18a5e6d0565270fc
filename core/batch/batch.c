/* core/batch/batch.c: the eighteen actions; steps and matching of many states. */
#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"
#include "core/pattern/pattern_internal.h"

#include <string.h>

/* Clang-format would put a number on each line. */
/* clang-format off */
const struct cube_state3 cube_actions[CUBE_ACTIONS] = {
	{{3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{2, 3, 0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2, 3, 0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0, 12, 13, 14, 15, 36, 1, 2, 16, 23, 5, 6, 35, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{4, 1, 2, 3, 0, 5, 6, 7, 11, 9, 10, 8, 12, 13, 14, 15, 7, 1, 2, 4, 3, 5, 6, 0, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{11, 1, 2, 3, 8, 5, 6, 7, 0, 9, 10, 4, 12, 13, 14, 15, 35, 1, 2, 23, 16, 5, 6, 36, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 25, 2, 3, 4, 24, 6, 7, 17, 21, 10, 11, 12, 13, 14, 15, 17, 37, 2, 3, 32, 20, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 5, 2, 3, 4, 1, 6, 7, 9, 8, 10, 11, 12, 13, 14, 15, 5, 4, 2, 3, 1, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 24, 2, 3, 4, 25, 6, 7, 21, 17, 10, 11, 12, 13, 14, 15, 20, 32, 2, 3, 37, 17, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 2, 3, 7, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 7, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11, 12, 13, 14, 15, 0, 18, 38, 3, 4, 33, 21, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 6, 3, 4, 5, 2, 7, 8, 10, 9, 11, 12, 13, 14, 15, 0, 6, 5, 3, 4, 2, 1, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 9, 3, 4, 5, 10, 7, 8, 6, 2, 11, 12, 13, 14, 15, 0, 21, 33, 3, 4, 38, 18, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 2, 27, 4, 5, 6, 26, 8, 9, 19, 23, 12, 13, 14, 15, 0, 1, 19, 39, 4, 5, 34, 22, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 2, 7, 4, 5, 6, 3, 8, 9, 11, 10, 12, 13, 14, 15, 0, 1, 7, 6, 4, 5, 3, 2, 8, 9, 10, 11, 12, 13, 14, 15}},
	{{0, 1, 2, 26, 4, 5, 6, 27, 8, 9, 23, 19, 12, 13, 14, 15, 0, 1, 22, 34, 4, 5, 39, 19, 8, 9, 10, 11, 12, 13, 14, 15}},
};
/* clang-format on */

void cube_batch_step(struct cube_state3 *states, size_t count, const struct cube_state3 *table,
		     const uint8_t *actions, uint8_t *solved)
{
	state3_code(0)->step(states, count, table, actions, solved);
}

void cube_batch_solved(const struct cube_state3 *states, size_t count, uint8_t *solved)
{
	for (size_t i = 0; i < count; i++)
		solved[i] = cube_state3_equal(&states[i], &cube_state3_solved);
}

/* The last state first, so that none is overwritten before it has moved. The edges of a 2x2x2 stay home. */
void cube_batch_children(int size, struct cube_state3 *states, size_t count)
{
	const size_t actions = size == 2 ? CUBE_ACTIONS_2 : CUBE_ACTIONS;
	for (size_t i = count; i-- > 0;) {
		struct cube_state3 *state = &states[i * (1 + actions)], *child = state + 1;
		*state = states[i];
		for (size_t action = 0; action < actions; action++, child++) {
			cube_state3_compose(child, state, &cube_actions[action]);
			if (size == 2)
				memcpy(child->piece, state->piece, CUBE_STATE3_CORNERS);
		}
	}
}

void cube_batch_match(const struct cube_pattern *pattern, const uint8_t *colors, size_t count,
		      uint32_t *fits)
{
	size_t facelets = cube_facelets(pattern->size);
	const struct pattern_code *code = pattern->size <= SMALL_MAX ? pattern_code(0) : NULL;
	for (size_t i = 0; i < count; i++, colors += facelets)
		fits[i] = code ? code->match(pattern, colors)
			       : cube_pattern_match(pattern, colors, CUBE_FITS_ALL);
}
