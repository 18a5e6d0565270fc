/* answer_cache.h: keeps answers of solvers that took long in the store, and gives them again for
 * the same cube in any rotation (server/search/stored_answers.h). */
#ifndef SERVER_API_SEARCH_ANSWER_CACHE_H
#define SERVER_API_SEARCH_ANSWER_CACHE_H

#include "server/api/request/context.h"
#include "server/search/answer.h"

/* A jobs_options.ended, of a service: keeps the answer if it is the method's own, complete, and
 * took long. Failures are ignored. Any thread. */
void answer_cache_keep(void *service, const struct solve_question *question,
		       const struct solve_answer *answer, enum solve_end end);

/* Looks for a kept answer to the question: answers the context with it and frees what the question
 * holds; or calls `go`, with the lock. */
void answer_cache_look(struct context *ctx, struct solve_question *question,
		       void (*go)(struct context *ctx));

#endif
