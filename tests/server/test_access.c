/* test_access.c: tokens, tickets, sealing, rates, and whose request it is. */
#include "tests/server/run.h"

#include "server/access/forward.h"
#include "server/access/rates.h"
#include "server/access/secret.h"
#include "server/access/tickets.h"
#include "server/access/token.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)

START_TEST(tokens_are_read_in_one_way)
{
	struct session_id id, other;
	uint8_t hash[HASH_BYTES], again[HASH_BYTES];
	char text[TOKEN_TEXT + 2];
	for (int round = 0; round < 200; round++) {
		ck_assert(session_id_make(&id));
		token_make(&id, text, hash);
		ck_assert_uint_eq(strlen(text), TOKEN_TEXT);
		ck_assert(token_parse(text, TOKEN_TEXT, &other, again));
		ck_assert_mem_eq(&id, &other, sizeof id);
		ck_assert_mem_eq(hash, again, sizeof hash);
		/* Any other text is another token, or none. */
		for (size_t i = 0; i < TOKEN_TEXT; i++) {
			char was = text[i];
			text[i] = was == '0' ? '1' : '0';
			if (token_parse(text, TOKEN_TEXT, &other, again))
				ck_assert(memcmp(&id, &other, sizeof id) != 0 ||
					  memcmp(hash, again, sizeof hash) != 0);
			text[i] = was;
		}
	}
	static const char *const wrong[] = {"", "x", "_", "0123456789abcdef_"};
	for (size_t i = 0; i < 4; i++)
		ck_assert(!token_parse(wrong[i], strlen(wrong[i]), &other, again));
	ck_assert(!token_parse(text, TOKEN_TEXT - 1, &other, again));
	text[TOKEN_TEXT] = '0';
	ck_assert(!token_parse(text, TOKEN_TEXT + 1, &other, again));
	text[20] = '\0';
	ck_assert(!token_parse(text, TOKEN_TEXT, &other, again));
	text[20] = 'U';
	ck_assert(!token_parse(text, TOKEN_TEXT, &other, again));
}
END_TEST

START_TEST(rosters)
{
	struct session_id id = {{1}};
	struct stored_token tokens[3] = {
		{.number = 1}, {.number = 2, .role = ROLE_EDITOR}, {.number = 3}};
	char text[TOKEN_TEXT + 1];
	for (int i = 0; i < 3; i++)
		token_make(&id, text, tokens[i].hash);
	struct roster *one = roster_with(NULL, &tokens[0]), *two = roster_with(one, &tokens[1]);
	ck_assert_ptr_nonnull(one);
	ck_assert_ptr_nonnull(two);
	ck_assert_uint_eq(one->count, 1);
	ck_assert_uint_eq(two->count, 2);
	ck_assert_ptr_null(token_find(one, tokens[1].hash));
	ck_assert_uint_eq(token_find(two, tokens[1].hash)->number, 2);
	ck_assert_ptr_null(token_find(two, tokens[2].hash));
	ck_assert_ptr_null(token_find(NULL, tokens[2].hash));
	tokens[1].revoked_ms = 7;
	struct roster *revoked = roster_with(two, &tokens[1]);
	ck_assert_uint_eq(revoked->count, 2);
	ck_assert_ptr_null(token_find(revoked, tokens[1].hash));
	ck_assert_ptr_nonnull(token_find(two, tokens[1].hash)); /* as it was */
	ck_assert_uint_eq(roster_at(revoked, 2)->role, ROLE_EDITOR);
	ck_assert_ptr_null(roster_at(revoked, 0));
	ck_assert_ptr_null(roster_at(revoked, 3));
	ck_assert_ptr_eq(roster_share(two), two);
	roster_release(two);
	roster_release(two);
	roster_release(one);
	roster_release(revoked);
	roster_release(NULL);
}
END_TEST

