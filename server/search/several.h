/* several.h: further solutions of a cube, in addition to the one that a search found. */
#ifndef SERVER_SEARCH_SEVERAL_H
#define SERVER_SEARCH_SEVERAL_H

#include "server/search/search.h"

/* Adds solutions to the one in `answer` until there are as many as the question wants. A method that
 * lists gives all of one length before any of the next, the shortest first, and counts them
 * (listing.h). Other methods do so near the solved state, and else add the best they find for each
 * first turn. `task`, that of the first search, is changed; `scratch` is a cube of the size. */
MUST_USE enum solve_end several_find(struct table_cache *table_cache, struct search_task *task,
				     const struct solve_control *control,
				     const struct solve_question *question, struct cube *scratch,
				     struct solve_answer *answer);

/* listing_insert(), for the only solution too. */
MUST_USE bool several_insert(const struct solve_question *question, struct solve_turns found,
			     struct solve_answer *answer);

#endif
