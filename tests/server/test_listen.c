/* test_listen.c: the forms of --listen and --lan, who can reach such a server, and texts seen once. */
#include "tests/server/run.h"

#include "server/config/listen.h"
#include "server/util/first_seen.h"

#include <stdio.h>
#include <string.h>

static const struct form {
	const char *value;
	bool valid;
	const char *host;
	unsigned port;
	bool local, everywhere;
} forms[] = {
	{"127.0.0.1:8080", true, "127.0.0.1", 8080, true, false},
	{"127.9.9.9:1", true, "127.9.9.9", 1, true, false},
	{"localhost:0", true, "localhost", 0, true, false},
	{"[::1]:80", true, "::1", 80, true, false},
	{"0.0.0.0:8080", true, "0.0.0.0", 8080, false, false},
	{"[::]:8080", true, "::", 8080, false, false},
	{"192.168.1.5:65535", true, "192.168.1.5", 65535, false, false},
	{"cubes.example:80", true, "cubes.example", 80, false, false},
	{":8080", true, "", 8080, false, true},
	{"8080", true, "", 8080, false, true},
	{"0", true, "", 0, false, true},
	{"", false, NULL, 0, false, false},
	{":", false, NULL, 0, false, false},
	{"localhost", false, NULL, 0, false, false},
	{"127.0.0.1", false, NULL, 0, false, false},
	{"127.0.0.1:", false, NULL, 0, false, false},
	{"127.0.0.1:65536", false, NULL, 0, false, false},
	{"127.0.0.1:-1", false, NULL, 0, false, false},
	{"127.0.0.1: 80", false, NULL, 0, false, false},
	{"8080x", false, NULL, 0, false, false},
	{"::1:8080", false, NULL, 0, false, false},
	{"[::1:8080", false, NULL, 0, false, false},
	{"[]:8080", false, NULL, 0, false, false},
	{"99999999999999999999", false, NULL, 0, false, false},
	{"unix:", false, NULL, 0, false, false},
};

START_TEST(each_form_means_an_address)
{
	const struct form *form = &forms[_i];
	struct config config = {.listen_path = "before"};
	ck_assert_msg(listen_parse(&config, form->value) == form->valid, "%s", form->value);
	if (!form->valid)
		return;
	ck_assert_str_eq(config.listen_host, form->host);
	ck_assert_str_eq(config.listen_path, "");
	ck_assert_uint_eq(config.listen_port, form->port);
	ck_assert_msg(listen_is_local(&config) == form->local, "%s", form->value);
	ck_assert_msg(listen_is_everywhere(&config) == form->everywhere, "%s", form->value);
}
END_TEST

START_TEST(a_socket_is_local)
{
	struct config config = {0};
	ck_assert(listen_parse(&config, "unix:/run/cubed.sock"));
	ck_assert_str_eq(config.listen_path, "/run/cubed.sock");
	ck_assert(listen_is_local(&config));
	ck_assert(!listen_is_everywhere(&config));
}
END_TEST

static enum config_result read_words(struct config *config, int count, const char *const *words)
{
	char copies[4][32], *arguments[5] = {NULL};
	for (int i = 0; i < count; i++) {
		snprintf(copies[i], sizeof copies[i], "%s", words[i]);
		arguments[i] = copies[i];
	}
	return config_read(config, count, arguments);
}

START_TEST(the_network_needs_no_value_and_takes_all_addresses)
{
	struct config config;
	const char *const bare[] = {"cubed", "--lan", "--listen", "127.0.0.1:9"};
	ck_assert_int_eq(read_words(&config, 4, bare), CONFIG_RUN);
	ck_assert(config.lan && listen_is_everywhere(&config));
	ck_assert_uint_eq(config.listen_port, 9);
	ck_assert_uint_gt(strlen(config.machine_name), 0);
	const char *const off[] = {"cubed", "--lan=off"};
	ck_assert_int_eq(read_words(&config, 2, off), CONFIG_RUN);
	ck_assert(!config.lan && listen_is_local(&config));
	const char *const wrong[] = {"cubed", "--lan=maybe"};
	ck_assert_int_eq(read_words(&config, 2, wrong), CONFIG_EXIT_USAGE);
	const char *const socket[] = {"cubed", "--lan", "--listen", "unix:/run/x"};
	ck_assert_int_eq(read_words(&config, 4, socket), CONFIG_EXIT_USAGE);
}
END_TEST

START_TEST(the_priority_of_the_background_is_a_nice_value)
{
	static const struct {
		const char *value;
		int nice; /* -1: refused */
	} values[] = {{"0", 0}, {"7", 7}, {"19", 19}, {"20", -1}, {"-1", -1}, {"", -1}, {"x", -1}};
	struct config config;
	ck_assert_int_eq(unsetenv("CUBED_BACKGROUND_NICE"), 0);
	ck_assert_int_eq(read_words(&config, 1, (const char *const[]){"cubed"}), CONFIG_RUN);
	ck_assert_uint_eq(config.background_nice, 10);
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		const char *const words[] = {"cubed", "--background-nice", values[i].value};
		const bool good = values[i].nice >= 0;
		ck_assert_int_eq(read_words(&config, 3, words),
				 good ? CONFIG_RUN : CONFIG_EXIT_USAGE);
		ck_assert(!good || config.background_nice == (unsigned)values[i].nice);
	}
}
END_TEST

START_TEST(a_text_is_first_seen_once)
{
	struct first_seen seen = {0};
	char text[32];
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < FIRST_SEEN_MAX + 10; i++) {
			snprintf(text, sizeof text, "https://page-%d.example", i);
			ck_assert_int_eq(first_seen_enter(&seen, text),
					 round == 0 && i < FIRST_SEEN_MAX);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("listen");
	TCase *plain = tcase_create("listen");
	const int count = (int)(sizeof forms / sizeof forms[0]);
	tcase_add_loop_test(plain, each_form_means_an_address, 0, count);
	tcase_add_test(plain, a_socket_is_local);
	tcase_add_test(plain, the_network_needs_no_value_and_takes_all_addresses);
	tcase_add_test(plain, the_priority_of_the_background_is_a_nice_value);
	tcase_add_test(plain, a_text_is_first_seen_once);
	suite_add_tcase(suite, plain);
	return run_suite(suite, count + 3);
}
