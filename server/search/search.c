/* search.c: one search by one method: its memory, its clock, and the threads that share it. */
#include "cube/cube.h"
#include "server/search/search.h"

#include <pthread.h>
#include <stdlib.h>

#include "server/util/monotonic.h"

/* Steps of a solution that are listed. */
#define STEPS_MAX 4096
/* Threads of one search. */
#define PARTS_MAX 64

/* The state that the parts of a search that lists share. */
struct search_list {
	pthread_mutex_t lock;
	atomic_bool over; /* no more are wanted */
};

/* The part of a search that one thread does. */
struct search_part {
	const struct search_task *task;
	struct search_list *list;
	const struct solve_control *control;
	struct cube_solve_shared *shared; /* NULL: it is the only part */
	unsigned unit, step;
	unsigned slot;      /* the one that it runs in: its own, or that of part 0 */
	uint64_t waited_ns; /* for slots */
	uint64_t reported;  /* nodes already added to the progress */
	void *work;
	bool settled; /* it ended because its solution is short enough by now */
	bool asked;   /* for larger tables */
	bool outgrown;
	struct cube_solution solution;
	enum cube_solve_end end;
	pthread_t thread;
	bool started;
};

static void lower_best(_Atomic int *best, int length)
{
	int before = atomic_load_explicit(best, memory_order_relaxed);
	while (length >= 0 && (before < 0 || length < before))
		if (atomic_compare_exchange_weak(best, &before, length))
			break;
}

/* Returns true if the best solution so far need not get shorter. */
static bool is_settled(const struct search_part *part, const struct cube_solve_progress *progress)
{
	const struct search_task *task = part->task;
	int best = progress->best;
	if (task->settle_nodes == 0 || progress->nodes < task->settle_nodes)
		return false;
	if (part->shared)
		best = atomic_load_explicit(&part->shared->best, memory_order_relaxed) - 1;
	return best >= 0 &&
	       (best <= task->length_settled || progress->nodes >= task->settle_last_nodes);
}

static bool is_outgrown(struct search_part *part, uint64_t now_ns)
{
	const struct search_task *task = part->task;
	if (!task->table_cache)
		return false;
	if (!part->asked && now_ns >= task->grow_ns + part->waited_ns) {
		part->asked = true;
		table_cache_grow(task->table_cache, task->solver);
	}
	return table_cache_grown(task->table_cache) != task->grown;
}

static bool carry_on(void *context, const struct cube_solve_progress *progress)
{
	struct search_part *part = context;
	struct solve_progress *all = part->control->progress;
	atomic_fetch_add_explicit(&all->nodes, progress->nodes - part->reported,
				  memory_order_relaxed);
	part->reported = progress->nodes;
	if (progress->depth > atomic_load_explicit(&all->depth, memory_order_relaxed))
		atomic_store_explicit(&all->depth, progress->depth, memory_order_relaxed);
	lower_best(&all->best, progress->best);
	const struct solve_schedule *schedule = part->control->schedule;
	if (schedule && schedule->wanted(schedule->context, part->slot))
		part->waited_ns += schedule->yield(schedule->context, part->slot);
	part->settled = is_settled(part, progress) ||
			atomic_load_explicit(&part->list->over, memory_order_relaxed);
	const uint64_t now_ns = monotonic_ns();
	if (part->settled || now_ns >= part->task->due_ns + part->waited_ns)
		return false;
	part->outgrown = is_outgrown(part, now_ns);
	return !part->outgrown;
}

static void part_enter(struct search_part *part);
static void part_leave(const struct search_part *part);

/* Reports news of the feed, and waits while it is full: its time counts, but it needs no slot. */
static void wait_for_reader(struct search_part *part)
{
	const struct solve_control *control = part->control;
	struct solve_feed *feed = part->task->feed;
	if (control->notify && feed_has_news(feed))
		control->notify(control->notify_context);
	if (!control->schedule || !feed_is_full(feed))
		return;
	part_leave(part);
	feed_wait(feed, control->stop, part->task->due_ns + part->waited_ns);
	part_enter(part);
}

static bool pass_on(void *context, const struct cube_turn *turns, size_t count)
{
	struct search_part *part = context;
	const struct solve_turns found = {.turns = (struct cube_turn *)turns,
					  .count = count,
					  .inverse = part->solution.inverse,
					  .length = part->task->length_max};
	pthread_mutex_lock(&part->list->lock);
	if (!atomic_load(&part->list->over) && !part->task->each(part->task->each_context, &found))
		atomic_store(&part->list->over, true);
	pthread_mutex_unlock(&part->list->lock);
	if (part->task->feed)
		wait_for_reader(part);
	return !atomic_load(&part->list->over);
}

static void search_over(const struct solve_control *control, bool over)
{
	if (control->schedule)
		control->schedule->over(control->schedule->context, over);
}

static void part_search(struct search_part *part)
{
	const struct search_task *task = part->task;
	const struct cube_solve_task solve = {.cube = task->cube,
					      .metric = task->metric,
					      .length_max = task->length_max,
					      .length_enough = task->length_enough,
					      .nodes_max = task->nodes_max,
					      .stop = part->control->stop,
					      .carry_on = carry_on,
					      .context = part,
					      .first = task->first,
					      .shared = part->shared,
					      .unit = part->unit,
					      .step = part->step,
					      .base = task->tables.base,
					      .work = part->work,
					      .each = task->each ? pass_on : NULL,
					      .each_context = part};
	part->end = task->solver->solve(task->tables.tables, &solve, &part->solution);
	atomic_fetch_add_explicit(&part->control->progress->nodes,
				  part->solution.nodes - part->reported, memory_order_relaxed);
	lower_best(&part->control->progress->best, part->solution.length);
	if (part->shared && part->end == CUBE_SOLVE_ENOUGH)
		search_over(part->control, true);
}

