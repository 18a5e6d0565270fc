/* tests/core/test_state3.c: compact states: every code against the definition, the laws, real
 * turns. */
#include "cube/state3.h"

#include "cube/index.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <string.h>

/* Every code that this machine has; at least the portable one. */
static const struct cube_state3_code *codes[4];
static int code_count;

static void find_codes(void)
{
	while (code_count < 4 && cube_state3_code((size_t)code_count)) {
		codes[code_count] = cube_state3_code((size_t)code_count);
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
		ck_assert_ptr_null(cube_state3_code((size_t)(code_count + i)));
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
	/* Every piece stays and turns as far as it can; corners to 2, though that is no cube. */
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
	suite_add_tcase(suite, all);
	return run_suite(suite, 7);
}
