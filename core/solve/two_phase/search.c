/* core/solve/two_phase/search.c: phase 1 and phase 2. */
#include "core/solve/two_phase/search.h"

#include <string.h>

#include "core/solve/common/poll.h"

#define POLL_NODES 128
#define QUARTERS 0x9249u /* the first turn of each face, by its bit */

/* ---- when to stop ---- */

void two_phase_poll(struct phase_search *search)
{
	search->poll_at = search->nodes + POLL_NODES;
	search->enough_shared = poll_shared(search->task, &search->limit);
	search->stopped =
		search->stopped || search->enough_shared ||
		poll_stopped(search->task, search->nodes, search->length_1, search->best_length);
}

/* ---- phase 2 ---- */

void two_phase_keep(struct phase_search *search, int length)
{
	search->best_length = length;
	search->limit = length - 1;
	search->stopped |= length <= search->task->length_enough;
	poll_share(search->task, length);
}

void two_phase_found(struct phase_search *search, int length)
{
	const struct symmetries *symmetries = &search->phases->symmetries;
	int direction = search->now->direction;
	uint8_t path[LONGEST + 1]; /* a copy: the search continues with the original */
	memcpy(path, search->move, (size_t)length);
	for (int i = 0; i < search->now->suffix_count; i++) {
		path[length++] = search->now->suffix[i];
		length = moves_join_last(path, length);
	}
	int back = symmetries->inverse[SYMMETRIES_UD * (direction / 2)];
	for (int i = 0; i < length; i++) {
		int move = symmetries->move[back][path[i]];
		if (direction % 2 == 0)
			search->best[i] = (uint8_t)move;
		else
			search->best[length - 1 - i] = (uint8_t)move_inverse(move);
	}
	two_phase_keep(search, length);
}

/* Returns those of `moves` that may lead to within `most` moves of the solved state. */
static uint32_t moves_near_2(const struct phases *phases, const struct inside next[MOVES_2],
			     uint32_t moves, int most)
{
	uint64_t hash[MOVES_2];
	uint32_t good = 0;
	for (uint32_t rest = moves; rest != 0; rest &= rest - 1) {
		int m = __builtin_ctz(rest);
		hash[m] = phase2_hash(phases, next[m]);
		phase2_expect(phases, hash[m]);
	}
	for (; moves != 0; moves &= moves - 1) {
		int m = __builtin_ctz(moves);
		good |= (uint32_t)phase2_near(phases, hash[m], most) << m;
	}
	return good;
}

/* Returns true if `left` moves of phase 2 solve it; they are then behind the first `at`. All moves
 * are looked at before the first is tried, so that the processor need not wait for one after the
 * other. */
static bool phase2(struct phase_search *search, struct inside inside, int at, int left)
{
	const struct phases *phases = search->phases;
	struct inside next[MOVES_2];
	uint32_t good = 0;
	if (left == 0)
		return inside_solved(inside);
	if (!two_phase_go_on(search))
		return false;
	for (uint32_t m = 0; m < MOVES_2; m++)
		next[m] = phase2_after(phases, inside, m);
	for (uint32_t m = 0; m < MOVES_2; m++)
		good |= (uint32_t)(left <= NEAR_2 || phase2_bound(phases, next[m]) < left) << m;
	good &= phases->follow_2[at > 0 ? move_face(search->move[at - 1]) : CUBE_FACES];
	if (left <= NEAR_2 + 1)
		good = moves_near_2(phases, next, good, left - 1);
	for (; good != 0; good &= good - 1) {
		int m = __builtin_ctz(good);
		search->move[at] = phase2_moves[m];
		if (phase2(search, next[m], at + 1, left - 1))
			return true;
	}
	return false;
}

