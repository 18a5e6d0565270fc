/* turn_policy.h: fairness among the clients that turn one cube: whose turn it is, and when a change
 * made on an older revision still fits.
 *
 * Turn policies look at the newest entry in force, the one that undo would take back: so actors who
 * undo their own entry may turn again. Undo and redo are not turns. ALTERNATE: anyone but the actor
 * of that entry. ROUND_ROBIN: the next actor after that one among those with permission to turn, in
 * the order of their tokens; before the first entry anyone. All clients without a token are one
 * actor, 0, which comes first. A token without a label that has valid guests is left out: it is a
 * link, and the people who opened it play with tokens of their own.
 *
 * Rebase. Turns about one axis commute. So if all missed turns and all new ones are about the same
 * axis, it does not matter that they were missed. */
#ifndef SERVER_API_SESSIONS_TURN_POLICY_H
#define SERVER_API_SESSIONS_TURN_POLICY_H

#include "server/api/sessions/append.h"
#include "server/util/error.h"

/* Returns true if it is the context's turn, judged by the head of its session. */
MUST_USE bool turn_policy_allows(const struct context *ctx);
/* Makes the reply the 403 that says whose turn it is. */
void turn_policy_refuse(struct context *ctx);

/* On a reader's thread, with the head as ctx->visit.snapshot: the axes of the turns after revision
 * `seen`, as bits; all three if they are unknown or there are too many. */
MUST_USE enum store_status turn_policy_read_axes(struct context *ctx, struct store_reader *reader,
						 uint32_t seen, unsigned *axes);
/* The axes of turns, as bits. */
unsigned turn_axes(const struct cube_turn *turns, size_t count);
/* Returns true if turns about these axes commute. */
MUST_USE bool turn_axes_agree(unsigned axes);

#endif
