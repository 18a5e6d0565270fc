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
 *     reduction.4.make .mb     ms for its tables, their size
 *     reduction.4.ms .turns    a state of the 4x4x4, mean of 40 random ones
 *     scramble.2 .3 .7         us a scramble
 *
 * Times are those of this thread's processor. A state is solved ROUNDS times; the best counts. */
#include "cube/libcube.h"
#include "tests/bench/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define ROUNDS 3
#define STATES_MAX 1000

static struct cube *states[STATES_MAX];
static int state_count;
static struct cube_turn turns[200];
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

static void *make(const struct cube_solver_tables *tables, double *ms)
{
	/* Large pages, as the server asks for them. */
	const size_t page = (size_t)1 << 21, bytes = (tables->bytes + page - 1) / page * page;
	void *memory = aligned_alloc(page, bytes);
	if (!memory)
		exit(1);
	madvise(memory, bytes, MADV_HUGEPAGE);
	double begin = thread_ms();
	cube_solver_make(tables, memory);
	*ms = thread_ms() - begin;
	return memory;
}

/* Means over every `stride`-th state: ms and length. */
static void solve_all(const struct cube_solver *solver, const void *tables, int enough,
		      double limit_ms, int stride, double *ms, double *length)
{
	int count = 0;
	*ms = *length = 0;
	for (int i = 0; i < state_count; i += stride, count++) {
		double best = 1e9;
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		struct cube_solve_task task = {.cube = states[i], .length_enough = enough};
		for (int round = 0; round < (limit_ms > 0 ? 1 : ROUNDS); round++) {
			double begin = thread_ms();
			deadline_ms = begin + limit_ms;
			task.carry_on = limit_ms > 0 ? in_time : NULL;
			solver->solve(tables, &task, &solution);
			double took = thread_ms() - begin;
			best = took < best ? took : best;
		}
		*ms += best;
		*length += solution.length;
	}
	*ms /= count;
	*length /= count;
}

static void two_phase(const struct cube_solver *solver, const struct cube_solver_tables *tables)
{
	double ms, length;
	bool small = tables == &solver->tables[0];
	void *memory = make(tables, &ms);
	printf("two_phase.%s.make %.0f\n", tables->name, ms);
	printf("two_phase.%s.mb %.1f\n", tables->name, (double)tables->bytes / 1e6);
	for (int enough = 21; enough >= 20; enough--) {
		solve_all(solver, memory, enough, 0, small && enough == 20 ? 10 : 1, &ms, &length);
		printf("two_phase.%s.%d %.4f\n", tables->name, enough, ms);
	}
	solve_all(solver, memory, 0, 10, 10, &ms, &length);
	printf("two_phase.%s.10ms %.2f\n", tables->name, length);
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

static void reduction_4(const void *small)
{
	const struct cube_solver *solver = cube_solver_find("reduction", 9, 4);
	struct cube *cube = malloc(cube_bytes(4));
	struct cube_seeded seeded;
	const struct cube_random random = {cube_seeded_next, &seeded};
	const int count = 40;
	double ms, length = 0;
	void *memory = make(&solver->tables[0], &ms), *work = malloc(solver->work_bytes(4));
	if (!cube || !work)
		exit(1);
	printf("reduction.4.make %.0f\n", ms);
	printf("reduction.4.mb %.1f\n", (double)solver->tables[0].bytes / 1e6);
	cube_seeded_init(&seeded, "bench", 5);
	ms = 0;
	for (int i = 0; i < count; i++) {
		struct cube_solution solution = {.turns = turns, .room = 200};
		struct cube_solve_task task = {.cube = cube, .base = small, .work = work};
		cube_random_cube4(&random, cube);
		double begin = thread_ms();
		solver->solve(memory, &task, &solution);
		ms += thread_ms() - begin;
		length += solution.length;
	}
	printf("reduction.4.ms %.1f\n", ms / count);
	printf("reduction.4.turns %.2f\n", length / count);
	free(cube);
	free(work);
	free(memory);
}

int main(int argc, char **argv)
{
	const struct cube_solver *two = cube_solver_find("optimal", 7, 2),
				 *three = cube_solver_find("two_phase", 9, 3);
	double ms;
	if (argc > 1)
		read_states(argv[1]);
	if (state_count == 0) {
		fprintf(stderr, "usage: solve STATES [large]\n");
		return 1;
	}
	void *optimal2 = make(&two->tables[0], &ms), *small = make(&three->tables[0], &ms);
	free(optimal2);
	optimal2 = make(&two->tables[0], &ms);
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
	reduction_4(small);
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
