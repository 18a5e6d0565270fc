/* tables.c: cubed tables: the files of solvers' tables, made once and mapped by the server. */
#include "cube/solve.h"
#include "server/ops/ops.h"

#include <stdio.h>
#include <string.h>

#include "server/search/tables.h"

static int list_tables(const char *folder)
{
	char name[TABLES_NAME_BYTES];
	struct error error;
	struct tables_id id;
	bool damaged = false;
	for (size_t i = 0; tables_at(i, &id); i++) {
		tables_name(name, id);
		bool good = tables_file_good(folder, id, &error);
		damaged |= !good && error.text[0];
		printf("%-24s %8.1f MB  %s\n", name, (double)id.row->bytes / 1e6,
		       good            ? "there"
		       : error.text[0] ? error.text
				       : "not there");
	}
	return fflush(stdout) == 0 && !damaged ? 0 : 1;
}

static void report_step(void *context, unsigned step, unsigned steps)
{
	const char *name = context;
	if (step < steps)
		fprintf(stderr, "cubed: %s: step %u of %u\n", name, step + 1, steps);
	else
		fprintf(stderr, "cubed: %s: writing it\n", name);
}

static int build_one(const char *folder, struct tables_id id)
{
	char name[TABLES_NAME_BYTES];
	struct error error;
	tables_name(name, id);
	if (tables_file_good(folder, id, &error)) {
		printf("%s is in %s already\n", name, folder);
		return 0;
	}
	if (error.text[0])
		fprintf(stderr, "cubed: %s; it is made again\n", error.text);
	if (!tables_file_make(folder, id, 0, report_step, name, &error))
		return ops_failed("%s", error.text);
	printf("%s is in %s\n", name, folder);
	return 0;
}

static int build_tables(const char *folder, char **names, int count)
{
	struct tables_id id;
	for (int i = 0; i < count; i++) {
		if (!tables_find(names[i], &id)) {
			ops_failed("there are no tables \"%s\"; `cubed tables list` names them",
				   names[i]);
			return OPS_EXIT_USAGE;
		}
	}
	int code = 0;
	tables_files_clean(folder);
	for (int i = 0; i < count; i++)
		if (tables_find(names[i], &id) && build_one(folder, id) != 0)
			code = 1;
	return fflush(stdout) == 0 ? code : 1;
}

int tables_run(const struct ops_call *call)
{
	const char *folder = call->config->tables_dir, *command = call->words[0];
	if (strcmp(command, "list") == 0 && call->word_count == 1)
		return list_tables(folder);
	if (strcmp(command, "build") == 0 && call->word_count > 1)
		return build_tables(folder, call->words + 1, call->word_count - 1);
	ops_failed("usage: cubed tables build NAME.. | list [--tables-dir FOLDER]");
	return OPS_EXIT_USAGE;
}
