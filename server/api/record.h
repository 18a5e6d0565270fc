/* record.h: a solve is recorded with the entry that ends it, in one transaction. */
#ifndef SERVER_API_RECORD_H
#define SERVER_API_RECORD_H

#include "server/api/work.h"

/* Whether the entry that was worked out (work->after, of work->snapshot) solves the cube for the
 * first time, as far as is known here, so that it may end a solve. Cheap. */
bool record_due(const struct work *work);

/* Looks into the history whether it ends one, puts that into work->write, and queues the write. The
 * work holds its session, and no write is under way there. */
void record_start(struct work *work);

#endif
