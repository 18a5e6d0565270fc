/* powercut_vfs.h: an SQLite VFS over the disk of disk_image.h; temporary files go to the default one. */
#ifndef TESTS_PROOF_POWERCUT_VFS_H
#define TESTS_PROOF_POWERCUT_VFS_H

/* Makes it the default VFS; before any database is opened. */
void powercut_install(void);

#endif
