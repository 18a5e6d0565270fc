/* precondition.h: what a client has seen of a session, and whether that still holds. */
#ifndef SERVER_API_SESSIONS_PRECONDITION_H
#define SERVER_API_SESSIONS_PRECONDITION_H

#include "server/api/request/context.h"
#include "server/format/cube_out.h"

/* The result of If-Match, If-None-Match and the member `revision` for the head of the session that
 * the context has entered. */
enum precondition { PRECONDITION_HOLDS, PRECONDITION_HEADER, PRECONDITION_REVISION };

/* `revision` < 0: none was given. `*seen` is set to the revision last seen by the client, as far as
 * it is known. */
enum precondition precondition_check(const struct context *ctx, int64_t revision, uint32_t *seen);

/* Answers 412 or 409 with what was missed since `seen`, as of the session's committed state. No
 * write may be under way. */
void precondition_answer(struct context *ctx, enum precondition failed, uint32_t seen,
			 const struct answer_view *view);

#endif
