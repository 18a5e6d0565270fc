/* tables.h: tables of solvers (cube/solve.h): mapped from a file that was made once, or made anew.
 *
 * A folder, --tables-dir, holds a file for each, METHOD-SIZE-TABLES.tables, for instance
 * optimal-3-large.tables; it is the tables' memory as it is, with their checksum. A file of another
 * version, for another machine, cut off or damaged is not used, and replaced when it is made again.
 *
 * All functions may be called on any thread; they take as long as they take (a checksum some GB/s,
 * making tables up to minutes). */
#ifndef SERVER_SOLVING_TABLES_H
#define SERVER_SOLVING_TABLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "cube/solve.h"
#include "server/util/error.h"

#define TABLES_NAME_BYTES 64

/* Which tables: a row of a method. */
struct tables_id {
	const struct cube_solver *solver;
	const struct cube_solver_tables *row;
};

/* Where they may come from. */
struct tables_source {
	const char *folder;    /* NULL: from no file */
	size_t make_bytes_max; /* tables that are no larger are made where there is no good file; 0:
				  none */
	unsigned threads;      /* that make them; 0: as many as there are processors */
	const atomic_bool
		*stop; /* ends their making soon after it became true: FAILED. May be NULL */
};

enum tables_result {
	TABLES_MAPPED, /* a file */
	TABLES_MADE,   /* in memory */
	TABLES_NONE,   /* no good file, and too large to be made; `error` says what can be done */
	TABLES_FAILED, /* no memory, or stopped */
};

/* Tables in memory, for any number of searches on any threads; all zero is none. */
struct tables {
	const void *memory; /* for cube_solver.solve; NULL: none */
	size_t bytes;
	struct error error; /* why there are none, or what is wrong with a file that was not used */
};

MUST_USE enum tables_result tables_open(struct tables *tables, struct tables_id id,
					const struct tables_source *source);
void tables_close(struct tables *tables);

/* "optimal-3-large": method, smallest size of its row, tables. */
void tables_name(char name[TABLES_NAME_BYTES], struct tables_id id);
/* By that name; false where there is none. */
MUST_USE bool tables_find(const char *name, struct tables_id *id);
/* All tables of all methods in their order; false past the last. */
MUST_USE bool tables_at(size_t index, struct tables_id *id);

/* ---- tables_file.c ---- */

/* Told before each step, and once with `step` = `steps` when all are done. */
typedef void tables_progress(void *context, unsigned step, unsigned steps);

/* Whether the folder has a good file of them; `error` says what is wrong with one that is not good,
 * and is "" if there is none. Reads all of it. */
MUST_USE bool tables_file_good(const char *folder, struct tables_id id, struct error *error);
/* Makes the file, and the folder where it is missing: whole and on the disk, or not at all; a file
 * that is there is replaced. Takes the tables' bytes of memory too. False with a sentence. */
MUST_USE bool tables_file_make(const char *folder, struct tables_id id, unsigned threads,
			       tables_progress *progress, void *context, struct error *error);

#endif
