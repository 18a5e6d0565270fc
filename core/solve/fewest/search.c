/* core/solve/fewest/search.c: the stages eo and dr, and what follows them. search.h has the idea. */
#include "core/solve/fewest/search.h"

#include <string.h>

/* ---- a stage ---- */

/* Ends: a last turn that the next stage does not have. */
struct stage {
	enum fewest_stage stage;
	uint32_t moves, ends;
};

static const struct stage stages[] = {
	{FEWEST_EO, FEWEST_ALL_MOVES, 0x28140}, /* F F' B B' */
	{FEWEST_DR, FEWEST_EO_MOVES, 0x05028},  /* R R' L L' */
};

/* Coordinates of a state in its stage: flip; or twist and slice. */
struct at {
	uint16_t first, second;
};

/* A search for all turns of one stage and length. */
struct stage_search {
	struct fewest_search *search;
	const struct stage *stage;
	bool swapped;             /* the side that is tried is the normal one */
	int left;                 /* turns of the other side */
	struct cube_state3 state; /* as the other side sees it: tried', S; swapped: tried', S' */
	void (*reached)(struct fewest_search *search, const struct cube_state3 *state);
};

static struct at at_of(const struct stage *stage, const struct cube_state3 *state)
{
	if (stage->stage == FEWEST_EO)
		return (struct at){.first = (uint16_t)coordinate_flip.of(state)};
	return (struct at){(uint16_t)coordinate_twist.of(state),
			   (uint16_t)coordinate_slice.of(state)};
}

static inline struct at at_after(const struct stage_search *in, struct at at, int move)
{
	const struct phases *phases = in->search->phases.phases;
	if (in->stage->stage == FEWEST_EO)
		return (struct at){.first = phases->flip_move[at.first][move]};
	return (struct at){phases->twist_move[at.first][move], phases->slice_move[at.second][move]};
}

static inline int at_distance(const struct stage_search *in, struct at at)
{
	const struct fewest_tables *tables = in->search->tables;
	return in->stage->stage == FEWEST_EO ? tables->eo[at.first]
					     : tables->dr[at.first][at.second];
}

/* ---- turns of a side ---- */

/* Faces that the next turn may not have: those of the run of one axis that it would be merged with, and
 * of opposite ones within a stage the one that comes first. */
static bool may_follow(const struct fewest_side *side, int move)
{
	const int face = move_face(move);
	if (side->count == 0)
		return true;
	if (side->faces[side->count - 1] >> face & 1)
		return false;
	return side->count == side->begin ||
	       face_follows(face, move_face(side->move[side->count - 1]));
}

static void push(struct fewest_side *side, int move)
{
	const int face = move_face(move), count = side->count++;
	uint8_t run = 0;
	if (count > 0 && move_face(side->move[count - 1]) % 3 == face % 3)
		run = side->faces[count - 1];
	side->move[count] = (uint8_t)move;
	side->faces[count] = (uint8_t)(run | 1 << face);
}

/* Returns true if nothing at the end of the side's turns belongs to the next stage: its last turn,
 * and the one before it if both commute. */
static bool ends_well(const struct fewest_side *side, uint32_t ends)
{
	const int count = side->count - side->begin;
	if (count == 0)
		return true;
	const uint8_t *last = &side->move[side->count - 1];
	if (!(ends >> last[0] & 1))
		return false;
	return count == 1 || move_face(last[-1]) % 3 != move_face(last[0]) % 3 ||
	       (ends >> last[-1] & 1);
}

/* ---- the search of a stage ---- */

/* The stage is reached by `state`, tried' S, and then the other side's turns. */
static void reach(struct stage_search *in)
{
	struct fewest_search *search = in->search;
	const struct fewest_side *side = &search->side[in->swapped];
	struct cube_state3 state = in->state;
	cube_state3_apply(&state, search->phases.phases->moves, side->move + side->begin,
			  (size_t)in->left);
	if (in->swapped)
		cube_state3_invert(&state, &state);
	in->reached(search, &state);
}

/* The other side: `left` more turns, all that the table does not exclude. */
static void look_up(struct stage_search *in, struct at at, int left)
{
	struct fewest_side *side = &in->search->side[in->swapped];
	uint32_t moves = left == 1 ? in->stage->ends : in->stage->moves;
	if (left == 0) {
		if (ends_well(side, in->stage->ends))
			reach(in);
		return;
	}
	if (!two_phase_go_on(&in->search->phases))
		return;
	for (; moves != 0 && !in->search->phases.stopped; moves &= moves - 1) {
		const int move = __builtin_ctz(moves);
		if (!may_follow(side, move))
			continue;
		const struct at next = at_after(in, at, move);
		if (at_distance(in, next) >= left)
			continue;
		push(side, move);
		look_up(in, next, left - 1);
		side->count--;
	}
}

