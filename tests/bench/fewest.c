/* fewest.c: how short solutions get in which time.
 *
 *     bench/fewest STATES COUNT SECONDS [print]     a file of facelet strings, one a line; so many of them, evenly
 *                                                   spread, are searched for so long each
 *
 * Prints a line "name value" for each figure:
 *
 *     fewest.make .mb              ms for the tables, without those of two_phase; their size
 *     fewest.0.1 .1 .10 ..         mean length after so many seconds, as far as SECONDS go
 *     fewest.eo .dr .htr .finish   mean turns of the stages at the end
 *     fewest.inverse               share of the solutions with turns on the inverse
 *
 * Times are those of this thread's processor. With print, each solution and its stages come before. */
#include "tests/bench/clock.h"
#include "tests/bench/states.h"

#include <string.h>

#define ROOM 96
#define STAGES 4
#define TIMES 4

static const double times_s[TIMES] = {0.1, 1, 10, 100};

/* A running search. */
static double begin_ms, limit_ms;
static int best_at[TIMES]; /* by time; -1: none */

static double thread_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool in_time(void *context, const struct cube_solve_progress *progress)
{
	const double took_ms = thread_ms() - begin_ms;
	(void)context;
	for (int i = 0; i < TIMES; i++)
		if (took_ms <= times_s[i] * 1e3)
			best_at[i] = progress->best;
	return took_ms < limit_ms;
}

static void *make(const struct cube_solver *solver)
{
	void *memory = pages_alloc(solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], memory);
	return memory;
}

static void print(const struct cube_solver *solver, const struct cube_solution *solution)
{
	const struct cube_turn *turns = solution->turns + solution->step_turns;
	char text[ROOM * CUBE_TURN_TEXT_MAX];
	cube_turns_print(3, solution->turns, solution->count, text, sizeof text);
	printf("%d: %s\n", solution->length, text);
	for (size_t i = 0; i < solution->step_count; i++) {
		const struct cube_solve_step *step = &solution->steps[i];
		const size_t normal = step->count - step->inverse;
		cube_turns_print(3, turns, normal, text, sizeof text);
		printf("    %s %s: %s", solver->stages[step->stage], step->axis, text);
		cube_turns_print(3, turns + normal, step->inverse, text, sizeof text);
		printf(" (%s)  %zu/%d\n", text, step->count, step->total);
		turns += step->count;
	}
}

int main(int argc, char **argv)
{
	const struct cube_solver *solver = cube_solver_find("fewest", 6, 3);
	double length[TIMES] = {0}, stage[STAGES] = {0}, inverse = 0;
	const int count = argc > 3 ? atoi(argv[2]) : 0;
	if (argc > 1)
		states_read(argv[1]);
	if (count < 1 || count > state_count) {
		fprintf(stderr, "usage: fewest STATES COUNT SECONDS [print]\n");
		return 1;
	}
	void *base = make(solver->base);
	const double start_ms = thread_ms();
	void *tables = make(solver);
	printf("fewest.make %.0f\n", thread_ms() - start_ms);
	printf("fewest.mb %.1f\n", (double)solver->tables[0].bytes / 1e6);
	limit_ms = atof(argv[3]) * 1e3;
	for (int i = 0; i < count; i++) {
		struct cube_turn turns[ROOM];
		struct cube_solve_step steps[STAGES];
		struct cube_solution solution = {
			.turns = turns, .room = ROOM, .steps = steps, .step_room = STAGES};
		const struct cube_solve_task task = {
			.cube = states[i * state_count / count], .base = base, .carry_on = in_time};
		bool has = false;
		begin_ms = thread_ms();
		solver->solve(tables, &task, &solution);
		if (argc > 4)
			print(solver, &solution);
		for (int k = 0; k < TIMES; k++)
			length[k] += best_at[k];
		for (size_t k = 0; k < solution.step_count; k++) {
			stage[steps[k].stage] += (double)steps[k].count;
			has |= steps[k].inverse > 0;
		}
		inverse += has;
	}
	for (int k = 0; k < TIMES && times_s[k] * 1e3 <= limit_ms; k++)
		printf("fewest.%g %.2f\n", times_s[k], length[k] / count);
	for (int k = 0; k < STAGES; k++)
		printf("fewest.%s %.2f\n", solver->stages[k], stage[k] / count);
	printf("fewest.inverse %.2f\n", inverse / count);
	for (int i = 0; i < state_count; i++)
		free(states[i]);
	free(tables);
	free(base);
	return 0;
}
