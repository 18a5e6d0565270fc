/* lesson_out.h: what a lesson says, and the addresses of its pictures, in the answer to a request to solve. */
#ifndef SERVER_API_SEARCH_LESSON_OUT_H
#define SERVER_API_SEARCH_LESSON_OUT_H

#include "server/json/writer.h"
#include "server/search/answer.h"

/* Returns true if there is anything to say: the method teaches, and leads to the solved cube. */
bool lesson_is(const struct solve_question *question, const struct solve_answer *answer);

/* Returns the number of the answer's steps that are described. */
size_t lesson_steps(const struct solve_question *question, const struct solve_answer *answer);

/* Members of the answer, of a stage, and of a step; `cube` is the cube before the step. */
void lesson_write(struct out *out, const struct solve_question *question,
		  const struct solve_answer *answer);
void lesson_write_stage(struct out *out, const struct solve_question *question,
			const struct cube_solve_step *first);
void lesson_write_step(struct out *out, const struct solve_question *question,
		       const struct cube_solve_step *step, const struct cube_turn *turns,
		       struct cube *cube);
/* The sentence of a step. */
void lesson_write_text(struct out *out, const struct solve_question *question,
		       const struct cube_solve_step *step);

#endif
