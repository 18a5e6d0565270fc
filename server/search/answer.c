/* answer.c: answering a question: the search, further solutions, and the check by turning. */
#include "server/search/answer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/pattern.h"
#include "server/search/goal_cache.h"
#include "server/search/listing.h"
#include "server/search/search.h"
#include "server/search/several.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

void solve_question_free(struct solve_question *question)
{
	free(question->cube);
	free(question->known.turns);
	if (question->goal)
		question->goal->destroy(question->goal);
	if (question->feed)
		feed_release(question->feed);
	question->feed = NULL;
	question->cube = NULL;
	question->known.turns = NULL;
	question->goal = NULL;
}

void solve_answer_free(struct solve_answer *answer)
{
	for (unsigned i = 0; i < answer->count; i++)
		free(answer->found[i].turns);
	free(answer->found);
	free(answer->steps);
	answer->found = NULL;
	answer->count = 0;
	answer->steps = NULL;
}

bool solve_by_goal(const struct cube_solver *solver, enum cube_solve_metric metric)
{
	return solver->size_min == 3 && solver->size_max == 3 &&
	       !cube_solver_counts(solver, metric);
}

bool solve_gives_several(const struct cube_solver *solver)
{
	return solver->lists > 0 || (!solver->stages && solver->size_max <= 3);
}

bool solve_takes_long(const struct solve_question *question)
{
	const struct cube_solver *solver = question->solver;
	const int size = question->cube->size;
	return size > 4 || question->improve || solver == &solve_goal_method ||
	       (size == 3 && solver->optimal) ||
	       (size == 3 && question->length_max > 0 && question->length_max < USUAL_LENGTH_3 &&
		!solver->teaches);
}

/* ---- the check ---- */

/* A copy of the cube, to be turned; NULL if out of memory. */
static struct cube *copy_of(const struct cube *cube)
{
	struct cube *copy = malloc(cube_bytes(cube->size));
	if (copy)
		cube_copy(copy, cube);
	return copy;
}

static bool solves(const struct cube *cube, struct cube *scratch, const struct cube_turn *turns,
		   size_t count)
{
	cube_copy(scratch, cube);
	cube_turn_all(scratch, turns, count);
	return cube_is_solved(scratch);
}

int solve_length(int size, enum cube_solve_metric metric, const struct cube_turn *turns,
		 size_t count)
{
	struct cube_metrics metrics;
	cube_turns_metrics(size, turns, count, &metrics);
	uint64_t length = cube_solve_metric_of(&metrics, metric);
	return length > INT_MAX ? INT_MAX : (int)length;
}

/* ---- one solution ---- */

/* Returns true if a 3x3x3 looks the same in another way to hold it, or in a mirror, apart from its
 * colours. */
static bool is_symmetric(const struct cube *cube)
{
	uint8_t colors[6 * 3 * 3];
	cube_colors(cube, colors);
	return cube_symmetry(cube->size, colors) > 1;
}

static struct search_task task_of(const struct solve_question *question,
				  const struct table_cache_tables *tables, uint64_t due_ns)
{
	const bool usual_3 = question->cube->size == 3 && !question->solver->teaches;
	struct search_task task = {.solver = question->solver,
				   .tables = *tables,
				   .cube = question->cube,
				   .metric = question->metric,
				   .length_max = question->length_max,
				   .first = question->lesson.first,
				   .due_ns = due_ns};
	if (question->improve || question->solver->optimal)
		task.length_enough = 0;
	else if (question->length_max > 0)
		task.length_enough = question->length_max;
	else if (!usual_3)
		task.length_enough = INT_MAX;
	else
		task.settle_nodes = SETTLE_NODES;
	if (task.settle_nodes > 0 && question->patient)
		task.length_enough = USUAL_LENGTH_3;
	task.settle_last_nodes = SETTLE_LAST_NODES;
	task.length_settled = USUAL_LENGTH_3;
	if (task.settle_nodes > 0 && is_symmetric(question->cube))
		task.settle_last_nodes = SETTLE_NODES;
	return task;
}

