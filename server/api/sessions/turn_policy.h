/* turn_policy.h: fairness among those who turn one cube: whose turn it is, whose entries may be taken
 * back, and when a change that was made on an older revision fits all the same.
 *
 * Turn policies look at the newest entry in force, the one that undo would take back: so who takes
 * his own turn back may turn again. Undo and redo are no turns. ALTERNATE: not the one who made it.
 * ROUND_ROBIN: the next after him of those who may turn, in the order of their tokens; before the
 * first entry anybody. Those without a token are one actor, 0, and come first.
 *
 * Rebase. Turns about one axis can be done in any order. So where all turns that were missed and
 * all that come are about the same axis, it does not matter that they were missed. */
#ifndef SERVER_API_SESSIONS_TURN_POLICY_H
#define SERVER_API_SESSIONS_TURN_POLICY_H

#include "server/api/sessions/append.h"

enum turn_policy_next { TURN_OWN, TURN_OTHERS, TURN_UNKNOWN };

/* Whether it is the context's turn, by the head of its session; UNKNOWN: the store must be asked whose
 * the newest entry in force is. */
enum turn_policy_next turn_policy_next(const struct context *ctx);
/* The same, that entry being of `actor`. */
enum turn_policy_next turn_policy_next_after(const struct context *ctx, uint32_t actor);
/* Makes the reply the 403 that says whose turn it is. */
void turn_policy_refuse(struct context *ctx, uint32_t actor);

/* On a reader's thread, with the head as ctx->visit.snapshot: who made the newest entry in force. */
enum store_status turn_policy_read_actor(struct context *ctx, struct store_reader *reader,
					 uint32_t *actor);
/* The axes that the turns after revision `seen` are about, as bits; all three where that cannot be
 * told, or there are too many. */
enum store_status turn_policy_read_axes(struct context *ctx, struct store_reader *reader,
					uint32_t seen, unsigned *axes);
/* The axes of turns, as bits. */
unsigned turn_axes(const struct cube_turn *turns, size_t count);
/* Whether turns about these axes can be done in any order. */
bool turn_axes_agree(unsigned axes);

#endif
