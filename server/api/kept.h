/* kept.h: answers of solvers that took long are kept in the store, and given again for the same
 * cube, however it is held (server/solves/answers.h). */
#ifndef SERVER_API_KEPT_H
#define SERVER_API_KEPT_H

#include "server/api/work.h"
#include "server/solving/answer.h"

/* A jobs_options.ended, of a service: keeps the answer where it is the method's own, complete, and
 * took long. What cannot be kept is not. Any thread. */
void kept_take(void *service, const struct solve_question *question,
	       const struct solve_answer *answer, enum solve_end end);

/* Looks for a kept answer to the question: answers the work with it, and frees what the question
 * holds; or calls `go`, with the service's lock. */
void kept_look(struct work *work, struct solve_question *question, void (*go)(struct work *work));

#endif