START_TEST(tickets_say_what_they_are_for)
{
	static const size_t counts[] = {1, 2, 5, 31, TICKET_SESSIONS_MAX};
	struct tickets *tickets = tickets_create(NULL), *others = tickets_create(NULL);
	static struct ticket ticket, opened;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		char *text = malloc(ticket_text_bytes(counts[i]));
		ticket = (struct ticket){.made_ms = INT64_C(1795356397057), .count = counts[i]};
		for (size_t k = 0; k < counts[i]; k++)
			ticket.sessions[k] = (struct ticket_session){{{(uint8_t)k, 2, 3}},
								     UINT32_MAX - (uint32_t)k};
		tickets_seal(tickets, &ticket, text);
		const size_t length = strlen(text);
		ck_assert_uint_eq(length + 1, ticket_text_bytes(counts[i]));
		ck_assert(tickets_open(tickets, text, length, &opened));
		ck_assert_int_eq(opened.made_ms, ticket.made_ms);
		ck_assert_uint_eq(opened.count, counts[i]);
		for (size_t k = 0; k < counts[i]; k++) {
			ck_assert_mem_eq(&opened.sessions[k].session, &ticket.sessions[k].session,
					 SESSION_ID_BYTES);
			ck_assert_uint_eq(opened.sessions[k].token, ticket.sessions[k].token);
		}
		/* Nothing in it can be changed, and no other process knows it. */
		ck_assert(!tickets_open(others, text, length, &opened));
		ck_assert(!tickets_open(tickets, text, length - 1, &opened));
		for (size_t k = 0; k + 1 < length; k += 7) {
			const char was = text[k];
			text[k] = was == '0' ? '1' : '0';
			ck_assert(!tickets_open(tickets, text, length, &opened));
			text[k] = was;
		}
		text[3] = 'u'; /* not a digit */
		ck_assert(!tickets_open(tickets, text, length, &opened));
		free(text);
	}
	ck_assert(!tickets_open(tickets, "", 0, &opened));
	tickets_destroy(tickets);
	tickets_destroy(others);
	tickets_destroy(NULL);
}
END_TEST

START_TEST(tickets_of_one_secret_open_each_other)
{
	uint8_t secret[HASH_BYTES] = {7}, another[HASH_BYTES] = {8};
	struct tickets *one = tickets_create(secret), *two = tickets_create(secret),
		       *other = tickets_create(another);
	static struct ticket ticket = {.made_ms = 1, .count = 1}, opened;
	char text[128];
	ck_assert_uint_le(ticket_text_bytes(1), sizeof text);
	tickets_seal(one, &ticket, text);
	ck_assert(tickets_open(two, text, strlen(text), &opened));
	ck_assert(!tickets_open(other, text, strlen(text), &opened));
	tickets_destroy(one);
	tickets_destroy(two);
	tickets_destroy(other);
}
END_TEST

START_TEST(sealing)
{
	uint8_t key[HASH_BYTES], other[HASH_BYTES], sealed[100 + SEAL_OVERHEAD],
		again[sizeof sealed];
	char plain[100], opened[100];
	secret_hash("a", "key", 3, key);
	secret_hash("b", "key", 3, other);
	ck_assert(!secret_equal(key, other));
	memset(plain, 'p', sizeof plain);
	for (size_t length = 0; length <= sizeof plain; length += 20) {
		secret_seal(key, plain, length, sealed);
		secret_seal(key, plain, length, again);
		ck_assert(memcmp(sealed, again, length + SEAL_OVERHEAD) != 0);
		ck_assert(secret_open(key, sealed, length + SEAL_OVERHEAD, opened));
		ck_assert(memcmp(plain, opened, length) == 0);
		ck_assert(!secret_open(other, sealed, length + SEAL_OVERHEAD, opened));
		for (size_t i = 0; i < length + SEAL_OVERHEAD; i++) {
			sealed[i] ^= 4;
			ck_assert(!secret_open(key, sealed, length + SEAL_OVERHEAD, opened));
			sealed[i] ^= 4;
		}
	}
	ck_assert(!secret_open(key, sealed, SEAL_OVERHEAD - 1, opened));
}
END_TEST

START_TEST(buckets)
{
	struct rates *rates = rates_create();
	const struct rate rate = {"reads", 10, 5, 1000};
	uint64_t now = 77 * SECOND_NS;
	for (uint64_t i = 0; i < 5; i++) {
		struct rate_answer answer = rates_ask(rates, &rate, "me", 2, now);
		ck_assert(answer.allowed);
		ck_assert_uint_eq(answer.left, 4 - i);
	}
	struct rate_answer refused = rates_ask(rates, &rate, "me", 2, now);
	ck_assert(!refused.allowed);
	ck_assert_uint_eq(refused.wait_ms, 100);
	ck_assert_uint_eq(refused.reset_ms, 500);
	ck_assert(rates_ask(rates, &rate, "he", 2, now).allowed);
	const struct rate writes = {"writes", 10, 5, 1000};
	ck_assert(rates_ask(rates, &writes, "me", 2, now).allowed);
	ck_assert(!rates_ask(rates, &rate, "me", 2, now + SECOND_NS / 10 - 1).allowed);
	ck_assert(rates_ask(rates, &rate, "me", 2, now + SECOND_NS / 10).allowed);
	ck_assert(!rates_ask(rates, &rate, "me", 2, now + SECOND_NS / 10).allowed);
	/* After a long rest no more than the burst. */
	now += 1000 * SECOND_NS;
	for (int i = 0; i < 5; i++)
		ck_assert(rates_ask(rates, &rate, "me", 2, now).allowed);
	ck_assert(!rates_ask(rates, &rate, "me", 2, now).allowed);
	/* In the long run the amount: 10 a second for 30 seconds. */
	int allowed = 0;
	for (int i = 0; i < 3000; i++)
		allowed += rates_ask(rates, &rate, "you", 3, now + (uint64_t)i * SECOND_NS / 100)
				   .allowed;
	ck_assert_int_ge(allowed, 300);
	ck_assert_int_le(allowed, 306);
	/* The extremes. */
	const struct rate none = {"reads", UINT64_MAX, 1, 1000},
			  most = {"x", UINT64_MAX - 1, UINT64_MAX - 1, 1000},
			  least = {"y", 1, UINT64_MAX - 1, 86400000};
	for (int i = 0; i < 1000; i++) {
		ck_assert(rates_ask(rates, &none, "me", 2, now).allowed);
		ck_assert(rates_ask(rates, &most, "me", 2, now).allowed);
		ck_assert(rates_ask(rates, &least, "me", 2, now).allowed);
	}
	rates_destroy(rates);
	rates_destroy(NULL);
}
END_TEST

