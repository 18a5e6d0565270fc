/* session_visit.h: how a request enters a session and writes to it (server/session/visit.h).
 *
 * Requests enter sessions through ctx_acquire(), which calls authorize_check(); so the rights of a
 * new endpoint follow from its row in routes.def. Only GET /v1/events has visit_calls of its own,
 * because a session that may not be seen must not refuse the others. */
#ifndef SERVER_API_STEPS_SESSION_VISIT_H
#define SERVER_API_STEPS_SESSION_VISIT_H

#include "server/api/request/context.h"

/* The callbacks for visits of requests. */
extern const struct visit_calls request_visit_calls;

/* The context that a visit of a request belongs to. */
struct context *ctx_of_visit(struct visit *visit);

/* Calls `entered` once the session ctx->visit.id is loaded, `need` is met and the caller may enter
 * it, perhaps at once; otherwise answers 401, 403, 404, 410 or 503. A context already in a session
 * waits in its line. `entered` runs again, with an empty reply, if another entry comes before the
 * planned one. With the lock. */
void ctx_acquire(struct context *ctx, enum session_need need, void (*entered)(struct context *ctx));

/* Answers 404 after looking for a session in the store that does not exist: so what is hidden from the
 * caller takes as many reads of the store as what does not exist, and as long. With the lock. */
void ctx_seem_absent(struct context *ctx);

/* ctx_acquire() for a call that appends an entry, perhaps without asking what other processes did
 * (server/session/gate.h). If the answer is not that of a committed write, it is made
 * again after asking: `entered` is called again, with the same ctx->data. */
void ctx_acquire_trusting(struct context *ctx, enum session_need need,
			  void (*entered)(struct context *ctx));
/* The reply is complete. False: it is the answer. True: it may rest on an old state, and is made
 * again. */
MUST_USE bool ctx_doubts_answer(struct context *ctx);

/* Queues ctx->visit.write (see session_submit), with the receipt of the reply if the request has an
 * Idempotency-Key, and counts its bytes. The reply, prepared before, is sent when the write is
 * committed; otherwise a problem. With the lock. */
void ctx_write(struct context *ctx);

#endif
