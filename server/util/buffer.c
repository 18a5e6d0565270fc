/* buffer.c: bytes that grow at their end, by doubling, large ones by a quarter. */
#include "server/util/buffer.h"

#include <stdint.h>
#include <stdlib.h>

/* Moving a buffer of this size is cheap, since it is a mapping of its own (memory_setup() in
 * server/main.c), but excess capacity counts. */
#define LARGE_BYTES ((size_t)1 << 20)
/* Less than this is not worth a reallocation. */
#define FIT_BYTES 65536

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
		capacity += capacity < LARGE_BYTES ? capacity : capacity / 4;
	if (!charge_take(buffer->charge, capacity - buffer->capacity)) {
		buffer->failed = true;
		return NULL;
	}
	char *bytes = realloc(buffer->bytes, capacity);
	if (!bytes) {
		charge_give(buffer->charge, capacity - buffer->capacity);
		buffer->failed = true;
		return NULL;
	}
	buffer->bytes = bytes;
	buffer->capacity = capacity;
	return bytes + buffer->length;
}

void buffer_fit(struct buffer *buffer)
{
	if (buffer->length == 0 || buffer->capacity - buffer->length < FIT_BYTES)
		return;
	char *bytes = realloc(buffer->bytes, buffer->length);
	if (!bytes)
		return;
	charge_give(buffer->charge, buffer->capacity - buffer->length);
	buffer->bytes = bytes;
	buffer->capacity = buffer->length;
}

void buffer_free(struct buffer *buffer)
{
	free(buffer->bytes);
	charge_give(buffer->charge, buffer->capacity);
	*buffer = (struct buffer){.charge = buffer->charge};
}
