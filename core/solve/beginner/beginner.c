/* core/solve/beginner/beginner.c: the 3x3x3 layer by layer, as people learn it.
 *
 * The layer below is made first, then the middle one, then the last: its cross, its edges, its
 * corners placed, its corners turned. Every step is a row of cases.def: a few turns of U
 * to bring a piece to where the row wants it, the row's moves seen from one of the four sides,
 * nothing else. Which row serves is found by trying them: of all pieces that are left in a stage
 * the one with the least turns is next, and two rows in succession where a single one does not do.
 * So the answer is one that a learner can find with the same table, but with the best choices.
 *
 * The first layer is the one that is furthest already, so that a half-solved cube is continued; of equal
 * ones that which is below.
 *
 * Where one step ends with a face that the next begins with, it is turned twice: each step is one of
 * the table's, whole.
 *
 * The algorithms are those that are usual for beginners, say on https://ruwix.com. */
#include "core/solve/beginner/stages.h"

#include "core/solve/common/poll.h"
#include "core/solve/common/methods.h"
#include "cube/query.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Each ends where the pattern of that name (cube/named.h) holds. */
static const char *const stages[STAGES + 1] = {"cross",      "first-layer", "f2l",
					       "last-cross", "last-edges",  "last-corners-placed",
					       "solved",     NULL};

struct case_row {
	uint8_t stage;
	const char *moves, *text;
};

