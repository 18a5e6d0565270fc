/* state.c: what libcube takes to compose 3x3x3 states, and to go between their forms.
 *
 * Prints a line "name value" for each figure, all in ns:
 *
 *     cycle                  a cycle of the processor's clock, as fast as it runs now
 *     compose.CODE.chain     a composition of a chain, each on the result of the one before, with
 *                            states from a table: cube_state3_apply
 *     compose.CODE.streams   one of many that wait for none, in cache: cube_state3_compose_each
 *     compose.CODE.single    a call of cube_state3_compose, on the result of the one before
 *     compose.CODE.invert    cube_state3_invert
 *     rank.8 unrank.8        permutations of 8 and 12 as numbers, and back
 *     rank.12 unrank.12
 *     index cubies.index     a struct cube to its number, a number to cubies
 *     index.text             a number to decimal text and back
 *     cubies.of              a struct cube to cubies
 *     cubies.paint           cubies to colours
 *     cubies.cube            cubies to colours to a struct cube: cube_from_colors
 *     reid.print reid.parse  Reid's string, and back to colours
 *
 * CODE is each that this machine has. All are measured in turn, ROUNDS times; the least counts. */
#include "core/cubies/cubies_internal.h"
#include "cube/libcube.h"
#include "tests/bench/clock.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 60
#define SAMPLE_NS 300000 /* of one measure in one round */
#define STATES 256
#define MOVES 1024

static struct cube_state3 states[STATES], others[STATES], results[STATES];
static uint8_t moves[MOVES];
static struct cube_cubies cubies[STATES];
static struct cube_index indices[STATES];
static uint64_t ranks[2][STATES];
static char texts[STATES][CUBE_REID_BYTES];
static _Alignas(8) uint8_t cubes[STATES][sizeof(struct cube) + 54 * 2 + 4];
static uint8_t colors[54], permutation[16];
static volatile uint64_t sink;

static struct cube *cube_of(int i)
{
	return (struct cube *)cubes[i];
}

/* ---- what is measured: each does it STATES times (chains: MOVES times) ---- */

static const struct state3_code *code;

static void chain(void)
{
	code->apply(&results[0], states, moves, MOVES);
}

static void side_by_side(void)
{
	code->compose_each(results, states, others, STATES);
}

static void single(void)
{
	for (int i = 0; i < MOVES; i++)
		code->compose(&results[0], &results[0], &states[moves[i]]);
}

static void invert(void)
{
	for (int i = 0; i < STATES; i++)
		code->invert(&results[i], &states[i]);
}

static void rank_8(void)
{
	for (int i = 0; i < STATES; i++)
		sink = cube_rank(cubies[i].corner_permutation, 8);
}

static void unrank_8(void)
{
	for (int i = 0; i < STATES; i++)
		cube_unrank(ranks[0][i], 8, permutation);
}

static void rank_12(void)
{
	for (int i = 0; i < STATES; i++)
		sink = cube_rank(cubies[i].edge_permutation, 12);
}

static void unrank_12(void)
{
	for (int i = 0; i < STATES; i++)
		cube_unrank(ranks[1][i], 12, permutation);
}

static void index_of(void)
{
	for (int i = 0; i < STATES; i++)
		sink = cube_index_of(cube_of(i)).low;
}

static void index_text(void)
{
	char text[CUBE_INDEX_BYTES];
	struct cube_index index;
	struct cube_error error;
	for (int i = 0; i < STATES; i++) {
		size_t length = cube_index_print(indices[i], text);
		sink = cube_index_parse(text, length, 3, &index, &error);
	}
}

static void cubies_index(void)
{
	struct cube_cubies result;
	for (int i = 0; i < STATES; i++)
		sink = cube_index_cubies(indices[i], 3, &result);
}

static void cubies_of(void)
{
	struct cube_cubies result;
	for (int i = 0; i < STATES; i++) {
		cube_cubies_of(&result, cube_of(i));
		sink = result.edge_permutation[0];
	}
}

static void cubies_paint(void)
{
	for (int i = 0; i < STATES; i++)
		cube_cubies_paint(&cubies[i], 3, colors);
}

static void cubies_cube(void)
{
	for (int i = 0; i < STATES; i++) {
		cube_cubies_paint(&cubies[i], 3, colors);
		sink = cube_from_colors(cube_of(i), 3, colors, NULL, 0);
	}
}

