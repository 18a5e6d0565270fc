/* test_http.c: the count of connections by address. What needs sockets is in tests/http/. */
#include "tests/server/run.h"

#include "server/config.h"
#include "server/http/addresses.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

static struct peer peer(const char *text)
{
	struct peer result;
	ck_assert_int_eq(inet_pton(AF_INET6, text, result.address), 1);
	return result;
}

static bool enter(struct address_table *table, const char *text, uint64_t max,
		  struct address **counted)
{
	const struct peer who = peer(text);
	const struct address_limits limits = {max, LIMIT_OFF};
	return address_enter(table, &who, &limits, counted) == ADDRESS_ENTERS;
}

static struct address_table *make_table(enum address_kind kind)
{
	struct address_table *table = address_table_create(kind);
	ck_assert_ptr_nonnull(table);
	return table;
}

START_TEST(counts_each_address)
{
	struct address_table *table = make_table(ADDRESSES_OF_CONNECTIONS);
	struct address *first, *second, *other;
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
	struct address_table *table = make_table(ADDRESSES_OF_CONNECTIONS);
	struct address *counted;
	ck_assert(enter(table, "2001:db8:1:2::1", 1, &counted));
	ck_assert(!enter(table, "2001:db8:1:2:ffff::2", 1, &counted));
	ck_assert(enter(table, "2001:db8:1:3::1", 1, &counted));
	address_table_destroy(table);
}
END_TEST

START_TEST(does_not_count_loopback)
{
	static const char *const loopback[] = {"::1", "::ffff:127.0.0.1", "::ffff:127.1.2.3"};
	struct address_table *table = make_table(ADDRESSES_OF_CONNECTIONS);
	struct address *counted;
	for (int i = 0; i < 3; i++) {
		ck_assert(enter(table, loopback[i], 0, &counted));
		ck_assert_ptr_null(counted);
	}
	ck_assert(!enter(table, "::ffff:192.0.2.1", 0, &counted));
	ck_assert_ptr_null(counted);
	address_leave(table, NULL);
	address_table_destroy(table);
}
END_TEST

START_TEST(many_addresses)
{
	enum { MANY = 20000 };
	struct address_table *table = make_table(ADDRESSES_OF_CONNECTIONS);
	static struct address *counted[MANY];
	struct address *none;
	const struct address_limits one = {1, LIMIT_OFF};
	struct peer who = peer("::ffff:198.51.100.0");
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < MANY; i++) {
			who.address[14] = (uint8_t)(i >> 8);
			who.address[15] = (uint8_t)i;
			ck_assert_int_eq(address_enter(table, &who, &one, &counted[i]),
					 ADDRESS_ENTERS);
			ck_assert_int_eq(address_enter(table, &who, &one, &none), ADDRESS_FULL);
		}
		for (int i = 0; i < MANY; i++)
			address_leave(table, counted[i]);
	}
	address_table_destroy(table);
}
END_TEST

