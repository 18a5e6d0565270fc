/* buffer.c: bytes that grow at their end, by doubling. */
#include "server/util/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

char *buffer_grow(struct buffer *buffer, size_t more)
{
	if (buffer->failed)
		return NULL;
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

void buffer_free(struct buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct buffer){0};
}
