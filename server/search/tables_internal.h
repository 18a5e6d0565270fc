/* tables_internal.h: what tables.c and tables_file.c share. */
#ifndef SERVER_SEARCH_TABLES_INTERNAL_H
#define SERVER_SEARCH_TABLES_INTERNAL_H

#include "server/search/tables.h"

/* ---- tables_file.c ---- */

/* The file in memory (munmap it); NULL on failure, with an empty `error` if there is no file. */
MUST_USE const void *tables_file_open(const char *folder, struct tables_id id, struct error *error);

/* ---- tables.c ---- */

/* Tables in memory of their own (munmap it); NULL if out of memory. `progress` may be NULL. */
MUST_USE void *tables_make(const struct cube_solver_tables *row, unsigned threads,
			   const atomic_bool *stop, tables_progress *progress, void *context);

#endif
