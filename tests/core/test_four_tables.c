/* tests/core/test_four_tables.c: what the solver of the 4x4x4 knows: its moves against turns, its
 * distances against plain searches and walks. */
#include "core/solve/four/four_internal.h"
#include "cube/libcube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <stdlib.h>
#include <string.h>

static const struct four_tables *tables;

/* Cubes that are turned, and states that the moves of the tables are applied to. */
START_TEST(states_follow_turns)
{
	struct gen gen = {.state = 52};
	static const uint8_t as_held[CUBE_FACES] = {0, 1, 2, 3, 4, 5};
	union cube4 room;
	struct four four, before, read;
	cube_init(&room.cube, 4);
	four_read(&four, &room.cube);
	for (int i = 0; i < 500; i++) {
		int move = (int)gen_below(&gen, FOUR_MOVES);
		bool odd = four_wings_odd(&four);
		before = four;
		four_apply(&tables->moves, &four, &before, move);
		cube_turn(&room.cube, four_turn(move, as_held));
		four_read(&read, &room.cube);
		ck_assert_mem_eq(four.wing, read.wing, sizeof(four.wing));
		ck_assert_mem_eq(four.center, read.center, sizeof(four.center));
		ck_assert(four.corners_odd == read.corners_odd);
		ck_assert(four_wings_odd(&four) ==
			  (odd != (four_is_wide(move) && !four_is_half(move))));
	}
}
END_TEST

/* The distances of the three phases for a state whose axes are as on the solved cube; -1 if a
 * phase cannot begin. `odd` are those of the wings and, phase 3, of the wide turns. */
static void distances(const struct four *four, const bool odd[2], int distance[3])
{
	const struct four_centers *centers = &tables->centers;
	uint8_t ends[FOUR_AXES];
	uint32_t set = four_centers_set(four, 2);
	distance[0] = four_distance_1(centers, set);
	distance[1] = distance[2] = -1;
	if (distance[0] > 0)
		return;
	for (int axis = 0; axis < FOUR_AXES; axis++)
		ends[axis] = (uint8_t)four_ends(centers, four, axis);
	distance[1] = centers->distance_2[four_belt(centers, four, 0)][ends[2]][odd[0]];
	for (int place = 0; place < 4; place++) /* on U and R */
		if (four->center[place] % 3 != 0 || four->center[4 + place] % 3 != 1)
			return;
	if (distance[1] == 0)
		distance[2] = four_distance_3(centers, ends, odd[1]);
}

/* From solved, k moves of a phase lead to states at most k away, and no move changes that by more
 * than one. */
START_TEST(distances_of_centers)
{
	static const int counts[3] = {FOUR_MOVES, FOUR_MOVES_2, FOUR_MOVES_3};
	struct gen gen = {.state = 53};
	for (int round = 0; round < 900; round++) {
		int phase = round % 3, last = 0;
		union cube4 room;
		struct four four;
		bool odd[2] = {false, false};
		cube_init(&room.cube, 4);
		four_read(&four, &room.cube);
		for (int k = 1; k <= 12; k++) {
			int m = (int)gen_below(&gen, (uint32_t)counts[phase]), distance[3];
			int move = phase == 0 ? m : phase == 1 ? four_moves_2[m] : four_moves_3[m];
			struct four before = four;
			four_apply(&tables->moves, &four, &before, move);
			odd[0] ^= four_is_wide(move) && !four_is_half(move);
			odd[1] ^= four_is_wide(move);
			distances(&four, odd, distance);
			ck_assert_int_ge(distance[phase], last - 1);
			ck_assert_int_le(distance[phase], last + 1);
			ck_assert_int_le(distance[phase], k);
			ck_assert(phase == 0 || distance[phase - 1] == 0);
			last = distance[phase];
		}
	}
}
END_TEST

/* Pairings by plain search, without symmetry, as far as four moves; by whether the wide ones are
 * odd in number. */
#define PAIRINGS 8000
static struct {
	uint8_t pair[FOUR_EDGES];
	bool odd;
} pairing[PAIRINGS];
static int pairing_distance[PAIRINGS];

