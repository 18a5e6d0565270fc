/* fair.h: fairness among those who turn one cube: whose turn it is, whose entries may be taken
 * back, and when a change that was made on an older revision fits all the same.
 *
 * Turn policies look at the newest entry in force, the one that undo would take back: so who takes
 * his own turn back may turn again. Undo and redo are no turns. ALTERNATE: not the one who made it.
 * ROUND_ROBIN: the next after him of those who may turn, in the order of their tokens; before the
 * first entry anybody. Those without a token are one actor, 0, and come first.
 *
 * Rebase. Turns about one axis can be done in any order. So where all turns that were missed and
 * all that come are about the same axis, it does not matter that they were missed. */
#ifndef SERVER_API_FAIR_H
#define SERVER_API_FAIR_H

#include "server/api/turning.h"

enum fair_turn { FAIR_HIS, FAIR_OTHERS, FAIR_UNKNOWN };

/* Whether it is the work's turn, by the head of its session; UNKNOWN: the store must be asked whose
 * the newest entry in force is. */
enum fair_turn fair_turn(const struct work *work);
/* The same, that entry being of `actor`. */
enum fair_turn fair_turn_after(const struct work *work, uint32_t actor);
/* Makes the reply the 403 that says whose turn it is. */
void fair_refuse(struct work *work, uint32_t actor);

/* On a reader's thread, with the head as work->snapshot: who made the newest entry in force. */
enum store_status fair_read_actor(struct work *work, struct store_reader *reader, uint32_t *actor);
/* The axes that the turns after revision `seen` are about, as bits; all three where that cannot be
 * told, or there are too many. */
enum store_status fair_read_axes(struct work *work, struct store_reader *reader, uint32_t seen,
				 unsigned *axes);
/* The axes of turns, as bits. */
unsigned fair_axes(const struct cube_turn *turns, size_t count);
/* Whether turns about these axes can be done in any order. */
bool fair_axes_agree(unsigned axes);

#endif
