/* append.h: the entries of a transaction, a run for each session.
 *
 * A run is the appends to one session that follow one another: each is made on the state that the
 * one before it makes. The database accepts or refuses a run as a whole, by the id of the state that
 * its first append was made on. */
#ifndef SERVER_STORE_POSTGRES_APPEND_H
#define SERVER_STORE_POSTGRES_APPEND_H

#include "server/store/chunk.h"
#include "server/modules/postgres/store/parameters.h"

#define RUNS_MAX 512 /* appends in a transaction */

struct run {
	uint64_t key;
	uint64_t state_before, state_after;
	uint32_t version; /* of the description, under which the appends were authorized */
	uint32_t first, count;
	uint32_t last_actor;
	struct chunk chunk; /* the entries as one sequence; its memory is used again */
	bool refused;
};

struct runs {
	uint32_t count;
	struct run run[RUNS_MAX];
	uint16_t slots[2 * RUNS_MAX]; /* hash table of keys: index into `run` plus one */
};

enum run_added {
	RUN_ADDED,
	RUN_REFUSED, /* it does not follow: STORE_CONFLICT */
	RUN_LATER,   /* it needs a transaction of its own: another version of the description */
	RUN_FAILED,  /* out of memory, or the entry is damaged: *status */
};

void runs_begin(struct runs *runs);
void runs_free(struct runs *runs);
MUST_USE enum run_added runs_add(struct runs *runs, const struct store_write *write,
				 enum store_status *status);
/* By key, as the database locks rows; runs_find() still works. */
void runs_sort(struct runs *runs);
/* The parameters of APPEND but for lane, batch and body; and the records of the body. */
void runs_parameters(const struct runs *runs, struct parameters *parameters);
void runs_body(const struct runs *runs, struct buffer *body);
/* Marks the runs of these sessions as refused. */
void runs_refuse(struct runs *runs, struct int8_array keys);
/* NULL: no append to this session was added. */
const struct run *runs_find(const struct runs *runs, uint64_t key);

#endif
