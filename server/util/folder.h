/* folder.h: makes names in folders durable: that of a file that was made or renamed is on the disk only
 * when its folder was synced. False with errno. */
#ifndef SERVER_UTIL_FOLDER_H
#define SERVER_UTIL_FOLDER_H

#include "server/util/error.h"

MUST_USE bool folder_sync(const char *folder);

/* Syncs the folder that has the file. */
MUST_USE bool folder_sync_of(const char *path);

#endif
