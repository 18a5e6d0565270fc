/* facade.c: algorithms, searches with their tables, scrambles, patterns and pictures. */
#include "bindings/wasm/facade.h"

#include <stdlib.h>
#include <string.h>

#include "bindings/kept_tables.h"
#include "cube/libcube.h"

#define FLAT_MAX 100000
#define STEPS_MAX 4000
#define CANDIDATES_MAX 48

/* ---- algorithms ---- */

int facade_say_turns(int size, const struct cube_turn *turns, size_t count)
{
	size_t length = cube_turns_print(size, turns, count, NULL, 0), before = facade_length();
	char *text = facade_room(before + length);
	if (!text)
		return FACADE_NO_MEMORY;
	cube_turns_print(size, turns, count, text + before, length + 1);
	facade_set_length(before + length);
	return FACADE_OK;
}

static int print_alg(const struct cube_alg *alg)
{
	size_t length = cube_alg_print(alg, NULL, 0), before = facade_length();
	char *text = facade_room(before + length);
	if (!text)
		return FACADE_NO_MEMORY;
	cube_alg_print(alg, text + before, length + 1);
	facade_set_length(before + length);
	return FACADE_OK;
}

static int print_inverse(const struct cube_alg *alg)
{
	struct cube_alg inverse;
	struct cube_node *backward = malloc(alg->count * sizeof(*backward) + 1);
	if (!backward)
		return FACADE_NO_MEMORY;
	cube_alg_inverse(alg, backward, &inverse);
	int end = print_alg(&inverse);
	free(backward);
	return end;
}

/* Writes the turns one by one, simplified. */
static int print_simplified(const struct cube_alg *alg)
{
	struct cube_turn *turns = malloc(FLAT_MAX * sizeof(*turns));
	size_t count;
	if (!turns)
		return FACADE_NO_MEMORY;
	int end = FACADE_REFUSED;
	if (cube_alg_expand(alg, FLAT_MAX, turns, &count)) {
		end = facade_say_turns(alg->size, turns,
				       cube_turns_simplify(alg->size, turns, count));
	} else {
		facade_set_length(0);
		facade_say("0\t0\t");
		facade_say(cube_error_text(CUBE_ERROR_LONG));
	}
	free(turns);
	return end;
}

int facade_rewrite(int size, size_t length, int form)
{
	static int (*const print[])(const struct cube_alg *alg) = {
		[FACADE_AS_WRITTEN] = print_alg,
		[FACADE_INVERSE] = print_inverse,
		[FACADE_SIMPLIFIED] = print_simplified,
	};
	int end;
	struct cube_alg alg;
	struct cube_metrics metrics;
	struct cube_node *nodes = facade_moves(size, length, &alg, &end);
	if (!nodes)
		return end;
	cube_alg_metrics(&alg, &metrics);
	facade_set_length(0);
	for (int metric = 0; metric < CUBE_SOLVE_METRICS; metric++) {
		uint64_t count = cube_solve_metric_of(&metrics, (enum cube_solve_metric)metric);
		facade_say_number(count == CUBE_COUNT_OVER ? -1 : (int64_t)count);
		facade_say(metric + 1 < CUBE_SOLVE_METRICS ? "\t" : "\n");
	}
	end = print[form](&alg);
	free(nodes);
	return end;
}

int facade_parse(int size, size_t length, int dialect, int most)
{
	int end;
	struct cube_alg alg;
	struct cube_node *nodes = facade_moves_of(size, length, dialect, &alg, &end);
	if (!nodes)
		return end;
	facade_set_length(0);
	end = print_alg(&alg);
	const uint64_t written_out = cube_alg_length(&alg);
	if (end == FACADE_OK && written_out <= (uint64_t)most) {
		struct cube_turn *turns = malloc(((size_t)written_out + 1) * sizeof(*turns));
		size_t count = 0;
		end = turns && facade_say("\n") &&
				      cube_alg_expand(&alg, (size_t)written_out, turns, &count)
			      ? facade_say_turns(size, turns, count)
			      : FACADE_NO_MEMORY;
		free(turns);
	}
	free(nodes);
	return end;
}

void facade_dialects(void)
{
	facade_set_length(0);
	for (int i = 0; i < CUBE_DIALECT_COUNT; i++) {
		facade_say(cube_dialect_name((enum cube_dialect)i));
		facade_say("\t");
		facade_say(cube_dialect_text((enum cube_dialect)i));
		facade_say("\n");
	}
}

/* ---- repairs ---- */

int facade_candidates(size_t length)
{
	static char repairs[CANDIDATES_MAX][CUBE_REPAIR_BYTES];
	struct cube_error error;
	int size;
	size_t count = 0;
	uint8_t *colors = malloc(length + CUBE_FACELETS_MAX);
	if (!colors)
		return FACADE_NO_MEMORY;
	facade_set_length(0);
	if (cube_colors_parse((const char *)facade_input(length), length, colors, &size, &error) ==
	    CUBE_OK)
		count = cube_repair_candidates(size, colors, repairs, CANDIDATES_MAX);
	free(colors);
	for (size_t i = 0; i < count && i < CANDIDATES_MAX; i++)
		if (!facade_say(repairs[i]) || !facade_say("\n"))
			return FACADE_NO_MEMORY;
	return (int)count;
}

