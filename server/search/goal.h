/* goal.h: goals other than the solved cube: a pattern or a state, perhaps reached by certain turns
 * only (cube/goal.h). */
#ifndef SERVER_SEARCH_GOAL_H
#define SERVER_SEARCH_GOAL_H

#include "cube/goal.h"
#include "cube/named.h"
#include "server/search/table_cache.h"
#include "server/util/error.h"

struct solve_goal {
	const struct cube_query_node *query; /* NULL: the state is the goal */
	/* The row that the query is made of, and the ways in which it may be looked at, 0: all. Such goals
	 * are kept (goal_cache.h). NULL: the query has no name. */
	const struct cube_named *named;
	uint32_t fits;
	const struct cube_turn *generators;
	size_t generator_count;
	bool niss; /* turns may be on the inverse, too: then a query, and a 3x3x3 */
	/* From `from` to `state`, held in any way at the end: malloc'd; NULL: the query is the goal.
	 * The question's cube is that of cube_goal_relabel() then. */
	struct cube *from, *state;
	bool solved; /* the query is the solved cube; with a query and a state, it is that state */
	void (*destroy)(struct solve_goal *goal); /* frees the goal and all that it points to */
};

/* The method for queries: a row like those of the library; its tables are a struct cube_goal. */
extern const struct cube_solver solve_goal_method;

/* Makes the query of a row on cubes of that size, looked at in the ways `fits`, 0: all; in memory of
 * solve_goal_query_bytes(), aligned like malloc's. */
MUST_USE size_t solve_goal_query_bytes(const struct cube_named *named, int size);
const struct cube_query_node *solve_goal_query(const struct cube_named *named, uint32_t fits,
					       int size, void *memory);

/* Prepares the goal for that cube; free() it. Sets the bytes that it takes. Takes up to a second, but ends some
 * 40 ms after the deadline at the latest. NULL if out of memory, or, with `over` true, if the deadline was
 * first. */
MUST_USE struct cube_goal *solve_goal_make(const struct solve_goal *goal, const struct cube *cube,
					   enum cube_solve_metric metric,
					   const struct table_cache_deadline *deadline,
					   size_t *bytes, bool *over);

/* Returns true if no turns of the generators lead to the goal, because of what they never move.
 * `scratch` is a cube of the size. False if that is not known. */
MUST_USE bool solve_goal_never(const struct solve_goal *goal, const struct cube *cube,
			       struct cube *scratch);

/* The usual metric of lengths for such a goal, in which a turn of any block is one: HTM for outer blocks
 * only, STM with inner ones, ETM with rotations. */
enum cube_solve_metric solve_goal_metric(const struct solve_goal *goal, int size);

/* Memory for a check: two cubes of the size, and the colours of one. */
struct solve_scratch {
	struct cube *cube, *other;
	uint8_t *colors;
};
struct solve_turns; /* answer.h */
/* Returns true if the turns lead to the goal: from `cube` to the query, or from `from` to
 * `state`. */
bool solve_goal_reached(const struct solve_goal *goal, const struct cube *cube,
			const struct solve_scratch *scratch, const struct solve_turns *found);

#endif
