/* question.h: a request that a command sends, and its way through the service. */
#ifndef SERVER_SHELL_QUESTION_H
#define SERVER_SHELL_QUESTION_H

#include "server/api/service.h"
#include "server/shell/options.h"
#include "server/util/text.h"

/* A question under way. It must not be moved. */
struct question {
	struct request request;
	struct buffer target;
	char *text; /* the cube or the moves, malloc'd; NULL: none */
	/* The parameter in which the text is sent; PARAMETER_COUNT: it is the body. */
	enum parameter parameter;
	size_t line; /* of the standard input; 0: it came from the arguments */
	bool answered, produced;
	struct question *next;
};

/* The style of answers; it follows from the options and from where they go. */
struct question_style {
	const char *accept; /* the media type */
	bool coloured;      /* as ANSI colours */
};

/* The parameter that a text is for: facelets, index, reid or moves; PARAMETER_COUNT if it is a JSON
 * object. */
enum parameter question_parameter(struct text text);

/* Makes the request for a cube or moves; `text.bytes` NULL: for the options alone. NULL if out of
 * memory. */
MUST_USE struct question *question_create(const struct shell_options *options,
					  const struct question_style *style, struct text text,
					  size_t line);
/* A request for `path` that no option is part of. */
MUST_USE struct question *question_create_plain(const char *path);
void question_free(struct question *question);

/* Sends it: sets `answered` now, or in a later question_wait(). */
void question_send(struct service *service, struct question *question);

/* Waits until the service has completed something or `fd` (-1: none) can be read, at most half a
 * second. True if it can be read. */
bool question_wait(struct service *service, int fd);

/* Has the next piece of a streamed answer made, and waits for it. False: there is none. */
MUST_USE bool question_more(struct service *service, struct question *question);

#endif
