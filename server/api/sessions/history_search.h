/* history_search.h: replaying a history turn by turn for a looker that examines each state:
 * history_search.c (one pattern), stages.c (a list of them). */
#ifndef SERVER_API_SESSIONS_HISTORY_SEARCH_H
#define SERVER_API_SESSIONS_HISTORY_SEARCH_H

#include "server/api/input/custom_patterns.h"
#include "server/api/sessions/stage_tracker.h"
#include "server/history/history.h"

struct find {
	struct pattern_request *patterns; /* one, or those of `stages` */
	size_t count;
	bool stages, first;
	int64_t after;
	struct custom_pattern_scope own;
	uint64_t key; /* of the session */
	int64_t created_ms;
	/* During the replay: */
	struct context *ctx;
	struct cube *cube;
	uint8_t *colors;
	struct out *out, answer; /* `out` is the answer */
	struct find_place at;
	uint32_t upto, last;   /* revisions: the end, and the last one replayed */
	size_t turns_done;     /* of the entry after that */
	int64_t moves_done;    /* of the same entry, as its text counts them */
	bool begun;            /* the first slice is over */
	uint64_t spent_ns;     /* rough cost so far */
	bool failed, finished; /* out of memory; what was asked for is found */
	void *data;            /* the looker's */
};

/* The fits of a pattern in the current state of the replay. */
uint32_t find_fits(struct find *find, const struct pattern_request *pattern);
void find_place_write(struct out *out, const struct find_place *at);

/* A looker: called at the first state, after each turn (NULL: after an entry whose turns are not
 * known), after each entry; `end` writes the results, unless something failed; `finish` frees.
 * `begin` returns false if out of memory. */
struct find_looker {
	bool (*begin)(struct find *find, int64_t time_ms);
	void (*turned)(struct find *find, const struct cube_turn *turn);
	void (*entry)(struct find *find, const struct entry *entry);
	void (*end)(struct find *find);
	void (*finish)(struct find *find);
};

extern const struct find_looker stages_looker;

#endif
