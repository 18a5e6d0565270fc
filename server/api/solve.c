/* solve.c: POST /v1/solve: a job, and its answer where it is there soon enough. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/cube_in.h"
#include "server/api/goal_in.h"
#include "server/api/input.h"
#include "server/api/kept.h"
#include "server/api/known.h"
#include "server/api/limit.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/solve_out.h"
#include "server/api/spell.h"
#include "server/api/state.h"
#include "server/solve/goal.h"

#define WAIT_USUAL_MS 1000
#define WAIT_MAX_MS 60000
#define TIME_USUAL_MS 60000
#define LENGTH_MAX 1000000
#define METHODS_MAX 32
/* Copying the cube and turning back a history. */
#define PREPARE_NS 1000000

struct ask {
	struct cube_request cube; /* first: cube_resolve hands it back as work->data */
	struct text method;
	int64_t length_max, timeout_ms, solutions, wait_ms;
	bool improve;
	struct goal_request goal;
	struct solve_question question;
	struct known known;
	struct work *work;
	struct solve_job *job;
	struct job_listener listener;
	bool gone; /* the client is */
};

/* ---- reading ---- */

static bool no_method(struct work *work, const struct ask *ask, int size)
{
	const char *names[METHODS_MAX];
	const struct cube_solver *solver;
	char expected[256] = "", detail[96];
	size_t count = 0, length = 0;
	for (size_t i = 0; (solver = cube_solver_at(i)) && count < METHODS_MAX; i++) {
		if (size < solver->size_min || size > solver->size_max)
			continue;
		names[count] = solver->name;
		if (length < sizeof expected)
			length += (size_t)snprintf(expected + length, sizeof expected - length,
						   "%s%s", count > 0 ? ", " : "", solver->name);
		count++;
	}
	snprintf(detail, sizeof detail, "No method%s solves cubes of size %d.",
		 ask->method.bytes ? " of this name" : "", size);
	return input_problem(work, ask->method.bytes ? "/method" : "/cube", detail,
			     count > 0 ? expected : "a smaller cube",
			     ask->method.bytes ? spell_nearest(ask->method.bytes,
							       ask->method.length, names, count)
					       : NULL);
}

static bool take_metric(struct work *work, struct text name, struct ask *ask)
{
	for (int i = 0; i < CUBE_SOLVE_METRICS; i++)
		if (strlen(solve_metric_names[i]) == name.length &&
		    memcmp(solve_metric_names[i], name.bytes, name.length) == 0) {
			ask->question.metric = (enum cube_solve_metric)i;
			return true;
		}
	return input_problem(work, "/metric", "No metric has this name.", "htm or qtm", NULL);
}

static int64_t time_max(const struct work *work)
{
	uint64_t most = work->service->config.limits.solve_ms;
	return most < INT32_MAX ? (int64_t)most : INT32_MAX;
}

static bool ask_read(struct work *work, struct ask *ask)
{
	struct json_t *cube = NULL, *until = NULL, *generators = NULL;
	struct text metric = {0};
	const struct input_member members[] = {
		{"cube", INPUT_OBJECT, &cube, 0, 0},
		{"method", INPUT_TEXT, &ask->method, 0, 0},
		{"metric", INPUT_TEXT, &metric, 0, 0},
		{"until", INPUT_ANY, &until, 0, 0},
		{"generators", INPUT_ANY, &generators, 0, 0},
		{"max_length", INPUT_INTEGER, &ask->length_max, 1, LENGTH_MAX},
		{"improve", INPUT_BOOL, &ask->improve, 0, 0},
		{"solutions", INPUT_INTEGER, &ask->solutions, 1, SOLVE_SOLUTIONS_MAX},
		{"timeout_ms", INPUT_INTEGER, &ask->timeout_ms, 1, time_max(work)},
		{"wait_ms", INPUT_INTEGER, &ask->wait_ms, 0, WAIT_MAX_MS},
	};
	if (!input_object(work, work->body, "", members, sizeof members / sizeof members[0]))
		return false;
	if (!cube)
		return input_problem(work, "/cube", "This member is missing.",
				     "a cube, say {\"size\": 3, \"moves\": \"R U\"}", NULL);
	if (ask->timeout_ms == 0)
		ask->timeout_ms = TIME_USUAL_MS < time_max(work) ? TIME_USUAL_MS : time_max(work);
	return cube_request_read(work, cube, "/cube", &ask->cube) &&
	       goal_take(work, until, generators, &ask->goal) &&
	       (!metric.bytes || take_metric(work, metric, ask));
}

/* ---- the question, when the cube is known ---- */

