/* test_line.c: who is next in a session's line: parties take turns, urgent visits come first, nobody is lost. */
#include "tests/server/run.h"

#include <string.h>

#include "server/session/line.h"

struct waiting {
	struct visit visit; /* first: what is taken is this */
	uint8_t client[CLIENT_KEY_BYTES];
	unsigned party, number;
	bool waits;
};

static struct line line;

static void setup(void)
{
	line = (struct line){0};
}

static void put(struct waiting *waiting, unsigned party, unsigned number, struct visit visit)
{
	*waiting =
		(struct waiting){.visit = visit, .party = party, .number = number, .waits = true};
	waiting->visit.client = waiting->client;
	memcpy(waiting->client, &party, sizeof party);
	line_put(&line, &waiting->visit, false);
}

static void turn(struct waiting *waiting, unsigned party, unsigned number)
{
	put(waiting, party, number, (struct visit){.need = NEED_WRITE});
}

static void urgent(struct waiting *waiting, unsigned party, unsigned number)
{
	put(waiting, party, number, (struct visit){.need = NEED_ALONE, .urgent = true});
}

static struct waiting *take(void)
{
	struct visit *visit = line_next(&line);
	if (!visit)
		return NULL;
	line_take(&line, visit);
	struct waiting *waiting = (struct waiting *)visit;
	ck_assert(waiting->waits);
	waiting->waits = false;
	return waiting;
}

static void expect(unsigned party, unsigned number)
{
	const struct waiting *waiting = take();
	ck_assert_ptr_nonnull(waiting);
	ck_assert_uint_eq(waiting->party, party);
	ck_assert_uint_eq(waiting->number, number);
}

START_TEST(a_party_is_served_in_order)
{
	struct waiting all[5];
	ck_assert_ptr_null(line_next(&line));
	for (unsigned i = 0; i < 5; i++)
		turn(&all[i], 7, i);
	ck_assert_uint_eq(line.waiting, 5);
	for (unsigned i = 0; i < 5; i++)
		expect(7, i);
	ck_assert_ptr_null(line_next(&line));
	ck_assert_uint_eq(line.waiting, 0);
}
END_TEST

START_TEST(parties_take_turns)
{
	struct waiting many[9], other[2], third;
	for (unsigned i = 0; i < 9; i++)
		turn(&many[i], 1, i);
	expect(1, 0);
	turn(&other[0], 2, 0);
	turn(&other[1], 2, 1);
	turn(&third, 3, 0);
	expect(1, 1); /* its turn was before theirs */
	expect(2, 0);
	expect(3, 0);
	expect(1, 2);
	expect(2, 1);
	expect(1, 3);
	/* One that comes back waits for its turn: nobody starves. */
	turn(&other[0], 2, 2);
	expect(1, 4);
	expect(2, 2);
	expect(1, 5);
}
END_TEST

/* A token is a party at each address, and an address with each token. */
START_TEST(a_party_is_an_address_with_a_token)
{
	struct waiting all[6];
	for (unsigned i = 0; i < 6; i++)
		put(&all[i], 0, i, (struct visit){.need = NEED_WRITE, .token = i < 3 ? 4 : 5});
	expect(0, 0);
	expect(0, 3);
	expect(0, 1);
	expect(0, 4);
	expect(0, 2);
	expect(0, 5);
}
END_TEST

START_TEST(urgent_visits_come_first_and_readers_before_them)
{
	struct waiting turns[3], revoke[2], read;
	for (unsigned i = 0; i < 3; i++)
		turn(&turns[i], 1, i);
	struct waiting next;
	next.visit = (struct visit){.need = NEED_WRITE, .urgent = true};
	ck_assert(!line_is_behind(&line, &next.visit));
	urgent(&revoke[0], 2, 0);
	urgent(&revoke[1], 2, 1);
	ck_assert(line_is_behind(&line, &next.visit));
	put(&read, 1, 9, (struct visit){.need = NEED_READ});
	ck_assert(!line_is_behind(&line, &read.visit));
	expect(1, 9);
	expect(2, 0);
	expect(2, 1);
	expect(1, 0);
	expect(1, 1);
	expect(1, 2);
}
END_TEST

