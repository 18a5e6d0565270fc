/* answer.h: a question to a method of solving, and its answer: the search, further solutions, a
 * solution that is known, and the check by turning. Any thread; no locks are held. */
#ifndef SERVER_SOLVING_ANSWER_H
#define SERVER_SOLVING_ANSWER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/solve.h"
#include "server/solving/table_cache.h"

#define SOLVE_SOLUTIONS_MAX 12
/* Every 3x3x3 has a solution of 20 turns; two_phase finds one of 21 within milliseconds. */
#define NEAR_ENOUGH_3 21

struct solve_turns {
	struct cube_turn *turns; /* malloc'd */
	size_t count;
	int length; /* in the question's metric; -1: there is none */
};

struct solve_question {
	const struct cube_solver *solver;
	struct cube *cube; /* malloc'd */
	enum cube_solve_metric metric;
	int length_max;           /* no longer solution is wanted; 0: any length */
	bool improve;             /* looks for shorter ones until the time is over */
	bool patient;             /* one of many: takes a half of the places in the queue at most */
	unsigned solutions;       /* wanted, 1 .. SOLVE_SOLUTIONS_MAX; of methods without stages */
	int64_t timeout_ms;       /* for the search, and for tables that it has to wait for */
	struct solve_goal *goal;  /* another one than the solved cube (goal.h), or NULL; owned */
	struct solve_turns known; /* turns that may solve it, say from a history; NULL: none */
};

/* What a search tells while it runs. */
struct solve_progress {
	_Atomic uint64_t nodes;
	_Atomic int depth;
	_Atomic int best; /* -1: none */
};

/* Who decides which threads of searches run. Each thread of a search has a slot while it runs;
 * thread 0, which asks, has one from the beginning. What is waited returns in ns, and does not count
 * as time of the search. */
struct solve_schedule {
	void *context;
	uint64_t (*enter)(void *context, unsigned thread); /* waits for a slot */
	bool (*wanted)(void *context, unsigned thread);    /* its slot is; asked at every poll */
	uint64_t (*yield)(void *context, unsigned thread); /* gives it up, and waits for another */
	void (*leave)(void *context, unsigned thread);     /* gives it up */
};

struct solve_control {
	const atomic_bool *stop;
	struct solve_progress *progress;
	unsigned threads; /* that may search at the same time, this one among them */
	bool waits;       /* for tables that are not open, beyond the question's time */
	const struct solve_schedule *schedule; /* NULL: all run always */
};

enum solve_end {
	SOLVE_COMPLETE,  /* it ended by itself: what was asked for is there, or there is none */
	SOLVE_STOPPED,   /* by time or `stop`: the best so far is there, or none */
	SOLVE_NO_MEMORY, /* nothing is there */
	SOLVE_NO_TABLES, /* nothing is there: the method's tables are to be made first */
	SOLVE_WRONG,     /* a solution did not solve it: a fault of ours, logged */
};

struct solve_answer {
	struct solve_turns found[SOLVE_SOLUTIONS_MAX]; /* the shortest first */
	unsigned count;
	struct cube_solve_step *steps; /* of found[0]; malloc'd; NULL: the method has no stages */
	size_t step_count;
	bool known;         /* found[0] is the question's known solution */
	int bound;          /* proved: no solution is shorter; of goals and cubes alike */
	uint64_t nodes;     /* positions looked at */
	uint64_t took_ns;   /* without: */
	uint64_t waited_ns; /* for slots, once it had begun */
};

/* Searches. `answer` is to be freed whatever comes back. */
MUST_USE enum solve_end solve_answer(struct table_cache *table_cache,
				     const struct solve_question *question,
				     const struct solve_control *control,
				     struct solve_answer *answer);

/* Whether a method gives several solutions. */
bool solve_gives_several(const struct cube_solver *solver);

/* Whether it may take long, so that others should not all wait for such ones. */
bool solve_takes_long(const struct solve_question *question);

/* The length of turns in a metric; at most INT_MAX. */
int solve_length(int size, enum cube_solve_metric metric, const struct cube_turn *turns,
		 size_t count);

/* What it holds; the structs are the caller's. */
void solve_question_free(struct solve_question *question);
void solve_answer_free(struct solve_answer *answer);

#endif
