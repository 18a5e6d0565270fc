/* text.h: a text with its length. */
#ifndef SERVER_UTIL_TEXT_H
#define SERVER_UTIL_TEXT_H

#include <stddef.h>

struct text {
	const char *bytes; /* NULL: absent. A NUL follows the text */
	size_t length;
};

#endif
