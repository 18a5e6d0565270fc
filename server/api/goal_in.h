/* goal_in.h: the goal of a request to solve: `until` and `generators`. */
#ifndef SERVER_API_GOAL_IN_H
#define SERVER_API_GOAL_IN_H

#include "server/api/cube_in.h"
#include "server/api/own.h"
#include "server/solving/answer.h"

struct goal_request {
	struct cube_request state; /* first: cube_resolve hands it back as work->data */
	struct pattern_request pattern;
	struct moves_request generators;
	struct own_scope own;
	bool has_state, has_pattern;
};

/* Whether there is one. */
bool goal_given(const struct goal_request *goal);
/* Takes the members; NULL is one that is missing. Answers 400. */
bool goal_take(struct work *work, struct input_value *until, struct input_value *generators,
	       struct goal_request *goal);
/* Whether it is solved by a method for solved cubes. */
bool goal_takes_method(const struct goal_request *goal, int size);
/* Makes the question's goal and its cube, of `cube`; the question's method is the goal's where it
 * has none. Answers 400, 422 or 503. Any thread. */
bool goal_make(struct work *work, struct goal_request *goal, const struct cube *cube,
	       struct solve_question *question);

#endif
