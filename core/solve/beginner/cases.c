/* core/solve/beginner/cases.c: the algorithms of lessons. */
#include "core/solve/beginner/cases.h"

#include "core/solve/beginner/stages.h"

#include <assert.h>
#include <string.h>

const struct beginner_case beginner_cases[BEGINNER_CASES] = {
#define CASE(stage, moves, main, name, learn)                                                      \
	{stage, moves, WORD_##main, WORD_##name, WORD_##learn},
#include "core/solve/beginner/cases.def"
#undef CASE
};

/* "R U2 F'" */
int beginner_case_moves(const struct beginner_case *row, uint8_t moves[BEGINNER_MOVES])
{
	int count = 0;
	for (const char *text = row->moves; *text != '\0'; text++) {
		const char *face = strchr(cube_face_letters, *text);
		assert(count < BEGINNER_MOVES || !face);
		if (face)
			moves[count++] = (uint8_t)(3 * (face - cube_face_letters));
		else if (*text == '2')
			moves[count - 1] += 1;
		else if (*text == '\'')
			moves[count - 1] += 2;
	}
	return count;
}
