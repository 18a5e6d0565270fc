/* algorithm/simplify.c: shortening a flat sequence of turns.
 *
 * Turns about one axis commute, and what a run of them does is how far each of the n layers
 * is turned, in quarter turns modulo 4. Let d(g), for the gaps g = 0..n before, between and behind
 * the layers, be the step from layer g to layer g+1, with 0 outside the cube. A block of the layers
 * i+1..j by q adds q at gap i and -q at gap j: it is an edge between two gaps. Blocks that together
 * have the steps d fall into connected parts; in each the steps add up to 0, and a part of k gaps
 * takes k - 1 blocks at least, and no more are needed. So the fewest blocks are
 *
 *     gaps where d is not 0  -  the most groups of sum 0 into which these can be divided.
 *
 * Groups that cannot be divided are {1,3} {2,2} {1,1,2} {3,3,2} {1,1,1,1} {3,3,3,3}. Taking as many
 * {1,3} and {2,2} as there are is best: if a 1 and a 3 were in two different groups, these two gaps
 * as one group and the rest of both as another would be at least as many groups (the rest has sum 0
 * and is not empty); the same holds for two 2s. Then only 1s or only 3s are left, and at most one
 * 2, which takes two of them; the others go by fours.
 *
 * Pairs are made like brackets, each with the nearest that is free: so blocks do not cross. */
#include "cube/algorithm.h"

#include <string.h>

#define GAPS_MAX (CUBE_SIZE_MAX + 1)

struct simplifier {
	int size;
	/* The position in the run of the block of layers low..high, plus 1; all 0 between two runs.
	 * Layer 0 is the outermost at the positive face. */
	uint16_t place[CUBE_SIZE_MAX][CUBE_SIZE_MAX];
	uint8_t steps[GAPS_MAX]; /* d, as seen from the positive face */
};

static const uint8_t positive_faces[3] = {CUBE_R, CUBE_U, CUBE_F};
static const uint8_t axis_of_face[CUBE_FACES] = {1, 0, 2, 1, 0, 2};

/* A block counted from the positive face of its axis. */
struct block {
	int low, high; /* layers, 0 the outermost */
	int quarters;  /* 0..3 */
};

static struct block block_of(int size, struct cube_turn turn)
{
	if (turn.face < CUBE_D)
		return (struct block){turn.from - 1, turn.to - 1, turn.quarters & 3};
	return (struct block){size - turn.to, size - turn.from, -turn.quarters & 3};
}

/* The natural way to write a block: counted from the nearer face. */
static struct cube_turn turn_of(int size, int axis, struct block block)
{
	int face = positive_faces[axis], before = block.low, behind = size - 1 - block.high;
	int forward = block.quarters, backward = (4 - forward) % 4;
	bool middle = block.low == block.high, inner = before == 1 && size > 3;
	if (before == behind && before > 0 && (middle || inner)) {
		/* M E S m e s turn like L D F; layers in the middle count alike from both faces. */
		bool same = face == CUBE_F;
		struct cube_turn turn = cube_turn_make(size, same ? face : face + 3, before + 1,
						       block.high + 1, same ? forward : backward);
		turn.style = middle ? CUBE_STYLE_MIDDLE : CUBE_STYLE_INNER;
		return turn;
	}
	if (before <= behind)
		return cube_turn_make(size, face, before + 1, block.high + 1, forward);
	return cube_turn_make(size, face + 3, behind + 1, size - before, backward);
}

/* Joins turns of the same layers, the first one's name kept, and drops what does nothing. */
static size_t merge_equal(struct simplifier *s, struct cube_turn *run, size_t count)
{
	size_t kept = 0, left = 0;
	for (size_t i = 0; i < count; i++) {
		struct block block = block_of(s->size, run[i]);
		uint16_t *place = &s->place[block.low][block.high];
		if (*place == 0) {
			*place = (uint16_t)(kept + 1);
			run[kept++] = run[i];
			continue;
		}
		struct cube_turn *first = &run[*place - 1];
		bool opposite = (first->face < CUBE_D) != (run[i].face < CUBE_D);
		int sum = first->quarters + (opposite ? -run[i].quarters : run[i].quarters);
		first->quarters = cube_quarters(sum & 3);
	}
	for (size_t i = 0; i < kept; i++) {
		struct block block = block_of(s->size, run[i]);
		s->place[block.low][block.high] = 0;
		if (run[i].quarters != 0)
			run[left++] = run[i];
	}
	return left;
}

