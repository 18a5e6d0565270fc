/* solution_out.h: writing one solution. */
#ifndef SERVER_API_SEARCH_SOLUTION_OUT_H
#define SERVER_API_SEARCH_SOLUTION_OUT_H

#include "server/json/writer.h"
#include "server/search/answer.h"

/* The members `solution` and `length`; with NISS (cube/goal.h) `solution` is written in the dialect nissy, and
 * `normal` and `inverse` follow. All are null if `found` is NULL. */
void solution_write(struct out *out, int size, const struct solve_turns *found, bool niss);

/* The stages of a solution with NISS (cube/solve.h), an array: of each the moves on both sides in
 * the dialect nissy. */
void niss_stages_write(struct out *out, const struct solve_question *question,
		       const struct solve_answer *answer);

#endif
