/* cube/solve.h: solving cubes: the methods as rows of one table, and how each is called.
 *
 * A method searches in memory of the caller's. Its tables are made once, never change afterwards,
 * hold no pointers (so that they can be kept in a file and mapped), and may be read by any number
 * of searches at the same time. A search needs some kilobytes of the stack (`optimal` for size 3:
 * half a megabyte) and nothing else; it has no clock, and asks the caller now and then whether to go
 * on.
 *
 *     const struct cube_solver *solver = cube_solver_find("two_phase", 9, 3);
 *     void *tables = aligned_alloc(CUBE_SOLVE_ALIGN, solver->tables[0].bytes);
 *     cube_solver_make(&solver->tables[0], tables);
 *     struct cube_turn turns[CUBE_SOLUTION_MAX];
 *     struct cube_solution solution = {.turns = turns, .room = CUBE_SOLUTION_MAX};
 *     struct cube_solve_task task = {.cube = cube, .length_enough = 21};
 *     enum cube_solve_end end = solver->solve(tables, &task, &solution);
 *
 * Every answer solves the cube as it is held: `cube_turn_all(cube, turns, count)` leaves each face
 * of one colour. A solved cube has the empty solution, and a state up to four turns from solved a
 * shortest one. docs/internals/solvers.md tells the methods and where they are from. */
#ifndef CUBE_SOLVE_H
#define CUBE_SOLVE_H

#include <stdatomic.h>

#include "cube/turn.h"

/* How tables are aligned, for whole cache lines and registers. */
#define CUBE_SOLVE_ALIGN 64
/* That many bytes, rounded up to whole units of it: what aligned_alloc takes. */
#define CUBE_SOLVE_ALIGNED(bytes)                                                                  \
	(((bytes) + CUBE_SOLVE_ALIGN - 1) / CUBE_SOLVE_ALIGN * CUBE_SOLVE_ALIGN)

/* Room for every solution of the methods for sizes 2 and 3. */
#define CUBE_SOLUTION_MAX 32

/* What a turn costs: a half turn of a face one, or two. */
enum cube_solve_metric { CUBE_SOLVE_HTM, CUBE_SOLVE_QTM, CUBE_SOLVE_METRICS };

/* How far a search has come: told to the caller every few thousand nodes. */
struct cube_solve_progress {
	uint64_t nodes; /* positions looked at */
	int depth;      /* length of the solutions, or first phases, being looked for */
	int best;       /* length of the best solution so far; -1: none */
};

/* For searches that share one task between threads: zero it before the first one starts. Each has
 * its own `unit`, and none looks for anything longer than what another one has found. One solution
 * no longer than the task's length_enough ends all of them. */
struct cube_solve_shared {
	_Atomic int best; /* one more than the length of the best solution so far; 0: none */
};

/* What is to be solved, and when to stop. Zeroes are good defaults. */
struct cube_solve_task {
	const struct cube *cube;       /* one that turns lead to, held in any way */
	enum cube_solve_metric metric; /* of all lengths; one that the method has */
	int length_max;          /* no longer solution is wanted; 0: the method's length_max */
	int length_enough;       /* a solution that long or shorter ends the search */
	uint64_t nodes_max;      /* ends the search after about so many nodes; 0: no such end */
	const atomic_bool *stop; /* ends the search soon after it became true; may be NULL */
	/* Called every few ten microseconds; the search ends where it returns false. May be NULL. */
	bool (*carry_on)(void *context, const struct cube_solve_progress *progress);
	void *context;
	struct cube_solve_shared *shared; /* NULL: this search is alone */
	unsigned unit;    /* which part of the work: below the method's `units`, and `unit`, */
	unsigned step;    /* `unit + step` .. are this search's. step 0: all of it */
	const void *base; /* tables of the method's `base`; NULL where it has none */
	void *work; /* the method's `work_bytes`, aligned as tables are; NULL where it is none */
};

/* A part of a solution that reaches one goal, and why it was turned so. */
struct cube_solve_step {
	unsigned char stage; /* which of the method's stages it belongs to */
	const char *text;    /* a sentence for a learner, or NULL */
	char piece[4]; /* the piece that is brought home, as "UFR"; "" where it is about more */
	size_t count;  /* turns: the next so many of the solution */
};