START_TEST(counts_each_network)
{
	static const struct {
		const char *first, *second;
		bool shared;
	} rows[] = {
		{"2001:db8:1:2::1", "2001:db8:1:ffff::1", true},
		{"2001:db8:1:2::1", "2001:db8:2:2::1", false},
		{"::ffff:192.0.2.1", "::ffff:192.0.2.255", true},
		{"::ffff:192.0.2.1", "::ffff:192.0.3.1", false},
		{"::ffff:192.168.2.1", "::ffff:192.168.2.2", false},
		{"::ffff:172.16.2.1", "::ffff:172.16.2.2", false},
		{"::ffff:172.32.2.1", "::ffff:172.32.2.2", true},
		{"::ffff:10.0.2.1", "::ffff:10.0.2.2", false},
		{"::ffff:100.64.2.1", "::ffff:100.64.2.2", false},
		{"fd00:1:2:3::1", "fd00:1:2:4::1", false},
		{"75:6e78:0:21::", "75:6e78:0:22::", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct address_table *table = make_table(ADDRESSES_OF_STREAMS);
		const struct peer first = peer(rows[i].first), second = peer(rows[i].second);
		const struct address_limits limits = {.address = 1, .network = 1};
		struct address *one, *two;
		ck_assert_int_eq(address_enter(table, &first, &limits, &one), ADDRESS_ENTERS);
		ck_assert_int_eq(address_enter(table, &first, &limits, &two), ADDRESS_FULL);
		const enum address_entry entry = address_enter(table, &second, &limits, &two);
		ck_assert_msg(entry == (rows[i].shared ? ADDRESS_NETWORK_FULL : ADDRESS_ENTERS),
			      "%s %s", rows[i].first, rows[i].second);
		address_leave(table, one);
		address_leave(table, two);
		ck_assert_int_eq(address_enter(table, &second, &limits, &two), ADDRESS_ENTERS);
		address_leave(table, two);
		address_table_destroy(table);
	}
}
END_TEST

/* Some streams of one address. */
struct streams {
	struct address *address[8];
	struct idler idler[8];
	int fds[8][2];
	size_t count;
};

static void open_streams(struct address_table *table, const char *text, size_t count,
			 struct streams *streams)
{
	*streams = (struct streams){.count = count};
	for (size_t i = 0; i < count; i++) {
		ck_assert(enter(table, text, LIMIT_OFF, &streams->address[i]));
		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, streams->fds[i]), 0);
		idler_list(table, &streams->idler[i], streams->address[i], streams->fds[i][0]);
	}
}

/* Returns the number of those still listed. */
static size_t count_listed(const struct streams *streams)
{
	size_t listed = 0;
	for (size_t i = 0; i < streams->count; i++)
		listed += atomic_load(&streams->idler[i].listed);
	return listed;
}

static void close_streams(struct address_table *table, struct streams *streams)
{
	for (size_t i = 0; i < streams->count; i++) {
		idler_unlist(table, &streams->idler[i]);
		address_leave(table, streams->address[i]);
		close(streams->fds[i][0]);
		close(streams->fds[i][1]);
	}
}

START_TEST(the_network_with_most_makes_room)
{
	struct address_table *table = make_table(ADDRESSES_OF_STREAMS);
	struct streams school, first, second, house;
	struct displaced displaced;
	char text[NETWORK_TEXT_MAX], byte;
	open_streams(table, "::ffff:192.168.1.1", 8, &house);
	open_streams(table, "::ffff:192.0.2.1", 5, &school);
	open_streams(table, "2001:db8:1:1::1", 4, &first);
	open_streams(table, "2001:db8:1:2::1", 3, &second);
	ck_assert(!address_displace_most(table, 7, &displaced));
	ck_assert(address_displace_most(table, 5, &displaced));
	network_print(&displaced.network, text);
	ck_assert_str_eq(text, "2001:db8:1::/48");
	ck_assert_uint_eq(displaced.count, 7);
	ck_assert_msg(!atomic_load(&first.idler[0].listed), "not the oldest");
	ck_assert_int_eq(recv(first.fds[0][1], &byte, 1, MSG_DONTWAIT), 0);
	/* It counts until it is closed. */
	for (size_t i = 0; i < 6; i++)
		ck_assert(address_displace_most(table, 5, &displaced));
	ck_assert_uint_eq(count_listed(&first) + count_listed(&second), 0);
	ck_assert(!address_displace_most(table, 5, &displaced));
	ck_assert_uint_eq(count_listed(&school), 5);
	close_streams(table, &first);
	ck_assert(address_displace_most(table, 4, &displaced));
	network_print(&displaced.network, text);
	ck_assert_str_eq(text, "192.0.2.0/24");
	ck_assert_uint_eq(count_listed(&house), 8);
	close_streams(table, &second);
	close_streams(table, &school);
	close_streams(table, &house);
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
	tcase_add_test(plain, counts_each_network);
	tcase_add_test(plain, the_network_with_most_makes_room);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 6);
}
