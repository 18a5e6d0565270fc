/* test_bank.c: tables that searches share: opened once, made or read, or not to be had. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"
#include "server/solve/bank.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

#define MAKE_BYTES 10000000

static const struct cube_solver *optimal2(void)
{
	return cube_solver_find("optimal", 7, 2);
}

START_TEST(what_is_too_large_is_missing)
{
	struct bank_tables tables;
	struct bank *bank = bank_create(NULL, false, 1000);
	ck_assert_int_eq(bank_take(bank, optimal2(), NULL, &tables), BANK_MISSING);
	ck_assert_ptr_null(tables.tables);
	ck_assert_ptr_null(bank_loaded(bank, optimal2()));
	/* And it is asked for again, for it may have come. */
	ck_assert_int_eq(bank_take(bank, optimal2(), NULL, &tables), BANK_MISSING);
	/* One that needs none. */
	ck_assert_int_eq(bank_take(bank, cube_solver_find("beginner", 8, 3), NULL, &tables),
			 BANK_READY);
	ck_assert_ptr_null(tables.tables);
	bank_destroy(bank);
}
END_TEST

static struct bank *shared;

static void *take(void *into)
{
	struct bank_tables tables;
	if (bank_take(shared, optimal2(), NULL, &tables) == BANK_READY)
		*(const void **)into = tables.tables;
	return NULL;
}

START_TEST(many_who_ask_get_the_same)
{
	pthread_t threads[4];
	const void *memory[4] = {NULL};
	shared = bank_create(NULL, _i == 1, MAKE_BYTES);
	ck_assert_ptr_null(bank_loaded(shared, optimal2()));
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, take, &memory[i]), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_ptr_nonnull(memory[i]);
		ck_assert_ptr_eq(memory[i], memory[0]);
	}
	ck_assert_ptr_eq(bank_loaded(shared, optimal2()), &optimal2()->tables[0]);
	ck_assert(cube_solver_tables_good(&optimal2()->tables[0], memory[0]));
	bank_destroy(shared);
}
END_TEST

/* Who does not wait does not stop it; and one who waits without end gets it. */
START_TEST(some_do_not_wait)
{
	static const atomic_bool stop = true, go_on = false;
	const struct bank_patience patience[] = {
		{0, &go_on},
		{monotonic_ns() + 1000000, &go_on},
		{UINT64_MAX, &stop},
	};
	struct bank_tables tables = {.tables = &tables};
	for (size_t i = 0; i < sizeof patience / sizeof patience[0]; i++) {
		struct bank *bank = bank_create(NULL, false, MAKE_BYTES);
		ck_assert(!bank_opening(bank, optimal2()));
		ck_assert_int_eq(bank_take(bank, optimal2(), &patience[i], &tables), BANK_NOT_YET);
		ck_assert_ptr_null(tables.tables);
		ck_assert(bank_opening(bank, optimal2()));
		bank_begin(bank, optimal2()); /* already */
		if (i > 0)
			ck_assert_int_eq(bank_take(bank, optimal2(), NULL, &tables), BANK_READY);
		ck_assert(i == 0 || !bank_opening(bank, optimal2()));
		if (i > 0)
			ck_assert_int_eq(bank_take(bank, optimal2(), &patience[0], &tables),
					 BANK_READY);
		bank_destroy(bank); /* also while they are made */
	}
	struct bank *bank = bank_create(NULL, false, MAKE_BYTES);
	const struct bank_patience long_enough = {monotonic_ns() + 60000000000u, &go_on};
	ck_assert_int_eq(bank_take(bank, optimal2(), &long_enough, &tables), BANK_READY);
	ck_assert(cube_solver_tables_good(&optimal2()->tables[0], tables.tables));
	bank_destroy(bank);
	bank = bank_create(NULL, false, 1000);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(bank_take(bank, optimal2(), &long_enough, &tables), BANK_MISSING);
	bank_destroy(bank);
}
END_TEST

START_TEST(a_file_is_read)
{
	char folder[] = "/tmp/cubed-bank-XXXXXX", path[128], problem[TABLES_PROBLEM_BYTES];
	struct tables_id id;
	struct bank_tables tables;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert(tables_find("optimal-2-all", &id));
	ck_assert(tables_file_make(folder, id, 2, NULL, NULL, problem));
	for (int large = 0; large < 2; large++) {
		struct bank *bank = bank_create(folder, large, 0);
		ck_assert_int_eq(bank_take(bank, optimal2(), NULL, &tables), BANK_READY);
		ck_assert(cube_solver_tables_good(id.row, tables.tables));
		bank_destroy(bank);
	}
	snprintf(path, sizeof path, "%s/optimal-2-all.tables", folder);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
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
	suite_add_tcase(suite, tests);
	return run_suite(suite, 5);
}
