/* several.c: further solutions of a cube.
 *
 * A method that can list all solutions of a length does so, from the shortest length on (listing.h).
 * For the others, a method that can lists the shortest ones, if it is quick; then each possible first
 * turn is made, and a solution of what is left is searched for. */
#include "cube/cube.h"
#include "server/search/several.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "server/search/listing.h"

/* Solutions by their first turns are at most that long, if the first one was not longer. */
#define NEAR_ENOUGH_3 21
/* A method that does not list itself has others list at most that many positions: some tenths of a
 * second. */
#define LIST_NODES 500000

bool several_insert(const struct solve_question *question, struct solve_turns found,
		    struct solve_answer *answer)
{
	return listing_insert(question, found, answer);
}

/* ---- by their first turns ---- */

/* Returns true if the first turn of a solution could be merged with a later one. */
static bool merges(struct cube_turn first, const struct solve_turns *rest)
{
	for (size_t i = 0; i < rest->count && rest->turns[i].face % 3 == first.face % 3; i++)
		if (rest->turns[i].face == first.face)
			return true;
	return false;
}

/* The one that begins with that turn; SOLVE_COMPLETE also if none is that short. */
static enum solve_end begin_with(struct search_task *task, const struct solve_control *control,
				 const struct solve_question *question, struct cube_turn first,
				 struct cube *cube, struct solve_answer *answer)
{
	struct search_result result;
	const struct cube *asked = task->cube;
	cube_copy(cube, asked);
	cube_turn(cube, first);
	task->cube = cube;
	enum solve_end end = search_run(task, control, &result);
	task->cube = asked;
	task->due_ns += result.waited_ns;
	answer->waited_ns += result.waited_ns;
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
	return listing_insert(question, result.found, answer) ? end : SOLVE_NO_MEMORY;
}

static enum solve_end find_by_first(struct search_task *task, const struct solve_control *control,
				    const struct solve_question *question, struct cube *scratch,
				    struct solve_answer *answer)
{
	const int size = question->cube->size, shortest = answer->found[0].length;
	enum solve_end end = SOLVE_COMPLETE;
	task->length_enough = (shortest > NEAR_ENOUGH_3 ? shortest : NEAR_ENOUGH_3) - 1;
	for (int i = 0; i < CUBE_FACES * 3 && end == SOLVE_COMPLETE; i++) {
		/* All that are listed are short enough. */
		if (question->length_max > 0 && answer->count == question->solutions)
			break;
		const int quarters = i % 3 == 2 ? -1 : i % 3 + 1;
		const struct cube_turn first = cube_turn_make(size, i / 3, 1, 1, quarters);
		task->length_max = 0;
		if (question->length_max == 1)
			continue;
		if (question->length_max > 0)
			task->length_max = question->length_max - 1;
		end = begin_with(task, control, question, first, scratch, answer);
	}
	return end;
}

/* ---- by a method that lists ---- */

/* Lists for a method that cannot: by the optimal one, whose small tables are made in a moment, as far
 * as that is quick. */
static enum solve_end list_by_optimal(struct table_cache *table_cache,
				      const struct search_task *task,
				      const struct solve_control *control,
				      const struct solve_question *question,
				      struct solve_answer *answer)
{
	struct search_task listing = *task;
	const struct table_cache_deadline deadline = {task->due_ns, control->stop};
	const int longest = question->length_max > 0 ? question->length_max : INT_MAX;
	const char *name = "optimal";
	listing.solver = cube_solver_find(name, strlen(name), question->cube->size);
	if (!listing.solver || listing.solver->lists == 0 ||
	    !cube_solver_counts(listing.solver, question->metric) ||
	    table_cache_take(table_cache, listing.solver, control->waits ? NULL : &deadline,
			     &listing.tables) != TABLE_CACHE_READY)
		return SOLVE_STOPPED;
	listing.tables.base = NULL;
	listing.nodes_max = LIST_NODES;
	return listing_make(&listing, control, question, answer->bound > 1 ? answer->bound : 1,
			    longest, answer);
}

/* The first solution need not be a shortest one: it is put back if there is room then. */
static enum solve_end list_near(struct table_cache *table_cache, struct search_task *task,
				const struct solve_control *control,
				const struct solve_question *question, struct solve_answer *answer)
{
	const uint64_t waited_ns = answer->waited_ns;
	const struct solve_turns first = answer->found[0];
	answer->count = 0;
	enum solve_end end = list_by_optimal(table_cache, task, control, question, answer);
	task->due_ns += answer->waited_ns - waited_ns;
	/* All shorter lengths have none. */
	if (answer->tallies > 0 && answer->tally[0].length > answer->bound)
		answer->bound = answer->tally[0].length;
	if (!listing_insert(question, first, answer))
		return SOLVE_NO_MEMORY;
	return end;
}

/* ---- the whole ---- */

static enum solve_end find_all(struct table_cache *table_cache, struct search_task *task,
			       const struct solve_control *control,
			       const struct solve_question *question, struct cube *scratch,
			       struct solve_answer *answer)
{
	const int longest = question->length_max > 0 ? question->length_max : INT_MAX;
	if (question->solver->lists > 0) {
		/* The first search has proved the shortest length; others need no first solution. */
		task->tables.base = NULL;
		return listing_make(task, control, question, answer->found[0].length, longest,
				    answer);
	}
	enum solve_end end = list_near(table_cache, task, control, question, answer);
	if (end != SOLVE_STOPPED)
		return end;
	return find_by_first(task, control, question, scratch, answer);
}

/* If the search for a length was stopped, its tally counts at least those that are listed. */
static void settle_tallies(struct solve_answer *answer)
{
	for (unsigned t = answer->tallies; t-- > 0;) {
		struct solve_tally *tally = &answer->tally[t];
		uint64_t listed = 0;
		for (unsigned i = 0; i < answer->count; i++)
			listed += answer->found[i].length == tally->length;
		if (tally->count < listed)
			tally->count = listed;
		if (tally->count == 0 && !tally->exhausted)
			answer->tallies = t;
	}
}

enum solve_end several_find(struct table_cache *table_cache, struct search_task *task,
			    const struct solve_control *control,
			    const struct solve_question *question, struct cube *scratch,
			    struct solve_answer *answer)
{
	if (answer->found[0].length == 0) {
		answer->tally[answer->tallies++] =
			(struct solve_tally){.count = 1, .exhausted = true};
		return SOLVE_COMPLETE;
	}
	enum solve_end end = find_all(table_cache, task, control, question, scratch, answer);
	settle_tallies(answer);
	return end;
}
