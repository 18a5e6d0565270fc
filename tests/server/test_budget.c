/* test_budget.c: the budget against a model: who is refused, what is held, and that all is given back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/util/arena.h"
#include "server/util/buffer.h"
#include "server/util/budget.h"

#define CHUNK BUDGET_CHUNK_BYTES
#define TOTAL (64 * CHUNK)
#define SHARE (16 * CHUNK)
/* The amounts that may be taken before something is refused. */
#define TOTAL_ADMITTED (TOTAL / 8 * 7)
#define SHARE_ADMITTED (SHARE / 8 * 7)
#define CLIENTS 6

static const uint8_t *client(unsigned number)
{
	static const uint8_t addresses[CLIENTS][BUDGET_CLIENT_BYTES] = {
		{[15] = 0}, {[15] = 1}, {[15] = 2}, {[15] = 3}, {[15] = 4}, {[15] = 5}};
	return addresses[number];
}

START_TEST(small_requests_are_not_counted)
{
	struct budget *budget = budget_create(1, 1);
	struct charge charge;
	charge_begin(&charge, budget, client(0), true);
	ck_assert(charge_take(&charge, BUDGET_FREE_BYTES));
	ck_assert_uint_eq(budget_bytes(budget), 0);
	ck_assert_uint_eq(budget_accounts(budget), 0);
	ck_assert(!charge_take(&charge, 1));
	ck_assert_uint_eq(charge.refused, BUDGET_ALONE);
	ck_assert_uint_eq(charge.used, BUDGET_FREE_BYTES);
	charge_end(&charge);
	ck_assert_uint_eq(budget_accounts(budget), 0);
	budget_destroy(budget);
}
END_TEST

START_TEST(what_is_refused_and_why)
{
	struct budget *budget = budget_create(TOTAL, SHARE);
	struct charge charges[CLIENTS], more, uncounted, filler;
	/* A quarter of what is free, in whole chunks; then everything. */
	for (unsigned i = 0; i < 4; i++) {
		const size_t quarter = (TOTAL_ADMITTED - budget_bytes(budget)) / 4 / CHUNK * CHUNK;
		charge_begin(&charges[i], budget, client(i), true);
		ck_assert(!charge_take(&charges[i], quarter + CHUNK));
		ck_assert_uint_eq(charges[i].refused, i == 0 ? BUDGET_ALONE : BUDGET_TOTAL);
		ck_assert(charge_take(&charges[i], quarter));
		charge_begin(&more, budget, client(i), true);
		ck_assert(!charge_take(&more, CHUNK));
		ck_assert_uint_eq(more.refused, BUDGET_SHARE);
		ck_assert(charge_take(&more, BUDGET_FREE_BYTES));
		charge_end(&more);
	}
	charge_begin(&filler, budget, client(0), false);
	ck_assert(charge_take(&filler, TOTAL_ADMITTED - budget_bytes(budget)));
	ck_assert_uint_eq(budget_bytes(budget), TOTAL_ADMITTED);
	charge_begin(&more, budget, client(4), true);
	ck_assert(!charge_take(&more, CHUNK));
	ck_assert_uint_eq(more.refused, BUDGET_TOTAL);
	charge_begin(&uncounted, budget, client(0), false);
	ck_assert(!charge_take(&uncounted, CHUNK));
	ck_assert_uint_eq(uncounted.refused, BUDGET_TOTAL);
	charge_end(&charges[0]);
	ck_assert(charge_take(&uncounted, SHARE_ADMITTED));
	ck_assert(!charge_take(&uncounted, CHUNK));
	charge_end(&uncounted);
	/* Amounts that no waiting can bring. */
	charge_begin(&uncounted, budget, client(0), false);
	ck_assert(!charge_take(&uncounted, TOTAL));
	ck_assert_uint_eq(uncounted.refused, BUDGET_ALONE);
	ck_assert(!charge_take(&more, SHARE));
	ck_assert_uint_eq(more.refused, BUDGET_ALONE);
	ck_assert(!charge_take(&more, SIZE_MAX));
	ck_assert(!charge_take(&more, SIZE_MAX / 2));
	for (unsigned i = 1; i < 4; i++)
		charge_end(&charges[i]);
	charge_end(&more);
	charge_end(&uncounted);
	charge_end(&filler);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	ck_assert_uint_eq(budget_accounts(budget), 0);
	budget_destroy(budget);
}
END_TEST

