/* test_fair_queue.c: the order in which clients are served, and that nothing is lost. */
#include "tests/server/run.h"

#include <stdint.h>
#include <string.h>

#include "server/util/fair_queue.h"

struct item {
	struct fair_item queued; /* first: what is popped is this */
	unsigned client, number;
	bool waits;
};

static struct fair_queue queue;

static void setup(void)
{
	memset(&queue, 0, sizeof queue);
}

static void push(struct item *item, unsigned client, unsigned number)
{
	uint8_t key[CLIENT_KEY_BYTES] = {0};
	memcpy(key + CLIENT_KEY_BYTES - sizeof client, &client, sizeof client);
	item->client = client;
	item->number = number;
	item->waits = true;
	fair_queue_push(&queue, &item->queued, key);
}

static struct item *pop(void)
{
	struct item *item = (struct item *)fair_queue_pop(&queue);
	if (item)
		item->waits = false;
	return item;
}

static uint64_t random_state = 1;

static uint64_t random_below(uint64_t bound)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (random_state >> 33) % bound;
}

START_TEST(one_client_is_served_in_order)
{
	struct item items[5] = {0};
	ck_assert_ptr_null(pop());
	for (unsigned i = 0; i < 5; i++)
		push(&items[i], 7, i);
	ck_assert_uint_eq(queue.waiting, 5);
	for (unsigned i = 0; i < 5; i++) {
		struct item *item = pop();
		ck_assert_uint_eq(item->number, i);
		fair_queue_done(&item->queued, 1000);
	}
	ck_assert_ptr_null(pop());
	ck_assert_uint_eq(queue.waiting, 0);
}
END_TEST

/* The last of a thousand long items does not delay the first short one by more than one item. */
START_TEST(newcomer_waits_for_one_item_at_most)
{
	static struct item flood[1000];
	struct item late = {0};
	for (unsigned i = 0; i < 1000; i++)
		push(&flood[i], 1, i);
	for (unsigned i = 0; i < 10; i++)
		fair_queue_done(&pop()->queued, 1000000);
	struct item *running = pop();
	push(&late, 2, 0);
	ck_assert_ptr_eq(pop(), &late);
	fair_queue_done(&late.queued, 1);
	fair_queue_done(&running->queued, 1000000);
}
END_TEST

/* However their items differ in cost, clients that always want more get the same service. */
START_TEST(service_is_shared_by_cost)
{
	static const uint64_t costs[] = {10, 1000, 37, 20000};
	enum { CLIENTS = 4, TURNS = 20000 };
	struct item items[CLIENTS] = {0};
	uint64_t served[CLIENTS] = {0};
	for (unsigned i = 0; i < CLIENTS; i++)
		push(&items[i], i + 1, 0);
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct item *item = pop();
		const unsigned client = item->client - 1;
		/* It has more to do before this one has ended: it is never idle. */
		const uint64_t cost = costs[client] / 2 + random_below(costs[client]);
		fair_queue_done(&item->queued, cost);
		served[client] += cost;
		push(item, client + 1, turn);
	}
	uint64_t least = UINT64_MAX, most = 0;
	for (unsigned i = 0; i < CLIENTS; i++) {
		least = served[i] < least ? served[i] : least;
		most = served[i] > most ? served[i] : most;
	}
	ck_assert_uint_ge(least, 20000);
	ck_assert_uint_le(most - least, 2 * 30000);
}
END_TEST

START_TEST(idle_time_earns_nothing)
{
	struct item busy[10] = {0}, idle[10] = {0};
	for (unsigned i = 0; i < 10; i++)
		push(&busy[i], 1, i);
	push(&idle[0], 2, 0);
	for (unsigned i = 0; i < 2; i++)
		fair_queue_done(&pop()->queued, 1000);
	for (unsigned i = 0; i < 9; i++) /* only the first client has work */
		fair_queue_done(&pop()->queued, 1000);
	for (unsigned i = 0; i < 10; i++) {
		push(&busy[i], 1, i);
		push(&idle[i], 2, i);
	}
	unsigned of_idle = 0;
	for (unsigned i = 0; i < 10; i++) {
		struct item *item = pop();
		of_idle += item->client == 2;
		fair_queue_done(&item->queued, 1000);
	}
	ck_assert_uint_ge(of_idle, 5);
	ck_assert_uint_le(of_idle, 6);
}
END_TEST

