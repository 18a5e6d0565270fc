/* core/solve/beginner/large_edges.c: the edges paired, with all centres done.
 *
 * A step takes pieces of an edge from the front right to the front left, where others of it are: rows of the
 * sides are turned (2U), then that edge is put out of the way and another one in its place (L' U L), and the
 * rows are turned back (2U'). So three edges change pieces, and all else stays. Outer turns before it bring the
 * edges into position; they change no pair and no centre. If no third edge is left that may change pieces, the
 * one at the front left is turned over instead. Of all steps, the one that pairs most for its turns is next.
 *
 * Odd sizes pair the pieces with the one in the middle; even sizes the two at the ends first, then the others with
 * these. Each of these exchanges is an even permutation: if an odd one is wanted, two pieces of one edge are
 * exchanged by an algorithm of its own; that also serves two edges whose pieces are reversed. */
#include <assert.h>
#include <string.h>

#include "core/solve/beginner/large_slots.h"
#include "cube/query.h"

#define SETUP_MAX 3
#define SETUP_USUAL 1
#define SETUP_MORE 2

/* An outer move, as large->from numbers them. */
#define MOVE(face, quarters) (3 * (face) + (quarters)-1)

/* Words that put the edge at the front left out of the way and another one in its place: `out`, a
 * turn of `by` by one to three quarters, `back`. */
static const struct swap {
	uint8_t out, by, back;
} swaps[] = {{MOVE(CUBE_L, 3), CUBE_U, MOVE(CUBE_L, 1)},
	     {MOVE(CUBE_L, 1), CUBE_D, MOVE(CUBE_L, 3)},
	     {MOVE(CUBE_F, 1), CUBE_U, MOVE(CUBE_F, 3)},
	     {MOVE(CUBE_F, 3), CUBE_D, MOVE(CUBE_F, 1)}};
#define SWAP_WORDS (3 * (int)(sizeof swaps / sizeof swaps[0]))

/* The word that turns that edge over where it is. */
#define FLIP_WORD SWAP_WORDS
static const uint8_t flip[] = {MOVE(CUBE_L, 3), MOVE(CUBE_U, 3), MOVE(CUBE_L, 1), MOVE(CUBE_F, 3),
			       MOVE(CUBE_L, 1), MOVE(CUBE_F, 1), MOVE(CUBE_L, 3)};

/* The moves of a word: one of the swaps, or the flip. */
struct word {
	int length;
	uint8_t move[sizeof flip];
};

static struct word word_of(int number)
{
	struct word word = {.length = 3};
	if (number == FLIP_WORD) {
		word.length = sizeof flip;
		memcpy(word.move, flip, sizeof flip);
		return word;
	}
	const struct swap *swap = &swaps[number / 3];
	word.move[0] = swap->out;
	word.move[1] = (uint8_t)MOVE(swap->by, number % 3 + 1);
	word.move[2] = swap->back;
	return word;
}

struct edge_choice {
	int hold, setups, setup[SETUP_MAX];
	int row_a, row_b, word;
	int gain, cost;
};

/* ---- choosing ---- */

struct edge_search {
	const struct large *large;
	struct edge_choice now, best;
	bool turning; /* edges over, too */
};

static bool has_piece(const uint8_t *cell, int from, int to, uint8_t piece)
{
	for (int i = from; i <= to; i++)
		if (cell[i] == piece || cell[i] == edge_over(piece))
			return true;
	return false;
}

/* Returns true if pieces of one edge come together: some of it are at the left, others in the rows
 * at the right. */
static bool joins(const struct edge_search *search, const struct edges *edges,
		  const uint8_t *joined, bool turning)
{
	const int cells = search->large->cells;
	const int a = search->now.row_a, b = search->now.row_b;
	const uint8_t piece = joined[cells % 2 != 0 ? cells / 2 : 0];
	const uint8_t *left = edges->cell[SLOT_FL];
	return has_piece(edges->cell[SLOT_FR], a, b, piece) &&
	       ((turning && has_piece(left, a, b, piece)) || has_piece(left, 0, a - 1, piece) ||
		has_piece(left, b + 1, cells - 1, piece));
}

static void try_word(struct edge_search *search, const struct edges *edges, int number)
{
	const struct word word = word_of(number);
	struct edge_choice *now = &search->now;
	struct edges after = *edges;
	const int cells = search->large->cells;
	edges_turn_rows(&after, now->row_a, now->row_b, false);
	for (int k = 0; k < word.length; k++)
		edges_move(search->large, &after, word.move[k]);
	edges_turn_rows(&after, now->row_a, now->row_b, true);
	now->word = number;
	now->gain = edges_worth(&after, cells) - edges_worth(edges, cells);
	now->cost = beginner_rotations(now->hold) + now->setups + 2 + word.length;
	if (number == FLIP_WORD &&
	    (edge_worth(after.cell[SLOT_FL], cells) <= edge_worth(edges->cell[SLOT_FL], cells) ||
	     !joins(search, edges, after.cell[SLOT_FL], true)))
		return;
	if (now->gain * search->best.cost > search->best.gain * now->cost)
		search->best = *now;
}

