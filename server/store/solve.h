/* solve.h: what a store keeps of solves, and of the answers of solvers. Part of store.h. */
#ifndef SERVER_STORE_SOLVE_H
#define SERVER_STORE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum solve_origin { SOLVE_OF_SESSION, SOLVE_POSTED, SOLVE_IMPORTED, SOLVE_ORIGINS };

/* Whose times the moves of a solution have. */
enum solve_clock { SOLVE_NO_CLOCK, SOLVE_SERVER_CLOCK, SOLVE_CLIENT_CLOCK, SOLVE_CLOCKS };

#define SOLVE_UNTIMED INT64_C(-2)
#define SOLVE_DNF INT64_C(-1)

/* A solve. Texts are UTF-8, NULL for none, owned by the maker of the struct. */
struct stored_solve {
	uint64_t seq;          /* the store's; in the order of recording */
	uint64_t session;      /* key of the session whose book it is in */
	uint8_t id[10];        /* random; as long as a session's */
	uint8_t book[10];      /* that session's id; only as read */
	uint8_t origin, clock; /* enum solve_origin, solve_clock */
	uint8_t size;          /* of the cube; 0: another puzzle, or unknown */
	bool verified;         /* scramble and solution were turned and judged */
	bool assisted;         /* a solution was given before it was finished: in no average */
	uint32_t revision;     /* of the session, with the last move; 0: not done there */
	uint32_t actor;        /* number of a token; 0: nobody known */
	int64_t created_ms;    /* when it was done */
	int64_t time_ms;       /* without penalty; SOLVE_UNTIMED */
	int64_t penalty_ms;    /* or SOLVE_DNF */
	const uint8_t *base;   /* packed cube that it began with; NULL: `scramble` made it */
	size_t base_bytes;
	const char *scramble, *solution, *comment;
	const char *list, *source; /* of an imported one: its list, and its own text */
};

enum solve_assisted_filter { SOLVE_ASSISTED_OR_NOT, SOLVE_ASSISTED, SOLVE_UNASSISTED };
enum solve_penalty_filter { SOLVE_ANY, SOLVE_CLEAN, SOLVE_PENALIZED, SOLVE_FAILED };

/* Which solves are asked for. */
struct solve_query {
	uint64_t session;           /* key; 0: of all sessions that everybody may see */
	bool oldest_first;          /* only with a session */
	bool texts;                 /* else base and texts are NULL */
	uint64_t from;              /* seq to go on behind; 0: from the beginning */
	uint32_t look_at;           /* rows that are looked at, at most */
	int size;                   /* -1: any; 0: those that are of no known cube */
	int64_t since_ms, until_ms; /* created_ms: since <= it < until */
	enum solve_penalty_filter penalty;
	enum solve_assisted_filter assisted;
};

/* Whether it is one of those that are asked for, but for the session. */
bool solve_query_fits(const struct solve_query *query, const struct stored_solve *solve);

/* It lives only during the call, which only copies and writes: a lock may be held. False stops. */
typedef bool store_visit_solve(void *context, const struct stored_solve *solve);

/* ---- answers of solvers ---- */

#define ANSWER_METHOD_BYTES 64
/* Then the oldest are forgotten. */
#define ANSWERS_MAX 100000

struct stored_answer {
	uint64_t canonical; /* hash, the same for all ways to hold the cube */
	uint8_t size;
	const char *method;    /* and what was asked of it; at most ANSWER_METHOD_BYTES */
	const uint8_t *colors; /* of the cube that was solved, cube_facelets(size) */
	const uint8_t *moves;  /* packed turns */
	size_t move_bytes;
	int64_t created_ms;
};

/* As store_visit_solve. */
typedef bool store_visit_answer(void *context, const struct stored_answer *answer);

#endif
