/* powercut_vfs.c: an SQLite VFS over the disk of disk_image.h, for one process. */
#include "tests/proof/powercut_vfs.h"

#include "tests/proof/disk_image.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define REGIONS 64

/* The locks and the shared memory of the one database. They do not survive the last close, so the log's
 * index is always computed again, as after a start of the system. */
static struct {
	pthread_mutex_t mutex;
	int readers;
	struct handle *reserved, *exclusive;
	int shm_users, shm_readers[SQLITE_SHM_NLOCK];
	bool shm_writer[SQLITE_SHM_NLOCK];
	void *regions[REGIONS];
} database = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct handle {
	sqlite3_file base;
	struct image_file *file;
	int level;
	bool folder, has_shm; /* the folder is to be synced with the file's first sync */
	uint16_t shared, exclusive;
};

static sqlite3_vfs *real_vfs;

static struct image_file *file_of(sqlite3_file *file)
{
	return ((struct handle *)file)->file;
}

/* ---- bytes ---- */

static int x_read(sqlite3_file *f, void *to, int amount, sqlite3_int64 at)
{
	return image_read(file_of(f), to, (size_t)amount, at) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int x_write(sqlite3_file *f, const void *from, int amount, sqlite3_int64 at)
{
	return image_write(file_of(f), from, (size_t)amount, at) ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	return image_truncate(file_of(f), size) ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int x_sync(sqlite3_file *f, int flags)
{
	struct handle *handle = (struct handle *)f;
	(void)flags;
	if (!image_sync(handle->file, handle->folder))
		return SQLITE_IOERR_FSYNC;
	handle->folder = false;
	return SQLITE_OK;
}

static int x_size(sqlite3_file *f, sqlite3_int64 *size)
{
	*size = image_size(file_of(f));
	return SQLITE_OK;
}

/* ---- locks ---- */

static int lock(struct handle *handle, int level)
{
	bool others = database.exclusive != NULL && database.exclusive != handle;
	if (handle->level == SQLITE_LOCK_NONE) {
		if (others)
			return SQLITE_BUSY;
		database.readers++;
		handle->level = SQLITE_LOCK_SHARED;
	}
	if (level >= SQLITE_LOCK_RESERVED) {
		if (database.reserved != NULL && database.reserved != handle)
			return SQLITE_BUSY;
		if (level == SQLITE_LOCK_EXCLUSIVE) {
			if (others || database.readers > 1)
				return SQLITE_BUSY;
			database.exclusive = handle;
		}
		database.reserved = handle;
	}
	handle->level = level;
	return SQLITE_OK;
}

static int x_lock(sqlite3_file *f, int level)
{
	struct handle *handle = (struct handle *)f;
	if (level <= handle->level)
		return SQLITE_OK;
	pthread_mutex_lock(&database.mutex);
	int result = lock(handle, level);
	pthread_mutex_unlock(&database.mutex);
	return result;
}

static int x_unlock(sqlite3_file *f, int level)
{
	struct handle *handle = (struct handle *)f;
	if (level >= handle->level)
		return SQLITE_OK;
	pthread_mutex_lock(&database.mutex);
	if (database.reserved == handle)
		database.reserved = NULL;
	if (database.exclusive == handle)
		database.exclusive = NULL;
	if (level == SQLITE_LOCK_NONE)
		database.readers--;
	handle->level = level;
	pthread_mutex_unlock(&database.mutex);
	return SQLITE_OK;
}

static int x_reserved(sqlite3_file *f, int *out)
{
	(void)f;
	*out = database.reserved != NULL;
	return SQLITE_OK;
}

/* ---- shared memory ---- */

static int x_shm_map(sqlite3_file *f, int region, int size, int extend, void volatile **out)
{
	struct handle *handle = (struct handle *)f;
	*out = NULL;
	if (region >= REGIONS)
		return SQLITE_IOERR_SHMSIZE;
	pthread_mutex_lock(&database.mutex);
	if (!handle->has_shm)
		database.shm_users++;
	handle->has_shm = true;
	if (database.regions[region] == NULL && extend)
		database.regions[region] = calloc(1, (size_t)size);
	*out = database.regions[region];
	pthread_mutex_unlock(&database.mutex);
	return *out == NULL && extend ? SQLITE_IOERR_NOMEM : SQLITE_OK;
}

static bool shm_free(const struct handle *handle, int i, bool exclusive)
{
	uint16_t bit = (uint16_t)(1u << i);
	if (database.shm_writer[i] && (handle->exclusive & bit) == 0)
		return false;
	int mine = (handle->shared & bit) != 0;
	return !exclusive || database.shm_readers[i] == mine;
}

static void shm_set(struct handle *handle, int i, int flags)
{
	uint16_t bit = (uint16_t)(1u << i);
	bool shared = (handle->shared & bit) != 0, exclusive = (handle->exclusive & bit) != 0;
	if ((flags & SQLITE_SHM_UNLOCK) != 0) {
		if (shared)
			database.shm_readers[i]--;
		if (exclusive)
			database.shm_writer[i] = false;
		handle->shared &= (uint16_t)~bit;
		handle->exclusive &= (uint16_t)~bit;
	} else if ((flags & SQLITE_SHM_EXCLUSIVE) != 0) {
		database.shm_writer[i] = true;
		handle->exclusive |= bit;
	} else if (!shared) {
		database.shm_readers[i]++;
		handle->shared |= bit;
	}
}

static int x_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	struct handle *handle = (struct handle *)f;
	int result = SQLITE_OK;
	pthread_mutex_lock(&database.mutex);
	for (int i = offset; (flags & SQLITE_SHM_LOCK) != 0 && i < offset + n; i++)
		if (!shm_free(handle, i, (flags & SQLITE_SHM_EXCLUSIVE) != 0))
			result = SQLITE_BUSY;
	for (int i = offset; result == SQLITE_OK && i < offset + n; i++)
		shm_set(handle, i, flags);
	pthread_mutex_unlock(&database.mutex);
	return result;
}

static void x_shm_barrier(sqlite3_file *f)
{
	(void)f;
	pthread_mutex_lock(&database.mutex);
	pthread_mutex_unlock(&database.mutex);
}

static int x_shm_unmap(sqlite3_file *f, int delete)
{
	struct handle *handle = (struct handle *)f;
	(void)delete;
	pthread_mutex_lock(&database.mutex);
	if (handle->has_shm && --database.shm_users == 0) {
		for (int i = 0; i < REGIONS; i++) {
			free(database.regions[i]);
			database.regions[i] = NULL;
		}
	}
	handle->has_shm = false;
	pthread_mutex_unlock(&database.mutex);
	return SQLITE_OK;
}

/* ---- files ---- */

static int x_close(sqlite3_file *f)
{
	x_shm_unmap(f, 0);
	return x_unlock(f, SQLITE_LOCK_NONE);
}

static int x_control(sqlite3_file *f, int op, void *argument)
{
	(void)f;
	(void)op;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int x_sector(sqlite3_file *f)
{
	(void)f;
	return 4096;
}

static int x_device(sqlite3_file *f)
{
	(void)f;
	return SQLITE_IOCAP_POWERSAFE_OVERWRITE; /* as the default VFS */
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
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
};

static int x_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags, int *out)
{
	const int journals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
	struct handle *handle = (struct handle *)opened;
	bool created = false;
	(void)vfs;
	if (name == NULL || (flags & (journals | SQLITE_OPEN_MAIN_DB)) == 0)
		return real_vfs->xOpen(real_vfs, name, opened, flags, out);
	*handle = (struct handle){0};
	/* The store makes the database itself, before SQLite opens it. */
	bool create = (flags & (SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB)) != 0;
	handle->file = image_open(name, create, &created);
	if (handle->file == NULL)
		return SQLITE_CANTOPEN;
	handle->folder = created && (flags & journals) != 0;
	handle->base.pMethods = &methods;
	if (out != NULL)
		*out = flags;
	return SQLITE_OK;
}

static int x_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	(void)vfs;
	if (!image_exists(name))
		return SQLITE_IOERR_DELETE_NOENT;
	return image_delete(name, sync_folder != 0) ? SQLITE_OK : SQLITE_IOERR_DELETE;
}

static int x_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	(void)vfs;
	(void)flags;
	*out = image_exists(name);
	return SQLITE_OK;
}

void powercut_install(void)
{
	static sqlite3_vfs vfs;
	if (real_vfs != NULL)
		return;
	real_vfs = sqlite3_vfs_find(NULL);
	vfs = *real_vfs;
	vfs.pNext = NULL;
	vfs.zName = "powercut";
	if (vfs.szOsFile < (int)sizeof(struct handle))
		vfs.szOsFile = (int)sizeof(struct handle);
	vfs.xOpen = x_open;
	vfs.xDelete = x_delete;
	vfs.xAccess = x_access;
	sqlite3_vfs_register(&vfs, 1);
}