static void try_rows(struct edge_search *search, const struct edges *edges)
{
	const int cells = search->large->cells;
	const uint8_t *left = edges->cell[SLOT_FL], *right = edges->cell[SLOT_FR];
	const int before = edge_worth(left, cells);
	for (int a = 0; a < cells; a++) {
		uint8_t joined[LARGE_CELLS];
		memcpy(joined, left, LARGE_CELLS);
		for (int b = a; b < cells && b - a <= (cells - 1) / 2; b++) {
			joined[b] = edge_over(right[b]);
			search->now.row_a = a;
			search->now.row_b = b;
			for (int word = 0; word < SWAP_WORDS; word++)
				if (edge_worth(joined, cells) > before &&
				    joins(search, edges, joined, false))
					try_word(search, edges, word);
			if (search->turning)
				try_word(search, edges, FLIP_WORD);
		}
	}
}

static void try_setups(struct edge_search *search, const struct edges *edges, int most)
{
	const int count = search->now.setups;
	const int last = count > 0 ? search->now.setup[count - 1] / 3 : CUBE_FACES;
	if (count == most) {
		try_rows(search, edges);
		return;
	}
	for (int move = 0; move < 18; move++) {
		if (last != CUBE_FACES && (move / 3 == last || move / 3 + 3 == last))
			continue;
		struct edges turned = *edges;
		edges_move(search->large, &turned, move);
		search->now.setup[count] = move;
		search->now.setups = count + 1;
		try_setups(search, &turned, most);
	}
	search->now.setups = count;
}

static void try_all(struct edge_search *search, int most)
{
	const struct large *large = search->large;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		union large_cube seen;
		struct edges edges;
		cube_hold_turn(&seen.cube, &large->now.cube, hold);
		edges_read(&seen.cube, &edges);
		search->now = (struct edge_choice){.hold = hold};
		try_setups(search, &edges, most);
		large->solution->nodes++;
	}
}

/* ---- an odd permutation ---- */

/* Returns true if the pieces at that depth, and as far from the other end, are an odd
 * permutation. */
static bool is_odd(const struct large *large, int depth)
{
	const int cells = large->cells;
	bool seen[2 * LARGE_SLOTS] = {false}, odd = false;
	for (int i = 0; i < 2 * LARGE_SLOTS; i++)
		for (int at = i, length = 0; !seen[at]; length++) {
			size_t facelets[2];
			int slot, cell, side;
			large_edge_facelets(large->size, at / 2,
					    at % 2 != 0 ? cells - 1 - depth : depth, facelets);
			edges_find(large->size, large->now.cube.sticker[facelets[0]], &slot, &cell,
				   &side);
			seen[at] = true;
			at = 2 * slot + (cell != depth);
			odd ^= length > 0;
		}
	return odd;
}

/* The depth of the pieces that no exchange of three pairs; -1: none. */
static int odd_depth(const struct large *large)
{
	const bool even_size = large->cells % 2 == 0;
	for (int depth = even_size; depth < large->cells / 2; depth++)
		if (is_odd(large, depth) != (even_size && is_odd(large, 0)))
			return depth;
	return -1;
}

/* False if there is none, as where only one edge is left. */
static bool choose(struct large *large, struct edge_choice *best)
{
	struct edge_search search = {.large = large, .best = {.cost = 1}};
	struct edges edges;
	edges_read(&large->now.cube, &edges);
	if (edges_paired(&edges, large->cells) == LARGE_SLOTS - 1)
		return false;
	search.turning = edges_paired(&edges, large->cells) >= LARGE_SLOTS - 2;
	for (int most = 0; most <= SETUP_USUAL || (most <= SETUP_MORE && search.best.gain == 0);
	     most++)
		try_all(&search, most);
	search.turning = true;
	const int turning_most = odd_depth(large) < 0 ? SETUP_MAX : SETUP_MORE;
	for (int most = 0; most <= turning_most && search.best.gain == 0; most++)
		try_all(&search, most);
	*best = search.best;
	return best->gain > 0;
}

/* Returns the hold, with the edge at the top front, that pairs most; writes how much it is worth
 * then. */
static int hold_for_flip(const struct large *large, int depth, int *worth_then)
{
	int best = 0, most = -1;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		union large_cube seen;
		struct edges edges;
		cube_hold_turn(&seen.cube, &large->now.cube, hold);
		edges_read(&seen.cube, &edges);
		uint8_t *cell = edges.cell[SLOT_UF];
		const uint8_t left = cell[depth];
		cell[depth] = edge_over(cell[large->cells - 1 - depth]);
		cell[large->cells - 1 - depth] = edge_over(left);
		const int now = 4 * edges_worth(&edges, large->cells) - beginner_rotations(hold);
		if (now <= most)
			continue;
		most = now;
		best = hold;
		*worth_then = edges_worth(&edges, large->cells);
	}
	return best;
}

/* The depth of pieces that an edge has the wrong way round; -1: none. */
static int reversed_depth(const struct large *large)
{
	struct edges edges;
	edges_read(&large->now.cube, &edges);
	for (int depth = large->cells % 2 == 0; depth < large->cells / 2; depth++) {
		int then = 0;
		hold_for_flip(large, depth, &then);
		if (then > edges_worth(&edges, large->cells))
			return depth;
	}
	return -1;
}

