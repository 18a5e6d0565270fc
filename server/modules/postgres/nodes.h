/* nodes.h: what the module gives to services that share a database (server/api/request/nodes.h). */
#ifndef SERVER_MODULES_POSTGRES_NODES_H
#define SERVER_MODULES_POSTGRES_NODES_H

#include "server/api/search/shared_jobs.h"
#include "server/live/live_internal.h"

extern const struct elsewhere_calls nodes_elsewhere; /* elsewhere.c */
extern const struct shared_jobs_calls nodes_jobs;    /* shared_jobs.c */

#endif
