/* core/solve/optimal/optimal2.c: shortest solutions of the 2x2x2, from a table of all its states.
 *
 * A 2x2x2 has no centres, so one corner may stay where it is: turning L is turning R and the whole
 * cube. With the corner in DBL left alone, U, R and F reach all 7! * 3^6 = 3,674,160 states, none
 * more than 11 moves (14 quarter turns) away. A breadth-first search from the solved state writes
 * every distance into a byte: half turns as one in bits 0..3, as two in bits 4..7.
 *
 * States are numbered by cube_index_of_cubies: permutation * 3^6 + twists. A move changes the two
 * independently, so a state moves by two small tables; and the search goes row by row, all the
 * twists of a permutation at once, since their neighbours are in one row too. */
#include "core/solve/optimal/optimal2.h"

#include <assert.h>
#include <string.h>

#include "core/solve/common/methods.h"
#include "core/solve/common/poll.h"
#include "core/solve/common/prune.h"
#include "core/solve/common/table_head.h"
#include "cube/index.h"

#define ROWS 5040u    /* permutations of seven corners */
#define TWISTS_2 729u /* twists of six of them; the seventh follows */
#define OWN_MOVES 9   /* U R F, the first nine */
#define LONGEST 14    /* in QTM */
#define UNSEEN 15     /* the distance of what the search has not met */
#define LISTED_MAX CUBE_SOLUTION_MAX
#define LIST_POLL 4096 /* nodes */

struct optimal2_tables {
	struct table_head head;
	uint16_t row[OWN_MOVES][ROWS]; /* the row that each move leads to */
	uint16_t twists[OWN_MOVES][TWISTS_2];
	uint8_t distance[CUBE_SOLVE_OUTER_METRICS][ROWS][TWISTS_2];
};

static const uint8_t longest[CUBE_SOLVE_OUTER_METRICS] = {11, LONGEST};

static uint32_t index_of(const struct cube_state3 *state)
{
	struct cube_cubies cubies;
	cube_state3_to_cubies(state, &cubies);
	return (uint32_t)cube_index_of_cubies(&cubies, 2).low;
}

static void state_of(uint32_t index, struct cube_state3 *state)
{
	struct cube_cubies cubies;
	bool good = cube_index_cubies((struct cube_index){.low = index}, 2, &cubies);
	assert(good);
	(void)good;
	cube_state3_from_cubies(state, &cubies);
}

static uint32_t index_after(uint32_t index, const struct cube_state3 *move)
{
	struct cube_state3 state;
	state_of(index, &state);
	cube_state3_compose(&state, &state, move);
	return index_of(&state);
}

/* Makes the tables of moves. A move does the same to the twists in every row, and takes a row to
 * the same one with all twists. */
static void make_moves(struct optimal2_tables *tables)
{
	struct cube_state3 moves[MOVES];
	moves_make(moves);
	for (int m = 0; m < OWN_MOVES; m++) {
		for (uint32_t row = 0; row < ROWS; row++)
			tables->row[m][row] =
				(uint16_t)(index_after(row * TWISTS_2, &moves[m]) / TWISTS_2);
		for (uint32_t twists = 0; twists < TWISTS_2; twists++)
			tables->twists[m][twists] =
				(uint16_t)(index_after(twists, &moves[m]) % TWISTS_2);
	}
}

/* From the states of a row that are `depth` away to their neighbours. */
static void forward(struct optimal2_tables *tables, enum cube_solve_metric metric, uint32_t row,
		    int depth)
{
	uint16_t at[TWISTS_2];
	size_t count = prune_entries(tables->distance[metric][row], TWISTS_2, (uint8_t)depth, at);
	for (int m = 0; m < OWN_MOVES && count > 0; m++) {
		uint8_t *to = tables->distance[metric][tables->row[m][row]];
		if (move_length(m, metric) > 1)
			continue;
		for (size_t i = 0; i < count; i++) {
			uint8_t *entry = &to[tables->twists[m][at[i]]];
			*entry = *entry <= depth ? *entry : (uint8_t)(depth + 1);
		}
	}
}

/* From the states of a row that nothing has met yet to a neighbour that is `depth` away. */
static void backward(struct optimal2_tables *tables, enum cube_solve_metric metric, uint32_t row,
		     int depth)
{
	uint16_t at[TWISTS_2];
	uint8_t *from = tables->distance[metric][row];
	size_t count = prune_entries(from, TWISTS_2, UNSEEN, at);
	for (int m = 0; m < OWN_MOVES; m++) {
		const uint8_t *to = tables->distance[metric][tables->row[m][row]];
		size_t left = 0;
		if (move_length(m, metric) > 1)
			continue;
		for (size_t i = 0; i < count; i++) {
			bool met = to[tables->twists[m][at[i]]] == depth;
			if (met)
				from[at[i]] = (uint8_t)(depth + 1);
			at[left] = at[i];
			left += !met;
		}
		count = left;
	}
}

/* Pass d finds all states at distance d + 1. A half turn is two quarter turns in QTM, so that only
 * these are looked at there. Where few states are left it is quicker to begin with those. */
static void search(struct optimal2_tables *tables, enum cube_solve_metric metric)
{
	const uint32_t solved = index_of(&cube_state3_solved);
	const int turning_point = metric == CUBE_SOLVE_HTM ? 9 : 11;
	memset(tables->distance[metric], UNSEEN, sizeof(tables->distance[metric]));
	tables->distance[metric][solved / TWISTS_2][solved % TWISTS_2] = 0;
	for (int depth = 0; depth < longest[metric]; depth++)
		for (uint32_t row = 0; row < ROWS; row++)
			(depth < turning_point ? forward : backward)(tables, metric, row, depth);
}

