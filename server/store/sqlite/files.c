/* files.c: which files the store has open: a move or deletion is noticed, and what was acknowledged
 * can still be saved. */
#include "server/store/sqlite/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "server/util/log.h"

/* Which file a path leads to; nothing else is asked. Linux gives a file whose times were looked at a
 * time of its own at the next write (multigrain timestamps, 6.13), and ext4 without a journal then
 * writes its inode with each fdatasync(): 300 us instead of 200. */
static bool identify(const char *path, struct statx *file)
{
	return statx(AT_FDCWD, path, 0, STATX_INO, file) == 0;
}

bool files_watch(struct sqlite_store *store)
{
	return identify(store->wal_path, &store->wal);
}

/* Were the files moved or deleted, a commit would go into nothing. */
bool files_moved(struct sqlite_store *store)
{
	int moved = 0;
	struct statx wal;
	if (sqlite3_file_control(store->writer.db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
	    moved)
		return true;
	return !identify(store->wal_path, &wal) || wal.stx_ino != store->wal.stx_ino ||
	       wal.stx_dev_major != store->wal.stx_dev_major ||
	       wal.stx_dev_minor != store->wal.stx_dev_minor;
}

/* The descriptor by which SQLite has the log open; -1 if it cannot be found. */
static int find_log(const struct sqlite_store *store)
{
	DIR *folder = opendir("/proc/self/fd");
	int found = -1;
	for (const struct dirent *entry; folder && found < 0 && (entry = readdir(folder));) {
		struct stat file;
		const int fd = (int)strtol(entry->d_name, NULL, 10);
		if (entry->d_name[0] != '.' && fstat(fd, &file) == 0 &&
		    file.st_ino == store->wal.stx_ino && major(file.st_dev) == store->wal.stx_dev_major &&
		    minor(file.st_dev) == store->wal.stx_dev_minor)
			found = fd;
	}
	if (folder)
		closedir(folder);
	return found;
}

void files_tell_rescue(const struct sqlite_store *store)
{
	char database[64], log[64];
	const int fd = find_log(store);
	if (fd < 0)
		return;
	snprintf(database, sizeof(database), "/proc/%d/fd/%d", (int)getpid(), store->file_fd);
	snprintf(log, sizeof(log), "/proc/%d/fd/%d", (int)getpid(), fd);
	log_event(LOG_ERROR,
	          "as long as this process runs its files can be saved, with all that was acknowledged: "
	          "copy database to NEW.db and log to NEW.db-wal, then stop it",
	          LOG_TEXT("database", database), LOG_TEXT("log", log));
}
