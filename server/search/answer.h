/* answer.h: a question to a method of solving, and its answer: the search, further solutions, a
 * known solution, and the check by turning. Any thread; no locks are held. */
#ifndef SERVER_SEARCH_ANSWER_H
#define SERVER_SEARCH_ANSWER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/solve.h"
#include "server/search/feed.h"
#include "server/search/table_cache.h"

#define SOLVE_SOLUTIONS_MAX 1000
/* If neither max_length nor improve is given, a 3x3x3 gets a solution of at most that many turns, as
 * every one has; usually two_phase finds one within a millisecond. */
#define USUAL_LENGTH_3 20
/* Before that many positions are visited, which takes some 20 ms, it looks for a shorter one. Counted,
 * not timed, so that a cube gets the same solution each time. Of a symmetric cube, such as the superflip,
 * several of the cubes that two_phase searches are the same, and 20 turns may take a hundred times as
 * many: its best solution so far is the answer. */
#define SETTLE_NODES 150000
/* After that many, this holds for every cube: of a thousand random ones, none takes so many. */
#define SETTLE_LAST_NODES (10 * SETTLE_NODES)

/* A search for a shortest solution that takes longer asks for larger tables (table_cache.h), and starts
 * again with them. */
#define SOLVE_GROW_NS 2000000000u

/* Lengths that are counted. */
#define SOLVE_TALLIES_MAX (CUBE_SOLUTION_MAX + 1)

struct solve_scratch; /* goal.h */

struct solve_turns {
	struct cube_turn *turns; /* malloc'd */
	size_t count;
	size_t inverse; /* of these, the last ones, which are on the inverse (cube/goal.h) */
	int length;     /* in the question's metric; -1: no solution */
};

/* Options of a lesson. All zeros: the white layer first, all steps, in English. */
struct solve_lesson {
	uint8_t first; /* colour of the first layer; CUBE_FACES: the one that is furthest done */
	unsigned language; /* of cube/lesson.h */
	unsigned steps;    /* number to describe; 0: all */
	char colors[CUBE_FACES]
		   [CUBE_LESSON_COLOR + 1]; /* names of U R F D L B; "": the usual one */
};

struct solve_question {
	const struct cube_solver *solver;
	struct cube *cube; /* malloc'd */
	enum cube_solve_metric metric;
	int length_max;     /* no longer solution is wanted; 0: any length */
	bool improve;       /* search for shorter ones until the time is over */
	bool patient;       /* one of many: uses half of the queue at most, and no time for
	                          * making a usual answer shorter */
	unsigned solutions; /* wanted, 1 .. SOLVE_SOLUTIONS_MAX; 1 for methods with stages; 0 with
			     * a feed: any number */
	struct solve_lesson lesson; /* for methods that teach */
	int64_t timeout_ms;         /* for the search and for waiting for its tables */
	/* Gets all solutions as they are found, instead of a list: of the shortest length; with
	 * `solutions` or `length_max`, of longer ones too. NULL: a list. */
	struct solve_feed *feed;
	struct solve_goal *goal; /* NULL: the solved cube; see goal.h; owned */
	struct solve_turns
		known; /* turns that may solve it, for example from a history; NULL: none */
};

/* The progress of a running search. */
struct solve_progress {
	_Atomic uint64_t nodes;
	_Atomic int depth;
	_Atomic int best; /* -1: none */
};

/* Decides which threads of searches run. A thread holds a slot while it runs; thread 0, the caller,
 * has one from the beginning. Functions return the ns they waited, which do not count as search time.
 */
struct solve_schedule {
	void *context;
	uint64_t (*enter)(void *context, unsigned thread); /* waits for a slot */
	bool (*wanted)(void *context,
		       unsigned thread); /* true: it must yield; called at every poll */
	uint64_t (*yield)(void *context,
			  unsigned thread);            /* gives up its slot and waits for another */
	void (*leave)(void *context, unsigned thread); /* gives up its slot */
	/* true: one thread of a search has found what is enough, so those that wait for slots
	 * return without one, to end. false: all have ended. */
	void (*over)(void *context, bool over);
};

struct solve_control {
	const atomic_bool *stop;
	struct solve_progress *progress;
	unsigned threads; /* threads that may search at the same time, this one included */
	bool waits;       /* for tables, even beyond the question's time */
	const struct solve_schedule *schedule; /* NULL: all threads always run */
	void (*notify)(void *context); /* the question's feed has news; NULL: nobody waits */
	void *notify_context;
};

enum solve_end {
	SOLVE_COMPLETE,  /* it ended by itself: with what was asked for, or there is none */
	SOLVE_STOPPED,   /* by time or `stop`: with the best so far, or none */
	SOLVE_NO_MEMORY, /* no answer */
	SOLVE_NO_TABLES, /* no answer: the method's tables must be made first */
	SOLVE_WRONG,     /* a solution failed the check: a bug, logged */
};

/* The number of solutions of a length. */
struct solve_tally {
	int length;
	uint64_t count; /* found */
	bool exhausted; /* there are no others */
};

struct solve_answer {
	struct solve_turns *found; /* malloc'd; the shortest first */
	unsigned count;
	/* If several were wanted: for each length from the shortest on. */
	struct solve_tally tally[SOLVE_TALLIES_MAX];
	unsigned tallies;
	struct cube_solve_step *steps; /* of found[0]; malloc'd; NULL: the method has no stages */
	size_t step_count;
	size_t step_turns;                        /* as in struct cube_solution */
	const struct cube_solver_tables *tables;  /* the last ones used; NULL: none */
	const struct cube_solver_tables *growing; /* the ones being opened at its end; NULL */
	bool known;                               /* found[0] is the question's known solution */
	int bound;                                /* proved: no solution is shorter */
	uint64_t nodes;                           /* positions looked at */
	uint64_t took_ns;                         /* without waited_ns */
	uint64_t waited_ns;                       /* for slots, since it began */
};

/* Searches. The caller frees `answer` whatever is returned. */
MUST_USE enum solve_end solve_answer(struct table_cache *table_cache,
				     const struct solve_question *question,
				     const struct solve_control *control,
				     struct solve_answer *answer);

/* Returns true if shortest solutions in that metric are found as a goal (goal.h): those of a 3x3x3
 * in another metric than HTM, by a method that counts only in that. */
bool solve_by_goal(const struct cube_solver *solver, enum cube_solve_metric metric);

/* Returns true if a method gives several solutions. */
bool solve_gives_several(const struct cube_solver *solver);

/* Returns true if the search may take long: such ones do not get all slots. */
bool solve_takes_long(const struct solve_question *question);

/* Returns true if the turns lead to the goal of the question. */
MUST_USE bool solve_is_right(const struct solve_question *question,
			     const struct solve_scratch *scratch, const struct solve_turns *found);

/* The length of turns in a metric; at most INT_MAX. */
int solve_length(int size, enum cube_solve_metric metric, const struct cube_turn *turns,
		 size_t count);

/* Free what the structs hold, not the structs. */
void solve_question_free(struct solve_question *question);
void solve_answer_free(struct solve_answer *answer);

#endif
