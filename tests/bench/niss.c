/* niss.c: shortest ways to goals, on the scramble alone and on its inverse too.
 *
 *     bench/niss STATES COUNT GOAL...     a file of facelet strings, one a line: the first COUNT
 *
 * Prints two lines "GOAL.normal" and "GOAL.niss" for each goal, at any place: the mean of the turns, of the
 * positions visited, and of the ms of this thread's processor, and the greatest time. The tables are made
 * before. */
#include "cube/hold.h"
#include "tests/bench/states.h"

#include <string.h>
#include <time.h>

static double thread_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void measure(const struct cube_goal *goal, const char *name, const char *kind, int count)
{
	static struct cube_turn turns[CUBE_GOAL_LENGTH_MAX];
	struct cube_solution solution = {.turns = turns, .room = CUBE_GOAL_LENGTH_MAX};
	void *work = malloc(cube_goal_work_bytes(3));
	double sum = 0, nodes = 0, all_ms = 0, most_ms = 0;
	for (int i = 0; i < count; i++) {
		const struct cube_solve_task task = {.cube = states[i], .work = work};
		const double begin_ms = thread_ms();
		(void)cube_goal_solve(goal, &task, &solution);
		const double took_ms = thread_ms() - begin_ms;
		sum += solution.length;
		nodes += (double)solution.nodes;
		all_ms += took_ms;
		most_ms = took_ms > most_ms ? took_ms : most_ms;
	}
	printf("%s.%s turns %.2f nodes %.0f ms %.2f most_ms %.2f\n", name, kind, sum / count,
	       nodes / count, all_ms / count, most_ms);
	fflush(stdout);
	free(work);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	states_read(argv[1]);
	const int asked = atoi(argv[2]), count = asked < state_count ? asked : state_count;
	for (int i = 3; i < argc && count > 0; i++) {
		const struct cube_goal_row *row = cube_goal_find(argv[i], strlen(argv[i]));
		if (!row)
			return 2;
		const struct cube_named *named =
			cube_named_find(row->pattern, strlen(row->pattern));
		void *memory = malloc(cube_named_bytes(named, 3));
		struct cube_goal_plan plan = {.query = cube_named_make(named, 3, memory),
					      .size = 3};
		for (int niss = 0; niss < 2; niss++) {
			plan.niss = niss;
			struct cube_goal *goal =
				aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
			cube_goal_make(&plan, goal);
			measure(goal, row->name, niss ? "niss" : "normal", count);
			free(goal);
		}
		free(memory);
	}
	return 0;
}
