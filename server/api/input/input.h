/* input.h: the JSON of a request, read strictly: JSON to structs at the door.
 *
 * Duplicate members, NUL characters, more than INPUT_DEPTH_MAX levels, unknown members, wrong types
 * and 1.0 for 1 are refused, each with the place. A value is on the request's arena, and a NUL
 * follows each text. There are two ways to read one, see input_internal.h. */
#ifndef SERVER_API_INPUT_INPUT_H
#define SERVER_API_INPUT_INPUT_H

#include "server/api/request/context.h"

struct out;

#define INPUT_DEPTH_MAX 16

enum input_type {
	INPUT_TEXT,    /* into struct text, on the arena */
	INPUT_INTEGER, /* into int64_t, min..max */
	INPUT_BOOL,    /* into bool */
	INPUT_OBJECT,  /* into struct input_value * */
	INPUT_ARRAY,   /* into struct input_value * */
	INPUT_ANY,     /* into struct input_value * */
};

/* Where a value stands: a member of the body, or a query parameter; the other one is NULL. */
struct input_place {
	const char *pointer, *parameter;
};

struct input_member {
	const char *name;
	enum input_type type;
	void *into; /* left alone where the member is absent */
	int64_t min, max;
};

/* Once, before any thread: the JSON library's memory and hash seed. */
void input_setup(void);

/* Parses the request's body into ctx->body, on the request's arena; an empty one is {}. Answers
 * 400 malformed-json, or 400 bad-member where it is no object. */
bool input_parse(struct context *ctx);

/* Parses text that the service has stored, which lives as long as the context; NULL where it is no
 * JSON, and with the reply 503 where memory is out. */
struct input_value *input_stored(struct context *ctx, const char *text, size_t length);
/* Writes a value as it was read, without blanks. */
void input_print(struct context *ctx, const struct input_value *value, struct buffer *buffer);

/* Reads an object's members. `pointer` is that of the object ("" for the body). Answers 400
 * bad-member for an unknown member or a wrong type. */
bool input_object(struct context *ctx, struct input_value *object, const char *pointer,
		  const struct input_member *members, size_t count);

/* One value as such a type. */
bool input_value(struct context *ctx, struct input_value *value, const char *pointer,
		 const struct input_member *as);

/* A member of an object; NULL where it is absent. */
struct input_value *input_member_at(const struct input_value *object, const char *name);

/* Calls `visit` for each member of an object, in the order of the text, until it returns false;
 * then that is what this returns. */
bool input_each(struct input_value *object,
		bool (*visit)(void *context, const char *name, struct input_value *value),
		void *context);

bool input_is_text(const struct input_value *value);
bool input_is_array(const struct input_value *value);
bool input_is_object(const struct input_value *value);
bool input_is_number(const struct input_value *value);
bool input_is_null(const struct input_value *value);
size_t input_array_length(const struct input_value *array);
struct input_value *input_array_at(const struct input_value *array, size_t index);
struct text input_text(const struct input_value *value); /* of a string */
/* The whole number of a value; INT64_MIN where it is none. */
int64_t input_number(const struct input_value *value);

/* sessions.c: a name of people's choice, or null for none, into SESSION_NAME_BYTES + 1 bytes. */
bool name_take(struct context *ctx, struct input_value *value, const char *pointer, char *into);

/* pointer + "/" + name, escaped, on the arena; "" when memory is out. */
const char *input_pointer(struct context *ctx, const char *pointer, const char *name);
const char *input_pointer_index(struct context *ctx, const char *pointer, size_t index);

/* Answers 400 bad-member; `expected` and `suggestion` may be NULL. Returns false. */
bool input_problem(struct context *ctx, const char *pointer, const char *detail,
		   const char *expected, const char *suggestion);

/* Writes the place into a problem. */
void input_place_write(struct out *out, const struct input_place *place);
/* Answers 400 bad-member or bad-parameter. Returns false. */
bool input_place_problem(struct context *ctx, const struct input_place *place, const char *detail,
			 const char *expected, const char *suggestion);

#endif
