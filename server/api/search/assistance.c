/* assistance.c: notes for which attempts a solution was given. */
#include "cube/cube.h"
#include "server/api/search/assistance.h"

#include <stdlib.h>

#include "server/api/input/cube.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/session_visit.h"
#include "server/times/attempt.h"
#include "server/util/container_of.h"

/* The write of a note, separate from the request that waits for it. */
struct note {
	struct visit visit;
	struct context *asking;
	void (*then)(struct context *ctx);
};

struct comparison {
	struct job job;
	struct context *ctx;
	const struct input_cube *cube;
	void (*then)(struct context *ctx);
	void *data; /* the context's, which gets it back */
	uint64_t key;
	enum store_status status;
	bool same;
};

static void comparison_run(struct job *job, struct store_reader *reader);
static struct cube *cube_asked(struct context *ctx, const struct input_cube *request);
static void comparison_done(struct job *job);
static void note_written(struct visit *visit);
static void note_refused(struct visit *visit, enum store_status status);
static void comparison_end(struct context *ctx);
static void comparison_entered(struct context *ctx);

void assistance_note_cube(struct context *ctx, const struct input_cube *cube,
			  void (*then)(struct context *ctx))
{
	struct comparison *comparison = ctx_alloc(ctx, sizeof *comparison);
	if (!comparison) {
		ctx_answer(ctx);
		return;
	}
	*comparison = (struct comparison){.job = {.run = comparison_run, .done = comparison_done},
					  .ctx = ctx,
					  .cube = cube,
					  .then = then,
					  .data = ctx->data};
	ctx->data = comparison;
	ctx->visit.id = ctx->who.session;
	ctx_acquire(ctx, NEED_READ, comparison_entered);
}

static void comparison_run(struct job *job, struct store_reader *reader)
{
	struct comparison *comparison = container_of(job, struct comparison, job);
	struct context *ctx = comparison->ctx;
	const struct cube *cube = cube_asked(ctx, comparison->cube);
	if (cube)
		comparison->status =
			attempt_shows(ctx->service->store, reader, comparison->key,
				      ctx->visit.snapshot->revision, cube, &comparison->same);
}

/* The cube with the moves applied; NULL with a problem. */
static struct cube *cube_asked(struct context *ctx, const struct input_cube *request)
{
	struct cube_alg alg;
	struct cube *cube = ctx_alloc(ctx, cube_bytes(request->size));
	if (!cube)
		return NULL;
	cube_copy(cube, request->cube);
	return !moves_given(&request->moves) ||
			       (moves_read(ctx, &request->moves, request->size, &alg) &&
				cube_turn_by(ctx, cube, &alg))
		       ? cube
		       : NULL;
}

static void comparison_done(struct job *job)
{
	struct comparison *comparison = container_of(job, struct comparison, job);
	struct context *ctx = comparison->ctx;
	if (ctx->request->reply.status != 0)
		ctx_answer(ctx);
	else if (comparison->status == STORE_OK && comparison->same)
		assistance_note(ctx, ctx->visit.snapshot->revision, comparison_end);
	else
		comparison_end(ctx);
}

void assistance_note(struct context *ctx, uint32_t revision, void (*then)(struct context *ctx))
{
	static const struct visit_calls calls = {.committed = note_written,
						 .refused = note_refused};
	struct session *session = ctx->visit.session;
	struct note *note = NULL;
	if (authorize_turns(ctx) && !session->committed->settled &&
	    session->meta.assisted <= revision)
		note = calloc(1, sizeof *note);
	if (!note) {
		then(ctx);
		return;
	}
	*note = (struct note){
		.visit = {.calls = &calls, .cache = ctx->visit.cache}, .asking = ctx, .then = then};
	note->visit.write.kind = WRITE_ASSISTANCE;
	note->visit.write.meta.key = session->meta.key;
	note->visit.write.revision = revision;
	session_join(&note->visit, session);
	atomic_fetch_add(&ctx->service->pending, 1);
	session_submit(&note->visit);
}

static void note_written(struct visit *visit)
{
	struct note *note = container_of(visit, struct note, visit);
	struct context *asking = note->asking;
	void (*then)(struct context * ctx) = note->then;
	session_release(visit);
	atomic_fetch_sub(&asking->service->pending, 1);
	free(note);
	then(asking);
}

/* The request goes on all the same. */
static void note_refused(struct visit *visit, enum store_status status)
{
	(void)status;
	note_written(visit);
}

static void comparison_end(struct context *ctx)
{
	const struct comparison *comparison = ctx->data;
	void (*then)(struct context * ctx) = comparison->then;
	session_release(&ctx->visit);
	ctx->data = comparison->data;
	then(ctx);
}

static void comparison_entered(struct context *ctx)
{
	struct comparison *comparison = ctx->data;
	const struct session *session = ctx->visit.session;
	if (!authorize_turns(ctx) || session->committed->settled ||
	    session->meta.size != comparison->cube->size) {
		comparison_end(ctx);
		return;
	}
	session_take_snapshot(&ctx->visit, session->committed);
	comparison->key = session->meta.key;
	pool_submit(ctx->service->readers, &comparison->job);
}
