/* cube_body.h: the body of a call that takes a cube: {"cube": {...}}, or the members of its description at the top. */
#ifndef SERVER_API_INPUT_CUBE_BODY_H
#define SERVER_API_INPUT_CUBE_BODY_H

#include "server/api/input/input.h"
#include "server/util/error.h"

/* The maximum number of members that a call has of its own. */
#define CUBE_BODY_OWN_MAX 20

/* Reads the body's members as input_object() does. `cube` is what the row "cube" of `members` is read into. Without that
 * member, the members of a cube at the top become `*cube`, and problems with them name them as they were sent. A name that the
 * call has for itself is its own: it describes no cube, but `size` and `notation` beside other members of a cube
 * belong to both. Answers 400, also for members of a cube beside `cube`. */
MUST_USE bool cube_body_read(struct context *ctx, const struct json_member *members, size_t count,
			     struct json_value **cube);

#endif
