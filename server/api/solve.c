/* solve.c: POST /v1/solve: a job, and its answer where it is there soon enough. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "server/api/assistance.h"
#include "server/api/kept.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/solve_in.h"
#include "server/api/solve_lines.h"
#include "server/api/solve_out.h"
#include "server/api/state.h"

/* Copying the cube and turning back a history. */
#define PREPARE_NS 1000000

struct ask {
	struct solve_ask in; /* first */
	struct work *work;
	struct solve_job *job;
	struct job_listener listener;
	bool gone; /* the client is */
};

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
	if (view.status == JOB_DONE && ask->in.wait_ms > 0) {
		answer_text(work, &view);
	} else if ((view.status == JOB_FAILED || view.status == JOB_CANCELLED) &&
		   ask->in.wait_ms > 0) {
		solve_problem(work->request, &view, atomic_load(&work->service->stopping));
	} else if (ask->gone) {
		job_cancel(jobs, ask->job);
		work_problem_left(work);
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
	ask->gone = true;
	if (!job_unlisten(work->service->jobs, &ask->listener))
		return; /* ask_heard is about to be called */
	job_cancel(work->service->jobs, ask->job);
	work_problem_left(work);
	ask_end(work, ask);
}

/* It was not answered before. */
static void ask_submit(struct work *work)
{
	struct ask *ask = work->data;
	struct jobs *jobs = work->service->jobs;
	enum job_admission admission =
		job_submit(jobs, &ask->in.question, work->counted ? work->client : NULL, &ask->job);
	if (admission != JOB_ADMITTED) {
		solve_question_free(&ask->in.question);
		solve_refuse(work, admission);
		work_answer(work);
		return;
	}
	ask->work = work;
	ask->listener.heard.done = ask_heard;
	work->left = ask_left;
	atomic_store(&work->request->heeds_leaving, true);
	job_listen(jobs, ask->job, &ask->listener, ask->in.wait_ms);
}

static void ask_prepared(struct work *work)
{
	struct ask *ask = work->data;
	buffer_free(&ask->in.known.turns);
	/* Its session is not held for as long as it is solved. */
	hub_leave(work);
	if (work->request->reply.status != 0) {
		solve_question_free(&ask->in.question);
		work_answer(work);
	} else if (ask->in.wait_ms > 0) {
		kept_look(work, &ask->in.question, ask_submit);
	} else {
		ask_submit(work);
	}
}

/* All is there that was asked for. */
static void ask_gathered(struct work *work)
{
	const struct ask *ask = work->data;
	uint64_t cost_ns = moves_cost(&ask->in.cube.moves, ask->in.cube.size);
	if (ask->in.cube.source == CUBE_OF_SESSION || goal_given(&ask->in.goal))
		cost_ns += PREPARE_NS;
	work_compute(work, cost_ns, solve_ask_prepare, ask_prepared);
}

static void state_resolved(struct work *work)
{
	char *goal = work->data;
	work->data = goal - offsetof(struct ask, in.goal);
	ask_gathered(work);
}

static void own_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct ask *ask = work->data;
	own_find(work, reader, &ask->in.goal.own, &ask->in.goal.pattern);
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
	struct goal_request *goal = &ask->in.goal;
	goal->own = own_scope(work);
	if (goal->has_state) {
		hub_leave(work);
		cube_resolve(work, &goal->state, state_resolved);
	} else if (goal->has_pattern && own_is_named(work, &goal->own, &goal->pattern)) {
		work->job.run = own_run;
		work->job.done = own_done;
		pool_submit(work->service->readers, &work->job);
	} else {
		ask_gathered(work);
	}
}

static void ask_noted(struct work *work)
{
	struct ask *ask = work->data;
	if (goal_given(&ask->in.goal))
		gather_goal(work, ask);
	else if (ask->in.cube.source == CUBE_OF_SESSION)
		known_collect(work, &ask->in.known, ask->in.cube.at, ask_gathered);
	else
		ask_gathered(work);
}

/* The solution is of an attempt, maybe. */
static void ask_resolved(struct work *work)
{
	struct ask *ask = work->data;
	const struct cube_request *cube = &ask->in.cube;
	if (cube->source == CUBE_OF_SESSION)
		assistance_note(work,
				cube->at >= 0 ? (uint32_t)cube->at : work->snapshot->revision,
				ask_noted);
	else if (work->who.token > 0 && work->who.key > 0)
		assistance_note_cube(work, cube, ask_noted);
	else
		ask_noted(work);
}

void solve_handle(struct work *work)
{
	if (work->lines) {
		solve_lines(work);
		return;
	}
	struct ask *ask = work_take(work, sizeof *ask);
	if (ask) {
		*ask = (struct ask){0};
		solve_ask_init(&ask->in);
	}
	if (ask && solve_ask_read(work, &ask->in))
		cube_resolve(work, &ask->in.cube, ask_resolved);
	else
		work_answer(work);
}
