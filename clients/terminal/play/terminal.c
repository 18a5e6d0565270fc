/* terminal.c: raw input, its size, signals. */
#include "clients/terminal/play/terminal.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* The other screen without a cursor; back to the one before. */
#define ENTER "\033[?1049h\033[?25l\033[2J"
#define LEAVE "\033[0m\033[?25h\033[?1049l"

/* These are delivered only while terminal_wait() waits. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP};
#define CAUGHT (sizeof caught / sizeof caught[0])

static struct termios before;
static struct sigaction actions_before[CAUGHT];
static sigset_t mask_before;
static enum term_style current_style;
static volatile sig_atomic_t end_signal, resized, suspended;

static void on_signal(int signal)
{
	if (signal == SIGWINCH)
		resized = 1;
	else if (signal == SIGTSTP)
		suspended = 1;
	else
		end_signal = signal;
}

bool terminal_write(const char *bytes, size_t length)
{
	while (length > 0) {
		const ssize_t written = write(STDOUT_FILENO, bytes, length);
		if (written < 0 && errno == EAGAIN) {
			struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
			if (poll(&out, 1, 1000) > 0)
				continue;
			return false;
		}
		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

static bool set_raw(void)
{
	struct termios raw = before;
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | ISTRIP);
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0)
		return false;
	return current_style == TERM_DUMB || terminal_write(ENTER, sizeof ENTER - 1);
}

static void restore(void)
{
	if (current_style != TERM_DUMB)
		(void)!terminal_write(LEAVE, sizeof LEAVE - 1);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t mask;
	sigemptyset(&mask);
	for (size_t i = 0; i < CAUGHT; i++)
		sigaddset(&mask, caught[i]);
	sigprocmask(SIG_BLOCK, &mask, &mask_before);
	action.sa_mask = mask;
	for (size_t i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &action, &actions_before[i]);
}

bool terminal_open(enum term_style style, struct error *error)
{
	current_style = style;
	end_signal = resized = suspended = 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(error, "play needs a terminal: its input and output must not be "
					"files or pipes");
	if (tcgetattr(STDIN_FILENO, &before) != 0)
		return error_set(error, "play cannot read the settings of the terminal");
	catch_signals();
	if (set_raw())
		return true;
	terminal_close();
	return error_set(error, "play cannot change the settings of the terminal");
}

void terminal_close(void)
{
	restore();
	for (size_t i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &actions_before[i], NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
	if (end_signal != 0 && end_signal != SIGINT) {
		signal(end_signal, SIG_DFL);
		raise(end_signal);
	}
}

/* Stops as Ctrl-Z does; returns when the process is continued. */
static bool suspend(void)
{
	struct sigaction usual = {.sa_handler = SIG_DFL}, own;
	sigset_t only, mask;
	suspended = 0;
	restore();
	sigemptyset(&only);
	sigaddset(&only, SIGTSTP);
	sigaction(SIGTSTP, &usual, &own);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &only, &mask); /* it stops here */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &own, NULL);
	return tcgetattr(STDIN_FILENO, &before) == 0 && set_raw();
}

void terminal_size(int *rows, int *columns)
{
	struct winsize size;
	const bool known =
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
	*rows = known ? size.ws_row : 24;
	*columns = known ? size.ws_col : 80;
}

static enum terminal_event read_input(struct terminal_input *input, short events)
{
	const ssize_t length = read(STDIN_FILENO, input->bytes + input->length,
				    sizeof input->bytes - input->length);
	if (length < 0)
		return errno == EINTR || errno == EAGAIN ? TERMINAL_TIME : TERMINAL_END;
	if (length == 0)
		return events & (POLLHUP | POLLERR) ? TERMINAL_END : TERMINAL_TIME;
	input->length += (size_t)length;
	return TERMINAL_KEYS;
}

enum terminal_event terminal_wait(int timeout_ms, const struct pollfd *others, size_t count,
				  struct terminal_input *input)
{
	struct pollfd fds[1 + TERMINAL_OTHERS] = {{.fd = STDIN_FILENO, .events = POLLIN}};
	assert(count <= TERMINAL_OTHERS);
	if (count > 0)
		memcpy(fds + 1, others, count * sizeof *others);
	const struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	const int ready = ppoll(fds, 1 + count, timeout_ms < 0 ? NULL : &timeout, &mask_before);
	if (end_signal != 0)
		return TERMINAL_END;
	if (suspended)
		return suspend() ? TERMINAL_CHANGED : TERMINAL_END;
	if (resized) {
		resized = 0;
		return TERMINAL_CHANGED;
	}
	if (ready < 0)
		return errno == EINTR ? TERMINAL_TIME : TERMINAL_END;
	if (fds[0].revents != 0)
		return read_input(input, fds[0].revents);
	return ready > 0 ? TERMINAL_OTHER : TERMINAL_TIME;
}
