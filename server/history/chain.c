/* chain.c: the undo chain: two stacks of revisions, kept as runs. */
#include "server/history/history_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void chain_init(struct revision_stack *stack)
{
	stack->runs = stack->near;
	stack->count = 0;
	stack->capacity = REVISION_RUNS_NEAR;
}

void chain_finish(struct revision_stack *stack)
{
	if (stack->runs != stack->near)
		free(stack->runs);
}

bool chain_reserve(struct revision_stack *stack, uint32_t more)
{
	if (more <= stack->capacity - stack->count)
		return true;
	if (more > UINT32_MAX / 4 || stack->capacity > UINT32_MAX / 4)
		return false;
	uint32_t capacity = stack->capacity * 2;
	if (capacity < stack->count + more)
		capacity = stack->count + more;
	const bool near = stack->runs == stack->near;
	struct revision_run *runs = realloc(near ? NULL : stack->runs, capacity * sizeof(*runs));
	if (runs == NULL)
		return false;
	if (near)
		memcpy(runs, stack->near, stack->count * sizeof(*runs));
	stack->runs = runs;
	stack->capacity = capacity;
	return true;
}

bool chain_copy(struct revision_stack *to, const struct revision_stack *from)
{
	if (!chain_reserve(to, from->count))
		return false;
	memcpy(to->runs, from->runs, from->count * sizeof(*to->runs));
	to->count = from->count;
	return true;
}

uint64_t chain_depth(const struct revision_stack *stack)
{
	uint64_t depth = 0;
	for (uint32_t i = 0; i < stack->count; i++)
		depth += run_length(stack->runs[i]);
	return depth;
}

uint64_t chain_depth_upto(const struct revision_stack *stack, uint64_t most)
{
	uint64_t depth = 0;
	for (uint32_t i = stack->count; i-- > 0 && depth < most;)
		depth += run_length(stack->runs[i]);
	return depth < most ? depth : most;
}

static struct revision_run *top_run(struct revision_stack *stack)
{
	return &stack->runs[stack->count - 1];
}

void chain_push_up(struct revision_stack *done, struct revision_run run)
{
	if (done->count > 0 && top_run(done)->last + 1 == run.first) {
		top_run(done)->last = run.last;
		return;
	}
	assert(done->count < done->capacity);
	done->runs[done->count++] = run;
}

void chain_push_down(struct revision_stack *undone, struct revision_run run)
{
	if (undone->count > 0 && run.last + 1 == top_run(undone)->first) {
		top_run(undone)->first = run.first;
		return;
	}
	assert(undone->count < undone->capacity);
	undone->runs[undone->count++] = run;
}

uint32_t chain_runs_above(const struct revision_stack *done, uint32_t target)
{
	uint32_t runs = 0;
	while (runs < done->count && done->runs[done->count - 1 - runs].last > target)
		runs++;
	return runs;
}

void chain_undo(struct revision_stack *done, struct revision_stack *undone, uint32_t target)
{
	while (done->count > 0 && top_run(done)->last > target) {
		struct revision_run run = *top_run(done);
		if (run.first > target) {
			done->count--;
		} else {
			top_run(done)->last = target;
			run.first = target + 1;
		}
		chain_push_down(undone, run);
	}
}

uint32_t chain_runs_upto(const struct revision_stack *undone, uint32_t target)
{
	uint32_t runs = 0;
	while (runs < undone->count && undone->runs[undone->count - 1 - runs].first <= target)
		runs++;
	return runs;
}

void chain_redo(struct revision_stack *done, struct revision_stack *undone, uint32_t target)
{
	while (undone->count > 0 && top_run(undone)->first <= target) {
		struct revision_run run = *top_run(undone);
		if (run.last <= target) {
			undone->count--;
		} else {
			top_run(undone)->first = target + 1;
			run.last = target;
		}
		chain_push_up(done, run);
	}
}
