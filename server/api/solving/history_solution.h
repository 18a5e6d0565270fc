/* history_solution.h: the scramble of a session and the turns of its history that are in force: turned back
 * they solve its cube, if it began solved. */
#ifndef SERVER_API_SOLVING_HISTORY_SOLUTION_H
#define SERVER_API_SOLVING_HISTORY_SOLUTION_H

#include "server/api/request/context.h"

/* Turns and entries that are looked at; longer histories are left alone. */
#define KNOWN_TURNS_MAX 10000
#define KNOWN_ENTRIES_MAX 50000

struct known {
	struct context *ctx;
	int64_t at;            /* the revision, or -1 for now */
	struct buffer turns;   /* struct cube_turn after struct cube_turn */
	size_t scramble_bytes; /* of these the first: with what the session began */
	bool whole;            /* all of them are there */
	void (*then)(struct context *ctx);
	struct job job;

	const struct history *history; /* while it reads */
	uint64_t left;                 /* entries in force that are still to come */
	uint32_t next;                 /* the revision of the next one */
	uint32_t entries;              /* that were looked at */
};

/* Reads them on another thread, of the session that the context is in, then calls `then`, with the
 * lock. `known->turns` is to be freed. */
void history_solution_collect(struct context *ctx, struct known *known, int64_t at,
			      void (*then)(struct context *ctx));

#endif
