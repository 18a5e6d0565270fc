/* test_environment.c: variables of the environment that the server knows. */
#include <check.h>
#include <stdlib.h>

#include "run.h"
#include "server/config/environment.h"

static const char *const flags[] = {"listen", "log-level", "lan"};
#define FLAGS (sizeof flags / sizeof flags[0])

static const struct {
	const char *name, *value;
	bool known;
} variables[] = {
	{"CUBED_LISTEN", "8080", true},
	{"CUBED_LOG_LEVEL", "", true},
	{"CUBED_LISTN", "8080", false},
	{"CUBED_LISTN", "", true},
	{"CUBED_log-level", "info", false},
	{"CUBED_", "1", false},
	{"CUBED", "1", true},
	{"CUBEDX", "1", true},
	{"CUBED_TOKEN", "x", true},
	{"CUBED_TOKENS", "x", false},
	{"CUBED_NODE_A", "10.0.0.1:8080", true},
	{"CUBED_TEST_SEED", "1", true},
	{"CUBED_TEST", "1", false},
	{"CUBED_PORT", "8080", false},
	{"CUBED_PORT", "tcp://10.0.0.1:80", true},
	{"CUBED_PORTS", "tcp://10.0.0.1:80", false},
	{"CUBED_PORT_80_TCP_PROTO", "tcp", true},
	{"CUBED_A_SERVICE_HOST", "10.0.0.1", true},
	{"CUBED_A_VARIABLE_WHOSE_NAME_IS_LONGER_THAN_THAT_OF_ANY_FLAG_OF_THE_SERVER", "1", false},
};

START_TEST(each_variable_is_known_or_refused)
{
	clearenv();
	ck_assert_int_eq(setenv(variables[_i].name, variables[_i].value, 1), 0);
	ck_assert_int_eq(environment_is_known(flags, FLAGS), variables[_i].known);
}
END_TEST

START_TEST(a_flag_has_a_variable)
{
	char name[FLAG_BYTES];
	environment_name("log-level", name);
	ck_assert_str_eq(name, "CUBED_LOG_LEVEL");
	ck_assert(flag_is_known("lan", flags, FLAGS));
	ck_assert(!flag_is_known("LAN", flags, FLAGS));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("environment");
	TCase *plain = tcase_create("environment");
	const int count = (int)(sizeof variables / sizeof variables[0]);
	tcase_add_loop_test(plain, each_variable_is_known_or_refused, 0, count);
	tcase_add_test(plain, a_flag_has_a_variable);
	suite_add_tcase(suite, plain);
	return run_suite(suite, count + 1);
}
