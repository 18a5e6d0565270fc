/* play.c: cubed play: starts the program for the terminal, which is not part of this one. */
#include "server/ops/ops.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "cubed-play"

/* Writes the path of the folder that this program is in, with a slash at its end; "" if that is
 * unknown. */
static void own_folder(char *path, size_t capacity)
{
	const ssize_t length = readlink("/proc/self/exe", path, capacity);
	const bool whole = length > 0 && (size_t)length < capacity;
	path[whole ? length : 0] = '\0';
	char *slash = strrchr(path, '/');
	path[slash ? slash - path + 1 : 0] = '\0';
}

/* Becomes the program beside this one, or else the one in PATH. Returns the exit code only if neither
 * can be started. */
static int become(char **words)
{
	char folder[PATH_MAX], path[PATH_MAX + sizeof PROGRAM];
	own_folder(folder, sizeof folder);
	snprintf(path, sizeof path, "%s%s", folder, PROGRAM);
	if (folder[0]) {
		words[0] = path;
		execv(path, words);
		if (errno != ENOENT)
			return ops_failed("%s: %s", path, strerror(errno));
	}
	words[0] = PROGRAM;
	execvp(PROGRAM, words);
	return ops_failed("play needs the program " PROGRAM ", which is neither in %s nor in PATH "
			  "(%s); the package cubed and `make install` install it, `make` builds it",
			  folder[0] ? folder : "the folder of this one", strerror(errno));
}

int play_run(const struct ops_call *call)
{
	char **words = calloc((size_t)call->word_count + 2, sizeof *words);
	if (!words)
		return ops_failed("out of memory");
	memcpy(words + 1, call->words, (size_t)call->word_count * sizeof *words);
	const int code = become(words);
	free(words);
	return code;
}
