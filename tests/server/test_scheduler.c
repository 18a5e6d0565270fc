/* test_scheduler.c: which search has a slot, by a clock that the test turns; no thread runs. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/search/jobs_internal.h"

#define MS 1000000u
#define SLICE (100 * MS)

static const struct cube_solver method = {.name = "method", .units = 8};

static struct jobs jobs;
static uint64_t now_ns;

static void begin(unsigned slots)
{
	jobs = (struct jobs){.options = {.threads = slots, .slice_ns = SLICE},
			     .tick_ms = -1,
			     .idle = 1000}; /* threads are there for all */
	ck_assert(lock_init(&jobs.lock));
	lock_acquire(&jobs.lock); /* the scheduler wants it held */
	jobs.options.table_cache = table_cache_create(NULL, false, 0);
	now_ns = 1000 * MS;
}

static struct solve_job *submit(const char *client, bool lengthy)
{
	struct solve_job *job = calloc(1, sizeof *job);
	uint8_t address[JOB_CLIENT_BYTES] = {0};
	if (client)
		memcpy(address, client, strlen(client));
	job->solver = &method;
	job->client = client_acquire(&jobs, client ? address : NULL);
	job->lengthy = lengthy;
	job->references = 1;
	job->number = jobs.number++;
	pthread_cond_init(&job->granted, NULL);
	scheduler_append(&jobs, job);
	scheduler_run(&jobs, now_ns);
	return job;
}

/* The parts look whether they are to give way. */
static void poll_parts(void)
{
	for (struct solve_job *job = jobs.running, *next; job; job = next) {
		next = job->next;
		for (unsigned i = 0; i < job->threads; i++)
			if (job->parts[i].state == PART_RUNNING &&
			    atomic_load(&job->parts[i].yield))
				scheduler_wait(&jobs, job, i, now_ns);
	}
}

/* Time goes by, with a tick each ms. */
static void pass(uint64_t ms)
{
	for (uint64_t i = 0; i < ms; i++) {
		now_ns += MS;
		scheduler_run(&jobs, now_ns);
		poll_parts();
	}
}

static void finish(struct solve_job *job)
{
	for (unsigned i = 0; i < job->threads; i++)
		scheduler_release(&jobs, job, i, now_ns);
	if (job->status == JOB_QUEUED)
		DL_DELETE(jobs.queue, job);
	else
		DL_DELETE(jobs.running, job);
	job->client->jobs--;
	job_drop(&jobs, job);
	scheduler_run(&jobs, now_ns);
}

static void end(void)
{
	while (jobs.queue)
		finish(jobs.queue);
	while (jobs.running)
		finish(jobs.running);
	ck_assert_uint_eq(jobs.slots_used, 0);
	ck_assert_uint_eq(jobs.long_slots_used, 0);
	clients_free(&jobs);
	lock_release(&jobs.lock);
	lock_destroy(&jobs.lock);
	table_cache_destroy(jobs.options.table_cache);
}

static uint64_t used_ms(const struct solve_job *job)
{
	return job->used_ns / MS;
}

/* ---- slots ---- */

START_TEST(long_ones_leave_a_slot)
{
	begin(3);
	struct solve_job *job[3];
	for (int i = 0; i < 3; i++)
		job[i] = submit("one", true);
	ck_assert(job[0]->slots == 1 && job[2]->slots == 0);
	ck_assert_uint_eq(jobs.long_slots_used, 2);
	struct solve_job *brief = submit("one", false);
	ck_assert_uint_eq(brief->slots, 1);
	/* The brief search has the last slot: the client leaves the next for others. */
	finish(job[0]);
	struct solve_job *more = submit("one", false);
	ck_assert_uint_eq(more->slots, 0);
	finish(brief);
	ck_assert_uint_eq(more->slots, 1);
	end();
}
END_TEST

