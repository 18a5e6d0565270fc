/* idempotency.h: Idempotency-Key: a retried request is not done again.
 *
 * What is needed to make the answer of a change again is kept as a receipt (receipt.h), in the same
 * transaction as the change; so after a crash there are both or neither. It is found by a hash of
 * the caller (token, or address), method, path and key, and sealed with another hash of the same:
 * the key itself is not stored. Before the answer is given again, the caller's rights are checked
 * again. A request that comes while another one with its key is under way waits for that one.
 * Answers that changed nothing are not kept: what failed may be retried. With the lock, unless it says otherwise. */
#ifndef SERVER_API_STEPS_IDEMPOTENCY_H
#define SERVER_API_STEPS_IDEMPOTENCY_H

#include "server/api/request/context.h"
#include "server/api/steps/receipt.h"
#include "server/util/error.h"

#define RETRY_KEY_MAX 255

/* Answers the context with the first answer again. `answer` lives as long as the context. With the
 * lock; in the session, unless `answer->bare`. */
typedef void replay_receipt(struct context *ctx, const struct receipt_answer *answer);

/* Looks for the receipt: if there is one, `replay` answers with it, or 422 if the body differs; if
 * there is none, calls `go`. */
void idempotency_begin(struct context *ctx, void (*go)(struct context *ctx),
		       replay_receipt *replay);
/* Call it before ctx->visit.write is submitted: adds the receipt of the reply to it. False with a
 * 503 if out of memory. */
MUST_USE bool idempotency_keep(struct context *ctx);
/* The reply has this token (TOKEN_TEXT characters and a NUL), which is not stored: it goes into the
 * receipt. Any thread. */
void idempotency_token(struct context *ctx, const char *token);
/* If several processes write the store, a request with the same key may have come to another one at
 * the same time. The store takes the first receipt only, and a write with the same one is a
 * conflict. So the receipt is looked for again before a write is planned again, and before anything
 * is refused. */

/* Returns true if a write of the context was a conflict. */
MUST_USE bool idempotency_in_doubt(const struct context *ctx);
/* Entered again in doubt: answers with the receipt if there is one; else enters again, no longer in
 * doubt. */
void idempotency_find_again(struct context *ctx);
/* The reply is complete. False: it is the answer. True: it is a refusal; the receipt is looked for
 * once more, and the context is answered with that, or with this reply if there is no receipt. */
MUST_USE bool idempotency_doubts_refusal(struct context *ctx);
/* The context is answered: requests that waited for it go on. Called for every context with an
 * Idempotency-Key. */
void idempotency_end(struct context *ctx);

#endif
