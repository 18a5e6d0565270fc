/* history_search.h: a history replayed turn by turn, for what looks at each state: history_search.c one pattern,
 * stages.c a list of them. */
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
	/* While it is replayed: */
	struct context *ctx;
	struct cube *cube;
	uint8_t *colors;
	struct out *out, answer; /* `out` is the answer */
	struct find_place at;
	uint32_t upto, last;   /* revisions: of the end, and the last one replayed */
	size_t turns_done;     /* of the entry after that one */
	int64_t moves_done;    /* likewise, as its text counts them */
	bool begun;            /* the first slice is over */
	uint64_t spent_ns;     /* roughly */
	bool failed, finished; /* memory is out; what was asked for is found */
	void *data;            /* of who looks */
};

/* The fits of a pattern in the state that the replay is at. */
uint32_t find_fits(struct find *find, const struct pattern_request *pattern);
void find_place_write(struct out *out, const struct find_place *at);

/* What looks: at the first state, after each turn (NULL: all of an entry whose turns are not
 * known), after each entry; `end` writes what was seen, unless something failed; `finish` frees.
 * False where memory is out. */
struct find_looker {
	bool (*begin)(struct find *find, int64_t time_ms);
	void (*turned)(struct find *find, const struct cube_turn *turn);
	void (*entry)(struct find *find, const struct entry *entry);
	void (*end)(struct find *find);
	void (*finish)(struct find *find);
};

extern const struct find_looker stages_looker;

#endif
