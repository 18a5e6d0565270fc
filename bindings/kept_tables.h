/* kept_tables.h: the tables of searches, made when a method first needs them and kept until the program ends. One file of a binding
 * includes it. Only one thread at a time may make tables. */
#ifndef BINDINGS_KEPT_TABLES_H
#define BINDINGS_KEPT_TABLES_H

#include <stdlib.h>

#include "cube/solve.h"

#define KEPT_TABLES_MAX 32

static struct {
	const struct cube_solver_tables *kind;
	void *memory;
} kept_tables[KEPT_TABLES_MAX];

/* Returns the tables of a method; NULL if it has none, or if they are not made. */
static inline const void *kept_tables_of(const struct cube_solver *solver)
{
	if (!solver || solver->table_count == 0)
		return NULL;
	for (int i = 0; i < KEPT_TABLES_MAX && kept_tables[i].kind; i++)
		if (kept_tables[i].kind == &solver->tables[0])
			return kept_tables[i].memory;
	return NULL;
}

/* Allocates memory for the tables of a method, which must have tables. NULL if out of memory. */
static inline void *kept_tables_alloc(const struct cube_solver *solver)
{
	return aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(solver->tables[0].bytes));
}

/* Keeps complete tables in memory from kept_tables_alloc(). The method must not have any yet. Returns false if there is no
 * place left. */
static inline bool kept_tables_add(const struct cube_solver *solver, void *memory)
{
	int place = 0;
	while (place < KEPT_TABLES_MAX && kept_tables[place].kind)
		place++;
	if (place == KEPT_TABLES_MAX)
		return false;
	kept_tables[place].memory = memory;
	kept_tables[place].kind = &solver->tables[0];
	return true;
}

/* Makes the tables of a method, unless it has none or they are there. False if out of memory. */
static inline bool kept_tables_make(const struct cube_solver *solver)
{
	if (!solver || solver->table_count == 0 || kept_tables_of(solver))
		return true;
	void *memory = kept_tables_alloc(solver);
	if (!memory)
		return false;
	cube_solver_make(&solver->tables[0], memory);
	if (kept_tables_add(solver, memory))
		return true;
	free(memory);
	return false;
}

#endif
