/* history_internal.h: the undo chain: two stacks of revisions, kept as runs. Private to
 * server/history. */
#ifndef SERVER_HISTORY_HISTORY_INTERNAL_H
#define SERVER_HISTORY_HISTORY_INTERNAL_H

#include "server/history/history.h"
#include "server/util/error.h"

/* history.c: a history of revision 0 whose cube is not set. NULL if out of memory. */
MUST_USE struct history *history_make(int size);

/* ---- chain.c ---- */

/* A run is an interval, first <= last, in both stacks. The top of `done` is the last run's `last`,
 * the top of `undone` is the last run's `first`. */

static inline uint64_t run_length(struct revision_run run)
{
	return (uint64_t)run.last - run.first + 1;
}

/* Makes an empty stack, which uses its own room at first. It must not be moved. */
void chain_init(struct revision_stack *stack);
void chain_finish(struct revision_stack *stack);
/* Makes room for `more` runs. False if out of memory. */
MUST_USE bool chain_reserve(struct revision_stack *stack, uint32_t more);
/* `to` is empty. False if out of memory. */
MUST_USE bool chain_copy(struct revision_stack *to, const struct revision_stack *from);
uint64_t chain_depth(const struct revision_stack *stack);
uint64_t chain_depth_upto(const struct revision_stack *stack, uint64_t most);

/* Room must be reserved. Adjacent runs become one. */
void chain_push_up(struct revision_stack *done, struct revision_run run);
void chain_push_down(struct revision_stack *undone, struct revision_run run);

/* Moves what is above `target` from `done` to `undone`, which needs room for chain_runs_above(). */
uint32_t chain_runs_above(const struct revision_stack *done, uint32_t target);
void chain_undo(struct revision_stack *done, struct revision_stack *undone, uint32_t target);
/* Moves what is up to `target` from `undone` to `done`, which needs room for chain_runs_upto(). */
uint32_t chain_runs_upto(const struct revision_stack *undone, uint32_t target);
void chain_redo(struct revision_stack *done, struct revision_stack *undone, uint32_t target);

#endif
