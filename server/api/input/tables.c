/* tables.c: answers for tables that could not be taken. */
#include "server/api/input/tables.h"

#include <stdio.h>

#include "server/api/request/problem.h"

bool tables_taken(struct context *ctx, enum table_cache_result result, const char *purpose)
{
	char detail[96];
	switch (result) {
	case TABLE_CACHE_READY:
		return true;
	case TABLE_CACHE_NO_MEMORY:
		return ctx_no_memory(ctx);
	case TABLE_CACHE_NOT_YET: /* the table cache was stopped */
		problem_answer(ctx->request, PROBLEM_SHUTTING_DOWN, "The server is shutting down.");
		break;
	case TABLE_CACHE_MISSING:
		snprintf(detail, sizeof detail, "This server has no tables for %s.", purpose);
		problem_answer(ctx->request, PROBLEM_NO_TABLES, detail);
		break;
	}
	return false;
}
