/* algorithm/print.h: text that is counted in full and written as far as it fits, for the files that print
 * moves. */
#ifndef CORE_ALGORITHM_PRINT_H
#define CORE_ALGORITHM_PRINT_H

#include "cube/algorithm.h"

struct print_writer {
	char *text;
	size_t capacity, length;
};

void print_bytes(struct print_writer *writer, const char *bytes, size_t length);
/* Writes the NUL after what fits (if there is any room), and returns the length of the whole text. */
size_t print_end(struct print_writer *writer);

/* Writes one turn with a NUL and returns its length. */
typedef size_t print_word(int size, struct cube_turn turn, char text[CUBE_TURN_TEXT_MAX]);

/* cube_alg_print() with these words for the turns. */
size_t print_alg(const struct cube_alg *alg, print_word *word, char *text, size_t capacity);

#endif
