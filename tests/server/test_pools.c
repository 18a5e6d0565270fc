/* test_pools.c: in which order the jobs of several clients are served, in slices or not, and that
 * the context of clients who have left is not done. The clock is the test's: jobs turn it on. */
#include "tests/server/run.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/threads/pool.h"
#include "server/threads/priority.h"

#define SLICE 2000
#define SERVED_MAX 4096

static _Atomic uint64_t now_ns;

static uint64_t clock_of_test(void)
{
	return atomic_load(&now_ns);
}

struct task {
	struct job job; /* first */
	uint8_t key[CLIENT_KEY_BYTES];
	unsigned client;
	unsigned steps; /* steps left to do */
	uint64_t step_ns;
	unsigned runs;
	bool done, dropped;
};

static struct completions completions;
static struct pool *pool, *rest;
static unsigned served[SERVED_MAX]; /* the client of each run, written by one thread */
static _Atomic unsigned served_count;

/* The gate: a job that holds the thread until the test has queued what it wants. */
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_moved = PTHREAD_COND_INITIALIZER;
static bool gate_reached, gate_open;

static void gate_run(struct job *job, struct store_reader *reader)
{
	(void)job;
	(void)reader;
	pthread_mutex_lock(&gate_lock);
	gate_reached = true;
	pthread_cond_broadcast(&gate_moved);
	while (!gate_open)
		pthread_cond_wait(&gate_moved, &gate_lock);
	pthread_mutex_unlock(&gate_lock);
}

static void gate_done(struct job *job)
{
	(void)job;
}

static struct job gate = {.run = gate_run, .done = gate_done};

static void gate_close(void)
{
	gate_reached = gate_open = false;
	pool_submit(pool, &gate);
	pthread_mutex_lock(&gate_lock);
	while (!gate_reached)
		pthread_cond_wait(&gate_moved, &gate_lock);
	pthread_mutex_unlock(&gate_lock);
}

static void gate_pass(void)
{
	pthread_mutex_lock(&gate_lock);
	gate_open = true;
	pthread_cond_broadcast(&gate_moved);
	pthread_mutex_unlock(&gate_lock);
}

static void task_run(struct job *job, struct store_reader *reader)
{
	struct task *task = (struct task *)job;
	(void)reader;
	const unsigned at = atomic_fetch_add(&served_count, 1);
	if (at < SERVED_MAX)
		served[at] = task->client;
	task->runs++;
	do {
		atomic_fetch_add(&now_ns, task->step_ns);
		task->steps--;
	} while (task->steps > 0 && !job_slice_over(job));
	job->more = task->steps > 0;
}

static void task_done(struct job *job)
{
	((struct task *)job)->done = true;
}

static void task_drop(struct job *job)
{
	((struct task *)job)->dropped = true;
}

static void task_make(struct task *task, unsigned client, unsigned steps, uint64_t step_ns)
{
	*task = (struct task){.client = client, .steps = steps, .step_ns = step_ns};
	memcpy(task->key, &client, sizeof client);
	task->job.run = task_run;
	task->job.done = task_done;
	task->job.drop = task_drop;
	task->job.client = task->key;
}

/* Ends that many jobs, the gate's too. */
static void end_jobs(unsigned count)
{
	while (count > 0) {
		struct pollfd wake = {.fd = completions.wake, .events = POLLIN};
		struct store_write *writes;
		struct job *job;
		ck_assert_int_ge(poll(&wake, 1, -1), 1);
		completions_take(&completions, &job, &writes);
		while (job) {
			struct job *next = job->next;
			ck_assert_uint_gt(count--, 0);
			job_complete(job);
			job = next;
		}
	}
}

static struct pool *make_pool(unsigned threads, struct pool *its_rest)
{
	const struct pool_options options = {.threads = threads,
					     .completions = &completions,
					     .rest = its_rest,
					     .slice_ns = SLICE,
					     .clock = clock_of_test};
	return pool_create(&options);
}

static void setup(void)
{
	atomic_store(&now_ns, 1);
	atomic_store(&served_count, 0);
	ck_assert(completions_init(&completions));
	rest = NULL;
	pool = make_pool(1, NULL);
	ck_assert_ptr_nonnull(pool);
}

static void teardown(void)
{
	pool_destroy(pool);
	pool_destroy(rest);
	completions_finish(&completions);
}

