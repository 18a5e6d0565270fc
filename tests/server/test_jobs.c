/* test_jobs.c: searches as jobs: their order, their end, who listens, and answers that are wrong.
 */
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "run.h"
#include "server/access/secret.h"
#include "server/search/jobs_internal.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

/* ---- methods that do what a test wants ---- */

/* Turns U until the cube is solved. */
static enum cube_solve_end solve_turning(const void *tables, const struct cube_solve_task *task,
					 struct cube_solution *solution)
{
	struct cube *cube = malloc(cube_bytes(task->cube->size));
	(void)tables;
	cube_copy(cube, task->cube);
	for (int quarters = 0; quarters < 4; quarters++) {
		if (cube_is_solved(cube)) {
			solution->count = quarters > 0;
			solution->turns[0] = cube_turn_make(cube->size, CUBE_U, 1, 1,
							    quarters == 3 ? -1 : quarters);
			solution->length = quarters > 0;
		}
		cube_turn(cube, cube_turn_make(cube->size, CUBE_U, 1, 1, 1));
	}
	free(cube);
	solution->nodes = 4;
	solution->bound = solution->length;
	return CUBE_SOLVE_ALL;
}

static enum cube_solve_end solve_wrongly(const void *tables, const struct cube_solve_task *task,
					 struct cube_solution *solution)
{
	(void)tables;
	solution->turns[0] = cube_turn_make(task->cube->size, CUBE_F, 1, 1, 1);
	solution->count = 1;
	solution->length = 1;
	return CUBE_SOLVE_ENOUGH;
}

static _Atomic unsigned searching;

/* Searches until it must stop. Each of its parts has found something longer. */
static enum cube_solve_end solve_for_ever(const void *tables, const struct cube_solve_task *task,
					  struct cube_solution *solution)
{
	struct cube_solve_progress progress = {.best = -1};
	(void)tables;
	atomic_fetch_add(&searching, 1);
	do {
		progress.nodes++;
		progress.depth = 7;
		usleep(100);
	} while (!atomic_load(task->stop) && task->carry_on(task->context, &progress));
	atomic_fetch_sub(&searching, 1);
	solution->nodes = progress.nodes;
	solution->length = 2 + (int)task->unit;
	for (int i = 0; i < solution->length; i++)
		solution->turns[i] =
			cube_turn_make(task->cube->size, CUBE_U, 1, 1, i == 0 ? -1 : 4);
	solution->count = (size_t)solution->length;
	solution->bound = 1;
	return CUBE_SOLVE_STOPPED;
}

static const struct cube_solver append = {.name = "turning",
					  .size_min = 2,
					  .size_max = 4,
					  .length_max = {1, 2},
					  .units = 1,
					  .solve = solve_turning};
static const struct cube_solver wrong = {.name = "wrong",
					 .size_min = 2,
					 .size_max = 4,
					 .length_max = {1},
					 .units = 1,
					 .solve = solve_wrongly};
/* One that may take long, being optimal for size 3. */
static const struct cube_solver endless = {.name = "endless",
					   .size_min = 2,
					   .size_max = 4,
					   .length_max = {20},
					   .optimal = true,
					   .units = 8,
					   .solve = solve_for_ever};

/* ---- questions ---- */

/* Long enough for any machine; for what must not end before the test lets it. */
#define PATIENT_MS 3600000

static struct solve_question ask(const struct cube_solver *solver, int size, int64_t timeout_ms)
{
	struct solve_question question = {.solver = solver,
					  .cube = malloc(cube_bytes(size)),
					  .solutions = 1,
					  .timeout_ms = timeout_ms};
	cube_init(question.cube, size);
	cube_turn(question.cube, cube_turn_make(size, CUBE_U, 1, 1, 1));
	return question;
}

static void write_length(const struct solve_question *question, const struct solve_answer *answer,
			 enum solve_end end, struct buffer *text)
{
	(void)question;
	buffer_text(text, end == SOLVE_STOPPED ? "stopped " : "complete ");
	for (int i = 0; answer->count > 0 && i < answer->found[0].length; i++)
		buffer_text(text, "|");
}

static struct completions completions;
static struct table_cache *table_cache;
static struct jobs *jobs;

