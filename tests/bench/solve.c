/* solve.c: what libcube's solvers take.
 *
 *     bench/solve STATES [large]     a file of facelet strings, one a line
 *
 * Prints a line "name value" for each figure:
 *
 *     optimal2.make            ms for the table of the 2x2x2
 *     optimal2.solve           us a solution, of random states
 *     two_phase.TABLES.make    ms for the tables: small, or large where asked for
 *     two_phase.TABLES.mb      their size
 *     two_phase.TABLES.21 .20  ms a state for the first solution that is so short, mean (20: with
 *                              the small tables of every tenth state)
 *     two_phase.TABLES.10ms    mean length given 10 ms each, of every tenth state
 *     two_phase.TABLES.usual .usual_most .usual_ms    mean and greatest length of the server's usual
 *                              answer, and its time: 150,000 positions, or more until it has at most 20 turns
 *     beginner.ms .turns       a state of the file, mean of all
 *     reduction.N.make .mb     ms for the tables of sizes from N on, their size
 *     reduction.N.ms .turns    a state of that size, mean of some random ones
 *     scramble.2 .3 .7         us a scramble
 *
 * Times are those of this thread's processor. States are solved, and tables of some MB are made, in rounds, at
 * least LEAST_ROUNDS and until ROUNDS_MS have passed; of each the best counts, also the shortest
 * solution found in 10 ms. */
#include "cube/cube.h"
#include "tests/bench/clock.h"
#include "tests/bench/states.h"

#include <stdio.h>
#include <string.h>

#define LEAST_ROUNDS 5
#define ROUNDS_MS 3000
#define LARGE_BYTES 20000000 /* tables of so many are made once */

static struct cube_turn turns[20 * CUBE_SIZE_MAX];
static double deadline_ms;

static double thread_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool in_time(void *context, const struct cube_solve_progress *progress)
{
	(void)context;
	(void)progress;
	return thread_ms() < deadline_ms;
}

static bool not_settled(void *context, const struct cube_solve_progress *progress)
{
	(void)context;
	return progress->best < 0 || progress->best > 20 || progress->nodes < 150000;
}

static bool another(int round, double begin_ms)
{
	return round < LEAST_ROUNDS || thread_ms() - begin_ms < ROUNDS_MS;
}

static void *make(const struct cube_solver_tables *tables, double *ms)
{
	const bool once = tables->bytes >= LARGE_BYTES;
	void *memory = pages_alloc(tables->bytes);
	const double start = thread_ms();
	for (int round = 0; once ? round < 1 : another(round, start); round++) {
		double begin = thread_ms();
		cube_solver_make(tables, memory);
		double took = thread_ms() - begin;
		*ms = round > 0 && *ms < took ? *ms : took;
	}
	return memory;
}

/* Means over every `stride`-th state: ms and length. */
static void solve_all(const struct cube_solver *solver, const void *tables, int enough,
		      double limit_ms, int stride, double *ms, double *length)
{
	int count = 0;
	*ms = *length = 0;
	static double best[STATES_MAX];
	static int shortest[STATES_MAX];
	const double start = thread_ms();
	/* All states in turn, round after round: none finds in the cache what it read the time before. */
	for (int round = 0; another(round, start); round++) {
		for (int i = 0; i < state_count; i += stride) {
			struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
			struct cube_solve_task task = {.cube = states[i], .length_enough = enough};
			double begin = thread_ms();
			deadline_ms = begin + limit_ms;
			task.carry_on = limit_ms > 0 ? in_time : NULL;
			solver->solve(tables, &task, &solution);
			double took = thread_ms() - begin;
			best[i] = round > 0 && best[i] < took ? best[i] : took;
			if (round == 0 || solution.length < shortest[i])
				shortest[i] = (int)solution.length;
		}
	}
	for (int i = 0; i < state_count; i += stride, count++) {
		*ms += best[i];
		*length += shortest[i];
	}
	*ms /= count;
	*length /= count;
}

/* Each state once, as the server solves it without parameters. */
static void solve_usually(const struct cube_solver *solver, const struct cube_solver_tables *tables,
			  const void *memory)
{
	double length = 0;
	int most = 0;
	const double start = thread_ms();
	for (int i = 0; i < state_count; i++) {
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		const struct cube_solve_task task = {.cube = states[i], .carry_on = not_settled};
		solver->solve(memory, &task, &solution);
		length += solution.length;
		most = solution.length > most ? solution.length : most;
	}
	printf("two_phase.%s.usual %.2f\n", tables->name, length / state_count);
	printf("two_phase.%s.usual_most %d\n", tables->name, most);
	printf("two_phase.%s.usual_ms %.1f\n", tables->name, (thread_ms() - start) / state_count);
}

static void two_phase(const struct cube_solver *solver, const struct cube_solver_tables *tables)
{
	double ms, first_ms, length;
	bool small = tables == &solver->tables[0];
	void *memory = make(tables, &ms);
	printf("two_phase.%s.make %.0f\n", tables->name, ms);
	printf("two_phase.%s.mb %.1f\n", tables->name, (double)tables->bytes / 1e6);
	solve_all(solver, memory, 21, 0, 1, &first_ms, &length);
	solve_all(solver, memory, 20, 0, small ? 10 : 1, &ms, &length);
	printf("two_phase.%s.20 %.4f\n", tables->name, ms);
	solve_all(solver, memory, 0, 10, 10, &ms, &length);
	printf("two_phase.%s.10ms %.2f\n", tables->name, length);
	solve_usually(solver, tables, memory);
	/* Once more some seconds later: it goes by memory, which others may be busy with. */
	solve_all(solver, memory, 21, 0, 1, &ms, &length);
	printf("two_phase.%s.21 %.4f\n", tables->name, ms < first_ms ? ms : first_ms);
	free(memory);
}

