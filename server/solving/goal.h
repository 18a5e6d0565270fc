/* goal.h: a question whose goal is another one than the solved cube: a pattern or a state, perhaps
 * by some turns alone (cube/goal.h). */
#ifndef SERVER_SOLVING_GOAL_H
#define SERVER_SOLVING_GOAL_H

#include "cube/goal.h"
#include "server/util/error.h"

struct solve_goal {
	const struct cube_query_node *query; /* NULL: none, the state is the goal */
	const struct cube_turn *generators;
	size_t generator_count;
	/* From here to there, however it is held then: malloc'd; NULL: the query is the goal. A
	 * question's cube is then that of cube_goal_relabel. */
	struct cube *from, *state;
	void (*destroy)(struct solve_goal *goal); /* the goal, and all that it points to */
};

/* The method of goals that are a query: a row as those of the library, its tables a struct
 * cube_goal. */
extern const struct cube_solver solve_goal_method;

/* Makes the goal ready for that cube; to be freed. NULL when memory is out. Takes up to a second.
 */
MUST_USE struct cube_goal *solve_goal_make(const struct solve_goal *goal, const struct cube *cube);

/* The metric in which lengths of such a goal count, a name of struct cube_metrics: a turn of any
 * block is one, so that it depends on the moves that may be made. "htm" and "qtm" where these are of
 * outer blocks, "stm" and "qstm" with inner ones, "etm" with rotations, for which there is no name
 * (NULL) where half turns count as two. */
const char *solve_goal_metric(const struct solve_goal *goal, int size,
			      enum cube_solve_metric metric);

/* What a check needs: two cubes of the size, and room for the colours of one. */
struct solve_scratch {
	struct cube *cube, *other;
	uint8_t *colors;
};
/* Whether the turns lead from `cube` (of a query) or `from` there. */
bool solve_goal_reached(const struct solve_goal *goal, const struct cube *cube,
			const struct solve_scratch *scratch, const struct cube_turn *turns,
			size_t count);

#endif