/* Nobody has to give way, unless a test asks for slices. */
#define NO_SLICES (UINT64_MAX / 4)
static uint64_t slice_ns = NO_SLICES;

static void begin(unsigned threads, uint64_t queue_max, uint64_t client_max)
{
	log_configure(LOG_OFF, 0);
	ck_assert(secret_setup() && completions_init(&completions));
	table_cache = table_cache_create(NULL, false, 0);
	const struct jobs_options options = {.threads = threads,
					     .completions = &completions,
					     .table_cache = table_cache,
					     .queue_max = queue_max,
					     .client_max = client_max,
					     .keep_ms = 100000,
					     .bytes_max = 1 << 20,
					     .slice_ns = slice_ns,
					     .write = write_length};
	jobs = jobs_create(&options);
	ck_assert_ptr_nonnull(jobs);
}

static void end(void)
{
	jobs_stop(jobs);
	jobs_destroy(jobs);
	table_cache_destroy(table_cache);
	completions_finish(&completions);
}

static struct solve_job *submit(struct solve_question question, const char *client)
{
	uint8_t address[JOB_CLIENT_BYTES] = {0};
	struct solve_job *job = NULL;
	if (client)
		memcpy(address, client, strlen(client));
	ck_assert_int_eq(job_submit(jobs, &question, client ? address : NULL, &job), JOB_ADMITTED);
	return job;
}

static enum job_status status_of(struct solve_job *job)
{
	struct job_view view;
	job_look(jobs, job, &view);
	return view.status;
}

static void wait_for(struct solve_job *job, enum job_status status)
{
	for (int i = 0; i < 240000 && status_of(job) != status; i++)
		usleep(500);
	ck_assert_int_eq(status_of(job), status);
}

static void wait_idle(void)
{
	for (int i = 0; i < 240000 && jobs_count(jobs).running + jobs_count(jobs).queued > 0; i++)
		usleep(500);
	ck_assert_uint_eq(jobs_count(jobs).running, 0);
	ck_assert_uint_eq(jobs_count(jobs).queued, 0);
	ck_assert_uint_eq(searching, 0);
}

static void check_text(struct solve_job *job, const char *wanted)
{
	struct job_view view;
	job_look(jobs, job, &view);
	ck_assert_ptr_nonnull(view.text);
	ck_assert_uint_eq(view.text->length, strlen(wanted));
	ck_assert(memcmp(view.text->bytes, wanted, view.text->length) == 0);
}

/* ---- answers ---- */

START_TEST(an_answer_is_kept)
{
	begin(2, 10, 10);
	struct solve_job *job = submit(ask(&append, 3, PATIENT_MS), NULL), *found;
	struct job_view view;
	job_look(jobs, job, &view);
	ck_assert_ptr_null(job_find(jobs, view.id, JOB_ID_TEXT));
	job_keep(jobs, job);
	wait_for(job, JOB_DONE);
	check_text(job, "complete |");
	found = job_find(jobs, view.id, JOB_ID_TEXT);
	ck_assert_ptr_eq(found, job);
	ck_assert_ptr_null(job_find(jobs, view.id, JOB_ID_TEXT - 1));
	ck_assert_uint_eq(jobs_count(jobs).kept, 1);
	job_release(jobs, found);
	job_release(jobs, job);
	view.id[3] = view.id[3] == '0' ? '1' : '0';
	ck_assert_ptr_null(job_find(jobs, view.id, JOB_ID_TEXT));
	end();
}
END_TEST

START_TEST(a_wrong_solution_is_withheld)
{
	begin(1, 10, 10);
	struct job_view view;
	struct solve_job *job = submit(ask(&wrong, 3, PATIENT_MS), NULL);
	wait_for(job, JOB_FAILED);
	job_look(jobs, job, &view);
	ck_assert_int_eq(view.end, SOLVE_WRONG);
	ck_assert_ptr_null(view.text);
	job_release(jobs, job);
	end();
}
END_TEST

START_TEST(time_ends_a_search_and_threads_share_it)
{
	begin(4, 10, 10);
	struct solve_job *job = submit(ask(&endless, 3, 3000), NULL);
	wait_for(job, JOB_RUNNING);
	/* All threads but the one that is left to others. */
	for (int i = 0; i < 1200000 && searching < 3; i++)
		usleep(100);
	ck_assert_uint_eq(searching, 3);
	wait_for(job, JOB_DONE);
	check_text(job, "stopped ||");
	job_release(jobs, job);
	wait_idle();
	end();
}
END_TEST

