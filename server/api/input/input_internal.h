/* input_internal.h: what a value of JSON is, and the two ways to read one; for input*.c and tests.
 *
 * Nearly all bodies are a flat object of short names, plain text and small numbers, such as
 * {"size":3,"moves":"R U R' U'"}. Those are read by flat.c in one pass: some 600 instructions
 * for this one, where the library takes 7,000. All others, and all that is wrong, go to the
 * library: what is refused, and how that is told, is the same either way. */
#ifndef SERVER_API_INPUT_INPUT_INTERNAL_H
#define SERVER_API_INPUT_INPUT_INTERNAL_H

#include "server/api/input/input.h"

struct json_t; /* the library's value */

enum input_kind { KIND_NULL, KIND_BOOL, KIND_WHOLE, KIND_REAL, KIND_TEXT, KIND_ARRAY, KIND_OBJECT };

struct input_value {
	enum input_kind kind;
	size_t count; /* bytes of a text, items of an array, members of an object */
	union {
		bool truth;
		int64_t whole;
		const struct json_t *real; /* only ever printed */
		const char *text;          /* a NUL follows */
		struct input_value *items;
		struct input_named *members; /* in the order of the text, no name twice */
	};
};

struct input_named {
	struct text name;
	struct input_value value;
};

/* Reads an object of at most 16 members whose names and texts are printable ASCII without escapes
 * and whose other values are true, false, null and whole numbers from 0 of at most 18 digits. The
 * value is on the arena, NULL where memory is out. Returns false for all else, and nothing is kept
 * then. */
bool input_flat(struct arena *arena, const char *body, size_t length, struct input_value **value);

/* Parses the request's body into ctx->body as input_parse does, by the library whatever it is. */
bool input_parse_any(struct context *ctx);

#endif
