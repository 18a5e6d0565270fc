/* tests/core/test_near.c: hashed tables of near states, of words whose distances are plain to see.
 */
#include "core/solve/common/near.h"
#include "tests/core/run.h"

#include <stdlib.h>

/* States: six digits below 8. A move adds to one of them, so that a state is as far from 0 as it
 * has other digits than 0. A word and its reverse are the same but for symmetry; one that is its
 * own reverse has two names. */
#define DIGITS 6
#define WORDS (1u << 3 * DIGITS)
#define DEPTH 3

static uint8_t faces[7 * DIGITS];

static int distance_of(uint32_t word)
{
	int distance = 0;
	for (; word > 0; word /= 8)
		distance += word % 8 > 0;
	return distance;
}

static uint64_t word_after(const void *context, uint64_t word, unsigned move)
{
	unsigned shift = 3 * (move / 7);
	(void)context;
	return (word & ~((uint64_t)7 << shift)) | (((word >> shift) + move % 7 + 1) & 7) << shift;
}

static unsigned names_of(const void *context, uint64_t word, uint32_t names[NEAR_NAMES])
{
	uint32_t reverse = 0, as = (uint32_t)word;
	(void)context;
	for (int i = 0; i < DIGITS; i++)
		reverse = reverse * 8 + (as >> 3 * i & 7);
	names[0] = as < reverse ? as : reverse;
	names[1] = as + WORDS;
	return as == reverse ? 2 : 1;
}

static struct near_work *work;

/* Counts the words that seem nearer than they are; none may seem farther. */
static int told_nearer(unsigned nearer_bits, unsigned within_bits)
{
	const struct near near = {DEPTH, nearer_bits, within_bits,
				  malloc(((size_t)1 << nearer_bits) / 2),
				  malloc(((size_t)1 << within_bits) / 8)};
	const struct near_space space = {NULL, 0, 7 * DIGITS, faces, word_after, names_of};
	int count = 0;
	near_make(&near, &space, work);
	for (uint32_t word = 0; word < WORDS; word++) {
		uint32_t names[NEAR_NAMES];
		int distance = distance_of(word);
		for (unsigned i = names_of(NULL, word, names); i-- > 0;) {
			uint64_t hash = near_hash(names[i]);
			bool within = near_within(near.within, within_bits, hash);
			int nearer = near_nearer(near.nearer, nearer_bits, hash);
			if (nearer > distance || nearer > DEPTH || (distance <= DEPTH && !within))
				ck_abort_msg("%o is told farther than it is", word);
			count += distance > DEPTH ? within : nearer < distance && nearer < DEPTH;
		}
	}
	free(near.nearer);
	free(near.within);
	return count;
}

/* 7,638 words are within three moves, 778 nearer. */
START_TEST(near_words_are_told_and_few_others)
{
	ck_assert_int_lt(told_nearer(18, 22), 1000);
	ck_assert_int_lt(told_nearer(16, 18), 10000);
}
END_TEST

/* If everything shares its place, no bound is too great either. */
START_TEST(crowded_tables_are_bounds)
{
	ck_assert_int_gt(told_nearer(4, 4), 10000);
}
END_TEST

int main(void)
{
	for (uint8_t move = 0; move < 7 * DIGITS; move++)
		faces[move] = move / 7;
	work = malloc(sizeof(*work));
	Suite *suite = suite_create("near");
	TCase *all = tcase_create("all");
	tcase_add_test(all, near_words_are_told_and_few_others);
	tcase_add_test(all, crowded_tables_are_bounds);
	suite_add_tcase(suite, all);
	int status = run_suite(suite, 2);
	free(work);
	return status;
}