START_TEST(what_is_known_may_be_shorter)
{
	table_cache = table_cache_create(NULL, false, 0);
	atomic_bool stop = false;
	struct solve_progress progress = {.best = -1};
	const struct solve_control control = {.stop = &stop, .progress = &progress, .threads = 1};
	struct solve_answer answer;
	for (int shorter = 0; shorter < 2; shorter++) {
		struct solve_question question = ask(&endless, 3, 1);
		question.known.turns = malloc(3 * sizeof(struct cube_turn));
		question.known.count = shorter ? 1 : 3;
		question.known.turns[0] = cube_turn_make(3, CUBE_U, 1, 1, -1);
		question.known.turns[1] = cube_turn_make(3, CUBE_R, 1, 1, 1);
		question.known.turns[2] = cube_turn_make(3, CUBE_R, 1, 1, -1);
		ck_assert_int_eq(solve_answer(table_cache, &question, &control, &answer),
				 SOLVE_STOPPED);
		ck_assert_int_eq(answer.known, shorter);
		ck_assert_int_eq(answer.found[0].length, shorter ? 1 : 2);
		solve_answer_free(&answer);
		solve_question_free(&question);
	}
	/* Turns that do not solve it are not a solution, however few. */
	struct solve_question question = ask(&endless, 3, 1);
	question.known.turns = malloc(sizeof(struct cube_turn));
	question.known.turns[0] = cube_turn_make(3, CUBE_R, 1, 1, -1);
	question.known.count = 1;
	ck_assert_int_eq(solve_answer(table_cache, &question, &control, &answer), SOLVE_STOPPED);
	ck_assert(!answer.known && answer.found[0].length == 2);
	solve_answer_free(&answer);
	solve_question_free(&question);
	table_cache_destroy(table_cache);
}
END_TEST

/* ---- order ---- */

START_TEST(the_queue_is_bounded)
{
	begin(1, 2, 100);
	struct solve_job *job[3], *more = NULL;
	for (int i = 0; i < 3; i++) {
		job[i] = submit(ask(&endless, 3, PATIENT_MS), NULL);
		if (i == 0)
			wait_for(job[0], JOB_RUNNING);
	}
	struct solve_question question = ask(&endless, 3, 1000);
	ck_assert_int_eq(job_submit(jobs, &question, NULL, &more), JOB_QUEUE_FULL);
	ck_assert_ptr_nonnull(question.cube); /* it is ours, to be asked again */
	/* One of many leaves half of the places to others. */
	job_cancel(jobs, job[2]);
	question.patient = true;
	ck_assert_int_eq(job_submit(jobs, &question, NULL, &more), JOB_QUEUE_FULL);
	question.patient = false;
	ck_assert_int_eq(job_submit(jobs, &question, NULL, &more), JOB_ADMITTED);
	job_release(jobs, job[2]);
	job[2] = more;
	question = ask(&endless, 3, 1000);
	ck_assert_int_eq(job_submit(jobs, &question, NULL, &more), JOB_QUEUE_FULL);
	solve_question_free(&question);
	ck_assert_ptr_null(more);
	struct job_view view;
	job_look(jobs, job[2], &view);
	ck_assert_uint_eq(view.ahead, 1);
	job_cancel(jobs, job[1]);
	ck_assert_int_eq(status_of(job[1]), JOB_CANCELLED);
	job_look(jobs, job[2], &view);
	ck_assert_uint_eq(view.ahead, 0);
	job_cancel(jobs, job[0]);
	wait_for(job[2], JOB_RUNNING);
	job_cancel(jobs, job[2]);
	wait_idle();
	for (int i = 0; i < 3; i++)
		job_release(jobs, job[i]);
	end();
}
END_TEST

