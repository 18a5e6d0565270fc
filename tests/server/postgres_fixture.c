/* postgres_fixture.c: a PostgreSQL server of the tests' own, through tests/support/postgres.sh. */
#include "tests/core/check.h"
#include "tests/server/postgres_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT "tests/support/postgres.sh"

static char folder[80];
static pid_t keeper;
static FILE *commands, *answers;

/* The script ends its servers at the end of its standard input. */
static void end(void)
{
	fclose(commands);
	waitpid(keeper, NULL, 0);
	fclose(answers);
	keeper = 0;
}

static void start(void)
{
	int in[2], out[2];
	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	keeper = fork();
	if (keeper == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execl(SCRIPT, SCRIPT, "serve", (char *)NULL);
		_exit(127);
	}
	ck_assert_int_ge(keeper, 0);
	close(in[0]);
	close(out[1]);
	commands = fdopen(in[1], "w");
	answers = fdopen(out[0], "r");
	ck_assert(commands != NULL && answers != NULL);
	atexit(end);
	char line[120] = "";
	ck_assert_msg(fgets(line, sizeof(line), answers) != NULL &&
			      sscanf(line, "ready %79s", folder) == 1,
		      SCRIPT " did not start a PostgreSQL server: %s", line);
}

void postgres_fixture_alone(void)
{
	if (keeper == 0)
		start();
}

static void ensure_started(void)
{
	const char *shared = getenv("CUBED_TEST_POSTGRES");
	if (keeper != 0)
		return;
	if (shared != NULL)
		snprintf(folder, sizeof(folder), "%s", shared);
	else
		start();
}

int postgres_fixture_command(const char *command)
{
	char line[120];
	ck_assert_msg(keeper != 0, "postgres_fixture_alone() was not called");
	fprintf(commands, "%s\n", command);
	fflush(commands);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), answers));
	return strcmp(line, "ok\n") == 0;
}

void postgres_fixture_conninfo(const char *name, char *conninfo, size_t size)
{
	ensure_started();
	int length = snprintf(conninfo, size, "host=%s/a user=cubed dbname=%s", folder, name);
	ck_assert_int_lt(length, (int)size);
}

const char *postgres_fixture_host(void)
{
	static char host[90];
	ensure_started();
	snprintf(host, sizeof(host), "%s/a", folder);
	return host;
}

char *postgres_fixture_sql(const char *name, const char *sql)
{
	char conninfo[160], line[4096], *result = NULL;
	int out[2];
	size_t length = 0, room = 0;
	postgres_fixture_conninfo(name, conninfo, sizeof(conninfo));
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	/* Another thread may be in an assertion, whose lock the child would wait for. */
	pid_t psql = fork();
	if (psql == 0) {
		dup2(out[1], STDOUT_FILENO);
		execlp("psql", "psql", "-XAtqd", conninfo, "-v", "ON_ERROR_STOP=1", "-c", sql,
		       (char *)NULL);
		_exit(127);
	}
	ck_assert_int_ge(psql, 0);
	close(out[1]);
	for (ssize_t got; (got = read(out[0], line, sizeof(line))) > 0; length += (size_t)got) {
		room = length + (size_t)got + 1;
		result = realloc(result, room);
		ck_assert_ptr_nonnull(result);
		memcpy(result + length, line, (size_t)got);
	}
	close(out[0]);
	int status;
	ck_assert_int_eq(waitpid(psql, &status, 0), psql);
	ck_assert_msg(status == 0, "psql failed: %s", sql);
	if (result == NULL)
		return strdup("");
	result[result[length - 1] == '\n' ? length - 1 : length] = '\0';
	return result;
}

void postgres_fixture_create(char name[POSTGRES_NAME_MAX])
{
	static unsigned serial;
	char sql[80];
	snprintf(name, POSTGRES_NAME_MAX, "test_%ld_%u", (long)getpid(), ++serial);
	snprintf(sql, sizeof(sql), "CREATE DATABASE %s", name);
	free(postgres_fixture_sql("postgres", sql));
}

void postgres_fixture_drop(const char *name)
{
	char sql[80];
	snprintf(sql, sizeof(sql), "DROP DATABASE %s WITH (FORCE)", name);
	free(postgres_fixture_sql("postgres", sql));
}
