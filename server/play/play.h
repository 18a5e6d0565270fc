/* play.h: `cubed play`: a cube in the terminal. It needs libcube only, no server and no store. */
#ifndef SERVER_PLAY_PLAY_H
#define SERVER_PLAY_PLAY_H

#include "server/play/keys.h"

struct play_options {
	int size;
	enum play_layout layout;
	bool help; /* --help was given */
};

/* Reads the arguments after the command. False: `error` says what is wrong. */
MUST_USE bool play_options_read(struct play_options *options, char **words, int count,
				struct error *error);

/* Plays until it is ended; returns the exit code. */
int play_main(const struct play_options *options);

#endif