/* The place in which a client was first served. */
static unsigned first_of(unsigned client)
{
	for (unsigned i = 0; i < atomic_load(&served_count); i++)
		if (served[i] == client)
			return i;
	return UINT32_MAX;
}

START_TEST(a_flood_does_not_delay_others)
{
	static struct task flood[200], other;
	gate_close();
	for (unsigned i = 0; i < 200; i++) {
		task_make(&flood[i], 1, 1, SLICE);
		pool_submit(pool, &flood[i].job);
	}
	task_make(&other, 2, 1, 1);
	pool_submit(pool, &other.job);
	ck_assert_uint_eq(pool_waiting(pool), 201);
	gate_pass();
	end_jobs(202);
	ck_assert(other.done);
	ck_assert_uint_le(first_of(2), 1);
	ck_assert_uint_eq(pool_waiting(pool), 0);
}
END_TEST

/* Between two slices of one scan every other client has its turn; and a client's second scan does
 * not begin before its first has ended. */
START_TEST(slices_interleave)
{
	static struct task scans[2], others[3];
	gate_close();
	for (unsigned i = 0; i < 2; i++) {
		task_make(&scans[i], 1, 40, SLICE / 2); /* 20 slices each */
		pool_submit(pool, &scans[i].job);
	}
	for (unsigned i = 0; i < 3; i++) {
		task_make(&others[i], 2 + i, 10, SLICE); /* 10 slices each */
		pool_submit(pool, &others[i].job);
	}
	gate_pass();
	end_jobs(6);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_eq(scans[i].runs, 20);
	for (unsigned turn = 0; turn < 10; turn++) {
		bool seen[5] = {false};
		for (unsigned i = 0; i < 4; i++)
			seen[served[4 * turn + i]] = true;
		ck_assert(seen[1] && seen[2] && seen[3] && seen[4]);
	}
	ck_assert_uint_eq(atomic_load(&served_count), 70);
	ck_assert(scans[0].done && scans[1].done);
}
END_TEST

START_TEST(scans_of_a_client_come_one_after_the_other)
{
	static struct task scans[4];
	gate_close();
	for (unsigned i = 0; i < 4; i++) {
		task_make(&scans[i], 1, 5, SLICE);
		scans[i].client = i;
		pool_submit(pool, &scans[i].job);
	}
	gate_pass();
	end_jobs(5);
	for (unsigned i = 0; i < 20; i++)
		ck_assert_uint_eq(served[i], i / 5);
}
END_TEST

/* Begun work comes before new work of the same client. */
START_TEST(pieces_come_before_new_work)
{
	static struct task fresh[3], piece;
	gate_close();
	for (unsigned i = 0; i < 3; i++) {
		task_make(&fresh[i], 1, 1, 1);
		pool_submit(pool, &fresh[i].job);
	}
	task_make(&piece, 1, 1, 1);
	piece.client = 9;
	piece.job.queued.begun = true;
	pool_submit(pool, &piece.job);
	gate_pass();
	end_jobs(5);
	ck_assert_uint_eq(first_of(9), 0);
}
END_TEST

START_TEST(abandoned_work_never_runs)
{
	static struct task tasks[100];
	gate_close();
	for (unsigned i = 0; i < 100; i++) {
		task_make(&tasks[i], 1 + i % 3, 1, 1);
		if (i % 10 == 7)
			tasks[i].job.drop = NULL;
		if (i % 10 == 5)
			pool_abandon(&tasks[i].job); /* before it is submitted */
		pool_submit_estimated(pool, &tasks[i].job, 10);
	}
	for (unsigned i = 0; i < 100; i += 2)
		pool_abandon(&tasks[i].job);
	for (unsigned i = 7; i < 100; i += 10)
		pool_abandon(&tasks[i].job); /* is run all the same */
	ck_assert_uint_eq(pool_waiting(pool), 40);
	end_jobs(60); /* at once, with the thread still held */
	gate_pass();
	end_jobs(41);
	for (unsigned i = 0; i < 100; i++) {
		const bool unwanted = i % 2 == 0 || i % 10 == 5;
		ck_assert_int_eq(tasks[i].dropped, unwanted);
		ck_assert_int_eq(tasks[i].done, !unwanted);
		ck_assert_uint_eq(tasks[i].runs, !unwanted);
		pool_abandon(&tasks[i].job); /* it has ended */
	}
	/* Nothing is left of their estimates. */
	const struct pool_share share = {.total_ns = 1, .client_ns = 1};
	task_make(&tasks[0], 1, 1, 1);
	ck_assert_int_eq(pool_admit(pool, &tasks[0].job, 1000, &share), POOL_ADMITTED);
	end_jobs(1);
}
END_TEST

