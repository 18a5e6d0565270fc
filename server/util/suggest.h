/* suggest.h: finds the name that was probably meant. */
#ifndef SERVER_UTIL_SUGGEST_H
#define SERVER_UTIL_SUGGEST_H

#include <stddef.h>

/* The name nearest to the text, with at most two letters inserted, dropped, changed or exchanged with
 * the next one (one for text of up to four letters); NULL if none is near. */
const char *suggest_nearest(const char *text, size_t length, const char *const *names,
			    size_t count);

/* Writes "edit, view or none" into `list`, cut at `capacity`. */
void suggest_list(const char *const *names, size_t count, char *list, size_t capacity);

#endif
