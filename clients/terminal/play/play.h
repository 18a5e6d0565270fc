/* play.h: `cubed play`: a cube in the terminal. It needs libcube only, no server and no store; a cube
 * that is shared with others comes from the caller. */
#ifndef TERMINAL_PLAY_PLAY_H
#define TERMINAL_PLAY_PLAY_H

#include <poll.h>

#include "clients/terminal/play/game.h"

struct play_options {
	int size;
	enum play_layout layout;
	bool help;                     /* --help was given */
	const char *join, *token_file; /* NULL: not given. They point into the arguments */
};

/* A shared cube, and how to wait for it. */
struct play_remote {
	void *context;
	/* Makes the cube of `play` the shared one (play_share). False if out of memory. */
	bool (*begin)(void *context, struct play *play);
	/* Does what is due, at the beginning and after each wait; whether anything changed. */
	bool (*step)(void *context, int64_t now_ms);
	/* Descriptors to wait for, at most `room`; returns how many. Lowers *timeout_ms; -1 is any
	 * time. */
	size_t (*wait)(void *context, struct pollfd *fds, size_t room, int *timeout_ms);
};

/* Reads the arguments after the command. False: `error` says what is wrong. */
MUST_USE bool play_options_read(struct play_options *options, char **words, int count,
				struct error *error);

/* Plays until it is ended; returns the exit code. `remote` is NULL for a cube of your own. */
int play_main(const struct play_options *options, const struct play_remote *remote);

#endif
