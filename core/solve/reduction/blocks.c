/* core/solve/reduction/blocks.c: the centres of large cubes, and the parity of wings.
 *
 * Let A turn columns J of F up to U, and Y turn the row r of U out and a column i of F in: Y = U'
 * c(i) U with i = r, or U c(i) U' with i = size - 1 - r. Where i is not in J, A and Y have only the
 * cells (r, J) of U in common, so that A Y A' Y' changes three cells for each j in J and nothing
 * else: what was on F at (r, j) is on U then, and what was on U there is elsewhere on F. All of J
 * that are neighbours turn as one block, so that the turns per sticker become few: J is chosen by
 * dynamic programming over a row, where a cell counts 1 that brings its colour, -1 that takes it
 * away, 0 else. With half turns the same goes from D to U. */
#include "core/permutation.h"
#include "core/hold.h"
#include "core/solve/reduction/reduction_internal.h"
#include "cube/cube.h"

/* The cube as it is held for one exchange: the face to fill is U, the other one F, or D. */
struct exchange_view {
	struct reduction *reduction;
	const struct cube_hold *hold;
	int from;     /* face of the view */
	int quarters; /* from there to U */
};

struct block_row {
	int row, way;           /* which of the two ways to turn U */
	int value;              /* its gain less its cost */
	bool in[CUBE_SIZE_MAX]; /* J */
};

static int color(const struct exchange_view *view, int face, int row, int column)
{
	const struct cube *cube = view->reduction->cube;
	return cube_color_at(cube, cube_hold_facelet(view->hold, cube->size, face, row, column));
}

static void turn(const struct exchange_view *view, int face, int from, int to, int quarters)
{
	reduction_turn(view->reduction, view->hold->to[face], from, to, quarters);
}

/* Columns first..last, from F up for each quarter. */
static void turn_columns(const struct exchange_view *view, int first, int last, int quarters)
{
	int n = view->reduction->cube->size;
	if (first < n / 2)
		turn(view, CUBE_L, first + 1, last + 1, -quarters);
	else
		turn(view, CUBE_R, n - last, n - first, quarters);
}

static void turn_set(const struct exchange_view *view, const bool in[], int quarters)
{
	int n = view->reduction->cube->size;
	for (int first = 1, last; first < n - 1; first = last + 1) {
		for (last = first; in[first] && last + 1 < n - 1 && in[last + 1];)
			last++;
		if (in[first])
			turn_columns(view, first, last, quarters);
	}
}

static int column_of(const struct block_row *row, int n)
{
	return row->way < 0 ? row->row : n - 1 - row->row;
}

/* A Y A' Y' */
static void exchange(const struct exchange_view *view, const struct block_row *row)
{
	int column = column_of(row, view->reduction->cube->size);
	for (int sign = 1; sign >= -1; sign -= 2) {
		turn_set(view, row->in, sign * view->quarters);
		turn(view, CUBE_U, 1, 1, row->way);
		turn_columns(view, column, column, sign * view->quarters);
		turn(view, CUBE_U, 1, 1, -row->way);
	}
}

#define BLOCK_COST 4 /* there and back, each as two outer blocks */
#define EXCHANGE_COST 8

/* The best J of a row, one sticker being worth `worth` turns. */
static void choose(const struct exchange_view *view, const int8_t gain[], int worth,
		   struct block_row *row)
{
	int n = view->reduction->cube->size, except = column_of(row, n);
	/* The best sums up to here, with the cell in J and without; and whence. */
	int with = -10000, without = 0;
	bool from_with[CUBE_SIZE_MAX][2];
	for (int j = 1; j < n - 1; j++) {
		int opened = without - BLOCK_COST;
		from_with[j][1] = with >= opened;
		from_with[j][0] = with > without;
		int next = (with >= opened ? with : opened) + worth * gain[j];
		without = with > without ? with : without;
		with = j == except ? -10000 : next;
	}
	bool in = with > without;
	row->value = (in ? with : without) - EXCHANGE_COST;
	for (int j = n - 2; j > 0; j--) {
		row->in[j] = in;
		in = from_with[j][in];
	}
}

