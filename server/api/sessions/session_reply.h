/* session_reply.h: answers about a session, and what the handlers of sessions share. */
#ifndef SERVER_API_SESSIONS_SESSION_REPLY_H
#define SERVER_API_SESSIONS_SESSION_REPLY_H

#include "server/api/input/cube_view.h"
#include "server/api/steps/etag.h"
#include "server/format/session_out.h"
#include "server/util/error.h"

/* What an answer about a session is written from: it does not change, so the answer may be written
 * on any thread. */
struct session_snapshot {
	struct session_meta meta;
	const struct history *history;    /* held by the context, as its snapshot or as `after` */
	const struct cube_turn *scramble; /* at its creation, on the context's arena; NULL: none */
	size_t scramble_count;
};

/* Takes a snapshot of the session that the context has entered, at its committed state, which
 * becomes the context's snapshot. With the lock. False with a 503 if out of memory. */
MUST_USE bool session_look(struct context *ctx, struct session_snapshot *snapshot);

/* Answers with the session. `token`: of its owner, added to its members; NULL: none. Any thread. */
void session_reply(struct context *ctx, const struct session_snapshot *snapshot,
		   const struct cube_view *view, unsigned status, enum cube_known known,
		   const char *token);
/* Cost of that, in ns. */
uint64_t session_cost(const struct context *ctx, const struct cube_view *view, int size,
		      size_t scramble_count);

/* sessions.c: what is known of the cube that a new session is created with. */

/* The result of If-Match, If-None-Match and the member `revision` for the head of the session that
 * the context has entered. */
enum precondition { PRECONDITION_HOLDS, PRECONDITION_HEADER, PRECONDITION_REVISION };

/* `revision` < 0: none was given. `*seen` is set to the revision last seen by the client, as far as
 * it is known. */
enum precondition precondition_check(const struct context *ctx, int64_t revision, uint32_t *seen);

/* Answers 412 or 409 with what was missed since `seen`, as of the session's committed state. No
 * write may be under way. */
void precondition_answer(struct context *ctx, enum precondition failed, uint32_t seen,
			 const struct cube_view *view);

#endif
