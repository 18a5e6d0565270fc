/* source.c: splits the standard input into lines. */
#include "server/shell/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 65536

static bool is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

static struct text trimmed(const char *bytes, size_t length)
{
	while (length > 0 && is_space(bytes[0])) {
		bytes++;
		length--;
	}
	while (length > 0 && is_space(bytes[length - 1]))
		length--;
	return (struct text){bytes, length};
}

bool source_take(struct source *source, struct text *line)
{
	while (source->at < source->bytes.length) {
		const char *begin = source->bytes.bytes + source->at;
		const size_t left = source->bytes.length - source->at;
		const char *end = memchr(begin, '\n', left);
		if (!end && source->state != SOURCE_ENDED)
			return false;
		const size_t length = end ? (size_t)(end - begin) : left;
		source->at += length + (end ? 1 : 0);
		source->number++;
		*line = trimmed(begin, length);
		if (line->length > 0)
			return true;
	}
	return false;
}

void source_read(struct source *source)
{
	struct buffer *bytes = &source->bytes;
	if (source->at > 0) {
		bytes->length -= source->at;
		memmove(bytes->bytes, bytes->bytes + source->at, bytes->length);
		source->at = 0;
	}
	char *room = buffer_room(bytes, READ_BYTES);
	if (bytes->length > SOURCE_LINE_MAX || !room) {
		source->state = SOURCE_LINE_LONG;
		return;
	}
	const ssize_t count = read(source->fd, room, READ_BYTES);
	if (count > 0)
		bytes->length += (size_t)count;
	else if (count == 0)
		source->state = SOURCE_ENDED;
	else if (errno != EINTR && errno != EAGAIN)
		source->state = SOURCE_FAILED;
}

void source_free(struct source *source)
{
	buffer_free(&source->bytes);
}