/* A scan that is abandoned in the middle is not gone on with. */
START_TEST(abandoned_scans_end)
{
	static struct task scan, other;
	gate_close();
	task_make(&scan, 1, 1000000, SLICE);
	task_make(&other, 1, 1, 1);
	pool_submit(pool, &scan.job);
	pool_submit(pool, &other.job);
	gate_pass();
	while (atomic_load(&served_count) < 10)
		usleep(100);
	pool_abandon(&scan.job);
	end_jobs(3);
	ck_assert(scan.dropped && !scan.done && other.done);
	ck_assert_uint_lt(scan.runs, 1000000);
}
END_TEST

START_TEST(each_client_has_a_share)
{
	static struct task tasks[8];
	const struct pool_share share = {.total_ns = 60, .client_ns = 15};
	gate_close();
	for (unsigned i = 0; i < 8; i++)
		task_make(&tasks[i], i < 3 ? 1 : i, 1, 1);
	ck_assert_int_eq(pool_admit(pool, &tasks[0].job, 10, &share), POOL_ADMITTED);
	ck_assert_int_eq(pool_admit(pool, &tasks[1].job, 6, &share), POOL_CLIENT_FULL);
	ck_assert_int_eq(pool_admit(pool, &tasks[1].job, 5, &share), POOL_ADMITTED);
	ck_assert_int_eq(pool_admit(pool, &tasks[2].job, 1, &share), POOL_CLIENT_FULL);
	/* A quarter of the 45, 33 and 24 that the others leave, rounded up. */
	ck_assert_int_eq(pool_admit(pool, &tasks[3].job, 13, &share), POOL_FULL);
	ck_assert_int_eq(pool_admit(pool, &tasks[3].job, 12, &share), POOL_ADMITTED);
	ck_assert_int_eq(pool_admit(pool, &tasks[4].job, 9, &share), POOL_ADMITTED);
	ck_assert_int_eq(pool_admit(pool, &tasks[5].job, 7, &share), POOL_FULL);
	ck_assert_int_eq(pool_admit(pool, &tasks[5].job, 6, &share), POOL_ADMITTED);
	/* The first client has 5 left, of the 33 that the others leave 9. */
	pool_abandon(&tasks[0].job);
	ck_assert_int_eq(pool_admit(pool, &tasks[2].job, 5, &share), POOL_CLIENT_FULL);
	ck_assert_int_eq(pool_admit(pool, &tasks[2].job, 4, &share), POOL_ADMITTED);
	gate_pass();
	end_jobs(7);
	ck_assert_int_eq(pool_admit(pool, &tasks[7].job, 1000, &share), POOL_ADMITTED);
	end_jobs(1);
}
END_TEST

/* Queues jobs of one client until it is refused; how much was admitted. */
static uint64_t fill_share(struct task *tasks, unsigned *made, unsigned client, uint64_t most_ns,
			   uint64_t step_ns, const struct pool_share *share)
{
	uint64_t admitted_ns = 0;
	for (; admitted_ns < most_ns; admitted_ns += step_ns) {
		task_make(&tasks[*made], client, 1, 1);
		if (pool_admit(pool, &tasks[*made].job, step_ns, share) != POOL_ADMITTED)
			break;
		++*made;
	}
	return admitted_ns;
}

/* However many clients take all they may, one after the other or by turns, the next one may have a
 * little. In ms: 60 s in all, the jobs of the greedy ones 0.1 s each. */
