/* listing.h: all solutions of a cube, length by length, by a method that can list them. */
#ifndef SERVER_SEARCH_LISTING_H
#define SERVER_SEARCH_LISTING_H

#include "server/search/search.h"

/* Puts `found` (malloc'd turns, which it takes over) in its place: by length, then turn by turn, by
 * face, layers and quarters. Keeps the first ones if there are more than the question wants; frees a
 * duplicate. False if out of memory; then `found` is freed. */
MUST_USE bool listing_insert(const struct solve_question *question, struct solve_turns found,
			     struct solve_answer *answer);

/* Lists all solutions of each length from `shortest` to `longest` until the question has as many as it
 * wants, and counts them. Those of the shortest length that there are, are all counted, even if fewer
 * are wanted; of the last length, which ones are listed is not defined if the list became full. `task`
 * has a method that lists, and its tables. Ends as SOLVE_STOPPED if the time, or its nodes_max in all,
 * are over; the tally of the last length is not exhausted then. */
MUST_USE enum solve_end listing_make(struct search_task *task, const struct solve_control *control,
				     const struct solve_question *question, int shortest,
				     int longest, struct solve_answer *answer);

/* The same for a question with a feed: of the shortest length, and if it has a length_max or a number
 * of solutions, of longer ones up to there; each is checked. SOLVE_WRONG if one is not right. */
MUST_USE enum solve_end listing_feed(struct search_task *task, const struct solve_control *control,
				     const struct solve_question *question, int shortest,
				     const struct solve_scratch *scratch,
				     struct solve_answer *answer);

#endif
