/* core/solve/two_phase/search.h: one search of the two-phase method: the first phases of a cube, and
 * what completes them. two_phase.c says which cubes are searched, and how long. */
#ifndef CORE_SOLVE_TWO_PHASE_SEARCH_H
#define CORE_SOLVE_TWO_PHASE_SEARCH_H

#include "core/solve/two_phase/tables.h"

#define DIRECTIONS 6
#define LONGEST 30 /* phase 1 never needs more than 12, phase 2 than 18 */
#define SUFFIX 4   /* moves of B */

/* A cube to search: one of the six directions, perhaps with the last moves of its solution given.
 */
struct start {
	struct cube_state3 state;
	struct outside outside;
	uint64_t hash; /* of what is outside */
	uint8_t bound; /* of phase 1 */
	uint8_t direction;
	bool again; /* the same as an earlier direction */
	uint8_t suffix_count;
	uint8_t suffix[SUFFIX]; /* in the order in which they are turned */
};

struct phase_search {
	const struct phases *phases;
	const struct large_tables *large; /* or NULL */
	const struct cube_solve_task *task;
	struct held held;
	struct start start[DIRECTIONS];
	const struct start *now; /* the one being searched */
	int length_1;            /* of the first phases looked for */
	int longest_2;           /* of the second phases tried */
	int limit;               /* solutions must be no longer than that */
	uint64_t nodes, poll_at;
	bool stopped;              /* by the caller, or because what was found is enough */
	bool enough_shared;        /* another search has found a solution that is short enough */
	uint8_t move[LONGEST + 1]; /* the way from the root */
	uint8_t best[LONGEST];
	int best_length; /* -1: none */
};

/* Asks the caller, and the other searches, whether to go on: sets `stopped` and `limit`. */
void two_phase_poll(struct phase_search *search);

/* Counts a position; now and then it asks. False: the search ends. */
static inline bool two_phase_go_on(struct phase_search *search)
{
	if (++search->nodes >= search->poll_at)
		two_phase_poll(search);
	return !search->stopped;
}

/* Returns true if this search or another one has found what is short enough. */
static inline bool two_phase_is_enough(const struct phase_search *search)
{
	return search->enough_shared ||
	       (search->best_length >= 0 && search->best_length <= search->task->length_enough);
}

/* Finds a shortest second phase, of at most `most` moves, for a state in the domino group, and writes it
 * to search->move after the first `at` moves; its first move is of another face than the last of these.
 * Returns the number of moves written, or -1 if no second phase is that short or the search was stopped. */
int two_phase_finish(struct phase_search *search, const struct cube_state3 *state, int at,
		     int most);

/* Looks for solutions whose first phase is `length` moves from the start, and keeps the best. */
void two_phase_search(struct phase_search *search, const struct start *start, int length);

/* A solution of that length was kept: only shorter ones are looked for. */
void two_phase_keep(struct phase_search *search, int length);

/* The first `length` moves of the way solve the cube that is searched: they are the best now. */
void two_phase_found(struct phase_search *search, int length);

#endif
