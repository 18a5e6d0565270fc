/* test_session_states.c: the transitions of sessions and visits are those of
 * docs/internals/sessions.md, all states are of use, and others end the program. */
#include "tests/server/run.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/session/states.h"

/* From the root of the tree, where tests run. */
#define PAGE "docs/internals/sessions.md"

#define STATES_MAX 8

struct machine {
	const char *names[STATES_MAX];
	const transition_row *table;
	unsigned count;
	unsigned first; /* the state of an object that is all zero */
};

static const struct machine machines[] = {
	{{"SESSION_EMPTY", "SESSION_LOADING", "SESSION_STALE", "SESSION_DIVERGED",
	  "SESSION_CURRENT"},
	 session_transitions,
	 SESSION_STATES,
	 SESSION_EMPTY},
	{{"SESSION_UNLISTED", "SESSION_LISTED", "SESSION_KEYED"},
	 listing_transitions,
	 SESSION_LISTINGS,
	 SESSION_UNLISTED},
	{{"VISIT_OUTSIDE", "VISIT_AT_GATE", "VISIT_IN_LINE", "VISIT_INSIDE", "VISIT_HOLDING",
	  "VISIT_APART", "VISIT_LOST", "VISIT_WRITING"},
	 visit_transitions,
	 VISIT_STATES,
	 VISIT_OUTSIDE},
	{{"PASS_NONE", "PASS_TRUSTING", "PASS_TRUSTED", "PASS_FRESH"},
	 pass_transitions,
	 PASS_COUNT,
	 PASS_NONE},
};
#define MACHINES (sizeof machines / sizeof machines[0])

/* Returns the state whose name is at `text`, between backticks; the number of states if none is. */
static unsigned state_at(const struct machine *machine, const char *text)
{
	unsigned state = 0;
	for (; state < machine->count; state++) {
		const size_t length = strlen(machine->names[state]);
		if (strncmp(text, machine->names[state], length) == 0 && text[length] == '`')
			break;
	}
	return state;
}

/* Reads a row of a table on the page, "| `FROM` | `TO`, `TO` |"; does nothing with other lines. */
static void read_row(const struct machine *machine, const char *line, transition_row *rows)
{
	if (strncmp(line, "| `", 3) != 0)
		return;
	const unsigned from = state_at(machine, line + 3);
	if (from == machine->count)
		return;
	const char *at = strchr(line + 3, '`') + 1;
	while ((at = strchr(at, '`'))) {
		const unsigned to = state_at(machine, at + 1);
		ck_assert_msg(to < machine->count, "%s", line);
		rows[from] |= TO(to);
		at = strchr(at + 1, '`');
		ck_assert_ptr_nonnull(at);
		at++;
	}
}

START_TEST(the_page_has_the_transitions)
{
	const struct machine *machine = &machines[_i];
	transition_row rows[STATES_MAX] = {0};
	char line[256];
	FILE *page = fopen(PAGE, "r");
	ck_assert_msg(page, "run the test in the root of the tree: there is no " PAGE);
	while (fgets(line, sizeof line, page))
		read_row(machine, line, rows);
	fclose(page);
	for (unsigned from = 0; from < machine->count; from++)
		ck_assert_msg(rows[from] == machine->table[from],
			      "%s: the page has %x, the table %x", machine->names[from], rows[from],
			      machine->table[from]);
}
END_TEST

/* Returns a bit for each state that can be reached from `from`, which counts. */
static unsigned reached_from(const struct machine *machine, unsigned from)
{
	unsigned reached = 1u << from, before;
	do {
		before = reached;
		for (unsigned state = 0; state < machine->count; state++)
			if (reached >> state & 1)
				reached |= machine->table[state];
	} while (reached != before);
	return reached;
}

START_TEST(each_state_can_be_reached_and_left)
{
	const struct machine *machine = &machines[_i];
	for (unsigned state = 0; state < machine->count; state++)
		ck_assert_msg(reached_from(machine, state) == (1u << machine->count) - 1,
			      "%s is an end", machine->names[state]);
	ck_assert_uint_eq(machine->first, 0);
}
END_TEST

/* Leaves a session while the store has a pointer into the visit, which is forbidden. */
static void leave_while_writing(void)
{
	struct session_cache cache;
	ck_assert(session_cache_init(&cache));
	struct visit visit = {.cache = &cache, .state = VISIT_WRITING};
	lock_acquire(&cache.lock);
	visit_become(&visit, VISIT_AT_GATE);
}

static void load_what_is_current(void)
{
	struct session session = {.state = SESSION_CURRENT};
	session_become(&session, SESSION_LOADING);
}

/* The head is not the committed state, although nothing is being written. */
static void settle_on_another_head(void)
{
	struct history *const one = (struct history *)8, *const other = (struct history *)16;
	const struct session session = {.state = SESSION_CURRENT, .committed = one, .head = other};
	session_assert(&session);
}

static void (*const wrongs[])(void) = {leave_while_writing, load_what_is_current,
				       settle_on_another_head};
#define WRONGS (sizeof wrongs / sizeof wrongs[0])

START_TEST(anything_else_ends_the_program)
{
	int status;
	const pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		const struct rlimit no_core = {0, 0};
		setrlimit(RLIMIT_CORE, &no_core);
		if (!freopen("/dev/null", "w", stderr))
			_exit(2);
		signal(SIGABRT, SIG_DFL);
		wrongs[_i]();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (IS_CHECKED)
		ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	else
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("session states");
	TCase *tests = tcase_create("session states");
	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, the_page_has_the_transitions, 0, MACHINES);
	tcase_add_loop_test(tests, each_state_can_be_reached_and_left, 0, MACHINES);
	tcase_add_loop_test(tests, anything_else_ends_the_program, 0, WRONGS);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 11);
}
