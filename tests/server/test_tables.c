/* test_tables.c: tables of solvers: made in memory and as files; damaged files are not used. */
#include "cube/solve.h"
#include "tests/server/run.h"

#include "server/search/table_cache.h"
#include "server/search/tables.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/cubed-tables-XXXXXX";
static char within[64], path[192], unfinished[256];
static struct tables_id id;

static void begin(void)
{
	char name[TABLES_NAME_BYTES];
	ck_assert(tables_find("optimal-2-all", &id));
	tables_name(name, id);
	ck_assert_str_eq(name, "optimal-2-all");
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(within, sizeof within, "%s/tables", folder);
	snprintf(path, sizeof path, "%s/%s.tables", within, name);
	snprintf(unfinished, sizeof unfinished, "%s.new", path);
}

static void end(void)
{
	unlink(path);
	unlink(unfinished);
	rmdir(within);
	ck_assert_int_eq(rmdir(folder), 0);
}

static void count_step(void *context, unsigned step, unsigned steps)
{
	unsigned *count = context;
	ck_assert_uint_eq(step, (*count)++);
	ck_assert_uint_eq(steps, id.row->steps);
}

static void make_file(void)
{
	struct error error;
	unsigned count = 0;
	ck_assert(tables_file_make(within, id, 2, count_step, &count, &error));
	ck_assert_str_eq(error.text, "");
	ck_assert_uint_eq(count, id.row->steps + 1);
}

/* By name, each other than all before. */
START_TEST(all_have_names)
{
	char names[64][TABLES_NAME_BYTES];
	struct tables_id at, found;
	size_t count = 0;
	for (; tables_at(count, &at); count++) {
		ck_assert_uint_lt(count, 64);
		tables_name(names[count], at);
		ck_assert_uint_lt(strlen(names[count]), TABLES_NAME_BYTES - 1);
		ck_assert(tables_find(names[count], &found));
		ck_assert_ptr_eq(found.row, at.row);
		ck_assert_ptr_eq(found.solver, at.solver);
	}
	ck_assert_uint_gt(count, 1);
	ck_assert(!tables_find("optimal-2", &found));
	ck_assert(!tables_find("", &found));
}
END_TEST

START_TEST(tables_are_made_in_memory)
{
	struct tables tables;
	struct tables_source source = {.make_bytes_max = id.row->bytes};
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_MADE);
	ck_assert(cube_solver_tables_good(id.row, tables.memory));
	tables_close(&tables);
	ck_assert_ptr_null(tables.memory);

	source.make_bytes_max--;
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_NONE);
	ck_assert_ptr_nonnull(strstr(tables.error.text, "cubed tables build optimal-2-all"));
	tables_close(&tables);
}
END_TEST

START_TEST(making_ends_when_it_is_told_to)
{
	struct tables tables;
	atomic_bool stop = true;
	const struct tables_source source = {.make_bytes_max = SIZE_MAX, .stop = &stop};
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_FAILED);
	ck_assert_ptr_null(tables.memory);
	stop = false;
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_MADE);
	tables_close(&tables);

	struct table_cache *table_cache = table_cache_create(NULL, false, SIZE_MAX);
	struct table_cache_tables taken;
	table_cache_stop(table_cache);
	ck_assert_int_eq(table_cache_take(table_cache, id.solver, NULL, &taken),
			 TABLE_CACHE_NOT_YET);
	table_cache_destroy(table_cache);
}
END_TEST

START_TEST(files_are_read)
{
	struct error error;
	struct tables tables, made;
	struct tables_source source = {.folder = within};
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_NONE);
	ck_assert(!tables_file_good(within, id, &error));
	ck_assert_str_eq(error.text, "");
	make_file();
	ck_assert(tables_file_good(within, id, &error));
	ck_assert_int_eq(access(unfinished, F_OK), -1);
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_READ);
	ck_assert_str_eq(tables.error.text, "");

	source = (struct tables_source){.make_bytes_max = SIZE_MAX, .threads = 1};
	ck_assert_int_eq(tables_open(&made, id, &source), TABLES_MADE);
	ck_assert_int_eq(memcmp(tables.memory, made.memory, id.row->bytes), 0);
	tables_close(&made);

	/* Users of the old file keep it. */
	make_file();
	ck_assert(cube_solver_tables_good(id.row, tables.memory));
	tables_close(&tables);
}
END_TEST

