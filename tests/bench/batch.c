/* batch.c: what libcube takes for a state of a batch of 4,096 (cube/batch.h).
 *
 * Prints a line "name value" for each figure, in ns for a state. All are measured in turn, ROUNDS times;
 * the least counts. With a name that ends in .CODE, each code that this machine has. */
#include "core/batch/batch_internal.h"
#include "core/cubies/cubies_internal.h"
#include "cube/features.h"
#include "tests/bench/clock.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 30
#define STATES 4096
#define CODES 4

static struct cube_state3 states[STATES];
static uint8_t actions[STATES], solved[STATES], colors[STATES * CUBE_BATCH_COLORS],
	numbers[STATES * CUBE_FEATURES], lengths[STATES];
static float floats[STATES * CUBE_FEATURES];
static uint32_t fits[STATES];
static struct cube_pattern *pattern;
static uint64_t row;

static void do_step(void)
{
	cube_batch_step(states, STATES, cube_actions, actions, solved);
}

static void do_step_colors(void)
{
	do_step();
	cube_batch_colors(states, STATES, colors);
}

static void do_colors(void)
{
	cube_batch_colors(states, STATES, colors);
}

static void do_one_hot(void)
{
	cube_batch_one_hot(states, STATES, numbers);
}

static void do_features(void)
{
	cube_batch_features(states, STATES, numbers);
}

static void do_features_float(void)
{
	cube_batch_features_float(states, STATES, floats);
}

static void do_random(void)
{
	cube_batch_random(1, row, STATES, states);
	row += STATES;
}

static void do_walk(void)
{
	cube_batch_walk(1, row, STATES, 1, 26, states, lengths, NULL);
	row += STATES;
}

static void do_match(void)
{
	cube_batch_match(pattern, colors, STATES, fits);
}

static const struct {
	const char *name;
	void (*run)(void);
} figures[] = {
	{"step", do_step},         {"step_colors", do_step_colors},
	{"colors", do_colors},     {"one_hot", do_one_hot},
	{"features", do_features}, {"features_float", do_features_float},
	{"random", do_random},     {"walk", do_walk},
	{"match", do_match},
};
#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static double figure_ns[FIGURES][ROUNDS], step_ns[CODES][ROUNDS], paint_ns[CODES][ROUNDS];

static double since(uint64_t begin)
{
	return (double)(clock_ns() - begin) / STATES;
}

static void measure(int round)
{
	for (size_t i = 0; i < FIGURES; i++) {
		uint64_t begin = clock_ns();
		figures[i].run();
		figure_ns[i][round] = since(begin);
	}
	for (size_t i = 0; i < CODES && state3_code(i); i++) {
		uint64_t begin = clock_ns();
		state3_code(i)->step(states, STATES, cube_actions, actions, solved);
		step_ns[i][round] = since(begin);
	}
	for (size_t i = 0; paint_code(i); i++) {
		uint64_t begin = clock_ns();
		paint_code(i)->colors(states, STATES, colors);
		paint_ns[i][round] = since(begin);
	}
}

int main(void)
{
	static const char text[] = "1111*1111 *2**2**** *3**3**** *4**4**** *5**5**** *********";
	uint8_t items[54];
	struct cube_pattern_error error;
	uint64_t seed = 88172645463325252u;
	int size;
	if (cube_pattern_parse(text, strlen(text), items, &size, &error) != CUBE_PATTERN_OK)
		return 1;
	pattern = malloc(cube_pattern_bytes(size, 0));
	if (!pattern)
		return 1;
	cube_pattern_make(pattern, size, items);
	for (int i = 0; i < STATES; i++)
		actions[i] = (uint8_t)random_below(&seed, CUBE_ACTIONS);
	do_random();
	for (int round = 0; round < ROUNDS; round++)
		measure(round);
	for (size_t i = 0; i < FIGURES; i++)
		printf("batch.%s %.2f\n", figures[i].name, least(figure_ns[i], ROUNDS));
	for (size_t i = 0; i < CODES && state3_code(i); i++)
		printf("batch.step.%s %.2f\n", state3_code(i)->name, least(step_ns[i], ROUNDS));
	for (size_t i = 0; paint_code(i); i++)
		printf("batch.colors.%s %.2f\n", paint_code(i)->name, least(paint_ns[i], ROUNDS));
	free(pattern);
	return 0;
}
