/* core/solve/beginner/cases.h: the algorithms of lessons as rows, and the keys of the words. Internal. */
#ifndef CORE_SOLVE_BEGINNER_CASES_H
#define CORE_SOLVE_BEGINNER_CASES_H

#include <stddef.h>
#include <stdint.h>

/* The rows of words_en.def. */
enum beginner_word {
	WORD_NONE,
#define WORD(key, text) WORD_##key,
#include "core/solve/beginner/words_en.def"
#undef WORD
	WORDS
};

struct beginner_case {
	uint8_t stage;
	const char *moves;
	uint16_t main, name, learn; /* enum beginner_word */
};

#define BEGINNER_CASES 28
#define BEGINNER_MOVES 8 /* of the longest row */

extern const struct beginner_case beginner_cases[BEGINNER_CASES];

/* Reads the moves of a row: 3 * face + quarters - 1 each. Returns how many. */
int beginner_case_moves(const struct beginner_case *row, uint8_t moves[BEGINNER_MOVES]);

#endif
