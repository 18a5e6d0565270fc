/* solve_out.c: writing solutions and jobs. */
#include "server/api/search/solve_out.h"

#include <stdio.h>
#include <string.h>

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/search/lesson_out.h"
#include "server/api/search/lesson_picture.h"
#include "server/api/search/solution_out.h"
#include "server/api/steps/rate_limit.h"
#include "server/format/cube_out.h"
#include "server/search/goal.h"

const char *const solve_metric_names[CUBE_SOLVE_METRICS] = {"htm", "qtm", "stm", "qstm", "etm"};

/* ---- a solution ---- */

/* `cube` is the cube before the step of a lesson, and is turned by it; NULL: not a lesson. */
static void write_step(struct out *out, const struct solve_question *question,
		       const struct cube_solve_step *step, const struct cube_turn *turns,
		       struct cube *cube)
{
	const size_t rotations = cube ? step->rotations : 0;
	out_open(out, '{');
	out_key(out, "text");
	if (cube)
		lesson_write_text(out, question, step);
	else
		out_string(out, step->text);
	out_member_string(out, "piece", step->piece[0] ? step->piece : NULL);
	out_key(out, "moves");
	turns_write(out, question->cube->size, turns + rotations, step->count - rotations);
	if (cube)
		lesson_write_step(out, question, step, turns, cube);
	out_close(out, '}');
}

/* The steps `from` .. `to` - 1 are of one stage. */
static void write_stage(struct out *out, const struct solve_question *question,
			const struct cube_solve_step *steps, size_t from, size_t to,
			const struct cube_turn *turns, struct cube *cube)
{
	const int size = question->cube->size;
	struct cube_metrics metrics;
	size_t count = 0;
	for (size_t i = from; i < to; i++)
		count += steps[i].count;
	cube_turns_metrics(size, turns, count, &metrics);
	out_open(out, '{');
	out_member_string(out, "name", question->solver->stages[steps[from].stage]);
	if (cube)
		lesson_write_stage(out, question, &steps[from]);
	out_key(out, "moves");
	turns_write(out, size, turns, count);
	out_key(out, "metrics");
	metrics_write(out, &metrics);
	out_member_open(out, "steps", '[');
	for (size_t i = from; i < to; i++) {
		write_step(out, question, &steps[i], turns, cube);
		turns += steps[i].count;
	}
	out_close(out, ']');
	out_close(out, '}');
}

static void write_stages(struct out *out, const struct solve_question *question,
			 const struct solve_answer *answer)
{
	const struct cube_turn *turns = answer->count > 0 ? answer->found[0].turns : NULL;
	const size_t steps = lesson_steps(question, answer);
	const bool lesson = lesson_is(question, answer);
	union lesson_cube cube;
	out_key(out, "stages");
	if (!question->solver->stages || !turns || answer->known) {
		out_null(out);
		return;
	}
	if (question->solver->niss) {
		niss_stages_write(out, question, answer);
		return;
	}
	if (lesson)
		cube_copy(&cube.cube, question->cube);
	out_open(out, '[');
	for (size_t from = 0, to; from < steps; from = to) {
		for (to = from; to < steps && answer->steps[to].stage == answer->steps[from].stage;)
			to++;
		write_stage(out, question, answer->steps, from, to, turns,
			    lesson ? &cube.cube : NULL);
		for (size_t i = from; i < to; i++)
			turns += answer->steps[i].count;
	}
	out_close(out, ']');
	if (lesson)
		lesson_write(out, question, answer);
}

static bool is_niss(const struct solve_question *question)
{
	return question->goal && question->goal->niss;
}

static void write_bound(struct out *out, const struct solve_question *question,
			const struct solve_answer *answer)
{
	out_key(out, "bound");
	if (question->goal && answer->bound >= CUBE_GOAL_NEVER)
		out_null(out);
	else
		out_integer(out, answer->bound);
}

static void write_effort(struct out *out, const struct solve_answer *answer)
{
	out_member_integer(out, "nodes", (int64_t)answer->nodes);
	out_key(out, "time_ms");
	out_ms(out, answer->took_ns);
}

/* Writes the number of solutions of each length, from the shortest on. */
static void write_lengths(struct out *out, const struct solve_answer *answer)
{
	const struct solve_tally *tally = answer->tally;
	out_member_open(out, "lengths", '[');
	for (; tally < answer->tally + answer->tallies; tally++) {
		out_open(out, '{');
		out_member_integer(out, "length", tally->length);
		out_member_integer(out, "count", (int64_t)tally->count);
		out_member_bool(out, "exhausted", tally->exhausted);
		out_close(out, '}');
	}
	out_close(out, ']');
}

/* The same, and of the shortest. */
static void write_tallies(struct out *out, const struct solve_answer *answer)
{
	const struct solve_tally *tally = answer->tally;
	out_key(out, "count");
	if (answer->tallies > 0)
		out_integer(out, (int64_t)tally->count);
	else
		out_null(out);
	out_member_bool(out, "exhausted", answer->tallies > 0 && tally->exhausted);
	write_lengths(out, answer);
}