/* The slot of a cancelled search is the next one's, and a suspended one that is cancelled waits for none. */
START_TEST(cancelled_searches_make_room)
{
	begin(2);
	struct solve_job *running = submit("one", true), *waiting = submit("one", true);
	ck_assert_uint_eq(scheduler_slots_released(&jobs, true), 0);
	atomic_store(&running->cancelled, true);
	ck_assert_uint_eq(scheduler_slots_released(&jobs, true), 1);
	ck_assert_uint_eq(scheduler_slots_released(&jobs, false), 0);
	ck_assert_uint_eq(scheduler_waiting(&jobs, NULL).lengthy, 1);
	finish(running);
	ck_assert_uint_eq(scheduler_slots_released(&jobs, true), 0);
	ck_assert(waiting->slots == 1 && scheduler_waiting(&jobs, NULL).lengthy == 0);

	struct solve_job *newcomer = submit("two", true);
	pass(300);
	struct solve_job *suspended = waiting->slots == 0 ? waiting : newcomer;
	ck_assert_uint_eq(scheduler_waiting(&jobs, NULL).lengthy, 1);
	atomic_store(&suspended->cancelled, true);
	ck_assert_uint_eq(scheduler_waiting(&jobs, NULL).lengthy, 0);
	end();
}
END_TEST

START_TEST(the_parts_of_a_split_search_give_way)
{
	begin(4);
	struct solve_job *split = submit("one", true);
	ck_assert_uint_eq(split->threads, 3);
	ck_assert_uint_eq(split->slots, 1);
	scheduler_wait(&jobs, split, 1, now_ns);
	scheduler_wait(&jobs, split, 2, now_ns);
	ck_assert_uint_eq(split->slots, 3);
	pass(500);
	struct solve_job *other = submit("two", true);
	ck_assert_uint_eq(other->slots, 0);
	poll_parts();
	ck_assert_uint_eq(other->slots, 1);
	ck_assert_uint_eq(split->slots, 2);
	ck_assert_uint_eq(other->threads, 1);
	/* The three have taken turns in what they have left; when the other ends they have all. */
	pass(3000);
	const struct job_part *parts = split->parts;
	for (int i = 1; i < 3; i++)
		ck_assert(parts[i].used_ns + 2 * SLICE > parts[0].used_ns &&
			  parts[0].used_ns + 2 * SLICE > parts[i].used_ns);
	finish(other);
	ck_assert_uint_eq(split->slots, 3);
	end();
}
END_TEST

/* ---- order ---- */

START_TEST(a_newcomer_waits_for_a_slice)
{
	begin(3);
	struct solve_job *long_ones[8];
	for (int i = 0; i < 8; i++)
		long_ones[i] = submit("one", true);
	pass(1234);
	struct solve_job *brief = submit("two", true);
	uint64_t waited_ms = 0;
	for (; brief->slots == 0 && waited_ms < 1000; waited_ms++)
		pass(1);
	ck_assert_uint_le(waited_ms, 101); /* bound: by the test's own clock */
	pass(50);
	ck_assert_uint_eq(brief->slots, 1);
	finish(brief);
	/* So does one of the same client, which has not run yet. */
	brief = submit("one", true);
	for (waited_ms = 0; brief->slots == 0 && waited_ms < 1000; waited_ms++)
		pass(1);
	ck_assert_uint_le(waited_ms, 101); /* bound: by the test's own clock */
	(void)long_ones;
	end();
}
END_TEST

START_TEST(clients_share_evenly_however_many_jobs_they_have)
{
	begin(2);
	struct solve_job *greedy[16], *modest;
	uint64_t sum_ms = 0;
	for (int i = 0; i < 16; i++)
		greedy[i] = submit("greedy", true);
	pass(5000);
	modest = submit("modest", true);
	for (int i = 0; i < 16; i++)
		sum_ms -= used_ms(greedy[i]);
	pass(20000);
	for (int i = 0; i < 16; i++)
		sum_ms += used_ms(greedy[i]);
	ck_assert_uint_ge(used_ms(modest), 9700);
	ck_assert_uint_ge(sum_ms, 9700);
	ck_assert_uint_ge(used_ms(modest) + sum_ms, 19900);
	end();
}
END_TEST

