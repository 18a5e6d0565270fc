/* tests/core/test_piece_ranks.c: ranks of chosen pieces: against enumerations, whole permutations and the
 * definition; what turns do to them; the table that they make of the cross. */
#include "cube/libcube.h"
#include "core/solve/common/coordinate.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

#define TURN CUBE_STATE3_TURN
#define PIECE CUBE_STATE3_PIECE

/* ---- some of n, and sets ---- */

static uint64_t placements(int k, int n)
{
	uint64_t count = 1;
	for (int i = 0; i < k; i++)
		count *= (uint64_t)(n - i);
	return count;
}

/* Every rank of every k of n up to seven: k different places, which have that rank; so there are no others. */
START_TEST(some_of_few)
{
	for (int n = 1; n <= 7; n++)
		for (int k = 0; k <= n; k++)
			for (uint64_t rank = 0; rank < placements(k, n); rank++) {
				uint8_t places[7];
				uint32_t seen = 0;
				cube_unrank_some(rank, k, n, places);
				for (int i = 0; i < k; i++)
					seen |= 1u << places[i];
				if (seen >> n != 0 || __builtin_popcount(seen) != k ||
				    cube_rank_some(places, k, n) != rank)
					ck_abort_msg("%d of %d: %lu", k, n, (unsigned long)rank);
			}
}
END_TEST

/* Every permutation of up to seven, and some of all up to sixteen. */
START_TEST(some_are_a_part_of_all)
{
	struct gen gen = {.state = 60};
	for (int n = 1; n <= CUBE_RANK_MAX; n++) {
		const uint64_t count = n <= 7 ? placements(n, n) : gen_rounds(200);
		for (uint64_t i = 0; i < count; i++) {
			uint8_t all[CUBE_RANK_MAX];
			uint64_t rank = i;
			if (n > 7)
				rank = ((uint64_t)gen_below(&gen, UINT32_MAX) << 31 |
					gen_below(&gen, UINT32_MAX) >> 1) %
				       placements(n, n);
			cube_unrank(rank, n, all);
			for (int k = 0; k <= n; k++)
				if (cube_rank_some(all + n - k, k, n) != rank % placements(k, n))
					ck_abort_msg("%d of %d: %lu", k, n, (unsigned long)rank);
		}
	}
}
END_TEST

/* All subsets of twelve: those of one size are numbered as they ascend. */
START_TEST(sets_in_order)
{
	uint32_t next[13] = {0};
	for (uint32_t set = 0; set < 1u << 12; set++) {
		const int k = __builtin_popcount(set);
		ck_assert_uint_eq(cube_rank_set(set), next[k]);
		ck_assert_uint_eq(cube_unrank_set(next[k], k), set);
		next[k]++;
	}
	ck_assert_uint_eq(next[4], 495);
}
END_TEST

/* ---- lists of pieces ---- */

static struct cube_piece_list list_of(const char *names, int size)
{
	struct cube_piece_list list = {.size = (uint8_t)size};
	while (*names) {
		const size_t length = strcspn(names, " ");
		const int place = cube_place_find(names, length);
		ck_assert(cube_piece_can_be_listed(size, place));
		if (place < CUBE_CORNERS)
			list.corner[list.corners++] = (uint8_t)place;
		else
			list.edge[list.edges++] = (uint8_t)(place - CUBE_CORNERS);
		names += length + strspn(names + length, " ");
	}
	return list;
}

static const char all_edges[] = "UR UF UL UB DR DF DL DB FR FL BL BR";
static const char all_corners[] = "URF UFL ULB UBR DFR DLF DBL DRB";