static size_t pairing_find(size_t count)
{
	size_t at = 0;
	while (pairing[at].odd != pairing[count].odd ||
	       memcmp(pairing[at].pair, pairing[count].pair, FOUR_EDGES) != 0)
		at++;
	return at;
}

START_TEST(distances_of_pairs)
{
	const struct four_pairs *pairs = &tables->pairs;
	size_t count = 1, begin = 0;
	for (uint8_t edge = 0; edge < FOUR_EDGES; edge++)
		pairing[0].pair[edge] = edge;
	for (int depth = 1; depth <= 4; depth++) {
		size_t end = count;
		for (size_t i = begin; i < end; i++) {
			for (int m = 0; m < FOUR_MOVES_3; m++) {
				four_pairs_after(pairs, m, pairing[i].pair, pairing[count].pair);
				pairing[count].odd =
					pairing[i].odd != four_is_wide(four_moves_3[m]);
				if (pairing_find(count) < count)
					continue;
				pairing_distance[count++] = depth;
				ck_assert_uint_lt(count, PAIRINGS);
			}
		}
		begin = end;
	}
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(
			four_pairs_distance(four_pairs_at(pairs, pairing[i].pair), pairing[i].odd),
			pairing_distance[i]);
	ck_assert_uint_gt(count, 1000);
}
END_TEST

/* The distance of a pairing that cubes make: no move changes it by more than one, and that of
 * the place found before a move is that after it. */
START_TEST(pairs_on_a_walk)
{
	struct gen gen = {.state = 54};
	struct four four, before;
	union cube4 room;
	bool odd = false;
	int last = 0;
	cube_init(&room.cube, 4);
	four_read(&four, &room.cube);
	for (int i = 0; i < 20000; i++) {
		uint8_t pair[FOUR_EDGES], next[FOUR_EDGES], after[FOUR_EDGES];
		int m = (int)gen_below(&gen, FOUR_MOVES_3);
		ck_assert(four_pairs_of(&four, pair));
		odd = odd != four_is_wide(four_moves_3[m]);
		int told = four_pairs_distance(four_pairs_after_at(&tables->pairs, m, pair), odd);
		before = four;
		four_apply(&tables->moves, &four, &before, four_moves_3[m]);
		ck_assert(four_pairs_of(&four, next));
		four_pairs_after(&tables->pairs, m, pair, after);
		ck_assert_mem_eq(after, next, FOUR_EDGES);
		int now = four_pairs_distance(four_pairs_at(&tables->pairs, next), odd);
		ck_assert_int_eq(now, told);
		if (abs(now - last) > 1 || now > FOUR_PAIRS_DEPTH + 1)
			ck_abort_msg("step %d: %d, %d", i, last, now);
		last = now;
	}
}
END_TEST

/* Wings that share a side with their partner, and ones that are crossed an odd number of times. */
START_TEST(wings_that_are_not_apart)
{
	static const struct {
		struct cube_turn turn;
		bool apart;
	} turns[] = {
		{{CUBE_U, 1, 2, 1, 0}, false}, {{CUBE_R, 1, 2, 1, 0}, false},
		{{CUBE_F, 1, 2, 1, 0}, false}, {{CUBE_F, 1, 1, 1, 0}, true},
		{{CUBE_U, 1, 1, 1, 0}, true},  {{CUBE_R, 1, 2, 2, 0}, true},
	};
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		union cube4 room;
		struct four four;
		uint8_t pair[FOUR_EDGES];
		cube_init(&room.cube, 4);
		cube_turn(&room.cube, turns[i].turn);
		four_read(&four, &room.cube);
		ck_assert_int_eq(four_pairs_of(&four, pair), turns[i].apart);
	}
}
END_TEST

int main(void)
{
	const struct cube_solver *solver = cube_solver_find("reduction", 9, 4);
	void *memory = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
	cube_solver_make(&solver->tables[0], memory);
	tables = memory;
	Suite *suite = suite_create("four_tables");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, states_follow_turns);
	tcase_add_test(all, distances_of_centers);
	tcase_add_test(all, distances_of_pairs);
	tcase_add_test(all, pairs_on_a_walk);
	tcase_add_test(all, wings_that_are_not_apart);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 5);
	free(memory);
	return status;
}
