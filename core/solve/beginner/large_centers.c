/* core/solve/beginner/large_centers.c: one centre after the other: that of the first layer, the one opposite,
 * then the four others.
 *
 * The side that is worked on is up. A step takes centre pieces to it from the front (or from below, by half
 * turns) in one of two ways, and changes no centre that is done:
 *
 *     columns  Rw U Rw'                 a column goes up, the top is turned, another one comes down
 *     block    Rw U Lw' U' Rw' U Lw U'  what is in these columns and in some rows of the front goes to the same
 *                                       place on the top; only pieces of the two sides change places
 *
 * Of all steps, the one that brings the most for its turns is next. A block of one cell is always possible. */
#include <assert.h>
#include <string.h>

#include "core/solve/beginner/beginner_internal.h"
#include "core/solve/beginner/large.h"
#include "cube/cube.h"
#include "cube/query.h"

typedef uint8_t grid[LARGE_CELLS][LARGE_CELLS]; /* 1: of the colour of the top */

struct center_choice {
	int hold, source;
	int front, top; /* quarters of the source and of the top at first */
	int a, b;       /* columns */
	int row_a, row_b;
	int turn; /* of the top */
	bool block;
	int gain, cost;
};

static size_t facelet(int size, int face, int row, int column)
{
	return (size_t)((face * size + row + 1) * size + column + 1);
}

/* ---- how far the centres are ---- */

static int count_of(const struct cube *cube, int side, int color)
{
	int count = 0;
	for (int row = 0; row < cube->size - 2; row++)
		for (int column = 0; column < cube->size - 2; column++)
			count += cube_color_at(cube, facelet(cube->size, side, row, column)) ==
				 color;
	return count;
}

/* The colours in the order in which their sides are made. */
static int in_order(int first, int index)
{
	if (index == 0)
		return first;
	if (index == 1)
		return (first + 3) % CUBE_FACES;
	for (int color = 0, at = 2;; color++)
		if (color % 3 != first % 3 && at++ == index)
			return color;
}

/* The side to be made next; CUBE_FACES: none. `progress` grows by each step. */
static int next_side(const struct large *large, const uint8_t color[CUBE_FACES], int first,
		     int *progress)
{
	const int whole = large->cells * large->cells;
	int next = CUBE_FACES, right = 0;
	*progress = 0;
	for (int i = 0; i < CUBE_FACES; i++) {
		int side = 0;
		while (color[side] != in_order(first, i))
			side++;
		const int count = count_of(&large->now.cube, side, color[side]);
		*progress += count == whole ? 10000 : 0;
		right += count;
		if (count < whole && next == CUBE_FACES) {
			next = side;
			*progress += 200 * count;
		}
	}
	*progress += right;
	return next;
}

/* Even sizes have no centre that says which side is which: the way that is furthest. */
void large_assign(struct large *large)
{
	const int held = cube_hold_of(&large->now.cube);
	const bool any = large->first == CUBE_FACES;
	int most = -1;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		uint8_t color[CUBE_FACES];
		if (large->size % 2 != 0 && hold != held)
			continue;
		for (uint8_t i = 0; i < CUBE_FACES; i++)
			color[cube_hold_table.hold[hold].to[i]] = i;
		for (int first = 0; first < CUBE_FACES; first++) {
			int progress;
			if (!any && first != large->task->first)
				continue;
			const int next = next_side(large, color, first, &progress);
			progress = 2 * progress + (first == color[CUBE_D]);
			if (progress <= most)
				continue;
			most = progress;
			memcpy(large->color, color, sizeof color);
			if (any)
				large->first = (uint8_t)first;
			if (any && next == CUBE_FACES)
				large->first = color[CUBE_D];
		}
	}
}

/* ---- choosing ---- */

static void read_grid(const struct cube *cube, int side, int color, grid cells)
{
	for (int row = 0; row < cube->size - 2; row++)
		for (int column = 0; column < cube->size - 2; column++)
			cells[row][column] = cube_color_at(cube, facelet(cube->size, side, row,
									 column)) == color;
}