static void make(void *memory, unsigned step, unsigned part)
{
	struct optimal2_tables *tables = memory;
	if (step == 1)
		search(tables, part);
	else if (part == 0)
		make_moves(tables);
}

int optimal2_distance(const void *memory, uint32_t index, enum cube_solve_metric metric)
{
	const struct optimal2_tables *tables = memory;
	assert(index < ROWS * TWISTS_2);
	return tables->distance[metric][index / TWISTS_2][index % TWISTS_2];
}

/* Tries all ways, by what the distance allows. */
static bool find_walk(const struct optimal2_tables *tables, uint32_t row, uint32_t twists,
		      int before, int left, struct cube_turn *turns)
{
	int distance = tables->distance[CUBE_SOLVE_HTM][row][twists];
	if (left == 0 || distance > left)
		return distance == 0 && left == 0;
	for (int m = 0; m < OWN_MOVES; m++) {
		if (move_face(m) == before)
			continue;
		*turns = cube_turn_make(2, move_face(m), 1, 1, move_quarters(m));
		if (find_walk(tables, tables->row[m][row], tables->twists[m][twists], move_face(m),
			      left - 1, turns + 1))
			return true;
	}
	return false;
}

bool optimal2_walk(const void *memory, uint32_t index, int length, struct cube_turn *turns)
{
	return find_walk(memory, index / TWISTS_2, index % TWISTS_2, CUBE_FACES, length, turns);
}

/* A search for all solutions of a length. */
struct listing {
	const struct optimal2_tables *tables;
	const struct cube_solve_task *task;
	struct cube_solution *solution;
	const struct held *held;
	uint8_t moves[LISTED_MAX];
	bool enough, stopped;
};

/* Makes all moves that can be followed by a solution: at most `left` long in all. */
static void list(struct listing *listing, uint32_t row, uint32_t twists, int count, int left)
{
	const struct optimal2_tables *tables = listing->tables;
	const struct cube_solve_task *task = listing->task;
	const int before = count > 0 ? move_face(listing->moves[count - 1]) : CUBE_FACES;
	if (++listing->solution->nodes % LIST_POLL == 0)
		listing->stopped =
			poll_stopped(task, listing->solution->nodes, task->length_max, -1);
	if (left == 0)
		listing->enough |=
			!held_list(listing->held, listing->moves, count, task, listing->solution);
	for (int m = 0; m < OWN_MOVES && left > 0; m++) {
		const uint32_t next_row = tables->row[m][row];
		const uint32_t next_twists = tables->twists[m][twists];
		const int rest = left - move_length(m, task->metric);
		if (move_face(m) == before || rest < 0 ||
		    tables->distance[task->metric][next_row][next_twists] > rest)
			continue;
		listing->moves[count] = (uint8_t)m;
		list(listing, next_row, next_twists, count + 1, rest);
		if (listing->enough || listing->stopped)
			return;
	}
}

static enum cube_solve_end list_all(const struct optimal2_tables *tables, const struct held *held,
				    uint32_t index, const struct cube_solve_task *task,
				    struct cube_solution *solution)
{
	struct listing listing = {
		.tables = tables, .task = task, .solution = solution, .held = held};
	assert(task->length_max > 0 && task->length_max <= LISTED_MAX);
	if (tables->distance[task->metric][index / TWISTS_2][index % TWISTS_2] <= task->length_max)
		list(&listing, index / TWISTS_2, index % TWISTS_2, 0, task->length_max);
	return listing.enough    ? CUBE_SOLVE_ENOUGH
	       : listing.stopped ? CUBE_SOLVE_STOPPED
				 : CUBE_SOLVE_ALL;
}

static enum cube_solve_end solve(const void *memory, const struct cube_solve_task *task,
				 struct cube_solution *solution)
{
	const struct optimal2_tables *tables = memory;
	const uint8_t(*distances)[TWISTS_2] = tables->distance[task->metric];
	struct held held;
	uint8_t moves[LONGEST];
	int count = 0;
	held_renamed(&held, task->cube);
	uint32_t index = index_of(&held.state), row = index / TWISTS_2, twists = index % TWISTS_2;
	int distance = distances[row][twists];
	solution->count = 0;
	solution->length = -1;
	solution->bound = distance;
	solution->nodes = 1;
	if (task->each)
		return list_all(tables, &held, index, task, solution);
	if (task->length_max > 0 && distance > task->length_max)
		return CUBE_SOLVE_ALL;
	while (distance > 0) {
		/* One of the moves leads nearer, by its own length. A half turn is not written as two
		 * quarter turns. */
		static const uint8_t order[OWN_MOVES] = {1, 4, 7, 0, 2, 3, 5, 6, 8};
		int m, next = 0;
		uint32_t next_row, next_twists;
		do {
			m = order[next++];
			next_row = tables->row[m][row];
			next_twists = tables->twists[m][twists];
			solution->nodes++;
		} while (distances[next_row][next_twists] !=
			 distance - move_length(m, task->metric));
		moves[count++] = (uint8_t)m;
		distance -= move_length(m, task->metric);
		row = next_row;
		twists = next_twists;
	}
	held_write(&held, moves, count, task->metric, solution);
	return solution->length <= task->length_enough ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_ALL;
}

static const struct cube_solver_tables tables_rows[] = {{.name = "all",
							 .magic = 0x32706f01,
							 .bytes = sizeof(struct optimal2_tables),
							 .steps = 2,
							 .parts = 2,
							 .make = make}};

const struct cube_solver solver_optimal2 = {.name = "optimal",
					    .size_min = 2,
					    .size_max = 2,
					    .length_max = {11, LONGEST},
					    .optimal = true,
					    .lists = LISTED_MAX,
					    .units = 1,
					    .tables = tables_rows,
					    .table_count = 1,
					    .solve = solve};
