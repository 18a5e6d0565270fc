/* facade_aim.c: scrambles that lead to a case of a set, or to a distance from a goal. */
#include <stdlib.h>
#include <string.h>

#include "bindings/wasm/facade.h"
#include "cube/libcube.h"

#define GOALS_MAX 16

/* A state that a scramble leads to; all members empty: any. */
struct aim {
	const struct cube_set *set;
	struct cube_case one; /* if it is of a case */
	bool of_case;
	struct cube_distant distant;
};

/* `aim` is for the next scramble; `taken` for the one that is being made. */
static struct aim aim, taken;

/* Returns the table of distances from a goal, which the first call makes; NULL if the goal has no table, or if out of memory. */
static const struct cube_distances *distances_from(const struct cube_goal_row *goal)
{
	static struct cube_distances *kept[GOALS_MAX];
	const size_t place = (size_t)(goal - cube_goals), bytes = cube_distances_bytes(goal);
	if (bytes == 0 || place >= GOALS_MAX)
		return NULL;
	if (!kept[place] && (kept[place] = malloc(bytes)))
		cube_distances_make(goal, kept[place]);
	return kept[place];
}

static int aim_at_goal(const char *name, size_t length, const char *place, size_t place_length,
		       int distance)
{
	const struct cube_goal_row *goal = cube_goal_find(name, length);
	const uint32_t fits = goal ? cube_goal_fits(goal, place, place_length) : 0;
	if (fits == 0 || distance < 0 || distance > goal->farthest)
		return FACADE_NO_METHOD;
	aim.distant = (struct cube_distant){distances_from(goal), fits, distance};
	return aim.distant.distances ? 3 : FACADE_NO_MEMORY;
}

static int aim_at_set(const char *name, size_t length)
{
	static struct cube_case cases[CUBE_SET_CASES_MAX];
	const char *hyphen = memchr(name, '-', length);
	aim.set = cube_set_find(name, hyphen ? (size_t)(hyphen - name) : length);
	aim.of_case = hyphen != NULL;
	if (!aim.set || !hyphen)
		return aim.set ? aim.set->size : FACADE_NO_METHOD;
	cube_set_cases(aim.set, cases);
	for (size_t i = 0; i < aim.set->cases; i++) {
		if (strlen(cases[i].name) != length || memcmp(cases[i].name, name, length) != 0)
			continue;
		aim.one = cases[i];
		return aim.set->size;
	}
	return FACADE_NO_METHOD;
}

int facade_aim(size_t length, int distance)
{
	const char *name = (const char *)facade_input(length);
	const char *space = memchr(name, ' ', length);
	memset(&aim, 0, sizeof(aim));
	const size_t first = space ? (size_t)(space - name) : length;
	const int size = space ? aim_at_goal(name, first, space + 1, length - first - 1, distance)
			       : aim_at_set(name, length);
	if (size < 0)
		memset(&aim, 0, sizeof(aim));
	return size;
}

void facade_take_aim(struct cube_scramble_task *task)
{
	taken = aim;
	memset(&aim, 0, sizeof(aim));
	if (taken.set && taken.set->size == task->size) {
		task->set = taken.set;
		task->set_case = taken.of_case ? &taken.one : NULL;
	} else if (taken.distant.distances && task->size == 3) {
		task->distant = &taken.distant;
	}
}
