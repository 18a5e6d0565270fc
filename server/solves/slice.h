/* slice.h: JSON taken apart without being changed: each value is a piece of the text it stands in.
 *
 * What other programs have written is kept byte by byte, so that it can be given back as it was.
 * slice_value checks all of the grammar (RFC 8259) but UTF-8, which is the caller's to check;
 * nesting is at most SLICE_DEPTH_MAX. No recursion. Any thread. */
#ifndef SERVER_SOLVES_SLICE_H
#define SERVER_SOLVES_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/arena.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

#define SLICE_DEPTH_MAX 64

/* Bytes of somebody else's; NULL: none. */
struct span {
	const char *bytes;
	size_t length;
};

bool span_is(struct span span, const char *text);

/* The value that begins at *at, behind blanks; *at is moved behind it. False where there is none;
 * then *at is the fault. */
MUST_USE bool slice_value(const char **at, const char *end, struct span *value);
/* The text as one value and nothing behind it; *fault is where it is none. */
MUST_USE bool slice_document(struct span text, struct span *value, const char **fault);

/* The members of an object, or the items of an array, that slice_value gave. */
struct slice_list {
	const char *at, *end;
};
/* False where the value is no such thing; `bracket` is '{' or '['. */
MUST_USE bool slice_list(struct span value, char bracket, struct slice_list *list);
/* The next one; `key` is a string with its quotes, or nothing in an array. False at the end. */
MUST_USE bool slice_next(struct slice_list *list, struct span *key, struct span *value);

bool slice_is_text(struct span value);
/* What a string says, in UTF-8 and followed by a NUL, on the arena. What Unicode does not have, and
 * NUL, is U+FFFD. False where memory is out. */
MUST_USE bool slice_text(struct arena *arena, struct span value, struct span *text);
/* The whole part of a number without an exponent. False where it is none of 18 digits at most. */
MUST_USE bool slice_integer(struct span value, int64_t *number);
/* Writes text as a string, with no more escapes than there must be, as JSON.stringify does. */
void slice_quote(struct buffer *to, struct span text);

#endif