/* Uses the known turns if they solve the cube and are shorter than what was found, or if several
 * solutions are wanted. The answer of a method that teaches stays as it is. */
static void consider_known(const struct solve_question *question, struct cube *scratch,
			   struct solve_answer *answer)
{
	const struct solve_turns *known = &question->known;
	if (!known->turns || question->solver->teaches)
		return;
	int length =
		solve_length(question->cube->size, question->metric, known->turns, known->count);
	const bool shortest = answer->count == 0 || length < answer->found[0].length;
	if ((!shortest && question->solutions == 1) ||
	    (question->length_max > 0 && length > question->length_max) ||
	    !solves(question->cube, scratch, known->turns, known->count))
		return;
	struct cube_turn *turns = malloc((known->count + 1) * sizeof *turns);
	if (!turns)
		return;
	memcpy(turns, known->turns, known->count * sizeof *turns);
	if (shortest) {
		free(answer->steps);
		answer->steps = NULL;
		answer->step_count = 0;
	}
	answer->known =
		several_insert(question,
			       (struct solve_turns){
				       .turns = turns, .count = known->count, .length = length},
			       answer) &&
		shortest;
}

/* Returns true if the known turns are all that was requested, so that nothing needs to be
 * searched. */
static bool known_is_enough(const struct solve_question *question, struct cube *scratch)
{
	const struct solve_turns *known = &question->known;
	return known->turns && question->length_max > 0 && !question->improve &&
	       question->solutions == 1 && !question->solver->optimal &&
	       !question->solver->teaches &&
	       solve_length(question->cube->size, question->metric, known->turns, known->count) <=
		       question->length_max &&
	       solves(question->cube, scratch, known->turns, known->count);
}

/* ---- the whole ---- */

bool solve_is_right(const struct solve_question *question, const struct solve_scratch *scratch,
		    const struct solve_turns *found)
{
	if (question->goal)
		return solve_goal_reached(question->goal, question->cube, scratch, found);
	return solves(question->cube, scratch->cube, found->turns, found->count);
}

static enum solve_end check_found(const struct solve_question *question,
				  const struct solve_scratch *scratch,
				  const struct solve_answer *answer, enum solve_end end)
{
	for (unsigned i = 0; i < answer->count; i++) {
		if (solve_is_right(question, scratch, &answer->found[i]))
			continue;
		log_event(LOG_ERROR, "a solution does not solve its cube",
			  LOG_TEXT("method", question->solver->name),
			  LOG_NUMBER("size", question->cube->size),
			  LOG_NUMBER("turns", answer->found[i].count));
		return SOLVE_WRONG;
	}
	return end;
}

/* Makes what a check needs besides the caller's `scratch`; false if out of memory. scratch_free()
 * in either case. */
static bool scratch_make(struct solve_scratch *all, const struct solve_question *question,
			 struct cube *scratch)
{
	*all = (struct solve_scratch){.cube = scratch,
				      .other = copy_of(question->cube),
				      .colors = malloc(cube_facelets(question->cube->size))};
	return all->other && all->colors;
}

static void scratch_free(struct solve_scratch *all)
{
	free(all->other);
	free(all->colors);
}

static enum solve_end check_all(const struct solve_question *question, struct cube *scratch,
				const struct solve_answer *answer, enum solve_end end)
{
	struct solve_scratch all;
	end = scratch_make(&all, question, scratch) ? check_found(question, &all, answer, end)
						    : SOLVE_NO_MEMORY;
	scratch_free(&all);
	return end;
}

/* Without tables: the known turns, if any, are the answer, and of a solved cube no turns. A feed gets
 * nothing, and the answer is not complete then. */
