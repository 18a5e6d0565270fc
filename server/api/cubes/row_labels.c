/* row_labels.c: random cubes by their numbers, and their labels. */
#include "server/api/cubes/row_labels.h"

#include "cube/solve.h"
#include "server/api/input/tables.h"
#include "server/api/request/service_state.h"
#include "server/solving/distances.h"

/* A look-up in a table of the 2x2x2. */
#define DISTANCE_2_NS 200

bool row_labels_read(struct context *ctx, const struct row_cubes *cubes,
		     const struct row_columns *columns, struct row_labels *labels)
{
	*labels = (struct row_labels){.distances = row_columns_have(columns, ROW_LABEL_DISTANCE)};
	if (!row_columns_have(columns, ROW_LABEL_SOLUTION))
		return true;
	labels->solutions = ctx_alloc(ctx, ROW_BLOCK * (size_t)cubes->longest);
	return labels->solutions != NULL;
}

uint64_t row_labels_cost(const struct row_labels *labels, const struct row_cubes *cubes)
{
	/* By the longest walk of a 3x3x3: each turn beyond six multiplies the ways to be tried. */
	static const uint32_t distance_ns[ROW_DISTANCE_WALK_MAX + 1] = {
		100, 100, 100, 100, 100, 100, 100, 3000, 25000, 250000};
	if (!labels->distances)
		return 0;
	return cubes->size == 2 ? DISTANCE_2_NS : distance_ns[cubes->longest];
}

uint64_t row_labels_prepare_cost(const struct row_labels *labels, const struct row_cubes *cubes)
{
	return labels->distances && cubes->size == 3 ? DISTANCES_FROM_SOLVED_NS : 0;
}

static void take_tables_2(struct context *ctx, struct row_labels *labels)
{
	struct table_cache_tables tables;
	const struct cube_solver *optimal = cube_solver_find("optimal", 7, 2);
	if (tables_taken(ctx, table_cache_take(ctx->service->table_cache, optimal, NULL, &tables),
			 "distances of a 2x2x2"))
		labels->tables_2 = tables.tables;
}

void row_labels_prepare(struct context *ctx, const struct row_cubes *cubes,
			struct row_labels *labels)
{
	if (!labels->distances)
		return;
	if (cubes->size == 2) {
		take_tables_2(ctx, labels);
		return;
	}
	labels->depths = distances_from_solved(ctx->service->distances);
	if (!labels->depths)
		ctx_no_memory(ctx);
}

/* A walk says how far a 3x3x3 is at most, so that only what is nearer is looked for. */
static void make_distances(const struct row_labels *labels, const struct row_cubes *cubes,
			   const struct row_block *block, const uint8_t *lengths,
			   uint8_t *distances)
{
	for (size_t i = 0; i < block->count; i++) {
		const struct cube_state3 *state = &block->states[i];
		const int nearer = cubes->size == 2
					   ? cube_depth_of_2(labels->tables_2, state)
					   : cube_depth_of(labels->depths, state, lengths[i] - 1);
		distances[i] = nearer >= 0 ? (uint8_t)nearer : lengths[i];
	}
}

void row_labels_make(const struct row_labels *labels, const struct row_cubes *cubes, uint64_t seed,
		     uint64_t first, uint8_t bytes[ROW_LABELS][ROW_BLOCK], struct row_block *block)
{
	uint8_t *lengths = bytes[ROW_LABEL_WALK];
	if (cubes->longest > 0)
		(cubes->size == 2 ? cube_batch_walk_2
				  : cube_batch_walk)(seed, first, block->count, cubes->shortest,
						     cubes->longest, block->states, lengths, NULL);
	else
		(cubes->size == 2 ? cube_batch_random_2
				  : cube_batch_random)(seed, first, block->count, block->states);
	if (labels->solutions)
		cube_batch_walk_back((int)cubes->size, seed, first, block->count, cubes->shortest,
				     cubes->longest, labels->solutions);
	if (labels->distances)
		make_distances(labels, cubes, block, lengths, bytes[ROW_LABEL_DISTANCE]);
	for (int i = 0; i < ROW_LABELS; i++)
		block->label[i] = bytes[i];
	block->label[ROW_LABEL_SOLUTION] = labels->solutions;
}
