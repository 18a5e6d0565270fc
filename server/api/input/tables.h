/* tables.h: tables that a request needs. */
#ifndef SERVER_API_INPUT_TABLES_H
#define SERVER_API_INPUT_TABLES_H

#include "server/api/request/context.h"
#include "server/search/table_cache.h"

/* Returns true if the tables were taken. Otherwise answers 503; `purpose`: what they are for, as in "distances of a 2x2x2". */
MUST_USE bool tables_taken(struct context *ctx, enum table_cache_result result,
			   const char *purpose);

#endif
