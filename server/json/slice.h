/* slice.h: reading JSON in place: each value is a slice of the text, whitespace and all.
 *
 * Files of other programs are kept byte by byte, so that they can be exported unchanged. slice_value()
 * checks the grammar (RFC 8259) except UTF-8, which the caller checks; nesting is at most
 * SLICE_DEPTH_MAX. No recursion. Any thread. */
#ifndef SERVER_JSON_SLICE_H
#define SERVER_JSON_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/arena.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

#define SLICE_DEPTH_MAX 64

/* Borrowed bytes; NULL: none. */
struct span {
	const char *bytes;
	size_t length;
};

bool span_is(struct span span, const char *text);

/* The value at *at, after white space; moves *at past it. False if there is none; then *at is the
 * fault. */
MUST_USE bool slice_value(const char **at, const char *end, struct span *value);
/* The text as a single value; if it is not, false, and *fault is where. */
MUST_USE bool slice_document(struct span text, struct span *value, const char **fault);

/* The members of an object, or the items of an array, that slice_value gave. */
struct slice_list {
	const char *at, *end;
};
/* `bracket` is '{' or '['; false if the value is not of that kind. */
MUST_USE bool slice_list(struct span value, char bracket, struct slice_list *list);
/* The next one; `key` is a string with its quotes, or empty in an array. False at the end. */
MUST_USE bool slice_next(struct slice_list *list, struct span *key, struct span *value);

bool slice_is_text(struct span value);
/* A string decoded to UTF-8, NUL-terminated, on the arena. Unpaired surrogates and NUL become U+FFFD.
 * False if out of memory. */
MUST_USE bool slice_text(struct arena *arena, struct span value, struct span *text);
/* The integer part of a number without an exponent; false if it is not that, or over 18 digits. */
MUST_USE bool slice_integer(struct span value, int64_t *number);
/* Writes text as a string with the escapes that JSON.stringify uses, and no others. */
void slice_quote(struct buffer *to, struct span text);

#endif