/* The sizes of R. E. Korf's tables (1997), of the cross and of the slice coordinate; and of a 2x2x2. */
START_TEST(counts_are_those_published)
{
	static const struct {
		const char *names;
		int size;
		uint32_t counts[CUBE_PIECE_RANKS];
	} rows[] = {
		{all_corners, 3, {1, 40320, 2187, 1, 1, 1}},
		{"UR UF UL UB DR DF", 3, {1, 1, 1, 924, 665280, 64}},
		{"DR DF DL DB", 3, {1, 1, 1, 495, 11880, 16}},
		{all_edges, 3, {1, 1, 1, 1, 479001600, 2048}},
		{"DLF DL FL DF", 3, {8, 8, 3, 220, 1320, 8}},
		{"", 3, {1, 1, 1, 1, 1, 1}},
		{"URF UFL ULB UBR DFR DLF DRB", 2, {1, 5040, 729, 1, 1, 1}},
		{"URF UFL", 2, {21, 42, 9, 1, 1, 1}},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct cube_piece_list list = list_of(rows[i].names, rows[i].size);
		uint32_t counts[CUBE_PIECE_RANKS];
		cube_piece_rank_counts(&list, counts);
		ck_assert_mem_eq(counts, rows[i].counts, sizeof(counts));
	}
	ck_assert_uint_eq(40320u * 2187, 88179840);
	ck_assert_uint_eq(665280u * 64, 42577920);
	ck_assert(!cube_piece_can_be_listed(2, 6));
	ck_assert(!cube_piece_can_be_listed(2, 8));
	ck_assert(!cube_piece_can_be_listed(3, 20));
	ck_assert(!cube_piece_can_be_listed(3, -1));
}
END_TEST

static bool possible(const struct cube_cubies *cubies)
{
	struct cube_state3 state;
	cube_state3_from_cubies(&state, cubies);
	return cube_state3_possible(&state);
}

/* Every pair of ranks is a state that turns lead to, and comes back. */
static void check_row(const struct cube_piece_list *list, const uint32_t counts[CUBE_PIECE_RANKS],
		      uint32_t row)
{
	static const int ranked[] = {CUBE_PIECE_CORNERS, CUBE_PIECE_TWISTS, CUBE_PIECE_EDGES,
				     CUBE_PIECE_FLIPS};
	struct cube_cubies cubies = {.centers = {0, 1, 2, 3, 4, 5}};
	uint32_t ranks[CUBE_PIECE_RANKS] = {0}, again[CUBE_PIECE_RANKS], rest = row;
	for (int i = 0; i < 4; i++) {
		ranks[ranked[i]] = rest % counts[ranked[i]];
		rest /= counts[ranked[i]];
	}
	cube_piece_ranks_cubies(list, ranks, &cubies);
	bool right = list->size == 3 ? possible(&cubies)
				     : cubies.corner_permutation[6] == 6 &&
					       cubies.corner_orientation[6] == 0;
	cube_piece_ranks_of(list, &cubies, again);
	for (int i = 0; i < 4; i++)
		right &= again[ranked[i]] == ranks[ranked[i]];
	for (int i = 0; i < CUBE_PIECE_RANKS; i++)
		right &= again[i] < counts[i];
	if (!right)
		ck_abort_msg("row %u of %d corners and %d edges", row, list->corners, list->edges);
}

START_TEST(all_of_few_pieces)
{
	static const struct {
		const char *names;
		int size;
	} lists[] = {{"URF", 3}, {"BL", 3},         {"DLF DL FL", 3}, {"UB UR", 3},
		     {"", 3},    {"DBL UF URF", 3}, {"FR FL BL", 3},  {"DRB UFL ULB", 2}};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct cube_piece_list list = list_of(lists[i].names, lists[i].size);
		uint32_t counts[CUBE_PIECE_RANKS];
		cube_piece_rank_counts(&list, counts);
		for (uint32_t row = 0; row < counts[1] * counts[2] * counts[4] * counts[5]; row++)
			check_row(&list, counts, row);
	}
}
END_TEST

static void random_state(struct gen *gen, struct cube_state3 *state)
{
	struct cube_state3 moves[MOVES];
	*state = cube_state3_solved;
	moves_make(moves);
	for (int i = 0; i < 40; i++)
		cube_state3_compose(state, state, &moves[gen_below(gen, MOVES)]);
}