/* Sets one byte of the file; 0: takes its last byte away. */
static void damage(long at)
{
	ck_assert_int_eq(chmod(path, 0600), 0);
	int fd = open(path, O_RDWR);
	ck_assert_int_ge(fd, 0);
	if (at > 0) {
		char byte;
		ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
		byte ^= 1;
		ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
	} else {
		ck_assert_int_eq(ftruncate(fd, (off_t)id.row->bytes - 1), 0);
	}
	close(fd);
}

START_TEST(damaged_files_are_not_used)
{
	const long at[] = {1, 8, 17, 64, (long)id.row->bytes - 1, (long)id.row->bytes / 2, 0};
	struct tables tables;
	const struct tables_source file = {.folder = within};
	const struct tables_source both = {.folder = within, .make_bytes_max = SIZE_MAX};
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
		make_file();
		damage(at[i]);
		ck_assert_int_eq(tables_open(&tables, id, &file), TABLES_NONE);
		ck_assert_ptr_nonnull(strstr(tables.error.text, at[i] > 0 ? "damaged" : "cut off"));
	}
	ck_assert_int_eq(tables_open(&tables, id, &both), TABLES_MADE);
	ck_assert_ptr_nonnull(strstr(tables.error.text, "cut off"));
	tables_close(&tables);
}
END_TEST

START_TEST(what_cannot_be_made_is_told)
{
	struct error error;
	char long_name[2000];
	memset(long_name, 'a', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	ck_assert(!tables_file_make(long_name, id, 1, NULL, NULL, &error));
	ck_assert_uint_gt(strlen(error.text), 10);
	ck_assert(!tables_file_make("/dev/null/x", id, 1, NULL, NULL, &error));
	ck_assert_uint_gt(strlen(error.text), 10);

	/* Left by one that was killed, then held by one that lives. */
	ck_assert_int_eq(mkdir(within, 0777), 0);
	int fd = open(unfinished, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "left", 4), 4);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert(!tables_file_make(within, id, 1, NULL, NULL, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "already"));
	ck_assert_int_eq(access(unfinished, F_OK), 0);
	close(fd);
	make_file();
	ck_assert(tables_file_good(within, id, &error));
}
END_TEST

/* A mapping of the file would end this process. */
START_TEST(a_file_can_be_cut_while_it_is_used)
{
	struct stat status;
	struct tables tables;
	const struct tables_source source = {.folder = within};
	make_file();
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_int_eq(status.st_mode & 0222, 0);
	ck_assert_uint_lt(id.row->bytes, TABLES_MAPPED_BYTES);
	ck_assert_int_eq(tables_open(&tables, id, &source), TABLES_READ);
	ck_assert_int_eq(chmod(path, 0600), 0);
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert(cube_solver_tables_good(id.row, tables.memory));
	tables_close(&tables);
}
END_TEST

START_TEST(only_what_nobody_makes_is_removed)
{
	struct error error;
	tables_files_clean(within); /* there is no folder */
	make_file();
	int fd = open(unfinished, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	tables_files_clean(within);
	ck_assert_int_eq(access(unfinished, F_OK), 0);
	close(fd);
	tables_files_clean(within);
	ck_assert_int_eq(access(unfinished, F_OK), -1);
	ck_assert(tables_file_good(within, id, &error));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tables");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 60);
	tcase_add_checked_fixture(all, begin, end);
	tcase_add_test(all, all_have_names);
	tcase_add_test(all, tables_are_made_in_memory);
	tcase_add_test(all, making_ends_when_it_is_told_to);
	tcase_add_test(all, files_are_read);
	tcase_add_test(all, damaged_files_are_not_used);
	tcase_add_test(all, what_cannot_be_made_is_told);
	tcase_add_test(all, a_file_can_be_cut_while_it_is_used);
	tcase_add_test(all, only_what_nobody_makes_is_removed);
	suite_add_tcase(suite, all);
	return run_suite(suite, 8);
}
