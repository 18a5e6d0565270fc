/* fault_vfs.h: an SQLite VFS over the default one whose writes and syncs fail on demand. */
#ifndef TESTS_SERVER_FAULT_VFS_H
#define TESTS_SERVER_FAULT_VFS_H

#include <stdint.h>

enum fault {
	FAULT_NONE,
	FAULT_FULL,  /* writes: no space */
	FAULT_QUOTA, /* writes: an I/O error with EDQUOT */
	FAULT_WRITE, /* writes: an I/O error */
	FAULT_SYNC,  /* fsync fails */
};

enum fault_file { FAULT_LOG = 1, FAULT_MAIN = 2, FAULT_ANY = 3 };

/* Makes it the default VFS; before any database is opened. */
void fault_install(void);
/* From now on, in files of that kind, after `spare` operations that still succeed. */
void fault_set(enum fault fault, enum fault_file where, int spare);
/* Operations that were made to fail since fault_set. */
int fault_hits(void);

#endif