struct cube_solution {
	struct cube_turn *turns;       /* the caller's */
	size_t room;                   /* for that many */
	size_t count;                  /* how many there are; 0 where there is none */
	struct cube_solve_step *steps; /* the caller's; NULL where nobody asks */
	size_t step_room;              /* for that many; steps that find no room are left out */
	size_t step_count;             /* of methods with stages: their turns make the solution */
	int length;                    /* in the task's metric; -1: none was found */
	int bound;                     /* proved: no solution is shorter than this */
	uint64_t nodes;                /* positions looked at */
};

enum cube_solve_end {
	CUBE_SOLVE_ENOUGH, /* `solution` is no longer than length_enough; or, where the task is shared,
	                     * that of another search is */
	CUBE_SOLVE_ALL, /* there is nothing more to find: `solution` is the best within length_max,
	                     * or none (length -1) is that short; of its units' share, where shared */
	CUBE_SOLVE_STOPPED, /* by stop, nodes_max or carry_on; `solution` is the best so far, or none */
};

/* Tables of a method. Made in steps: those of one step are independent, so that `parts` threads
 * may do it at the same time, and each step begins when all of the one before is done. */
struct cube_solver_tables {
	const char *name; /* "small", "large" */
	uint32_t magic;   /* says which tables, and in which layout */
	size_t bytes;     /* aligned to CUBE_SOLVE_ALIGN */
	unsigned steps;
	unsigned parts; /* the most threads that a step can use */
	void (*make)(void *tables, unsigned step, unsigned part);
};

/* A method. */
struct cube_solver {
	const char *name;           /* in the API: "two_phase"; rows of other sizes may share it */
	uint8_t size_min, size_max; /* of cubes */
	uint8_t length_max[CUBE_SOLVE_METRICS]; /* every cube is solved within so many turns, by
	                            * metric; 0: the method does not count in that metric, or (in
	                            * CUBE_SOLVE_HTM) its length depends on the size */
	bool optimal;                           /* CUBE_SOLVE_ALL means a shortest solution */
	bool teaches;              /* its solutions are to be learnt from, however long */
	const char *const *stages; /* names, in their order, NULL behind the last; NULL: none */
	size_t (*room)(int size);  /* for its longest solution; NULL: CUBE_SOLUTION_MAX */
	size_t (*work_bytes)(int size); /* what a search works in; NULL: the stack is enough */
	const struct cube_solver *base; /* one whose smallest tables it needs beside its own */
	unsigned units;                 /* into how many parts a search can be split */
	const struct cube_solver_tables
		*tables; /* to choose from, the smallest first; none: it takes
	                            * NULL for them */
	size_t table_count;
	enum cube_solve_end (*solve)(const void *tables, const struct cube_solve_task *task,
				     struct cube_solution *solution);
};

/* The rows of the table, in the order they are told; NULL past the last. */
CUBE_API CUBE_MUST_USE const struct cube_solver *cube_solver_at(size_t index);
/* By its name, not NUL-terminated; NULL where there is none for cubes of that size. */
CUBE_API CUBE_MUST_USE const struct cube_solver *cube_solver_find(const char *name, size_t length,
								  int size);
/* The method taken where none is named; NULL for sizes that no method solves. */
CUBE_API CUBE_MUST_USE const struct cube_solver *cube_solver_default(int size);

/* Whether the method may be asked for lengths in this metric. */
CUBE_API bool cube_solver_counts(const struct cube_solver *solver, enum cube_solve_metric metric);

/* Makes tables, all steps in this thread, with their checksum. `memory` has `tables->bytes`. */
CUBE_API void cube_solver_make(const struct cube_solver_tables *tables, void *memory);

/* Callers that run the steps themselves begin and end with these. */
CUBE_API void cube_solver_make_begin(const struct cube_solver_tables *tables, void *memory);
CUBE_API void cube_solver_make_end(const struct cube_solver_tables *tables, void *memory);

/* Whether `memory` (of tables->bytes), say read from a file, holds these tables, undamaged and made
 * by a library with the same layout. Reads all of it: some GB/s. */
CUBE_API CUBE_MUST_USE bool cube_solver_tables_good(const struct cube_solver_tables *tables,
						    const void *memory);

#endif
