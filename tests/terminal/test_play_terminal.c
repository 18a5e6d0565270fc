/* test_play_terminal.c: cubed play in a pseudo-terminal: what it shows for keys, and that the terminal
 * is as it was however it ends. */
#include "tests/core/run.h"

#include "clients/terminal/play/play.h"
#include "server/util/monotonic.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#define WAIT_MS 120000

/* A player in a terminal of the test: everything that it wrote. */
static struct {
	int screen, line; /* the two ends; `line` is the terminal itself */
	pid_t pid;
	struct termios before;
	char written[1 << 20];
	size_t length;
} player;

static int play_alone(const struct play_options *options)
{
	return play_main(options, NULL);
}

/* As a shell does: the player is in a group of its own, in the foreground; writes its id, and when
 * it is stopped. Returns its exit code. */
static int run_as_shell(const struct play_options *options)
{
	int status;
	const pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		dprintf(STDOUT_FILENO, "id %d\r\n", (int)getpid());
		_exit(play_alone(options));
	}
	signal(SIGTTOU, SIG_IGN);
	while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status))
		dprintf(STDOUT_FILENO, "stopped\r\n");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void start_under(int (*run)(const struct play_options *options), const char *term,
			const char *no_color, int size)
{
	const struct winsize window = {.ws_row = 24, .ws_col = 80};
	const struct play_options options = {.size = size};
	player.length = 0;
	player.written[0] = '\0';
	ck_assert_int_eq(openpty(&player.screen, &player.line, NULL, NULL, &window), 0);
	ck_assert_int_eq(tcgetattr(player.line, &player.before), 0);
	player.pid = fork();
	ck_assert_int_ge(player.pid, 0);
	if (player.pid > 0)
		return;
	close(player.screen);
	setenv("TERM", term, 1);
	setenv("NO_COLOR", no_color, 1);
	_exit(login_tty(player.line) == 0 ? run(&options) : 99);
}

static void start(const char *term, const char *no_color, int size)
{
	start_under(play_alone, term, no_color, size);
}

/* Reads what was written within `timeout_ms`; false if that was nothing. */
static bool read_more(int timeout_ms)
{
	struct pollfd in = {.fd = player.screen, .events = POLLIN};
	if (poll(&in, 1, timeout_ms) <= 0)
		return false;
	ck_assert_uint_lt(player.length, sizeof player.written - 1);
	const ssize_t length = read(player.screen, player.written + player.length,
				    sizeof player.written - 1 - player.length);
	if (length <= 0)
		return false;
	player.length += (size_t)length;
	player.written[player.length] = '\0';
	return true;
}

/* Waits until it has written that text after `from`; returns where it ends. */
static size_t wait_for(size_t from, const char *text)
{
	const int64_t end_ms = monotonic_ms() + WAIT_MS;
	while (monotonic_ms() < end_ms) {
		const char *found =
			player.length > from ? strstr(player.written + from, text) : NULL;
		if (found)
			return (size_t)(found - player.written) + strlen(text);
		(void)read_more(50);
	}
	ck_abort_msg("never written: %s; the end of what was: %s", text,
		     player.written + (player.length > 500 ? player.length - 500 : 0));
}

/* Types keys and waits for a text after them. */
static void type(const char *keys, const char *text)
{
	const size_t from = player.length;
	ck_assert_int_eq(write(player.screen, keys, strlen(keys)), (ssize_t)strlen(keys));
	wait_for(from, text);
}

static int wait_end(void)
{
	int status;
	const int64_t end_ms = monotonic_ms() + WAIT_MS;
	while (waitpid(player.pid, &status, WNOHANG) == 0) {
		ck_assert_int_lt(monotonic_ms(), end_ms);
		(void)read_more(10);
	}
	while (read_more(0))
		;
	return status;
}

static bool line_restored(void)
{
	struct termios now;
	ck_assert_int_eq(tcgetattr(player.line, &now), 0);
	return now.c_lflag == player.before.c_lflag && now.c_iflag == player.before.c_iflag &&
	       now.c_oflag == player.before.c_oflag &&
	       memcmp(now.c_cc, player.before.c_cc, sizeof now.c_cc) == 0;
}

/* The screen before, with its cursor, and the settings of the line. */
static void check_restored(size_t from)
{
	ck_assert(line_restored());
	ck_assert_ptr_nonnull(strstr(player.written + from, "\033[?25h\033[?1049l"));
}

static void finish(void)
{
	close(player.screen);
	close(player.line);
}

START_TEST(keys_turn_the_cube_on_the_screen)
{
	start("xterm-256color", "", 3);
	wait_for(0, "\033[?1049h");
	wait_for(0, "3x3x3  solved");
	wait_for(0, "\033[38;5;16;48;5;231m");
	wait_for(0, "q quit");
	ck_assert(!line_restored());
	type("r", "\nR\033[K");
	type("U", "\nR U'\033[K");
	type("\033[D", "\nR\033[K");
	type("\033[C", "\nR U'\033[K");
	type("\177\177", "3x3x3  solved");
	type("?", "turn the whole cube");
	type("\033", "3x3x3  solved");
	type(" ", "inspection: 15");
	type("f", "3x3x3  0.");
	type("\t", "Lesson: ");
	ck_assert_int_eq(write(player.screen, "q", 1), 1);
	const int status = wait_end();
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	check_restored(0);
	finish();
}
END_TEST

START_TEST(a_solve_is_timed)
{
	start("xterm", "1", 2);
	wait_for(0, "2x2x2  solved");
	type(" ", "inspection: 15");
	type("\t", "Lesson: ");
	for (int step = 0; step < 60 && !strstr(player.written, "solved in"); step++)
		type("\r", "2x2x2  ");
	wait_for(0, "(assisted: not counted)");
	ck_assert_ptr_null(strstr(player.written, "\033[38"));
	type("r", "\033[H2x2x2");
	type("\003", "\033[?1049l");
	const int status = wait_end();
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	check_restored(0);
	finish();
}
END_TEST

