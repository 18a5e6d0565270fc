/* scrambling.c: scrambles by the system's randomness, or of a seed. */
#include "server/search/scrambling.h"

#include <stdlib.h>
#include <string.h>

#include "cube/solve.h"
#include "server/access/secret.h"

static uint64_t random_next(void *context)
{
	uint64_t word;
	(void)context;
	secret_random(&word, sizeof word);
	return word;
}

/* The tables of a method, and the smallest ones of its base. */
static enum table_cache_result open_tables(struct table_cache *table_cache, const char *method,
					   int size, struct table_cache_tables *tables)
{
	return table_cache_take(table_cache, cube_solver_find(method, strlen(method), size), NULL,
				tables);
}

static enum table_cache_result open_reduction(struct table_cache *table_cache,
					      struct cube_scramble_task *task)
{
	const struct cube_solver *solver = cube_solver_find("reduction", 9, 4);
	struct table_cache_tables tables;
	enum table_cache_result result = table_cache_take(table_cache, solver, NULL, &tables);
	if (result != TABLE_CACHE_READY)
		return result;
	task->work = aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(solver->work_bytes(4)));
	task->two_phase = tables.base;
	task->reduction = tables.tables;
	return task->work ? TABLE_CACHE_READY : TABLE_CACHE_NO_MEMORY;
}

enum table_cache_result scrambling_begin(struct scrambling *scrambling,
					 struct table_cache *table_cache, int size,
					 enum cube_scramble_variant variant, const char *seed,
					 size_t seed_length)
{
	struct cube_scramble_task *task = &scrambling->task;
	struct table_cache_tables tables;
	enum table_cache_result result = TABLE_CACHE_READY;
	*task = (struct cube_scramble_task){
		.size = size, .variant = variant, .random = {.next = random_next}};
	if (seed) {
		cube_seeded_init(&scrambling->seeded, seed, seed_length);
		task->random = (struct cube_random){cube_seeded_next, &scrambling->seeded};
	}
	if (size == 2) {
		result = open_tables(table_cache, "optimal", 2, &tables);
		task->optimal2 = tables.tables;
	} else if (size == 3) {
		result = open_tables(table_cache, "two_phase", 3, &tables);
		task->two_phase = tables.tables;
	} else if (size == 4) {
		result = open_reduction(table_cache, task);
	}
	return result;
}

bool scrambling_draw(struct scrambling *scrambling, struct cube_draw *draw,
		     const struct cube_query_node *query)
{
	scrambling->task.draw = draw;
	return cube_draw_make(draw, query);
}

void scrambling_of_set(struct scrambling *scrambling, const struct cube_set *set,
		       const struct cube_case *one)
{
	scrambling->task.set = set;
	scrambling->task.set_case = one;
}

void scrambling_draw_distant(struct scrambling *scrambling, const struct cube_distant *distant)
{
	scrambling->task.distant = distant;
}

void scrambling_walk(struct scrambling *scrambling, const struct cube_turn *generators,
		     size_t count)
{
	scrambling->task.generators = generators;
	scrambling->task.generator_count = count;
}

void scrambling_of_subgroup(struct scrambling *scrambling, const struct cube_subgroup *subgroup)
{
	scrambling->task.subgroup = subgroup;
}

void scrambling_end(struct scrambling *scrambling)
{
	free(scrambling->task.work);
	scrambling->task.work = NULL;
}

size_t scrambling_next(struct scrambling *scrambling, struct cube_turn *turns)
{
	size_t count = cube_scramble(&scrambling->task, turns);
	for (size_t i = 0; i < count; i++)
		if (turns[i].quarters == -2)
			turns[i].quarters = 2; /* R2, as scrambles are written */
	return count;
}

uint64_t scrambling_cost(int size, enum cube_scramble_variant variant)
{
	if (size == 3)
		return variant == CUBE_SCRAMBLE_PLAIN ? 4000000 : 10000000;
	if (size == 4)
		return 150000000;
	return size == 2 ? 20000 : (uint64_t)size * 1000;
}
