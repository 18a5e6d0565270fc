/* answer_cache.c: keeping answers of solvers that took long, and giving them again for the same
 * cube. */
#include "cube/cube.h"
#include "server/api/search/answer_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/search/solve_out.h"
#include "server/search/stored_answers.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

/* The time below which an answer is found as quickly as it is read. */
#define LONG_NS 100000000

/* The key of a kept answer: the method, and what it counts. False if the question asks for more
 * than the method's usual answer, or the answer is found as quickly as it would be read. */
static bool name_of(const struct solve_question *question, char name[ANSWER_METHOD_BYTES + 1])
{
	if (question->goal || question->solutions > 1 || question->length_max > 0 ||
	    question->improve || question->solver->stages || !solve_takes_long(question))
		return false;
	int length = snprintf(name, ANSWER_METHOD_BYTES + 1, "%s %s", question->solver->name,
			      solve_metric_names[question->metric]);
	return length <= ANSWER_METHOD_BYTES;
}

/* ---- keeping ---- */

/* The background write of an answer. */
struct keeping {
	struct job job;
	struct visit visit; /* in no session */
	struct service *service;
	struct arena arena; /* of the answer */
	struct stored_answer answer;
	char name[ANSWER_METHOD_BYTES + 1];
};

static void keeping_free(struct keeping *keeping)
{
	arena_finish(&keeping->arena);
	free(keeping);
}

static void keeping_written(struct visit *visit)
{
	struct keeping *keeping = container_of(visit, struct keeping, visit);
	atomic_fetch_sub(&keeping->service->pending, 1);
	keeping_free(keeping);
}

/* It will be found again next time. */
static void keeping_refused(struct visit *visit, enum store_status status)
{
	(void)status;
	keeping_written(visit);
}

static void keeping_write(struct job *job)
{
	session_submit(&container_of(job, struct keeping, job)->visit);
}

void answer_cache_keep(void *context, const struct solve_question *question,
		       const struct solve_answer *answer, enum solve_end end)
{
	static const struct visit_calls calls = {.committed = keeping_written,
						 .refused = keeping_refused};
	struct service *service = context;
	if (end != SOLVE_COMPLETE || answer->known || answer->count == 0 ||
	    answer->took_ns < LONG_NS || atomic_load(&service->stopping))
		return;
	struct keeping *keeping = calloc(1, sizeof *keeping);
	if (!keeping)
		return;
	keeping->service = service;
	keeping->visit = (struct visit){.calls = &calls, .cache = &service->session_cache};
	keeping->visit.write.kind = WRITE_ANSWER;
	keeping->visit.write.answer = &keeping->answer;
	keeping->job.done = keeping_write;
	if (!name_of(question, keeping->name) ||
	    !stored_answer_make(&keeping->answer, question->cube, keeping->name,
				answer->found[0].turns, answer->found[0].count, wall_ms(),
				&keeping->arena)) {
		keeping_free(keeping);
		return;
	}
	atomic_fetch_add(&service->pending, 1);
	completions_push_job(&service->completions, &keeping->job);
}

/* ---- looking ---- */

struct answer_look {
	struct job job;
	struct context *ctx;
	struct solve_question *question;
	void (*go)(struct context *ctx);
	char name[ANSWER_METHOD_BYTES + 1];
	struct cube_turn *turns;
	size_t count;
	enum store_status status;
	uint64_t began_ns;
};

static void look_run(struct job *job, struct store_reader *reader)
{
	struct answer_look *looking = container_of(job, struct answer_look, job);
	struct context *ctx = looking->ctx;
	looking->status = stored_answer_find(ctx->service->store, reader, looking->question->cube,
					     looking->name, &ctx->request->arena, &looking->turns,
					     &looking->count);
}

static int length_of(const struct solve_question *question, const struct cube_turn *turns,
		     size_t count)
{
	struct cube_metrics metrics = {0};
	if (count > 0)
		cube_turns_metrics(question->cube->size, turns, count, &metrics);
	return (int)cube_solve_metric_of(&metrics, question->metric);
}

static void look_done(struct job *job)
{
	struct answer_look *looking = container_of(job, struct answer_look, job);
	struct context *ctx = looking->ctx;
	struct solve_question *question = looking->question;
	struct buffer *body = &ctx->request->reply.body;
	if (looking->status != STORE_OK) { /* then it is solved again, whatever the reason */
		looking->go(ctx);
		return;
	}
	const int length = length_of(question, looking->turns, looking->count);
	if (question->known.turns &&
	    length_of(question, question->known.turns, question->known.count) < length) {
		looking->go(ctx);
		return;
	}
	/* A complete answer of the optimal method is the shortest. */
	const bool optimal = strcmp(question->solver->name, "optimal") == 0;
	struct solve_turns kept = {
		.turns = looking->turns, .count = looking->count, .length = length};
	struct solve_answer answer = {.found = &kept,
				      .count = 1,
				      .bound = optimal ? length : 0,
				      .took_ns = monotonic_ns() - looking->began_ns};
	solve_write(question, &answer, SOLVE_COMPLETE, body);
	struct out out = {.buffer = body, .comma = true};
	body->length -= body->length > 0;
	out_member_bool(&out, "kept", true);
	out_close(&out, '}');
	solve_reply(ctx);
	solve_question_free(question);
	ctx_answer(ctx);
}

void answer_cache_look(struct context *ctx, struct solve_question *question,
		       void (*go)(struct context *ctx))
{
	struct answer_look *looking = ctx_alloc(ctx, sizeof *looking);
	if (!looking) {
		solve_question_free(question);
		ctx_answer(ctx);
		return;
	}
	*looking = (struct answer_look){
		.job = {.run = look_run, .done = look_done, .client = ctx->client},
		.ctx = ctx,
		.question = question,
		.go = go,
		.began_ns = monotonic_ns()};
	if (name_of(question, looking->name))
		pool_submit(ctx->service->readers, &looking->job);
	else
		go(ctx);
}
