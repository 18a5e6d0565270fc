/* tests/core/test_state3.c: compact states: every code against the definition, the laws, real
 * turns. */
#include "core/cubies/cubies_internal.h"

#include "cube/cube.h"
#include "cube/hold.h"
#include "cube/ranks.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

/* Every code that this machine has; at least the portable one. */
static const struct state3_code *codes[4];
static int code_count;

static void find_codes(void)
{
	while (code_count < 4 && state3_code((size_t)code_count)) {
		codes[code_count] = state3_code((size_t)code_count);
		code_count++;
	}
}

/* A state of the centres' home that turns lead to, each as likely as the others. */
static struct cube_state3 random_state(struct gen *gen)
{
	struct cube_cubies cubies;
	struct cube_state3 state;
	struct cube_index index;
	do {
		index.high = gen_below(gen, 3);
		index.low = (uint64_t)gen_below(gen, UINT32_MAX) << 33 ^
			    (uint64_t)gen_below(gen, UINT32_MAX) << 11 ^ gen_below(gen, 4096);
	} while (!cube_index_cubies(index, 3, &cubies));
	cube_state3_from_cubies(&state, &cubies);
	return state;
}

/* The definition in words of cubies, with division. */
static struct cube_state3 defined(const struct cube_state3 *a, const struct cube_state3 *b)
{
	struct cube_cubies from, by, both;
	struct cube_state3 result;
	cube_state3_to_cubies(a, &from);
	cube_state3_to_cubies(b, &by);
	both = from;
	for (int i = 0; i < CUBE_EDGES; i++) {
		int place = by.edge_permutation[i];
		both.edge_permutation[i] = from.edge_permutation[place];
		both.edge_orientation[i] =
			(uint8_t)((from.edge_orientation[place] + by.edge_orientation[i]) % 2);
	}
	for (int i = 0; i < CUBE_CORNERS; i++) {
		int place = by.corner_permutation[i];
		both.corner_permutation[i] = from.corner_permutation[place];
		both.corner_orientation[i] =
			(uint8_t)((from.corner_orientation[place] + by.corner_orientation[i]) % 3);
	}
	cube_state3_from_cubies(&result, &both);
	return result;
}

#define equal(a, b) cube_state3_equal(&(a), &(b))

START_TEST(there_is_a_portable_code)
{
	ck_assert_int_ge(code_count, 1);
	ck_assert_str_eq(codes[code_count - 1]->name, "portable");
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_null(state3_code((size_t)(code_count + i)));
}
END_TEST

/* Also where the result is one of those composed. */
START_TEST(compositions_are_as_defined)
{
	struct gen gen = {.state = 20};
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		struct cube_state3 a = random_state(&gen), b = random_state(&gen), c,
				   expected = defined(&a, &b);
		for (int i = 0; i < code_count; i++) {
			codes[i]->compose(&c, &a, &b);
			ck_assert_msg(equal(c, expected), "%s", codes[i]->name);
			c = a;
			codes[i]->compose(&c, &c, &b);
			ck_assert(equal(c, expected));
			c = b;
			codes[i]->compose(&c, &a, &c);
			ck_assert(equal(c, expected));
		}
		cube_state3_compose(&c, &a, &b);
		ck_assert(equal(c, expected) && cube_state3_possible(&c));
	}
}
END_TEST

/* Every number of pairs from none, nothing written beside them. */
START_TEST(pairs_are_composed)
{
	enum { MOST = 9 };
	struct gen gen = {.state = 21};
	struct cube_state3 a[MOST], b[MOST], expected[MOST], result[MOST + 1], mark;
	memset(&mark, 0x5a, sizeof(mark));
	for (size_t count = 0; count <= MOST; count++) {
		for (size_t i = 0; i < count; i++) {
			a[i] = random_state(&gen);
			b[i] = random_state(&gen);
			expected[i] = defined(&a[i], &b[i]);
		}
		for (int i = 0; i <= code_count; i++) {
			result[count] = mark;
			if (i < code_count)
				codes[i]->compose_each(result, a, b, count);
			else
				cube_state3_compose_each(result, a, b, count);
			ck_assert(memcmp(result, expected, count * sizeof(a[0])) == 0);
			ck_assert(equal(result[count], mark));
			memcpy(result, b, count * sizeof(b[0]));
			codes[i % code_count]->compose_each(result, a, result, count);
			ck_assert(memcmp(result, expected, count * sizeof(a[0])) == 0);
		}
	}
}
END_TEST