START_TEST(a_client_in_service_lets_others_go_first)
{
	struct item items[4] = {0};
	for (unsigned i = 0; i < 3; i++)
		push(&items[i], 1, i);
	ck_assert_ptr_eq(pop(), &items[0]);
	push(&items[3], 2, 0);
	fair_queue_done(&items[0].queued, 0);
	ck_assert_ptr_eq(pop(), &items[1]); /* both have received nothing */
	ck_assert_ptr_eq(pop(), &items[3]);
	ck_assert_ptr_eq(pop(), &items[2]);
}
END_TEST

/* Begun work goes on before new work, and others get their turns all the same. */
START_TEST(what_has_begun_goes_first)
{
	struct item items[5] = {0}, other = {0};
	static const unsigned order[] = {1, 3, 2, 0, 4};
	items[1].queued.begun = items[3].queued.begun = items[2].queued.begun = true;
	push(&items[0], 1, 0);
	push(&items[1], 1, 1);
	push(&items[3], 1, 3);
	push(&items[4], 1, 4);
	push(&items[2], 1, 2);
	ck_assert_uint_eq(pop()->number, order[0]);
	fair_queue_done(&items[order[0]].queued, 10);
	push(&other, 2, 0);
	ck_assert_ptr_eq(pop(), &other); /* however much has begun */
	fair_queue_done(&other.queued, 1000);
	for (unsigned i = 1; i < 5; i++) {
		struct item *item = pop();
		ck_assert_uint_eq(item->number, order[i]);
		fair_queue_done(&item->queued, 10);
	}
	push(&items[1], 1, 1);
	push(&items[0], 1, 0);
	ck_assert(fair_queue_remove(&queue, &items[1].queued));
	push(&items[3], 1, 3);
	ck_assert_ptr_eq(pop(), &items[3]);
	ck_assert_ptr_eq(pop(), &items[0]);
	ck_assert_ptr_null(pop());
}
END_TEST

/* With a bound, what one client has in service leaves room for others, and it gets its turn later. */
START_TEST(one_client_takes_no_more_than_its_bound)
{
	struct item items[3] = {0}, other = {0};
	queue.in_service_max = 1;
	for (unsigned i = 0; i < 3; i++)
		push(&items[i], 1, i);
	ck_assert_ptr_eq(pop(), &items[0]);
	ck_assert_ptr_null(pop());
	push(&other, 2, 0);
	ck_assert_ptr_eq(pop(), &other);
	ck_assert_ptr_null(pop());
	fair_queue_done(&items[0].queued, 10);
	ck_assert_ptr_eq(pop(), &items[1]);
	fair_queue_done(&other.queued, 10);
	fair_queue_done(&items[1].queued, 10);
	ck_assert_ptr_eq(pop(), &items[2]);
}
END_TEST

START_TEST(estimates_are_summed_by_client)
{
	struct item items[3] = {0};
	uint8_t key[CLIENT_KEY_BYTES] = {0};
	const unsigned client = 5;
	memcpy(key + CLIENT_KEY_BYTES - sizeof client, &client, sizeof client);
	for (unsigned i = 0; i < 3; i++) {
		items[i].queued.estimate_ns = 100 + i;
		push(&items[i], i < 2 ? client : 6, i);
	}
	ck_assert_uint_eq(fair_queue_estimated(&queue, key), 201);
	ck_assert_ptr_eq(pop(), &items[0]);
	ck_assert_uint_eq(fair_queue_estimated(&queue, key), 201);
	fair_queue_done(&items[0].queued, 7);
	ck_assert_uint_eq(fair_queue_estimated(&queue, key), 101);
	ck_assert(fair_queue_remove(&queue, &items[1].queued));
	ck_assert_uint_eq(fair_queue_estimated(&queue, key), 0);
}
END_TEST

