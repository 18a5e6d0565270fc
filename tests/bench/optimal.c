/* optimal.c: what a shortest solution of a 3x3x3 takes, two threads working on it.
 *
 *     bench/optimal STATES COUNT [TABLES]     a file of facelet strings, one a line; large
 *
 * Takes COUNT states of the file, as far from each other as can be, one after the other, and prints
 * a line for each, then
 *
 *     optimal3.TABLES.make .mb     s of the clock for the tables, made by two threads; their size
 *     optimal3.TABLES.s            s of the clock a state, mean
 *     optimal3.TABLES.median       the state in the middle
 *     optimal3.TABLES.moves        mean length
 *     optimal3.TABLES.rate         children a second, of both threads, in millions */
#include "server/search/tables_internal.h"
#include "tests/bench/clock.h"
#include "tests/bench/states.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 2

static double wall(void)
{
	return (double)clock_ns() / 1e9;
}

static void in_threads(void *(*run)(void *), void *context[THREADS])
{
	pthread_t thread[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, context[i]))
			exit(1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

struct solving {
	const struct cube_solver *solver;
	const void *tables;
	struct cube_solve_task task;
	struct cube_solution solution;
	struct cube_turn turns[CUBE_SOLUTION_MAX];
	enum cube_solve_end end;
};

static void *solve(void *context)
{
	struct solving *solving = context;
	solving->solution =
		(struct cube_solution){.turns = solving->turns, .room = CUBE_SOLUTION_MAX};
	solving->end = solving->solver->solve(solving->tables, &solving->task, &solving->solution);
	return NULL;
}

int main(int count, char **arguments)
{
	const char *name = count > 3 ? arguments[3] : "large";
	const struct cube_solver *solver = cube_solver_find("optimal", 7, 3);
	const struct cube_solver_tables *tables = NULL;
	for (size_t i = 0; i < solver->table_count; i++)
		if (strcmp(solver->tables[i].name, name) == 0)
			tables = &solver->tables[i];
	int wanted = count > 2 ? atoi(arguments[2]) : 0;
	if (wanted < 1 || !tables) {
		fprintf(stderr, "usage: optimal STATES COUNT [TABLES]\n");
		return 2;
	}
	states_read(arguments[1]);
	if (wanted > state_count)
		return 2;
	void *base = pages_alloc(solver->base->tables[0].bytes);
	cube_solver_make(&solver->base->tables[0], base);
	double begin = wall();
	void *memory = tables_make(tables, THREADS, NULL, NULL, NULL);
	if (!memory)
		return 1;
	printf("optimal3.%s.make %.1f\noptimal3.%s.mb %.0f\n", name, wall() - begin, name,
	       (double)tables->bytes / 1e6);
	double seconds[STATES_MAX], sum = 0, moves = 0, nodes = 0;
	for (int i = 0; i < wanted; i++) {
		struct cube_solve_shared shared = {0};
		static struct solving solving[THREADS];
		begin = wall();
		for (unsigned t = 0; t < THREADS; t++)
			solving[t] = (struct solving){
				.solver = solver,
				.tables = memory,
				.task = {.cube = states[i * (state_count / wanted)],
					 .shared = &shared,
					 .unit = t,
					 .step = THREADS,
					 .base = base}};
		in_threads(solve, (void *[THREADS]){&solving[0], &solving[1]});
		seconds[i] = wall() - begin;
		int length = 0;
		for (int t = 0; t < THREADS; t++) {
			nodes += (double)solving[t].solution.nodes;
			if (solving[t].solution.length >= 0 &&
			    (length == 0 || solving[t].solution.length < length))
				length = solving[t].solution.length;
		}
		sum += seconds[i];
		moves += length;
		printf("# state %d: %d moves, %.2f s, %.1f million\n",
		       i * (state_count / wanted) + 1, length, seconds[i],
		       ((double)solving[0].solution.nodes + (double)solving[1].solution.nodes) /
			       1e6);
		fflush(stdout);
	}
	printf("optimal3.%s.s %.2f\noptimal3.%s.median %.2f\noptimal3.%s.moves "
	       "%.2f\noptimal3.%s.rate %.1f\n",
	       name, sum / wanted, name, quantile(seconds, (size_t)wanted, 0.5), name,
	       moves / wanted, name, nodes / sum / 1e6);
	return 0;
}
