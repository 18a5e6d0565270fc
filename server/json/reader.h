/* reader.h: reading JSON strictly: text to values, and values to the caller's variables.
 *
 * Duplicate members, NUL characters, more than JSON_DEPTH_MAX levels, unknown members, wrong types
 * and 1.0 for 1 are refused, each with its place. Values lie on the reader's arena; texts end with
 * a NUL. A function that fails returns false (or NULL) and sets reader->error. */
#ifndef SERVER_JSON_READER_H
#define SERVER_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/error.h"
#include "server/util/arena.h"
#include "server/util/buffer.h"
#include "server/util/error.h"
#include "server/util/text.h"

#define JSON_DEPTH_MAX 16

/* The origin of a value: a member of the document, as a JSON pointer (RFC 6901), or a query
 * parameter; the other one is NULL. */
struct json_place {
	const char *pointer, *parameter;
};

enum json_fault {
	JSON_FAULT_NONE,
	JSON_FAULT_SYNTAX, /* `offset` is of the document */
	JSON_FAULT_VALUE,  /* `place` is of the value; `offset` is in its text, if any */
	JSON_FAULT_MEMORY, /* nothing else is set */
};

struct json_error {
	enum json_fault fault;
	struct json_place place;
	size_t offset, length;   /* in bytes */
	size_t column;           /* of `offset`, in code points from 1; 0: the whole value */
	const char *detail;      /* a sentence */
	const char *expected;    /* NULL: none */
	const char *suggestion;  /* NULL: none */
	struct json_error *next; /* another one in the same object; NULL: none */
};

/* Errors that are listed at a time. */
#define JSON_ERRORS_MAX 16

struct json_reader {
	struct arena *arena; /* holds values and the texts of errors */
	struct json_error error;
};

enum json_kind {
	JSON_KIND_NULL,
	JSON_KIND_BOOL,
	JSON_KIND_WHOLE, /* an integer of 64 bits */
	JSON_KIND_REAL,
	JSON_KIND_TEXT,
	JSON_KIND_ARRAY,
	JSON_KIND_OBJECT
};

struct json_value;

/* Called once, before any thread starts: sets the memory functions and the hash seed of the JSON
 * library. */
void json_setup(void);

/* ---- parsing ---- */

/* Parses a document of any kind. */
MUST_USE bool json_parse(struct json_reader *reader, const char *text, size_t length,
			 struct json_value **value);
/* Parses the body of a request: an object; an empty body is {}. Most bodies are read in one pass
 * (json_internal.h). */
MUST_USE bool json_parse_body(struct json_reader *reader, const char *body, size_t length,
			      struct json_value **value);
/* Writes a value as it was read, without white space. */
void json_print(struct arena *arena, const struct json_value *value, struct buffer *buffer);

/* ---- values; all accept NULL: no value ---- */

MUST_USE bool json_is_kind(const struct json_value *value, enum json_kind kind);
MUST_USE bool json_value_is_number(const struct json_value *value);
size_t json_item_count(const struct json_value *array); /* 0 if it is not an array */
struct json_value *json_item(const struct json_value *array, size_t index);
struct text json_value_text(const struct json_value *value); /* of a string */
/* The integer; INT64_MIN if it is not one. */
int64_t json_value_whole(const struct json_value *value);
/* The member of that name; NULL: there is none. */
struct json_value *json_member_of(const struct json_value *object, const char *name);
/* Calls `visit` for each member of an object, in the order of the text, until it returns false;
 * returns what it returned last. */
MUST_USE bool json_each_member(struct json_value *object,
			       bool (*visit)(void *context, const char *name,
					     struct json_value *value),
			       void *context);

/* Each makes a value on the arena; NULL, with the error set, if out of memory. A text ends with a
 * NUL, is valid UTF-8 and outlives the value. */
struct json_part {
	const char *name;
	struct json_value *value;
};
MUST_USE struct json_value *json_make_text(struct json_reader *reader, struct text text);
MUST_USE struct json_value *json_make_whole(struct json_reader *reader, int64_t number);
MUST_USE struct json_value *json_make_bool(struct json_reader *reader, bool truth);
MUST_USE struct json_value *json_make_object(struct json_reader *reader,
					     const struct json_part *parts, size_t count);

/* ---- into variables ---- */

enum json_type {
	JSON_TEXT,    /* into struct text, on the arena */
	JSON_INT64,   /* into int64_t, min..max */
	JSON_BOOLEAN, /* into bool */
	JSON_MEMBERS, /* an object, into struct json_value * */
	JSON_ITEMS,   /* an array, into struct json_value * */
	JSON_ANY,     /* into struct json_value * */
};

struct json_member {
	const char *name;
	enum json_type type;
	void *into; /* unchanged if the member is absent */
	int64_t min, max;
};

/* Reads the members of an object, whose place is `pointer` ("": the document). Unknown members and
 * wrong types are refused: the error lists all of them, and the others are read. */
MUST_USE bool json_read_members(struct json_reader *reader, struct json_value *object,
				const char *pointer, const struct json_member *members,
				size_t count);
/* Reads one value of that type. */
MUST_USE bool json_read_value(struct json_reader *reader, struct json_value *value,
			      const char *pointer, const struct json_member *as);

/* ---- places and errors ---- */

/* pointer + "/" + name, escaped, on the arena; "" if out of memory. */
const char *json_pointer(struct json_reader *reader, const char *pointer, const char *name);
const char *json_pointer_index(struct json_reader *reader, const char *pointer, size_t index);

/* Memory on the arena; NULL, with the error set, if out of memory. */
MUST_USE void *json_alloc(struct json_reader *reader, size_t bytes);

/* Each sets the error and returns false; the texts are copied. `expected` and `suggestion` may be
 * NULL or "". */
bool json_fail(struct json_reader *reader, const struct json_place *place, const char *detail,
	       const char *expected, const char *suggestion);
bool json_fail_memory(struct json_reader *reader);
/* Part of a value's text is wrong; the detail becomes "`what`: reason." */
bool json_fail_text(struct json_reader *reader, const struct json_place *place, const char *what,
		    struct text text, const struct cube_error *error);

#endif