static enum solve_end answer_without_search(const struct solve_question *question,
					    struct cube *scratch, struct solve_answer *answer,
					    enum solve_end end)
{
	const bool solved = !question->goal && !question->feed && cube_is_solved(question->cube);
	if (solved) {
		const struct solve_turns none = {.turns = malloc(sizeof *none.turns)};
		if (!none.turns || !several_insert(question, none, answer))
			return SOLVE_NO_MEMORY;
	}
	consider_known(question, scratch, answer);
	return check_all(question, scratch, answer, solved ? SOLVE_COMPLETE : end);
}

/* Waits without a slot for tables that are still being made. */
static enum table_cache_result wait_for_tables(struct table_cache *table_cache,
					       const struct solve_question *question,
					       const struct solve_control *control,
					       uint64_t *due_ns, struct table_cache_tables *tables,
					       struct solve_answer *answer)
{
	const struct table_cache_deadline deadline = {*due_ns, control->stop};
	const struct solve_schedule *schedule = control->schedule;
	const bool opening = schedule && table_cache_opening(table_cache, question->solver);
	if (opening)
		schedule->leave(schedule->context, 0);
	enum table_cache_result taken = table_cache_take(table_cache, question->solver,
							 control->waits ? NULL : &deadline, tables);
	if (opening)
		answer->waited_ns = schedule->enter(schedule->context, 0);
	*due_ns += answer->waited_ns;
	return taken;
}

/* All solutions, now that the shortest length is known. */
static enum solve_end feed_found(struct search_task *task, const struct solve_control *control,
				 const struct solve_question *question,
				 const struct search_result *result, struct cube *scratch,
				 struct solve_answer *answer, enum solve_end end)
{
	const int shortest = result->found.length;
	struct solve_scratch all;
	free(result->found.turns);
	if (!scratch_make(&all, question, scratch))
		end = SOLVE_NO_MEMORY;
	else if (end == SOLVE_COMPLETE && shortest >= 0)
		end = listing_feed(task, control, question, shortest, &all, answer);
	scratch_free(&all);
	return end;
}

static void free_result(struct search_result *result)
{
	free(result->found.turns);
	free(result->steps);
}

/* Adds what an earlier search with smaller tables did, and keeps its solution if that is shorter. */
static void add_before(struct search_result *result, struct search_result *before)
{
	result->nodes += before->nodes;
	result->waited_ns += before->waited_ns;
	if (result->bound < before->bound)
		result->bound = before->bound;
	if (before->found.length < 0 ||
	    (result->found.length >= 0 && result->found.length <= before->found.length)) {
		free_result(before);
		return;
	}
	free_result(result);
	result->found = before->found;
	result->steps = before->steps;
	result->step_count = before->step_count;
	result->step_turns = before->step_turns;
}

/* Once more whenever there are larger tables. */
static enum solve_end run_growing(struct table_cache *table_cache, struct search_task *task,
				  const struct solve_control *control, struct search_result *result)
{
	const struct table_cache_deadline now = {0, control->stop};
	struct search_task again = *task;
	enum solve_end end = search_run(&again, control, result);
	while (end == SOLVE_STOPPED && result->outgrown) {
		struct search_result before = *result;
		again.due_ns = task->due_ns + before.waited_ns;
		again.grown = table_cache_grown(table_cache);
		if (table_cache_take(table_cache, task->solver, &now, &again.tables) !=
		    TABLE_CACHE_READY)
			return end;
		end = search_run(&again, control, result);
		add_before(result, &before);
	}
	task->tables = again.tables;
	return end;
}

/* For shortest solutions. */
static void let_grow(struct table_cache *table_cache, const struct solve_question *question,
		     unsigned grown, struct search_task *task)
{
	if (!question->solver->optimal)
		return;
	task->table_cache = table_cache;
	task->grow_ns = monotonic_ns() + SOLVE_GROW_NS;
	task->grown = grown;
}

