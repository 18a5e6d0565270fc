/* cube/solve.h: solving cubes: the methods as rows of one table, and how each is called.
 *
 * A method searches in the caller's memory. Its tables are made once, are constant afterwards, have
 * no pointers (so they can be stored in a file and mapped), and may be read by any number of searches
 * at the same time. A search needs some kilobytes of stack (`optimal` for size 3: half a megabyte)
 * and `work_bytes` of the caller's memory; it has no clock, and regularly calls back to learn whether to go on.
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
 * shortest one. docs/internals/solvers.md describes the methods and their sources. */
#ifndef CUBE_SOLVE_H
#define CUBE_SOLVE_H

#ifdef __cplusplus
#include <atomic>
#else
#include <stdatomic.h>
#endif

#include "cube/algorithm.h"
#include "cube/lesson.h"

/* Values that threads share with a search: `_Atomic int` and `atomic_bool` in C, std::atomic in C++. */
#ifdef __cplusplus
typedef std::atomic<int> cube_atomic_int;
typedef std::atomic<bool> cube_atomic_bool;
#else
typedef atomic_int cube_atomic_int;
typedef atomic_bool cube_atomic_bool;
#endif

/* Alignment of tables: whole cache lines and registers. */
#define CUBE_SOLVE_ALIGN 64
/* The number of bytes rounded up to a multiple of the alignment, as aligned_alloc requires. */
#define CUBE_SOLVE_ALIGNED(bytes)                                                                  \
	(((bytes) + CUBE_SOLVE_ALIGN - 1) / CUBE_SOLVE_ALIGN * CUBE_SOLVE_ALIGN)

/* The longest solution of the methods without `room`, in turns. */
#define CUBE_SOLUTION_MAX 32

/* The cost of a turn, as in struct cube_metrics. A turn of an outer block costs one in HTM, and one
 * for each of its quarter turns in QTM; a turn of an inner block costs twice that, but in STM and
 * QSTM no more than an outer one. A rotation costs one in ETM, where each turn is one, and nothing
 * elsewhere. */
enum cube_solve_metric {
	CUBE_SOLVE_HTM,
	CUBE_SOLVE_QTM,
	CUBE_SOLVE_STM,
	CUBE_SOLVE_QSTM,
	CUBE_SOLVE_ETM,
	CUBE_SOLVE_METRICS
};
/* The first ones are all that outer layers need. */
#define CUBE_SOLVE_OUTER_METRICS 2

/* The count in that metric. */
CUBE_API uint64_t cube_solve_metric_of(const struct cube_metrics *metrics,
				       enum cube_solve_metric metric);

/* The progress of a search. */
struct cube_solve_progress {
	uint64_t nodes; /* positions visited */
	int depth;      /* length of the solutions, or first phases, being searched */
	int best;       /* length of the best solution so far; -1: none */
};

/* For searches that share one task between threads: zero it before the first one starts. Each has
 * its own `unit`, and none searches for longer solutions than another one has found. A solution of at
 * most the task's length_enough ends all of them. */
struct cube_solve_shared {
	cube_atomic_int best; /* one more than the length of the best solution so far; 0: none */
};

/* The cube to solve, and when to stop. Zeros are good defaults. */
struct cube_solve_task {
	const struct cube *cube;       /* reachable by turns, held in any way */
	enum cube_solve_metric metric; /* of all lengths here; the method must support it */
	int length_max;                /* of solutions; 0: the method's length_max */
	int length_enough;             /* a solution of at most that length ends the search */
	uint64_t nodes_max;            /* ends the search after about that many; 0: no limit */
	const cube_atomic_bool *stop; /* soon after it becomes true, the search ends; may be NULL */
	/* Called every few tens of microseconds; if it returns false, the search ends. May be NULL. */
	bool (*carry_on)(void *context, const struct cube_solve_progress *progress);
	void *context;
	struct cube_solve_shared *shared; /* NULL: this search is alone */
	uint8_t first;    /* a lesson begins with the layer of this colour (enum cube_face: 0 is
	                   * white); CUBE_FACES: with the one that is furthest done */
	unsigned unit;    /* which part of the work: below the method's `units`, and `unit`, */
	unsigned step;    /* `unit + step` .. are this search's. step 0: all of it */
	const void *base; /* tables of the method's `base`; NULL if it has none */
	void *work; /* of the method's `work_bytes`, aligned like tables; NULL if it needs none */
	/* Not NULL, for methods with `lists`: passes each solution of exactly `length_max` (which is
	 * not 0 then) to it once, in any order; false ends the search. See "all solutions" below. */
	bool (*each)(void *each_context, const struct cube_turn *turns, size_t count);
	void *each_context;
};

/* All solutions. With `each` in the task, a search returns no solution of its own (length -1). It
 * ends as CUBE_SOLVE_ALL once every solution of that length was passed on (of a shared task: those of
 * this search's units), as CUBE_SOLVE_ENOUGH if `each` returned false, or as CUBE_SOLVE_STOPPED. A
 * solution ends where the cube is solved for the first time, or reaches the goal. Turns of parallel
 * layers that follow one another commute: all their orders are one solution, and none of them may reach
 * the goal earlier. It is passed on in the order of cube_turns_order(), with half turns as +2. Two turns of
 * the same layers are never next to each other. To list the solutions in ascending order, search a shortest
 * one, and then lengths from it on. */

/* Fewest moves. The stages of a method with `niss` have turns on the scramble, A, and on its
 * inverse, B (NISS, cube/goal.h), which is how fewest-moves (FMC) solvers write them. The solution is
 * all A, in order, followed by what undoes all B; turns that meet there are merged. The turns of the
 * steps are stored after those of the solution: for each step the turns on the scramble, then those on
 * the inverse in the order in which they are made there. A stage without turns has no step. */

