/* input.h: reading the JSON of a request (server/json/reader.h); errors become problems.
 *
 * Functions that return false have made the reply a problem: 400 malformed-json, 400 bad-member or
 * bad-parameter with the place, or 503. The caller may go on to read other members: what is wrong
 * with them is added to the problem (`errors`). Not for the same member again: the first error of a
 * place is kept. */
#ifndef SERVER_API_INPUT_INPUT_H
#define SERVER_API_INPUT_INPUT_H

#include "server/api/request/context.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/util/error.h"

/* Adds ctx->json.error to the problem that is the reply. Returns false. */
bool input_refuse(struct context *ctx);

/* Parses the request's body into ctx->body. */
bool input_parse(struct context *ctx);

/* json_read_members(), json_read_value(). */
MUST_USE bool input_object(struct context *ctx, struct json_value *object, const char *pointer,
			   const struct json_member *members, size_t count);
MUST_USE bool input_value(struct context *ctx, struct json_value *value, const char *pointer,
			  const struct json_member *as);

/* json_pointer(), json_pointer_index(). */
const char *input_pointer(struct context *ctx, const char *pointer, const char *name);
const char *input_pointer_index(struct context *ctx, const char *pointer, size_t index);

/* Answers 400 bad-member; `expected` and `suggestion` may be NULL. Returns false. */
bool input_problem(struct context *ctx, const char *pointer, const char *detail,
		   const char *expected, const char *suggestion);

/* Reads one of `count` names, in upper or lower case, into its index. `what` they name: "role". */
MUST_USE bool input_choice(struct context *ctx, struct text name, const char *pointer,
			   const char *what, const char *const *names, size_t count,
			   uint8_t *index);
/* The same for a name at any place of the request. */
MUST_USE bool input_place_choice(struct context *ctx, const struct json_place *place,
				 struct text name, const char *what, const char *const *names,
				 size_t count, uint8_t *index);
/* Answers 400: an unknown name of that kind, and those that there are. Returns false. */
bool input_unknown(struct context *ctx, const struct json_place *place, struct text name,
		   const char *what, const char *const *names, size_t count);

/* The place as the sender knows it: if the query was read as a body, the parameter instead of the
 * member, and if plain text was, the whole body instead of `moves`. */
struct json_place input_place(const struct context *ctx, const struct json_place *place);
/* Writes the place into a problem. */
void input_place_write(const struct context *ctx, struct out *out, const struct json_place *place);
/* Answers 400 bad-member or bad-parameter. Returns false. */
bool input_place_problem(struct context *ctx, const struct json_place *place, const char *detail,
			 const char *expected, const char *suggestion);

/* Reads the id of a session; 400 with the place if it is not one. */
MUST_USE bool input_session_id(struct context *ctx, const struct json_place *place,
			       struct text text, struct session_id *id);

/* Reads a name chosen by a user, or null for none, into SESSION_NAME_BYTES + 1 bytes. */
MUST_USE bool input_name(struct context *ctx, struct json_value *value, const char *pointer,
			 char *into);

#endif
