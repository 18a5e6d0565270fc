/* solve.h: what a store keeps of solves and of the answers of solvers. Part of store.h. */
#ifndef SERVER_STORE_SOLVE_H
#define SERVER_STORE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "server/store/solve_event.h"

enum solve_origin { SOLVE_OF_SESSION, SOLVE_POSTED, SOLVE_IMPORTED, SOLVE_ORIGINS };

/* The clock that gave the times of a solution's moves. */
enum solve_clock { SOLVE_NO_CLOCK, SOLVE_SERVER_CLOCK, SOLVE_CLIENT_CLOCK, SOLVE_CLOCKS };

#define SOLVE_UNTIMED INT64_C(-2)
#define SOLVE_DNF INT64_C(-1)

/* A solve. Texts are UTF-8, or NULL; the maker of the struct owns them. */
struct stored_solve {
	uint64_t seq;          /* given by the store, in the order of recording */
	uint64_t session;      /* key of the session whose book it is in */
	uint8_t id[10];        /* by solve_id_make() */
	uint8_t book[10];      /* the id of that session; set by readers only */
	uint8_t origin, clock; /* enum solve_origin, solve_clock */
	uint8_t size;          /* of the cube; 0: another puzzle, or unknown */
	uint8_t event;         /* enum solve_event, by solve_event_pack() */
	bool verified;         /* the solution was checked against the scramble */
	bool assisted;         /* a solution was shown before it was finished: not in averages */
	uint32_t revision;     /* of the session, at the last move; 0: not made there */
	uint32_t actor;        /* number of a token; 0: unknown */
	int64_t created_ms;    /* when it was made */
	int64_t time_ms;       /* without penalty; SOLVE_UNTIMED */
	int64_t penalty_ms;    /* or SOLVE_DNF */
	const uint8_t *base;   /* packed cube it began with; NULL: see `scramble` */
	size_t base_bytes;
	const char *scramble, *solution, *comment;
	const char *list, *source; /* of an imported solve: its list in the file, "session1", and
				    * its original text */
	const char *list_name;     /* as its user knows it; NULL: see solve_list() */
	const char *splits;        /* JSON of the API; NULL: none, or those in `source` */
};

/* The name of its list; NULL: none. Lists without a name of their own have that of the file, which
 * is a number for csTimer. */
static inline const char *solve_list(const struct stored_solve *solve)
{
	static const char numbered[] = "session";
	const char *list = solve->list;
	if (solve->list_name)
		return solve->list_name;
	return list && strncmp(list, numbered, sizeof numbered - 1) == 0
		       ? list + sizeof numbered - 1
		       : list;
}

enum solve_assisted_filter { SOLVE_ASSISTED_OR_NOT, SOLVE_ASSISTED, SOLVE_UNASSISTED };
enum solve_penalty_filter { SOLVE_ANY, SOLVE_CLEAN, SOLVE_PENALIZED, SOLVE_FAILED };

/* A search for solves. */
struct solve_query {
	uint64_t session; /* key */
	bool oldest_first;
	bool texts;                 /* false: base and texts are NULL, except for the list */
	uint64_t from;              /* seq to continue after; 0: from the beginning */
	uint32_t look_at;           /* most rows to read */
	int size;                   /* -1: any; 0: those of no known cube */
	int64_t since_ms, until_ms; /* created_ms: since <= it < until */
	enum solve_penalty_filter penalty;
	enum solve_assisted_filter assisted;
	enum solve_event event; /* EVENT_USUAL: any */
	const char *list;       /* NULL: any; "": those in no list */
};

static inline bool solve_query_fits_list(const struct solve_query *query,
					 const struct stored_solve *solve)
{
	const char *list = solve_list(solve);
	return !query->list || strcmp(query->list, list ? list : "") == 0;
}

/* Returns true if the solve matches, except for the session. */
static inline bool solve_query_fits(const struct solve_query *query,
				    const struct stored_solve *solve)
{
	const int64_t penalty = solve->penalty_ms;
	return (query->size < 0 || query->size == solve->size) &&
	       (query->event == EVENT_USUAL ||
		query->event == solve_event_of(solve->event, solve->size)) &&
	       solve_query_fits_list(query, solve) &&
	       (query->assisted == SOLVE_ASSISTED_OR_NOT ||
		(query->assisted == SOLVE_ASSISTED) == solve->assisted) &&
	       solve->created_ms >= query->since_ms && solve->created_ms < query->until_ms &&
	       (query->penalty == SOLVE_ANY || (query->penalty == SOLVE_CLEAN && penalty == 0) ||
		(query->penalty == SOLVE_PENALIZED && penalty > 0) ||
		(query->penalty == SOLVE_FAILED && penalty == SOLVE_DNF));
}

/* Called with a solve that is valid during the call, perhaps with a lock held: it must only copy.
 * False stops. */
typedef bool store_visit_solve(void *context, const struct stored_solve *solve);

/* ---- answers of solvers ---- */

#define ANSWER_METHOD_BYTES 64
/* Beyond this number the oldest are purged. */
#define ANSWERS_MAX 100000

struct stored_answer {
	uint64_t canonical; /* hash that does not depend on how the cube is held */
	uint8_t size;
	const char *method;    /* with its options; at most ANSWER_METHOD_BYTES */
	const uint8_t *colors; /* of the cube that was solved, cube_facelets(size) */
	const uint8_t *moves;  /* packed turns */
	size_t move_bytes;
	int64_t created_ms;
};

/* As store_visit_solve. */
typedef bool store_visit_answer(void *context, const struct stored_answer *answer);

#endif
