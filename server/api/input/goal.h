/* goal.h: the goal of a request to solve: `until` or `goal` and `place`, and `generators`. */
#ifndef SERVER_API_INPUT_GOAL_H
#define SERVER_API_INPUT_GOAL_H

#include "cube/goals.h"
#include "server/api/input/cube.h"
#include "server/api/input/custom_patterns.h"
#include "server/search/answer.h"
#include "server/util/error.h"

struct goal_request {
	struct input_cube state; /* first: input_cube_resolve passes it back as ctx->data */
	struct pattern_request pattern;
	struct moves_request generators;
	const struct cube_goal_row *row; /* NULL: none was named */
	uint32_t fits;                   /* its possible places; 0: at any place */
	struct custom_pattern_scope own;
	bool has_state, has_pattern;
	bool has_metric; /* of the question; else the usual one for the generators */
	bool niss;       /* turns may be on the inverse, too */
	bool forced;     /* the goal's method solves the cube: no other counts in the metric */
};

/* The members of a body; NULL: missing. */
struct goal_members {
	struct json_value *until, *generators;
	struct text goal, place;
	bool niss;
};

/* Returns true if a goal was given. */
MUST_USE bool goal_given(const struct goal_request *goal);
/* Takes the members. Answers 400. */
MUST_USE bool goal_read(struct context *ctx, const struct goal_members *in,
			struct goal_request *goal);
/* Reads the turns of `generators`, on the arena. Answers 400 or 422. Any thread. */
MUST_USE bool generators_read(struct context *ctx, const struct moves_request *generators, int size,
			      struct cube_turn **turns, size_t *count);
/* Returns true if the goal can be reached by a method for solved cubes. */
MUST_USE bool goal_takes_method(const struct goal_request *goal, int size);
/* Makes the goal of the question, and its cube from `cube`; if no ordinary method applies, the
 * question's method is the goal's. Answers 400, 422 or 503. Any thread. */
bool goal_make(struct context *ctx, struct goal_request *goal, const struct cube *cube,
	       struct solve_question *question);

#endif
