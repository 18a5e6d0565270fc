/* core/solve/beginner/large_algorithms.c: the algorithms that a learner of larger cubes has to know. */
#include <string.h>

#include "core/solve/beginner/large.h"

/* The algorithms that a 3x3x3 does not need. */
static const struct large_row large_algorithms[] = {
	{"centers", "Rw U Rw'", WORD_NAME_COLUMN, WORD_LEARN_COLUMN, true, true},
	{"centers", "Rw U Lw' U' Rw' U Lw U'", WORD_NAME_BLOCK, WORD_LEARN_BLOCK, true, true},
	{"edges-paired", "2U L' U L 2U'", WORD_NAME_PAIR, WORD_LEARN_PAIR, true, true},
	{"edges-paired", "2U L' U' L F' L F L' 2U'", WORD_NAME_PAIR_LAST, WORD_LEARN_PAIR_LAST,
	 true, true},
	{"edges-paired", NULL, WORD_NAME_ODD, WORD_LEARN_ODD, true, true},
	{"last-cross", NULL, WORD_NAME_FLIP, WORD_LEARN_FLIP, false, true},
	{"last-edges", NULL, WORD_NAME_SWAP, WORD_LEARN_SWAP, false, true},
};
#define LARGE_ROWS (sizeof(large_algorithms) / sizeof(large_algorithms[0]))

static bool is_taught(const struct large_row *row, const char *stage, int size)
{
	return size >= LARGE_MIN && strcmp(row->stage, stage) == 0 &&
	       (size % 2 != 0 ? row->odd : row->even) &&
	       (row->name != WORD_NAME_ODD || size > LARGE_MIN);
}

static void write_moves(const struct large_row *row, int size, char moves[CUBE_LESSON_MOVES])
{
	struct cube_turn turns[LARGE_ALGORITHM];
	int count;
	if (row->moves) {
		memcpy(moves, row->moves, strlen(row->moves) + 1);
		return;
	}
	if (row->name == WORD_NAME_SWAP)
		count = large_exchange(size, turns);
	else if (row->name == WORD_NAME_FLIP)
		count = large_flip(size, 2, size / 2, turns);
	else
		count = large_flip(size, size % 2 != 0 ? 2 : 3, size % 2 != 0 ? 2 : 3, turns);
	cube_turns_print(size, turns, (size_t)count, moves, CUBE_LESSON_MOVES);
}

const struct large_row *large_algorithm_at(const char *stage, int size, size_t index,
					   char moves[CUBE_LESSON_MOVES])
{
	for (size_t i = 0; i < LARGE_ROWS; i++) {
		const struct large_row *row = &large_algorithms[i];
		if (!is_taught(row, stage, size) || index-- > 0)
			continue;
		write_moves(row, size, moves);
		return row;
	}
	return NULL;
}