START_TEST(long_ones_leave_a_thread_to_short_ones)
{
	begin(2, 10, 100);
	struct solve_job *first = submit(ask(&endless, 3, PATIENT_MS), NULL);
	struct solve_job *second = submit(ask(&endless, 3, PATIENT_MS), NULL);
	struct solve_job *quick = submit(ask(&append, 3, PATIENT_MS), NULL);
	wait_for(quick, JOB_DONE);
	wait_for(first, JOB_RUNNING);
	ck_assert_int_eq(status_of(second), JOB_QUEUED);
	job_cancel(jobs, first);
	wait_for(second, JOB_RUNNING);
	job_cancel(jobs, second);
	wait_idle();
	job_release(jobs, first);
	job_release(jobs, second);
	job_release(jobs, quick);
	end();
}
END_TEST

START_TEST(a_client_leaves_a_thread_to_others)
{
	begin(3, 10, 3);
	struct solve_job *job[4];
	struct solve_question question;
	/* Searches of size 2 are not held to be long. */
	for (int i = 0; i < 3; i++)
		job[i] = submit(ask(&endless, 2, PATIENT_MS), "one");
	wait_for(job[0], JOB_RUNNING);
	wait_for(job[1], JOB_RUNNING);
	question = ask(&append, 2, PATIENT_MS);
	struct solve_job *more;
	ck_assert_int_eq(
		job_submit(jobs, &question, (const uint8_t *)"one\0\0\0\0\0\0\0\0\0\0\0\0", &more),
		JOB_CLIENT_FULL);
	solve_question_free(&question);
	job[3] = submit(ask(&endless, 2, PATIENT_MS), "two");
	wait_for(job[3], JOB_RUNNING);
	ck_assert_int_eq(status_of(job[2]), JOB_QUEUED);
	for (int i = 0; i < 4; i++) {
		job_cancel(jobs, job[i]);
		job_release(jobs, job[i]);
	}
	wait_idle();
	end();
}
END_TEST

/* A search of so many steps that it outlasts many slices, and counts them. */
static enum cube_solve_end solve_in_steps(const void *tables, const struct cube_solve_task *task,
					  struct cube_solution *solution)
{
	struct cube_solve_progress progress = {.best = -1};
	bool go_on = true;
	while (go_on && progress.nodes < 300) {
		progress.nodes++;
		usleep(100);
		go_on = !atomic_load(task->stop) && task->carry_on(task->context, &progress);
	}
	const uint64_t nodes = progress.nodes;
	solve_turning(tables, task, solution);
	solution->nodes = nodes;
	return go_on ? CUBE_SOLVE_ALL : CUBE_SOLVE_STOPPED;
}

static const struct cube_solver stepping = {.name = "stepping",
					    .size_min = 2,
					    .size_max = 4,
					    .length_max = {20},
					    .optimal = true,
					    .units = 1,
					    .solve = solve_in_steps};

/* Searches take turns: one that ends does so although others, also of the same client, hold all
 * threads for ever; and what was suspended goes on where it was. */
START_TEST(searches_give_way)
{
	slice_ns = 1000000;
	begin(3, 100, 100);
	struct solve_job *job[6];
	static const char *const client[6] = {"one", "one", "one", "one", NULL, NULL};
	for (int i = 0; i < 6; i++)
		job[i] = submit(ask(&endless, 3, PATIENT_MS), client[i]);
	for (int round = 0; round < 3; round++) {
		struct solve_job *other =
			submit(ask(&stepping, 3, PATIENT_MS), round == 0 ? "two" : NULL);
		struct solve_job *same = submit(ask(&stepping, 3, PATIENT_MS), "one");
		struct job_view view;
		wait_for(other, JOB_DONE);
		wait_for(same, JOB_DONE);
		job_look(jobs, same, &view);
		ck_assert_uint_eq(view.nodes, 300);
		check_text(same, "complete |");
		check_text(other, "complete |");
		job_release(jobs, other);
		job_release(jobs, same);
	}
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(status_of(job[i]), JOB_RUNNING);
		job_cancel(jobs, job[i]);
		wait_for(job[i], JOB_CANCELLED);
		job_release(jobs, job[i]);
	}
	wait_idle();
	end();
}
END_TEST

/* One of two parts finds a solution that is enough when the test wants it; the other one searches
 * on until it sees that. */
static _Atomic bool may_find;