/* However many clients take all they may, the next one may have a little. */
START_TEST(many_greedy_clients_leave_room_for_another)
{
	enum { GREEDY = 6 };
	const size_t total = 256 * CHUNK, share = 64 * CHUNK;
	struct budget *budget = budget_create(total, share);
	struct charge charges[GREEDY], other;
	for (unsigned i = 0; i < GREEDY; i++) {
		const uint8_t address[BUDGET_CLIENT_BYTES] = {(uint8_t)i, 1};
		charge_begin(&charges[i], budget, address, true);
		while (charge_take(&charges[i], CHUNK))
			;
		ck_assert_uint_gt(charges[i].used, 0);
		ck_assert_uint_le(charges[i].used, share / 8 * 7);
	}
	ck_assert_uint_gt(budget_bytes(budget), total / 2);
	charge_begin(&other, budget, client(0), true);
	ck_assert(charge_take(&other, 4 * CHUNK));
	charge_end(&other);
	for (unsigned i = 0; i < GREEDY; i++)
		charge_end(&charges[i]);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	budget_destroy(budget);
}
END_TEST

START_TEST(what_has_begun_is_not_refused_but_waits)
{
	struct budget *budget = budget_create(TOTAL, SHARE);
	struct charge begun, other, third;
	charge_begin(&begun, budget, client(0), true);
	charge_begin(&other, budget, client(0), true);
	charge_begin(&third, budget, client(1), true);
	ck_assert(charge_take(&other, SHARE_ADMITTED));
	ck_assert(charge_ready(&other));
	begun.forced = true;
	ck_assert(charge_ready(&begun));
	ck_assert(charge_take(&begun, SHARE / 8));
	ck_assert(!charge_ready(&begun));
	ck_assert(charge_take(&begun, SHARE));
	ck_assert(!charge_ready(&begun));
	ck_assert(charge_take(&third, CHUNK));
	ck_assert(charge_ready(&third));
	charge_give(&begun, SHARE);
	charge_end(&other);
	ck_assert(charge_ready(&begun));
	/* All together. */
	charge_force(&third, TOTAL);
	ck_assert(!charge_ready(&third));
	ck_assert(!charge_ready(&begun));
	ck_assert(!third.forced);
	ck_assert(!charge_take(&third, CHUNK));
	charge_end(&third);
	charge_end(&begun);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	ck_assert_uint_eq(budget_accounts(budget), 0);
	budget_destroy(budget);
}
END_TEST

START_TEST(without_limits_it_only_counts)
{
	struct budget *budget = budget_create(UINT64_MAX, UINT64_MAX);
	struct charge charge;
	charge_begin(&charge, budget, client(0), true);
	ck_assert(charge_take(&charge, (size_t)1 << 40));
	ck_assert_uint_eq(budget_bytes(budget), (uint64_t)1 << 40);
	ck_assert(charge_ready(&charge));
	charge_end(&charge);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	budget_destroy(budget);
	/* No budget at all. */
	struct charge none = {0};
	ck_assert(charge_take(&none, SIZE_MAX));
	charge_give(&none, SIZE_MAX);
	ck_assert(charge_take(NULL, 1));
	charge_give(NULL, 1);
	charge_end(&none);
}
END_TEST

/* ---- the model ---- */

#define CHARGES 24
#define STEPS 20000

struct model {
	struct charge charge;
	unsigned client;
	size_t used;
};

/* The budget counts at least what is used beyond the free part, and not much more. */
static void check_model(struct budget *budget, const struct model *models)
{
	size_t least = 0, most = 0, by_client[CLIENTS] = {0};
	for (unsigned i = 0; i < CHARGES; i++) {
		const struct charge *charge = &models[i].charge;
		const size_t needed = models[i].used > BUDGET_FREE_BYTES ? models[i].used : 0;
		ck_assert(charge->used == models[i].used && charge->held >= needed &&
			  charge->held < needed + 4 * CHUNK);
		least += needed;
		most += charge->held;
		by_client[models[i].client] += charge->counted ? charge->held : 0;
	}
	ck_assert_uint_eq(budget_bytes(budget), most);
	ck_assert_uint_le(least, most);
	ck_assert_uint_le(budget_bytes(budget), TOTAL_ADMITTED);
	for (unsigned i = 0; i < CLIENTS; i++)
		ck_assert_uint_le(by_client[i], SHARE_ADMITTED);
}

static void model_begin(struct budget *budget, struct model *model)
{
	model->client = (unsigned)rand() % CLIENTS;
	model->used = 0;
	charge_begin(&model->charge, budget, client(model->client), model->client > 0);
}

