/* cube/goal.h: the shortest turns until a cube shows a pattern, of all turns or of some.
 *
 * A goal is a query (cube/query.h): "the cross", "all edges oriented", this very state
 * (cube_goal_items). It is prepared once for cubes of one size that are held in one way, and then
 * used for any number of them:
 *
 *     struct cube_goal_plan plan = {.size = 3, .query = nodes, .hold = cube_hold_of(cube)};
 *     struct cube_goal *goal = aligned_alloc(CUBE_SOLVE_ALIGN, cube_goal_bytes(&plan));
 *     cube_goal_make(&plan, goal);
 *     struct cube_solve_task task = {.cube = cube, .work = malloc(cube_goal_work_bytes(3))};
 *     enum cube_solve_end end = cube_goal_solve(goal, &task, &solution);
 *
 * Answers are shortest for the allowed turns: lengths are tried in ascending order, and
 * `solution.bound` is a proven lower bound if the search was ended early.
 *
 * For a 2x2x2 or 3x3x3 the goal becomes constraints on each place: in each of the 24 ways to look at
 * it, the pieces that may be there, and their twists or flips. These give tables of distances of up to
 * four pieces at a time, of all flips, and of all twists, which prune the search (iterative deepening:
 * R. E. Korf, Depth-First Iterative-Deepening, 1985). If a goal constrains no single place, and on
 * larger cubes, all turns are tried.
 *
 *     the cross, any of six colours   up to 8 turns, 0.01 ms when the tables are made (50 ms)
 *     the cross and two pairs         some 8 turns, 25 ms
 *     a layer                         some 9 turns, 70 ms
 *     solved by R and U alone         some 15 turns, 10 ms
 *     anything on larger cubes        up to 4 turns or so
 *
 * A goal is constant once made: any number of threads may use it. */
#ifndef CUBE_GOAL_H
#define CUBE_GOAL_H

#include "cube/query.h"
#include "cube/solve.h"

/* The bound if the allowed turns do not lead to the goal. */
#define CUBE_GOAL_NEVER 255

/* The most turns of an answer; task.length_max counts as this if it is 0 or greater. */
#define CUBE_GOAL_LENGTH_MAX 30

/* The most blocks that may be turned. */
#define CUBE_GOAL_GENERATORS_MAX 300

/* The parts of a goal to be made. All of it is the caller's, and the query must outlive the
 * goal. */
struct cube_goal_plan {
	const struct cube_query_node *query; /* prepared */
	/* The allowed turns, as the cube is held: one of quarters +-1 stands for all turns
	 * of its layers, one of +-2 for the half turn alone. None: each face with one layer and,
	 * from size 4 on, with up to n/2 layers; on even sizes the halves by U, R and F alone, if
	 * the query may be looked at from all sides. */
	const struct cube_turn *generators;
	size_t generator_count; /* up to CUBE_GOAL_GENERATORS_MAX, valid for the size */
	/* The metric of lengths. Every generator must cost something in it: rotations need ETM. On
	 * a 3x3x3 slices are among the default turns if they cost one. */
	enum cube_solve_metric metric;
	int size; /* CUBE_SIZE_MIN..CUBE_SIZE_MAX */
	int hold; /* the cubes' hold: cube_hold_of; only size 3 needs it */
	/* Turns on the inverse scramble too, see "NISS" below. Only for size 3, with turns of single
	 * outer layers: the metric is HTM or QTM, or there are generators, all of them such turns. */
	bool niss;
	/* Asked before each table is made; if it returns false, making ends. May be NULL. */
	bool (*carry_on)(void *context);
	void *context;
};

/* A prepared goal; opaque. */
struct cube_goal;

/* Bytes of it, aligned to CUBE_SOLVE_ALIGN: 150 KB, and up to 332 KB for each table of a 3x3x3, of
 * which there are up to CUBE_GOAL_TABLES. Takes up to some milliseconds and 200 KB of the stack. */
#define CUBE_GOAL_TABLES 24
CUBE_API size_t cube_goal_bytes(const struct cube_goal_plan *plan);
/* Makes it; some 40 ms for each table of four pieces. False if carry_on() ended it: then the goal cannot be
 * used. */
CUBE_API bool cube_goal_make(const struct cube_goal_plan *plan, struct cube_goal *goal);

/* Bytes of task.work for cubes of that size. 180 KB for n = 100. */
CUBE_API size_t cube_goal_work_bytes(int size);

/* Searches for the shortest turns. Uses of the task: cube (of the goal's size and hold), metric
 * (the goal's), length_max, nodes_max, stop, carry_on, work. The answer is
 * CUBE_SOLVE_ENOUGH with a shortest solution; CUBE_SOLVE_ALL if there is none within length_max
 * (length -1); or CUBE_SOLVE_STOPPED. `solution` has room for length_max turns. */
CUBE_API enum cube_solve_end cube_goal_solve(const struct cube_goal *goal,
					     const struct cube_solve_task *task,
					     struct cube_solution *solution);

/* ---- NISS ----
 *
 * The normal-inverse scramble switch of fewest-moves solvers (Guus Razoux Schultz,
 * 2009): a solution has turns A on the scramble S and turns B on its inverse S', written `A (B)`.
 * They solve S if A follows S and what undoes B follows A; so they reach a goal if
 *
 *     B', then S, then A
 *
 * is a state that fits it: B' are premoves. That is the same as A' S' B fitting the inverse of the
 * goal. If B is empty it is an ordinary solution, and the shorter sum of both may be anywhere between.
 * A cube that is held as h (a rotation from home, then S) keeps it: h, then B', S, A. So the
 * moves of both sides have the names of the faces as the cube is held.
 *
 * A goal made with `niss` is searched for all A and B with the same length in all; `length`, `bound`
 * and length_max are of the sum. In `solution` and with `each`, the turns of A come first, then those
 * of B in the order in which they are made on the inverse; solution->inverse is how many these are. A
 * pair is listed by `each` only if no other turns that A and B begin with reach the goal. All A or all
 * B, whichever are shorter, are tried, up to half the length; the others are pruned by tables, which
 * are made for the goal and its inverse; up to twice as many tables, then. A shortest pair takes
 * 0.1 ms for eo and 2x2x2, 0.4 s for dr (docs/internals/solvers.md), and hours from 11 turns or so on. */

/* result = the cube with turns on its inverse, B of above: h, B', S. For size 3 and turns of single
 * outer layers; `result` is not `cube`. */
CUBE_API void cube_goal_premove(struct cube *CUBE_RESTRICT result, const struct cube *cube,
				const struct cube_turn *turns, size_t count);

/* ---- a state as the goal ---- */

/* The items of a pattern of colours that only this state fits, as it is held: 6*n*n, for
 * cube_pattern_make and a node with `held`. */
CUBE_API void cube_goal_items(const struct cube *state, uint8_t *items);

/* result = the cube that the same turns solve which take `cube` to `state`: stickers renamed by
 * where they are in `state`, which is its inverse, then `cube`. So every method solves "from here
 * to there", up to how the cube is held at the end. For sizes 2 and 3: on larger ones stickers of a
 * centre that look the same would count as different. All of one size; `result` is neither of
 * the two; `scratch` has cube_bytes() too. */
CUBE_API void cube_goal_relabel(struct cube *CUBE_RESTRICT result, const struct cube *cube,
				const struct cube *state, struct cube *scratch);

#endif
