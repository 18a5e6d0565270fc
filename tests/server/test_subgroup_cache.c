/* test_subgroup_cache.c: the tables of generators are made once, and kept as far as they fit. Counted, not
 * timed. */
#include <pthread.h>
#include <stdlib.h>

#include "run.h"
#include "cube/libcube.h"
#include "server/search/subgroup_cache.h"

static struct kept *take(struct kept_cache *cache, int size, int first, int second)
{
	const struct cube_turn generators[] = {cube_turn_make(size, first, 1, 1, 1),
					       cube_turn_make(size, second, 1, 1, 1)};
	struct kept *kept = subgroup_cache_take(cache, size, generators, 2);
	ck_assert_ptr_nonnull(kept);
	return kept;
}

static void use(struct kept_cache *cache, int size, int first, int second)
{
	kept_cache_release(cache, take(cache, size, first, second));
}

START_TEST(a_subgroup_is_made_once)
{
	struct kept_cache *cache = subgroup_cache_create(SUBGROUP_CACHE_BYTES);
	for (int round = 0; round < 3; round++) {
		use(cache, 3, CUBE_R, CUBE_U);
		use(cache, 2, CUBE_R, CUBE_U);
		use(cache, 3, CUBE_U, CUBE_R);
	}
	const struct kept_count count = kept_cache_count(cache);
	ck_assert_uint_eq(count.made, 3);
	ck_assert_uint_eq(count.kept, 3);
	ck_assert_uint_lt(count.bytes, (size_t)8 << 20);
	kept_cache_destroy(cache);
}
END_TEST

START_TEST(what_does_not_fit_goes_when_it_is_released)
{
	struct kept_cache *cache = subgroup_cache_create(SUBGROUP_CACHE_BYTES);
	use(cache, 3, CUBE_R, CUBE_U);
	const size_t each = kept_cache_count(cache).bytes;
	kept_cache_destroy(cache);

	cache = subgroup_cache_create(2 * each);
	struct kept *first = take(cache, 3, CUBE_R, CUBE_U);
	use(cache, 3, CUBE_F, CUBE_U);
	use(cache, 3, CUBE_L, CUBE_U);
	ck_assert_uint_eq(kept_cache_count(cache).kept, 2);
	ck_assert_uint_le(kept_cache_count(cache).bytes, 2 * each);
	ck_assert_uint_eq(cube_subgroup_order(kept_subgroup_tables(first)).low, 73483200);
	kept_cache_release(cache, first);
	use(cache, 3, CUBE_L, CUBE_U);
	ck_assert_uint_eq(kept_cache_count(cache).made, 3);
	use(cache, 3, CUBE_R, CUBE_U);
	ck_assert_uint_eq(kept_cache_count(cache).made, 4);
	kept_cache_release(cache, NULL);
	kept_cache_destroy(cache);
}
END_TEST

static void *use_all(void *cache)
{
	for (int i = 0; i < 20; i++)
		use(cache, 3, i % 3, (i + 1) % 3);
	return NULL;
}

START_TEST(threads_share_it)
{
	struct kept_cache *cache = subgroup_cache_create((size_t)1 << 20);
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, use_all, cache), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	ck_assert_uint_le(kept_cache_count(cache).bytes, (size_t)1 << 20);
	kept_cache_destroy(cache);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("subgroup_cache");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 120);
	tcase_add_test(all, a_subgroup_is_made_once);
	tcase_add_test(all, what_does_not_fit_goes_when_it_is_released);
	tcase_add_test(all, threads_share_it);
	suite_add_tcase(suite, all);
	return run_suite(suite, 3);
}