START_TEST(random_charges_agree_with_the_model)
{
	struct budget *budget = budget_create(TOTAL, SHARE);
	struct model models[CHARGES];
	unsigned refused = 0;
	for (unsigned i = 0; i < CHARGES; i++)
		model_begin(budget, &models[i]);
	for (unsigned step = 0; step < STEPS; step++) {
		struct model *model = &models[(unsigned)rand() % CHARGES];
		const size_t bytes = (size_t)rand() % (rand() % 4 ? 4096 : 3 * CHUNK);
		if (rand() % 100 == 0) {
			charge_end(&model->charge);
			model_begin(budget, model);
		} else if (rand() % 2) {
			if (charge_take(&model->charge, bytes))
				model->used += bytes;
			else
				refused++;
		} else if (bytes <= model->used) {
			charge_give(&model->charge, bytes);
			model->used -= bytes;
		}
		if (step % 8 == 0)
			check_model(budget, models);
	}
	ck_assert_uint_gt(refused, 100);
	for (unsigned i = 0; i < CHARGES; i++)
		charge_end(&models[i].charge);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	ck_assert_uint_eq(budget_accounts(budget), 0);
	budget_destroy(budget);
}
END_TEST

/* ---- threads ---- */

#define THREADS 4
#define THREAD_STEPS 20000

static _Atomic unsigned exceeded;

static void *take_and_give(void *argument)
{
	struct budget *budget = argument;
	unsigned seed = (unsigned)(uintptr_t)pthread_self();
	for (unsigned step = 0; step < THREAD_STEPS; step++) {
		struct charge charge;
		const unsigned number = (unsigned)rand_r(&seed) % CLIENTS;
		charge_begin(&charge, budget, client(number), number > 0);
		for (unsigned i = (unsigned)rand_r(&seed) % 4; i > 0; i--) {
			const size_t bytes = (size_t)rand_r(&seed) % (2 * SHARE);
			if (charge_take(&charge, bytes) && rand_r(&seed) % 2)
				charge_give(&charge, bytes);
			charge_ready(&charge);
		}
		if (budget_bytes(budget) > TOTAL_ADMITTED)
			atomic_fetch_add(&exceeded, 1);
		charge_end(&charge);
	}
	return NULL;
}

START_TEST(threads_share_a_budget)
{
	struct budget *budget = budget_create(TOTAL, SHARE);
	pthread_t threads[THREADS];
	for (unsigned i = 0; i < CLIENTS; i++)
		client(i);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_give, budget), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(exceeded, 0);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	ck_assert_uint_eq(budget_accounts(budget), 0);
	budget_destroy(budget);
}
END_TEST

/* ---- arenas and buffers ---- */

START_TEST(arenas_and_buffers_are_counted)
{
	struct budget *budget = budget_create(TOTAL, SHARE);
	struct charge charge;
	charge_begin(&charge, budget, client(1), true);
	struct arena arena = {.charge = &charge};
	struct buffer buffer = {.charge = &charge};
	size_t taken = 0;
	while (arena_alloc(&arena, 1000))
		taken += 1000;
	ck_assert_uint_eq(charge.refused, BUDGET_ALONE);
	ck_assert_uint_gt(taken, SHARE_ADMITTED / 3 * 2);
	ck_assert_uint_le(taken, SHARE_ADMITTED);
	ck_assert_uint_eq(charge.used, arena.bytes);
	arena_finish(&arena);
	ck_assert_uint_eq(charge.used, 0);
	while (buffer_room(&buffer, 1000))
		buffer.length += 1000;
	ck_assert(buffer.failed);
	ck_assert_uint_gt(buffer.length, SHARE_ADMITTED / 2 - 2000);
	ck_assert_uint_eq(charge.used, buffer.capacity);
	buffer.length = 70000;
	buffer_fit(&buffer);
	ck_assert_uint_eq(charge.used, 70000);
	buffer_free(&buffer);
	ck_assert_uint_eq(charge.used, 0);
	ck_assert_ptr_eq(buffer.charge, &charge);
	charge_end(&charge);
	ck_assert_uint_eq(budget_bytes(budget), 0);
	budget_destroy(budget);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget");
	TCase *tests = tcase_create("budget");
	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, small_requests_are_not_counted);
	tcase_add_test(tests, what_is_refused_and_why);
	tcase_add_test(tests, many_greedy_clients_leave_room_for_another);
	tcase_add_test(tests, what_has_begun_is_not_refused_but_waits);
	tcase_add_test(tests, without_limits_it_only_counts);
	tcase_add_test(tests, random_charges_agree_with_the_model);
	tcase_add_test(tests, threads_share_a_budget);
	tcase_add_test(tests, arenas_and_buffers_are_counted);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 8);
}