static void write_several(struct out *out, const struct solve_question *question,
			  const struct solve_answer *answer)
{
	write_tallies(out, answer);
	out_member_open(out, "solutions", '[');
	for (unsigned i = 0; i < answer->count; i++) {
		out_open(out, '{');
		solution_write(out, question->cube->size, &answer->found[i], is_niss(question));
		out_close(out, '}');
	}
	out_close(out, ']');
}

/* The last line of a stream of solutions. */
static void write_feed_end(const struct solve_question *question, const struct solve_answer *answer,
			   enum solve_end end, struct out *out)
{
	const struct solve_tally *tally = answer->tally, *past = tally + answer->tallies;
	uint64_t count = 0;
	bool exhausted = end == SOLVE_COMPLETE;
	for (; tally < past; tally++) {
		count += tally->count;
		exhausted &= tally->exhausted;
	}
	out_open(out, '{');
	out_member_integer(out, "count", (int64_t)count);
	out_member_bool(out, "exhausted", exhausted);
	write_lengths(out, answer);
	out_member_string(out, "method", question->solver->name);
	out_member_string(out, "metric", solve_metric_names[question->metric]);
	out_member_bool(out, "complete", end == SOLVE_COMPLETE);
	write_bound(out, question, answer);
	write_effort(out, answer);
	out_close(out, '}');
}

/* Writes which tables a search without proof had, and which would help: larger ones of the same
 * method. */
static void write_used_tables(struct out *out, const struct cube_solver *solver,
			      const struct solve_answer *answer)
{
	char name[TABLES_NAME_BYTES], command[TABLES_NAME_BYTES + 32];
	size_t row = answer->tables ? (size_t)(answer->tables - solver->tables) + 1 : 0;
	out_member_open(out, "tables", '{');
	out_member_string(out, "used", answer->tables ? answer->tables->name : NULL);
	out_member_string(out, "making", answer->growing ? answer->growing->name : NULL);
	out_member_open(out, "larger", '[');
	for (; row < solver->table_count; row++) {
		tables_name(name, (struct tables_id){solver, &solver->tables[row]});
		snprintf(command, sizeof command, "cubed tables build %s", name);
		out_open(out, '{');
		out_member_string(out, "name", solver->tables[row].name);
		out_member_integer(out, "bytes", (int64_t)solver->tables[row].bytes);
		out_member_string(out, "command", command);
		out_member_string(out, "option", "--tables large");
		out_close(out, '}');
	}
	out_close(out, ']');
	out_close(out, '}');
}

void solve_write(const struct solve_question *question, const struct solve_answer *answer,
		 enum solve_end end, struct buffer *text)
{
	const int size = question->cube->size;
	const struct solve_turns *found = answer->count > 0 ? &answer->found[0] : NULL;
	struct cube_metrics metrics;
	struct out out = {.buffer = text};
	if (question->feed) {
		write_feed_end(question, answer, end, &out);
		return;
	}
	out_open(&out, '{');
	solution_write(&out, size, found, is_niss(question));
	if (is_niss(question))
		out_member_string(&out, "notation", "nissy");
	out_member_string(&out, "method", question->solver->name);
	out_member_string(&out, "metric", solve_metric_names[question->metric]);
	out_key(&out, "metrics");
	if (found) {
		cube_turns_metrics(size, found->turns, found->count, &metrics);
		metrics_write(&out, &metrics);
	} else {
		out_null(&out);
	}
	out_member_bool(&out, "complete", end == SOLVE_COMPLETE);
	out_member_bool(&out, "optimal", found && found->length <= answer->bound);
	write_bound(&out, question, answer);
	out_member_bool(&out, "from_history", answer->known);
	write_stages(&out, question, answer);
	if (question->solutions > 1)
		write_several(&out, question, answer);
	if (end == SOLVE_STOPPED && question->solver->optimal && question->solver->table_count > 1)
		write_used_tables(&out, question->solver, answer);
	write_effort(&out, answer);
	out_close(&out, '}');
}

/* The answer's solutions, moved to its beginning as a line each. Moves need no escapes, so they are
 * found without parsing: an answer may have 100 KB, and the lock is held. Without a solution there are no lines. */
static void keep_lines(struct buffer *body)
{
	static const char begin[] = "\"solution\":\"", several[] = "\"solutions\":[";
	char *end = body->bytes + body->length, *to = body->bytes;
	char *list = memmem(body->bytes, body->length, several, strlen(several)), *at = list;
	if (!list)
		at = body->bytes;
	while ((at = memmem(at, (size_t)(end - at), begin, strlen(begin))) != NULL) {
		at += strlen(begin);
		char *quote = memchr(at, '"', (size_t)(end - at));
		const size_t length = (size_t)(quote - at);
		memmove(to, at, length);
		to[length] = '\n';
		to += length + 1;
		at = quote;
		if (!list)
			break;
	}
	body->length = (size_t)(to - body->bytes);
}

