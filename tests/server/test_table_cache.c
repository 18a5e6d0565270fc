/* test_table_cache.c: tables that searches share: opened once, made or read, or not available. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cube/solve.h"
#include "run.h"
#include "server/search/table_cache.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

#define MAKE_BYTES 10000000

static const struct cube_solver *optimal2(void)
{
	return cube_solver_find("optimal", 7, 2);
}

START_TEST(what_is_too_large_is_missing)
{
	struct table_cache_tables tables;
	struct table_cache *table_cache = table_cache_create(NULL, false, 1000);
	ck_assert_int_eq(table_cache_take(table_cache, optimal2(), NULL, &tables),
			 TABLE_CACHE_MISSING);
	ck_assert_ptr_null(tables.tables);
	ck_assert_ptr_null(table_cache_loaded(table_cache, optimal2()));
	/* It is taken again, since the tables may be there by now. */
	ck_assert_int_eq(table_cache_take(table_cache, optimal2(), NULL, &tables),
			 TABLE_CACHE_MISSING);
	/* One that needs none. */
	ck_assert_int_eq(
		table_cache_take(table_cache, cube_solver_find("beginner", 8, 3), NULL, &tables),
		TABLE_CACHE_READY);
	ck_assert_ptr_null(tables.tables);
	table_cache_destroy(table_cache);
}
END_TEST

static struct table_cache *shared;

static void *take(void *into)
{
	struct table_cache_tables tables;
	if (table_cache_take(shared, optimal2(), NULL, &tables) == TABLE_CACHE_READY)
		*(const void **)into = tables.tables;
	return NULL;
}

START_TEST(many_who_ask_get_the_same)
{
	pthread_t threads[4];
	const void *memory[4] = {NULL};
	shared = table_cache_create(NULL, _i == 1, MAKE_BYTES);
	ck_assert_ptr_null(table_cache_loaded(shared, optimal2()));
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, take, &memory[i]), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_ptr_nonnull(memory[i]);
		ck_assert_ptr_eq(memory[i], memory[0]);
	}
	ck_assert_ptr_eq(table_cache_loaded(shared, optimal2()), &optimal2()->tables[0]);
	ck_assert(cube_solver_tables_good(&optimal2()->tables[0], memory[0]));
	table_cache_destroy(shared);
}
END_TEST

/* A caller that does not wait does not stop it; and one that waits without end gets it. */
START_TEST(some_do_not_wait)
{
	static const atomic_bool stop = true, go_on = false;
	const struct table_cache_deadline deadline[] = {
		{0, &go_on},
		{monotonic_ns() + 1000000, &go_on},
		{UINT64_MAX, &stop},
	};
	struct table_cache_tables tables = {.tables = &tables};
	for (size_t i = 0; i < sizeof deadline / sizeof deadline[0]; i++) {
		struct table_cache *table_cache = table_cache_create(NULL, false, MAKE_BYTES);
		ck_assert(!table_cache_opening(table_cache, optimal2()));
		ck_assert_int_eq(table_cache_take(table_cache, optimal2(), &deadline[i], &tables),
				 TABLE_CACHE_NOT_YET);
		ck_assert_ptr_null(tables.tables);
		ck_assert(table_cache_opening(table_cache, optimal2()));
		table_cache_begin(table_cache, optimal2()); /* already */
		if (i > 0)
			ck_assert_int_eq(table_cache_take(table_cache, optimal2(), NULL, &tables),
					 TABLE_CACHE_READY);
		ck_assert(i == 0 || !table_cache_opening(table_cache, optimal2()));
		if (i > 0)
			ck_assert_int_eq(
				table_cache_take(table_cache, optimal2(), &deadline[0], &tables),
				TABLE_CACHE_READY);
		table_cache_destroy(table_cache); /* also while they are made */
	}
	struct table_cache *table_cache = table_cache_create(NULL, false, MAKE_BYTES);
	const struct table_cache_deadline long_enough = {monotonic_ns() + 1200000000000u, &go_on};
	ck_assert_int_eq(table_cache_take(table_cache, optimal2(), &long_enough, &tables),
			 TABLE_CACHE_READY);
	ck_assert(cube_solver_tables_good(&optimal2()->tables[0], tables.tables));
	table_cache_destroy(table_cache);
	table_cache = table_cache_create(NULL, false, 1000);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(table_cache_take(table_cache, optimal2(), &long_enough, &tables),
				 TABLE_CACHE_MISSING);
	table_cache_destroy(table_cache);
}
END_TEST