START_TEST(many_greedy_clients_leave_room_for_another)
{
	enum { GREEDY = 10, STEP = 100, LITTLE = 200 };
	static struct task tasks[1000];
	const struct pool_share share = {.total_ns = 60000, .client_ns = 15000};
	for (unsigned by_turns = 0; by_turns < 2; by_turns++) {
		unsigned made = 0;
		uint64_t got[GREEDY] = {0}, sum = 0, before;
		gate_close();
		do {
			before = sum;
			for (unsigned i = 0; i < GREEDY; i++) {
				const uint64_t more =
					fill_share(tasks, &made, 1 + i,
						   by_turns ? STEP : UINT64_MAX, STEP, &share);
				got[i] += more;
				sum += more;
			}
		} while (sum > before);
		for (unsigned i = 0; i < GREEDY; i++) {
			ck_assert_uint_gt(got[i], 0);
			ck_assert_uint_le(got[i], share.client_ns);
		}
		ck_assert_uint_gt(sum, share.total_ns / 2); /* little of it is unused */
		task_make(&tasks[made], 1 + GREEDY, 1, 1);
		ck_assert_int_eq(pool_admit(pool, &tasks[made].job, LITTLE, &share), POOL_ADMITTED);
		gate_pass();
		end_jobs(made + 2);
	}
}
END_TEST

/* A job that takes more than a slice goes on in the other pool, and holds none of this one's
 * threads. */
START_TEST(long_jobs_go_on_elsewhere)
{
	static struct task scans[20], shorts[20];
	pool_destroy(pool);
	rest = make_pool(1, NULL);
	pool = make_pool(2, rest);
	ck_assert(pool && rest);
	for (unsigned i = 0; i < 20; i++) {
		task_make(&scans[i], 1 + i % 3, 30, SLICE);
		task_make(&shorts[i], 1 + i % 5, 1, 1);
		pool_submit(pool, &scans[i].job);
		pool_submit(pool, &shorts[i].job);
	}
	end_jobs(40);
	for (unsigned i = 0; i < 20; i++) {
		ck_assert(scans[i].done && shorts[i].done);
		ck_assert_uint_ge(scans[i].runs, 2);
		ck_assert_uint_eq(shorts[i].runs, 1);
	}
}
END_TEST

/* Threads that submit, abandon and finish at the same time: each job ends exactly once. */
START_TEST(nothing_is_lost_among_threads)
{
	enum { TASKS = 3000 };
	struct task *tasks = calloc(TASKS, sizeof *tasks);
	ck_assert_ptr_nonnull(tasks);
	pool_destroy(pool);
	rest = make_pool(1, NULL);
	pool = make_pool(3, rest);
	for (unsigned i = 0; i < TASKS; i++) {
		task_make(&tasks[i], i % 7, 1 + i % 4, SLICE);
		if (i % 5 == 0)
			tasks[i].job.drop = NULL;
		pool_submit_estimated(pool, &tasks[i].job, i);
		if (i >= 10 && i % 2 == 0)
			pool_abandon(&tasks[i - i % 10].job);
	}
	end_jobs(TASKS);
	for (unsigned i = 0; i < TASKS; i++) {
		ck_assert_int_eq(tasks[i].done + tasks[i].dropped, 1);
		ck_assert(tasks[i].dropped || tasks[i].steps == 0);
	}
	free(tasks);
}
END_TEST

/* While a client has its long job in service, another is served on the thread that is left, and no
 * second one of the first client is. */
START_TEST(a_thread_is_left_for_others)
{
	static struct task mine[3], other;
	const struct pool_options options = {.threads = 2,
					     .client_threads = 1,
					     .completions = &completions,
					     .slice_ns = SLICE,
					     .clock = clock_of_test};
	pool_destroy(pool);
	pool = pool_create(&options);
	ck_assert_ptr_nonnull(pool);
	for (unsigned i = 0; i < 3; i++)
		task_make(&mine[i], 1, 1, 1);
	gate.client = mine[0].key;
	gate_close();
	for (unsigned i = 0; i < 3; i++)
		pool_submit(pool, &mine[i].job);
	task_make(&other, 2, 1, 1);
	pool_submit(pool, &other.job);
	end_jobs(1);
	ck_assert(other.done);
	ck_assert_uint_eq(pool_waiting(pool), 3);
	gate_pass();
	end_jobs(4);
	ck_assert(mine[0].done && mine[1].done && mine[2].done);
	gate.client = NULL;
}
END_TEST

/* Without threads all of it is done inside. */
START_TEST(jobs_run_inside)
{
	static struct task scan;
	pool_destroy(pool);
	pool = make_pool(0, NULL);
	task_make(&scan, 1, 10, SLICE);
	pool_submit(pool, &scan.job);
	ck_assert_uint_eq(scan.runs, 10);
	end_jobs(1);
	ck_assert(scan.done);
}
END_TEST