/* ---- making it ---- */

static void name_piece(struct large *large, enum beginner_name name, uint8_t cell)
{
	const char colors[2] = {cube_face_letters[cell >> 3], cube_face_letters[cell & 7]};
	const char *text = cube_place_name(cube_place_find(colors, 2));
	memcpy(large->step.note.name[name], text, 3);
}

static void name_slot(struct large *large, enum beginner_name name, int slot)
{
	char *text = large->step.note.name[name];
	memcpy(text, cube_place_name(CUBE_CORNERS + slot), 3);
}

/* Notes the place of the edge in the end, and how much of it is together. */
static void name_end(struct large *large, int slot)
{
	struct cube_lesson_note *note = &large->step.note;
	struct edges edges;
	edges_read(&large->now.cube, &edges);
	const uint8_t *cell = edges.cell[slot];
	name_slot(large, NAME_TO, slot);
	name_piece(large, NAME_PIECE, cell[large->cells % 2 != 0 ? large->cells / 2 : 0]);
	note->number[LARGE_AFTER] = (uint8_t)edge_together(cell, large->cells);
	note->number[LARGE_OF] = (uint8_t)large->cells;
}

static int slot_after(const struct large *large, const struct word *word, int slot)
{
	for (int i = 0; i < word->length; i++) {
		const uint8_t *from = large->from[word->move[i]];
		int to = 0;
		while (from[to] != slot)
			to++;
		slot = to;
	}
	return slot;
}

static int slot_before(const struct large *large, const struct edge_choice *choice, int slot)
{
	for (int i = choice->setups; i-- > 0;)
		slot = large->from[choice->setup[i]][slot];
	return slot;
}

static void make_pair(struct large *large, const struct edge_choice *choice)
{
	struct cube_lesson_note *note = &large->step.note;
	const struct word word = word_of(choice->word);
	const struct cube_turn rows = large_rows(large->size, choice->row_a, choice->row_b, 1);
	large_begin(large, LARGE_EDGES, choice->hold);
	note->hint = WORD_EDGE_HINT;
	note->ready = choice->setups > 0 ? WORD_EDGE_READY : WORD_NONE;
	note->main = choice->word != FLIP_WORD ? WORD_EDGE_SWAP : WORD_EDGE_TURN;
	note->after = WORD_EDGE_AFTER;
	note->number[LARGE_ROW_A] = (uint8_t)(choice->row_a + 2);
	note->number[LARGE_ROW_B] = (uint8_t)(choice->row_b + 2);
	name_slot(large, NAME_FROM, slot_before(large, choice, SLOT_FL));
	name_slot(large, NAME_A_AT, slot_before(large, choice, SLOT_FR));
	for (int i = 0; i < choice->setups; i++)
		large_turn(large,
			   cube_turn_make(large->size, choice->setup[i] / 3, 1, 1,
					  choice->setup[i] % 3 + 1),
			   true);
	large_turn(large, rows, false);
	for (int i = 0; i < word.length; i++)
		large_turn(
			large,
			cube_turn_make(large->size, word.move[i] / 3, 1, 1, word.move[i] % 3 + 1),
			false);
	large_turn(large, large_back(rows), false);
	name_end(large, slot_after(large, &word, SLOT_FL));
	large_end(large);
}

static void make_flip(struct large *large, int depth)
{
	struct cube_lesson_note *note = &large->step.note;
	struct cube_turn turns[LARGE_ALGORITHM];
	struct edges edges;
	int then;
	large_begin(large, LARGE_EDGES, hold_for_flip(large, depth, &then));
	edges_read(&large->now.cube, &edges);
	note->hint = WORD_ODD_HINT;
	note->main = WORD_ODD;
	note->number[LARGE_COLUMN_A] = (uint8_t)(depth + 2);
	note->number[LARGE_COLUMN_B] = (uint8_t)(large->size - depth - 1);
	name_slot(large, NAME_FROM, SLOT_UF);
	name_slot(large, NAME_TO, SLOT_UF);
	name_piece(large, NAME_PIECE, edges.cell[SLOT_UF][depth]);
	name_piece(large, NAME_A, edges.cell[SLOT_UF][large->cells - 1 - depth]);
	const int count = large_flip(large->size, depth + 2, depth + 2, turns);
	for (int i = 0; i < count; i++)
		large_turn(large, turns[i], false);
	large_end(large);
}

enum large_found large_edge_step(struct large *large)
{
	struct edge_choice choice;
	struct edges edges;
	edges_read(&large->now.cube, &edges);
	if (edges_paired(&edges, large->cells) == LARGE_SLOTS)
		return LARGE_DONE;
	if (choose(large, &choice)) {
		make_pair(large, &choice);
		return LARGE_MADE;
	}
	int depth = odd_depth(large);
	if (depth < 0)
		depth = reversed_depth(large);
	if (depth < 0)
		return LARGE_STUCK;
	make_flip(large, depth);
	return LARGE_MADE;
}
