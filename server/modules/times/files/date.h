/* date.h: dates as files and clients write them. Pure; any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_DATE_H
#define SERVER_MODULES_TIMES_FILES_DATE_H

#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

/* Reads "2026-11-21", or that with a time after a T or a space: "18:00", "18:00:00", "18:00:00.123",
 * and after it nothing or Z (UTC), or the difference from it, "+01:00". Into ms since 1970. False if it is
 * not that, or there is no such day. */
MUST_USE bool date_read(const char *text, size_t length, int64_t *ms);

#endif