/* With no patience, only what need not wait is queued; with a second, all of these. The first job of a client
 * has a patience of its own. */
START_TEST(what_would_wait_too_long_is_not_queued)
{
	static const struct pool_patience endless = {UINT64_MAX, UINT64_MAX}, none = {0},
					  first = {.first_ns = 1000000000};
	static struct task known[32], waiting, refused, patient, further, begun;
	for (unsigned i = 0; i < 32; i++) {
		task_make(&known[i], 1, 1, 1);
		ck_assert(pool_submit_soon(pool, &known[i].job, &endless));
	}
	end_jobs(32);
	gate_close();
	task_make(&waiting, 1, 1, 1);
	ck_assert(pool_submit_soon(pool, &waiting.job, &none));
	task_make(&refused, 2, 1, 1);
	ck_assert(!pool_submit_soon(pool, &refused.job, &none));
	task_make(&patient, 2, 1, 1);
	ck_assert(pool_submit_soon(pool, &patient.job, &first));
	task_make(&further, 2, 1, 1);
	ck_assert(!pool_submit_soon(pool, &further.job, &first));
	task_make(&begun, 2, 1, 1);
	begun.job.queued.begun = true;
	ck_assert(pool_submit_soon(pool, &begun.job, &none));
	gate_pass();
	end_jobs(4);
	ck_assert(waiting.done && patient.done && begun.done);
	ck_assert(!refused.done && !further.done);
}
END_TEST

struct probe {
	struct job job; /* first */
	int nice;
};

static void probe_run(struct job *job, struct store_reader *reader)
{
	(void)reader;
	((struct probe *)job)->nice = getpriority(PRIO_PROCESS, (id_t)gettid());
}

/* Only what may wait has the priority that is set, and this from the next thread on. */
START_TEST(background_threads_have_their_priority)
{
	const int own = getpriority(PRIO_PROCESS, (id_t)gettid());
	const int background = own < 12 ? own + 7 : 19;
	for (int round = 0; round < 3; round++) {
		static struct probe probe;
		const bool low = round != 1;
		const struct pool_options options = {
			.threads = 1,
			.priority = low ? POOL_LOW : POOL_NORMAL,
			.completions = &completions,
			.clock = clock_of_test,
		};
		pool_destroy(pool);
		priority_set_background(round == 2 ? 0 : background);
		pool = pool_create(&options);
		ck_assert_ptr_nonnull(pool);
		probe = (struct probe){.job = {.run = probe_run, .done = gate_done}};
		pool_submit(pool, &probe.job);
		end_jobs(1);
		ck_assert_int_eq(probe.nice, round == 0 ? background : own);
	}
}
END_TEST

START_TEST(threads_share_the_cores)
{
	struct pool_options options = {.threads = 2};
	ck_assert_uint_eq(pool_at_once(&options, 1), 2);
	options.client_threads = 1;
	ck_assert_uint_eq(pool_at_once(&options, 1), 1);
	ck_assert_uint_eq(pool_at_once(&options, 50), 2);
	options.cores = 1;
	ck_assert_uint_eq(pool_at_once(&options, 50), 1);
	options.cores = 64;
	ck_assert_uint_eq(pool_at_once(&options, 50), 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pools");
	TCase *cases = tcase_create("pools");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, a_flood_does_not_delay_others);
	tcase_add_test(cases, slices_interleave);
	tcase_add_test(cases, scans_of_a_client_come_one_after_the_other);
	tcase_add_test(cases, pieces_come_before_new_work);
	tcase_add_test(cases, abandoned_work_never_runs);
	tcase_add_test(cases, abandoned_scans_end);
	tcase_add_test(cases, each_client_has_a_share);
	tcase_add_test(cases, many_greedy_clients_leave_room_for_another);
	tcase_add_test(cases, long_jobs_go_on_elsewhere);
	tcase_add_test(cases, nothing_is_lost_among_threads);
	tcase_add_test(cases, a_thread_is_left_for_others);
	tcase_add_test(cases, what_would_wait_too_long_is_not_queued);
	tcase_add_test(cases, threads_share_the_cores);
	tcase_add_test(cases, jobs_run_inside);
	tcase_add_test(cases, background_threads_have_their_priority);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 14);
}