/* Gaps with a step, sorted into groups of sum 0. */
struct gaps {
	uint8_t at[GAPS_MAX], step[GAPS_MAX], group[GAPS_MAX]; /* in order of place */
	int count, groups;
};

/* Pairs 1 with 3 and 2 with 2; returns what is left over, in order. */
static int pair_gaps(struct gaps *gaps, uint8_t left[GAPS_MAX])
{
	int open = 0, two = -1;
	for (int i = 0; i < gaps->count; i++) {
		if (gaps->step[i] == 2) {
			if (two >= 0)
				gaps->group[i] = gaps->group[two] = (uint8_t)gaps->groups++;
			two = two >= 0 ? -1 : i;
		} else if (open > 0 && gaps->step[left[open - 1]] != gaps->step[i]) {
			gaps->group[i] = gaps->group[left[--open]] = (uint8_t)gaps->groups++;
		} else {
			left[open++] = (uint8_t)i;
		}
	}
	if (two < 0)
		return open;
	/* The sum of all is 0, so there are two more to go with it. */
	gaps->group[two] = (uint8_t)gaps->groups;
	for (int i = 0; i < 2; i++)
		gaps->group[left[--open]] = (uint8_t)gaps->groups;
	gaps->groups++;
	return open;
}

static void find_gaps(const struct simplifier *s, struct gaps *gaps)
{
	uint8_t left[GAPS_MAX];
	gaps->count = gaps->groups = 0;
	for (int g = 0; g <= s->size; g++) {
		if (s->steps[g] % 4 == 0)
			continue;
		gaps->at[gaps->count] = (uint8_t)g;
		gaps->step[gaps->count++] = s->steps[g] % 4;
	}
	int open = pair_gaps(gaps, left);
	for (int i = 0; i < open; i++)
		gaps->group[left[i]] = (uint8_t)(gaps->groups + i / 4);
	gaps->groups += open / 4;
}

/* Writes the blocks between the gaps of each group, in order of their ends. */
static size_t write_blocks(int size, int axis, const struct gaps *gaps, struct cube_turn *run)
{
	/* By group: its last gap, and the sum of its steps so far. */
	uint8_t last[GAPS_MAX], quarters[GAPS_MAX] = {0};
	size_t count = 0;
	for (int i = 0; i < gaps->count; i++) {
		int group = gaps->group[i];
		if (quarters[group] != 0) {
			struct block block = {last[group], gaps->at[i] - 1, quarters[group]};
			run[count++] = turn_of(size, axis, block);
		}
		quarters[group] = (quarters[group] + gaps->step[i]) & 3;
		last[group] = gaps->at[i];
	}
	return count;
}

/* Shortens a run of turns about one axis and returns its new length. */
static size_t simplify_run(struct simplifier *s, struct cube_turn *run, size_t count)
{
	count = merge_equal(s, run, count);
	if (count < 2)
		return count;
	memset(s->steps, 0, sizeof(s->steps));
	for (size_t i = 0; i < count; i++) {
		struct block block = block_of(s->size, run[i]);
		s->steps[block.low] = (uint8_t)(s->steps[block.low] + block.quarters);
		s->steps[block.high + 1] = (uint8_t)(s->steps[block.high + 1] - block.quarters);
	}
	struct gaps gaps;
	find_gaps(s, &gaps);
	if ((size_t)(gaps.count - gaps.groups) < count)
		count = write_blocks(s->size, axis_of_face[run[0].face], &gaps, run);
	return count;
}

size_t cube_turns_simplify(int size, struct cube_turn *turns, size_t count)
{
	struct simplifier s;
	s.size = size;
	for (int layer = 0; layer < size; layer++)
		memset(s.place[layer], 0, (size_t)size * sizeof(s.place[layer][0]));
	/* turns[0..done) is finished but for its last run, start..done. Every finished run is as
	 * short as it gets, and of another axis than its neighbours. */
	size_t done = 0, start = 0;
	for (size_t i = 0; i < count; i++) {
		struct cube_turn turn = turns[i];
		int axis = axis_of_face[turn.face];
		if (done > start && axis_of_face[turns[start].face] != axis) {
			done = start + simplify_run(&s, turns + start, done - start);
			bool vanished = done == start;
			start = done;
			/* The run before it may go on then. */
			while (vanished && start > 0 && axis_of_face[turns[start - 1].face] == axis)
				start--;
		}
		turns[done++] = turn;
	}
	return start + simplify_run(&s, turns + start, done - start);
}