static bool choose_method(struct work *work, struct ask *ask)
{
	const int size = ask->cube.size;
	struct solve_question *question = &ask->question;
	const struct cube_solver *solver =
		ask->method.bytes ? cube_solver_find(ask->method.bytes, ask->method.length, size)
				  : cube_solver_default(size);
	if (goal_given(&ask->goal) && !goal_takes_method(&ask->goal, size)) {
		if (ask->method.bytes)
			return input_problem(work, "/method",
					     "A goal like this has a method of its own.",
					     "no method", NULL);
		solver = &solve_goal_method;
	}
	if (!solver)
		return no_method(work, ask, size);
	if (!cube_solver_counts(solver, question->metric))
		return input_problem(work, "/metric", "This method does not count in this metric.",
				     question->metric == CUBE_SOLVE_QTM ? "htm" : "qtm", NULL);
	if (ask->solutions > 1 && !solve_gives_several(solver))
		return input_problem(work, "/solutions", "This method gives one solution.",
				     "1, or a method without stages", NULL);
	question->solver = solver;
	question->length_max = (int)ask->length_max;
	question->improve = ask->improve;
	question->solutions = (unsigned)ask->solutions;
	question->timeout_ms = ask->timeout_ms;
	return true;
}

/* R2 for R2. */
static struct cube_turn turned_back(struct cube_turn turn)
{
	struct cube_turn back = cube_turn_inverse(turn);
	if (back.quarters == -2)
		back.quarters = 2;
	return back;
}

/* The history's turns, and those of the request on top, turned back. What cannot be had is left
 * out: it would only have made a solution shorter. */
static bool make_known(struct work *work, struct ask *ask, const struct cube_alg *alg)
{
	const struct buffer *history = &ask->known.turns;
	struct solve_turns *known = &ask->question.known;
	const size_t before = history->length / sizeof(struct cube_turn);
	if (!ask->known.whole || cube_alg_length(alg) > KNOWN_TURNS_MAX)
		return true;
	const size_t more = (size_t)cube_alg_length(alg);
	struct cube_turn *turns = malloc((before + more + 1) * sizeof *turns);
	size_t count = 0;
	if (!turns)
		return work_no_memory(work);
	if (before > 0)
		memcpy(turns, history->bytes, history->length);
	if (!cube_alg_expand(alg, more, turns + before, &count)) {
		free(turns);
		return true;
	}
	count = cube_turns_simplify(ask->cube.size, turns, before + count);
	for (size_t i = 0; i < count - i; i++) {
		const struct cube_turn first = turns[i];
		turns[i] = turned_back(turns[count - 1 - i]);
		turns[count - 1 - i] = turned_back(first);
	}
	*known = (struct solve_turns){turns, count, -1};
	return true;
}

static void ask_prepare(struct work *work)
{
	struct ask *ask = work->data;
	struct cube_alg alg = {0};
	if (!choose_method(work, ask) ||
	    (moves_given(&ask->cube.moves) &&
	     (!moves_read(work, &ask->cube.moves, ask->cube.size, &alg) ||
	      !cube_turn_by(work, ask->cube.cube, &alg))) ||
	    (ask->cube.source == CUBE_OF_SESSION && !make_known(work, ask, &alg)))
		return;
	if (goal_given(&ask->goal)) {
		goal_make(work, &ask->goal, ask->cube.cube, &ask->question);
		return;
	}
	ask->question.cube = malloc(cube_bytes(ask->cube.size));
	if (ask->question.cube)
		cube_copy(ask->question.cube, ask->cube.cube);
	else
		work_no_memory(work);
}

/* ---- the job ---- */

/* Ends the work: nothing of the job is needed any more. */
static void ask_end(struct work *work, struct ask *ask)
{
	work->left = NULL;
	if (ask->job)
		job_release(work->service->jobs, ask->job);
	ask->job = NULL;
	work_answer(work);
}

static void answer_text(struct work *work, const struct job_view *view)
{
	buffer_add(&work->request->reply.body, view->text->bytes, view->text->length);
	work_reply_json(work, 200);
}

static void answer_accepted(struct work *work, const struct job_view *view)
{
	char location[sizeof "/v1/jobs/" + JOB_ID_TEXT];
	struct out out = {.buffer = &work->request->reply.body};
	snprintf(location, sizeof location, "/v1/jobs/%s", view->id);
	job_write(&out, view);
	work->request->reply.location = work_reply_text(work, location, strlen(location));
	work_reply_json(work, 202);
}

/* It has ended, or the time for waiting is over; who does not want to wait always gets a job. */
static void ask_heard(struct job *heard)
{
	struct ask *ask = (struct ask *)((char *)heard - offsetof(struct ask, listener.heard));
	struct work *work = ask->work;
	struct jobs *jobs = work->service->jobs;
	struct job_view view;
	job_look(jobs, ask->job, &view);
	if (view.status == JOB_DONE && ask->wait_ms > 0) {
		answer_text(work, &view);
	} else if ((view.status == JOB_FAILED || view.status == JOB_CANCELLED) &&
		   ask->wait_ms > 0) {
		solve_problem(work->request, &view, atomic_load(&work->service->stopping));
	} else if (ask->gone) {
		job_cancel(jobs, ask->job);
		view.status = JOB_CANCELLED;
		solve_problem(work->request, &view, false);
	} else {
		job_keep(jobs, ask->job);
		answer_accepted(work, &view);
	}
	ask_end(work, ask);
}

