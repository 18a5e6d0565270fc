/* search.h: one search by one method: its memory, its clock, and the threads that share it. */
#ifndef SERVER_SEARCH_SEARCH_H
#define SERVER_SEARCH_SEARCH_H

#include "server/search/answer.h"

struct search_task {
	const struct cube_solver *solver;
	struct table_cache_tables tables;
	const struct cube *cube;
	enum cube_solve_metric metric;
	int length_max, length_enough; /* as in cube/solve.h */
	uint8_t first;                 /* as there */
	uint64_t nodes_max;            /* of each thread; 0: no limit */
	uint64_t due_ns;               /* when to stop, by the monotonic clock */
	/* After `settle_nodes` positions (of each thread), a solution of at most `length_settled`
	 * ends the search as complete, and after `settle_last_nodes` any solution. 0: never. */
	uint64_t settle_nodes, settle_last_nodes;
	int length_settled;
	/* NULL: one solution is searched. Else all of length_max turns are passed to it, as in
	 * cube/solve.h, by one thread at a time; the turns are lent. */
	bool (*each)(void *each_context, const struct solve_turns *found);
	void *each_context;
	struct solve_feed *feed; /* the feed that `each` writes to; NULL: none */
	/* Not NULL: from `grow_ns` on it asks for larger tables, and ends as `outgrown` when
	 * table_cache_grown() is no longer `grown`. */
	struct table_cache *table_cache;
	uint64_t grow_ns;
	unsigned grown;
};

struct search_result {
	struct solve_turns found;      /* malloc'd, with room for one more turn; length -1: none */
	struct cube_solve_step *steps; /* malloc'd; NULL: the method has no stages */
	size_t step_count, step_turns;
	int bound;
	uint64_t nodes;
	uint64_t waited_ns; /* of the first thread, for slots */
	bool outgrown;      /* STOPPED only because there are larger tables now */
};

/* SOLVE_COMPLETE, SOLVE_STOPPED or SOLVE_NO_MEMORY; the caller frees what is found. */
MUST_USE enum solve_end search_run(const struct search_task *task,
				   const struct solve_control *control,
				   struct search_result *result);

#endif
