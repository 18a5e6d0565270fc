/* postgres_fixture.h: databases of a PostgreSQL server that only this test program uses, or, if there is a
 * CUBED_TEST_POSTGRES (tests/support/postgres.sh with), the programs of one run. It is started by
 * the first call, in about a second, and ends with the program, also if that is killed. */
#ifndef TESTS_SERVER_POSTGRES_FIXTURE_H
#define TESTS_SERVER_POSTGRES_FIXTURE_H

#include <stddef.h>

#define POSTGRES_NAME_MAX 32

/* Creates an empty database; `name` is for the calls below. */
void postgres_fixture_create(char name[POSTGRES_NAME_MAX]);
void postgres_fixture_drop(const char *name);
/* Its libpq connection string. */
void postgres_fixture_conninfo(const char *name, char *conninfo, size_t size);
/* The folder of its socket. Valid until the next call. */
const char *postgres_fixture_host(void);
/* Executes an SQL statement; its result as psql -At prints it, without the last newline, malloc'd. */
char *postgres_fixture_sql(const char *name, const char *sql);
/* A command of postgres.sh: "kill a", "start a", "standby b a". False if it failed. Only without
 * CUBED_TEST_POSTGRES: postgres_fixture_alone() starts one of our own in any case. */
void postgres_fixture_alone(void);
int postgres_fixture_command(const char *command);

#endif
