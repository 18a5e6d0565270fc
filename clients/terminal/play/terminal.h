/* terminal.h: the terminal of `cubed play`: raw input, its size, signals. Whatever happens, it is left
 * as it was found. One at a time, since signals belong to the process. */
#ifndef TERMINAL_PLAY_TERMINAL_H
#define TERMINAL_PLAY_TERMINAL_H

#include <poll.h>

#include "clients/terminal/play/screen.h"

enum terminal_event {
	TERMINAL_KEYS,    /* there are bytes */
	TERMINAL_TIME,    /* the time is over */
	TERMINAL_OTHER,   /* one of the other descriptors is ready */
	TERMINAL_CHANGED, /* resized, or back from Ctrl-Z: draw all of it */
	TERMINAL_END,     /* a signal, or the terminal is gone */
};

struct terminal_input {
	char bytes[256];
	size_t length;
};

/* Takes the terminal on the standard input and output. `style` says whether it can move its
 * cursor. */
MUST_USE bool terminal_open(enum term_style style, struct error *error);
/* Gives it back. Then, if a signal asked the process to end, it ends by that signal. */
void terminal_close(void);

void terminal_size(int *rows, int *columns);

/* Waits for at most `timeout_ms`; -1: for any time; and for `count` other descriptors, at most
 * TERMINAL_OTHERS. Adds what was read to `input`. */
#define TERMINAL_OTHERS 16
MUST_USE enum terminal_event terminal_wait(int timeout_ms, const struct pollfd *others,
					   size_t count, struct terminal_input *input);

/* False if the terminal is gone. */
MUST_USE bool terminal_write(const char *bytes, size_t length);

#endif
