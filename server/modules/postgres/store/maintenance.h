/* maintenance.h: what the files of the maintenance thread share.
 *
 * A thread of the process, with a connection of its own, does what no answer waits for: snapshots of
 * long histories (snapshots.c), the canonical index (index_cubes.c), purging (purge.c). Each job may
 * run in several processes at once, and may stop anywhere. Its commits are not waited for: what a
 * crash loses is done again. */
#ifndef SERVER_STORE_POSTGRES_MAINTENANCE_H
#define SERVER_STORE_POSTGRES_MAINTENANCE_H

#include "server/modules/postgres/store/reader.h"

#define SNAPSHOTS_DUE_MAX 4096

struct maintenance {
	struct postgres_store *store;
	struct connection connection;
	struct parameters parameters; /* for one statement at a time */
	uint64_t lanes;               /* as the gauge shows them */
	pthread_t thread;
	_Atomic bool stopping;

	struct lock lock; /* of all that follows */
	pthread_cond_t wake;
	uint64_t due[SNAPSHOTS_DUE_MAX]; /* sessions that need a snapshot */
	size_t due_count;
};

/* Runs a statement with maintenance->parameters, once. *result is the caller's to clear; NULL unless
 * STORE_OK. STORE_AWAY: the rest can wait for the next round. */
MUST_USE enum store_status maintenance_run(struct maintenance *maintenance,
					   enum statement statement, PGresult **result);
/* The same for a statement that returns one count, or nothing: then *count is 0. */
MUST_USE enum store_status maintenance_count(struct maintenance *maintenance,
					     enum statement statement, uint64_t *count);

/* The rounds of each job. */
MUST_USE enum store_status maintenance_snapshots(struct maintenance *maintenance);
MUST_USE enum store_status maintenance_index(struct maintenance *maintenance);
MUST_USE enum store_status maintenance_purge(struct maintenance *maintenance);

#endif
