/* core/solve/common/poll.h: whether a search goes on, and what the searches of one task share. */
#ifndef CORE_SOLVE_COMMON_POLL_H
#define CORE_SOLVE_COMMON_POLL_H

#include "cube/solve.h"

/* Returns true if the caller ends the search: by stop, nodes_max or carry_on, which is called. */
bool poll_stopped(const struct cube_solve_task *task, uint64_t nodes, int depth, int best);

/* Lowers *limit below what another search of the task has found. Returns whether that is short
 * enough for the task. */
bool poll_shared(const struct cube_solve_task *task, int *limit);
/* Reports a solution of that length: the other searches look for shorter ones. */
void poll_share(const struct cube_solve_task *task, int length);

#endif
