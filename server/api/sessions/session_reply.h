/* session_reply.h: answers about a session. */
#ifndef SERVER_API_SESSIONS_SESSION_REPLY_H
#define SERVER_API_SESSIONS_SESSION_REPLY_H

#include "server/api/input/answer_view.h"
#include "server/api/steps/etag.h"
#include "server/format/session_out.h"
#include "server/util/error.h"

/* The source of an answer about a session. It does not change, so the answer may be written on any
 * thread. */
struct session_snapshot {
	struct session_meta meta;
	const struct history *history;    /* held by the context, as its snapshot or as `after` */
	const struct cube_turn *scramble; /* at its creation, on the context's arena; NULL: none */
	size_t scramble_count;
	bool standing; /* the answer has `standing` and `you` */
};

/* Takes a snapshot of the session that the context has entered, at its committed state, which
 * becomes the context's snapshot. With the lock. False with a 503 if out of memory. */
MUST_USE bool session_look(struct context *ctx, struct session_snapshot *snapshot);

/* Answers with the session. `token`: of its owner, added to its members; NULL: none. Any thread. */
void session_reply(struct context *ctx, const struct session_snapshot *snapshot,
		   const struct answer_view *view, unsigned status, enum cube_known known,
		   const char *token);
/* Cost of that, in ns. */
uint64_t session_cost(const struct context *ctx, const struct answer_view *view, int size,
		      size_t scramble_count);

#endif
