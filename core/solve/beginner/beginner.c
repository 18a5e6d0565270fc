/* core/solve/beginner/beginner.c: the 2x2x2 and the 3x3x3 layer by layer, as people learn it.
 *
 * The layer below is made first, then the middle one, then the last: its cross, its edges, its
 * corners placed, its corners turned. A step is an algorithm of cases.def: the cube is turned as a whole
 * until the place to be filled is in front, the top layer is turned until the piece is where the
 * algorithm expects it, then the algorithm is made as it stands in the table. A learner finds the
 * same step with the same few algorithms; of those that fit, the one with the fewest turns is next.
 * Where none fits, a piece that is in the way is taken out first.
 *
 * Every algorithm fits one case only, which fit.c recognises by the pieces, so that what notes.c
 * says about it is true.
 *
 * Where one step ends with a side that the next begins with, it is turned twice: each step is one of
 * the table's, whole.
 *
 * A 2x2x2 is a 3x3x3 whose edges are always home. Its centres are the colours of the corner that is in
 * its place from the beginning, as the cube is held.
 *
 * The algorithms are those that are usual for beginners, say on https://ruwix.com. */
#include "core/solve/beginner/beginner_internal.h"

#include "core/solve/common/methods.h"
#include "core/solve/common/poll.h"
#include "cube/cube.h"

#include <assert.h>
#include <limits.h>

/* Each ends where the pattern of that name (cube/named.h) holds. */
static const char *const stages[STAGES + 1] = {"cross",      "first-layer", "f2l",
					       "last-cross", "last-edges",  "last-corners-placed",
					       "solved",     NULL};

/* A 2x2x2 has those that are about corners. */
static const char *const stages2[] = {"first-layer", "last-corners-placed", "solved", NULL};
static const unsigned char stages_of_2[STAGES] = {
	[FIRST_LAYER] = 0, [LAST_CORNERS_PLACED] = 1, [LAST_CORNERS_TURNED] = 2};

#define LONGEST 250 /* the sum of the longest steps of all stages, and some */
#define LONGEST_QTM 300
#define STEPS_MOST 60
#define CLASH 4 /* the cost of turning a side twice in succession */

static void lesson_init(struct lesson *lesson)
{
	moves_make(lesson->moves);
	for (int move = 0; move < MOVES && lesson->size == 2; move++)
		beginner_no_edges(&lesson->moves[move]);
	beginner_sides_make(&lesson->sides, lesson->size);
	for (int row = 0; row < BEGINNER_CASES; row++) {
		uint8_t *moves = lesson->row_moves[row];
		int count = beginner_case_moves(&beginner_cases[row], moves);
		lesson->row[row] = cube_state3_solved;
		cube_state3_apply(&lesson->row[row], lesson->moves, moves, (size_t)count);
		lesson->row_count[row] = (uint8_t)count;
	}
}

/* ---- choosing ---- */

/* The side of the last turn as it is seen after y by some quarters. */
static int last_from(const struct lesson *lesson, int side)
{
	return lesson->last == CUBE_FACES ? CUBE_FACES
					  : cube_hold_table.hold[side].to[lesson->last];
}

/* Turns and rotations, and what does not read well. */
static int cost_of(const struct lesson *lesson, const struct beginner_choice *choice)
{
	const int turns =
		beginner_is_bare(choice) ? 0 : choice->times * lesson->row_count[choice->row];
	const int begin =
		choice->quarters > 0 ? CUBE_U : move_face(lesson->row_moves[choice->row][0]);
	const int rotated = cube_hold_then(lesson->view.hold, choice->side) != lesson->held;
	return turns + (choice->quarters > 0) + rotated +
	       (last_from(lesson, choice->side) == begin ? CLASH : 0);
}

/* The step of a stage that is next. */
static void choose(struct lesson *lesson, enum beginner_stage stage, struct beginner_choice *best)
{
	int least = INT_MAX;
	for (int side = 0; side < SIDES; side++) {
		struct beginner_view seen;
		beginner_view_turn(&seen, &lesson->view, &lesson->sides, side);
		for (int i = 0; i < SIDES * BEGINNER_CASES; i++) {
			struct beginner_choice choice = {.stage = stage,
							 .row = i / SIDES,
							 .side = side,
							 .quarters = i % SIDES,
							 .times = 1};
			if (beginner_cases[choice.row].stage != stage)
				continue;
			choice.before = seen.state;
			if (choice.quarters > 0)
				cube_state3_compose(&choice.before, &choice.before,
						    &lesson->moves[choice.quarters - 1]);
			lesson->solution->nodes++;
			if (!beginner_fits(lesson, &choice))
				continue;
			int cost = cost_of(lesson, &choice) + choice.rank * 1000;
			if (cost < least) {
				least = cost;
				*best = choice;
			}
		}
	}
	assert(least < INT_MAX);
}

/* ---- making it ---- */

static void add_turn(struct cube_solution *solution, int size, int face, int to, int quarters)
{
	assert(solution->count < solution->room);
	solution->turns[solution->count++] = cube_turn_make(size, face, 1, to, quarters);
}

size_t beginner_rotate(struct cube_solution *solution, int size, int hold)
{
	static const uint8_t tilts[6] = {0, 1, 2, 3, 1, 3};
	const int tilt = hold / SIDES, quarters = hold % SIDES;
	if (tilt > 0)
		add_turn(solution, size, tilt > 3 ? CUBE_F : CUBE_R, size, tilts[tilt]);
	if (quarters > 0)
		add_turn(solution, size, CUBE_U, size, quarters);
	return (size_t)beginner_rotations(hold);
}

