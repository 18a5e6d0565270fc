/* text.h: a text with its length. */
#ifndef SERVER_UTIL_TEXT_H
#define SERVER_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct text {
	const char *bytes; /* NULL: absent. A NUL follows the text */
	size_t length;
};

static inline bool text_is(struct text text, const char *other)
{
	return strlen(other) == text.length && memcmp(other, text.bytes, text.length) == 0;
}

/* The same in upper or lower case: a name that a client may write in either. */
static inline bool text_names(struct text text, const char *name)
{
	return strlen(name) == text.length && strncasecmp(name, text.bytes, text.length) == 0;
}

#endif