/* The goal that the question asks for. NULL: nothing is searched, and *end is how it ended. */
static struct kept *take_goal(struct kept_cache *goals, const struct solve_question *question,
			      const struct solve_control *control, uint64_t due_ns,
			      struct cube *scratch, struct solve_answer *answer,
			      enum solve_end *end)
{
	const struct table_cache_deadline deadline = {control->waits ? UINT64_MAX : due_ns,
						      control->stop};
	bool over;
	if (solve_goal_never(question->goal, question->cube, scratch)) {
		answer->bound = CUBE_GOAL_NEVER;
		*end = SOLVE_COMPLETE;
		return NULL;
	}
	struct kept *goal = goal_cache_take(goals, question->goal, question->cube, question->metric,
					    &deadline, &over);
	if (!goal)
		*end = over ? answer_without_search(question, scratch, answer, SOLVE_STOPPED)
			    : SOLVE_NO_MEMORY;
	return goal;
}

/* Notes what the search used and found out, besides solutions. */
static void note_search(const struct search_task *task, const struct search_result *result,
			struct solve_answer *answer)
{
	answer->tables = task->tables.row;
	answer->waited_ns += result->waited_ns;
	answer->bound = result->bound;
	answer->nodes = result->nodes;
	answer->steps = result->steps;
	answer->step_count = result->step_count;
	answer->step_turns = result->step_turns;
}

static enum solve_end search_answer(struct table_cache *table_cache,
				    const struct solve_question *question,
				    const struct solve_control *control, uint64_t due_ns,
				    struct cube *scratch, struct solve_answer *answer)
{
	struct table_cache_tables tables;
	struct kept_cache *goals = table_cache_goals(table_cache);
	const unsigned grown = table_cache_grown(table_cache); /* before tables are taken */
	if (known_is_enough(question, scratch))
		return answer_without_search(question, scratch, answer, SOLVE_COMPLETE);
	enum table_cache_result taken =
		wait_for_tables(table_cache, question, control, &due_ns, &tables, answer);
	if (taken == TABLE_CACHE_NOT_YET) /* the time is over */
		return answer_without_search(question, scratch, answer, SOLVE_STOPPED);
	if (taken != TABLE_CACHE_READY)
		return taken == TABLE_CACHE_MISSING ? SOLVE_NO_TABLES : SOLVE_NO_MEMORY;
	struct kept *goal = NULL;
	enum solve_end end;
	if (question->solver == &solve_goal_method) {
		goal = take_goal(goals, question, control, due_ns, scratch, answer, &end);
		if (!goal)
			return end;
		tables.tables = kept_goal_tables(goal);
	}
	struct search_task task = task_of(question, &tables, due_ns);
	struct search_result result;
	let_grow(table_cache, question, grown, &task);
	end = run_growing(table_cache, &task, control, &result);
	answer->growing = table_cache_growing(table_cache, question->solver);
	note_search(&task, &result, answer);
	task.table_cache = NULL;
	task.due_ns += result.waited_ns;
	task.settle_nodes = 0;
	if (question->feed)
		end = feed_found(&task, control, question, &result, scratch, answer, end);
	else if (result.found.length < 0)
		free(result.found.turns);
	else if (!several_insert(question, result.found, answer))
		end = SOLVE_NO_MEMORY;
	if (end == SOLVE_COMPLETE && answer->count > 0 && question->solutions > 1 &&
	    !question->feed)
		end = several_find(table_cache, &task, control, question, scratch, answer);
	kept_cache_release(goals, goal);
	if (end == SOLVE_NO_MEMORY)
		return end;
	consider_known(question, scratch, answer);
	return check_all(question, scratch, answer, end);
}

enum solve_end solve_answer(struct table_cache *table_cache, const struct solve_question *question,
			    const struct solve_control *control, struct solve_answer *answer)
{
	const uint64_t began_ns = monotonic_ns();
	const uint64_t due_ns = began_ns + (uint64_t)question->timeout_ms * 1000000u;
	struct cube *scratch = copy_of(question->cube);
	*answer = (struct solve_answer){0};
	enum solve_end end =
		scratch ? search_answer(table_cache, question, control, due_ns, scratch, answer)
			: SOLVE_NO_MEMORY;
	free(scratch);
	answer->took_ns = monotonic_ns() - began_ns - answer->waited_ns;
	return end;
}