/* The most that an exchange of that row can be worth. */
static void choose_row(const struct exchange_view *view, int target, int worth,
		       struct block_row *row)
{
	int n = view->reduction->cube->size, wanted = 0;
	int8_t gain[CUBE_SIZE_MAX];
	struct block_row other = {.row = row->row, .way = -1};
	for (int j = 1; j < n - 1; j++) {
		bool here = color(view, CUBE_U, row->row, j) == target;
		bool there = color(view, view->from, row->row, j) == target;
		gain[j] = (int8_t)(there - here);
		wanted += there && !here;
	}
	row->value = 0;
	if (wanted == 0)
		return;
	row->way = 1;
	choose(view, gain, worth, row);
	choose(view, gain, worth, &other);
	if (other.value > row->value)
		*row = other;
}

/* Stickers that are there in the same cells and wanted, after the face was turned. */
static int wanted_after(const struct exchange_view *view, int target, int quarters)
{
	int n = view->reduction->cube->size, count = 0;
	for (int row = 1; row < n - 1; row++) {
		for (int column = 1; column < n - 1; column++) {
			int r = row, c = column;
			for (int q = 0; q < quarters; q++) {
				int old = r;
				r = c;
				c = n - 1 - old;
			}
			count += color(view, view->from, row, column) == target &&
				 color(view, CUBE_U, r, c) != target;
		}
	}
	return count;
}

/* Turns the other face so that most can be had, and takes what is worth it. Returns how many it was
 * after. */
static int bring(const struct exchange_view *view, int target, int worth)
{
	int n = view->reduction->cube->size, most = 0, quarters = 0;
	for (int q = 0; q < 4; q++) {
		int wanted = wanted_after(view, target, q);
		if (wanted > most) {
			most = wanted;
			quarters = q;
		}
	}
	if (most == 0)
		return 0;
	size_t before = view->reduction->solution->count;
	turn(view, view->from, 1, 1, quarters);
	bool turned = view->reduction->solution->count > before;
	int done = 0;
	for (int r = 1; r < n - 1; r++) {
		struct block_row row = {.row = r};
		if (!reduction_go_on(view->reduction, 1))
			return 0;
		choose_row(view, target, worth, &row);
		for (; row.value > 0; choose_row(view, target, worth, &row), done++)
			exchange(view, &row);
	}
	if (done == 0 && turned)
		turn(view, view->from, 1, 1, -quarters);
	return most;
}

/* One face is filled from the others, from all of them what is cheap before what is not. */
static void fill(struct reduction *reduction, int target, const bool done[CUBE_FACES])
{
	static const int worths[] = {2, 3, 4, 6, 9, 13, 100};
	for (size_t i = 0; i < sizeof(worths) / sizeof(worths[0]); i++) {
		bool last = i + 1 == sizeof(worths) / sizeof(worths[0]);
		int left;
		do {
			left = 0;
			for (int other = 0; other < CUBE_FACES && !reduction->stopped; other++) {
				bool opposite = other == (target + 3) % 6;
				int front = opposite ? (target + 1) % 6 : other;
				struct exchange_view view = {reduction, NULL,
							     opposite ? CUBE_D : CUBE_F,
							     opposite ? 2 : 1};
				if (other == target || done[other])
					continue;
				view.hold =
					&cube_hold_table.hold[cube_hold_table.of[target][front]];
				left += bring(&view, target, worths[i]);
			}
		} while (last && left > 0);
	}
}

void blocks_centers(struct reduction *reduction)
{
	static const uint8_t order[] = {CUBE_U, CUBE_D, CUBE_F, CUBE_B, CUBE_R};
	bool done[CUBE_FACES] = {false};
	for (size_t i = 0; i < sizeof(order); i++) {
		fill(reduction, order[i], done);
		done[order[i]] = true;
	}
}

void blocks_parity(struct reduction *reduction)
{
	const struct cube *cube = reduction->cube;
	/* A block's turn makes all wings in it odd that were even; the deepest first. */
	for (int k = (cube->size - 2) / 2; k >= 1; k--) {
		uint8_t wings[ORBIT];
		for (int place = 0; place < ORBIT; place++)
			wings[place] = (uint8_t)orbit_home(cube, 0, k, place);
		if (cube_permutation_is_odd(wings, ORBIT))
			reduction_turn(reduction, CUBE_R, 1, k + 1, 1);
	}
}
