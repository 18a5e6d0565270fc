/* test_http.c: the count of connections by address. What needs sockets is in tests/http/. */
#include "tests/server/run.h"

#include "server/config.h"
#include "server/http/addresses.h"

#include <arpa/inet.h>

static struct peer peer(const char *text)
{
	struct peer result;
	ck_assert_int_eq(inet_pton(AF_INET6, text, result.address), 1);
	return result;
}

static bool enter(struct address_table *table, const char *text, uint64_t max,
		  struct address **counted)
{
	struct peer who = peer(text);
	return address_enter(table, &who, max, counted);
}

START_TEST(counts_each_address)
{
	struct address_table *table = address_table_create();
	struct address *first, *second, *other;
	ck_assert_ptr_nonnull(table);
	ck_assert(enter(table, "::ffff:192.0.2.1", 2, &first));
	ck_assert(enter(table, "::ffff:192.0.2.1", 2, &second));
	ck_assert(!enter(table, "::ffff:192.0.2.1", 2, &other));
	ck_assert_ptr_null(other);
	ck_assert(enter(table, "::ffff:192.0.2.2", 2, &other));
	address_leave(table, first);
	ck_assert(enter(table, "::ffff:192.0.2.1", 2, &first));
	address_leave(table, first);
	address_leave(table, second);
	address_leave(table, other);
	address_table_destroy(table);
}
END_TEST

START_TEST(counts_v6_by_network)
{
	struct address_table *table = address_table_create();
	struct address *counted;
	ck_assert_ptr_nonnull(table);
	ck_assert(enter(table, "2001:db8:1:2::1", 1, &counted));
	ck_assert(!enter(table, "2001:db8:1:2:ffff::2", 1, &counted));
	ck_assert(enter(table, "2001:db8:1:3::1", 1, &counted));
	address_table_destroy(table);
}
END_TEST

START_TEST(does_not_count_loopback)
{
	static const char *const loopback[] = {"::1", "::ffff:127.0.0.1", "::ffff:127.1.2.3"};
	struct address_table *table = address_table_create();
	struct address *counted;
	ck_assert_ptr_nonnull(table);
	for (int i = 0; i < 3; i++) {
		ck_assert(enter(table, loopback[i], 0, &counted));
		ck_assert_ptr_null(counted);
	}
	ck_assert(enter(table, "::ffff:192.0.2.1", LIMIT_OFF, &counted));
	ck_assert_ptr_null(counted);
	ck_assert(!enter(table, "::ffff:192.0.2.1", 0, &counted));
	address_leave(table, NULL);
	address_table_destroy(table);
}
END_TEST

START_TEST(many_addresses)
{
	enum { MANY = 20000 };
	struct address_table *table = address_table_create();
	static struct address *counted[MANY];
	struct address *none;
	ck_assert_ptr_nonnull(table);
	struct peer who = peer("::ffff:198.51.100.0");
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < MANY; i++) {
			who.address[14] = (uint8_t)(i >> 8);
			who.address[15] = (uint8_t)i;
			ck_assert(address_enter(table, &who, 1, &counted[i]));
			ck_assert(!address_enter(table, &who, 1, &none));
		}
		for (int i = 0; i < MANY; i++)
			address_leave(table, counted[i]);
	}
	address_table_destroy(table);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("http");
	TCase *plain = tcase_create("addresses");
	tcase_add_test(plain, counts_each_address);
	tcase_add_test(plain, counts_v6_by_network);
	tcase_add_test(plain, does_not_count_loopback);
	tcase_add_test(plain, many_addresses);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 4);
}
