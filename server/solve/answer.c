/* answer.c: a question asked: what it takes, further solutions, and the check by turning. */
#include "server/solve/answer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cube/algorithm.h"
#include "server/solve/goal.h"
#include "server/solve/search.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

/* Every 3x3x3 has a solution of 20 turns; two_phase finds one of 21 within milliseconds. */
#define NEAR_ENOUGH_3 21
/* How much longer further solutions may be than the shortest ones, for methods that prove. */
#define SLACK_MAX 2

void solve_question_free(struct solve_question *question)
{
	free(question->cube);
	free(question->known.turns);
	if (question->goal)
		question->goal->destroy(question->goal);
	question->cube = NULL;
	question->known.turns = NULL;
	question->goal = NULL;
}

void solve_answer_free(struct solve_answer *answer)
{
	for (unsigned i = 0; i < answer->count; i++)
		free(answer->found[i].turns);
	free(answer->steps);
	answer->count = 0;
	answer->steps = NULL;
}

bool solve_gives_several(const struct cube_solver *solver)
{
	return !solver->stages && solver->size_max <= 3;
}

bool solve_takes_long(const struct solve_question *question)
{
	const struct cube_solver *solver = question->solver;
	const int size = question->cube->size;
	return size > 4 || question->improve || solver == &solve_goal_method ||
	       (size == 3 && solver->optimal) ||
	       (size == 3 && question->length_max > 0 && question->length_max < NEAR_ENOUGH_3 &&
		!solver->stages);
}

/* ---- the check ---- */

/* A copy of the cube, to be turned; NULL when memory is out. */
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
	uint64_t length = metric == CUBE_SOLVE_QTM ? metrics.qtm : metrics.htm;
	return length > INT_MAX ? INT_MAX : (int)length;
}

/* ---- one solution ---- */

static struct search_task task_of(const struct solve_question *question,
				  const struct bank_tables *tables, uint64_t due_ns)
{
	const int size = question->cube->size;
	struct search_task task = {.solver = question->solver,
				   .tables = *tables,
				   .cube = question->cube,
				   .metric = question->metric,
				   .length_max = question->length_max,
				   .due_ns = due_ns};
	if (question->improve || question->solver->optimal)
		task.length_enough = 0;
	else if (question->length_max > 0)
		task.length_enough = question->length_max;
	else
		task.length_enough = size == 3 ? NEAR_ENOUGH_3 : INT_MAX;
	return task;
}

/* The known turns, where they solve it and are shorter than what was found; but the answer of a
 * method that teaches stays. */
static void consider_known(const struct solve_question *question, struct cube *scratch,
			   struct solve_answer *answer)
{
	const struct solve_turns *known = &question->known;
	struct solve_turns *best = &answer->found[0];
	if (!known->turns || question->solver->teaches)
		return;
	int length =
		solve_length(question->cube->size, question->metric, known->turns, known->count);
	if ((answer->count > 0 && length >= best->length) ||
	    (question->length_max > 0 && length > question->length_max) ||
	    !solves(question->cube, scratch, known->turns, known->count))
		return;
	struct cube_turn *turns = malloc((known->count + 1) * sizeof *turns);
	if (!turns)
		return;
	memcpy(turns, known->turns, known->count * sizeof *turns);
	if (answer->count > 0)
		free(best->turns);
	free(answer->steps);
	answer->steps = NULL;
	answer->step_count = 0;
	*best = (struct solve_turns){turns, known->count, length};
	answer->count = answer->count > 0 ? answer->count : 1;
	answer->known = true;
}

/* ---- further ones ---- */

/* Turns side by side of opposite faces may stand in either order: this is the one. */
static void put_in_order(struct solve_turns *found)
{
	for (size_t i = 1; i < found->count; i++) {
		struct cube_turn *a = &found->turns[i - 1], *b = &found->turns[i];
		if (a->face % 3 == b->face % 3 && a->face > b->face) {
			struct cube_turn turn = *a;
			*a = *b;
			*b = turn;
		}
	}
}

