/* several.h: further solutions of a cube, in addition to the one that a search found. */
#ifndef SERVER_SOLVING_SEVERAL_H
#define SERVER_SOLVING_SEVERAL_H

#include "server/solving/search.h"

/* Adds solutions to the one in `answer` until there are as many as the question wants. An optimal
 * method gives the shortest ones: all of one length before any of the next. Other methods do so near
 * the solved state, and else give the best they find for each first turn. `task`, that of the first
 * search, is changed; `scratch` is a cube of the size. */
MUST_USE enum solve_end several_find(struct search_task *task, const struct solve_control *control,
				     const struct solve_question *question, struct cube *scratch,
				     struct solve_answer *answer);

/* Takes over `found` (malloc'd turns): inserts it by length and drops the longest if there are more
 * than `most`; frees it if it is a duplicate. */
void several_insert(struct solve_answer *answer, struct solve_turns found, unsigned most);

#endif
