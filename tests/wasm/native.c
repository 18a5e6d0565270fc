/* native.c: prints a hash of what each call of the JavaScript package answers, here by native code: native COUNT SLOW. The same
 * as tests/wasm/hashes.mjs, which says what the lines are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/wasm/facade.h"
#include "cube/cube.h"

static uint32_t hash;

static void add(const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
}

static void add_output(void)
{
	add(facade_output(), facade_length());
}

static void report(const char *name)
{
	printf("%s %08x\n", name, hash);
	hash = 2166136261u;
}

int facade_carry_on(double nodes, int depth, int best)
{
	(void)nodes;
	(void)depth;
	(void)best;
	return 1;
}

static size_t put(const char *text)
{
	size_t length = strlen(text);
	memcpy(facade_input(length), text, length);
	return length;
}

static void demand(int end)
{
	if (end < 0)
		exit(1);
}

/* Makes the i-th random state the current cube. */
static void enter(const uint8_t *colors, size_t i)
{
	char letters[55] = "";
	for (int j = 0; j < 54; j++)
		letters[j] = cube_face_letters[colors[54 * i + (size_t)j]];
	demand(facade_read(put(letters)));
}

static uint8_t *states(size_t count)
{
	demand(facade_rows(3, 7, 0, count, -1, 0, FACADE_COLORS, 0));
	uint8_t *colors = malloc(facade_length());
	memcpy(colors, facade_output(), facade_length());
	return colors;
}

static void rows(size_t count)
{
	for (int kind = 0; kind < FACADE_KINDS; kind++) {
		demand(facade_rows(3, 3, 5, count, 1, 26, kind, 0));
		add_output();
	}
	report("rows");
}

/* Symmetries, children and bounds, in all combinations, of walks and of uniform states. */
static void families(int size, size_t count)
{
	char name[32];
	demand(facade_prepare(size, put("optimal")));
	for (int more = 0; more < 8; more++)
		for (int kind = 0; kind <= FACADE_ONE_HOT; kind++)
			for (int shortest = -1; shortest <= 0; shortest++) {
				demand(facade_rows(size, 5, 9, count, shortest, 12, kind, more));
				add_output();
			}
	snprintf(name, sizeof(name), "families-%d", size);
	report(name);
}

static void turned(const uint8_t *colors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enter(colors, i);
		demand(facade_turn(put("[R, U2] (F' M)3 x 2R")));
		facade_facelets();
		add_output();
	}
	report("turned");
}

/* A sticker too many of one colour: what is wrong, and how to repair it. */
static void diagnosed(const uint8_t *colors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enter(colors, i);
		facade_facelets();
		size_t length = facade_length();
		uint8_t *input = facade_input(length);
		memcpy(input, facade_output(), length);
		input[i % 54] = (uint8_t)cube_face_letters[i % 6];
		demand(facade_read(length));
		add_output();
	}
	report("diagnosed");
}

static void solved(const char *name, const char *method, int enough, const uint8_t *colors,
		   size_t count)
{
	demand(facade_prepare(3, put(method)));
	for (size_t i = 0; i < count; i++) {
		enter(colors, i);
		demand(facade_solve(put(method), 0, enough, 0, strcmp(name, "lessons") == 0));
		add_output();
	}
	report(name);
}

static void pictures(const uint8_t *colors, size_t count)
{
	static const char *const views[] = {"iso", "net", "plan", "trans"};
	for (size_t i = 0; i < count; i++) {
		enter(colors, i);
		demand(facade_picture(put(views[i % 4]), 0));
		add_output();
	}
	report("pictures");
}

static void matched(const uint8_t *colors, size_t count)
{
	const void *pattern = facade_pattern(3, put("cross"), 0);
	memcpy(facade_input(54 * count), colors, 54 * count);
	demand(facade_match(pattern, 3, count));
	add_output();
	demand(facade_rows(3, 11, 0, count, 0, 3, FACADE_COLORS, 0));
	memcpy(facade_input(54 * count), facade_output(), 54 * count);
	demand(facade_match(pattern, 3, count));
	add_output();
	report("matched");
}

static void scrambles(int size, const char *method, int method_size, size_t count)
{
	char name[32], seed[32];
	if (method)
		demand(facade_prepare(method_size, put(method)));
	for (size_t i = 0; i < count; i++) {
		snprintf(seed, sizeof(seed), "seed %zu", i);
		demand(facade_scramble(size, put(seed), 0));
		add_output();
	}
	snprintf(name, sizeof(name), "scrambles-%d", size);
	report(name);
}

static void aimed(size_t count)
{
	static const struct {
		const char *name;
		int distance;
	} aims[] = {{"pll-t", 0}, {"oll", 0}, {"cll-h-1", 0}, {"cross U", 5}, {"eo rl", 3}};
	for (size_t i = 0; i < count * sizeof(aims) / sizeof(aims[0]); i++) {
		char seed[32];
		snprintf(seed, sizeof(seed), "seed %zu", i);
		const int size = facade_aim(put(aims[i / count].name), aims[i / count].distance);
		demand(size);
		demand(facade_scramble(size, put(seed), 0));
		add_output();
	}
	report("aimed");
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100,
	       slow = argc > 2 ? strtoul(argv[2], NULL, 10) : 3;
	uint8_t *colors = states(count);
	hash = 2166136261u;
	rows(count);
	families(2, count);
	families(3, count);
	turned(colors, count);
	diagnosed(colors, count);
	solved("solutions", "two_phase", 21, colors, count);
	solved("lessons", "beginner", 0, colors, count);
	pictures(colors, count);
	matched(colors, count);
	scrambles(2, "optimal", 2, count);
	scrambles(3, "two_phase", 3, slow);
	demand(facade_prepare(4, put("reduction")));
	scrambles(4, NULL, 0, slow);
	scrambles(7, NULL, 0, count);
	aimed(slow);
	solved("shorter", "two_phase", 20, colors, slow);
	free(colors);
	return 0;
}
