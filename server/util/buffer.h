/* buffer.h: bytes that grow at their end.
 *
 * A failed allocation sets `failed` and drops what follows: writers append without looking and the
 * one who sends asks once, at the end. */
#ifndef SERVER_BUFFER_H
#define SERVER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct buffer {
	char *bytes; /* malloc'd, or NULL */
	size_t length, capacity;
	bool failed;
};

/* All zero is an empty buffer. */
/* Room for `more` bytes behind the end, or NULL (then `failed`). The caller adds to `length`. */
char *buffer_room(struct buffer *buffer, size_t more);
void buffer_add(struct buffer *buffer, const void *bytes, size_t length);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_free(struct buffer *buffer);

#endif
