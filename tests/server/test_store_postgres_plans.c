/* test_store_postgres_plans.c: no statement reads a table as a whole: each finds its rows by an
 * index, in empty tables and in grown ones. */
#include "tests/server/run.h"

#include "server/modules/postgres/store/statements.h"
#include "tests/server/postgres_fixture.h"
#include "tests/server/store_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As connection.c sets them. */
#define SETTINGS                                                                                   \
	"SET search_path = cubed; SET enable_hashjoin = off; SET enable_mergejoin = off;"          \
	"SET enable_seqscan = off; SET enable_bitmapscan = off;"                                   \
	"SET plan_cache_mode = force_generic_plan; SET jit = off;"

#define GROW                                                                                       \
	"SET search_path = cubed;"                                                                 \
	"INSERT INTO session (id8, id2, created_ms, size, mode, canonical) SELECT n, 0, n, 3,"     \
	" CASE WHEN n % 10 = 0 THEN 65 WHEN n % 7 = 0 THEN 48 ELSE 1 END, n % 50"                  \
	" FROM generate_series(1, 20000) n;"                                                       \
	"INSERT INTO session_more (session, deleted_ms, name) SELECT n, CASE WHEN n % 7 = 0"       \
	" THEN n END, 'n' FROM generate_series(1, 20000, 7) n;"                                    \
	"INSERT INTO history SELECT n / 10, 1 + n % 10, '\\x00' FROM generate_series(1, 20000) n;" \
	"INSERT INTO snapshot SELECT n / 4, 1 + n % 4, '\\x00' FROM generate_series(1, 20000) n;"  \
	"INSERT INTO canonical_index SELECT n % 50, n FROM generate_series(1, 20000) n;"           \
	"INSERT INTO token (session, number, role, hash, created_ms) SELECT n, 1, 0, '\\x00', 0"   \
	" FROM generate_series(1, 20000) n;"                                                       \
	"INSERT INTO receipt SELECT gen_random_uuid(), n, '\\x00', '\\x00', n, '\\x00'"            \
	" FROM generate_series(1, 20000) n;"                                                       \
	"INSERT INTO pattern SELECT n, 0, 'n', '{}', 0 FROM generate_series(1, 20000) n;"          \
	"INSERT INTO solve (session, id8, created_ms, id2, origin, verified, assisted)"            \
	" SELECT n / 9, n, n, 0, 0, false, false FROM generate_series(1, 20000) n;"                \
	"INSERT INTO solve_frame SELECT n, '{}' FROM generate_series(1, 20000) n;"                 \
	"INSERT INTO answer (canonical, size, method, colors, moves, created_ms) SELECT n, 3, 'm'" \
	", '\\x00', '\\x00', 0 FROM generate_series(1, 20000) n;"                                  \
	"INSERT INTO process (process) SELECT n FROM generate_series(1, 20) n;"                    \
	"INSERT INTO notice SELECT gen_random_uuid(), n % 20, '\\x00'"                             \
	" FROM generate_series(1, 20000) n;"                                                       \
	"INSERT INTO lane (lane) SELECT -n FROM generate_series(1, 20) n;"                         \
	"INSERT INTO change (lane, batch, body) SELECT -1 - n % 20, 1 + n / 20, '\\x01'"           \
	" FROM generate_series(0, 19999) n; ANALYZE"

/* The highest number of a parameter. */
static int parameters_of(const char *sql)
{
	int most = 0;
	for (const char *at = strchr(sql, '$'); at != NULL; at = strchr(at + 1, '$'))
		if (atoi(at + 1) > most)
			most = atoi(at + 1);
	return most;
}

/* Tables with a few rows, which may be read as a whole. */
static bool is_small(const char *line)
{
	static const char *const small[] = {" on lane ", " on meta ", " on process ", " on lane l",
					    " on meta m"};
	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
		if (strstr(line, small[i]) != NULL)
			return true;
	return false;
}

/* The first row of an index, as max() of a column that is not null: PostgreSQL 17 has no condition for it. */
static bool is_one_row(const char *above)
{
	return above != NULL && strstr(above, "Limit ") != NULL &&
	       strstr(above, " rows=1 ") != NULL;
}

/* Each scan of a large table has a condition on its index, or reads one row. */
static void check_plan(const char *name, const char *plan)
{
	char *copy = strdup(plan), *rest = copy, *line, *above = NULL, *scan = NULL;
	ck_assert_ptr_nonnull(copy);
	while ((line = strsep(&rest, "\n")) != NULL) {
		ck_assert_msg(strstr(line, "Seq Scan") == NULL || is_small(line), "%s:\n%s", name,
			      plan);
		if (scan != NULL)
			ck_assert_msg(strstr(line, "Index Cond") != NULL, "%s: %s in\n%s", name,
				      scan, plan);
		scan = strstr(line, "Index ") != NULL && strstr(line, " using ") != NULL &&
				       !is_small(line) && !is_one_row(above)
			       ? line
			       : NULL;
		above = line;
	}
	ck_assert_msg(scan == NULL, "%s:\n%s", name, plan);
	free(copy);
}

static void check_statement(const char *database, int i)
{
	const size_t room = strlen(statement_sql[i]) + 2000;
	char *sql = malloc(room);
	ck_assert_ptr_nonnull(sql);
	int length = snprintf(sql, room, "%sPREPARE s AS %s;EXPLAIN EXECUTE s", SETTINGS,
			      statement_sql[i]);
	for (int k = 0; k < parameters_of(statement_sql[i]); k++)
		length += snprintf(sql + length, room - (size_t)length, "%sNULL",
				   k == 0 ? " (" : ", ");
	if (parameters_of(statement_sql[i]) > 0)
		snprintf(sql + length, room - (size_t)length, ")");
	char *plan = postgres_fixture_sql(database, sql);
	check_plan(statement_names[i], plan);
	free(plan);
	free(sql);
}

START_TEST(rows_are_found_by_indexes)
{
	struct store_fixture fixture;
	fixture_init(&fixture, "postgresql");
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < STATEMENT_COUNT; i++)
			check_statement(fixture.database, i);
		if (round == 0)
			free(postgres_fixture_sql(fixture.database, GROW));
	}
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store on PostgreSQL: plans");
	TCase *plain = tcase_create("store on PostgreSQL: plans");
	tcase_set_timeout(plain, 120);
	tcase_add_test(plain, rows_are_found_by_indexes);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 1);
}