START_TEST(a_file_is_read)
{
	char folder[] = "/tmp/cubed-bank-XXXXXX", path[128];
	struct error error;
	struct tables_id id;
	struct table_cache_tables tables;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert(tables_find("optimal-2-all", &id));
	ck_assert(tables_file_make(folder, id, 2, NULL, NULL, &error));
	for (int large = 0; large < 2; large++) {
		struct table_cache *table_cache = table_cache_create(folder, large, 0);
		ck_assert_int_eq(table_cache_take(table_cache, optimal2(), NULL, &tables),
				 TABLE_CACHE_READY);
		ck_assert(cube_solver_tables_good(id.row, tables.tables));
		table_cache_destroy(table_cache);
	}
	snprintf(path, sizeof path, "%s/optimal-2-all.tables", folder);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* ---- larger tables while searches go on ---- */

#define SMALL_BYTES CUBE_SOLVE_ALIGNED(4096)
#define MEDIUM_BYTES CUBE_SOLVE_ALIGNED(8192)
#define LARGE_BYTES CUBE_SOLVE_ALIGNED(65536)

static atomic_bool held;

static void make_at_once(void *tables, unsigned step, unsigned part)
{
	(void)step;
	memset((char *)tables + SMALL_BYTES / 2 + part, 1, 1);
}

static void make_when_released(void *tables, unsigned step, unsigned part)
{
	while (atomic_load(&held))
		usleep(1000);
	make_at_once(tables, step, part);
}

static const struct cube_solver_tables sizes[] = {
	{.name = "small", .bytes = SMALL_BYTES, .steps = 1, .parts = 1, .make = make_at_once},
	{.name = "medium",
	 .bytes = MEDIUM_BYTES,
	 .steps = 2,
	 .parts = 3,
	 .make = make_when_released},
	{.name = "large", .bytes = LARGE_BYTES, .steps = 1, .parts = 1, .make = make_when_released},
};
static const struct cube_solver growing = {.name = "growing",
					   .size_min = 3,
					   .size_max = 3,
					   .optimal = true,
					   .tables = sizes,
					   .table_count = 3};

static const struct cube_solver_tables *row_taken(struct table_cache *table_cache,
						  const struct cube_solver *solver)
{
	struct table_cache_tables tables;
	ck_assert_int_eq(table_cache_take(table_cache, solver, NULL, &tables), TABLE_CACHE_READY);
	ck_assert_ptr_nonnull(tables.tables);
	ck_assert_ptr_eq(tables.row, table_cache_loaded(table_cache, solver));
	return tables.row;
}

START_TEST(searches_go_on_while_larger_ones_are_made)
{
	struct table_cache *table_cache = table_cache_create(NULL, false, MAKE_BYTES);
	table_cache_set_grow_max(table_cache, MEDIUM_BYTES);
	atomic_store(&held, true);
	table_cache_grow(table_cache, &growing); /* nothing is open yet */
	ck_assert_ptr_null(table_cache_growing(table_cache, &growing));
	ck_assert_ptr_eq(row_taken(table_cache, &growing), &sizes[0]);
	table_cache_grow(table_cache, &growing);
	ck_assert_ptr_eq(table_cache_growing(table_cache, &growing), &sizes[1]);
	ck_assert_uint_eq(table_cache_openings(table_cache), 1);
	ck_assert_ptr_eq(row_taken(table_cache, &growing), &sizes[0]);
	ck_assert_uint_eq(table_cache_grown(table_cache), 0);
	ck_assert_uint_eq(table_cache_bytes(table_cache), SMALL_BYTES);
	atomic_store(&held, false);
	while (table_cache_grown(table_cache) == 0)
		usleep(1000);
	ck_assert_ptr_eq(row_taken(table_cache, &growing), &sizes[1]);
	ck_assert_uint_eq(table_cache_bytes(table_cache), SMALL_BYTES + MEDIUM_BYTES);
	table_cache_grow(table_cache, &growing);
	ck_assert_ptr_null(table_cache_growing(table_cache, &growing));
	ck_assert_uint_eq(table_cache_openings(table_cache), 0);
	table_cache_destroy(table_cache);
}
END_TEST

START_TEST(nothing_grows_without_memory_or_need)
{
	static const size_t memory[] = {0, MEDIUM_BYTES - 1, LARGE_BYTES};
	static struct cube_solver other;
	other = growing;
	other.optimal = false;
	for (size_t i = 0; i < 3; i++) {
		const struct cube_solver *solver = i == 2 ? &other : &growing;
		struct table_cache *table_cache = table_cache_create(NULL, false, MAKE_BYTES);
		table_cache_set_grow_max(table_cache, memory[i]);
		ck_assert_ptr_eq(row_taken(table_cache, solver), &sizes[0]);
		table_cache_grow(table_cache, solver);
		ck_assert_ptr_null(table_cache_growing(table_cache, solver));
		ck_assert_uint_eq(table_cache_openings(table_cache), 0);
		table_cache_destroy(table_cache);
	}
}
END_TEST

/* Only the part that is being made is finished; the smaller tables stay. */
START_TEST(growing_ends_when_stopped)
{
	struct table_cache *table_cache = table_cache_create(NULL, false, MAKE_BYTES);
	table_cache_set_grow_max(table_cache, MEDIUM_BYTES);
	atomic_store(&held, true);
	ck_assert_ptr_eq(row_taken(table_cache, &growing), &sizes[0]);
	table_cache_grow(table_cache, &growing);
	table_cache_stop(table_cache);
	atomic_store(&held, false);
	while (table_cache_openings(table_cache) > 0)
		usleep(1000);
	ck_assert_uint_eq(table_cache_grown(table_cache), 0);
	ck_assert_ptr_eq(row_taken(table_cache, &growing), &sizes[0]);
	table_cache_destroy(table_cache);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0);
	Suite *suite = suite_create("bank");
	TCase *tests = tcase_create("bank");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, what_is_too_large_is_missing);
	tcase_add_loop_test(tests, many_who_ask_get_the_same, 0, 2);
	tcase_add_test(tests, some_do_not_wait);
	tcase_add_test(tests, a_file_is_read);
	tcase_add_test(tests, searches_go_on_while_larger_ones_are_made);
	tcase_add_test(tests, nothing_grows_without_memory_or_need);
	tcase_add_test(tests, growing_ends_when_stopped);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 8);
}
