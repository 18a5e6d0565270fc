/* fault_preload.c: makes a system call of a program fail; preloaded into the server by faults.mjs.
 *
 * Only files whose path begins with $FAULT_PATH are looked at. $FAULT_CONTROL is a file of 64-bit numbers,
 * shared with the test: which call fails (KINDS: any), with which errno (-1: it ends the process), after
 * how many, for how many; then what was counted: failures, and calls of each kind. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { KIND_PWRITE, KIND_FDATASYNC, KIND_FSYNC, KIND_OPEN, KIND_FTRUNCATE, KINDS };

struct control {
	_Atomic int64_t kind, cause, countdown,
		times; /* the countdown-th fails, and times - 1 more */
	_Atomic int64_t hits, counts[KINDS];
};

#define DESCRIPTORS 4096
static _Atomic bool ours[DESCRIPTORS];

ssize_t pwrite64(int fd, const void *from, size_t length, off64_t at);
int open64(const char *path, int flags, ...);
int ftruncate64(int fd, off64_t size);

static struct control *control(void)
{
	static struct control *_Atomic mapped;
	if (mapped == NULL) {
		int (*real)(const char *, int, ...) =
			(int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
		int fd = real(getenv("FAULT_CONTROL"), O_RDWR | O_CLOEXEC);
		void *at = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED,
				fd, 0);
		if (fd < 0 || at == MAP_FAILED)
			abort();
		close(fd);
		mapped = at;
	}
	return mapped;
}

static bool strikes(enum kind kind)
{
	struct control *c = control();
	c->counts[kind]++;
	if ((c->kind != (int64_t)kind && c->kind != KINDS) || c->cause == 0)
		return false;
	if (--c->countdown > 0 || c->times <= 0)
		return false;
	c->times--;
	c->hits++;
	if (c->cause < 0)
		raise(SIGKILL);
	errno = (int)c->cause;
	return true;
}

static bool is_ours(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS && ours[fd];
}

#define REAL(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t pwrite64(int fd, const void *from, size_t length, off64_t at)
{
	if (is_ours(fd) && strikes(KIND_PWRITE))
		return -1;
	return REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, from, length, at);
}

ssize_t pwrite(int fd, const void *from, size_t length, off_t at)
{
	return pwrite64(fd, from, length, at);
}

int fdatasync(int fd)
{
	if (is_ours(fd) && strikes(KIND_FDATASYNC))
		return -1;
	return REAL(int, "fdatasync", int)(fd);
}

int fsync(int fd)
{
	if (is_ours(fd) && strikes(KIND_FSYNC))
		return -1;
	return REAL(int, "fsync", int)(fd);
}

int ftruncate64(int fd, off64_t size)
{
	if (is_ours(fd) && strikes(KIND_FTRUNCATE))
		return -1;
	return REAL(int, "ftruncate64", int, off64_t)(fd, size);
}

int ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

static int open_file(const char *path, int flags, mode_t mode)
{
	const char *prefix = getenv("FAULT_PATH");
	bool mine = prefix != NULL && strncmp(path, prefix, strlen(prefix)) == 0;
	if (mine && strikes(KIND_OPEN))
		return -1;
	int fd = REAL(int, "open64", const char *, int, ...)(path, flags, mode);
	if (fd >= 0 && fd < DESCRIPTORS)
		ours[fd] = mine;
	return fd;
}

int open64(const char *path, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
	va_end(more);
	return open_file(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
	va_end(more);
	return open_file(path, flags, mode);
}