/* Up to `most` pieces of a kind, in any order. */
static uint8_t random_pieces(struct gen *gen, uint8_t *pieces, uint8_t count)
{
	for (uint8_t i = 0; i < count; i++)
		pieces[i] = i;
	for (uint32_t i = count; i > 1; i--) {
		const uint32_t other = gen_below(gen, i);
		const uint8_t piece = pieces[i - 1];
		pieces[i - 1] = pieces[other];
		pieces[other] = piece;
	}
	return (uint8_t)gen_below(gen, count + 1u);
}

/* Returns true if pieces are in the same places in both, with the same orientations. */
static bool same(const uint8_t *pieces, int count, const uint8_t *permutation, const uint8_t *turns,
		 const uint8_t *other_permutation, const uint8_t *other_turns)
{
	bool same = true;
	for (int i = 0; i < count; i++) {
		int place = 0;
		while (permutation[place] != pieces[i])
			place++;
		same &= other_permutation[place] == pieces[i] && other_turns[place] == turns[place];
	}
	return same;
}

/* Any pieces in any state: the state that their ranks are unranked to has them where they were, and what a
 * turn then makes of the ranks is the same for both states. */
START_TEST(ranks_follow_turns)
{
	struct gen gen = {.state = 61};
	struct cube_state3 moves[MOVES];
	moves_make(moves);
	for (uint32_t round = 0; round < gen_rounds(2000); round++) {
		struct cube_piece_list list = {.size = 3};
		struct cube_state3 state, other;
		struct cube_cubies cubies, filled = {.centers = {0, 1, 2, 3, 4, 5}};
		uint32_t ranks[CUBE_PIECE_RANKS], again[CUBE_PIECE_RANKS];
		random_state(&gen, &state);
		list.corners = random_pieces(&gen, list.corner, CUBE_CORNERS);
		list.edges = random_pieces(&gen, list.edge, CUBE_EDGES);
		cube_state3_to_cubies(&state, &cubies);
		cube_piece_ranks_of(&list, &cubies, ranks);
		cube_piece_ranks_cubies(&list, ranks, &filled);
		ck_assert(same(list.corner, list.corners, cubies.corner_permutation,
			       cubies.corner_orientation, filled.corner_permutation,
			       filled.corner_orientation));
		ck_assert(same(list.edge, list.edges, cubies.edge_permutation,
			       cubies.edge_orientation, filled.edge_permutation,
			       filled.edge_orientation));
		ck_assert(possible(&filled));
		cube_state3_from_cubies(&other, &filled);
		const struct cube_state3 *turn = &moves[gen_below(&gen, MOVES)];
		cube_state3_compose(&state, &state, turn);
		cube_state3_compose(&other, &other, turn);
		cube_state3_to_cubies(&state, &cubies);
		cube_state3_to_cubies(&other, &filled);
		cube_piece_ranks_of(&list, &cubies, ranks);
		cube_piece_ranks_of(&list, &filled, again);
		ck_assert_mem_eq(ranks, again, sizeof(ranks));
	}
}
END_TEST

/* If all pieces of one parity are given and the parity of the others differs, no turns lead there. */
START_TEST(all_pieces_may_be_impossible)
{
	struct cube_piece_list list = list_of(all_corners, 3);
	const struct cube_piece_list edges = list_of(all_edges, 3);
	uint32_t ranks[CUBE_PIECE_RANKS] = {0, 40319, 0, 0, 479001599, 0};
	struct cube_cubies cubies = {.centers = {0, 1, 2, 3, 4, 5}};
	memcpy(list.edge, edges.edge, sizeof(list.edge));
	list.edges = edges.edges;
	cube_piece_ranks_cubies(&list, ranks, &cubies);
	ck_assert(possible(&cubies));
	ranks[CUBE_PIECE_EDGES] -= 479001600 / 2; /* the digit of parity (cube/index.h) */
	cube_piece_ranks_cubies(&list, ranks, &cubies);
	ck_assert(!possible(&cubies));
	list.edges = 11;
	cube_piece_ranks_cubies(&list, ranks, &cubies);
	const bool lower = possible(&cubies);
	ranks[CUBE_PIECE_EDGES] += 479001600 / 2;
	cube_piece_ranks_cubies(&list, ranks, &cubies);
	ck_assert(possible(&cubies) != lower);
	list.edges = 10;
	ranks[CUBE_PIECE_EDGES] -= 479001600 / 2;
	cube_piece_ranks_cubies(&list, ranks, &cubies);
	ck_assert(possible(&cubies));
}
END_TEST

