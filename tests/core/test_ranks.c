/* tests/core/test_ranks.c: the parts of a cube as numbers, against their definition and the index. */
#include "cube/ranks.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

/* Every rank of a part belongs to other arrays, and comes back; the large one by samples. */
START_TEST(come_back)
{
	uint32_t ranks[CUBE_RANK_PARTS] = {0}, again[CUBE_RANK_PARTS];
	struct cube_cubies cubies;
	const uint32_t count = cube_rank_counts[_i], step = count > 100000 ? 99991 : 1;
	memset(&cubies, 0, sizeof(cubies));
	for (uint32_t rank = 0; rank < count; rank += step) {
		int array, index, twists = 0, flips = 0;
		ranks[_i] = rank;
		cube_ranks_cubies(ranks, &cubies);
		ck_assert(cube_cubies_in_range(&cubies, 3, &array, &index));
		for (int i = 0; i < CUBE_CORNERS; i++)
			twists += cubies.corner_orientation[i];
		for (int i = 0; i < CUBE_EDGES; i++)
			flips += cubies.edge_orientation[i];
		ck_assert_int_eq(twists % 3, 0);
		ck_assert_int_eq(flips % 2, 0);
		cube_ranks_of(&cubies, again);
		ck_assert_mem_eq(again, ranks, sizeof(ranks));
	}
}
END_TEST

/* The index is made of them. */
START_TEST(agree_with_the_index)
{
	struct gen gen = {.state = 4};
	for (uint32_t round = 0; round < gen_rounds(2000); round++) {
		struct cube_index index = {.high = gen_below(&gen, 2)};
		struct cube_cubies cubies;
		uint32_t ranks[CUBE_RANK_PARTS];
		index.low =
			(uint64_t)gen_below(&gen, UINT32_MAX) << 32 | gen_below(&gen, UINT32_MAX);
		ck_assert(cube_index_cubies(index, 3, &cubies));
		cube_ranks_of(&cubies, ranks);
		const uint64_t pieces = (uint64_t)ranks[CUBE_RANK_CORNERS] * 239500800 +
					ranks[CUBE_RANK_EDGES] % 239500800;
		const uint64_t but_flips = pieces * 2187 + ranks[CUBE_RANK_TWISTS];
		ck_assert_uint_eq(but_flips, index.high << 53 | index.low >> 11);
		ck_assert_uint_eq(ranks[CUBE_RANK_FLIPS], index.low & 2047);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ranks");
	TCase *tests = tcase_create("ranks");
	tcase_add_loop_test(tests, come_back, 0, CUBE_RANK_PARTS);
	tcase_add_test(tests, agree_with_the_index);
	suite_add_tcase(suite, tests);
	return run_suite(suite, CUBE_RANK_PARTS + 1);
}
