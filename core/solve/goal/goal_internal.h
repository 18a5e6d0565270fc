/* core/solve/goal/goal_internal.h: the inside of a goal. Internal; cube/goal.h describes it. */
#ifndef CORE_SOLVE_GOAL_GOAL_INTERNAL_H
#define CORE_SOLVE_GOAL_GOAL_INTERNAL_H

#include "core/solve/common/moves.h"
#include "cube/goal.h"

/* ---- turns ---- */

/* A turn that may be made. Those of one axis commute and follow each other by rising `block`. A
 * spare one is never made: it is there so that moves look the same from all sides. */
struct goal_move {
	struct cube_turn turn;
	uint8_t axis;
	bool spare;
	uint8_t cost; /* in the goal's metric */
	uint16_t block;
};

#define GOAL_MOVES_MAX (3 * CUBE_GOAL_GENERATORS_MAX)
#define GOAL_MOVES3_MAX 54      /* of a 3x3x3: 18 blocks */
#define GOAL_STATE_MOVES_MAX 32 /* of these as seen with the centres home, from all sides: 28 */

static inline bool goal_move_follows(const struct goal_move *move, const struct goal_move *before)
{
	return !before || move->axis != before->axis || move->block > before->block;
}

/* ---- target.c, target_turn.c: what a goal wants of a 3x3x3, or of a 2x2x2 ---- */

#define GOAL_PLACES CUBE_PLACES /* corners, then edges, as in cube/query.h */
#define GOAL_TURNED 24 /* 3 * piece + twist, 2 * piece + flip; of values: places for pieces */
#define GOAL_ANYTHING 0xffffffu

/* For each place the pieces that may be there, bits 3 * piece + twist or 2 * piece + flip. */
struct goal_target {
	uint32_t allowed[GOAL_PLACES];
	int8_t hold; /* in this one alone, -1 in all */
};

#define GOAL_TARGETS_MAX 256

struct goal_targets {
	size_t count;
	struct goal_target target[GOAL_TARGETS_MAX];
};

static inline int goal_count(uint32_t bits)
{
	int count = 0;
	for (; bits; bits &= bits - 1)
		count++;
	return count;
}

/* Takes a query on cubes of size 2 or 3 apart. What it asks of pieces together is left out, and
 * alternatives that are too many are left open; so all states that fit the query fit a target, but
 * not the other way round. Up to `generics` of a pattern that no middle centre binds are tried with all
 * colours; more are left open. */
void goal_targets_make(struct goal_targets *targets, const struct cube_query_node *query, int size,
		       int generics);

/* Returns true if the target wants nothing. */
bool goal_target_open(const struct goal_target *target);

/* Returns true if a state is as it wants. */
bool goal_target_fits(const struct goal_target *target, const struct cube_state3 *state);

/* The target that the inverses of its states fit, and no others. */
void goal_target_invert(struct goal_target *result, const struct goal_target *target);

/* The target after the cube is turned as a whole and its colours are renamed. */
void goal_target_turn(struct goal_target *result, const struct goal_target *target,
		      const struct cube_state3 *rotation);

/* ---- table.c ---- */

/* Distances of up to four pieces (bytes of struct cube_state3), or of all twists or flips. An entry
 * is a number of base 24 with a digit for each piece, 3 * place + twist or 2 * place + flip of the
 * inverse state; or one of base 3 or 2 with a digit for each place. */
#define GOAL_GROUP 4
#define GOAL_FAR 255

enum goal_kind { GOAL_PIECES, GOAL_TWISTS, GOAL_FLIPS };

struct goal_table {
	uint8_t kind, count;
	uint8_t piece[GOAL_GROUP];
	uint32_t entries;
	size_t offset; /* of its bytes, in the goal */
};

/* Twists of a corner, flips of an edge. */
static inline uint32_t goal_turns(int piece)
{
	return piece >= CUBE_STATE3_CORNERS ? 3 : 2;
}

static inline uint32_t goal_digit(const struct cube_state3 *inverse, int piece)
{
	uint32_t at = inverse->piece[piece];
	return goal_turns(piece) * (at & CUBE_STATE3_PIECE) + (at >> CUBE_STATE3_TURN);
}

/* The entry of a state, of which the inverse is given: where each piece is. */
static inline uint32_t goal_entry(const struct goal_table *table, const struct cube_state3 *inverse)
{
	static const uint16_t power[CUBE_CORNERS] = {1, 3, 9, 27, 81, 243, 729, 2187};
	uint32_t entry = 0;
	if (table->kind == GOAL_PIECES)
		for (int i = 0; i < table->count; i++)
			entry = GOAL_TURNED * entry + goal_digit(inverse, table->piece[i]);
	else if (table->kind == GOAL_TWISTS)
		for (int i = CUBE_STATE3_CORNERS; i < CUBE_STATE3_CORNERS + CUBE_CORNERS; i++)
			entry += (uint32_t)(inverse->piece[i] >> CUBE_STATE3_TURN) *
				 power[inverse->piece[i] & CUBE_STATE3_PIECE];
	else
		for (int i = 0; i < CUBE_EDGES; i++)
			entry |= (uint32_t)(inverse->piece[i] >> CUBE_STATE3_TURN)
				 << (inverse->piece[i] & CUBE_STATE3_PIECE);
	return entry;
}