/* All pieces, in Kociemba's order: where each is; so the parts of the inverse state, its twists negative. */
START_TEST(all_pieces_are_the_inverse)
{
	struct gen gen = {.state = 62};
	const struct cube_piece_list corners = list_of(all_corners, 3);
	const struct cube_piece_list edges = list_of(all_edges, 3);
	uint32_t whole[CUBE_RANK_PARTS], counts[CUBE_PIECE_RANKS];
	cube_piece_rank_counts(&corners, counts);
	ck_assert_uint_eq(counts[CUBE_PIECE_CORNERS], cube_rank_counts[CUBE_RANK_CORNERS]);
	ck_assert_uint_eq(counts[CUBE_PIECE_TWISTS], cube_rank_counts[CUBE_RANK_TWISTS]);
	cube_piece_rank_counts(&edges, counts);
	ck_assert_uint_eq(counts[CUBE_PIECE_EDGES], cube_rank_counts[CUBE_RANK_EDGES]);
	ck_assert_uint_eq(counts[CUBE_PIECE_FLIPS], cube_rank_counts[CUBE_RANK_FLIPS]);
	for (int round = 0; round < 500; round++) {
		struct cube_state3 state = cube_state3_solved, inverse;
		struct cube_cubies cubies, inverted;
		uint32_t ranks[CUBE_PIECE_RANKS];
		if (round > 0)
			random_state(&gen, &state);
		cube_state3_invert(&inverse, &state);
		cube_state3_to_cubies(&state, &cubies);
		cube_state3_to_cubies(&inverse, &inverted);
		for (int i = 0; i < CUBE_CORNERS; i++)
			inverted.corner_orientation[i] =
				(uint8_t)((3 - inverted.corner_orientation[i]) % 3);
		cube_ranks_of(&inverted, whole);
		cube_piece_ranks_of(&corners, &cubies, ranks);
		ck_assert_uint_eq(ranks[CUBE_PIECE_CORNERS], whole[CUBE_RANK_CORNERS]);
		ck_assert_uint_eq(ranks[CUBE_PIECE_TWISTS], whole[CUBE_RANK_TWISTS]);
		cube_piece_ranks_of(&edges, &cubies, ranks);
		ck_assert_uint_eq(ranks[CUBE_PIECE_EDGES], whole[CUBE_RANK_EDGES]);
		ck_assert_uint_eq(ranks[CUBE_PIECE_FLIPS], whole[CUBE_RANK_FLIPS]);
	}
}
END_TEST

START_TEST(places_of_the_slice)
{
	struct gen gen = {.state = 63};
	const struct cube_piece_list list = list_of("BR FL FR BL", 3);
	for (int round = 0; round < 500; round++) {
		struct cube_state3 state = cube_state3_solved;
		struct cube_cubies cubies;
		uint32_t ranks[CUBE_PIECE_RANKS];
		if (round > 0)
			random_state(&gen, &state);
		cube_state3_to_cubies(&state, &cubies);
		cube_piece_ranks_of(&list, &cubies, ranks);
		ck_assert_uint_eq(ranks[CUBE_PIECE_EDGE_PLACES], coordinate_slice.of(&state));
		ck_assert_uint_eq(ranks[CUBE_PIECE_EDGE_PLACES] == 0 && round == 0, round == 0);
	}
}
END_TEST

