/* checksum.h: checksums of packed histories, by which damage is found when they are read. */
#ifndef SERVER_STORE_SQLITE_CHECKSUM_H
#define SERVER_STORE_SQLITE_CHECKSUM_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of bytes: entries in the session's row, a chunk, the state before one. */
enum checksum_kind { CHECKSUM_OPENING, CHECKSUM_CHUNK, CHECKSUM_STATE };

/* A CRC-32 of the bytes and of their place: the column `checksum`. `first`: of the entries. */
int32_t checksum_make(enum checksum_kind kind, uint64_t key, uint32_t first, const void *bytes,
		      size_t length);
/* Returns true if the column has it, or NULL, as in a row of an older program. */
bool checksum_matches(sqlite3_stmt *row, int column, enum checksum_kind kind, uint64_t key,
		      uint32_t first, const void *bytes, size_t length);

#endif
