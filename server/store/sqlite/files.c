/* files.c: which files the store has open: detects that they were moved or deleted, and reports how
 * to save what was acknowledged. */
#include "server/store/sqlite/sqlite_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "server/util/log.h"

/* Identifies the file at a path, and reads nothing else. If a file's times are read, Linux gives it
 * a fine-grained time at the next write (multigrain timestamps, 6.13), and ext4 without a journal
 * then writes the inode with each fdatasync(): 300 us instead of 200. */
static bool identify_file(const char *path, struct statx *file)
{
	return statx(AT_FDCWD, path, 0, STATX_INO, file) == 0;
}

bool files_watch(struct sqlite_store *store)
{
	return identify_file(store->wal_path, &store->wal);
}

/* If the files were moved or deleted, commits go to a file that no start will find. */
bool files_moved(struct sqlite_store *store)
{
	int moved = 0;
	struct statx wal;
	if (sqlite3_file_control(store->writer.db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
		    SQLITE_OK &&
	    moved)
		return true;
	return !identify_file(store->wal_path, &wal) || wal.stx_ino != store->wal.stx_ino ||
	       wal.stx_dev_major != store->wal.stx_dev_major ||
	       wal.stx_dev_minor != store->wal.stx_dev_minor;
}

/* SQLite's descriptor of the log; -1 if it cannot be found. */
static int find_log(const struct sqlite_store *store)
{
	DIR *folder = opendir("/proc/self/fd");
	int found = -1;
	for (const struct dirent *entry; folder && found < 0 && (entry = readdir(folder));) {
		struct stat file;
		const int fd = (int)strtol(entry->d_name, NULL, 10);
		if (entry->d_name[0] != '.' && fstat(fd, &file) == 0 &&
		    file.st_ino == store->wal.stx_ino &&
		    major(file.st_dev) == store->wal.stx_dev_major &&
		    minor(file.st_dev) == store->wal.stx_dev_minor)
			found = fd;
	}
	if (folder)
		closedir(folder);
	return found;
}

void files_log_rescue(const struct sqlite_store *store)
{
	char database[64], log[64];
	const int fd = find_log(store);
	if (fd < 0)
		return;
	snprintf(database, sizeof(database), "/proc/%d/fd/%d", (int)getpid(), store->file_fd);
	snprintf(log, sizeof(log), "/proc/%d/fd/%d", (int)getpid(), fd);
	log_event(LOG_ERROR,
		  "while this process runs, its files can be saved with everything that was "
		  "acknowledged: copy database to NEW.db and log to NEW.db-wal, then stop it",
		  LOG_TEXT("database", database), LOG_TEXT("log", log));
}
