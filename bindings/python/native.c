/* native.c: the calls of libcube that the Python package makes by ctypes and that need more than an array: text of moves, searches with
 * their tables. It is linked with the library into one file, and allocates, which the library does not.
 *
 * Functions return what is wrong as a text, or NULL. Tables are made once, by native_prepare(), which the caller lets only one thread
 * call at a time, and are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/kept_tables.h"
#include "cube/libcube.h"

#define FLAT_MAX 100000

static const char out_of_memory[] = "out of memory";

/* ---- moves ---- */

/* The nodes of a text that was read; NULL if it cannot be. */
static struct cube_node *read_moves(int size, const char *text, size_t length, struct cube_alg *alg,
				    const char **wrong, size_t *column)
{
	struct cube_node *nodes = malloc(cube_parse_nodes(text, length) * sizeof(*nodes) + 1);
	struct cube_error error;
	*wrong = out_of_memory;
	*column = 0;
	if (nodes &&
	    cube_parse(text, length, size, CUBE_DIALECT_SIGN, nodes, alg, &error) == CUBE_OK)
		return nodes;
	if (nodes) {
		*wrong = cube_error_text(error.code);
		*column = cube_text_column(text, length, error.offset);
	}
	free(nodes);
	return NULL;
}

CUBE_API const char *native_turn(struct cube *cube, const char *text, size_t length,
				 size_t *column);
const char *native_turn(struct cube *cube, const char *text, size_t length, size_t *column)
{
	const char *wrong;
	struct cube_alg alg;
	struct cube_node *nodes = read_moves(cube->size, text, length, &alg, &wrong, column);
	if (!nodes)
		return wrong;
	void *scratch = malloc(cube_alg_scratch_bytes(&alg) + 1);
	if (scratch)
		cube_alg_apply(cube, &alg, scratch);
	free(scratch);
	free(nodes);
	return scratch ? NULL : out_of_memory;
}

enum rewrite { REWRITE_SAME, REWRITE_INVERSE, REWRITE_FLAT };

/* Writes the turns of an algorithm one by one, simplified. */
static const char *print_flat(const struct cube_alg *alg, char *out, size_t room, size_t *written)
{
	struct cube_turn *turns = malloc(FLAT_MAX * sizeof(*turns));
	const char *wrong = out_of_memory;
	size_t count;
	if (turns && cube_alg_expand(alg, FLAT_MAX, turns, &count)) {
		count = cube_turns_simplify(alg->size, turns, count);
		*written = cube_turns_print(alg->size, turns, count, out, room);
		wrong = NULL;
	} else if (turns) {
		wrong = cube_error_text(CUBE_ERROR_LONG);
	}
	free(turns);
	return wrong;
}

/* Writes moves in canonical form, inverted, or one by one; `written` is their length, which may be more than the room. The counts are
 * those of HTM, QTM, STM, QSTM and ETM. */
CUBE_API const char *native_rewrite(int size, const char *text, size_t length, int how, char *out,
				    size_t room, size_t *written,
				    uint64_t counts[CUBE_SOLVE_METRICS], size_t *column);
const char *native_rewrite(int size, const char *text, size_t length, int how, char *out,
			   size_t room, size_t *written, uint64_t counts[CUBE_SOLVE_METRICS],
			   size_t *column)
{
	const char *wrong;
	struct cube_alg alg, inverse;
	struct cube_metrics metrics;
	struct cube_node *nodes = read_moves(size, text, length, &alg, &wrong, column);
	if (!nodes)
		return wrong;
	cube_alg_metrics(&alg, &metrics);
	for (int metric = 0; metric < CUBE_SOLVE_METRICS; metric++)
		counts[metric] = cube_solve_metric_of(&metrics, (enum cube_solve_metric)metric);
	if (how == REWRITE_FLAT) {
		wrong = print_flat(&alg, out, room, written);
	} else if (how == REWRITE_INVERSE) {
		struct cube_node *backward = malloc(alg.count * sizeof(*backward) + 1);
		if (backward) {
			cube_alg_inverse(&alg, backward, &inverse);
			*written = cube_alg_print(&inverse, out, room);
		}
		wrong = backward ? NULL : out_of_memory;
		free(backward);
	} else {
		*written = cube_alg_print(&alg, out, room);
		wrong = NULL;
	}
	free(nodes);
	return wrong;
}

/* ---- colours ---- */

/* Reads letters into `cube`, which has room for that size. What is wrong is written to `message` (300 bytes). */
CUBE_API const char *native_read(struct cube *cube, int size, const char *letters, size_t length,
				 char message[300]);
const char *native_read(struct cube *cube, int size, const char *letters, size_t length,
			char message[300])
{
	struct cube_error error;
	struct cube_problem problem;
	int found;
	uint8_t *colors = malloc(length + CUBE_FACELETS_MAX);
	if (!colors)
		return out_of_memory;
	message[0] = '\0';
	if (cube_colors_parse(letters, length, colors, &found, &error) != CUBE_OK)
		snprintf(message, 300, "%s (character %zu)", cube_error_text(error.code),
			 cube_text_column(letters, length, error.offset));
	else if (found != size)
		snprintf(message, 300, "%s", cube_error_text(CUBE_ERROR_FACELETS_LENGTH));
	else if (cube_from_colors(cube, size, colors, &problem, 1) > 0)
		snprintf(message, 300, "no turns lead to these colours (%s%s%s); %s",
			 cube_problem_name(problem.kind), problem.place[0] ? " at " : "",
			 problem.place, problem.repair[0] ? problem.repair : "check them again");
	free(colors);
	return message[0] ? message : NULL;
}

