/* lane.h: a queue of writes, and the thread and the connection that commit them.
 *
 * One transaction is under way at a time. So if its connection breaks, one batch is in doubt; it is
 * resolved (resolve.c) before anything else is sent. Several lanes commit at the same time. */
#ifndef SERVER_STORE_POSTGRES_LANE_H
#define SERVER_STORE_POSTGRES_LANE_H

#include "server/modules/postgres/store/transaction.h"
#include "server/store/write_queue.h"

struct lane {
	struct postgres_store *store;
	_Atomic int32_t number;    /* its row in `lane`; 0: none, before its first write */
	_Atomic uint64_t answered; /* `committed` has returned for all batches up to this one */
	_Atomic uint64_t denied;   /* the last batch that was found not to be committed */

	struct write_queue queue;
	_Atomic bool submitted; /* since lane_flush() was last called */
	_Atomic bool shows_full;
	_Atomic bool away; /* the database has been away for the store's wait_ms: submit refuses */
	bool has_thread;

	/* Only the lane's thread uses these, once it runs: */
	pthread_t thread;
	struct connection connection;
	uint64_t batch;            /* the newest number used */
	uint64_t durable;          /* the newest batch that the database has answered */
	uint64_t barrier_ns;       /* when it last began to ask for one */
	bool unresolved;           /* batch + 1 is in doubt */
	bool needs_number;         /* see lane_connect() */
	bool lost;                 /* the last transaction found no database */
	uint64_t generation;       /* of the store, when the present transaction began; */
	enum store_status failure; /* the reason for raising it */
	enum store_status raise;   /* a write of the transaction failed: raise it with this */
	bool full;                 /* the last commit found no room */
	uint64_t stored_bytes, added_bytes; /* of the database; by writes since it was asked */
	int64_t asked_ms;
	struct transaction transaction;
	struct runs runs;
};

/* ---- open.c ---- */

/* Takes a number that no lane has; its batches begin with 1. */
MUST_USE enum failure lane_register(struct lane *lane);

/* ---- lane.c ---- */

/* Starts the thread; the connection is open. */
MUST_USE bool lane_start(struct lane *lane);
/* Commits what is queued, stops the thread and frees what the lane has. */
void lane_stop(struct lane *lane);
MUST_USE enum store_status lane_submit(struct lane *lane, struct store_write *write);
void lane_flush(struct lane *lane);

/* ---- commit.c ---- */

/* Commits one transaction from the front of the chain and answers it. Returns the rest. */
MUST_USE struct store_write *lane_commit_some(struct lane *lane, struct store_write *chain,
					      uint32_t most, bool *isolate);
/* The status of a write before it is tried: a write of a failed generation fails with it, and one
 * that needs room if there is none. */
enum store_status lane_admit(struct lane *lane, const struct store_write *write);
/* Asks how large the database is, if that is due. */
void lane_look_at_size(struct lane *lane);
void store_show_health(struct postgres_store *store);

/* ---- resolve.c ---- */

enum resolved {
	RESOLVED_NEVER,     /* it was not committed and never will be */
	RESOLVED_COMMITTED, /* and its writes have their statuses */
	RESOLVED_FORGOTTEN, /* the database does not know any more */
	RESOLVED_UNKNOWN,   /* until the deadline the database could not be asked */
};

/* Finds out what became of batch + 1, whose connection broke, and connects for that. `transaction`
 * is the one that was sent as that batch, or NULL if its writes are answered already. */
MUST_USE enum resolved lane_resolve(struct lane *lane, struct transaction *transaction,
				    uint64_t until_ns);
/* Connects, unless it is connected, and resolves what is in doubt: FAILURE_NONE or FAILURE_LOST.
 * `writes`: also takes a number if the lane has none, or needs another one.
 *
 * If a batch was (or may have been) committed whose writes were answered STORE_UNKNOWN, `changes` must report it,
 * although later batches of the lane are answered. So the lane takes another number: what has the
 * old one is reported as if another process had made it. */
MUST_USE enum failure lane_connect(struct lane *lane, bool writes, uint64_t until_ns);

#endif