static enum cube_solve_end solve_as_one_of_two(const void *tables,
					       const struct cube_solve_task *task,
					       struct cube_solution *solution)
{
	struct cube_solve_progress progress = {.best = -1};
	bool found = false;
	ck_assert_ptr_nonnull(task->shared);
	while (!found && !atomic_load(task->stop) && task->carry_on(task->context, &progress)) {
		progress.nodes++;
		usleep(100);
		found = task->unit == 0 ? may_find : atomic_load(&task->shared->best) > 0;
	}
	solution->length = -1;
	if (found && task->unit == 0) {
		solve_turning(tables, task, solution);
		atomic_store(&task->shared->best, solution->length + 1);
	}
	solution->nodes = progress.nodes;
	return found ? CUBE_SOLVE_ENOUGH : CUBE_SOLVE_STOPPED;
}

static const struct cube_solver one_of_two = {.name = "one_of_two",
					      .size_min = 2,
					      .size_max = 4,
					      .length_max = {20},
					      .optimal = true,
					      .units = 2,
					      .solve = solve_as_one_of_two};

/* Makes the first part run, and the other one wait for a slot that it never gets. */
static void suspend_second(const struct solve_job *job)
{
	bool suspended = false;
	for (int i = 0; i < 240000 && !suspended; i++) {
		usleep(500); /* bound: it looks again */
		lock_acquire(&jobs->lock);
		ck_assert_uint_eq(job->threads, 2);
		suspended = job->parts[0].state == PART_RUNNING &&
			    job->parts[1].state == PART_WAITING &&
			    !atomic_load(&job->parts[0].yield);
		if (suspended)
			jobs->options.slice_ns = NO_SLICES;
		lock_release(&jobs->lock);
	}
	ck_assert(suspended);
}

/* The solution of one part is the answer at once: a part that is suspended needs no slot to end. */
START_TEST(what_is_enough_waits_for_no_slot)
{
	slice_ns = 1000000;
	begin(3, 100, 100);
	struct solve_job *job = submit(ask(&one_of_two, 3, PATIENT_MS), "one"), *other[3];
	wait_for(job, JOB_RUNNING);
	for (int i = 0; i < 3; i++)
		other[i] = submit(ask(&endless, 3, PATIENT_MS), "two");
	suspend_second(job);
	may_find = true;
	wait_for(job, JOB_DONE);
	check_text(job, "complete |");
	job_release(jobs, job);
	for (int i = 0; i < 3; i++) {
		job_cancel(jobs, other[i]);
		job_release(jobs, other[i]);
	}
	wait_idle();
	end();
}
END_TEST

static _Atomic bool tables_may_be_made;

static void make_slowly(void *tables, unsigned step, unsigned part)
{
	(void)tables;
	(void)step;
	(void)part;
	while (!tables_may_be_made)
		usleep(100);
}

static const struct cube_solver_tables slow_tables = {
	.name = "slow", .magic = 1, .bytes = 4096, .steps = 1, .parts = 1, .make = make_slowly};
static const struct cube_solver preparing = {.name = "preparing",
					     .size_min = 2,
					     .size_max = 4,
					     .length_max = {20},
					     .optimal = true,
					     .units = 1,
					     .tables = &slow_tables,
					     .table_count = 1,
					     .solve = solve_turning};

/* Searches that wait for their tables take no slot from others. */
START_TEST(tables_are_waited_for_without_a_slot)
{
	begin(2, 10, 10);
	table_cache_destroy(table_cache);
	jobs->options.table_cache = table_cache = table_cache_create(NULL, false, SIZE_MAX);
	struct solve_job *waits[4];
	for (int i = 0; i < 4; i++)
		waits[i] = submit(ask(&preparing, 3, PATIENT_MS), NULL);
	struct solve_job *other = submit(ask(&stepping, 3, PATIENT_MS), NULL);
	wait_for(other, JOB_DONE);
	/* They wait, as the queue's bound has it. */
	ck_assert_uint_eq(jobs_count(jobs).queued, 4);
	ck_assert_uint_eq(jobs_count(jobs).running, 0);
	job_cancel(jobs, waits[0]);
	wait_for(waits[0], JOB_CANCELLED);
	tables_may_be_made = true;
	for (int i = 0; i < 4; i++) {
		wait_for(waits[i], i == 0 ? JOB_CANCELLED : JOB_DONE);
		job_release(jobs, waits[i]);
	}
	job_release(jobs, other);
	wait_idle();
	end();
}
END_TEST