void solve_reply(struct context *ctx)
{
	struct reply *reply = &ctx->request->reply;
	if (ctx->media != MEDIA_TEXT) {
		ctx_reply_json(ctx, 200);
		return;
	}
	if (!reply->body.failed)
		keep_lines(&reply->body);
	reply->status = 200;
	reply->content_type = media_type(MEDIA_TEXT);
}

/* ---- a job ---- */

void solve_refuse(struct context *ctx, enum job_admission admission)
{
	switch (admission) {
	case JOB_ADMITTED:
		break;
	case JOB_QUEUE_FULL:
		problem_answer(ctx->request, PROBLEM_BUSY,
			       "Too many jobs are waiting (jobs in /v1/limits). Try again.");
		problem_reason(ctx->request, REFUSAL_JOBS);
		break;
	case JOB_CLIENT_FULL:
		problem_full(ctx->request, "This address has the maximum number of jobs "
					   "(address_jobs in /v1/limits).");
		problem_reason(ctx->request, REFUSAL_ADDRESS_JOBS);
		break;
	case JOB_SHARE_FULL:
		problem_full(ctx->request,
			     "This address has too large a share of the waiting jobs (jobs in "
			     "/v1/limits). Try again when one of its jobs has ended.");
		problem_reason(ctx->request, REFUSAL_ADDRESS_JOBS);
		break;
	case JOB_NO_MEMORY:
		ctx_no_memory(ctx);
		break;
	case JOB_STOPPING:
		problem_answer(ctx->request, PROBLEM_SHUTTING_DOWN, "The server is shutting down.");
		break;
	}
}

/* Tables do not appear by themselves, so there is no Retry-After. */
static void no_tables(struct request *request, const struct job_view *view)
{
	char name[TABLES_NAME_BYTES], suggestion[TABLES_NAME_BYTES + 32];
	struct out out;
	struct tables_id id = {
		.solver = cube_solver_find(view->method, strlen(view->method), view->size)};
	id.row = &id.solver->tables[0];
	tables_name(name, id);
	snprintf(suggestion, sizeof suggestion, "cubed tables build %s", name);
	problem_begin(request, PROBLEM_NO_TABLES, &out,
		      "This server has no tables for the method %s.", view->method);
	problem_member(&out, "suggestion", suggestion);
	problem_end(request, &out);
	request->reply.retry_after_s = 0;
}

void solve_problem(struct request *request, const struct job_view *view, bool stopping)
{
	if (view->stopped)
		problem_answer(request, PROBLEM_SHUTTING_DOWN,
			       "The server that searched has stopped. Send the request again.");
	else if (stopping)
		problem_answer(request, PROBLEM_SHUTTING_DOWN, "The server is shutting down.");
	else if (view->status == JOB_CANCELLED)
		problem_answer(request, PROBLEM_BUSY, "The search was cancelled.");
	else if (view->end == SOLVE_NO_MEMORY)
		problem_answer(request, PROBLEM_OUT_OF_MEMORY,
			       "There is currently not enough memory for this search.");
	else if (view->end == SOLVE_NO_TABLES)
		no_tables(request, view);
	else
		problem_answer(request, PROBLEM_INTERNAL,
			       "The search returned a solution that does not solve the cube. It is "
			       "withheld, and the fault was logged.");
}

static void write_progress(struct out *out, const struct job_view *view)
{
	out_member_open(out, "progress", '{');
	out_member_integer(out, "nodes", (int64_t)view->nodes);
	out_member_integer(out, "depth", view->depth);
	out_key(out, "best");
	if (view->best >= 0)
		out_integer(out, view->best);
	else
		out_null(out);
	out_member_integer(out, "ahead", (int64_t)view->ahead);
	out_member_integer(out, "elapsed_ms", view->elapsed_ms);
	out_close(out, '}');
}

/* The time after which a client may look at a job again, in seconds; waiting on its events is
 * better. */
#define LOOK_AGAIN_S 1

void job_retry_after(struct context *ctx, const struct job_view *view)
{
	if (view->status < JOB_DONE)
		ctx->request->reply.retry_after_s = LOOK_AGAIN_S;
}

void job_write(struct out *out, const struct job_view *view)
{
	struct request failed;
	out_open(out, '{');
	out_member_string(out, "id", view->id);
	out_member_string(out, "status", job_status_names[view->status]);
	out_member_string(out, "method", view->method);
	out_member_integer(out, "size", view->size);
	write_progress(out, view);
	out_key(out, "result");
	if (view->text)
		out_raw(out, view->text->bytes, view->text->length);
	else
		out_null(out);
	out_key(out, "problem");
	if (view->status == JOB_FAILED) {
		request_init(&failed);
		solve_problem(&failed, view, false);
		out->buffer->failed |= failed.reply.body.failed;
		out_raw(out, failed.reply.body.bytes,
			failed.reply.body.length > 0 ? failed.reply.body.length - 1 : 0);
		request_finish(&failed);
	} else {
		out_null(out);
	}
	out_close(out, '}');
}
