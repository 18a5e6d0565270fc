/* solve_in.h: what to solve: a request, or a line of one. */
#ifndef SERVER_API_SEARCH_SOLVE_IN_H
#define SERVER_API_SEARCH_SOLVE_IN_H

#include "server/api/input/goal.h"
#include "server/api/search/history_solution.h"
#include "server/api/search/lesson_in.h"
#include "server/search/answer.h"
#include "server/util/error.h"

struct solve_ask {
	struct input_cube cube; /* first: input_cube_resolve passes it back as ctx->data */
	struct text method;
	int64_t length_max, timeout_ms, solutions, wait_ms;
	bool improve;
	struct lesson_members lesson;
	bool line; /* one of many: the object may be the cube alone, and sessions are not allowed */
	bool stream; /* all solutions as they are found */
	struct goal_request goal;
	struct known known; /* for a session's cube: its turns so far */
	struct solve_question question;
};

/* Sets the defaults. */
void solve_ask_init(struct solve_ask *ask);
/* Reads ctx->body. Answers 400. */
MUST_USE bool solve_ask_read(struct context *ctx, struct solve_ask *ask);
/* Makes ask->question, once the cube and the goal's cube are made; ctx->data is the ask. On failure
 * the reply is a problem; the question must be freed then too. Any thread. */
void solve_ask_prepare(struct context *ctx);

#endif