/* Until it is held as the view says. */
static size_t rotate(struct lesson *lesson)
{
	const int by = cube_hold_then(cube_hold_inverse(lesson->held), lesson->view.hold);
	lesson->held = lesson->view.hold;
	return beginner_rotate(lesson->solution, lesson->turned, by);
}

static void make_move(struct lesson *lesson, int move)
{
	add_turn(lesson->solution, lesson->turned, move_face(move), 1, move_quarters(move));
	lesson->solution->length += move_length(move, lesson->task->metric);
	cube_state3_compose(&lesson->view.state, &lesson->view.state, &lesson->moves[move]);
	lesson->last = (uint8_t)move_face(move);
}

void beginner_make_step(struct lesson *lesson, const struct beginner_choice *choice)
{
	struct cube_solution *solution = lesson->solution;
	const int stage = lesson->size == 2 ? stages_of_2[choice->stage] : (int)choice->stage;
	struct cube_solve_step step = {.stage = (unsigned char)(lesson->begun + stage)};
	const size_t begin = solution->count;
	const bool bare = beginner_is_bare(choice);
	lesson->last = (uint8_t)last_from(lesson, choice->side);
	beginner_view_turn(&lesson->view, &lesson->view, &lesson->sides, choice->side);
	step.rotations = rotate(lesson);
	const struct beginner_view before = lesson->view;
	if (choice->quarters > 0)
		make_move(lesson, 3 * CUBE_U + choice->quarters - 1);
	for (int i = 0; i < choice->times * lesson->row_count[choice->row] && !bare; i++)
		make_move(lesson,
			  lesson->row_moves[choice->row][i % lesson->row_count[choice->row]]);
	step.count = solution->count - begin;
	beginner_note(&step, lesson->size, choice, &before, &lesson->view.state);
	if (solution->steps && solution->step_count < solution->step_room)
		solution->steps[solution->step_count++] = step;
}

/* ---- all of it ---- */

/* The layer to begin with, if the task leaves it open: the one that is furthest done; of equal ones, that
 * which is down. */
static int first_of(const struct lesson *lesson)
{
	int best = 0, best_done = -1;
	if (lesson->task->first < CUBE_FACES)
		return lesson->task->first;
	for (int first = 0; first < CUBE_FACES; first++) {
		struct beginner_view view;
		beginner_view_make(&view, lesson->task->cube, first);
		uint32_t home = beginner_home(&view.state) & beginner_homes[SECOND_LAYER];
		int done = 64 * beginner_stages_done(&view.state) +
			   (lesson->size == 2 ? 2 * beginner_count(home) : 0) +
			   (cube_hold_table.hold[view.hold].to[CUBE_D] == CUBE_D);
		if (beginner_corners_begun(lesson, &view) >= 0)
			done += 64 * STAGES;
		if (done > best_done) {
			best = first;
			best_done = done;
		}
	}
	return best;
}

static enum cube_solve_end give_up(struct cube_solution *solution, enum cube_solve_end end)
{
	solution->count = solution->step_count = 0;
	solution->length = -1;
	return end;
}

static bool stopped(const struct lesson *lesson)
{
	return poll_stopped(lesson->task, lesson->solution->nodes, lesson->solution->length, -1);
}

/* False if it was stopped. */
static bool teach(struct lesson *lesson)
{
	const int begun = beginner_corners_begun(lesson, &lesson->view);
	for (enum beginner_stage stage = CROSS; stage < LAST_CORNERS_TURNED && begun < 0; stage++) {
		if (lesson->turned % 2 == 0 && lesson->size == 3)
			beginner_parity(lesson, stage);
		while (!beginner_reached(&lesson->view.state, stage)) {
			struct beginner_choice choice;
			if (stopped(lesson))
				return false;
			choose(lesson, stage, &choice);
			beginner_make_step(lesson, &choice);
		}
	}
	if (stopped(lesson))
		return false;
	beginner_turn_corners(lesson, begun < 0 ? SIDES : begun);
	return true;
}

bool beginner_teach(const struct cube_solve_task *task, int turned, int begun,
		    struct cube_solution *solution)
{
	struct lesson lesson = {.solution = solution,
				.task = task,
				.size = task->cube->size,
				.turned = turned,
				.begun = begun,
				.last = CUBE_FACES};
	if (cube_is_solved(task->cube))
		return true;
	lesson_init(&lesson);
	beginner_view_make(&lesson.view, task->cube, first_of(&lesson));
	return teach(&lesson);
}

static enum cube_solve_end solve(const void *tables, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	(void)tables;
	solution->count = solution->step_count = 0;
	solution->length = 0;
	solution->nodes = 1;
	solution->bound = !cube_is_solved(task->cube);
	if (!beginner_teach(task, task->cube->size, 0, solution))
		return give_up(solution, CUBE_SOLVE_STOPPED);
	if (task->length_max > 0 && solution->length > task->length_max)
		return give_up(solution, CUBE_SOLVE_ALL);
	return solution->length <= task->length_enough ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_ALL;
}

static size_t room_for(int size)
{
	(void)size;
	return LONGEST + 2 * STEPS_MOST;
}

const struct cube_solver solver_beginner = {.name = "beginner",
					    .size_min = 3,
					    .size_max = 3,
					    .length_max = {LONGEST, LONGEST_QTM},
					    .teaches = true,
					    .stages = stages,
					    .room = room_for,
					    .units = 1,
					    .solve = solve};

const struct cube_solver solver_beginner2 = {.name = "beginner",
					     .size_min = 2,
					     .size_max = 2,
					     .length_max = {LONGEST, LONGEST_QTM},
					     .teaches = true,
					     .stages = stages2,
					     .room = room_for,
					     .units = 1,
					     .solve = solve};
