/* core/solve/fewest/stages.c: a solution as turns, and as the turns of its stages. */
#include "core/solve/fewest/search.h"

#include <assert.h>
#include <string.h>

/* ---- joining ---- */

static int append(uint8_t *moves, int count, const uint8_t *more, int more_count)
{
	for (int i = 0; i < more_count; i++) {
		moves[count] = more[i];
		count = moves_join_last(moves, count + 1);
	}
	return count;
}

static int append_inverse(uint8_t *moves, int count, const uint8_t *more, int more_count)
{
	while (more_count-- > 0) {
		moves[count] = (uint8_t)move_inverse(more[more_count]);
		count = moves_join_last(moves, count + 1);
	}
	return count;
}

int fewest_join(const struct fewest_side side[2], const uint8_t *rest, int rest_count,
		uint8_t moves[FEWEST_JOINED])
{
	int count = append(moves, 0, side[0].move, side[0].count);
	count = append(moves, count, rest, rest_count);
	return append_inverse(moves, count, side[1].move, side[1].count);
}

/* ---- htr and the finish ---- */

static bool is_pair(const uint8_t *moves, int first)
{
	return move_face(moves[first]) % 3 == move_face(moves[first + 1]) % 3 &&
	       move_is_half(moves[first]) != move_is_half(moves[first + 1]);
}

static void exchange(uint8_t *moves, int first)
{
	const uint8_t move = moves[first];
	moves[first] = moves[first + 1];
	moves[first + 1] = move;
}

/* Finds the longest run of half turns, of equal ones the last: the finish. The turns before it are htr on
 * the normal, those behind it on the inverse. A half turn on the other side of a quarter turn that it
 * commutes with is moved into the run. */
static void find_finish(uint8_t *moves, int count, int *begin, int *end)
{
	int best = -1;
	for (int first = 0, last; first <= count; first = last + 1) {
		int from = first, to;
		for (last = first; last < count && move_is_half(moves[last]);)
			last++;
		to = last;
		/* The quarter turns at either end. */
		if (first >= 2 && is_pair(moves, first - 2))
			from--;
		if (last + 1 < count && is_pair(moves, last))
			to++;
		if (to - from < best)
			continue;
		best = to - from;
		*begin = from;
		*end = to;
	}
	if (*begin > 0 && move_is_half(moves[*begin - 1]))
		exchange(moves, *begin - 1);
	if (*end < count && move_is_half(moves[*end]))
		exchange(moves, *end - 1);
}

/* ---- writing ---- */

/* The best solution, and what is written of it. */
struct writing {
	const struct fewest_search *search;
	struct cube_solution *solution;
	const uint8_t *home; /* moves of the frame as those of the cube with its centres home */
	size_t at;           /* of the next turn of a step */
	/* All so far on each side, merged. */
	uint8_t side[2][FEWEST_JOINED];
	int side_count[2];
};

static struct cube_turn turn_of(const struct writing *writing, int move)
{
	return held_turn(&writing->search->phases.held, writing->home[move]);
}

/* The axis of the frame's face, as the cube is held. */
static void write_axis(const struct writing *writing, int face, char axis[3])
{
	static const char names[CUBE_FACES / 2][3] = {"ud", "rl", "fb"};
	memcpy(axis, names[turn_of(writing, 3 * face).face % 3], sizeof(names[0]));
}

/* A step with these turns of the frame on each side. */
static void write_step(struct writing *writing, enum fewest_stage stage, int face,
		       const uint8_t *normal, int normal_count, const uint8_t *inverse,
		       int inverse_count)
{
	struct cube_solution *solution = writing->solution;
	struct cube_solve_step step = {.stage = (unsigned char)stage,
				       .count = (size_t)(normal_count + inverse_count),
				       .inverse = (size_t)inverse_count};
	const uint8_t *moves[2] = {normal, inverse};
	const int counts[2] = {normal_count, inverse_count};
	if (step.count == 0)
		return;
	if (face < CUBE_FACES)
		write_axis(writing, face, step.axis);
	for (int i = 0; i < 2; i++) {
		int *count = &writing->side_count[i];
		*count = append(writing->side[i], *count, moves[i], counts[i]);
		step.total += *count;
		for (int k = 0; k < counts[i]; k++) {
			assert(writing->at < solution->room);
			solution->turns[writing->at++] = turn_of(writing, moves[i][k]);
		}
	}
	if (stage == FEWEST_FINISH)
		step.total = solution->length;
	if (solution->step_count < solution->step_room)
		solution->steps[solution->step_count++] = step;
}

static void write_steps(struct writing *writing)
{
	const struct fewest_solution *best = &writing->search->best;
	const struct fewest_side *side = best->side;
	const int *dr = best->dr_begin;
	uint8_t rest[FEWEST_LONGEST], inverse[FEWEST_LONGEST];
	int begin = 0, end = 0;
	memcpy(rest, best->rest, sizeof(rest));
	find_finish(rest, best->rest_count, &begin, &end);
	const int after = append_inverse(inverse, 0, rest + end, best->rest_count - end);
	write_step(writing, FEWEST_EO, CUBE_F, side[0].move, dr[0], side[1].move, dr[1]);
	write_step(writing, FEWEST_DR, CUBE_U, side[0].move + dr[0], side[0].count - dr[0],
		   side[1].move + dr[1], side[1].count - dr[1]);
	write_step(writing, FEWEST_HTR, CUBE_FACES, rest, begin, inverse, after);
	write_step(writing, FEWEST_FINISH, CUBE_FACES, rest + begin, end - begin, NULL, 0);
}

void fewest_write(const struct fewest_search *search, struct cube_solution *solution)
{
	const struct fewest_solution *best = &search->best;
	const int symmetry = fewest_symmetry(best->frame);
	const struct symmetries *symmetries = &search->phases.phases->symmetries;
	struct writing writing = {.search = search,
				  .solution = solution,
				  .home = symmetries->move[symmetries->inverse[symmetry]]};
	uint8_t moves[FEWEST_JOINED];
	const int count = fewest_join(best->side, best->rest, best->rest_count, moves);
	assert(count == best->length && (size_t)count <= solution->room);
	for (int i = 0; i < count; i++)
		solution->turns[i] = turn_of(&writing, moves[i]);
	solution->count = solution->step_turns = writing.at = (size_t)count;
	solution->length = count;
	if (solution->steps)
		write_steps(&writing);
}
