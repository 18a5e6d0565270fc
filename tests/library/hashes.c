/* hashes.c: prints a hash of what each part of the library answers, to compare builds of it: moves, random states, batches,
 * patterns, solutions, scrambles, pictures. With AMALGAMATED it is compiled with the one header. */
#ifdef AMALGAMATED
#include "libcube.h"
#else
#include <cube/libcube.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES 1000
#define SOLVED 20

static uint64_t hash;

static void add(const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

static void add_cube(const struct cube *cube)
{
	add(cube->spin, sizeof(cube->spin));
	for (size_t i = 0; i < cube_facelets(cube->size); i++) {
		uint8_t sticker[2] = {(uint8_t)(cube->sticker[i] >> 8), (uint8_t)cube->sticker[i]};
		add(sticker, 2);
	}
}

static void report(const char *name)
{
	printf("%s %016llx\n", name, (unsigned long long)hash);
	hash = 0xcbf29ce484222325u;
}

static int moves(int size)
{
	static const char text[] = "[R, U]2 (F R2 b)3 2-3Rw' [Uw: D L'] x y2 (F2 B')5";
	struct cube *cube = malloc(cube_bytes(size));
	struct cube_node *nodes = malloc(cube_parse_nodes(text, strlen(text)) * sizeof(*nodes));
	struct cube_alg alg;
	struct cube_error error;
	if (cube_parse(text, strlen(text), size, CUBE_DIALECT_SIGN, nodes, &alg, &error) != CUBE_OK)
		return 1;
	void *scratch = malloc(cube_alg_scratch_bytes(&alg) + 1);
	cube_init(cube, size);
	cube_alg_apply(cube, &alg, scratch);
	add_cube(cube);
	free(scratch);
	free(nodes);
	free(cube);
	return 0;
}

static struct cube_state3 states[STATES];
static uint8_t colors[STATES][54], numbers[STATES][CUBE_FEATURES], actions[STATES], solved[STATES];
static uint32_t fits[STATES];

static int batches(void)
{
	static const char text[] = "1111*1111 *2**2**** *3**3**** *4**4**** *5**5**** *********";
	uint8_t items[54];
	int size;
	struct cube_pattern_error error;
	for (int i = 0; i < STATES; i++)
		actions[i] = (uint8_t)(i % CUBE_ACTIONS);
	cube_batch_walk(1, 0, STATES, 0, 3, states, numbers[0], NULL);
	add(states, sizeof(states));
	cube_batch_step(states, STATES, cube_actions, actions, solved);
	add(solved, sizeof(solved));
	cube_batch_colors(states, STATES, colors[0]);
	if (cube_pattern_parse(text, strlen(text), items, &size, &error) != CUBE_PATTERN_OK)
		return 1;
	struct cube_pattern *pattern = malloc(cube_pattern_bytes(size, 0));
	cube_pattern_make(pattern, size, items);
	cube_batch_match(pattern, colors[0], STATES, fits);
	free(pattern);
	for (int i = 0; i < STATES; i++) {
		uint8_t bytes[3] = {(uint8_t)fits[i], (uint8_t)(fits[i] >> 8),
				    (uint8_t)(fits[i] >> 16)};
		add(bytes, 3);
	}
	cube_batch_random(1, 0, STATES, states);
	cube_batch_colors(states, STATES, colors[0]);
	cube_batch_features(states, STATES, numbers[0]);
	add(colors, sizeof(colors));
	add(numbers, sizeof(numbers));
	return 0;
}

static int solutions(void)
{
	const struct cube_solver *solver = cube_solver_find("two_phase", 9, 3);
	void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(solver->tables[0].bytes));
	struct cube *cube = malloc(cube_bytes(3));
	cube_solver_make(&solver->tables[0], tables);
	for (int i = 0; i < SOLVED; i++) {
		struct cube_turn turns[CUBE_SOLUTION_MAX];
		struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
		struct cube_solve_task task = {.cube = cube, .length_enough = 21};
		struct cube_problem problem;
		char text[200];
		if (cube_from_colors(cube, 3, colors[i], &problem, 1) != 0 ||
		    solver->solve(tables, &task, &solution) != CUBE_SOLVE_ENOUGH)
			return 1;
		add(text, cube_turns_print(3, turns, solution.count, text, sizeof(text)));
		cube_turn_all(cube, turns, solution.count);
		if (!cube_is_solved(cube))
			return 1;
	}
	free(cube);
	free(tables);
	return 0;
}

static int pictures(void)
{
	struct cube_picture picture;
	for (int view = 0; view < 3; view++) {
		cube_picture_init(&picture, (enum cube_picture_view)view);
		char *svg = malloc(cube_picture_bytes(&picture, 3) + 1);
		add(svg, cube_picture_print(&picture, 3, colors[view], svg));
		free(svg);
	}
	return 0;
}

int main(void)
{
	hash = 0xcbf29ce484222325u;
	int failed = moves(4) || moves(5) || moves(100);
	report("moves");
	failed = failed || batches();
	report("batches");
	failed = failed || solutions();
	report("solutions");
	failed = failed || pictures();
	report("pictures");
	return failed;
}