static const struct case_row rows[] = {
#define CASE(stage, moves, text) {stage, moves, text},
#include "core/solve/beginner/cases.def"
#undef CASE
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

#define ROW_MOVES 16 /* of the longest row, with a turn of U before and after it */
#define ROWS_OF_STAGE 20
#define SIDES 4
#define WAYS (ROWS_OF_STAGE * SIDES * 4) /* a row from each side after each turn of U */
#define LONGEST 250                      /* what the longest steps of all stages make, and some */
#define LONGEST_QTM 250
#define CLASH 4 /* what a face that is turned twice in succession counts in a choice */

/* A row from one of the sides after a turn of U. */
struct case_way {
	struct cube_state3 state;
	uint8_t move[ROW_MOVES];
	uint8_t count, row, side;
};

struct lesson {
	struct cube_state3 moves[MOVES];
	struct beginner_view view;
	struct cube_solution *solution;
	const struct cube_solve_task *task;
	uint8_t last; /* face of the last turn; CUBE_FACES: none */
	struct case_way way[WAYS];
	size_t ways;
};

static uint8_t last_of(const struct case_way *way)
{
	return (uint8_t)move_face(way->move[way->count - 1]);
}

/* ---- the rows of a stage, ready to try ---- */

/* Moves of faces seen from a side: F is the face that is F after y so many times. */
static uint8_t from_side(int move, int side)
{
	static const uint8_t around[SIDES] = {CUBE_F, CUBE_L, CUBE_B, CUBE_R};
	for (int i = 0; i < SIDES; i++)
		if (around[i] == move_face(move))
			return (uint8_t)(3 * around[(i + side) % SIDES] + move % 3);
	return (uint8_t)move;
}

/* "R U2 F'" */
static uint8_t read_moves(const char *text, uint8_t moves[ROW_MOVES])
{
	uint8_t count = 0;
	for (; *text != '\0'; text++) {
		const char *face = strchr(cube_face_letters, *text);
		if (face)
			moves[count++] = (uint8_t)(3 * (face - cube_face_letters));
		else if (*text == '2')
			moves[count - 1] += 1;
		else if (*text == '\'')
			moves[count - 1] += 2;
		assert(count < ROW_MOVES - 2);
	}
	return count;
}

/* Turns of U before and after the row's moves, 0..3 quarters. */
static void add_way(struct lesson *lesson, uint8_t row, int side, int first, int last)
{
	struct case_way *way = &lesson->way[lesson->ways];
	uint8_t moves[ROW_MOVES], count = read_moves(rows[row].moves, moves);
	assert(lesson->ways < WAYS);
	*way = (struct case_way){.state = cube_state3_solved, .row = row, .side = (uint8_t)side};
	if (first > 0)
		way->move[way->count++] = (uint8_t)(3 * CUBE_U + first - 1);
	for (int i = 0; i < count; i++)
		way->move[way->count++] = from_side(moves[i], side);
	if (last > 0)
		way->move[way->count++] = (uint8_t)(3 * CUBE_U + last - 1);
	cube_state3_apply(&way->state, lesson->moves, way->move, way->count);
	lesson->ways++;
}

/* A row without moves is about turns of U alone. Only while the last layer's edges are placed it
 * may have to be turned behind the row, and when they are, a row that begins with U needs no other
 * turn of it. */
static void add_ways(struct lesson *lesson, enum beginner_stage stage)
{
	lesson->ways = 0;
	for (uint8_t row = 0; row < ROWS; row++) {
		bool bare = rows[row].moves[0] == '\0';
		int firsts = rows[row].moves[0] == 'U' ? 1 : 4;
		int lasts = stage == LAST_EDGES && !bare ? 4 : 1;
		for (int side = 0; side < SIDES && rows[row].stage == stage; side++)
			for (int first = bare; first < firsts && !(bare && side > 0); first++)
				for (int last = 0; last < lasts; last++)
					add_way(lesson, row, side, first, last);
	}
}

/* ---- steps ---- */

/* The faces of a piece by their colours, named as places are. */
static void name_piece(const struct lesson *lesson, int place, char name[4])
{
	const char *seen = cube_place_name(place);
	size_t length = strlen(seen);
	char letters[4] = "";
	for (size_t i = 0; i < length; i++) {
		long face = strchr(cube_face_letters, seen[i]) - cube_face_letters;
		letters[i] = cube_face_letters[lesson->view.color[face]];
	}
	memcpy(name, cube_place_name(cube_place_find(letters, length)), length + 1);
}

/* A place by its byte, as cube/query.h counts them. */
static int place_of(int byte)
{
	return byte >= CUBE_STATE3_CORNERS ? byte - CUBE_STATE3_CORNERS : CUBE_CORNERS + byte;
}

/* Turns the cube by a way and writes it down with the row's text, or another one; `piece` is a byte
 * of the state, or -1. */
static void apply_way(struct lesson *lesson, enum beginner_stage stage, const struct case_way *way,
		      const char *text, int piece)
{
	struct cube_solution *solution = lesson->solution;
	struct cube_solve_step step = {.stage = (unsigned char)stage,
				       .text = text ? text : rows[way->row].text,
				       .count = way->count};
	if (piece >= 0)
		name_piece(lesson, place_of(piece), step.piece);
	assert(solution->count + way->count <= solution->room);
	for (int i = 0; i < way->count; i++) {
		struct cube_turn turn = {
			.face = lesson->view.face[move_face(way->move[i])], .from = 1, .to = 1};
		turn.quarters = cube_quarters(move_quarters(way->move[i]));
		solution->turns[solution->count++] = turn;
		solution->length += move_length(way->move[i], lesson->task->metric);
	}
	if (solution->steps && solution->step_count < solution->step_room)
		solution->steps[solution->step_count++] = step;
	lesson->last = last_of(way);
	cube_state3_compose(&lesson->view.state, &lesson->view.state, &way->state);
}

/* Turns, and what does not read well. */
static int cost_of(uint8_t last, const struct case_way *way)
{
	return way->count + (last == move_face(way->move[0]) ? CLASH : 0);
}

/* Whether a stage is nearer than it was with `home`: over, or a piece more is home and none less.
 */
static bool is_nearer(const struct cube_state3 *state, enum beginner_stage stage, uint32_t home)
{
	uint32_t now = beginner_home(state) & beginner_homes[stage];
	if (stage >= LAST_CROSS)
		return beginner_reached(state, stage);
	return all_of(now, home & beginner_homes[stage]) && now != (home & beginner_homes[stage]);
}

/* The cheapest way that leads nearer, NULL if there is none; its cost if less than `*least`. */
static const struct case_way *best_way(const struct lesson *lesson, const struct cube_state3 *from,
				       enum beginner_stage stage, uint8_t last, int *least)
{
	const struct case_way *best = NULL;
	uint32_t home = beginner_home(&lesson->view.state);
	for (const struct case_way *way = lesson->way; way < lesson->way + lesson->ways; way++) {
		struct cube_state3 state;
		int cost = cost_of(last, way);
		if (cost >= *least)
			continue;
		cube_state3_compose(&state, from, &way->state);
		lesson->solution->nodes++;
		if (is_nearer(&state, stage, home)) {
			best = way;
			*least = cost;
		}
	}
	return best;
}

/* The only piece that a way brings home, as a byte of the state; -1 if it is about more. */
static int piece_of(const struct lesson *lesson, enum beginner_stage stage,
		    const struct case_way *way)
{
	struct cube_state3 after;
	cube_state3_compose(&after, &lesson->view.state, &way->state);
	uint32_t come =
		beginner_home(&after) & ~beginner_home(&lesson->view.state) & beginner_homes[stage];
	if (stage >= LAST_CROSS || come == 0 || (come & (come - 1)) != 0)
		return -1;
	return __builtin_ctz(come);
}

/* The text of the first of two rows if no single one serves; NULL: the row's own text. */
static const char *const before[STAGES] = {
	[CROSS] = "None of the edges that are left can go down at once: this brings one to where "
		  "it can.",
	[FIRST_LAYER] = "The corners that are left are below, in wrong places or twisted: this "
			"lifts one to "
			"the top layer.",
	[SECOND_LAYER] = "The edges that are left are in wrong places or the wrong way round: "
			 "putting another "
			 "edge there takes one out to the top layer.",
};

/* The two ways with the least turns that lead nearer together. */
static void apply_two(struct lesson *lesson, enum beginner_stage stage)
{
	const struct case_way *first = NULL, *second = NULL;
	int least = INT_MAX;
	for (const struct case_way *way = lesson->way; way < lesson->way + lesson->ways; way++) {
		struct cube_state3 state;
		int cost = cost_of(lesson->last, way), rest = least - cost;
		cube_state3_compose(&state, &lesson->view.state, &way->state);
		const struct case_way *then = best_way(lesson, &state, stage, last_of(way), &rest);
		if (!then)
			continue;
		first = way;
		second = then;
		least = cost + rest;
	}
	assert(first);
	apply_way(lesson, stage, first, before[stage], -1);
	apply_way(lesson, stage, second, NULL, piece_of(lesson, stage, second));
}

static void apply_step(struct lesson *lesson, enum beginner_stage stage)
{
	int least = INT_MAX;
	const struct case_way *way =
		best_way(lesson, &lesson->view.state, stage, lesson->last, &least);
	if (way)
		apply_way(lesson, stage, way, NULL, piece_of(lesson, stage, way));
	else
		apply_two(lesson, stage);
}

/* ---- the corners of the last layer, turned one after the other from one side ---- */

static int twisted_of(const struct cube_state3 *state)
{
	int twisted = 0;
	for (int i = CUBE_STATE3_CORNERS; i < CUBE_STATE3_CORNERS + 4; i++)
		twisted += state->piece[i] >> CUBE_STATE3_TURN != 0;
	return twisted;
}

#define CORNER_STEPS 5 /* four corners, and the layer turned back */

/* What is next from that side: the cheapest way that leaves a twisted corner less, and at last the
 * one that solves the cube; NULL if it is solved. */
static const struct case_way *next_corner(const struct lesson *lesson,
					  const struct cube_state3 *state, int side, uint8_t last)
{
	const struct case_way *best = NULL;
	int twisted = twisted_of(state), least = INT_MAX;
	if (cube_state3_equal(state, &cube_state3_solved))
		return NULL;
	for (const struct case_way *way = lesson->way; way < lesson->way + lesson->ways; way++) {
		struct cube_state3 after;
		bool closing = rows[way->row].moves[0] == '\0';
		if (closing != (twisted == 0) || (!closing && way->side != side))
			continue;
		cube_state3_compose(&after, state, &way->state);
		lesson->solution->nodes++;
		if ((closing ? cube_state3_equal(&after, &cube_state3_solved)
			     : twisted_of(&after) < twisted) &&
		    cost_of(last, way) < least) {
			best = way;
			least = cost_of(last, way);
		}
	}
	assert(best);
	return best;
}

/* The cost of turning them from that side, and what to do. */
static int plan_corners(const struct lesson *lesson, int side,
			const struct case_way *plan[CORNER_STEPS], int *count)
{
	struct cube_state3 state = lesson->view.state;
	uint8_t last = lesson->last;
	int cost = 0;
	*count = 0;
	for (const struct case_way *way; (way = next_corner(lesson, &state, side, last)) != NULL;) {
		cube_state3_compose(&state, &state, &way->state);
		cost += cost_of(last, way);
		last = last_of(way);
		assert(*count < CORNER_STEPS);
		plan[(*count)++] = way;
	}
	return cost;
}

/* The corner that a way turns: the one that is in its twisted place, when U has been turned. */
static int turned_by(const struct lesson *lesson, const struct case_way *way)
{
	struct cube_state3 after;
	cube_state3_compose(&after, &lesson->view.state, &way->state);
	for (int i = CUBE_STATE3_CORNERS; i < CUBE_STATE3_CORNERS + 4; i++)
		for (int k = CUBE_STATE3_CORNERS; k < CUBE_STATE3_CORNERS + 4; k++)
			if (((lesson->view.state.piece[i] ^ after.piece[k]) & CUBE_STATE3_PIECE) ==
				    0 &&
			    lesson->view.state.piece[i] != after.piece[k])
				return CUBE_STATE3_CORNERS + (after.piece[k] & CUBE_STATE3_PIECE);
	return -1;
}

static void turn_corners(struct lesson *lesson)
{
	const struct case_way *plan[CORNER_STEPS], *best[CORNER_STEPS];
	int least = INT_MAX, steps = 0;
	for (int side = 0; side < SIDES; side++) {
		int count, cost = plan_corners(lesson, side, plan, &count);
		if (cost >= least)
			continue;
		least = cost;
		steps = count;
		memcpy(best, plan, sizeof(best));
	}
	for (int i = 0; i < steps; i++)
		apply_way(lesson, LAST_CORNERS_TURNED, best[i], NULL, turned_by(lesson, best[i]));
}

/* ---- all of it ---- */

static enum cube_solve_end give_up(struct cube_solution *solution, enum cube_solve_end end)
{
	solution->count = solution->step_count = 0;
	solution->length = -1;
	return end;
}

static enum cube_solve_end solve(const void *tables, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	struct lesson lesson = {.solution = solution, .task = task, .last = CUBE_FACES};
	(void)tables;
	solution->count = solution->step_count = 0;
	solution->length = 0;
	solution->nodes = 1;
	moves_make(lesson.moves);
	beginner_view_make(&lesson.view, task->cube);
	solution->bound = beginner_stages_done(&lesson.view.state) < STAGES;
	for (enum beginner_stage stage = CROSS; stage < STAGES; stage++) {
		if (beginner_reached(&lesson.view.state, stage))
			continue;
		add_ways(&lesson, stage);
		while (!beginner_reached(&lesson.view.state, stage)) {
			if (poll_stopped(task, solution->nodes, solution->length, -1))
				return give_up(solution, CUBE_SOLVE_STOPPED);
			if (stage == LAST_CORNERS_TURNED)
				turn_corners(&lesson);
			else
				apply_step(&lesson, stage);
		}
	}
	if (task->length_max > 0 && solution->length > task->length_max)
		return give_up(solution, CUBE_SOLVE_ALL);
	return solution->length <= task->length_enough ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_ALL;
}

static size_t room_for(int size)
{
	(void)size;
	return LONGEST;
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