/* Whoever would have read it is gone: its thread is for others. */
static void ask_left(struct work *work)
{
	struct ask *ask = work->data;
	const struct job_view view = {.status = JOB_CANCELLED};
	ask->gone = true;
	if (!job_unlisten(work->service->jobs, &ask->listener))
		return; /* ask_heard is about to be called */
	job_cancel(work->service->jobs, ask->job);
	solve_problem(work->request, &view, false);
	ask_end(work, ask);
}

static void not_admitted(struct work *work, enum job_admission admission)
{
	switch (admission) {
	case JOB_ADMITTED:
		break;
	case JOB_QUEUE_FULL:
		problem_answer(work->request, PROBLEM_BUSY,
			       "As many jobs wait as may (see jobs in /v1/limits). Try again.");
		break;
	case JOB_CLIENT_FULL:
		limit_full(work->request,
			   "This address has as many jobs as one address may have (see "
			   "address_jobs in /v1/limits).");
		break;
	case JOB_NO_MEMORY:
		work_no_memory(work);
		break;
	case JOB_STOPPING:
		problem_answer(work->request, PROBLEM_SHUTTING_DOWN,
			       "The server is shutting down.");
		break;
	}
}

/* It was not answered before. */
static void ask_submit(struct work *work)
{
	struct ask *ask = work->data;
	struct jobs *jobs = work->service->jobs;
	enum job_admission admission =
		job_submit(jobs, &ask->question, work->counted ? work->client : NULL, &ask->job);
	ask->question = (struct solve_question){0};
	if (admission != JOB_ADMITTED) {
		not_admitted(work, admission);
		work_answer(work);
		return;
	}
	ask->work = work;
	ask->listener.heard.done = ask_heard;
	work->left = ask_left;
	atomic_store(&work->request->heeds_leaving, true);
	job_listen(jobs, ask->job, &ask->listener, ask->wait_ms);
}

static void ask_prepared(struct work *work)
{
	struct ask *ask = work->data;
	buffer_free(&ask->known.turns);
	/* Its session is not held for as long as it is solved. */
	hub_leave(work);
	if (work->request->reply.status != 0) {
		solve_question_free(&ask->question);
		work_answer(work);
	} else if (ask->wait_ms > 0) {
		kept_look(work, &ask->question, ask_submit);
	} else {
		ask_submit(work);
	}
}

/* All is there that was asked for. */
static void ask_gathered(struct work *work)
{
	const struct ask *ask = work->data;
	uint64_t cost_ns = moves_cost(&ask->cube.moves, ask->cube.size);
	if (ask->cube.source == CUBE_OF_SESSION || goal_given(&ask->goal))
		cost_ns += PREPARE_NS;
	work_compute(work, cost_ns, ask_prepare, ask_prepared);
}

static void state_resolved(struct work *work)
{
	char *goal = work->data;
	work->data = goal - offsetof(struct ask, goal);
	ask_gathered(work);
}

static void own_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct ask *ask = work->data;
	own_find(work, reader, &ask->goal.own, &ask->goal.pattern);
}

static void own_done(struct job *job)
{
	struct work *work = work_of_job(job);
	if (work->request->reply.status != 0)
		work_answer(work);
	else
		ask_gathered(work);
}

/* What the goal needs of sessions. */
static void gather_goal(struct work *work, struct ask *ask)
{
	struct goal_request *goal = &ask->goal;
	goal->own = own_scope(work);
	if (goal->has_state) {
		hub_leave(work);
		cube_resolve(work, &goal->state, state_resolved);
	} else if (goal->has_pattern && own_is_named(&goal->own, &goal->pattern)) {
		work->job.run = own_run;
		work->job.done = own_done;
		pool_submit(work->service->readers, &work->job);
	} else {
		ask_gathered(work);
	}
}

static void ask_resolved(struct work *work)
{
	struct ask *ask = work->data;
	if (goal_given(&ask->goal))
		gather_goal(work, ask);
	else if (ask->cube.source == CUBE_OF_SESSION)
		known_collect(work, &ask->known, ask->cube.at, ask_gathered);
	else
		ask_gathered(work);
}

void solve_handle(struct work *work)
{
	struct ask *ask = work_take(work, sizeof *ask);
	if (ask)
		*ask = (struct ask){.cube = {.at = -1},
				    .goal = {.state = {.at = -1}},
				    .solutions = 1,
				    .wait_ms = WAIT_USUAL_MS};
	if (ask && ask_read(work, ask))
		cube_resolve(work, &ask->cube, ask_resolved);
	else
		work_answer(work);
}