static void scrambles(const void *optimal2, const void *small)
{
	static const int sizes[] = {2, 3, 7};
	struct cube_seeded seeded;
	cube_seeded_init(&seeded, "bench", 5);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct cube_scramble_task task = {.size = sizes[i],
						  .random = {cube_seeded_next, &seeded},
						  .optimal2 = optimal2,
						  .two_phase = small};
		const int count = 200;
		double begin = thread_ms();
		for (int k = 0; k < count; k++)
			cube_scramble(&task, turns);
		printf("scramble.%d %.2f\n", sizes[i], (thread_ms() - begin) * 1e3 / count);
	}
}

/* A state of that size: every one equally likely, or what random moves make. */
static void scramble_to(struct cube *cube, int size, const struct cube_random *random)
{
	const struct cube_scramble_task task = {.size = size, .random = *random};
	uint8_t colors[96];
	cube_init(cube, size);
	if (size == 4)
		cube_random_cube(random, size, cube, colors);
	else
		cube_turn_all(cube, turns, cube_scramble(&task, turns));
}

static void reduction_of(const struct cube_solver *solver, const void *tables, const void *small,
			 int size, int count)
{
	struct cube_seeded seeded;
	const struct cube_random random = {cube_seeded_next, &seeded};
	struct cube *cube = malloc(cube_bytes(size));
	const size_t room = solver->room(size);
	struct cube_turn *found = malloc(room * sizeof(*found));
	void *work = aligned_alloc(CUBE_SOLVE_ALIGN, solver->work_bytes(size));
	double ms = 0, length = 0;
	if (!cube || !found || !work)
		exit(1);
	cube_seeded_init(&seeded, "bench", 5);
	for (int i = 0; i < count; i++) {
		struct cube_solution solution = {.turns = found, .room = room};
		struct cube_solve_task task = {.cube = cube, .base = small, .work = work};
		scramble_to(cube, size, &random);
		double begin = thread_ms();
		solver->solve(tables, &task, &solution);
		ms += thread_ms() - begin;
		length += solution.length;
	}
	printf("reduction.%d.ms %.4g\n", size, ms / count);
	printf("reduction.%d.turns %.4g\n", size, length / count);
	free(cube);
	free(found);
	free(work);
}

static void reduction(const void *small)
{
	static const struct {
		int size, count;
	} rows[] = {{4, 40}, {5, 8}, {6, 8}, {7, 4}, {20, 4}, {100, 1}};
	const struct cube_solver *of = NULL;
	void *tables = NULL;
	double ms;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct cube_solver *solver = cube_solver_find("reduction", 9, rows[i].size);
		if (solver != of) {
			free(tables);
			tables = make(&solver->tables[0], &ms);
			printf("reduction.%d.make %.0f\n", rows[i].size, ms);
			printf("reduction.%d.mb %.1f\n", rows[i].size,
			       (double)solver->tables[0].bytes / 1e6);
		}
		of = solver;
		reduction_of(solver, tables, small, rows[i].size, rows[i].count);
	}
	free(tables);
}

static void beginner(void)
{
	const struct cube_solver *solver = cube_solver_find("beginner", 8, 3);
	double length = 0, begin = thread_ms();
	for (int i = 0; i < state_count; i++) {
		static struct cube_turn lesson[1000];
		struct cube_solution solution = {.turns = lesson, .room = 1000};
		struct cube_solve_task task = {.cube = states[i]};
		solver->solve(NULL, &task, &solution);
		length += solution.length;
	}
	printf("beginner.ms %.3f\n", (thread_ms() - begin) / state_count);
	printf("beginner.turns %.1f\n", length / state_count);
}

int main(int argc, char **argv)
{
	const struct cube_solver *two = cube_solver_find("optimal", 7, 2),
				 *three = cube_solver_find("two_phase", 9, 3);
	double ms;
	if (argc > 1)
		states_read(argv[1]);
	if (state_count == 0) {
		fprintf(stderr, "usage: solve STATES [large]\n");
		return 1;
	}
	void *small = make(&three->tables[0], &ms), *optimal2 = make(&two->tables[0], &ms);
	printf("optimal2.make %.1f\n", ms);

	struct cube *cube = malloc(cube_bytes(2));
	uint64_t seed = 88172645463325252u;
	const int count = 2000;
	if (!cube)
		return 1;
	cube_init(cube, 2);
	ms = 0;
	for (int i = 0; i < count; i++) {
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		struct cube_solve_task task = {.cube = cube};
		for (int k = 0; k < 10; k++)
			cube_turn(cube, cube_turn_make(2, (int)random_below(&seed, 6), 1, 1,
						       1 + random_below(&seed, 3)));
		double begin = thread_ms();
		two->solve(optimal2, &task, &solution);
		ms += thread_ms() - begin;
	}
	printf("optimal2.solve %.2f\n", ms * 1e3 / count);
	scrambles(optimal2, small);
	beginner();
	reduction(small);
	free(cube);
	free(optimal2);
	free(small);
	for (size_t i = 0; i < three->table_count; i++)
		if (i == 0 || (argc > 2 && strcmp(argv[2], three->tables[i].name) == 0))
			two_phase(three, &three->tables[i]);
	for (int i = 0; i < state_count; i++)
		free(states[i]);
	return 0;
}
