/* several.h: further solutions of a cube, beside the one that a search has found. */
#ifndef SERVER_SOLVING_SEVERAL_H
#define SERVER_SOLVING_SEVERAL_H

#include "server/solving/search.h"

/* Adds solutions to the one in `answer`, until there are as many as the question wants. A method
 * that proves gives the shortest ones: all of a length before any of the next. Another method does
 * so for cubes near the solved one, and gives the best it finds by each first turn for others.
 * `task` is that of the first search and is changed; `scratch` is a cube of the size. */
MUST_USE enum solve_end several_find(struct search_task *task, const struct solve_control *control,
				     const struct solve_question *question, struct cube *scratch,
				     struct solve_answer *answer);

/* Takes over `found` (malloc'd turns): puts it in its place by length, and drops the longest if
 * there are then more than `most`; frees it if it is there already. */
void several_insert(struct solve_answer *answer, struct solve_turns found, unsigned most);

#endif
