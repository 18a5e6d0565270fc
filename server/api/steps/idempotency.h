/* idempotency.h: Idempotency-Key: a request that is sent again is not done again.
 *
 * What the answer to a request that changed something is made from is kept as a receipt
 * (receipt.h), in the same transaction as the change; so after a crash there are both or neither.
 * It is found by a hash of who asked (token, or the client's address), method, path and key, and
 * sealed with another hash of the same: the key itself is kept nowhere. Before the answer is given
 * again, the rights of the request are asked again. A request that comes while another one with its
 * key is under way waits for that one. Answers that changed nothing are not kept: what failed may
 * be tried again. All of it with the service's lock. */
#ifndef SERVER_API_STEPS_IDEMPOTENCY_H
#define SERVER_API_STEPS_IDEMPOTENCY_H

#include "server/api/request/context.h"
#include "server/api/steps/receipt.h"

#define RETRY_KEY_MAX 255

/* Answers the context with the first answer again. `answer` lives as long as the context. With the
 * lock; in the session, unless `answer->bare`. */
typedef void replay_receipt(struct context *ctx, const struct receipt_answer *answer);

/* Looks for the receipt: `replay` answers with it, or 422 if the body is another one; if there is no
 * receipt, `go`. */
void idempotency_begin(struct context *ctx, void (*go)(struct context *ctx),
		       replay_receipt *replay);
/* Before ctx->visit.write is submitted: puts the receipt of the reply into it. False with a 503 where
 * memory is out. */
bool idempotency_keep(struct context *ctx);
/* The reply tells this token (TOKEN_TEXT characters and a NUL), which no store has: it goes into the
 * receipt. Any thread. */
void idempotency_token(struct context *ctx, const char *token);
/* The context is answered: those who waited for it are let in. Called by ctx_answer. */
void idempotency_end(struct context *ctx);

#endif
