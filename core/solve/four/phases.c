/* core/solve/four/phases.c: phases 1 and 2 of the 4x4x4: many ways to where only phase 3 is left.
 *
 * A centre's way is in tables (centers.h), so that hardly a move is tried in vain. That the
 * wings are apart by their sides is not: of 24!/(12! 12!) = 2,704,156 ways to be on side 0, 4,096
 * take one of each pair, and half of these an even number from the other side; so one end of phase
 * 2 in 1,320 will do. Tens of thousands of ends are met in a millisecond. */
#include <string.h>

#include "core/permutation.h"
#include "core/solve/common/poll.h"
#include "core/solve/four/four_internal.h"

#define POLL_NODES 256
#define EXTRA 1     /* further ways are as long as the best one and its phase 3, and this */
#define LIKELY_3 10 /* moves of phase 3: states that seem nearer seldom are */
#define LEAST_CANDIDATES 8
#define LEAST_2 5 /* moves that phase 2 is given, but after an empty phase 1: fewer seldom do */

bool four_go_on(struct four_search *search)
{
	if (++search->nodes < search->poll_at)
		return !search->stopped;
	search->poll_at = search->nodes + POLL_NODES;
	search->stopped = poll_stopped(search->task, search->nodes, search->depth, search->best);
	return !search->stopped;
}

static inline bool phases_done(const struct four_search *search)
{
	return search->stopped ||
	       (search->nodes >= search->nodes_end && search->candidates >= LEAST_CANDIDATES);
}

/* Returns true if, after a move, one wing of each pair is on side 0, and an even number of these
 * belongs to that side. */
static bool wings_apart(const struct four_search *search, const uint8_t *wing, int move)
{
	const uint8_t *from = search->tables->moves.wing_from[move];
	uint32_t seen = 0, crossed = 0;
	for (int place = 0; place < FOUR_WINGS; place += 2) {
		uint8_t piece = wing[from[place]];
		seen |= UINT32_C(1) << piece / 2;
		crossed ^= piece;
	}
	return seen == (1u << FOUR_EDGES) - 1 && crossed % 2 == 0;
}

/* Puts a candidate where it belongs by its rank, if there is room before worse ones. */
static void keep_candidate(struct four_search *search, const struct four_candidate *candidate)
{
	size_t at = search->candidates;
	if (at == 0 || search->least > candidate->bound)
		search->least = candidate->bound;
	if (at == FOUR_CANDIDATES && search->candidate[--at].rank <= candidate->rank)
		return;
	for (; at > 0 && search->candidate[at - 1].rank > candidate->rank; at--)
		search->candidate[at] = search->candidate[at - 1];
	search->candidate[at] = *candidate;
	search->candidates += search->candidates < FOUR_CANDIDATES;
}

/* The way is at the end of phase 2. */
static void end_phase2(struct four_search *search)
{
	const struct four_centers *centers = &search->tables->centers;
	struct four state = search->start[search->frame];
	struct four_candidate candidate = {.length = (uint8_t)(search->length_1 + search->length_2),
					   .length_1 = (uint8_t)search->length_1,
					   .frame = (uint8_t)search->frame};
	uint8_t side[FOUR_EDGES];
	memcpy(candidate.path, search->path, candidate.length);
	for (int i = 0; i < candidate.length; i++) {
		struct four before = state;
		four_apply(&search->tables->moves, &state, &before, search->path[i]);
	}
	if (!four_pairs_of(&state, candidate.pair))
		return;
	for (int edge = 0; edge < FOUR_EDGES; edge++)
		side[edge] = state.wing[2 * edge] / 2;
	/* The cube may be held so that two axes have changed places; then corners and edges
	 * are not as even, and the colours go the other way round an axis. */
	bool axes_odd = state.center[0] % 3 != (search->pair + 1) % 3;
	for (int axis = 0; axis < FOUR_AXES; axis++)
		candidate.ends[axis] = (uint8_t)four_ends(centers, &state, axis);
	if (axes_odd)
		candidate.ends[0] = (uint8_t)(FOUR_ENDS - 1 - candidate.ends[0]);
	candidate.odd =
		cube_permutation_is_odd(side, FOUR_EDGES) != (state.corners_odd != axes_odd);
	int a = four_distance_3(centers, candidate.ends, candidate.odd);
	int b = four_pairs_distance(four_pairs_at(&search->tables->pairs, candidate.pair),
				    candidate.odd);
	a = a > b ? a : b;
	candidate.bound = (uint8_t)(candidate.length + a);
	candidate.rank = (uint8_t)(candidate.length + (a > LIKELY_3 ? a : LIKELY_3));
	keep_candidate(search, &candidate);
}