START_TEST(it_ends_by_signals)
{
	static const struct {
		int signal, ends_by; /* 0: exits with 0 */
	} rows[] = {{SIGTERM, SIGTERM}, {SIGHUP, SIGHUP}, {SIGINT, 0}, {SIGQUIT, SIGQUIT}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		start("xterm-256color", "", 4);
		wait_for(0, "q quit");
		ck_assert_int_eq(kill(player.pid, rows[i].signal), 0);
		const int status = wait_end();
		if (rows[i].ends_by == 0)
			ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		else
			ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == rows[i].ends_by);
		check_restored(0);
		finish();
	}
}
END_TEST

START_TEST(it_follows_the_size_of_the_terminal)
{
	const struct winsize narrow = {.ws_row = 6, .ws_col = 60},
			     large = {.ws_row = 40, .ws_col = 120};
	start("xterm-256color", "", 4);
	wait_for(0, "q quit");
	size_t from = player.length;
	ck_assert_int_eq(ioctl(player.screen, TIOCSWINSZ, &narrow), 0);
	wait_for(from, "The cube needs ");
	from = player.length;
	ck_assert_int_eq(ioctl(player.screen, TIOCSWINSZ, &large), 0);
	from = wait_for(from, "4x4x4  solved");
	from = wait_for(from, "W");
	type("q", "\033[?1049l");
	ck_assert_int_eq(wait_end(), 0);
	check_restored(0);
	finish();
}
END_TEST

START_TEST(it_can_be_suspended)
{
	start_under(run_as_shell, "xterm-256color", "", 4);
	wait_for(0, "q quit");
	const pid_t pid = (pid_t)strtol(player.written + wait_for(0, "id "), NULL, 10);
	ck_assert_int_gt(pid, 1);
	type("r", "\nR\033[K");
	size_t from = player.length;
	type("\032", "\033[?1049l"); /* Ctrl-Z */
	from = wait_for(from, "stopped");
	ck_assert(line_restored());
	ck_assert_int_eq(kill(pid, SIGCONT), 0);
	from = wait_for(from, "\033[?1049h");
	wait_for(from, "\nR\033[K");
	ck_assert(!line_restored());
	type("u", "\nR U\033[K");
	type("q", "\033[?1049l");
	ck_assert_int_eq(wait_end(), 0);
	check_restored(from);
	finish();
}
END_TEST

START_TEST(it_ends_when_the_terminal_goes)
{
	int status;
	start("xterm-256color", "", 4);
	wait_for(0, "q quit");
	finish();
	const int64_t end_ms = monotonic_ms() + WAIT_MS;
	while (waitpid(player.pid, &status, WNOHANG) == 0) {
		ck_assert_int_lt(monotonic_ms(), end_ms);
		usleep(10000);
	}
	ck_assert(WIFSIGNALED(status) ? WTERMSIG(status) == SIGHUP : WEXITSTATUS(status) <= 1);
}
END_TEST

START_TEST(a_dumb_terminal_gets_lines)
{
	start("dumb", "", 2);
	wait_for(0, "  O     O      G     G      R     R      B     B\r\n");
	type("r", "  O     O      G     Y      R     R      W     B\r\n");
	ck_assert_int_eq(write(player.screen, "q", 1), 1);
	ck_assert_int_eq(wait_end(), 0);
	ck_assert_ptr_null(strchr(player.written, '\033'));
	ck_assert(line_restored());
	finish();
}
END_TEST

static void check_options(const char *words, const char *problem)
{
	char text[128], *list[8], *rest = text;
	struct play_options options;
	struct error error = {0};
	int count = 0;
	snprintf(text, sizeof text, "%s", words);
	for (char *word; (word = strsep(&rest, " ")) != NULL;)
		if (word[0])
			list[count++] = word;
	const bool good = play_options_read(&options, list, count, &error);
	ck_assert_str_eq(error.text, problem);
	ck_assert_int_eq(good, problem[0] == '\0');
}

START_TEST(arguments_are_checked)
{
	check_options("", "");
	check_options("--size 4 --keys speed", "");
	check_options("--size=100 --keys=letters", "");
	check_options("--size 101", "--size \"101\": write a number from 2 to 100, as --size 4");
	check_options("--size 3x", "--size \"3x\": write a number from 2 to 100, as --size 4");
	check_options("--size", "--size needs a value");
	check_options("--keys dvorak", "--keys \"dvorak\": write letters or speed");
	check_options("--sise 3", "play: unknown argument \"--sise\"; did you mean --size");
	check_options("--join http://localhost/c/x --token-file t", "");
	check_options("--join http://localhost/c/x --size 3",
		      "--size with --join: the session has its own size");
	check_options("--token-file t", "--token-file is the token for --join URL");
	check_options("4", "play: unknown argument \"4\"; write --size N, --keys letters|speed or "
			   "--join URL");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("play in a terminal");
	TCase *cases = tcase_create("play in a terminal");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, keys_turn_the_cube_on_the_screen);
	tcase_add_test(cases, a_solve_is_timed);
	tcase_add_test(cases, it_ends_by_signals);
	tcase_add_test(cases, it_follows_the_size_of_the_terminal);
	tcase_add_test(cases, it_can_be_suspended);
	tcase_add_test(cases, it_ends_when_the_terminal_goes);
	tcase_add_test(cases, a_dumb_terminal_gets_lines);
	tcase_add_test(cases, arguments_are_checked);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 8);
}
