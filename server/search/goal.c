/* goal.c: goals other than the solved cube. */
#include "server/search/goal.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/hold.h"
#include "server/search/answer.h"
#include "server/util/monotonic.h"

static enum cube_solve_end solve(const void *tables, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	return cube_goal_solve(tables, task, solution);
}

static size_t room(int size)
{
	(void)size;
	return CUBE_GOAL_LENGTH_MAX;
}

const struct cube_solver solve_goal_method = {
	.name = "goal",
	.size_min = CUBE_SIZE_MIN,
	.size_max = CUBE_SIZE_MAX,
	.length_max = {CUBE_GOAL_LENGTH_MAX, CUBE_GOAL_LENGTH_MAX},
	.optimal = true,
	.lists = CUBE_GOAL_LENGTH_MAX,
	.room = room,
	.work_bytes = cube_goal_work_bytes,
	.units = 1,
	.solve = solve};

static bool carry_on(void *context)
{
	const struct table_cache_deadline *deadline = context;
	return !atomic_load(deadline->stop) && monotonic_ns() < deadline->due_ns;
}

/* The nodes below AMONG are copies: cube_named_make() puts its own between patterns. */
static size_t named_bytes(const struct cube_named *named, int size)
{
	const size_t unit = alignof(max_align_t);
	return (cube_named_bytes(named, size) + unit - 1) / unit * unit;
}

size_t solve_goal_query_bytes(const struct cube_named *named, int size)
{
	return 2 * named_bytes(named, size) + sizeof(struct cube_query_node);
}

const struct cube_query_node *solve_goal_query(const struct cube_named *named, uint32_t fits,
					       int size, void *memory)
{
	struct cube_query_node *query = cube_named_make(named, size, memory);
	if (fits == 0)
		return query;
	struct cube_query_node *nodes = (void *)((char *)memory + named_bytes(named, size));
	nodes[0] = (struct cube_query_node){
		.kind = CUBE_QUERY_AMONG, .span = query->span + 1, .among = fits};
	memcpy(nodes + 1, query, query->span * sizeof *nodes);
	cube_query_prepare(nodes);
	return nodes;
}

struct cube_goal *solve_goal_make(const struct solve_goal *goal, const struct cube *cube,
				  enum cube_solve_metric metric,
				  const struct table_cache_deadline *deadline, size_t *bytes,
				  bool *over)
{
	const struct cube_goal_plan plan = {.query = goal->query,
					    .generators = goal->generators,
					    .generator_count = goal->generator_count,
					    .metric = metric,
					    .size = cube->size,
					    .hold = cube_hold_of(cube),
					    .niss = goal->niss,
					    .carry_on = carry_on,
					    .context = (void *)(uintptr_t)deadline};
	*bytes = CUBE_SOLVE_ALIGNED(cube_goal_bytes(&plan));
	struct cube_goal *made = aligned_alloc(CUBE_SOLVE_ALIGN, *bytes);
	*over = made && !cube_goal_make(&plan, made);
	if (!*over)
		return made;
	free(made);
	return NULL;
}

/* Marks the facelets that turns take elsewhere: a facelet that no single turn moves is not moved by
 * several. */
static void mark_moved(const struct solve_goal *goal, int size, struct cube *scratch, bool *moved)
{
	const size_t facelets = cube_facelets(size);
	for (size_t g = 0; g < goal->generator_count; g++) {
		cube_init(scratch, size);
		cube_turn(scratch, goal->generators[g]);
		for (size_t i = 0; i < facelets; i++)
			moved[i] |= scratch->sticker[i] != i;
	}
}

/* Returns true if the unmoved stickers of each face have one colour, and those of different faces
 * different ones. */
static bool may_be_solved(const struct cube *cube, const bool *moved)
{
	const size_t area = cube_facelets(cube->size) / CUBE_FACES;
	int color[CUBE_FACES], used = 0;
	for (size_t face = 0; face < CUBE_FACES; face++) {
		color[face] = -1;
		for (size_t i = face * area; i < (face + 1) * area; i++) {
			if (moved[i])
				continue;
			const int here = cube_color_at(cube, i);
			if (color[face] >= 0 && color[face] != here)
				return false;
			color[face] = here;
		}
		if (color[face] >= 0 && (used >> color[face] & 1))
			return false;
		used |= color[face] >= 0 ? 1 << color[face] : 0;
	}
	return true;
}

static bool may_be_state(const struct cube *cube, const struct cube *state, const bool *moved)
{
	const size_t facelets = cube_facelets(cube->size);
	for (size_t i = 0; i < facelets; i++)
		if (!moved[i] && cube_color_at(cube, i) != cube_color_at(state, i))
			return false;
	return true;
}

bool solve_goal_never(const struct solve_goal *goal, const struct cube *cube, struct cube *scratch)
{
	if (goal->generator_count == 0 || !goal->query || (!goal->solved && !goal->state))
		return false;
	bool *moved = calloc(cube_facelets(cube->size), sizeof *moved);
	if (!moved)
		return false;
	mark_moved(goal, cube->size, scratch, moved);
	const bool may =
		goal->state ? may_be_state(cube, goal->state, moved) : may_be_solved(cube, moved);
	free(moved);
	return !may;
}

enum cube_solve_metric solve_goal_metric(const struct solve_goal *goal, int size)
{
	bool inner = false, rotation = false;
	for (size_t i = 0; i < goal->generator_count; i++) {
		const bool first = goal->generators[i].from == 1;
		const bool last = goal->generators[i].to == size;
		inner |= !first && !last;
		rotation |= first && last;
	}
	return rotation ? CUBE_SOLVE_ETM : inner ? CUBE_SOLVE_STM : CUBE_SOLVE_HTM;
}

/* Returns true if they show the same colours, held in any way. */
static bool show_same_colors(const struct cube *cube, const struct cube *state,
			     struct cube *scratch)
{
	const size_t facelets = cube_facelets(cube->size);
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		size_t same = 0;
		cube_hold_turn(scratch, state, hold);
		while (same < facelets && cube_color_at(cube, same) == cube_color_at(scratch, same))
			same++;
		if (same == facelets)
			return true;
	}
	return false;
}

bool solve_goal_reached(const struct solve_goal *goal, const struct cube *cube,
			const struct solve_scratch *scratch, const struct solve_turns *found)
{
	const size_t normal = found->count - found->inverse;
	if (found->inverse > 0)
		cube_goal_premove(scratch->cube, cube, found->turns + normal, found->inverse);
	else
		cube_copy(scratch->cube, goal->query ? cube : goal->from);
	cube_turn_all(scratch->cube, found->turns, normal);
	if (!goal->query)
		return show_same_colors(scratch->cube, goal->state, scratch->other);
	cube_colors(scratch->cube, scratch->colors);
	return cube_query_match(goal->query, scratch->colors, CUBE_FITS_ALL) != 0;
}