static uint64_t waits_ns(void *context, unsigned thread)
{
	(void)thread;
	return *(const uint64_t *)context;
}

static bool is_wanted(void *context, unsigned thread)
{
	(void)context;
	(void)thread;
	return true;
}

/* Waiting for others is not its time: a search that takes 30 ms at least ends within 1 ms of its own
 * where it is said to have waited for so long, and not where it has not. */
START_TEST(a_suspended_search_has_its_time)
{
	table_cache = table_cache_create(NULL, false, 0);
	for (int waits = 0; waits < 2; waits++) {
		uint64_t each_ns = waits ? 10000000000u : 0;
		const struct solve_schedule schedule = {
			.context = &each_ns, .wanted = is_wanted, .yield = waits_ns};
		atomic_bool stop = false;
		struct solve_progress progress = {.best = -1};
		const struct solve_control control = {
			.stop = &stop, .progress = &progress, .threads = 1, .schedule = &schedule};
		struct solve_question question = ask(&stepping, 3, 1);
		struct solve_answer answer;
		ck_assert_int_eq(solve_answer(table_cache, &question, &control, &answer),
				 waits ? SOLVE_COMPLETE : SOLVE_STOPPED);
		if (waits)
			ck_assert_uint_eq(answer.waited_ns, 300 * each_ns);
		solve_answer_free(&answer);
		solve_question_free(&question);
	}
	table_cache_destroy(table_cache);
}
END_TEST

/* A search that is ended answers with what it had found. */
START_TEST(a_cancelled_search_tells_its_best)
{
	begin(2, 10, 10);
	struct solve_job *job = submit(ask(&endless, 3, PATIENT_MS), NULL);
	struct solve_job *queued = submit(ask(&endless, 3, PATIENT_MS), NULL), *found;
	struct job_view view;
	job_keep(jobs, job);
	job_keep(jobs, queued);
	wait_for(job, JOB_RUNNING);
	job_cancel(jobs, queued);
	ck_assert_int_eq(status_of(queued), JOB_CANCELLED);
	check_text(queued, "stopped ");
	job_cancel(jobs, job);
	wait_for(job, JOB_CANCELLED);
	check_text(job, "stopped ||");
	job_look(jobs, job, &view);
	found = job_find(jobs, view.id, JOB_ID_TEXT);
	ck_assert_ptr_eq(found, job);
	/* It has ended: nothing more happens to it. */
	job_cancel(jobs, found);
	check_text(found, "stopped ||");
	job_release(jobs, found);
	job_release(jobs, job);
	job_release(jobs, queued);
	wait_idle();
	end();
}
END_TEST

static enum job_admission try_submit(const char *client)
{
	struct solve_question question = ask(&endless, 3, PATIENT_MS);
	uint8_t address[JOB_CLIENT_BYTES] = {0};
	struct solve_job *job;
	memcpy(address, client, strlen(client));
	const enum job_admission admission = job_submit(jobs, &question, address, &job);
	if (admission == JOB_ADMITTED)
		job_release(jobs, job);
	else
		solve_question_free(&question);
	return admission;
}

/* However many a few clients put in, there is a place for a new one. */
START_TEST(nobody_fills_the_queue)
{
	static const char *const greedy[] = {"one", "two", "three", "four"};
	begin(2, 64, 100);
	size_t before = 0;
	for (int round = 0; round < 100; round++)
		for (int i = 0; i < 4; i++) {
			const enum job_admission admission = try_submit(greedy[i]);
			ck_assert(admission == JOB_ADMITTED || admission == JOB_SHARE_FULL);
			before += admission == JOB_ADMITTED;
		}
	/* Four have a fifth each, and one of them what runs. */
	ck_assert_uint_ge(before, 4 * 12);
	ck_assert_uint_le(before, 4 * 13 + 1);
	char name[] = "new0";
	for (; name[3] < '8'; name[3]++)
		ck_assert_int_eq(try_submit(name), JOB_ADMITTED);
	/* One alone leaves a half. */
	end();
	begin(2, 64, 100);
	for (int i = 0; i < 100; i++)
		before = try_submit("one") == JOB_ADMITTED ? (size_t)i + 1 : before;
	ck_assert_uint_eq(before, 33);
	end();
}
END_TEST

