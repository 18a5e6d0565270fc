/* store_problem.c: the status of a store as a problem. */
#include <string.h>

#include "server/api/request/context.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"

static enum problem_type problem_of_store(enum store_status status)
{
	static const enum problem_type types[] = {
		[STORE_NOT_FOUND] = PROBLEM_NOT_FOUND,
		[STORE_CONFLICT] = PROBLEM_BUSY,
		[STORE_BUSY] = PROBLEM_BUSY,
		[STORE_FULL] = PROBLEM_STORAGE_FULL,
		[STORE_BROKEN] = PROBLEM_STORE_UNAVAILABLE,
		[STORE_NO_MEMORY] = PROBLEM_OUT_OF_MEMORY,
		[STORE_STOPPED] = PROBLEM_SHUTTING_DOWN,
		[STORE_AWAY] = PROBLEM_STORE_AWAY,
		[STORE_UNKNOWN] = PROBLEM_STORE_AWAY,
		[STORE_DAMAGED] = PROBLEM_STORE_DAMAGED,
	};
	return types[status];
}

/* A path that names a solve reveals nothing about its session: a hidden or deleted session gets the
 * same bytes as a solve that does not exist. */
static bool names_solve(const struct context *ctx)
{
	return ctx->route && strstr(ctx->route->path, "{solve_id}");
}

void ctx_store_problem(struct context *ctx, enum store_status status)
{
	static const char *const details[] = {
		[STORE_NOT_FOUND] = "No session has this id.",
		[STORE_CONFLICT] = "Other clients changed the session too often for this change to "
				   "be stored. Try again.",
		[STORE_BUSY] = "Too many changes are waiting for the disk. Try again.",
		[STORE_FULL] = "There is no space left to store the change; nothing was changed.",
		[STORE_BROKEN] =
			"The store failed. Until the server is restarted, it only answers reads. "
			"Whether this change was stored is known only after the restart.",
		[STORE_NO_MEMORY] = "There is currently not enough memory for this request; "
				    "nothing was changed.",
		[STORE_STOPPED] = "The server is shutting down; nothing was changed.",
		[STORE_AWAY] = "The database cannot be reached at the moment; nothing was changed. "
			       "Try again.",
		[STORE_UNKNOWN] =
			"The connection to the database broke while the change was stored, so it "
			"may have been made or not. Read the cube, or repeat the request with its "
			"Idempotency-Key.",
		[STORE_DAMAGED] = "The stored history of this session is damaged, so it cannot be "
				  "read or changed. Ask the operator to restore a backup; other "
				  "sessions are served.",
	};
	if (status == STORE_NOT_FOUND && names_solve(ctx))
		problem_no_such_solve(ctx->request);
	else if (status == STORE_NOT_FOUND)
		ctx_session_problem(ctx, PROBLEM_NOT_FOUND, details[status]);
	else
		problem_answer(ctx->request, problem_of_store(status), details[status]);
	if (status == STORE_BUSY)
		problem_reason(ctx->request, REFUSAL_QUEUE);
	else if (status == STORE_CONFLICT)
		problem_reason(ctx->request, REFUSAL_CONFLICT);
}

void ctx_session_problem(struct context *ctx, enum problem_type type, const char *detail)
{
	struct out out;
	problem_begin(ctx->request, type, &out, "%s", detail);
	problem_member(&out, "pointer", ctx->named.pointer);
	problem_member(&out, "parameter", ctx->named.parameter);
	problem_end(ctx->request, &out);
}
