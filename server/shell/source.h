/* source.h: the lines of the standard input, one at a time, as they arrive. */
#ifndef SERVER_SHELL_SOURCE_H
#define SERVER_SHELL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/util/buffer.h"
#include "server/util/text.h"

/* The longest line: the facelets of a 100x100x100 with spaces take a tenth of it. */
#define SOURCE_LINE_MAX 1048576

enum source_state { SOURCE_OPEN, SOURCE_ENDED, SOURCE_FAILED, SOURCE_LINE_LONG };

/* All zero, but for the descriptor: at its beginning. */
struct source {
	int fd;
	enum source_state state;
	struct buffer bytes;
	size_t at;     /* of the first byte that was not taken */
	size_t number; /* of the line that was taken last, from 1 */
};

/* Takes the next line that is complete and not empty, without the white space around it. The text is
 * valid until the next call of any function here, and no NUL follows it. False: source_read() must
 * be called first, or nothing is left. */
MUST_USE bool source_take(struct source *source, struct text *line);

/* Reads what is there, waiting for it if there is nothing. Errors are a state. */
void source_read(struct source *source);

void source_free(struct source *source);

#endif