START_TEST(buckets_of_many)
{
	struct rates *rates = rates_create();
	const struct rate rate = {"bytes", 1000, 500, 1000};
	uint64_t now = 77 * SECOND_NS;
	struct rate_answer answer = rates_ask_many(rates, &rate, 300, "me", 2, now);
	ck_assert(answer.allowed);
	ck_assert_uint_eq(answer.left, 200);
	answer = rates_ask_many(rates, &rate, 250, "me", 2, now);
	ck_assert(!answer.allowed);
	ck_assert_uint_eq(answer.wait_ms, 50);
	ck_assert_uint_eq(answer.left, 200);
	ck_assert(rates_ask_many(rates, &rate, 200, "me", 2, now).allowed);
	ck_assert(!rates_ask(rates, &rate, "me", 2, now).allowed);
	rates_give_back_many(rates, &rate, 200, "me", 2);
	ck_assert(rates_ask_many(rates, &rate, 200, "me", 2, now).allowed);
	/* More than the burst, after a rest only. */
	ck_assert(!rates_ask_many(rates, &rate, UINT64_MAX, "me", 2, now).allowed);
	now += 10 * SECOND_NS;
	ck_assert(rates_ask_many(rates, &rate, UINT64_MAX, "me", 2, now).allowed);
	ck_assert_uint_eq(rates_ask(rates, &rate, "me", 2, now).wait_ms, 1);
	ck_assert(rates_ask_many(rates, &rate, 0, "me", 2, now).allowed);
	/* A day's bytes. */
	const struct rate day = {"day", UINT64_C(1) << 30, UINT64_C(1) << 30, 86400000};
	for (int i = 0; i < 64; i++)
		ck_assert(rates_ask_many(rates, &day, 1 << 24, "me", 2, now).allowed);
	answer = rates_ask_many(rates, &day, 1 << 24, "me", 2, now);
	ck_assert(!answer.allowed);
	ck_assert_uint_le(answer.wait_ms, 86400000 / 64);
	ck_assert_uint_ge(answer.wait_ms, 86400000 / 65);
	rates_destroy(rates);
}
END_TEST

/* A client that asked much is not forgotten for ones that ask once. */
START_TEST(the_fullest_make_room)
{
	struct rates *rates = rates_create();
	const struct rate rate = {"reads", 1, 3, 60000};
	uint64_t now = SECOND_NS;
	for (int i = 0; i < 3; i++)
		ck_assert(rates_ask(rates, &rate, "greedy", 6, now).allowed);
	for (uint32_t i = 0; i < 500000; i++)
		rates_ask(rates, &rate, &i, sizeof i, now);
	ck_assert(!rates_ask(rates, &rate, "greedy", 6, now).allowed);
	rates_destroy(rates);
}
END_TEST

static void address_of(const char *text, uint8_t address[16])
{
	struct network network;
	ck_assert_msg(network_parse(text, &network), "%s", text);
	memcpy(address, network.address, 16);
}

