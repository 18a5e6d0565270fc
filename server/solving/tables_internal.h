/* tables_internal.h: what tables.c and tables_file.c have in common. */
#ifndef SERVER_SOLVING_TABLES_INTERNAL_H
#define SERVER_SOLVING_TABLES_INTERNAL_H

#include "server/solving/tables.h"

/* The file, mapped; NULL with a sentence in `error`, or "" where there is no file. */
MUST_USE const void *tables_file_map(const char *folder, struct tables_id id, struct error *error);

/* Tables in memory of their own (munmap); NULL where there is none. `progress` may be NULL. */
MUST_USE void *tables_make(const struct cube_solver_tables *row, unsigned threads,
			   const atomic_bool *stop, tables_progress *progress, void *context);

#endif