/* Chains of every length up to where sums are brought down twice, of the worst turns too. */
START_TEST(chains_are_compositions)
{
	enum { TABLE = 256, LONGEST = 400 };
	struct gen gen = {.state = 22};
	static struct cube_state3 table[TABLE];
	uint8_t moves[LONGEST];
	for (int i = 0; i < TABLE; i++)
		table[i] = random_state(&gen);
	/* Every piece stays and turns as far as it can; corners to 2, though that is not a cube. */
	for (int i = 0; i < CUBE_EDGES; i++)
		table[0].piece[i] = (uint8_t)(i | 1 << CUBE_STATE3_TURN);
	for (int i = 0; i < CUBE_CORNERS; i++)
		table[0].piece[CUBE_STATE3_CORNERS + i] = (uint8_t)(i | 2 << CUBE_STATE3_TURN);
	for (int worst = 0; worst < 2; worst++) {
		struct cube_state3 start = worst ? table[0] : random_state(&gen), expected = start;
		for (size_t count = 0; count <= LONGEST; count++) {
			for (int i = 0; i <= code_count; i++) {
				struct cube_state3 state = start;
				if (i < code_count)
					codes[i]->apply(&state, table, moves, count);
				else
					cube_state3_apply(&state, table, moves, count);
				ck_assert_msg(equal(state, expected), "%zu moves", count);
			}
			if (count == LONGEST)
				break;
			moves[count] = (uint8_t)(worst ? 0 : gen_below(&gen, TABLE));
			expected = defined(&expected, &table[moves[count]]);
		}
	}
}
END_TEST

START_TEST(states_are_a_group)
{
	struct gen gen = {.state = 23};
	const struct cube_state3 *one = &cube_state3_solved;
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		struct cube_state3 a = random_state(&gen), b = random_state(&gen),
				   c = random_state(&gen), ab, bc, left, right, inverse;
		cube_state3_compose(&ab, &a, &b);
		cube_state3_compose(&bc, &b, &c);
		cube_state3_compose(&left, &ab, &c);
		cube_state3_compose(&right, &a, &bc);
		ck_assert(equal(left, right));
		cube_state3_compose(&left, &a, one);
		cube_state3_compose(&right, one, &a);
		ck_assert(equal(left, a) && equal(right, a));
		cube_state3_invert(&inverse, &a);
		ck_assert(cube_state3_possible(&inverse));
		for (int i = 0; i < code_count; i++) {
			codes[i]->invert(&left, &a);
			right = a;
			codes[i]->invert(&right, &right);
			ck_assert(equal(left, inverse) && equal(right, inverse));
		}
		cube_state3_compose(&left, &inverse, &a);
		cube_state3_compose(&right, &a, &inverse);
		ck_assert(equal(left, *one) && equal(right, *one));
		cube_state3_invert(&inverse, &inverse);
		ck_assert(equal(inverse, a));
	}
}
END_TEST

/* Turns of the cube itself, the model beside it: the state of all turns so far is the composition
 * of the states of each. Rotations and middle turns too: pieces and places are those of space. */
START_TEST(turns_are_compositions)
{
	struct gen gen = {.state = 24};
	struct checked_cube both = checked_create(3);
	struct cube *single = new_cube(3);
	struct cube_state3 state = cube_state3_solved, turn, seen;
	struct cube_cubies cubies, back;
	for (uint32_t round = 0; round < gen_states(5000); round++) {
		struct cube_turn move = gen_turn(&gen, 3);
		checked_turn(&both, move);
		cube_init(single, 3);
		cube_turn(single, move);
		cube_cubies_of(&cubies, single);
		cube_state3_from_cubies(&turn, &cubies);
		cube_state3_compose(&state, &state, &turn);
		cube_cubies_of(&cubies, both.cube);
		cube_state3_from_cubies(&seen, &cubies);
		ck_assert(equal(state, seen));
		cube_state3_to_cubies(&state, &back);
		memcpy(back.centers, cubies.centers, sizeof(back.centers));
		ck_assert_mem_eq(&back, &cubies, sizeof(back));
		if (round % 50 == 0)
			ck_assert(checked_same(&both));
	}
	checked_destroy(&both);
	free(single);
}
END_TEST