static void reid_print(void)
{
	for (int i = 0; i < STATES; i++)
		cube_reid_print(cube_of(i), texts[i]);
}

static void reid_parse(void)
{
	struct cube_error error;
	for (int i = 0; i < STATES; i++)
		sink = cube_reid_parse(texts[i], CUBE_REID_BYTES - 1, colors, &error);
}

/* Runs the processor for a known number of its cycles: one multiplication after the other, three
 * cycles each. */
static void cycle(void)
{
	uint64_t number = sink | 3, factor = number;
	for (int i = 0; i < MOVES / 16; i++) {
#pragma GCC unroll 16
		for (int k = 0; k < 16; k++) {
			number *= factor;
			__asm__ volatile("" : "+r"(number));
		}
	}
	sink = number;
}

static struct figure {
	const char *name;
	void (*measure)(void);
	int times;
	bool of_code;
	double sample[4][ROUNDS]; /* by code, where there is one of each */
} figures[] = {
	{.name = "cycle", .measure = cycle, .times = 3 * MOVES},
	{.name = "chain", .measure = chain, .times = MOVES, .of_code = true},
	{.name = "streams", .measure = side_by_side, .times = STATES, .of_code = true},
	{.name = "single", .measure = single, .times = MOVES, .of_code = true},
	{.name = "invert", .measure = invert, .times = STATES, .of_code = true},
	{.name = "rank.8", .measure = rank_8, .times = STATES},
	{.name = "unrank.8", .measure = unrank_8, .times = STATES},
	{.name = "rank.12", .measure = rank_12, .times = STATES},
	{.name = "unrank.12", .measure = unrank_12, .times = STATES},
	{.name = "index", .measure = index_of, .times = STATES},
	{.name = "index.text", .measure = index_text, .times = STATES},
	{.name = "cubies.index", .measure = cubies_index, .times = STATES},
	{.name = "cubies.of", .measure = cubies_of, .times = STATES},
	{.name = "cubies.paint", .measure = cubies_paint, .times = STATES},
	{.name = "cubies.cube", .measure = cubies_cube, .times = STATES},
	{.name = "reid.print", .measure = reid_print, .times = STATES},
	{.name = "reid.parse", .measure = reid_parse, .times = STATES},
};
#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static double time_of(const struct figure *figure)
{
	uint64_t begin = clock_ns(), now, count = 0;
	do {
		figure->measure();
		count += (uint64_t)figure->times;
		now = clock_ns();
	} while (now - begin < SAMPLE_NS);
	return (double)(now - begin) / (double)count;
}

/* Random states: turned at random from one to the next. */
static void prepare(void)
{
	uint64_t seed = 88172645463325252u;
	struct cube *cube = cube_of(0);
	cube_init(cube, 3);
	for (int i = 0; i < STATES; i++) {
		for (int k = 0; k < 50; k++)
			cube_turn(cube, cube_turn_make(3, (int)random_below(&seed, 6), 1, 1,
						       1 + random_below(&seed, 3)));
		cube_copy(cube_of(i), cube);
		cube = cube_of(i);
		cube_cubies_of(&cubies[i], cube);
		cube_state3_from_cubies(&states[i], &cubies[i]);
		indices[i] = cube_index_of(cube);
		ranks[0][i] = cube_rank(cubies[i].corner_permutation, 8);
		ranks[1][i] = cube_rank(cubies[i].edge_permutation, 12);
		cube_reid_print(cube, texts[i]);
		others[STATES - 1 - i] = states[i];
	}
	for (int i = 0; i < MOVES; i++)
		moves[i] = (uint8_t)random_below(&seed, STATES);
}

int main(void)
{
	prepare();
	results[0] = states[0];
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < FIGURES; i++) {
			for (size_t k = 0; k < 4 && state3_code(k); k++) {
				code = state3_code(k);
				if (k == 0 || figures[i].of_code)
					figures[i].sample[k][round] = time_of(&figures[i]);
			}
		}
	}
	for (size_t i = 0; i < FIGURES; i++) {
		struct figure *figure = &figures[i];
		if (!figure->of_code)
			printf("%s %.2f\n", figure->name, least(figure->sample[0], ROUNDS));
		for (size_t k = 0; figure->of_code && k < 4 && state3_code(k); k++)
			printf("compose.%s.%s %.2f\n", state3_code(k)->name, figure->name,
			       least(figure->sample[k], ROUNDS));
	}
	return 0;
}