static bool same_turns(const struct solve_turns *a, const struct solve_turns *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->turns[i].face != b->turns[i].face || a->turns[i].from != b->turns[i].from ||
		    a->turns[i].to != b->turns[i].to ||
		    (a->turns[i].quarters & 3) != (b->turns[i].quarters & 3))
			return false;
	return true;
}

/* Takes the turns over, by length, unless they are there. */
static void insert(struct solve_answer *answer, struct solve_turns found, unsigned most)
{
	unsigned at = answer->count;
	put_in_order(&found);
	for (unsigned i = 0; i < answer->count; i++)
		if (same_turns(&answer->found[i], &found)) {
			free(found.turns);
			return;
		}
	while (at > 0 && answer->found[at - 1].length > found.length)
		at--;
	if (at >= most) {
		free(found.turns);
		return;
	}
	if (answer->count == most)
		free(answer->found[--answer->count].turns);
	memmove(&answer->found[at + 1], &answer->found[at],
		(answer->count - at) * sizeof answer->found[0]);
	answer->found[at] = found;
	answer->count++;
}

/* Whether a solution goes on with a turn that its first one could be merged with. */
static bool merges(struct cube_turn first, const struct solve_turns *rest)
{
	for (size_t i = 0; i < rest->count && rest->turns[i].face % 3 == first.face % 3; i++)
		if (rest->turns[i].face == first.face)
			return true;
	return false;
}

/* The one that begins with that turn; SOLVE_COMPLETE also where there is none so short. */
static enum solve_end begin_with(struct search_task *task, const struct solve_control *control,
				 struct cube_turn first, struct cube *cube,
				 struct solve_answer *answer, unsigned most)
{
	struct search_result result;
	const struct cube *asked = task->cube;
	cube_copy(cube, asked);
	cube_turn(cube, first);
	task->cube = cube;
	enum solve_end end = search_run(task, control, &result);
	task->cube = asked;
	answer->nodes += result.nodes;
	free(result.steps);
	if (result.found.length < 0 || merges(first, &result.found)) {
		free(result.found.turns);
		return end;
	}
	/* There is room for one more: search_run leaves it. */
	memmove(result.found.turns + 1, result.found.turns,
		result.found.count * sizeof *result.found.turns);
	result.found.turns[0] = first;
	result.found.count++;
	result.found.length =
		solve_length(asked->size, task->metric, result.found.turns, result.found.count);
	insert(answer, result.found, most);
	return end;
}

/* The best solutions by their first turn. */
static enum solve_end find_others(struct search_task *task, const struct solve_control *control,
				  const struct solve_question *question, struct cube *scratch,
				  struct solve_answer *answer)
{
	const int size = question->cube->size, shortest = answer->found[0].length;
	const bool proves = question->solver->optimal;
	enum solve_end end = SOLVE_COMPLETE;
	task->length_enough =
		proves ? 0 : (shortest > NEAR_ENOUGH_3 ? shortest : NEAR_ENOUGH_3) - 1;
	for (int slack = 0; slack <= (proves ? SLACK_MAX : 0); slack++) {
		for (int i = 0; i < (size == 2 ? 3 : CUBE_FACES) * 3; i++) {
			const int quarters = i % 3 == 2 ? -1 : i % 3 + 1;
			const struct cube_turn first = cube_turn_make(size, i / 3, 1, 1, quarters);
			int most = proves ? shortest + slack : question->length_max;
			if (question->length_max > 0 && most > question->length_max)
				most = question->length_max;
			task->length_max =
				most > 0 ? most - solve_length(size, question->metric, &first, 1)
					 : 0;
			if (most > 0 && task->length_max < 1)
				continue;
			end = begin_with(task, control, first, scratch, answer,
					 question->solutions);
			if (end != SOLVE_COMPLETE)
				return end;
		}
		if (answer->count >= question->solutions)
			break;
	}
	return end;
}

/* ---- the whole ---- */

static bool is_right(const struct solve_question *question, const struct solve_scratch *scratch,
		     const struct solve_turns *found)
{
	if (question->goal)
		return solve_goal_reached(question->goal, question->cube, scratch, found->turns,
					  found->count);
	return solves(question->cube, scratch->cube, found->turns, found->count);
}

