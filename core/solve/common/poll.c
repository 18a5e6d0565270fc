/* core/solve/common/poll.c: asking the caller, and the other searches of a task. */
#include "core/solve/common/poll.h"

bool poll_stopped(const struct cube_solve_task *task, uint64_t nodes, int depth, int best)
{
	const struct cube_solve_progress progress = {.nodes = nodes, .depth = depth, .best = best};
	return (task->stop && atomic_load_explicit(task->stop, memory_order_relaxed)) ||
	       (task->nodes_max > 0 && nodes >= task->nodes_max) ||
	       (task->carry_on && !task->carry_on(task->context, &progress));
}

bool poll_shared(const struct cube_solve_task *task, int *limit)
{
	if (!task->shared)
		return false;
	int best = atomic_load_explicit(&task->shared->best, memory_order_relaxed) - 1;
	if (best >= 0 && best <= *limit)
		*limit = best - 1;
	return best >= 0 && best <= task->length_enough;
}

void poll_share(const struct cube_solve_task *task, int length)
{
	if (!task->shared)
		return;
	_Atomic int *best = &task->shared->best;
	int seen = atomic_load(best);
	while ((seen == 0 || seen > length + 1) &&
	       !atomic_compare_exchange_weak(best, &seen, length + 1))
		continue;
}
