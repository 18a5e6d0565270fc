/* record_solve.c: recording a solve with the entry that ends it. */
#include "cube/cube.h"
#include "server/api/sessions/record_solve.h"

#include <string.h>

#include "server/api/request/service_state.h"
#include "server/api/sessions/append.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/session_visit.h"
#include "server/times/attempt.h"
#include "server/util/log.h"

struct recording {
	struct attempt attempt;
	enum store_status status;
	uint64_t count; /* of solves in the book */
};

static struct recording *recording_of(const struct context *ctx)
{
	return ((const struct append *)ctx->data)->recording;
}

bool record_solve_due(const struct context *ctx)
{
	return !ctx->visit.snapshot->settled && cube_is_solved(ctx->visit.after->cube);
}

static void record_run(struct context *ctx, struct store_reader *reader)
{
	struct recording *recording = recording_of(ctx);
	struct store *store = ctx->service->store;
	recording->status = attempt_find(&recording->attempt, store, reader, &ctx->request->arena);
	if (recording->status == STORE_OK && recording->attempt.found)
		recording->status = store->operations->solve_count(reader, recording->attempt.key,
								   &recording->count);
}

/* If the history cannot be read, or the book is full, the entry is stored all the same. */
static void record_done(struct context *ctx)
{
	struct recording *recording = recording_of(ctx);
	struct attempt *attempt = &recording->attempt;
	if (recording->status == STORE_NO_MEMORY) {
		ctx_no_memory(ctx);
		ctx_answer(ctx);
		return;
	}
	if (recording->status != STORE_OK)
		log_event(LOG_ERROR, "a solve was not recorded: the history cannot be read",
			  LOG_NUMBER("session", attempt->key));
	if (recording->status == STORE_OK && attempt->found &&
	    recording->count < ctx->service->config.limits.solves &&
	    solve_id_make(&ctx->visit.session->meta.id, attempt->solve.id)) {
		attempt->solve.actor = authorize_actor(ctx);
		attempt->solve.assisted = ctx->visit.session->meta.assisted > attempt->beginning;
		ctx->visit.write.solves = &attempt->solve;
		ctx->visit.write.solve_count = 1;
	}
	ctx_write(ctx);
}

void record_solve_start(struct context *ctx)
{
	const struct session *session = ctx->visit.session;
	struct recording *recording = ctx_alloc(ctx, sizeof *recording);
	if (!recording) {
		ctx_answer(ctx);
		return;
	}
	*recording = (struct recording){
		.attempt = {.key = session->meta.key,
			    .size = session->meta.size,
			    .scramble = session->scramble,
			    .scramble_count = session->scramble_count,
			    .packed = ctx->visit.write.packed,
			    .packed_bytes = ctx->visit.write.packed_bytes,
			    .revision = ctx->visit.write.revision,
			    .moves_max = (size_t)ctx->service->config.limits.moves}};
	((struct append *)ctx->data)->recording = recording;
	ctx_read(ctx, record_run, record_done);
}