/* ---- searches ---- */

static int bound;

int facade_bound(void)
{
	return bound;
}

void *facade_aligned(size_t bytes)
{
	return aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(bytes + 1));
}

static const struct cube_solver *method_in_input(int size, size_t length)
{
	const char *name = (const char *)facade_input(length);
	return length > 0 ? cube_solver_find(name, length, size) : cube_solver_default(size);
}

int facade_prepare(int size, size_t length)
{
	const struct cube_solver *solver = method_in_input(size, length);
	if (!solver)
		return FACADE_NO_METHOD;
	return kept_tables_make(solver->base) && kept_tables_make(solver) ? FACADE_OK
									  : FACADE_NO_MEMORY;
}

const void *facade_tables(int size, size_t length)
{
	return kept_tables_of(method_in_input(size, length));
}

size_t facade_tables_bytes(int size, size_t length)
{
	const struct cube_solver *solver = method_in_input(size, length);
	return solver && solver->table_count > 0 ? solver->tables[0].bytes : 0;
}

/* A copy of tables that is being written. */
static void *given;

void *facade_tables_place(int size, size_t length)
{
	free(given);
	given = facade_tables_bytes(size, length) > 0
			? kept_tables_alloc(method_in_input(size, length))
			: NULL;
	return given;
}

bool facade_tables_give(int size, size_t length)
{
	const struct cube_solver *solver = method_in_input(size, length);
	const bool good = given && cube_solver_tables_good(&solver->tables[0], given);
	if (!good || kept_tables_of(solver) || !kept_tables_add(solver, given))
		free(given);
	given = NULL;
	return good;
}

const void *facade_optimal_tables(int size)
{
	return kept_tables_of(cube_solver_find("optimal", 7, size));
}

static bool carry_on(void *context, const struct cube_solve_progress *progress)
{
	(void)context;
	return facade_carry_on((double)progress->nodes, progress->depth, progress->best);
}

/* Writes the row of a step. Its texts have neither tabs nor line ends. */
static int say_step(const struct cube_solver *solver, int size, const struct cube_solve_step *step,
		    const struct cube_turn *turns)
{
	static char text[CUBE_LESSON_TEXT];
	struct cube_lesson_words words = {.size = size};
	facade_say("\n");
	facade_say(solver->stages ? solver->stages[step->stage] : "");
	facade_say("\t");
	int end = facade_say_turns(size, turns, step->count);
	facade_say("\t");
	facade_say_number((int64_t)step->rotations);
	for (int part = CUBE_LESSON_HOLD; part <= CUBE_LESSON_STEP; part++) {
		facade_say("\t");
		if (solver->teaches)
			facade_say(cube_lesson_say(&words, (enum cube_lesson_part)part, &step->note,
						   text));
	}
	return end;
}

static int say_solution(const struct cube_solver *solver, int size, int steps,
			const struct cube_solution *solution)
{
	facade_set_length(0);
	bound = solution->bound;
	if (solution->length < 0)
		return FACADE_NONE;
	int end = facade_say_turns(size, solution->turns, solution->count);
	if (end == FACADE_OK && steps == FACADE_LESSON)
		return facade_say_lesson(solver, size, solution) == FACADE_OK ? solution->length
									      : FACADE_NO_MEMORY;
	const struct cube_turn *turns = solution->turns + (solver->niss ? solution->step_turns : 0);
	for (size_t i = 0; i < solution->step_count && end == FACADE_OK; i++) {
		end = say_step(solver, size, &solution->steps[i], turns);
		turns += solution->steps[i].count;
	}
	return end == FACADE_OK ? solution->length : end;
}

int facade_solve(size_t length, int longest, int enough, double nodes, int steps)
{
	const struct cube *cube = facade_cube();
	const struct cube_solver *solver = method_in_input(cube->size, length);
	if (!solver)
		return FACADE_NO_METHOD;
	struct cube_solution solution = {.room = solver->room ? solver->room(cube->size)
							      : CUBE_SOLUTION_MAX,
					 .step_room = steps ? STEPS_MAX : 0};
	if (solver->niss)
		solution.room += STEPS_MAX;
	solution.turns = malloc(solution.room * sizeof(*solution.turns));
	solution.steps = steps ? malloc(STEPS_MAX * sizeof(*solution.steps)) : NULL;
	void *work = facade_aligned(solver->work_bytes ? solver->work_bytes(cube->size) : 0);
	int end = FACADE_NO_MEMORY;
	if (solution.turns && work && (solution.steps || !steps)) {
		struct cube_solve_task task = {.cube = cube,
					       .length_max = longest,
					       .length_enough = enough,
					       .nodes_max = (uint64_t)nodes,
					       .carry_on = carry_on,
					       .first = (uint8_t)facade_first_layer(),
					       .base = kept_tables_of(solver->base),
					       .work = solver->work_bytes ? work : NULL};
		solver->solve(kept_tables_of(solver), &task, &solution);
		end = say_solution(solver, cube->size, steps, &solution);
	}
	free(work);
	free(solution.steps);
	free(solution.turns);
	return end;
}

