/* json_internal.h: what a value of JSON is, and the two ways to read one.
 *
 * Nearly all bodies are a flat object of short names, plain text and small numbers, such as
 * {"size":3,"moves":"R U R' U'"}. parse_flat.c reads those in one pass: some 600 instructions for
 * this one; the library takes 7,000. Everything else, including all that is wrong, goes to the
 * library, so what is refused, and with which error, does not depend on the path taken. */
#ifndef SERVER_JSON_JSON_INTERNAL_H
#define SERVER_JSON_JSON_INTERNAL_H

#include "server/json/reader.h"

struct json_t; /* the library's value */

struct json_value {
	enum json_kind kind;
	size_t count; /* bytes of a text, items of an array, members of an object */
	union {
		bool truth;
		int64_t whole;
		const struct json_t *real; /* only ever printed */
		const char *text;          /* a NUL follows */
		struct json_value *items;
		struct json_named *members; /* in document order, no name twice */
	};
};

struct json_named {
	struct text name;
	struct json_value value;
};

/* ---- parse_flat.c ---- */

/* Reads an object of at most 16 members whose names and texts are printable ASCII without escapes
 * and whose other values are true, false, null and non-negative integers of at most 18 digits. The
 * value is on the arena, NULL if out of memory. Returns false for anything else, and keeps
 * nothing. */
MUST_USE bool json_parse_flat(struct arena *arena, const char *body, size_t length,
			      struct json_value **value);

/* ---- parse.c ---- */

/* As json_parse_body(), always by the library. */
MUST_USE bool json_parse_body_any(struct json_reader *reader, const char *body, size_t length,
				  struct json_value **value);

#endif