/* A visit that waits for a thread lets all others go on, but for its own party's, which come after it. */
START_TEST(a_visit_apart_keeps_only_its_party_back)
{
	struct waiting apart, own[2], other[2], revoke;
	turn(&apart, 1, 0);
	expect(1, 0);
	line_set_apart(&line, &apart.visit);
	turn(&own[0], 1, 1);
	ck_assert_ptr_null(line_next(&line));
	turn(&other[0], 2, 0);
	ck_assert(line_is_behind(&line, &own[0].visit));
	expect(2, 0);
	other[1].visit = other[0].visit;
	ck_assert(!line_is_behind(&line, &other[1].visit));
	urgent(&revoke, 1, 2);
	expect(1, 2);
	turn(&other[1], 2, 1);
	line_rejoin(&line, &apart.visit);
	/* It was lost: ahead of its party's, in its party's turn. */
	turn(&own[1], 1, 3);
	apart.waits = true;
	line_put(&line, &apart.visit, true);
	expect(1, 0);
	expect(2, 1);
	expect(1, 1);
	expect(1, 3);
	ck_assert_ptr_null(line_next(&line));
}
END_TEST

START_TEST(so_many_are_apart_at_most)
{
	static struct waiting apart[LINE_PARTIES];
	struct waiting more, revoke;
	for (unsigned i = 0; i < LINE_PARTIES; i++) {
		turn(&apart[i], i, 0);
		ck_assert_ptr_nonnull(take());
		line_set_apart(&line, &apart[i].visit);
	}
	turn(&more, LINE_PARTIES, 1);
	ck_assert(line_is_behind(&line, &more.visit));
	ck_assert_ptr_null(line_next(&line));
	urgent(&revoke, 0, 2);
	expect(0, 2);
	line_rejoin(&line, &apart[LINE_PARTIES / 2].visit);
	expect(LINE_PARTIES, 1);
}
END_TEST

static uint64_t random_state = 1;

static unsigned random_below(unsigned bound)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % bound);
}

#define VISITS 120
#define SERVED 3000

/* In any order of coming and going, with more parties than have turns of their own: nobody is lost; with
 * fewer, nobody waits for two visits of another party, or for a later one of the same. */
START_TEST(nobody_is_lost_or_overtaken)
{
	static struct waiting all[VISITS];
	static unsigned passed[VISITS][LINE_PARTIES]; /* visits of a party taken while one waited */
	const unsigned parties = _i == 0 ? 5 : _i == 1 ? LINE_PARTIES : 3 * LINE_PARTIES;
	unsigned numbers = 0, taken = 0, left = SERVED;
	memset(all, 0, sizeof all);
	while (left > 0 || line.waiting > 0) {
		struct waiting *free = &all[random_below(VISITS)];
		if (left > 0 && !free->waits && random_below(16) < 9) {
			turn(free, random_below(random_below(3) ? 2 : parties), numbers++);
			memset(passed[free - all], 0, sizeof passed[0]);
			left--;
			continue;
		}
		const struct waiting *one = take();
		if (!one)
			continue;
		taken++;
		for (unsigned i = 0; i < VISITS && parties <= LINE_PARTIES; i++) {
			const bool ahead = all[i].waits && all[i].party == one->party;
			ck_assert(!ahead || all[i].number > one->number);
			/* The first of a party waits for one visit of each other party. */
			bool first = all[i].waits && all[i].party != one->party;
			for (unsigned j = 0; first && j < VISITS; j++)
				first = !all[j].waits || all[j].party != all[i].party ||
					all[j].number >= all[i].number;
			if (first)
				ck_assert_uint_le(++passed[i][one->party], 1);
			else
				memset(passed[i], 0, sizeof passed[i]);
		}
	}
	ck_assert_uint_eq(taken, SERVED);
	for (unsigned i = 0; i < VISITS; i++)
		ck_assert(!all[i].waits);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("line");
	TCase *tests = tcase_create("line");
	tcase_set_timeout(tests, 0);
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, a_party_is_served_in_order);
	tcase_add_test(tests, parties_take_turns);
	tcase_add_test(tests, a_party_is_an_address_with_a_token);
	tcase_add_test(tests, urgent_visits_come_first_and_readers_before_them);
	tcase_add_test(tests, a_visit_apart_keeps_only_its_party_back);
	tcase_add_test(tests, so_many_are_apart_at_most);
	tcase_add_loop_test(tests, nobody_is_lost_or_overtaken, 0, 3);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 9);
}