/* ---- listening ---- */

static struct job *heard_within(int ms)
{
	struct pollfd wake = {.fd = completions.wake, .events = POLLIN};
	struct job *heard = NULL;
	struct store_write *writes;
	if (poll(&wake, 1, ms) == 1)
		completions_take(&completions, &heard, &writes);
	return heard;
}

START_TEST(one_hears_once)
{
	begin(2, 10, 10);
	struct job_listener listener = {0};
	struct solve_job *job = submit(ask(&endless, 3, PATIENT_MS), NULL);
	wait_for(job, JOB_RUNNING);
	/* When the time is over. */
	int64_t began_ms = monotonic_ms();
	job_listen(jobs, job, &listener, 50);
	ck_assert_ptr_eq(heard_within(120000), &listener.heard);
	ck_assert_int_ge(monotonic_ms() - began_ms, 49);
	ck_assert(!job_unlisten(jobs, &listener));
	/* When it ends. */
	job_listen(jobs, job, &listener, 60000);
	ck_assert_ptr_null(heard_within(20));
	job_cancel(jobs, job);
	ck_assert_ptr_eq(heard_within(120000), &listener.heard);
	ck_assert_ptr_null(heard_within(20));
	/* When it has ended already. */
	job_listen(jobs, job, &listener, 60000);
	ck_assert_ptr_eq(heard_within(120000), &listener.heard);
	job_release(jobs, job);
	/* Not at all. */
	job = submit(ask(&endless, 3, PATIENT_MS), NULL);
	job_listen(jobs, job, &listener, 60000);
	ck_assert(job_unlisten(jobs, &listener));
	job_cancel(jobs, job);
	ck_assert_ptr_null(heard_within(50));
	job_release(jobs, job);
	end();
}
END_TEST

START_TEST(a_stop_ends_all)
{
	begin(2, 10, 10);
	struct job_listener listeners[4];
	struct solve_job *job[4], *more;
	for (int i = 0; i < 4; i++) {
		job[i] = submit(ask(&endless, 3, PATIENT_MS), NULL);
		job_keep(jobs, job[i]);
		job_listen(jobs, job[i], &listeners[i], 60000);
	}
	jobs_stop(jobs);
	struct solve_question question = ask(&append, 3, PATIENT_MS);
	ck_assert_int_eq(job_submit(jobs, &question, NULL, &more), JOB_STOPPING);
	solve_question_free(&question);
	for (int i = 0; i < 4; i++) {
		ck_assert(!job_unlisten(jobs, &listeners[i]));
		ck_assert_int_eq(status_of(job[i]), JOB_CANCELLED);
		job_release(jobs, job[i]);
	}
	end();
}
END_TEST

START_TEST(answers_that_are_kept_are_bounded)
{
	begin(1, 100, 100);
	jobs->options.bytes_max = 20 * sizeof(struct solve_job);
	char first[JOB_ID_TEXT + 1], last[JOB_ID_TEXT + 1];
	for (int i = 0; i < 40; i++) {
		struct solve_job *job = submit(ask(&append, 3, PATIENT_MS), NULL);
		struct job_view view;
		job_keep(jobs, job);
		job_look(jobs, job, &view);
		memcpy(i == 0 ? first : last, view.id, sizeof view.id);
		wait_for(job, JOB_DONE);
		job_release(jobs, job);
	}
	ck_assert_uint_gt(jobs_count(jobs).kept, 1);
	ck_assert_uint_le(jobs_count(jobs).kept_bytes, jobs->options.bytes_max);
	ck_assert_ptr_null(job_find(jobs, first, JOB_ID_TEXT));
	struct solve_job *job = job_find(jobs, last, JOB_ID_TEXT);
	ck_assert_ptr_nonnull(job);
	job_release(jobs, job);
	end();
}
END_TEST

static void ask_and_keep(const char *client, char id[JOB_ID_TEXT + 1])
{
	struct job_view view;
	struct solve_job *job = submit(ask(&append, 3, PATIENT_MS), client);
	job_keep(jobs, job);
	job_look(jobs, job, &view);
	memcpy(id, view.id, sizeof view.id);
	wait_for(job, JOB_DONE);
	job_release(jobs, job);
}

