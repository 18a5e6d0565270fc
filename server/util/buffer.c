/* buffer.c: bytes that grow at their end, by doubling. */
#include "server/util/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A typical answer fits at once, and libc has a block of this size at hand. */
#define BUFFER_FIRST_BYTES 1024

char *buffer_room(struct buffer *buffer, size_t more)
{
	if (buffer->failed)
		return NULL;
	if (more <= buffer->capacity - buffer->length && buffer->bytes)
		return buffer->bytes + buffer->length;
	if (more > SIZE_MAX / 2 - buffer->length) {
		buffer->failed = true;
		return NULL;
	}
	size_t needed = buffer->length + more;
	size_t capacity = buffer->capacity ? buffer->capacity : BUFFER_FIRST_BYTES;
	while (capacity < needed)
		capacity *= 2;
	char *bytes = realloc(buffer->bytes, capacity);
	if (!bytes) {
		buffer->failed = true;
		return NULL;
	}
	buffer->bytes = bytes;
	buffer->capacity = capacity;
	return bytes + buffer->length;
}

void buffer_add(struct buffer *buffer, const void *bytes, size_t length)
{
	char *room = buffer_room(buffer, length);
	if (!room || length == 0)
		return;
	memcpy(room, bytes, length);
	buffer->length += length;
}

void buffer_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

void buffer_free(struct buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct buffer){0};
}
