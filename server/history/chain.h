/* chain.h: a history as it begins; its undo chain, which is stacks of revisions kept as runs.
 * Private to server/history. */
#ifndef SERVER_HISTORY_CHAIN_H
#define SERVER_HISTORY_CHAIN_H

#include "server/history/history.h"
#include "server/util/error.h"

/* A history of revision 0 whose cube is not filled in. NULL if out of memory. */
MUST_USE struct history *history_make(int size);

/* A run is an interval, first <= last, in both stacks. The top of `done` is the last run's `last`,
 * the top of `undone` is the last run's `first`. */

/* Begins an empty stack, with the room that it has by itself. It is not to be moved. */
void chain_init(struct revision_stack *stack);
void chain_finish(struct revision_stack *stack);
/* Makes room for `more` runs. False if out of memory. */
MUST_USE bool chain_reserve(struct revision_stack *stack, uint32_t more);
/* Into one that has begun and is empty. */
MUST_USE bool chain_copy(struct revision_stack *to, const struct revision_stack *from);
uint64_t chain_depth(const struct revision_stack *stack);

/* Room was reserved. Neighbouring runs become one. */
void chain_push_up(struct revision_stack *done, struct revision_run run);
void chain_push_down(struct revision_stack *undone, struct revision_run run);

/* Takes back what is above `target` in `done`; room in `undone` for chain_runs_above. */
uint32_t chain_runs_above(const struct revision_stack *done, uint32_t target);
void chain_undo(struct revision_stack *done, struct revision_stack *undone, uint32_t target);
/* Brings back what is up to `target` in `undone`; room in `done` for chain_runs_upto. */
uint32_t chain_runs_upto(const struct revision_stack *undone, uint32_t target);
void chain_redo(struct revision_stack *done, struct revision_stack *undone, uint32_t target);

#endif
