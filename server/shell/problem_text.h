/* problem_text.h: a problem or a note in words for a person, with a mark under the fault. */
#ifndef SERVER_SHELL_PROBLEM_TEXT_H
#define SERVER_SHELL_PROBLEM_TEXT_H

#include <stdio.h>

#include "server/json/slice.h"
#include "server/shell/question.h"

/* Prints what is wrong with the question:
 *
 *     cubed: line 3: "Q" at column 5: unknown move; write moves such as R, U', F2, Rw and M.
 *       R U Q
 *           ^
 *
 * Returns whether it is about the value of an option. */
bool problem_text_print(FILE *out, const struct shell_options *options,
			const struct question *question, struct span problem);

/* Prints the notes on moves that an answer has, each with a mark under what it is about. `notes` is the
 * value of the member. */
void notes_text_print(FILE *out, const struct shell_options *options,
		      const struct question *question, struct span notes);

#endif
