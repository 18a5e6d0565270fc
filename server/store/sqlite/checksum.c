/* checksum.c: checksums of packed histories. */
#include "server/store/sqlite/sqlite_internal.h"

#include <zlib.h>

#include "server/util/log.h"
#include "server/util/monotonic.h"

#define DAMAGE_LOG_MS 1000

int32_t checksum_make(enum checksum_kind kind, uint64_t key, uint32_t first, const void *bytes,
		      size_t length)
{
	uint8_t place[1 + 8 + 4] = {(uint8_t)kind};
	for (int i = 0; i < 8; i++)
		place[1 + i] = (uint8_t)(key >> (8 * i));
	for (int i = 0; i < 4; i++)
		place[9 + i] = (uint8_t)(first >> (8 * i));
	uLong crc = crc32_z(0, place, sizeof(place));
	if (length > 0)
		crc = crc32_z(crc, bytes, length);
	return (int32_t)(uint32_t)crc;
}

bool checksum_matches(sqlite3_stmt *row, int column, enum checksum_kind kind, uint64_t key,
		      uint32_t first, const void *bytes, size_t length)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL ||
	       sqlite3_column_int64(row, column) == checksum_make(kind, key, first, bytes, length);
}

void damage_log(struct sqlite_store *store, uint64_t key)
{
	const int64_t now_ms = monotonic_ms();
	int64_t logged_ms = atomic_load(&store->damage_logged_ms);
	if ((logged_ms == 0 || now_ms - logged_ms >= DAMAGE_LOG_MS) &&
	    atomic_compare_exchange_strong(&store->damage_logged_ms, &logged_ms, now_ms))
		log_event(LOG_ERROR, "a session cannot be read: cubed verify lists the damage",
			  LOG_TEXT("path", store->path), LOG_NUMBER("session", key));
}