static void part_enter(struct search_part *part)
{
	const struct solve_schedule *schedule = part->control->schedule;
	if (schedule)
		part->waited_ns += schedule->enter(schedule->context, part->slot);
}

static void part_leave(const struct search_part *part)
{
	const struct solve_schedule *schedule = part->control->schedule;
	if (schedule)
		schedule->leave(schedule->context, part->slot);
}

static void *part_main(void *argument)
{
	struct search_part *part = argument;
	part->slot = part->unit;
	part_enter(part);
	part_search(part);
	part_leave(part);
	return NULL;
}

static void part_free(struct search_part *part)
{
	free(part->work);
	free(part->solution.turns);
	free(part->solution.steps);
	part->work = NULL;
	part->solution.turns = NULL;
	part->solution.steps = NULL;
}

/* Allocates all the memory that it needs. */
static bool part_prepare(struct search_part *part)
{
	const struct cube_solver *solver = part->task->solver;
	const int size = part->task->cube->size;
	const size_t room = solver->room ? solver->room(size) : CUBE_SOLUTION_MAX;
	const size_t work = solver->work_bytes ? CUBE_SOLVE_ALIGNED(solver->work_bytes(size)) : 0;
	part->solution = (struct cube_solution){.room = room, .length = -1};
	part->solution.turns = malloc((room + 1) * sizeof *part->solution.turns);
	if (solver->stages) {
		part->solution.step_room = STEPS_MAX;
		part->solution.steps = calloc(STEPS_MAX, sizeof *part->solution.steps);
	}
	part->work = work > 0 ? aligned_alloc(CUBE_SOLVE_ALIGN, work) : NULL;
	if (part->solution.turns && (!solver->stages || part->solution.steps) &&
	    (work == 0 || part->work))
		return true;
	part_free(part);
	return false;
}

/* If memory or threads do not suffice for a part, the others do its work. */
static unsigned prepare_parts(struct search_part *parts, const struct search_task *task,
			      const struct solve_control *control, struct cube_solve_shared *shared,
			      struct search_list *list)
{
	unsigned most =
		task->solver->units < control->threads ? task->solver->units : control->threads;
	unsigned count = 0;
	most = most < 1 ? 1 : most < PARTS_MAX ? most : PARTS_MAX;
	for (; count < most; count++) {
		parts[count] = (struct search_part){
			.task = task, .list = list, .control = control, .unit = count};
		if (!part_prepare(&parts[count]))
			break;
	}
	for (unsigned i = 0; i < count && count > 1; i++) {
		parts[i].step = count;
		parts[i].shared = shared;
	}
	return count;
}

/* While this thread only waits for the others, one of them may have its slot; if it has found what is
 * enough, they end without one. */
static void run_parts(struct search_part *parts, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		parts[i].started =
			pthread_create(&parts[i].thread, NULL, part_main, &parts[i]) == 0;
	part_search(&parts[0]);
	for (unsigned i = 1; i < count; i++)
		if (!parts[i].started)
			part_search(&parts[i]);
	if (count == 1)
		return;
	if (parts[0].end != CUBE_SOLVE_ENOUGH)
		part_leave(&parts[0]);
	for (unsigned i = 1; i < count; i++)
		if (parts[i].started)
			pthread_join(parts[i].thread, NULL);
	search_over(parts[0].control, false);
	part_enter(&parts[0]);
}

/* The best solution, and what holds for all parts. */
static enum solve_end gather(struct search_part *parts, unsigned count,
			     struct search_result *result)
{
	bool stopped = false, enough = false;
	struct search_part *best = &parts[0];
	result->bound = parts[0].solution.bound;
	result->waited_ns = parts[0].waited_ns;
	for (unsigned i = 0; i < count; i++) {
		const struct cube_solution *solution = &parts[i].solution;
		stopped |= parts[i].end == CUBE_SOLVE_STOPPED && !parts[i].settled;
		enough |= parts[i].end == CUBE_SOLVE_ENOUGH;
		result->outgrown |= parts[i].outgrown;
		result->nodes += solution->nodes;
		if (i > 0 && !parts[i].started)
			result->waited_ns += parts[i].waited_ns;
		if (solution->bound < result->bound)
			result->bound = solution->bound;
		if (solution->length >= 0 &&
		    (best->solution.length < 0 || solution->length < best->solution.length))
			best = &parts[i];
	}
	result->found = (struct solve_turns){.turns = best->solution.turns,
					     .count = best->solution.count,
					     .inverse = best->solution.inverse,
					     .length = best->solution.length};
	result->steps = best->solution.steps;
	result->step_count = best->solution.step_count;
	result->step_turns = best->solution.step_turns;
	best->solution.turns = NULL;
	best->solution.steps = NULL;
	if (result->found.length >= 0 && !stopped && parts[0].task->solver->optimal)
		result->bound = result->found.length;
	result->outgrown &= stopped && !enough;
	return stopped && !enough ? SOLVE_STOPPED : SOLVE_COMPLETE;
}

enum solve_end search_run(const struct search_task *task, const struct solve_control *control,
			  struct search_result *result)
{
	struct search_part parts[PARTS_MAX];
	struct cube_solve_shared shared = {0};
	struct search_list list = {.lock = PTHREAD_MUTEX_INITIALIZER};
	*result = (struct search_result){.found = {.length = -1}};
	unsigned count = prepare_parts(parts, task, control, &shared, &list);
	if (count == 0)
		return SOLVE_NO_MEMORY;
	run_parts(parts, count);
	enum solve_end end = gather(parts, count, result);
	for (unsigned i = 0; i < count; i++)
		part_free(&parts[i]);
	return end;
}
