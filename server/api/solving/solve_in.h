/* solve_in.h: what is to be solved, of a request or of a line of one. */
#ifndef SERVER_API_SOLVING_SOLVE_IN_H
#define SERVER_API_SOLVING_SOLVE_IN_H

#include "server/api/input/goal.h"
#include "server/api/solving/history_solution.h"
#include "server/solving/answer.h"

struct solve_ask {
	struct cube_request cube; /* first: cube_resolve hands it back as ctx->data */
	struct text method;
	int64_t length_max, timeout_ms, solutions, wait_ms;
	bool improve;
	bool line; /* one of many: the object may be the cube alone, and names no session */
	struct goal_request goal;
	struct known known; /* of a cube of a session: its turns so far */
	struct solve_question question;
};

/* What holds where a request says nothing. */
void solve_ask_init(struct solve_ask *ask);
/* Reads ctx->body. Answers 400. */
bool solve_ask_read(struct context *ctx, struct solve_ask *ask);
/* Makes ask->question, when the cube and a goal's are made; ctx->data is the ask. A problem in the
 * reply tells of what cannot be; the question is to be freed then too. Any thread. */
void solve_ask_prepare(struct context *ctx);

#endif