/* A client's search that is ten times as long does not go first, and searches of one length end one
 * after the other. */
START_TEST(short_ones_of_a_client_pass_long_ones)
{
	begin(2);
	struct solve_job *old = submit("one", true), *first, *second;
	pass(20000);
	first = submit("one", true);
	second = submit("one", true);
	/* A slice each, then the first up to a second, then the second. */
	pass(210);
	ck_assert(used_ms(first) >= 99 && used_ms(second) >= 99);
	pass(700);
	ck_assert_uint_ge(used_ms(first), 790);
	ck_assert_uint_le(used_ms(second), 110);
	pass(1200);
	ck_assert(used_ms(first) >= 900 && used_ms(second) >= 900);
	/* Then the first to ten, while the old one still waits. */
	pass(8000);
	ck_assert_uint_ge(used_ms(first), 8900);
	ck_assert_uint_lt(used_ms(second), 1210);
	ck_assert_uint_lt(used_ms(old), 20110);
	end();
}
END_TEST

/* ---- what a client has behind it ---- */

START_TEST(idleness_earns_nothing_and_debts_are_limited)
{
	begin(9);
	struct solve_job *early = submit("early", false), *busy[7], *lone, *others[8];
	finish(early);
	for (int i = 0; i < 7; i++)
		busy[i] = submit("busy", true);
	lone = submit("lone", true);
	/* The one has seven slots that nobody else wants, for a minute. */
	pass(60000);
	ck_assert_uint_ge(busy[0]->client->time_ns, lone->client->time_ns + DEBT_NS - SLICE);
	ck_assert_uint_le(busy[0]->client->time_ns, lone->client->time_ns + DEBT_NS);
	/* Now eight others come, one of which was there before: all alike, and the busy one has
	 * nothing, but not for longer than its debt. */
	for (int i = 0; i < 8; i++)
		others[i] = submit((const char *[]){"early", "a", "b", "c", "d", "e", "f", "g"}[i],
				   true);
	const uint64_t before_ms = used_ms(busy[0]) + used_ms(busy[6]);
	pass(5000);
	for (int i = 0; i < 8; i++) {
		ck_assert_uint_ge(used_ms(others[i]), 4000);
		ck_assert_uint_le(used_ms(others[i]), 5000);
	}
	ck_assert_uint_le(used_ms(busy[0]) + used_ms(busy[6]), before_ms + 500);
	pass(20000);
	uint64_t sum_ms = 0;
	for (int i = 0; i < 7; i++)
		sum_ms += used_ms(busy[i]);
	ck_assert_uint_gt(sum_ms, 7 * 60000 + 5000);
	end();
}
END_TEST

/* When nobody is left there is nobody to be behind, and clients are forgotten. */
START_TEST(clients_are_forgotten)
{
	begin(2);
	for (int i = 0; i < 1000; i++) {
		char name[JOB_CLIENT_BYTES] = {'c', (char)('a' + i % 26), (char)('a' + i / 26 % 26),
					       (char)('a' + i / 676)};
		struct solve_job *job = submit(name, false);
		pass(3);
		finish(job);
		ck_assert_uint_le(HASH_COUNT(jobs.clients), 70);
	}
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scheduler");
	TCase *tests = tcase_create("scheduler");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, long_ones_leave_a_slot);
	tcase_add_test(tests, cancelled_searches_make_room);
	tcase_add_test(tests, the_parts_of_a_split_search_give_way);
	tcase_add_test(tests, a_newcomer_waits_for_a_slice);
	tcase_add_test(tests, clients_share_evenly_however_many_jobs_they_have);
	tcase_add_test(tests, short_ones_of_a_client_pass_long_ones);
	tcase_add_test(tests, idleness_earns_nothing_and_debts_are_limited);
	tcase_add_test(tests, clients_are_forgotten);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 8);
}