/* All ways from here in `left` moves. The last one is one that phase 3 has not. */
static void phase2(struct four_search *search, const uint8_t *wing, uint32_t belt, uint32_t ends,
		   bool odd, int left)
{
	const struct four_centers *centers = &search->tables->centers;
	const int at = search->length_1 + search->length_2 - left;
	const int before = at > 0 ? four_block(search->path[at - 1]) : FOUR_NONE;
	for (int m = 0; m < FOUR_MOVES_2; m++) {
		int move = four_moves_2[m], block = four_block(move);
		bool leaves = four_axis(block) == 2 && !four_is_half(move);
		if ((left == 1 && !leaves) || !four_follows(block, before))
			continue;
		uint32_t belt_then = centers->belt_move[belt][m];
		uint32_t ends_then = centers->ends_move[ends][m];
		bool odd_then = odd != (leaves && four_is_wide(move));
		if (centers->distance_2[belt_then][ends_then][odd_then] >= left)
			continue;
		if (!four_go_on(search) || phases_done(search))
			return;
		search->path[at] = (uint8_t)move;
		if (left > 1) {
			uint8_t then[FOUR_WINGS];
			const uint8_t *from = search->tables->moves.wing_from[move];
			for (int place = 0; place < FOUR_WINGS; place++)
				then[place] = wing[from[place]];
			phase2(search, then, belt_then, ends_then, odd_then, left - 1);
		} else if (wings_apart(search, wing, move)) {
			end_phase2(search);
		}
	}
}

/* The way is at the end of phase 1. */
static void begin_phase2(struct four_search *search)
{
	const struct four_centers *centers = &search->tables->centers;
	struct four state = search->start[search->frame];
	bool odd = search->wings_odd;
	for (int i = 0; i < search->length_1; i++) {
		struct four before = state;
		four_apply(&search->tables->moves, &state, &before, search->path[i]);
		odd ^= four_is_wide(search->path[i]) && !four_is_half(search->path[i]);
	}
	uint32_t belt = four_belt(centers, &state, (search->pair + 1) % 3);
	uint32_t ends = four_ends(centers, &state, 2);
	if (centers->distance_2[belt][ends][odd] > search->length_2)
		return;
	if (search->length_2 > 0)
		phase2(search, state.wing, belt, ends, odd, search->length_2);
	else if (four_pairs_of(&state, state.center)) /* overwritten: it is not needed */
		end_phase2(search);
}

/* All ways from here in `left` moves. The last one is one that phase 2 has not. */
static void phase1(struct four_search *search, uint32_t set, int left)
{
	const struct four_centers *centers = &search->tables->centers;
	const int at = search->length_1 - left;
	const int before = at > 0 ? four_block(search->path[at - 1]) : FOUR_NONE;
	if (left == 0) {
		begin_phase2(search);
		return;
	}
	for (int move = 0; move < FOUR_MOVES; move++) {
		int block = four_block(move);
		bool leaves = four_is_wide(move) && four_axis(block) != 2 && !four_is_half(move);
		if ((left == 1 && !leaves) || !four_follows(block, before))
			continue;
		uint32_t then = four_set_after(centers, set, move);
		if (four_distance_1(centers, then) >= left)
			continue;
		if (!four_go_on(search) || phases_done(search))
			return;
		search->path[at] = (uint8_t)move;
		phase1(search, then, left - 1);
	}
}

void four_find_candidates(struct four_search *search)
{
	for (int length = 0; length <= FOUR_LONGEST_12 && !phases_done(search); length++) {
		if (search->candidates > 0 && search->least + EXTRA < length)
			return;
		search->depth = length;
		int most = length > LEAST_2 ? length - LEAST_2 : 0;
		for (search->length_1 = 0; search->length_1 <= most; search->length_1++) {
			search->length_2 = length - search->length_1;
			for (int i = 0; i < FOUR_FRAMES * FOUR_AXES; i++) {
				search->frame = i / FOUR_AXES;
				search->pair = i % FOUR_AXES;
				const struct four *start = &search->start[search->frame];
				uint32_t set = four_centers_set(start, search->pair);
				if (four_distance_1(&search->tables->centers, set) <=
				    search->length_1)
					phase1(search, set, search->length_1);
			}
		}
	}
}