/* More clients than accounts, items taken out, against a plain count. */
START_TEST(nothing_is_lost)
{
	enum { ITEMS = 2000, CLIENTS = 700, STEPS = 200000 };
	static struct item items[ITEMS];
	static unsigned next_number[CLIENTS];
	static struct item *running[8];
	size_t waiting = 0, in_service = 0;
	memset(items, 0, sizeof items);
	for (unsigned step = 0; step < STEPS; step++) {
		struct item *item = &items[random_below(ITEMS)];
		const uint64_t what = random_below(8);
		if (what < 4) {
			if (!item->waits && !item->queued.account) {
				const unsigned client = (unsigned)random_below(CLIENTS);
				item->queued.begun = random_below(3) == 0;
				item->queued.estimate_ns = random_below(100);
				push(item, client, next_number[client]++);
				waiting++;
			}
		} else if (what < 5) {
			ck_assert(fair_queue_remove(&queue, &item->queued) == item->waits);
			waiting -= item->waits;
			item->waits = false;
		} else if (in_service < 8) {
			struct item *popped = pop();
			ck_assert((popped != NULL) == (waiting > 0));
			if (popped) {
				running[in_service++] = popped;
				waiting--;
			}
		} else {
			while (in_service > 0)
				fair_queue_done(&running[--in_service]->queued, random_below(1000));
		}
		ck_assert_uint_eq(queue.waiting, waiting);
	}
	while (in_service > 0)
		fair_queue_done(&running[--in_service]->queued, 1);
	for (; waiting > 0; waiting--)
		fair_queue_done(&pop()->queued, 1);
	ck_assert_ptr_null(pop());
	for (size_t i = 0; i < queue.used; i++)
		ck_assert_uint_eq(queue.accounts[i].estimated_ns, 0);
}
END_TEST

static struct fair_outlook outlook_of(unsigned client)
{
	uint8_t key[CLIENT_KEY_BYTES] = {0};
	memcpy(key + CLIENT_KEY_BYTES - sizeof client, &client, sizeof client);
	return fair_queue_outlook(&queue, key);
}

/* The forecast is what happens if all items take equally long. */
START_TEST(the_outlook_comes_true)
{
	static struct item items[60], mine;
	unsigned ahead = 0;
	ck_assert_uint_eq(outlook_of(1).ahead, 0);
	ck_assert_uint_eq(outlook_of(1).clients, 1);
	for (unsigned i = 0; i < 60; i++)
		push(&items[i], i < 40 ? 1 : i < 58 ? 2 : 3, i);
	ck_assert_uint_eq(outlook_of(1).ahead, 40 + 18 + 2);
	ck_assert_uint_eq(outlook_of(3).ahead, 2 + 3 + 3);
	ck_assert_uint_eq(outlook_of(3).own, 2);
	ck_assert_uint_eq(outlook_of(4).own, 0);
	ck_assert_uint_eq(outlook_of(4).ahead, 3);
	ck_assert_uint_eq(outlook_of(4).clients, 4);
	ck_assert_uint_eq(outlook_of(3).clients, 3);
	const size_t foretold = outlook_of(3).ahead;
	push(&mine, 3, 60);
	for (struct item *item; (item = pop()) != &mine; ahead++)
		fair_queue_done(&item->queued, 1000);
	ck_assert_uint_ge(ahead + 2, foretold);
	ck_assert_uint_le(ahead, foretold);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fair queue");
	TCase *cases = tcase_create("fair queue");
	tcase_add_checked_fixture(cases, setup, NULL);
	tcase_add_test(cases, one_client_is_served_in_order);
	tcase_add_test(cases, newcomer_waits_for_one_item_at_most);
	tcase_add_test(cases, service_is_shared_by_cost);
	tcase_add_test(cases, idle_time_earns_nothing);
	tcase_add_test(cases, a_client_in_service_lets_others_go_first);
	tcase_add_test(cases, what_has_begun_goes_first);
	tcase_add_test(cases, one_client_takes_no_more_than_its_bound);
	tcase_add_test(cases, estimates_are_summed_by_client);
	tcase_add_test(cases, the_outlook_comes_true);
	tcase_add_test(cases, nothing_is_lost);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 10);
}