int facade_scramble(int size, size_t length, int variant)
{
	if (!cube_scramble_has(size, (enum cube_scramble_variant)variant))
		return FACADE_NO_METHOD;
	const struct cube_solver *reduction = cube_solver_find("reduction", 9, 4);
	struct cube_seeded seeded;
	struct cube_scramble_task task = {
		.size = size,
		.variant = (enum cube_scramble_variant)variant,
		.random = {cube_seeded_next, &seeded},
		.optimal2 = kept_tables_of(cube_solver_find("optimal", 7, 2)),
		.two_phase = kept_tables_of(cube_solver_find("two_phase", 9, 3)),
		.reduction = kept_tables_of(reduction),
	};
	struct cube_turn *turns = malloc(cube_scramble_room(size) * sizeof(*turns));
	void *work =
		facade_aligned(size == 4 && reduction->work_bytes ? reduction->work_bytes(4) : 0);
	int end = FACADE_NO_MEMORY;
	facade_take_aim(&task);
	if (turns && work) {
		task.work = work;
		cube_seeded_init(&seeded, facade_input(length), length);
		facade_set_length(0);
		const size_t count = cube_scramble(&task, turns);
		for (size_t i = 0; i < count; i++)
			if (turns[i].quarters == -2)
				turns[i].quarters = 2; /* R2, as scrambles are written */
		end = facade_say_turns(size, turns, count);
	}
	free(work);
	free(turns);
	return end;
}

/* ---- patterns ---- */

static const void *refuse_pattern(const char *why)
{
	facade_set_length(0);
	facade_say("0\t0\t");
	facade_say(why);
	return NULL;
}

static const void *named_pattern(int size, const char *name, size_t length)
{
	const struct cube_named *named = cube_named_find(name, length);
	if (!named || size < named->size_min || size > named->size_max)
		return refuse_pattern("no pattern of that name is for cubes of this size");
	void *memory = malloc(cube_named_bytes(named, size));
	return memory ? cube_named_make(named, size, memory) : refuse_pattern("out of memory");
}

/* Makes a query of one node, with the pattern behind it. */
static const void *written_pattern(int size, const char *text, size_t length)
{
	struct cube_pattern_error error = {.code = CUBE_PATTERN_SIZE};
	int found = 0;
	uint8_t *items = malloc(length + CUBE_FACELETS_MAX);
	struct cube_query_node *node = malloc(sizeof(*node));
	struct cube_pattern *pattern = malloc(cube_pattern_bytes(size, 0));
	if (items && node && pattern &&
	    cube_pattern_parse(text, length, items, &found, &error) == CUBE_PATTERN_OK &&
	    found == size) {
		cube_pattern_make(pattern, size, items);
		*node = (struct cube_query_node){
			.kind = CUBE_QUERY_COLORS, .span = 1, .pattern = pattern};
		cube_query_prepare(node);
		free(items);
		return node;
	}
	free(pattern);
	free(node);
	free(items);
	if (error.code != CUBE_PATTERN_OK)
		return refuse_pattern(cube_pattern_text(error.code));
	return refuse_pattern("the pattern is not for cubes of this size");
}

const void *facade_pattern(int size, size_t length, int items)
{
	const char *text = (const char *)facade_input(length);
	return items ? written_pattern(size, text, length) : named_pattern(size, text, length);
}

int facade_match(const void *pattern, int size, size_t count)
{
	size_t facelets = cube_facelets(size);
	const uint8_t *colors = facade_input(count * facelets);
	uint32_t *fits = (uint32_t *)(void *)facade_room(count * sizeof(*fits));
	if (!fits)
		return FACADE_NO_MEMORY;
	for (size_t i = 0; i < count; i++)
		fits[i] = cube_query_match(pattern, colors + i * facelets, CUBE_FITS_ALL);
	facade_set_length(count * sizeof(*fits));
	return FACADE_OK;
}

/* ---- pictures ---- */

int facade_picture(size_t length, int pixels)
{
	const struct cube *cube = facade_cube();
	enum cube_picture_view view;
	struct cube_picture picture;
	if (!cube_picture_view_find((const char *)facade_input(length), length, &view))
		return FACADE_NO_METHOD;
	cube_picture_init(&picture, view);
	picture.pixels = pixels;
	uint8_t *colors = malloc(cube_facelets(cube->size));
	char *text = facade_room(cube_picture_bytes(&picture, cube->size));
	if (colors && text) {
		cube_colors(cube, colors);
		facade_set_length(cube_picture_print(&picture, cube->size, colors, text));
	}
	free(colors);
	return colors && text ? FACADE_OK : FACADE_NO_MEMORY;
}
