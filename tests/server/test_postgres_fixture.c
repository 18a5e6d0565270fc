/* test_postgres_fixture.c: the tests' own PostgreSQL keeps what was committed through kills and a
 * promotion; its databases are apart. */
#include "tests/server/postgres_fixture.h"

#include <stdlib.h>
#include "tests/server/run.h"

static void check_sql(const char *name, const char *sql, const char *expected)
{
	char *result = postgres_fixture_sql(name, sql);
	ck_assert_str_eq(result, expected);
	free(result);
}

START_TEST(databases)
{
	char one[POSTGRES_NAME_MAX], other[POSTGRES_NAME_MAX];
	postgres_fixture_create(one);
	postgres_fixture_create(other);
	check_sql(one, "CREATE TABLE t (n int)", "");
	check_sql(other, "SELECT to_regclass('t') IS NULL", "t");
	check_sql(one, "SELECT 1, 'a' UNION SELECT 2, 'b' ORDER BY 1", "1|a\n2|b");
	check_sql(one,
		  "SELECT rolsuper, current_setting('fsync') FROM pg_roles WHERE rolname = 'cubed'",
		  "t|on");
	postgres_fixture_drop(one);
	postgres_fixture_drop(other);
}
END_TEST

START_TEST(commands)
{
	char name[POSTGRES_NAME_MAX];
	postgres_fixture_alone();
	postgres_fixture_create(name);
	check_sql(name, "CREATE TABLE t (n int)", "");
	check_sql(name, "INSERT INTO t VALUES (1)", "");
	ck_assert(postgres_fixture_command("kill a"));
	ck_assert(!postgres_fixture_command("kill a"));
	ck_assert(!postgres_fixture_command("start z"));
	ck_assert(postgres_fixture_command("start a"));
	check_sql(name, "INSERT INTO t VALUES (2)", "");
	ck_assert(postgres_fixture_command("standby b a"));
	ck_assert(postgres_fixture_command("synchronous a"));
	check_sql(name, "INSERT INTO t VALUES (3)", "");
	ck_assert(postgres_fixture_command("kill a"));
	ck_assert(postgres_fixture_command("promote b"));
	ck_assert(postgres_fixture_command("standby a b"));
	check_sql(name, "SELECT count(*), pg_is_in_recovery() FROM t", "3|t");
	ck_assert(postgres_fixture_command("promote a"));
	postgres_fixture_drop(name);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("PostgreSQL of the tests");
	TCase *plain = tcase_create("PostgreSQL of the tests");
	tcase_set_timeout(plain, 300);
	tcase_add_test(plain, databases);
	tcase_add_test(plain, commands);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 2);
}
