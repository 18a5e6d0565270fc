/* tables.h: tables of solvers (cube/solve.h): read from a file that was made once, or made in memory.
 *
 * A folder, --tables-dir, has a file for each, METHOD-SIZE-TABLES.tables, for example
 * optimal-3-large.tables: an image of the tables' memory, with a checksum. A file that is truncated,
 * damaged, of another version or of another machine is not used, and is replaced when made again.
 *
 * Files below TABLES_MAPPED_BYTES are copied into memory. Larger ones are mapped, so that servers share
 * them; if one is cut meanwhile, reading it ends the process (SIGBUS). So a file is never written again:
 * it is made read-only, and another one takes its name.
 *
 * Any thread. The checksum runs at some GB/s; making tables takes up to minutes. */
#ifndef SERVER_SEARCH_TABLES_H
#define SERVER_SEARCH_TABLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "server/util/error.h"

struct cube_solver;
struct cube_solver_tables;

#define TABLES_NAME_BYTES 64
#define TABLES_MAPPED_BYTES ((size_t)64 << 20)

/* One row of a method. */
struct tables_id {
	const struct cube_solver *solver;
	const struct cube_solver_tables *row;
};

/* The sources of tables. */
struct tables_source {
	const char *folder;      /* NULL: no files */
	size_t make_bytes_max;   /* larger tables are not made if there is no good file; 0: none */
	unsigned threads;        /* number that make them; 0: one a processor */
	const atomic_bool *stop; /* soon after it becomes true, making ends: FAILED. May be NULL */
};

enum tables_result {
	TABLES_READ,   /* from a file */
	TABLES_MADE,   /* in memory */
	TABLES_NONE,   /* no good file, and too large to be made; `error` says what to do */
	TABLES_FAILED, /* out of memory, or stopped */
};

/* Tables in memory, for any number of searches on any threads; all zero: none. */
struct tables {
	const void *memory; /* for cube_solver.solve; NULL: none */
	size_t bytes;
	struct error error; /* why there are none, or why a file was not used */
};

MUST_USE enum tables_result tables_open(struct tables *tables, struct tables_id id,
					const struct tables_source *source);
void tables_close(struct tables *tables);

/* "optimal-3-large": method, smallest size of its row, tables. */
void tables_name(char name[TABLES_NAME_BYTES], struct tables_id id);
/* The tables of that name; false if there are none. */
MUST_USE bool tables_find(const char *name, struct tables_id *id);
/* All tables of all methods in their order; false past the last. */
MUST_USE bool tables_at(size_t index, struct tables_id *id);

/* ---- tables_file.c ---- */

/* Called before each step, and once with `step` = `steps` when all are done. */
typedef void tables_progress(void *context, unsigned step, unsigned steps);

/* Returns true if the folder has a good file; `error` says what is wrong with a bad one, and is ""
 * if there is none. Reads all of it. */
MUST_USE bool tables_file_good(const char *folder, struct tables_id id, struct error *error);
/* Makes the file, and the folder if it is missing: complete and synced, or not at all; an existing
 * file is replaced. Needs the tables' bytes of memory, too. */
MUST_USE bool tables_file_make(const char *folder, struct tables_id id, unsigned threads,
			       tables_progress *progress, void *context, struct error *error);
/* Removes what makers that were killed have left in the folder. Files that are being made stay. */
void tables_files_clean(const char *folder);

#endif