START_TEST(impossible_states)
{
	struct gen gen = {.state = 25};
	const int corner = CUBE_STATE3_CORNERS;
	ck_assert(cube_state3_possible(&cube_state3_solved));
	for (int round = 0; round < 1000; round++) {
		struct cube_state3 right = random_state(&gen), wrong;
		ck_assert(cube_state3_possible(&right));
		int at = (int)gen_below(&gen, 7);
		wrong = right;
		wrong.piece[at] ^= 1 << CUBE_STATE3_TURN; /* flipped */
		ck_assert(!cube_state3_possible(&wrong));
		wrong = right;
		uint8_t twist = wrong.piece[corner + at] >> CUBE_STATE3_TURN;
		wrong.piece[corner + at] =
			(uint8_t)((wrong.piece[corner + at] & CUBE_STATE3_PIECE) |
				  (twist + 1) % 3 << CUBE_STATE3_TURN);
		ck_assert(!cube_state3_possible(&wrong));
		wrong.piece[corner + at] =
			(uint8_t)(right.piece[corner + at] | 3 << CUBE_STATE3_TURN);
		ck_assert(!cube_state3_possible(&wrong));
		for (int half = 0; half <= corner; half += corner) {
			wrong = right;
			wrong.piece[half + at] = right.piece[half + at + 1]; /* swapped: parity */
			wrong.piece[half + at + 1] = right.piece[half + at];
			ck_assert(!cube_state3_possible(&wrong));
			wrong.piece[half + at] = wrong.piece[half + at + 1]; /* twice */
			ck_assert(!cube_state3_possible(&wrong));
			wrong = right;
			wrong.piece[half + 15] = 0;
			ck_assert(!cube_state3_possible(&wrong));
			wrong.piece[half + 15] = 15 | 1 << CUBE_STATE3_TURN;
			ck_assert(!cube_state3_possible(&wrong));
		}
	}
}
END_TEST

/* ---- moves as text ---- */

#define TEXT_MAX 400

/* Reads text in SiGN, which must be valid. */
static struct cube_state3 state_after(const char *text)
{
	static struct cube_node nodes[TEXT_MAX + 1];
	struct cube_state3 state;
	struct cube_error error;
	ck_assert_uint_le(cube_parse_nodes(text, strlen(text)), TEXT_MAX + 1);
	ck_assert_msg(cube_state3_parse(text, strlen(text), CUBE_DIALECT_SIGN, nodes, &state,
					&error) == CUBE_OK,
		      "%s", text);
	return state;
}

/* Turns of the model, some of which are slices and rotations: the state of their text is that of the
 * cube, turned home. */
START_TEST(text_is_read)
{
	struct gen gen = {.state = 26};
	struct cube *home = new_cube(3);
	for (uint32_t round = 0; round < gen_states(500); round++) {
		struct checked_cube both = checked_create(3);
		struct cube_turn turns[12];
		char text[TEXT_MAX];
		struct cube_cubies cubies;
		struct cube_state3 expected, state;
		const size_t count = gen_below(&gen, 12);
		for (size_t i = 0; i < count; i++) {
			turns[i] = gen_turn(&gen, 3);
			checked_turn(&both, turns[i]);
		}
		ck_assert_uint_lt(cube_turns_print(3, turns, count, text, sizeof text), TEXT_MAX);
		cube_hold_home(home, both.cube);
		cube_cubies_of(&cubies, home);
		cube_state3_from_cubies(&expected, &cubies);
		state = state_after(text);
		ck_assert_msg(equal(state, expected), "%s", text);
		ck_assert(cube_state3_possible(&state));
		checked_destroy(&both);
	}
	free(home);
}
END_TEST

START_TEST(brackets_are_read_to_the_deepest)
{
	static const char *const same[][2] = {
		{"", "(R U R' U')6"},
		{"x y2", ""},
		{"M", "L' R"},
		{"[R, U]2", "[R, U] R U R' U'"},
		{"[F: (R U)300]", "F (R U)90 F'"},
		{"Rw", "L"},
		{"x R U", "R F"},
	};
	char text[TEXT_MAX] = "";
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		struct cube_state3 a = state_after(same[i][0]), b = state_after(same[i][1]);
		ck_assert_msg(equal(a, b), "%s", same[i][0]);
	}
	/* 2^64 quarter turns: none. */
	for (int i = 0; i < CUBE_DEPTH_MAX; i++)
		strcat(text, "(");
	strcat(text, "R");
	for (int i = 0; i < CUBE_DEPTH_MAX; i++)
		strcat(text, ")2");
	struct cube_state3 state = state_after(text);
	ck_assert(equal(state, cube_state3_solved));
}
END_TEST

