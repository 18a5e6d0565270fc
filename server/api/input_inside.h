/* input_inside.h: what a value of JSON is; for input*.c. */
#ifndef SERVER_INPUT_INSIDE_H
#define SERVER_INPUT_INSIDE_H

#include "server/api/input.h"

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

#endif