/* Chooses the tables that a target needs, the best first; returns how many, up to `room`. */
#define GOAL_TABLES_EACH 7 /* five groups of pieces, flips, twists */
size_t goal_tables_choose(const struct goal_target *target, struct goal_table *tables, size_t room);

/* A move as a table takes it. */
struct goal_cost_move {
	struct cube_state3 inverse;
	uint8_t cost;
};

/* Writes the distances to a target by these moves, among which are their inverses: GOAL_FAR where
 * they do not lead there. */
void goal_table_make(const struct goal_table *table, const struct goal_target *target,
		     const struct goal_cost_move *moves, size_t count, uint8_t *distance);

/* ---- goal.c ---- */

/* Targets that are the same but for a rotation under which the moves are the same share a base. With
 * NISS each target brings its inverse. */
#define GOAL_BASES_MAX (2 * GOAL_TARGETS_MAX)

struct goal_base {
	struct goal_target target;
	uint8_t tables;
	uint8_t table[GOAL_TABLES_EACH];
};

struct goal_root {
	uint16_t base;
	uint8_t rotation; /* the hold that makes the base's target of this one */
};

/* The cube as the tables take it: of size 3 with its centres home, of size 2 as it is held, its
 * edges home. Returns how it is held, 0 for size 2. */
int goal_state(struct cube_state3 *state, const struct cube *cube);

/* With the centres home. */
struct goal_state_move {
	struct cube_state3 inverse; /* the effect of the move on an inverse state */
	uint8_t hold;               /* which of the holds it leads to */
};

struct goal_holds {
	size_t count;
	uint8_t of[CUBE_HOLDS]; /* the holds that the moves lead to, at first that of the goal */
	struct goal_state_move move[CUBE_HOLDS][GOAL_MOVES3_MAX];
	/* By rotation, for a goal with one hold: which move looks like that one when the cube is
	 * turned as a whole. */
	bool alike[CUBE_HOLDS];
	uint8_t original[CUBE_HOLDS][GOAL_MOVES3_MAX];
};

struct cube_goal {
	const struct cube_query_node *query;
	size_t bytes;
	enum cube_solve_metric metric;
	int size, hold;
	bool niss;  /* turns may be made on the inverse, too */
	bool plain; /* all turns are tried; else: */
	size_t move_count;
	struct goal_move move[GOAL_MOVES_MAX];
	struct goal_holds holds;
	size_t root_count, base_count, table_count;
	struct goal_root root[GOAL_TARGETS_MAX];
	struct goal_root inverse_root[GOAL_TARGETS_MAX]; /* with NISS: of the inverse targets */
	struct goal_base base[GOAL_BASES_MAX];
	struct goal_table table[CUBE_GOAL_TABLES];
};

static inline const uint8_t *goal_distances(const struct cube_goal *goal, size_t table)
{
	return (const uint8_t *)goal + goal->table[table].offset;
}

/* The state after the cube is turned as a whole and its colours are renamed. */
void goal_turn_state(struct cube_state3 *state, const struct cube_state3 *rotation);

/* ---- search.c, niss.c ---- */

struct goal_search {
	const struct cube_goal *goal;
	const struct cube_solve_task *task;
	struct cube_solution *solution;
	int length; /* of the solutions looked for */
	uint64_t poll_nodes;
	bool stopped;
	bool enough; /* the caller wants no more of a list */

	/* With tables. */
	const struct goal_root *root; /* of goal->root */
	const struct goal_base *base;
	const uint8_t *original; /* the moves that look like those that are made */
	uint8_t path[CUBE_GOAL_LENGTH_MAX];

	/* With NISS: the turns of the other side, the one that has no tables. */
	uint8_t other[CUBE_GOAL_LENGTH_MAX];
	size_t other_count;
	bool swapped; /* the tables are of the inverse, the other side is the normal */
	/* The moves by their numbers, as they change the state of the other side. */
	struct cube_state3 forward[GOAL_MOVES3_MAX];
};

/* The cube as a root sees it. */
struct goal_view {
	struct cube_state3 inverse;
	int bound;
};

/* Returns true if the search ends; counts a position. */
bool goal_poll(struct goal_search *search);
/* No table says that the goal is farther than `left`. */
bool goal_is_near(const struct goal_search *search, const struct cube_state3 *inverse, int left);
/* All turns of exactly that length: with tables, and of the cube in task.work. True: found. */
bool goal_descend(struct goal_search *search, const struct cube_state3 *inverse, size_t hold,
		  int left, size_t depth);
bool goal_search_plain(struct goal_search *search, int left, size_t depth,
		       const struct goal_move *before);

/* Appends the other side's turns to the solution, which has those on the normal. */
void goal_niss_append(struct goal_search *search);
/* Writes the solution of which the side with tables has `depth` turns, and turns the cube in task.work. */
void goal_niss_write(struct goal_search *search, size_t depth);
/* A lower bound of all turns on both sides: 0, or CUBE_GOAL_NEVER for a root whose target wants
 * fewer flipped or twisted pieces, seen from any side, than there are, if no move changes that. Sets seen[].bound. */
int goal_niss_bound(const struct cube_goal *goal, struct goal_view seen[GOAL_TARGETS_MAX]);
/* All solutions of search->length in all; `seen` is of goal->root. True: found. */
bool goal_niss_search(struct goal_search *search, const struct goal_view seen[GOAL_TARGETS_MAX]);

#endif