/* The side that is tried: `left` more turns. */
static void try_words(struct stage_search *in, int left)
{
	struct fewest_side *side = &in->search->side[!in->swapped];
	const struct cube_state3 before = in->state;
	uint32_t moves = left == 1 ? in->stage->ends : in->stage->moves;
	if (left == 0) {
		if (!ends_well(side, in->stage->ends) || !two_phase_go_on(&in->search->phases))
			return;
		const struct at at = at_of(in->stage, &in->state);
		if (at_distance(in, at) <= in->left)
			look_up(in, at, in->left);
		return;
	}
	for (; moves != 0 && !in->search->phases.stopped; moves &= moves - 1) {
		const int move = __builtin_ctz(moves);
		if (!may_follow(side, move))
			continue;
		push(side, move);
		cube_state3_compose(&in->state,
				    &in->search->phases.phases->moves[move_inverse(move)], &before);
		try_words(in, left - 1);
		side->count--;
	}
	in->state = before;
}

/* All turns on both sides that are `length` in all, the shorter side up to `tried`. */
static void search_stage(struct fewest_search *search, const struct stage *stage,
			 const struct cube_state3 *state, int length, int tried,
			 void (*reached)(struct fewest_search *, const struct cube_state3 *))
{
	struct stage_search in = {.search = search, .stage = stage, .reached = reached};
	struct cube_state3 inverse;
	cube_state3_invert(&inverse, state);
	for (int i = 0; i < 2; i++)
		search->side[i].begin = search->side[i].count;
	for (int count = 0; 2 * count <= length && count <= tried; count++)
		for (int swapped = 0; swapped < 2; swapped++) {
			if (search->phases.stopped || (swapped && 2 * count == length))
				continue;
			in.swapped = swapped;
			in.left = length - count;
			in.state = swapped ? inverse : *state;
			try_words(&in, count);
		}
}

/* ---- what follows ---- */

static int turns_so_far(const struct fewest_search *search)
{
	return search->side[0].count + search->side[1].count;
}

/* Keeps what was found, the `count` turns of two_phase's way behind dr. */
static void keep(struct fewest_search *search, int count)
{
	struct phase_search *phases = &search->phases;
	uint8_t moves[FEWEST_JOINED];
	const int length = fewest_join(search->side, phases->move, count, moves);
	if (length > phases->limit)
		return;
	struct fewest_solution *best = &search->best;
	best->frame = search->frame;
	memcpy(best->side, search->side, sizeof(best->side));
	memcpy(best->dr_begin, search->dr_begin, sizeof(best->dr_begin));
	memcpy(best->rest, phases->move, (size_t)count);
	best->rest_count = count;
	best->length = length;
	two_phase_keep(phases, length);
}

/* The first solution that is found: htr and the finish by their tables, a shortest way each. */
static void finish_by_tables(struct fewest_search *search, const struct cube_state3 *state)
{
	struct phase_search *phases = &search->phases;
	struct cube_state3 now = *state, next;
	uint32_t moves = FEWEST_DR_MOVES;
	int (*distance)(const struct fewest_tables *, const struct cube_state3 *) = fewest_htr;
	int count = 0, left = fewest_htr(search->tables, &now);
	while (count < LONGEST) {
		if (left == 0 && moves == FEWEST_HALF_MOVES)
			break;
		if (left == 0) {
			moves = FEWEST_HALF_MOVES;
			distance = fewest_finish;
			left = fewest_finish(search->tables, &now);
			continue;
		}
		uint32_t may = moves;
		int move;
		do {
			move = __builtin_ctz(may);
			may &= may - 1;
			cube_state3_compose(&next, &now, &phases->phases->moves[move]);
		} while (distance(search->tables, &next) >= left);
		now = next;
		phases->move[count++] = (uint8_t)move;
		left--;
	}
	if (left == 0)
		keep(search, count);
}

static void dr_reached(struct fewest_search *search, const struct cube_state3 *state)
{
	struct phase_search *phases = &search->phases;
	int most = phases->limit - turns_so_far(search);
	if (phases->best_length < 0 && most > search->effort.finish)
		finish_by_tables(search, state);
	most = most > search->effort.finish ? search->effort.finish : most;
	const int count = two_phase_finish(phases, state, 0, most);
	if (count >= 0)
		keep(search, count);
}

static void eo_reached(struct fewest_search *search, const struct cube_state3 *state)
{
	const struct cube_solve_task *task = search->phases.task;
	const unsigned unit = search->eo_number++ % FEWEST_UNITS;
	const int open = search->effort.open, to = search->round - search->eo_length;
	const int begin[2] = {search->side[0].begin, search->side[1].begin};
	if (search->effort.divided && task->step > 0 && unit % task->step != task->unit)
		return;
	for (int i = 0; i < 2; i++)
		search->dr_begin[i] = search->side[i].count;
	for (int length = to == open ? 0 : to; length <= to; length++)
		if (search->eo_length + length <= search->phases.limit)
			search_stage(search, &stages[FEWEST_DR], state, length,
				     search->effort.tried, dr_reached);
	for (int i = 0; i < 2; i++)
		search->side[i].begin = begin[i];
}

void fewest_round(struct fewest_search *search, const struct cube_state3 *state)
{
	const struct fewest_effort *effort = &search->effort;
	const int most = search->round - effort->open;
	search->phases.length_1 = search->round;
	for (int length = 0; length <= most && length <= effort->eo; length++) {
		search->eo_length = length;
		search->eo_number = 0;
		search->side[0].count = search->side[1].count = 0;
		search_stage(search, &stages[FEWEST_EO], state, length, length, eo_reached);
	}
}
