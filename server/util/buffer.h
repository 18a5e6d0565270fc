/* buffer.h: bytes that grow at their end.
 *
 * A failed allocation, or one that the charge refuses, sets `failed` and drops what follows:
 * writers append without checking, and the sender checks once, at the end. All zero is an empty
 * buffer. */
#ifndef SERVER_UTIL_BUFFER_H
#define SERVER_UTIL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "server/util/budget.h"
#include "server/util/error.h"

/* The first capacity: a typical answer fits. */
#define BUFFER_FIRST_BYTES 1024

struct buffer {
	char *bytes; /* malloc'd, or NULL */
	size_t length, capacity;
	struct charge *charge; /* which the capacity counts for; NULL: not counted */
	bool failed;
};

/* The slow path of buffer_room(). */
MUST_USE char *buffer_grow(struct buffer *buffer, size_t more);

/* Room for `more` bytes after the end, or NULL (then `failed` is set). The caller adds to
 * `length`. */
static inline char *buffer_room(struct buffer *buffer, size_t more)
{
	if (buffer->bytes && !buffer->failed && more <= buffer->capacity - buffer->length)
		return buffer->bytes + buffer->length;
	return buffer_grow(buffer, more);
}

static inline void buffer_add(struct buffer *buffer, const void *bytes, size_t length)
{
	char *room = buffer_room(buffer, length);
	if (!room || length == 0)
		return;
	memcpy(room, bytes, length);
	buffer->length += length;
}

static inline void buffer_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

/* Gives back unused capacity, if it is much. */
void buffer_fit(struct buffer *buffer);

/* The buffer is empty afterwards, with the same charge. */
void buffer_free(struct buffer *buffer);

#endif