/* Clockwise. */
static void turn_grid(grid cells, int size)
{
	grid before;
	memcpy(before, cells, sizeof before);
	for (int row = 0; row < size; row++)
		for (int column = 0; column < size; column++)
			cells[row][column] = before[size - 1 - column][row];
}

static void better(const struct center_choice *choice, struct center_choice *best)
{
	if (choice->gain * best->cost > best->gain * choice->cost)
		*best = *choice;
}

static void try_columns(const struct center_choice *from, grid top, grid source, int size,
			struct center_choice *best)
{
	for (int turn = 1; turn < 4; turn++) {
		struct center_choice choice = *from;
		int before = 0, after = 0;
		grid cells;
		memcpy(cells, top, sizeof cells);
		for (int row = 0; row < size; row++)
			for (int column = choice.a; column <= choice.b; column++)
				cells[row][column] = source[row][column];
		for (int k = 0; k < turn; k++)
			turn_grid(cells, size);
		for (int row = 0; row < size; row++)
			for (int column = 0; column < size; column++) {
				const bool back = column >= choice.a && column <= choice.b;
				before += top[row][column];
				after += back ? top[row][column] : cells[row][column];
			}
		choice.block = false;
		choice.turn = turn;
		choice.gain = after - before;
		choice.cost += 3;
		better(&choice, best);
	}
}

/* Rows that touch none of the columns once the top is turned. */
static void try_blocks(const struct center_choice *from, grid top, grid source, int size,
		       struct center_choice *best)
{
	for (int row_a = 0; row_a < size; row_a++)
		for (int row_b = row_a; row_b < size; row_b++) {
			struct center_choice choice = *from;
			int wanted = 0, there = 0;
			for (int row = row_a; row <= row_b; row++)
				for (int column = choice.a; column <= choice.b; column++) {
					wanted += source[row][column];
					there += top[row][column];
				}
			const int all = (row_b - row_a + 1) * (choice.b - choice.a + 1);
			const bool back = row_b < choice.a || row_a > choice.b;
			const bool on = size - 1 - row_a < choice.a || size - 1 - row_b > choice.b;
			if (wanted < all || (!on && !back))
				continue;
			choice.block = true;
			choice.row_a = row_a;
			choice.row_b = row_b;
			choice.turn = on ? 1 : -1;
			choice.gain = all - there;
			choice.cost += 8;
			better(&choice, best);
		}
}

static void try_source(struct center_choice *choice, grid top, grid source, int size,
		       struct center_choice *best)
{
	const int cost = choice->cost;
	for (int i = 0; i < 16; i++) {
		choice->front = i % 4;
		choice->top = i / 4;
		choice->cost = cost + (choice->front > 0) + (choice->top > 0);
		for (choice->a = 0; choice->a < size; choice->a++)
			for (choice->b = choice->a;
			     choice->b < size && choice->b - choice->a <= (size - 1) / 2;
			     choice->b++) {
				try_columns(choice, top, source, size, best);
				if (choice->top == 0)
					try_blocks(choice, top, source, size, best);
			}
		turn_grid(source, size);
		if (choice->front == 3)
			turn_grid(top, size);
	}
}

static void choose(struct large *large, int side, struct center_choice *best)
{
	const int color = large->color[side], whole = large->cells * large->cells;
	int fewest = 9;
	*best = (struct center_choice){.cost = 1};
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		union large_cube seen;
		grid top = {{0}}, source = {{0}};
		struct center_choice choice = {
			.hold = hold, .source = CUBE_F, .cost = beginner_rotations(hold)};
		const struct cube_hold *to = &cube_hold_table.hold[hold];
		if (to->to[side] != CUBE_U)
			continue;
		cube_hold_turn(&seen.cube, &large->now.cube, hold);
		large->solution->nodes++;
		int sources[2] = {CUBE_F, CUBE_D};
		for (int i = 0; i < 2; i++) {
			int was = 0;
			while (to->to[was] != sources[i])
				was++;
			if (count_of(&large->now.cube, was, large->color[was]) == whole ||
			    count_of(&large->now.cube, was, color) == 0 ||
			    (i == 1 && choice.cost >= fewest))
				continue;
			if (i == 1)
				fewest = choice.cost;
			choice.source = sources[i];
			struct center_choice begun = choice;
			read_grid(&seen.cube, CUBE_U, color, top);
			read_grid(&seen.cube, sources[i], color, source);
			try_source(&begun, top, source, large->cells, best);
		}
	}
	assert(best->gain > 0);
}

