/* answer.h: prints answers: as they are, as text, or in words with a mark under the fault. */
#ifndef SERVER_SHELL_ANSWER_H
#define SERVER_SHELL_ANSWER_H

#include <stdio.h>

#include "server/shell/question.h"

enum answer_result {
	ANSWER_GOOD,
	ANSWER_PROBLEM,
	ANSWER_OPTION /* an option has a wrong value, so that others would be refused too */
};

struct answers {
	struct service *service;
	const struct shell_options *options;
	FILE *out;
	bool terminal; /* a person sees the output */
	bool pictures; /* answers are text of several lines: unfolded cubes */
	size_t printed;
};

/* Chooses how answers are written. */
struct question_style answers_begin(struct answers *answers);

/* Prints the answer to the question, which was answered. Waits for a search that goes on. */
enum answer_result answer_print(struct answers *answers, struct question *question);

#endif
