/* session_visit.c: the visits of requests: authorized on entry, answered when their write is on disk. */
#include "server/api/steps/session_visit.h"

#include <string.h>

#include "server/access/secret.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/idempotency.h"
#include "server/api/steps/rate_limit.h"
#include "server/util/container_of.h"

struct context *ctx_of_visit(struct visit *visit)
{
	return container_of(visit, struct context, visit);
}

static bool visit_authorize(struct visit *visit)
{
	struct context *ctx = ctx_of_visit(visit);
	/* Only resolving a token: the session's content is not read. */
	if (ctx->who.pending || authorize_check(ctx))
		return true;
	const bool hidden = ctx->request->reply.status == 404;
	/* A doubtful answer is made again. */
	if (hidden && !visit->loads && visit->pass != PASS_TRUSTED)
		ctx_seem_absent(ctx);
	else
		ctx_answer(ctx);
	return false;
}

static void absent_entered(struct context *ctx)
{
	ctx_store_problem(ctx, STORE_NOT_FOUND);
	ctx_answer(ctx);
}

void ctx_seem_absent(struct context *ctx)
{
	session_release(&ctx->visit);
	request_clear_reply(ctx->request);
	secret_random(ctx->visit.id.bytes, sizeof ctx->visit.id.bytes);
	ctx_acquire(ctx, NEED_READ, absent_entered);
}

static void visit_entered(struct visit *visit)
{
	struct context *ctx = ctx_of_visit(visit);
	if (visit->attempts > 0 || visit->losses > 0)
		request_clear_reply(ctx->request);
	if (idempotency_in_doubt(ctx))
		idempotency_find_again(ctx);
	else
		ctx->entry.entered(ctx);
}

/* Also for a failed write: it may still be on disk. */
static void forget_statistics(struct context *ctx)
{
	const struct store_write *write = &ctx->visit.write;
	if (write->solve_count > 0 && write->meta.key > 0)
		books_changed(ctx->service, write->meta.key);
}

static void visit_committed(struct visit *visit)
{
	struct context *ctx = ctx_of_visit(visit);
	forget_statistics(ctx);
	session_distrust(&ctx->visit);
	ctx_answer(ctx);
}

static void visit_refused(struct visit *visit, enum store_status status)
{
	struct context *ctx = ctx_of_visit(visit);
	forget_statistics(ctx);
	session_distrust(&ctx->visit); /* the store has answered */
	if (ctx->who.pending && status == STORE_NOT_FOUND)
		authorize_unknown(ctx);
	else
		ctx_store_problem(ctx, status);
	ctx_answer(ctx);
}

const struct visit_calls request_visit_calls = {.authorize = visit_authorize,
						.entered = visit_entered,
						.committed = visit_committed,
						.refused = visit_refused};

/* An address with a token of this session is one party; owners' changes of who may do what come first. */
static void name_party(struct context *ctx)
{
	const struct route *route = ctx->route;
	const bool own = memcmp(&ctx->who.session, &ctx->visit.id, sizeof ctx->visit.id) == 0;
	ctx->visit.token = own ? ctx->who.token : 0;
	ctx->visit.urgent = route && (route->does == OWNS || route->does == DELETES);
}

void ctx_acquire(struct context *ctx, enum session_need need, void (*entered)(struct context *ctx))
{
	name_party(ctx);
	ctx->entry.entered = entered;
	ctx->visit.loads = false;
	session_acquire(&ctx->visit, need);
}

void ctx_acquire_trusting(struct context *ctx, enum session_need need,
			  void (*entered)(struct context *ctx))
{
	if (ctx->idempotency)
		session_distrust(&ctx->visit);
	else
		session_trust(&ctx->visit);
	ctx->entry.data = ctx->data;
	ctx_acquire(ctx, need, entered);
}

bool ctx_doubts_answer(struct context *ctx)
{
	if (ctx->visit.pass != PASS_TRUSTED)
		return false;
	session_distrust(&ctx->visit);
	request_clear_reply(ctx->request);
	ctx->faults = NULL;
	ctx->data = ctx->entry.data;
	ctx_acquire(ctx, NEED_WRITE, ctx->entry.entered);
	return true;
}

void ctx_write(struct context *ctx)
{
	if (!session_may_submit(&ctx->visit))
		return;
	if ((!ctx->idempotency || idempotency_keep(ctx)) && rate_limit_stored(ctx))
		session_submit(&ctx->visit);
	else
		ctx_answer(ctx);
}