/* ---- making it ---- */

/* A corner says how an even cube is held that has no centres yet. */
static void name_hold(struct large *large)
{
	struct cube_lesson_note *note = &large->step.note;
	const size_t n = (size_t)large->size;
	const size_t facelets[3] = {n * n - 1, CUBE_R * n * n, CUBE_F * n * n + n - 1};
	char colors[4] = "";
	for (int i = 0; i < 3; i++)
		colors[i] = cube_face_letters[cube_color_at(&large->now.cube, facelets[i])];
	const char *name = cube_place_name(cube_place_find(colors, 3));
	memcpy(note->name[NAME_E], name, 4);
	memcpy(note->name[NAME_E_AT], "URF", 4);
	note->name[NAME_E_FACING][0] = "URF"[strchr(colors, name[0]) - colors];
	note->hold = large->step.rotations > 0 ? WORD_HOLD_TURN_2 : WORD_HOLD_KEEP_2;
}

/* Returns how much of the top is done. */
static uint8_t count_at_top(const struct large *large)
{
	return (uint8_t)count_of(&large->now.cube, CUBE_U, large->color[CUBE_U]);
}

static void note_choice(struct large *large, const struct center_choice *choice)
{
	struct cube_lesson_note *note = &large->step.note;
	note->name[NAME_FROM][0] = cube_face_letters[choice->source];
	note->name[NAME_TO][0] = 'U';
	note->hint = WORD_CENTER_HINT;
	note->ready = choice->front > 0 || choice->top > 0 ? WORD_CENTER_READY : WORD_NONE;
	note->main = choice->block ? WORD_CENTER_BLOCK : WORD_CENTER_COLUMN;
	note->number[LARGE_COLUMN_A] = (uint8_t)(choice->a + 2);
	note->number[LARGE_COLUMN_B] = (uint8_t)(choice->b + 2);
	note->number[LARGE_ROW_A] = (uint8_t)(choice->row_a + 2);
	note->number[LARGE_ROW_B] = (uint8_t)(choice->row_b + 2);
	note->number[LARGE_OF] = (uint8_t)(large->cells * large->cells);
	note->number[LARGE_BEFORE] = count_at_top(large);
}

static void make_choice(struct large *large, const struct center_choice *choice)
{
	const int size = large->size, up = choice->source == CUBE_D ? 2 : 1;
	const struct cube_turn a = large_columns(size, choice->a, choice->b, true, up),
			       top = cube_turn_make(size, CUBE_U, 1, 1, choice->turn);
	if (choice->front > 0)
		large_turn(large, cube_turn_make(size, choice->source, 1, 1, choice->front), true);
	if (choice->top > 0)
		large_turn(large, cube_turn_make(size, CUBE_U, 1, 1, choice->top), true);
	large_turn(large, a, false);
	large_turn(large, top, false);
	if (choice->block) {
		const bool on = choice->turn == 1;
		const int last = large->cells - 1;
		const struct cube_turn b =
			large_columns(size, on ? last - choice->row_b : choice->row_a,
				      on ? last - choice->row_a : choice->row_b, true, up);
		large_turn(large, b, false);
		large_turn(large, large_back(top), false);
		large_turn(large, large_back(a), false);
		large_turn(large, top, false);
		large_turn(large, large_back(b), false);
		large_turn(large, large_back(top), false);
	} else {
		large_turn(large, large_back(a), false);
	}
}

bool large_center_step(struct large *large)
{
	int progress;
	struct center_choice choice;
	const int side = next_side(large, large->color, large->first, &progress);
	if (side == CUBE_FACES)
		return false;
	choose(large, side, &choice);
	large_begin(large, LARGE_CENTERS, choice.hold);
	if (large->size % 2 == 0)
		name_hold(large);
	note_choice(large, &choice);
	make_choice(large, &choice);
	large->step.note.number[LARGE_AFTER] = count_at_top(large);
	large_end(large);
	return true;
}
