/* test_gate.c: which hints of other processes the gate follows. */
#include "run.h"
#include "server/modules/postgres/gate_internal.h"
#include "server/util/meters.h"

#define HINT(gate, ...)                                                                            \
	nodes_gate_hint(gate, (const uint64_t[]){__VA_ARGS__},                                     \
			sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static struct session_cache cache;

static void follow(uint64_t key, bool follows)
{
	lock_acquire(&cache.lock);
	(follows ? nodes_gate_follow : nodes_gate_unfollow)(&cache.gate, key);
	lock_release(&cache.lock);
}

START_TEST(hints_about_followed_sessions)
{
	struct gate *gate = &cache.gate;
	const uint64_t heard = meter_sum(METER_GATE_HINTS);
	const uint64_t followed = meter_sum(METER_GATE_HINTS_FOLLOWED);
	ck_assert(session_cache_init(&cache));
	gate_open(gate, &cache, NULL, NULL);
	ck_assert(!HINT(gate, 5));
	follow(5, true);
	follow(5, true);
	ck_assert(!HINT(gate, 4, 6, UINT64_MAX));
	ck_assert(!atomic_load(&gate->hinted));
	ck_assert(HINT(gate, 4, 6, 5));
	ck_assert(atomic_load(&gate->hinted));
	/* They share a slot. */
	ck_assert(HINT(gate, 5 + GATE_FOLLOW_SLOTS));
	follow(5, false);
	ck_assert(HINT(gate, 5));
	follow(5, false);
	ck_assert(!HINT(gate, 5));
	ck_assert_uint_eq(meter_sum(METER_GATE_HINTS) - heard, 6);
	ck_assert_uint_eq(meter_sum(METER_GATE_HINTS_FOLLOWED) - followed, 3);
	session_cache_finish(&cache);
}
END_TEST

START_TEST(hints_about_any_session)
{
	ck_assert(session_cache_init(&cache));
	gate_open(&cache.gate, &cache, NULL, NULL);
	ck_assert(nodes_gate_hint(&cache.gate, NULL, 0));
	ck_assert(atomic_load(&cache.gate.hinted));
	session_cache_finish(&cache);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gate");
	TCase *tests = tcase_create("gate");
	tcase_add_test(tests, hints_about_followed_sessions);
	tcase_add_test(tests, hints_about_any_session);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 2);
}