START_TEST(a_fault_leaves_the_state)
{
	static const char text[] = "R U Q F";
	struct cube_node nodes[sizeof text];
	struct cube_state3 before = state_after("R"), state = before;
	struct cube_error error;
	ck_assert_int_eq(
		cube_state3_parse(text, strlen(text), CUBE_DIALECT_WCA, nodes, &state, &error),
		CUBE_ERROR_MOVE);
	ck_assert_uint_eq(error.offset, 4);
	ck_assert(equal(state, before));
	/* A dialect of its own, and no byte behind the text. */
	ck_assert_int_eq(cube_state3_parse("R1Q", 2, CUBE_DIALECT_KOCIEMBA, nodes, &state, &error),
			 CUBE_OK);
	ck_assert(equal(state, before));
}
END_TEST

/* ---- parts as numbers ---- */

START_TEST(parts_are_the_ranks_of_cubies)
{
	static const struct cube_piece_list middle = {
		.size = 3, .edges = 4, .edge = {8, 9, 10, 11}};
	struct gen gen = {.state = 27};
	for (uint32_t round = 0; round < gen_states(5000); round++) {
		struct cube_state3 state = random_state(&gen);
		struct cube_cubies cubies;
		uint32_t ranks[CUBE_RANK_PARTS], places[CUBE_PIECE_RANKS];
		cube_state3_to_cubies(&state, &cubies);
		cube_ranks_of(&cubies, ranks);
		cube_piece_ranks_of(&middle, &cubies, places);
		ck_assert_uint_eq(cube_state3_twist(&state), ranks[CUBE_RANK_TWISTS]);
		ck_assert_uint_eq(cube_state3_flip(&state), ranks[CUBE_RANK_FLIPS]);
		ck_assert_uint_eq(cube_state3_corners(&state),
				  CUBE_STATE3_CORNER_RANKS - 1 - ranks[CUBE_RANK_CORNERS]);
		ck_assert_uint_eq(cube_state3_slice(&state), places[CUBE_PIECE_EDGE_PLACES]);
	}
}
END_TEST

/* Ranks of the edges in their own places, put together again. */
START_TEST(edges_are_ranked_apart)
{
	static const char *const moves[] = {"U", "D", "R2", "L2", "F2", "B2"};
	struct gen gen = {.state = 28};
	struct cube_state3 state = cube_state3_solved;
	for (uint32_t round = 0; round < gen_states(2000); round++) {
		uint8_t outer[8], middle[4];
		struct cube_state3 turn = state_after(moves[gen_below(&gen, 6)]);
		ck_assert_uint_lt(cube_state3_edges(&state), CUBE_STATE3_EDGE_RANKS);
		ck_assert_uint_lt(cube_state3_middle(&state), CUBE_STATE3_MIDDLE_RANKS);
		cube_unrank(CUBE_STATE3_EDGE_RANKS - 1 - cube_state3_edges(&state), 8, outer);
		cube_unrank(CUBE_STATE3_MIDDLE_RANKS - 1 - cube_state3_middle(&state), 4, middle);
		for (int i = 0; i < CUBE_EDGES; i++)
			ck_assert_uint_eq(state.piece[i], i < 8 ? outer[i] : middle[i - 8] + 8u);
		cube_state3_compose(&state, &state, &turn);
	}
}
END_TEST

START_TEST(the_solved_state_has_zeros)
{
	const struct cube_state3 *solved = &cube_state3_solved;
	ck_assert_uint_eq(cube_state3_twist(solved) | cube_state3_flip(solved) |
				  cube_state3_slice(solved) | cube_state3_corners(solved) |
				  cube_state3_edges(solved) | cube_state3_middle(solved),
			  0);
}
END_TEST

int main(void)
{
	find_codes();
	Suite *suite = suite_create("state3");
	TCase *all = tcase_create("all");
	tcase_add_test(all, there_is_a_portable_code);
	tcase_add_test(all, compositions_are_as_defined);
	tcase_add_test(all, pairs_are_composed);
	tcase_add_test(all, chains_are_compositions);
	tcase_add_test(all, states_are_a_group);
	tcase_add_test(all, turns_are_compositions);
	tcase_add_test(all, impossible_states);
	tcase_add_test(all, text_is_read);
	tcase_add_test(all, brackets_are_read_to_the_deepest);
	tcase_add_test(all, a_fault_leaves_the_state);
	tcase_add_test(all, parts_are_the_ranks_of_cubies);
	tcase_add_test(all, edges_are_ranked_apart);
	tcase_add_test(all, the_solved_state_has_zeros);
	suite_add_tcase(suite, all);
	return run_suite(suite, 13);
}
