/* pattern.c: what libcube takes to match a pattern in all 24 ways.
 *
 * Prints a line "name value" for each figure, ns for one state. The states are random ones, as
 * colours in an array of many, so that reading them counts; patterns are ones that a search may ask
 * for. All are measured in turn, ROUNDS times, and the least is what counts. */
#include "core/pattern/pattern_internal.h"
#include "cube/libcube.h"
#include "tests/bench/clock.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 60
#define SAMPLE_NS 300000
#define STATES 4096
#define SIZE_MAX_MEASURED 5
#define FACELETS (6 * SIZE_MAX_MEASURED * SIZE_MAX_MEASURED)

static struct measure {
	const char *name;
	int size;
	bool solved; /* the states are, so that no way is left early */
	const char *text;
	struct cube_pattern *pattern;
	double ns[ROUNDS];
} measures[] = {
	{"fixed.2", 2, false, "UUUU **FF R*R* *L*L BB** ****", NULL, {0}},
	{"generics.2", 2, false, "1111 **22 3*3* *4*4 55** ****", NULL, {0}},
	{"fixed.3",
	 3,
	 false,
	 "UUUUUUUUU ***FFFFFF RR*RR*RR* *LL*LL*LL BBBBBB*** ****D****",
	 NULL,
	 {0}},
	{"generics.3",
	 3,
	 false,
	 "111111111 ***222222 33*33*33* *44*44*44 555555*** ****6****",
	 NULL,
	 {0}},
	{"fixed.solved.3",
	 3,
	 true,
	 "UUUUUUUUU BBBBBBBBB RRRRRRRRR LLLLLLLLL FFFFFFFFF DDDDDDDDD",
	 NULL,
	 {0}},
	{"generics.solved.3",
	 3,
	 true,
	 "111111111 222222222 333333333 444444444 555555555 666666666",
	 NULL,
	 {0}},
	{"cross.3",
	 3,
	 false,
	 "*1*111*1* ****2**2* ***33**** ****44*** *5**5**** *********",
	 NULL,
	 {0}},
	{"generics.4",
	 4,
	 false,
	 "1111111111111111 ****222222222222 333*333*333*333* *444*444*444*444 555555555555**** "
	 "*****66**66*****",
	 NULL,
	 {0}},
	{"generics.5",
	 5,
	 false,
	 "******111**111**111****** ******222**222**222****** ******333**333**333****** "
	 "******444**444**444****** ******555**555**555****** ******666**666**666******",
	 NULL,
	 {0}},
};
#define MEASURES (sizeof(measures) / sizeof(measures[0]))

static uint8_t states[SIZE_MAX_MEASURED + 1][STATES][FACELETS], solved[STATES][FACELETS];
static _Alignas(8) uint8_t cubes[SIZE_MAX_MEASURED + 1][STATES][8 + 2 * FACELETS];
static double copied[SIZE_MAX_MEASURED + 1][ROUNDS], portable[ROUNDS];
static volatile uint32_t sink;

static void make_states(int size, uint64_t *seed)
{
	struct cube *cube = (struct cube *)cubes[size][0];
	cube_init(cube, size);
	for (int i = 0; i < STATES; i++) {
		for (int k = 0; k < (i == 0 ? 200 : 20); k++) {
			int from = 1 + (int)random_below(seed, (uint32_t)size);
			cube_turn(cube, cube_turn_make(size, (int)random_below(seed, 6), from, from,
						       1 + (int)random_below(seed, 3)));
		}
		cube_colors(cube, states[size][i]);
		if (i + 1 < STATES) {
			memcpy(cubes[size][i + 1], cube, cube_bytes(size));
			cube = (struct cube *)cubes[size][i + 1];
		}
	}
}

static double time_match(const struct measure *measure, const struct pattern_code *path)
{
	uint8_t(*colors)[FACELETS] = measure->solved ? solved : states[measure->size];
	uint64_t begin = clock_ns(), now, count = 0;
	do {
		uint32_t fits = 0;
		for (int i = 0; i < STATES; i++)
			fits += path ? path->match(measure->pattern, colors[i])
				     : cube_pattern_match(measure->pattern, colors[i],
							  CUBE_FITS_ALL);
		sink = fits;
		count += STATES;
		now = clock_ns();
	} while (now - begin < SAMPLE_NS);
	return (double)(now - begin) / (double)count;
}

static double time_colors(int size)
{
	uint8_t colors[FACELETS];
	uint64_t begin = clock_ns(), now, count = 0;
	do {
		for (int i = 0; i < STATES; i++) {
			cube_colors((struct cube *)cubes[size][i], colors);
			sink = colors[0];
		}
		count += STATES;
		now = clock_ns();
	} while (now - begin < SAMPLE_NS);
	return (double)(now - begin) / (double)count;
}

int main(void)
{
	uint64_t seed = 88172645463325252u;
	struct cube *home = (struct cube *)cubes[0][0];
	for (int size = 2; size <= SIZE_MAX_MEASURED; size++)
		make_states(size, &seed);
	cube_init(home, 3);
	for (int i = 0; i < STATES; i++)
		cube_colors(home, solved[i]);
	for (size_t i = 0; i < MEASURES; i++) {
		struct measure *measure = &measures[i];
		struct cube_pattern_error error;
		uint8_t items[FACELETS];
		int size;
		if (cube_pattern_parse(measure->text, strlen(measure->text), items, &size,
				       &error) != CUBE_PATTERN_OK ||
		    size != measure->size)
			return 1;
		measure->pattern = malloc(cube_pattern_bytes(size, 0));
		if (!measure->pattern)
			return 1;
		cube_pattern_make(measure->pattern, size, items);
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < MEASURES; i++)
			measures[i].ns[round] = time_match(&measures[i], NULL);
		for (int size = 2; size <= SIZE_MAX_MEASURED; size++)
			copied[size][round] = time_colors(size);
		const struct pattern_code *path = pattern_code(0);
		for (size_t i = 1; pattern_code(i); i++)
			path = pattern_code(i);
		portable[round] = time_match(&measures[3], path);
	}
	for (size_t i = 0; i < MEASURES; i++)
		printf("pattern.%s %.1f\n", measures[i].name, least(measures[i].ns, ROUNDS));
	for (int size = 2; size <= SIZE_MAX_MEASURED; size++)
		printf("pattern.colors.%d %.1f\n", size, least(copied[size], ROUNDS));
	printf("pattern.generics.portable.3 %.1f\n", least(portable, ROUNDS));
	return 0;
}
