/* tables_file.c: files of tables: read or mapped if good; made under another name, then renamed. */
#include "cube/solve.h"
#include "server/search/tables_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/util/folder.h"

#define PATH_BYTES 400 /* so that one fits into a struct error */

/* By errno. */
static bool failed(struct error *error, const char *what, const char *path)
{
	return error_set(error, "cannot %s %.*s: %s", what, PATH_BYTES, path, strerror(errno));
}

/* The path of the file, or, with ".new", of the file while it is made. */
static bool path_of(char path[PATH_BYTES], const char *folder, struct tables_id id,
		    const char *ending, struct error *error)
{
	char name[TABLES_NAME_BYTES];
	tables_name(name, id);
	int length = snprintf(path, PATH_BYTES, "%s/%s.tables%s", folder, name, ending);
	if (length > 0 && length < PATH_BYTES)
		return true;
	errno = ENAMETOOLONG;
	return failed(error, "use", folder);
}

/* Copies the file into memory of its own, which nobody can change or cut; NULL on failure. */
static void *read_copy(int fd, size_t bytes)
{
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, bytes, MADV_HUGEPAGE);
	for (size_t done = 0; done < bytes;) {
		const ssize_t count = pread(fd, memory + done, bytes - done, (off_t)done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			errno = count < 0 ? errno : EIO; /* it was cut meanwhile */
			const int fault = errno;
			munmap(memory, bytes);
			errno = fault;
			return NULL;
		}
		done += (size_t)count;
	}
	return memory;
}

static void *map_shared(int fd, size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* The check reads sequentially, searches at random: large pages help if the file system has
	 * them for files. */
	madvise(memory, bytes, MADV_HUGEPAGE);
	madvise(memory, bytes, MADV_SEQUENTIAL);
	return memory;
}

static const void *open_good(int fd, const char *path, const struct cube_solver_tables *row,
			     struct error *error)
{
	struct stat status;
	if (fstat(fd, &status) != 0) {
		failed(error, "read", path);
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || status.st_size < 0 ||
	    (size_t)status.st_size != row->bytes) {
		error_set(error, "%s is cut off, or of another version; it is not used", path);
		return NULL;
	}
	const bool mapped = row->bytes >= TABLES_MAPPED_BYTES;
	void *memory = mapped ? map_shared(fd, row->bytes) : read_copy(fd, row->bytes);
	if (!memory) {
		failed(error, mapped ? "map" : "read", path);
		return NULL;
	}
	bool good = cube_solver_tables_good(row, memory);
	if (mapped)
		madvise(memory, row->bytes, MADV_RANDOM);
	if (good)
		return memory;
	munmap(memory, row->bytes);
	error_set(error, "%s is damaged, or of another version; it is not used", path);
	return NULL;
}

const void *tables_file_open(const char *folder, struct tables_id id, struct error *error)
{
	char path[PATH_BYTES];
	*error = (struct error){0};
	if (!path_of(path, folder, id, "", error))
		return NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			failed(error, "read", path);
		return NULL;
	}
	const void *memory = open_good(fd, path, id.row, error);
	close(fd);
	return memory;
}

bool tables_file_good(const char *folder, struct tables_id id, struct error *error)
{
	const void *memory = tables_file_open(folder, id, error);
	if (memory)
		munmap((void *)(uintptr_t)memory, id.row->bytes);
	return memory != NULL;
}

/* ---- making ---- */

static bool write_all(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t written = write(fd, bytes, count);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		bytes += written;
		count -= (size_t)written;
	}
	return true;
}

/* All processes that make the same tables use one name and lock it: the second one fails at once, and
 * the remains of one that was killed are overwritten. */
static int open_unfinished(const char *path, struct error *error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0) {
		failed(error, "write", path);
		return -1;
	}
	struct stat opened, named;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 &&
	    stat(path, &named) == 0 && opened.st_ino == named.st_ino)
		return fd;
	error_set(error, "%s is already being made", path);
	close(fd);
	return -1;
}

/* Takes the right to write away: nobody overwrites by accident what a server has mapped. */
static bool protect(int fd)
{
	struct stat status;
	return fstat(fd, &status) == 0 && fchmod(fd, status.st_mode & 0444) == 0;
}

/* Allocates the file first, so that a full disk is noticed before minutes of work. */
static bool make_in(int fd, const char *path, const struct cube_solver_tables *row,
		    unsigned threads, tables_progress *progress, void *context, struct error *error)
{
	int code = ftruncate(fd, 0) == 0 ? posix_fallocate(fd, 0, (off_t)row->bytes) : errno;
	if (code != 0) {
		errno = code;
		return failed(error, "make room for", path);
	}
	void *memory = tables_make(row, threads, NULL, progress, context);
	if (!memory) {
		errno = ENOMEM;
		return failed(error, "make", path);
	}
	bool written = write_all(fd, memory, row->bytes) && fsync(fd) == 0;
	if (!written)
		failed(error, "write", path);
	munmap(memory, row->bytes);
	return written;
}

bool tables_file_make(const char *folder, struct tables_id id, unsigned threads,
		      tables_progress *progress, void *context, struct error *error)
{
	char path[PATH_BYTES], unfinished[PATH_BYTES];
	*error = (struct error){0};
	if (!path_of(path, folder, id, "", error) ||
	    !path_of(unfinished, folder, id, ".new", error))
		return false;
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return failed(error, "make the folder", folder);
	int fd = open_unfinished(unfinished, error);
	if (fd < 0)
		return false;
	bool made = make_in(fd, unfinished, id.row, threads, progress, context, error);
	if (made && (rename(unfinished, path) != 0 || !protect(fd) || !folder_sync(folder)))
		made = failed(error, "write", path);
	if (!made)
		unlink(unfinished);
	close(fd);
	return made;
}

static void clean_one(const char *path)
{
	struct error ignored;
	if (access(path, F_OK) != 0)
		return;
	int fd = open_unfinished(path, &ignored);
	if (fd < 0)
		return;
	unlink(path);
	close(fd);
}

void tables_files_clean(const char *folder)
{
	char path[PATH_BYTES];
	struct error ignored;
	struct tables_id id;
	for (size_t i = 0; tables_at(i, &id); i++)
		if (path_of(path, folder, id, ".new", &ignored))
			clean_one(path);
}
