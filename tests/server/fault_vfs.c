/* fault_vfs.c: an SQLite VFS over the default one whose writes and syncs fail on demand. */
#include "tests/server/fault_vfs.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

struct file {
	sqlite3_file base;
	int kind; /* enum fault_file, 0 for others */
	int last_errno;
	sqlite3_file *real; /* directly after it */
};

static _Atomic int mode, place, spare_left, hits;
static sqlite3_vfs *real_vfs;

void fault_set(enum fault fault, enum fault_file where, int spare)
{
	mode = FAULT_NONE;
	place = where;
	spare_left = spare;
	hits = 0;
	mode = (int)fault;
}

int fault_hits(void)
{
	return hits;
}

static bool strikes(const struct file *file)
{
	if ((file->kind & place) == 0)
		return false;
	if (atomic_fetch_sub(&spare_left, 1) > 0)
		return false;
	hits++;
	return true;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct file *)file)->real;
}

static int x_close(sqlite3_file *f)
{
	return real_of(f)->pMethods->xClose(real_of(f));
}

static int x_read(sqlite3_file *f, void *to, int amount, sqlite3_int64 at)
{
	return real_of(f)->pMethods->xRead(real_of(f), to, amount, at);
}

static int x_write(sqlite3_file *f, const void *from, int amount, sqlite3_int64 at)
{
	enum fault fault = (enum fault)mode;
	if ((fault == FAULT_FULL || fault == FAULT_QUOTA || fault == FAULT_WRITE) &&
	    strikes((struct file *)f)) {
		((struct file *)f)->last_errno = fault == FAULT_QUOTA ? EDQUOT : EIO;
		return fault == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
	}
	return real_of(f)->pMethods->xWrite(real_of(f), from, amount, at);
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	return real_of(f)->pMethods->xTruncate(real_of(f), size);
}

static int x_sync(sqlite3_file *f, int flags)
{
	if (mode == FAULT_SYNC && strikes((struct file *)f)) {
		((struct file *)f)->last_errno = EIO;
		return SQLITE_IOERR_FSYNC;
	}
	return real_of(f)->pMethods->xSync(real_of(f), flags);
}

static int x_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return real_of(f)->pMethods->xFileSize(real_of(f), size);
}

static int x_lock(sqlite3_file *f, int level)
{
	return real_of(f)->pMethods->xLock(real_of(f), level);
}

static int x_unlock(sqlite3_file *f, int level)
{
	return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int x_reserved(sqlite3_file *f, int *out)
{
	return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int x_control(sqlite3_file *f, int op, void *argument)
{
	if (op == SQLITE_FCNTL_LAST_ERRNO && ((struct file *)f)->last_errno != 0) {
		*(int *)argument = ((struct file *)f)->last_errno;
		return SQLITE_OK;
	}
	return real_of(f)->pMethods->xFileControl(real_of(f), op, argument);
}

static int x_sector(sqlite3_file *f)
{
	return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int x_device(sqlite3_file *f)
{
	return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int x_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
	return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
}

static int x_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}

static void x_shm_barrier(sqlite3_file *f)
{
	real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int x_shm_unmap(sqlite3_file *f, int unlink)
{
	return real_of(f)->pMethods->xShmUnmap(real_of(f), unlink);
}

static int x_fetch(sqlite3_file *f, sqlite3_int64 at, int amount, void **out)
{
	return real_of(f)->pMethods->xFetch(real_of(f), at, amount, out);
}

static int x_unfetch(sqlite3_file *f, sqlite3_int64 at, void *page)
{
	return real_of(f)->pMethods->xUnfetch(real_of(f), at, page);
}

static const sqlite3_io_methods methods = {
	.iVersion = 3,
	.xClose = x_close,
	.xRead = x_read,
	.xWrite = x_write,
	.xTruncate = x_truncate,
	.xSync = x_sync,
	.xFileSize = x_size,
	.xLock = x_lock,
	.xUnlock = x_unlock,
	.xCheckReservedLock = x_reserved,
	.xFileControl = x_control,
	.xSectorSize = x_sector,
	.xDeviceCharacteristics = x_device,
	.xShmMap = x_shm_map,
	.xShmLock = x_shm_lock,
	.xShmBarrier = x_shm_barrier,
	.xShmUnmap = x_shm_unmap,
	.xFetch = x_fetch,
	.xUnfetch = x_unfetch,
};

static int x_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags, int *out)
{
	(void)vfs;
	struct file *file = (struct file *)opened;
	memset(file, 0, sizeof(*file));
	file->real = (sqlite3_file *)(file + 1);
	file->kind = (flags & SQLITE_OPEN_WAL) != 0       ? FAULT_LOG
		     : (flags & SQLITE_OPEN_MAIN_DB) != 0 ? FAULT_MAIN
							  : 0;
	int result = real_vfs->xOpen(real_vfs, name, file->real, flags, out);
	if (file->real->pMethods != NULL)
		file->base.pMethods = &methods;
	return result;
}

void fault_install(void)
{
	static sqlite3_vfs vfs;
	if (real_vfs != NULL)
		return;
	real_vfs = sqlite3_vfs_find(NULL);
	vfs = *real_vfs;
	vfs.pNext = NULL;
	vfs.zName = "fault";
	vfs.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
	vfs.xOpen = x_open;
	sqlite3_vfs_register(&vfs, 1);
}