/* ---- searches ---- */

/* Finds a method; an empty name is that of the default one. */
static const struct cube_solver *method_of(const char *name, int size)
{
	return name[0] ? cube_solver_find(name, strlen(name), size) : cube_solver_default(size);
}

CUBE_API const char *native_prepare(const char *method, int size);
const char *native_prepare(const char *method, int size)
{
	const struct cube_solver *solver = method_of(method, size);
	if (!solver)
		return "no method of that name solves cubes of this size";
	return kept_tables_make(solver->base) && kept_tables_make(solver) ? NULL : out_of_memory;
}

/* Solves `cube`, or brings it to `goal` if that is not NULL, and writes the turns. `length` is -1 if there is no solution that short
 * within so many positions. */
CUBE_API const char *native_solve(const char *method, const struct cube *cube,
				  const struct cube *goal, int length_max, int length_enough,
				  uint64_t nodes_max, char *out, size_t room, int *length);
const char *native_solve(const char *method, const struct cube *cube, const struct cube *goal,
			 int length_max, int length_enough, uint64_t nodes_max, char *out,
			 size_t room, int *length)
{
	const struct cube_solver *solver = method_of(method, cube->size);
	size_t turn_room = solver->room ? solver->room(cube->size) : CUBE_SOLUTION_MAX;
	size_t work_bytes = solver->work_bytes ? solver->work_bytes(cube->size) : 0,
	       bytes = cube_bytes(cube->size);
	struct cube_turn *turns = malloc(turn_room * sizeof(*turns));
	void *work =
		work_bytes ? aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(work_bytes)) : NULL;
	struct cube *relative = malloc(bytes), *scratch = malloc(bytes);
	const char *wrong = out_of_memory;
	if (turns && relative && scratch && (work || work_bytes == 0)) {
		struct cube_solution solution = {.turns = turns, .room = turn_room};
		struct cube_solve_task task = {.cube = cube,
					       .length_max = length_max,
					       .length_enough = length_enough,
					       .nodes_max = nodes_max,
					       .base = kept_tables_of(solver->base),
					       .work = work};
		if (goal) {
			cube_goal_relabel(relative, cube, goal, scratch);
			task.cube = relative;
		}
		solver->solve(kept_tables_of(solver), &task, &solution);
		*length = solution.length;
		cube_turns_print(cube->size, turns, solution.length < 0 ? 0 : solution.count, out,
				 room);
		wrong = NULL;
	}
	free(scratch);
	free(relative);
	free(work);
	free(turns);
	return wrong;
}

/* Writes a number of turns that no solution of each state is shorter than, or for size 2 the distance. native_prepare() has made the
 * tables of the method `optimal`. */
CUBE_API void native_bounds(int size, const struct cube_state3 *states, size_t count,
			    uint8_t *bounds);
void native_bounds(int size, const struct cube_state3 *states, size_t count, uint8_t *bounds)
{
	const void *tables = kept_tables_of(cube_solver_find("optimal", 7, size));
	for (size_t i = 0; i < count; i++)
		bounds[i] = (uint8_t)(size == 2 ? cube_depth_of_2(tables, &states[i])
						: cube_bound_of(tables, &states[i]));
}

/* Writes a scramble from a seed; native_prepare() has made the tables of the method that its size needs. */
CUBE_API const char *native_scramble(int size, const void *seed, size_t seed_length, char *out,
				     size_t room);
const char *native_scramble(int size, const void *seed, size_t seed_length, char *out, size_t room)
{
	const struct cube_solver *optimal2 = cube_solver_find("optimal", 7, 2),
				 *two_phase = cube_solver_find("two_phase", 9, 3),
				 *reduction = cube_solver_find("reduction", 9, 4);
	struct cube_seeded seeded;
	struct cube_scramble_task task = {.size = size, .random = {cube_seeded_next, &seeded}};
	struct cube_turn *turns = malloc(cube_scramble_room(size) * sizeof(*turns));
	if (size == 4 && reduction->work_bytes)
		task.work = aligned_alloc(CUBE_SOLVE_ALIGN,
					  CUBE_SOLVE_ALIGNED(reduction->work_bytes(4)));
	if (!turns || (size == 4 && reduction->work_bytes && !task.work)) {
		free(task.work);
		free(turns);
		return out_of_memory;
	}
	cube_seeded_init(&seeded, seed, seed_length);
	task.optimal2 = kept_tables_of(optimal2);
	task.two_phase = kept_tables_of(two_phase);
	task.reduction = kept_tables_of(reduction);
	cube_turns_print(size, turns, cube_scramble(&task, turns), out, room);
	free(task.work);
	free(turns);
	return NULL;
}