static enum solve_end check_found(const struct solve_question *question,
				  const struct solve_scratch *scratch,
				  const struct solve_answer *answer, enum solve_end end)
{
	for (unsigned i = 0; i < answer->count; i++) {
		if (is_right(question, scratch, &answer->found[i]))
			continue;
		log_event(LOG_ERROR, "a solution does not solve its cube",
			  LOG_TEXT("method", question->solver->name),
			  LOG_NUMBER("size", question->cube->size),
			  LOG_NUMBER("turns", answer->found[i].count));
		return SOLVE_WRONG;
	}
	return end;
}

static enum solve_end check_all(const struct solve_question *question, struct cube *scratch,
				const struct solve_answer *answer, enum solve_end end)
{
	struct solve_scratch all = {.cube = scratch,
				    .other = copy_of(question->cube),
				    .colors = malloc(cube_facelets(question->cube->size))};
	end = all.other && all.colors ? check_found(question, &all, answer, end) : SOLVE_NO_MEMORY;
	free(all.other);
	free(all.colors);
	return end;
}

/* The time is over before the tables are there: what is known is the answer. */
static enum solve_end answer_without_tables(const struct solve_question *question,
					    struct cube *scratch, struct solve_answer *answer)
{
	const bool solved = !question->goal && cube_is_solved(question->cube);
	if (solved) {
		answer->found[0].turns = malloc(sizeof *answer->found[0].turns);
		if (!answer->found[0].turns)
			return SOLVE_NO_MEMORY;
		answer->count = 1;
	}
	consider_known(question, scratch, answer);
	return check_all(question, scratch, answer, solved ? SOLVE_COMPLETE : SOLVE_STOPPED);
}

static enum solve_end ask(struct bank *bank, const struct solve_question *question,
			  const struct solve_control *control, uint64_t due_ns,
			  struct cube *scratch, struct solve_answer *answer)
{
	struct bank_tables tables;
	const struct bank_patience patience = {due_ns, control->stop};
	enum bank_result taken =
		bank_take(bank, question->solver, control->waits ? NULL : &patience, &tables);
	if (taken == BANK_NOT_YET)
		return answer_without_tables(question, scratch, answer);
	if (taken != BANK_READY)
		return taken == BANK_MISSING ? SOLVE_NO_TABLES : SOLVE_NO_MEMORY;
	struct cube_goal *goal = NULL;
	if (question->solver == &solve_goal_method) {
		goal = solve_goal_make(question->goal, question->cube);
		if (!goal)
			return SOLVE_NO_MEMORY;
		tables.tables = goal;
	}
	struct search_task task = task_of(question, &tables, due_ns);
	struct search_result result;
	enum solve_end end = search_run(&task, control, &result);
	free(goal);
	answer->bound = result.bound;
	answer->nodes = result.nodes;
	answer->steps = result.steps;
	answer->step_count = result.step_count;
	if (result.found.length >= 0) {
		answer->found[0] = result.found;
		answer->count = 1;
	} else {
		free(result.found.turns);
	}
	if (end == SOLVE_COMPLETE && answer->count > 0 && answer->found[0].length > 0 &&
	    question->solutions > 1)
		end = find_others(&task, control, question, scratch, answer);
	if (end == SOLVE_NO_MEMORY)
		return end;
	consider_known(question, scratch, answer);
	return check_all(question, scratch, answer, end);
}

enum solve_end solve_answer(struct bank *bank, const struct solve_question *question,
			    const struct solve_control *control, struct solve_answer *answer)
{
	const uint64_t began_ns = monotonic_ns();
	const uint64_t due_ns = began_ns + (uint64_t)question->timeout_ms * 1000000u;
	struct cube *scratch = copy_of(question->cube);
	*answer = (struct solve_answer){0};
	enum solve_end end =
		scratch ? ask(bank, question, control, due_ns, scratch, answer) : SOLVE_NO_MEMORY;
	free(scratch);
	answer->took_ns = monotonic_ns() - began_ns;
	return end;
}