/* Tests cubes however they are held. */
START_TEST(held_in_any_way)
{
	struct gen gen = {.state = 64};
	struct cube *cube = malloc(cube_bytes(3)), *turned = malloc(cube_bytes(3));
	for (int size = 2; size <= 3; size++) {
		const struct cube_piece_list list =
			list_of(size == 2 ? "UFL DRB ULB" : "UFL DBL UF BR DL", size);
		cube_init(cube, size);
		for (int round = 0; round < 200; round++) {
			uint32_t ranks[CUBE_PIECE_RANKS], again[CUBE_PIECE_RANKS];
			cube_turn(cube, gen_turn(&gen, size));
			cube_piece_ranks_of_cube(&list, cube, ranks);
			cube_hold_turn(turned, cube, (int)gen_below(&gen, CUBE_HOLDS));
			cube_piece_ranks_of_cube(&list, turned, again);
			ck_assert_mem_eq(ranks, again, sizeof(ranks));
		}
	}
	free(cube);
	free(turned);
}
END_TEST

/* ---- a pattern database ---- */

#define GROUP 4
#define ROWS (11880u * 16)

/* The cross at D, breadth first by numbers alone: its distances are long known (cube/distance.h). */
START_TEST(distances_of_the_cross)
{
	static const uint32_t known[] = {1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102};
	static uint8_t seen[ROWS];
	static uint32_t queue[ROWS];
	const struct cube_piece_list list = list_of("DR DF DL DB", 3);
	struct cube_state3 moves[MOVES], inverse[MOVES];
	struct cube_cubies cubies;
	uint32_t ranks[CUBE_PIECE_RANKS], next = 0, end = 1;
	moves_make(moves);
	for (int move = 0; move < MOVES; move++)
		cube_state3_invert(&inverse[move], &moves[move]);
	cube_state3_to_cubies(&cube_state3_solved, &cubies);
	cube_piece_ranks_of(&list, &cubies, ranks);
	queue[0] = ranks[CUBE_PIECE_EDGES] << 4 | ranks[CUBE_PIECE_FLIPS];
	seen[queue[0]] = 1;
	for (size_t depth = 0; depth < sizeof(known) / sizeof(known[0]); depth++) {
		ck_assert_uint_eq(end - next, known[depth]);
		for (const uint32_t level = end; next < level; next++) {
			uint8_t places[GROUP], flips[GROUP + 1];
			cube_unrank_some(queue[next] >> 4, GROUP, CUBE_EDGES, places);
			cube_unrank_turns(queue[next] & 15, GROUP + 1, 2, flips);
			for (int move = 0; move < MOVES; move++) {
				uint8_t to[GROUP], turned[GROUP];
				for (int i = 0; i < GROUP; i++) {
					const uint8_t byte = inverse[move].piece[places[i]];
					to[i] = byte & PIECE;
					turned[i] = flips[i] ^ (byte >> TURN);
				}
				const uint32_t row = (uint32_t)cube_rank_some(to, GROUP, CUBE_EDGES)
							     << 4 |
						     cube_rank_turns(turned, GROUP + 1, 2);
				if (!seen[row])
					queue[end++] = row;
				seen[row] = 1;
			}
		}
	}
	ck_assert_uint_eq(end, ROWS);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("piece_ranks");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 60);
	tcase_add_test(all, some_of_few);
	tcase_add_test(all, some_are_a_part_of_all);
	tcase_add_test(all, sets_in_order);
	tcase_add_test(all, counts_are_those_published);
	tcase_add_test(all, all_of_few_pieces);
	tcase_add_test(all, ranks_follow_turns);
	tcase_add_test(all, all_pieces_may_be_impossible);
	tcase_add_test(all, all_pieces_are_the_inverse);
	tcase_add_test(all, places_of_the_slice);
	tcase_add_test(all, held_in_any_way);
	tcase_add_test(all, distances_of_the_cross);
	suite_add_tcase(suite, all);
	return run_suite(suite, 11);
}