/* A part of a solution that reaches one goal, and why these turns. */
struct cube_solve_step {
	unsigned char stage; /* which of the method's stages it belongs to */
	const char *text;    /* a sentence for a learner, or NULL */
	char piece[4]; /* the piece that is brought home, such as "UFR"; "" if there are several */
	char axis[3];  /* with `niss`: that of the stage, such as "fb"; "" if it has none */
	size_t count;  /* of turns: the next ones of the solution, or of `step_turns` */
	size_t rotations; /* of these, the first ones, which turn the whole cube */
	size_t inverse;   /* with `niss`: of these, the last ones, which are on the inverse */
	int total;        /* with `niss`: the length so far, both sides, merged turns as one */
	struct cube_lesson_note note; /* of methods that teach; else zeros */
};

struct cube_solution {
	struct cube_turn *turns;       /* the caller's */
	size_t room;                   /* for that many */
	size_t count;                  /* of turns; 0 if there is no solution */
	size_t inverse;                /* of these, the last ones, which are on the inverse:
	                                * only of goals with NISS, see cube/goal.h */
	struct cube_solve_step *steps; /* the caller's; NULL: not wanted */
	size_t step_room;              /* for that many; further steps are left out */
	size_t step_count;             /* of methods with stages: their turns make the solution */
	size_t step_turns;             /* with `niss`: in `turns`, where those of the steps begin */
	int length;                    /* in the task's metric; -1: none was found */
	int bound;                     /* proved: no solution is shorter */
	uint64_t nodes;                /* positions visited */
};

enum cube_solve_end {
	CUBE_SOLVE_ENOUGH, /* `solution` is no longer than length_enough; or, where the task is shared,
	                     * that of another search is */
	CUBE_SOLVE_ALL, /* there is nothing more to find: `solution` is the best within length_max,
	                     * or none (length -1) is that short. If the task is shared: of this search's units */
	CUBE_SOLVE_STOPPED, /* by stop, nodes_max or carry_on; `solution` is the best so far, or none */
};

/* Tables of a method, made in steps. The parts of a step are independent, so up to `parts` threads can
 * work at the same time; a step begins after all parts of the one before. */
struct cube_solver_tables {
	const char *name; /* "small", "large" */
	uint32_t magic;   /* identifies the tables and their layout */
	size_t bytes;     /* aligned to CUBE_SOLVE_ALIGN */
	unsigned steps;
	unsigned parts; /* of each step */
	void (*make)(void *tables, unsigned step, unsigned part);
};

/* A method. */
struct cube_solver {
	const char *name;           /* "two_phase"; rows for other sizes may share it */
	uint8_t size_min, size_max; /* of cubes */
	uint16_t length_max[CUBE_SOLVE_METRICS]; /* every cube is solved within so many turns, by
	                            * metric; 0: the method does not count in that metric, or (in
	                            * CUBE_SOLVE_HTM) its length depends on the size */
	bool optimal;                            /* CUBE_SOLVE_ALL means a shortest solution */
	uint8_t lists; /* it can list all solutions of lengths up to this one; 0: it cannot */
	bool teaches;  /* its solutions are for learning, however long */
	bool niss; /* stages with turns on the inverse too, see "Fewest moves" above. The longer it
	            * searches, the shorter its solution: callers end it by time */
	const char *const *stages;      /* names in order, NULL after the last; NULL: no stages */
	size_t (*room)(int size);       /* for its longest solution; NULL: CUBE_SOLUTION_MAX */
	size_t (*work_bytes)(int size); /* of a search's memory; NULL: the stack suffices */
	const struct cube_solver *base; /* whose smallest tables it also needs */
	unsigned units;                 /* parts that a search can be split into */
	const struct cube_solver_tables
		*tables; /* to choose from, the smallest first; none: it takes
	                            * NULL for them */
	size_t table_count;
	enum cube_solve_end (*solve)(const void *tables, const struct cube_solve_task *task,
				     struct cube_solution *solution);
};

/* The rows of the table in order; NULL past the last. */
CUBE_API CUBE_MUST_USE const struct cube_solver *cube_solver_at(size_t index);
/* Finds a method by name (not NUL-terminated); NULL if there is none for cubes of that size. */
CUBE_API CUBE_MUST_USE const struct cube_solver *cube_solver_find(const char *name, size_t length,
								  int size);
/* The default method; NULL for sizes that no method solves. */
CUBE_API CUBE_MUST_USE const struct cube_solver *cube_solver_default(int size);

/* Returns true if the method supports lengths in this metric. */
CUBE_API bool cube_solver_counts(const struct cube_solver *solver, enum cube_solve_metric metric);

/* Makes tables with their checksum, all steps in this thread. `memory` has `tables->bytes`. */
CUBE_API void cube_solver_make(const struct cube_solver_tables *tables, void *memory);

/* For callers that run the steps themselves: before the first and after the last one. */
CUBE_API void cube_solver_make_begin(const struct cube_solver_tables *tables, void *memory);
CUBE_API void cube_solver_make_end(const struct cube_solver_tables *tables, void *memory);

/* Returns true if `memory` (of tables->bytes), for example a mapped file, contains these tables,
 * undamaged and made by a library with the same layout. Reads all of it, at some GB/s. */
CUBE_API CUBE_MUST_USE bool cube_solver_tables_good(const struct cube_solver_tables *tables,
						    const void *memory);

#endif
