/* history_solution.h: the scramble of a session and the turns of its history that are in force:
 * inverted, they solve its cube, if it began solved. */
#ifndef SERVER_API_SEARCH_HISTORY_SOLUTION_H
#define SERVER_API_SEARCH_HISTORY_SOLUTION_H

#include "server/api/request/context.h"

/* The maximum number of turns and entries that are read; longer histories are not used. */
#define KNOWN_TURNS_MAX 10000
#define KNOWN_ENTRIES_MAX 50000

struct known {
	struct context *ctx;
	int64_t at;            /* the revision, or -1 for now */
	struct buffer turns;   /* struct cube_turn after struct cube_turn */
	size_t scramble_bytes; /* length of the first part: the session's scramble */
	bool whole;            /* all of them are there */
	void (*then)(struct context *ctx);
	struct job job;

	const struct history *history; /* while it reads */
	uint64_t left;                 /* entries in force still to come */
	uint32_t next;                 /* the revision of the next one */
	uint32_t entries;              /* read so far */
};

/* Reads the turns on another thread, for the session that the context is in, then calls `then`,
 * with the lock. The caller frees `known->turns`. */
void history_solution_collect(struct context *ctx, struct known *known, int64_t at,
			      void (*then)(struct context *ctx));

#endif