START_TEST(networks)
{
	static const struct {
		const char *network, *address;
		bool has;
	} rows[] = {
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "127.0.0.2", false},
		{"10.0.0.0/8", "10.255.1.2", true},
		{"10.0.0.0/8", "11.0.0.0", false},
		{"192.168.4.0/22", "192.168.7.9", true},
		{"192.168.4.0/22", "192.168.8.0", false},
		{"0.0.0.0/0", "203.0.113.9", true},
		{"0.0.0.0/0", "2001:db8::1", false},
		{"::/0", "203.0.113.9", true},
		{"2001:db8::/33", "2001:db8:7fff::1", true},
		{"2001:db8::/33", "2001:db8:8000::1", false},
		{"::1", "::1", true},
		{"::ffff:10.0.0.1", "10.0.0.1", true},
		{"unix", "75:6e78:0:1::", true},
		{"unix", "75:6e79::", false},
		{"unix", "127.0.0.1", false},
	};
	static const char *const wrong[] = {"",           "localhost",  "1.2.3",
					    "1.2.3.4/33", "::/129",     "1.2.3.4/",
					    "1.2.3.4/x",  "1.2.3.4/-1", "::1/ 8"};
	struct network network;
	uint8_t address[16];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert(network_parse(rows[i].network, &network));
		address_of(rows[i].address, address);
		ck_assert_msg(network_has(&network, address) == rows[i].has, "%s %s",
			      rows[i].network, rows[i].address);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		ck_assert_msg(!network_parse(wrong[i], &network), "%s", wrong[i]);
}
END_TEST

START_TEST(forwarded)
{
	static const struct {
		const char *peer, *header, *client;
	} rows[] = {
		{"127.0.0.1", NULL, "127.0.0.1"},
		{"127.0.0.1", "", "127.0.0.1"},
		{"127.0.0.1", "192.0.2.1", "192.0.2.1"},
		{"192.0.2.9", "192.0.2.1", "192.0.2.9"}, /* nobody trusts it */
		{"127.0.0.1", "192.0.2.1, 192.0.2.2", "192.0.2.2"},
		{"127.0.0.1", "192.0.2.1, 10.0.0.7", "192.0.2.1"},
		{"127.0.0.1", "10.0.0.8,10.0.0.7", "10.0.0.8"},
		{"127.0.0.1", "192.0.2.1:4711", "192.0.2.1"},
		{"127.0.0.1", "[2001:db8::1]:80", "2001:db8::1"},
		{"127.0.0.1", "[2001:db8::1]", "2001:db8::1"},
		{"127.0.0.1", " \t2001:db8::1 \t", "2001:db8::1"},
		{"127.0.0.1", "192.0.2.1, nonsense", "127.0.0.1"},
		{"127.0.0.1", "192.0.2.1, nonsense, 10.0.0.7", "10.0.0.7"},
		{"127.0.0.1", "192.0.2.1,", "127.0.0.1"},
		{"127.0.0.1", ",", "127.0.0.1"},
		{"127.0.0.1", "[2001:db8::1", "127.0.0.1"},
		{"127.0.0.1", "75:6e78:0:1::", "127.0.0.1"}, /* no user by hearsay */
		{"75:6e78:0:21::", "192.0.2.1", "192.0.2.1"},
		{"75:6e78:0:22::", "192.0.2.1", "75:6e78:0:22::"},
	};
	struct network trusted[3] = {{.bits = 64}};
	address_of_user(trusted[0].address, 0x21);
	ck_assert(network_parse("127.0.0.1", &trusted[1]) &&
		  network_parse("10.0.0.0/8", &trusted[2]));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint8_t address[16], expected[16];
		address_of(rows[i].peer, address);
		address_of(rows[i].client, expected);
		forward_apply(trusted, 3, rows[i].header, address);
		ck_assert_msg(memcmp(address, expected, 16) == 0, "%s: %s", rows[i].peer,
			      rows[i].header);
	}
}
END_TEST

START_TEST(addresses_are_printed)
{
	static const char *const rows[][2] = {
		{"192.0.2.1", "192.0.2.1"},
		{"::ffff:192.0.2.1", "192.0.2.1"},
		{"2001:DB8:0:0::1", "2001:db8::1"},
		{"75:6e78:0:3e8::", "unix:1000"},
	};
	char text[ADDRESS_TEXT];
	uint8_t address[16];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		address_of(rows[i][0], address);
		address_print(address, text);
		ck_assert_str_eq(text, rows[i][1]);
	}
	address_of_user(address, UINT32_MAX);
	address_print(address, text);
	ck_assert_str_eq(text, "unix:4294967295");
}
END_TEST

int main(void)
{
	if (!secret_setup())
		return 1;
	Suite *suite = suite_create("access");
	TCase *plain = tcase_create("access");
	tcase_set_timeout(plain, 60);
	tcase_add_test(plain, tokens_are_read_in_one_way);
	tcase_add_test(plain, rosters);
	tcase_add_test(plain, tickets_say_what_they_are_for);
	tcase_add_test(plain, tickets_of_one_secret_open_each_other);
	tcase_add_test(plain, sealing);
	tcase_add_test(plain, buckets);
	tcase_add_test(plain, buckets_of_many);
	tcase_add_test(plain, the_fullest_make_room);
	tcase_add_test(plain, networks);
	tcase_add_test(plain, forwarded);
	tcase_add_test(plain, addresses_are_printed);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 11);
}
