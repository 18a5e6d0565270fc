/* everywhere.c: what a program in C gets of libcube, for the section everywhere.
 *
 *     bench/everywhere STATES     a file of facelet strings, one a line
 *
 * Prints lines "name value", in units a second of this thread's processor time: steps of a batch of 4,096
 * states, steps with the 54 colours, rows (a walk of 1..26 turns, its length and its colours), and solutions
 * of at most 21 turns of a tenth of the states. The names that end in .portable are those of the code that
 * every processor can run. All are measured in turn, ROUNDS times; the best counts. */
#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"
#include "tests/bench/clock.h"
#include "tests/bench/states.h"

#include <string.h>

#define BATCH 4096
#define STEPS 16
#define STRIDE 10
#define ROUNDS 7

static struct cube_state3 batch[BATCH];
static uint8_t actions[BATCH], solved[BATCH], colors[BATCH * CUBE_BATCH_COLORS], lengths[BATCH];
static const struct state3_code *plain_step;
static const struct paint_code *plain_paint;
static const struct cube_solver *solver;
static void *tables;
static uint64_t row;

static int do_step(void)
{
	for (int i = 0; i < STEPS; i++)
		cube_batch_step(batch, BATCH, cube_actions, actions, solved);
	return STEPS * BATCH;
}

static int do_step_colors(void)
{
	for (int i = 0; i < STEPS; i++) {
		cube_batch_step(batch, BATCH, cube_actions, actions, solved);
		cube_batch_colors(batch, BATCH, colors);
	}
	return STEPS * BATCH;
}

static int do_rows(void)
{
	for (int i = 0; i < STEPS; i++, row += BATCH) {
		cube_batch_walk(1, row, BATCH, 1, 26, batch, lengths, NULL);
		cube_batch_colors(batch, BATCH, colors);
	}
	return STEPS * BATCH;
}

static int do_plain_step(void)
{
	for (int i = 0; i < STEPS; i++)
		plain_step->step(batch, BATCH, cube_actions, actions, solved);
	return STEPS * BATCH;
}

static int do_plain_step_colors(void)
{
	for (int i = 0; i < STEPS; i++) {
		plain_step->step(batch, BATCH, cube_actions, actions, solved);
		plain_paint->colors(batch, BATCH, colors);
	}
	return STEPS * BATCH;
}

static int do_solve(void)
{
	struct cube_turn turns[CUBE_SOLUTION_MAX];
	int count = 0;
	for (int i = 0; i < state_count; i += STRIDE, count++) {
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		const struct cube_solve_task task = {.cube = states[i], .length_enough = 21};
		solver->solve(tables, &task, &solution);
	}
	return count;
}

static const struct {
	const char *name;
	int (*run)(void); /* returns how many it did */
} figures[] = {
	{"step", do_step},
	{"step.portable", do_plain_step},
	{"step_colors", do_step_colors},
	{"step_colors.portable", do_plain_step_colors},
	{"rows", do_rows},
	{"solve", do_solve},
};
#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static uint64_t thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int main(int argc, char **argv)
{
	static double ns[FIGURES][ROUNDS];
	uint64_t seed = 88172645463325252u;
	if (argc != 2)
		return 1;
	states_read(argv[1]);
	solver = cube_solver_find("two_phase", strlen("two_phase"), 3);
	tables = pages_alloc(solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], tables);
	for (size_t i = 0; state3_code(i); i++)
		plain_step = state3_code(i);
	for (size_t i = 0; paint_code(i); i++)
		plain_paint = paint_code(i);
	for (int i = 0; i < BATCH; i++)
		actions[i] = (uint8_t)random_below(&seed, CUBE_ACTIONS);
	do_rows();
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < FIGURES; i++) {
			const uint64_t begin = thread_ns();
			const int count = figures[i].run();
			ns[i][round] = (double)(thread_ns() - begin) / count;
		}
	}
	for (size_t i = 0; i < FIGURES; i++)
		printf("%s %.0f\n", figures[i].name, 1e9 / least(ns[i], ROUNDS));
	return 0;
}