static bool is_kept(const char *id)
{
	struct solve_job *job = job_find(jobs, id, JOB_ID_TEXT);
	if (job)
		job_release(jobs, job);
	return job != NULL;
}

/* The client that asks most loses its own oldest answers, and no other loses any. */
START_TEST(nobody_pushes_out_answers_of_others)
{
	begin(1, 100, 100);
	jobs->options.bytes_max = 20 * (sizeof(struct solve_job) + 100);
	char other[3][JOB_ID_TEXT + 1], first[JOB_ID_TEXT + 1], id[JOB_ID_TEXT + 1];
	for (int i = 0; i < 3; i++)
		ask_and_keep(i == 0 ? NULL : "other", other[i]);
	ask_and_keep("greedy", first);
	for (int i = 0; i < 60; i++) {
		ask_and_keep("greedy", id);
		ck_assert(is_kept(id));
	}
	for (int i = 0; i < 3; i++)
		ck_assert(is_kept(other[i]));
	ck_assert(!is_kept(first));
	ck_assert_uint_le(jobs_count(jobs).kept_bytes, jobs->options.bytes_max);
	end();
}
END_TEST

/* ---- everything at once ---- */

/* Nobody looks at what was heard: the listeners that are on the list are about to go. */
static void forget_heard(void)
{
	lock_acquire(&completions.lock);
	completions.first_job = completions.last_job = NULL;
	lock_release(&completions.lock);
}

static void *play(void *argument)
{
	unsigned seed = (unsigned)(uintptr_t)argument;
	for (int i = 0; i < 150; i++) {
		const unsigned choice = (unsigned)rand_r(&seed);
		struct solve_question question =
			choice % 3 == 0 ? ask(choice % 2 ? &endless : &stepping, 2 + choice / 3 % 2,
					      1 + choice / 7 % 5)
					: ask(&append, 3, PATIENT_MS);
		struct solve_job *job;
		const uint8_t client[JOB_CLIENT_BYTES] = {(uint8_t)(seed % 3)};
		if (job_submit(jobs, &question, choice % 2 ? client : NULL, &job) != JOB_ADMITTED) {
			solve_question_free(&question);
			continue;
		}
		if (choice % 5 < 2)
			job_keep(jobs, job);
		if (choice % 11 == 0) {
			job_cancel(jobs, job);
		} else {
			struct job_listener listener = {0};
			job_listen(jobs, job, &listener, (int)(choice / 13 % 4));
			if (choice % 4 == 0)
				usleep(500);
			if (!job_unlisten(jobs, &listener))
				forget_heard();
		}
		job_release(jobs, job);
	}
	return NULL;
}

START_TEST(many_at_once)
{
	slice_ns = _i == 0 ? NO_SLICES : 200000;
	begin(4, 8, 5);
	pthread_t threads[4];
	for (uintptr_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, play, (void *)(i + 1)), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	wait_idle();
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jobs");
	TCase *tests = tcase_create("jobs");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, an_answer_is_kept);
	tcase_add_test(tests, a_wrong_solution_is_withheld);
	tcase_add_test(tests, time_ends_a_search_and_threads_share_it);
	tcase_add_test(tests, what_is_known_may_be_shorter);
	tcase_add_test(tests, the_queue_is_bounded);
	tcase_add_test(tests, long_ones_leave_a_thread_to_short_ones);
	tcase_add_test(tests, a_client_leaves_a_thread_to_others);
	tcase_add_test(tests, searches_give_way);
	tcase_add_test(tests, what_is_enough_waits_for_no_slot);
	tcase_add_test(tests, tables_are_waited_for_without_a_slot);
	tcase_add_test(tests, a_suspended_search_has_its_time);
	tcase_add_test(tests, a_cancelled_search_tells_its_best);
	tcase_add_test(tests, nobody_fills_the_queue);
	tcase_add_test(tests, nobody_pushes_out_answers_of_others);
	tcase_add_test(tests, one_hears_once);
	tcase_add_test(tests, a_stop_ends_all);
	tcase_add_test(tests, answers_that_are_kept_are_bounded);
	tcase_add_loop_test(tests, many_at_once, 0, 2);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 19);
}
