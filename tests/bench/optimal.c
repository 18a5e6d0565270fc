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
#include "cube/libcube.h"
#include "tests/bench/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define THREADS 2
#define STATES_MAX 1000
#define PAGE ((size_t)1 << 21)

static struct cube *states[STATES_MAX];
static int state_count;

static double wall(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *allocate(size_t bytes)
{
	void *memory = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
	if (!memory)
		exit(1);
	madvise(memory, bytes, MADV_HUGEPAGE);
	return memory;
}

static void read_states(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[128];
	while (file && state_count < STATES_MAX && fgets(line, sizeof(line), file)) {
		uint8_t colors[54];
		int size;
		struct cube_error error;
		struct cube *cube = malloc(cube_bytes(3));
		if (!cube || cube_colors_parse(line, 54, colors, &size, &error) != CUBE_OK ||
		    cube_from_colors(cube, 3, colors, NULL, 0) > 0) {
			fprintf(stderr, "%s: line %d\n", path, state_count + 1);
			exit(1);
		}
		states[state_count++] = cube;
	}
	if (file)
		fclose(file);
}

/* ---- tables ---- */

struct making {
	const struct cube_solver_tables *tables;
	void *memory;
	unsigned step;
	_Atomic unsigned part;
};

static void *make_parts(void *context)
{
	struct making *making = context;
	for (unsigned part; (part = atomic_fetch_add(&making->part, 1)) < making->tables->parts;)
		making->tables->make(making->memory, making->step, part);
	return NULL;
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

static void *make(const struct cube_solver_tables *tables)
{
	struct making making = {.tables = tables, .memory = allocate(tables->bytes)};
	cube_solver_make_begin(tables, making.memory);
	for (; making.step < tables->steps; making.step++) {
		making.part = 0;
		in_threads(make_parts, (void *[THREADS]){&making, &making});
	}
	cube_solver_make_end(tables, making.memory);
	return making.memory;
}

/* ---- solving ---- */

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

static int by_size(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
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
	read_states(arguments[1]);
	if (wanted > state_count)
		return 2;
	void *base = allocate(solver->base->tables[0].bytes);
	cube_solver_make(&solver->base->tables[0], base);
	double begin = wall();
	void *memory = make(tables);
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
	qsort(seconds, (size_t)wanted, sizeof(*seconds), by_size);
	printf("optimal3.%s.s %.2f\noptimal3.%s.median %.2f\noptimal3.%s.moves "
	       "%.2f\noptimal3.%s.rate %.1f\n",
	       name, sum / wanted, name, seconds[wanted / 2], name, moves / wanted, name,
	       nodes / sum / 1e6);
	return 0;
}