int two_phase_finish(struct phase_search *search, const struct cube_state3 *state, int at, int most)
{
	const struct phases *phases = search->phases;
	uint32_t edges = coordinate_edges.of(state);
	const struct inside inside = {.corners = phases->corner_class[coordinate_corners.of(state)],
				      .edges = phases->edge_class[edges],
				      .spread = (uint16_t)coordinate_spread.of(state)};
	int left = phase2_bound(phases, inside);
	if (search->large && left <= most) {
		int bound = large_bound_2(search->large, inside.corners, edges);
		left = bound > left ? bound : left;
	}
	const uint64_t hash = phase2_hash(phases, inside);
	for (; left <= most && left <= NEAR_2 && !phase2_near(phases, hash, left); left++)
		continue;
	for (; left <= most && !search->stopped; left++)
		if (phase2(search, inside, at, left))
			return left;
	return -1;
}

/* Tries to complete a first phase. */
static void complete(struct phase_search *search)
{
	struct cube_state3 state = search->now->state;
	int length = search->length_1, most = search->limit - length - search->now->suffix_count;
	most = most > search->longest_2 ? search->longest_2 : most;
	cube_state3_apply(&state, search->phases->moves, search->move, (size_t)length);
	const int left = two_phase_finish(search, &state, length, most);
	if (left >= 0)
		two_phase_found(search, length + left);
}

/* ---- phase 1 ---- */

/* The moves, of those that may be done, that lead into what `left - 1` more may come home from:
 * from outside the table of what is near, and from within it. There a face is left after its first
 * move to somewhere farther away, since its other ones are but one move from there. */
static uint32_t moves_far(const struct phase_search *search, struct outside outside, uint32_t may,
			  int left)
{
	const struct phases *phases = search->phases;
	uint32_t good = 0;
	if (left > NEAR_1 + 1 && !search->large)
		return may;
	for (uint32_t rest = may; rest != 0; rest &= rest - 1) {
		int m = __builtin_ctz(rest);
		struct outside next = phase1_after(phases, outside, m);
		bool is = left > NEAR_1 + 1 ? large_distance_1(search->large, next) < left
					    : phase1_within(phases, phase1_hash(phases, next));
		good |= (uint32_t)is << m;
	}
	return good;
}

/* The same from within the table. Where a turn leads farther away than `left`, the face's others, one
 * move from there, lead to no less than `left`. */
static uint32_t moves_near(const struct phase_search *search, struct outside outside, uint32_t may,
			   int left)
{
	const struct phases *phases = search->phases;
	uint32_t good = 0, now = may & QUARTERS;
	while (now != 0) {
		uint64_t hash[MOVES];
		uint32_t then = 0;
		for (uint32_t rest = now; rest != 0; rest &= rest - 1) {
			int m = __builtin_ctz(rest);
			hash[m] = phase1_hash(phases, phase1_after(phases, outside, m));
			phase1_expect(phases, hash[m]);
		}
		for (; now != 0; now &= now - 1) {
			int m = __builtin_ctz(now);
			int bound = phase1_nearer(phases, hash[m]);
			bool close = bound <= left && phase1_within(phases, hash[m]);
			good |= (uint32_t)(close && bound < left) << m;
			if (close && m % 3 == 0)
				then |= 6u << m;
		}
		now = then;
	}
	return good;
}

/* All ways into the group by `left` more moves behind the first ones. From within the group a way
 * out and back has five moves at least; shorter ones would stay inside, which is phase 2's. */
static void phase1(struct phase_search *search, struct outside outside, int left)
{
	const struct phases *phases = search->phases;
	const int at = search->length_1 - left;
	bool home = outside_home(outside);
	if (left == 0 && home)
		complete(search);
	if (left == 0 || (home && at > 0 && left < 5))
		return;
	if (!two_phase_go_on(search) ||
	    search->length_1 + search->now->suffix_count > search->limit)
		return;
	uint32_t may = phases->follow[at > 0 ? move_face(search->move[at - 1]) : CUBE_FACES];
	may = (left > NEAR_1 ? moves_far : moves_near)(search, outside, may, left);
	for (; may != 0; may &= may - 1) {
		int m = __builtin_ctz(may);
		search->move[at] = (uint8_t)m;
		phase1(search, phase1_after(phases, outside, m), left - 1);
	}
}

void two_phase_search(struct phase_search *search, const struct start *start, int length)
{
	search->now = start;
	search->length_1 = length;
	if (start->bound <= length)
		phase1(search, start->outside, length);
}
