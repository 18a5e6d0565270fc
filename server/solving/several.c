/* several.c: further solutions of a cube.
 *
 * Methods find one solution. To list all of one length, each possible first turn is made, then each
 * second one, and so on; for each, a search decides whether a solution within the remaining length
 * exists. Most searches end at once: only turns of a solution lead on, so the first turns take most
 * of the time, as much as one proof that there is no solution of that length. */
#include "server/solving/several.h"

#include <stdlib.h>
#include <string.h>

/* Solutions by their first turns are at most that long, if the first one was not longer. */
#define NEAR_ENOUGH_3 21
/* For optimal methods: how much longer than the shortest further solutions may be. */
#define SLACK_MAX 2
/* A method that is not optimal lists solutions up to this length, and visits at most that many
 * positions in all: some milliseconds. */
#define LIST_LONGEST 8
#define LIST_NODES 20000

/* ---- the list ---- */

/* Adjacent turns of opposite faces commute: brings them into one order. */
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

void several_insert(struct solve_answer *answer, struct solve_turns found, unsigned most)
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

/* ---- all of a length ---- */

struct listing {
	struct search_task task;
	const struct solve_control *control;
	const struct solve_question *question;
	struct cube *cube; /* with `turns` done */
	struct solve_answer *answer;
	struct cube_turn turns[CUBE_SOLUTION_MAX];
	size_t count;
	uint64_t nodes_max, nodes; /* 0: no limit */
	enum solve_end end;        /* SOLVE_STOPPED also if nodes_max is used up */
};

static bool is_full(const struct listing *listing)
{
	return listing->answer->count >= listing->question->solutions;
}

/* Adjacent turns of one axis have one order, and no two are of one face. */
static bool may_follow(const struct listing *listing, struct cube_turn turn)
{
	if (listing->count == 0)
		return true;
	const struct cube_turn before = listing->turns[listing->count - 1];
	return before.face % 3 != turn.face % 3 || before.face < turn.face;
}

/* Whether the cube can be solved within `left`. */
static bool leads_there(struct listing *listing, int left)
{
	struct search_result result;
	if (left == 0 || cube_is_solved(listing->cube))
		return left == 0 && cube_is_solved(listing->cube);
	listing->task.length_max = listing->task.length_enough = left;
	if (listing->nodes_max > 0)
		listing->task.nodes_max = listing->nodes_max - listing->nodes + 1;
	listing->end = search_run(&listing->task, listing->control, &result);
	listing->task.due_ns += result.waited_ns;
	listing->answer->waited_ns += result.waited_ns;
	listing->nodes += result.nodes;
	listing->answer->nodes += result.nodes;
	if (listing->nodes_max > 0 && listing->nodes > listing->nodes_max)
		listing->end = SOLVE_STOPPED;
	free(result.found.turns);
	free(result.steps);
	return listing->end == SOLVE_COMPLETE && result.found.length >= 0;
}

static void add_found(struct listing *listing)
{
	struct solve_turns found = {.turns =
					    malloc((listing->count + 1) * sizeof(struct cube_turn)),
				    .count = listing->count};
	if (!found.turns) {
		listing->end = SOLVE_NO_MEMORY;
		return;
	}
	memcpy(found.turns, listing->turns, listing->count * sizeof *found.turns);
	found.length =
		solve_length(listing->cube->size, listing->task.metric, found.turns, found.count);
	several_insert(listing->answer, found, listing->question->solutions);
}

/* Lists all that continue the turns made, with `left` more. Recurses once a turn. */
static void list(struct listing *listing, int left)
{
	const int size = listing->cube->size;
	if (left == 0) {
		add_found(listing);
		return;
	}
	for (int i = 0; i < (size == 2 ? 3 : CUBE_FACES) * 3; i++) {
		const int quarters = i % 3 == 2 ? -1 : i % 3 + 1;
		const struct cube_turn turn = cube_turn_make(size, i / 3, 1, 1, quarters);
		const int rest = left - solve_length(size, listing->task.metric, &turn, 1);
		if (rest < 0 || !may_follow(listing, turn))
			continue;
		cube_turn(listing->cube, turn);
		if (leads_there(listing, rest)) {
			listing->turns[listing->count++] = turn;
			list(listing, rest);
			listing->count--;
		}
		cube_turn(listing->cube, cube_turn_inverse(turn));
		if (listing->end != SOLVE_COMPLETE || is_full(listing))
			return;
	}
}

/* The shortest ones, then those one turn longer, and so on, up to `longest`. */
static enum solve_end list_all(const struct search_task *task, const struct solve_control *control,
			       const struct solve_question *question, uint64_t nodes_max,
			       int longest, struct cube *cube, struct solve_answer *answer)
{
	struct listing listing = {.task = *task,
				  .control = control,
				  .question = question,
				  .cube = cube,
				  .answer = answer,
				  .nodes_max = nodes_max};
	if (question->length_max > 0 && longest > question->length_max)
		longest = question->length_max;
	if (longest > CUBE_SOLUTION_MAX)
		longest = CUBE_SOLUTION_MAX;
	/* The searches need no first solution. */
	listing.task.tables.base = NULL;
	cube_copy(cube, task->cube);
	listing.task.cube = cube;
	for (int length = answer->found[0].length;
	     length <= longest && listing.end == SOLVE_COMPLETE && !is_full(&listing); length++)
		list(&listing, length);
	return listing.end;
}

/* ---- by their first turns ---- */

/* Whether the first turn of a solution could be merged with a later one. */
static bool merges(struct cube_turn first, const struct solve_turns *rest)
{
	for (size_t i = 0; i < rest->count && rest->turns[i].face % 3 == first.face % 3; i++)
		if (rest->turns[i].face == first.face)
			return true;
	return false;
}

/* The one that begins with that turn; SOLVE_COMPLETE also if none is that short. */
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
	several_insert(answer, result.found, most);
	return end;
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
		end = begin_with(task, control, first, scratch, answer, question->solutions);
	}
	return end;
}

enum solve_end several_find(struct search_task *task, const struct solve_control *control,
			    const struct solve_question *question, struct cube *scratch,
			    struct solve_answer *answer)
{
	const int shortest = answer->found[0].length;
	put_in_order(&answer->found[0]);
	if (question->solver->optimal)
		return list_all(task, control, question, 0, shortest + SLACK_MAX, scratch, answer);
	const uint64_t waited_ns = answer->waited_ns;
	enum solve_end end =
		list_all(task, control, question, LIST_NODES, LIST_LONGEST, scratch, answer);
	task->due_ns += answer->waited_ns - waited_ns;
	if (end == SOLVE_NO_MEMORY || answer->count >= question->solutions)
		return end == SOLVE_NO_MEMORY ? end : SOLVE_COMPLETE;
	return find_by_first(task, control, question, scratch, answer);
}
