/* lesson_in.h: what a lesson is to be like: members of a request to solve. */
#ifndef SERVER_API_SEARCH_LESSON_IN_H
#define SERVER_API_SEARCH_LESSON_IN_H

#include "server/api/request/context.h"
#include "server/search/answer.h"
#include "server/util/error.h"

#define LESSON_STEPS_MAX 1000

struct lesson_members {
	struct text first, colors, language;
	int64_t steps;
};

/* Reads the members that are there. Answers 400. */
MUST_USE bool lesson_read(struct context *ctx, const struct lesson_members *in,
			  struct solve_lesson *lesson);
/* For a method that does not teach: answers 400 if any member is there. */
MUST_USE bool lesson_refuse(struct context *ctx, const struct lesson_members *in);

#endif
