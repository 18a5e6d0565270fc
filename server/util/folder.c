/* folder.c: syncs folders. */
#include "server/util/folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool folder_sync(const char *folder)
{
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool synced = fsync(fd) == 0;
	close(fd);
	return synced;
}

bool folder_sync_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = !slash          ? strdup(".")
		       : slash == path ? strdup("/")
				       : strndup(path, (size_t)(slash - path));
	const bool synced = folder && folder_sync(folder);
	free(folder);
	return synced;
}
