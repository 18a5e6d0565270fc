/* row_labels.c: random cubes by their numbers, their children, and the labels of both. */
#include "server/api/cubes/row_labels.h"

#include "cube/solve.h"
#include "server/api/input/tables.h"
#include "server/api/request/service_state.h"
#include "server/search/distances.h"

/* A look-up in a table of the 2x2x2, and the bound of a 3x3x3. */
#define DISTANCE_2_NS 200
#define BOUND_NS 300

bool row_labels_read(struct context *ctx, const struct row_cubes *cubes,
		     const struct row_columns *columns, struct row_labels *labels)
{
	*labels = (struct row_labels){.distances = row_columns_have(columns, ROW_LABEL_DISTANCE),
				      .bounds = row_columns_have(columns, ROW_LABEL_BOUND)};
	if (!row_columns_have(columns, ROW_LABEL_SOLUTION))
		return true;
	labels->solutions = ctx_alloc(ctx, ROW_BLOCK * (size_t)cubes->longest);
	return labels->solutions != NULL;
}

/* Returns the cost of the distances of a row. Those of children are looked for as far as those of longer walks. */
static uint64_t distances_cost(const struct row_cubes *cubes)
{
	/* By the longest walk of a 3x3x3: each turn beyond six multiplies the ways to be tried. */
	static const uint32_t distance_ns[ROW_DISTANCE_WALK_MAX + 1] = {
		100, 100, 100, 100, 100, 100, 100, 3000, 25000, 250000};
	if (cubes->size == 2)
		return DISTANCE_2_NS * row_cubes_states(cubes);
	return distance_ns[cubes->longest] +
	       (cubes->children > 0 ? cubes->children * distance_ns[cubes->longest + 1] : 0);
}

uint64_t row_labels_cost(const struct row_labels *labels, const struct row_cubes *cubes)
{
	const uint64_t bound_ns = cubes->size == 2 ? DISTANCE_2_NS : BOUND_NS;
	return (labels->distances ? distances_cost(cubes) : 0) +
	       (labels->bounds ? bound_ns * row_cubes_states(cubes) : 0);
}

uint64_t row_labels_prepare_cost(const struct row_labels *labels, const struct row_cubes *cubes)
{
	if (cubes->size == 2)
		return 0;
	const uint64_t distances_ns = labels->distances ? DISTANCES_FROM_SOLVED_NS : 0;
	return distances_ns + (labels->bounds ? DISTANCES_BOUNDS_NS : 0);
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
	if (!labels->distances && !labels->bounds)
		return;
	if (cubes->size == 2) {
		take_tables_2(ctx, labels);
		return;
	}
	if (labels->distances)
		labels->depths = distances_from_solved(ctx->service->distances);
	if (labels->bounds)
		labels->bound_tables = distances_bounds(ctx->service->distances);
	if ((labels->distances && !labels->depths) || (labels->bounds && !labels->bound_tables))
		ctx_no_memory(ctx);
}

/* ---- states ---- */

static void draw_states(const struct row_labels *labels, const struct row_cubes *cubes,
			uint64_t seed, uint64_t first, uint8_t *lengths, struct row_block *block)
{
	const int size = (int)cubes->size;
	uint8_t symmetries[ROW_BLOCK];
	if (cubes->longest > 0)
		(size == 2 ? cube_batch_walk_2 : cube_batch_walk)(seed, first, block->count,
								  cubes->shortest, cubes->longest,
								  block->states, lengths, NULL);
	else
		(size == 2 ? cube_batch_random_2 : cube_batch_random)(seed, first, block->count,
								      block->states);
	if (labels->solutions)
		cube_batch_walk_back(size, seed, first, block->count, cubes->shortest,
				     cubes->longest, labels->solutions);
	if (!cubes->symmetric)
		return;
	cube_batch_symmetries(seed, first, block->count, symmetries);
	cube_batch_symmetric(size, symmetries, block->count, block->states, (size_t)cubes->longest,
			     labels->solutions);
}

/* ---- labels ---- */

static uint8_t bound_of(const struct row_labels *labels, const struct row_cubes *cubes,
			const struct cube_state3 *state)
{
	return (uint8_t)(cubes->size == 2 ? cube_depth_of_2(labels->tables_2, state)
					  : cube_bound_of(labels->bound_tables, state));
}

/* Returns a distance that is `most` at most: only what is nearer is looked for. */
static uint8_t distance_of(const struct row_labels *labels, const struct row_cubes *cubes,
			   const struct cube_state3 *state, int most)
{
	const int nearer = cubes->size == 2 ? cube_depth_of_2(labels->tables_2, state)
					    : cube_depth_of(labels->depths, state, most - 1);
	return (uint8_t)(nearer >= 0 ? nearer : most);
}

/* A walk says how far a 3x3x3 is at most, and a row how far its children are. */
static void make_distances(const struct row_labels *labels, const struct row_cubes *cubes,
			   const struct row_block *block, const uint8_t *lengths,
			   uint8_t *distances)
{
	const struct cube_state3 *state = block->states;
	for (size_t i = 0; i < block->count; i++) {
		const int most = cubes->longest > 0 ? lengths[i] : 0;
		const int own = distance_of(labels, cubes, state++, most);
		*distances++ = (uint8_t)own;
		for (size_t k = 0; k < cubes->children; k++)
			*distances++ = distance_of(labels, cubes, state++, own + 1);
	}
}

void row_labels_make(const struct row_labels *labels, const struct row_cubes *cubes, uint64_t seed,
		     uint64_t first, uint8_t bytes[ROW_LABELS][ROW_BLOCK], struct row_block *block)
{
	const size_t states = block->count * row_cubes_states(cubes);
	uint8_t *lengths = bytes[ROW_LABEL_WALK];
	draw_states(labels, cubes, seed, first, lengths, block);
	if (cubes->children > 0)
		cube_batch_children((int)cubes->size, block->states, block->count);
	if (labels->distances)
		make_distances(labels, cubes, block, lengths, bytes[ROW_LABEL_DISTANCE]);
	for (size_t i = 0; labels->bounds && i < states; i++)
		bytes[ROW_LABEL_BOUND][i] = bound_of(labels, cubes, &block->states[i]);
	for (int i = 0; i < ROW_LABELS; i++)
		block->label[i] = bytes[i];
	block->label[ROW_LABEL_SOLUTION] = labels->solutions;
}
