/* outfile.c: writes a file that is complete and on the disk, or does not exist, and replaces
 * none. */
#include "server/ops/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/util/folder.h"

/* For the signal handler: one file at a time. */
static char *volatile unfinished;

static void remove_unfinished(int signal)
{
	char *path = unfinished;
	if (path)
		unlink(path);
	_exit(128 + signal);
}

static void watch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = remove_unfinished};
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &action, NULL);
}

static bool outfile_failed(struct outfile *file, const char *what)
{
	return error_set(&file->error, "cannot %s %s: %s", what, file->path, strerror(errno));
}

bool outfile_open(struct outfile *file, const char *path)
{
	*file = (struct outfile){.fd = -1, .path = path};
	if (access(path, F_OK) == 0) {
		errno = EEXIST;
		return outfile_failed(file, "write");
	}
	if (asprintf(&file->temporary, "%s.XXXXXX", path) < 0) {
		file->temporary = NULL;
		return outfile_failed(file, "write");
	}
	watch_signals();
	file->fd = mkostemp(file->temporary, O_CLOEXEC);
	if (file->fd < 0) {
		outfile_failed(file, "write");
		free(file->temporary);
		file->temporary = NULL;
		return false;
	}
	unfinished = file->temporary;
	return true;
}

/* Some file systems cannot rename without replacing; common ones can link. */
static bool give_name(const struct outfile *file)
{
	if (renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (link(file->temporary, file->path) != 0)
		return false;
	unlink(file->temporary);
	return true;
}

bool outfile_commit(struct outfile *file)
{
	if (fsync(file->fd) != 0)
		return outfile_failed(file, "sync");
	if (!give_name(file))
		return outfile_failed(file, "write");
	unfinished = NULL;
	free(file->temporary);
	file->temporary = NULL;
	return folder_sync_of(file->path) || outfile_failed(file, "sync the folder of");
}

void outfile_close(struct outfile *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	if (!file->temporary)
		return;
	unlink(file->temporary);
	unfinished = NULL;
	free(file->temporary);
	file->temporary = NULL;
}
