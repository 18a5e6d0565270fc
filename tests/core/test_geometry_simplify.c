/* tests/core/test_geometry_simplify.c: simplified turns do the same and are as few as can be.
 *
 * What is possible is found by searching all sums of quarter turns of the layers of one axis. */
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

/* `turns`, applied one by one in the model, make `geo` of a solved cube. */
static bool turns_do(const struct geo *geo, const struct cube_turn *turns, size_t count)
{
	struct geo other = geo_create(geo->size);
	for (size_t i = 0; i < count; i++)
		geo_turn(&other, geo_turn_from(geo->size, turns[i]));
	bool equal = geo_equal(geo, &other);
	geo_destroy(&other);
	return equal;
}

/* The fewest blocks that turn the layers of one axis by given quarters: by breadth-first search
 * over all 4^n sums, where layer i has the digit of weight 4^i. */
static uint8_t *fewest_blocks(int size)
{
	size_t count = (size_t)1 << (2 * size), head = 0, tail = 0;
	uint8_t *fewest = new_bytes(count);
	size_t *queue = new_bytes(count * sizeof(*queue));
	memset(fewest, 255, count);
	fewest[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		size_t sum = queue[head++];
		for (int low = 0; low < size; low++)
			for (int high = low; high < size; high++)
				for (size_t quarters = 1; quarters < 4; quarters++) {
					size_t next = sum;
					for (int i = low; i <= high; i++) {
						size_t digit = ((sum >> (2 * i)) + quarters) & 3;
						next = (next & ~((size_t)3 << (2 * i))) |
						       digit << (2 * i);
					}
					if (fewest[next] != 255)
						continue;
					fewest[next] = (uint8_t)(fewest[sum] + 1);
					queue[tail++] = next;
				}
	}
	free(queue);
	return fewest;
}

/* Each run about one axis is as short as can be. */
static bool runs_shortest(int size, const struct cube_turn *turns, size_t count,
			  const uint8_t *fewest)
{
	for (size_t start = 0, end; start < count; start = end) {
		int axis = geo_turn_from(size, turns[start]).axis;
		size_t sum = 0;
		for (end = start; end < count; end++) {
			struct geo_turn turn = geo_turn_from(size, turns[end]);
			if (turn.axis != axis)
				break;
			for (int i = 0; i < size; i++) {
				if (2 * i + 1 - size < turn.low || 2 * i + 1 - size > turn.high)
					continue;
				size_t digit = ((sum >> (2 * i)) + (size_t)(turn.quarters + 4)) & 3;
				sum = (sum & ~((size_t)3 << (2 * i))) | digit << (2 * i);
			}
		}
		if (end - start != fewest[sum])
			return false;
	}
	return true;
}

static void check_simplified(int size, struct cube_turn *turns, size_t count, const struct geo *geo,
			     const uint8_t *fewest)
{
	struct cube_metrics before, after;
	cube_turns_metrics(size, turns, count, &before);
	size_t shorter = cube_turns_simplify(size, turns, count);
	ck_assert_uint_le(shorter, count);
	ck_assert(turns_do(geo, turns, shorter));
	cube_turns_metrics(size, turns, shorter, &after);
	ck_assert_uint_le(after.etm, before.etm);
	ck_assert(runs_shortest(size, turns, shorter, fewest));
	struct cube_turn *again = new_bytes(shorter * sizeof(*again));
	memcpy(again, turns, shorter * sizeof(*again));
	ck_assert_uint_eq(cube_turns_simplify(size, again, shorter), shorter);
	for (size_t i = 0; i < shorter; i++)
		ck_assert_mem_eq(&again[i], &turns[i], sizeof(*turns));
	free(again);
}

/* Only one axis: there simplifying has the most to find. */
START_TEST(runs_about_one_axis)
{
	int n = 2 + _i;
	struct gen gen = {.state = 71};
	uint8_t *fewest = fewest_blocks(n);
	for (uint32_t round = 0; round < gen_rounds(400); round++) {
		struct cube_turn turns[24];
		struct geo geo = geo_create(n);
		size_t count = gen_below(&gen, 24);
		for (size_t i = 0; i < count; i++) {
			do
				turns[i] = gen_turn(&gen, n);
			while (turns[i].face % 3 != round % 3 && gen_below(&gen, 16) > 0);
			geo_turn(&geo, geo_turn_from(n, turns[i]));
		}
		check_simplified(n, turns, count, &geo, fewest);
		geo_destroy(&geo);
	}
	free(fewest);
}
END_TEST

/* Turns of all kinds, with what undoes them in between, so that runs vanish and others meet. */
START_TEST(runs_that_vanish)
{
	int n = 2 + _i;
	struct gen gen = {.state = 72};
	uint8_t *fewest = fewest_blocks(n);
	for (uint32_t round = 0; round < gen_rounds(400); round++) {
		struct cube_turn turns[40];
		struct geo geo = geo_create(n);
		size_t count = 0, undo = 0;
		while (count < 40) {
			bool back = undo > 0 && gen_below(&gen, 2);
			turns[count] =
				back ? cube_turn_inverse(turns[undo - 1]) : gen_turn(&gen, n);
			undo = back ? undo - 1 : count + 1;
			geo_turn(&geo, geo_turn_from(n, turns[count++]));
		}
		check_simplified(n, turns, count, &geo, fewest);
		geo_destroy(&geo);
	}
	free(fewest);
}
END_TEST

/* Everything undone, however deep: nothing is left. */
START_TEST(nothing_left)
{
	int n = 2 + _i;
	struct gen gen = {.state = 73};
	struct cube_turn turns[2000];
	for (size_t i = 0; i < 1000; i++) {
		turns[i] = gen_turn(&gen, n);
		turns[1999 - i] = cube_turn_inverse(turns[i]);
	}
	ck_assert_uint_eq(cube_turns_simplify(n, turns, 2000), 0);
	ck_assert_uint_eq(cube_turns_simplify(n, turns, 0), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("geometry of simplifying");
	TCase *tests = tcase_create("simplify");
	tcase_add_loop_test(tests, runs_about_one_axis, 0, 6);
	tcase_add_loop_test(tests, runs_that_vanish, 0, 6);
	tcase_add_loop_test(tests, nothing_left, 0, 6);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 18);
}
