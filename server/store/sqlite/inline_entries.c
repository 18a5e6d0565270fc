/* inline_entries.c: the first entries of a session, in its own row. */
#include "server/store/sqlite/sqlite_internal.h"

#include <string.h>

bool inline_entries_is_room(const void *bytes, size_t length)
{
	return length == INLINE_ENTRIES_ROOM_BYTES &&
	       memcmp(bytes, INLINE_ENTRIES_ROOM, length) == 0;
}

enum store_status inline_entries_read(sqlite3_stmt *row, int column, int checksum, uint64_t key,
				      struct chunk *chunk, bool *inside)
{
	*inside = sqlite3_column_type(row, column) != SQLITE_NULL;
	if (!*inside)
		return STORE_OK;
	const void *bytes = sqlite3_column_blob(row, column);
	size_t length = (size_t)sqlite3_column_bytes(row, column);
	/* SQLite returns NULL for a blob with bytes if it is out of memory. */
	if (bytes == NULL)
		return length > 0 ? STORE_NO_MEMORY : STORE_BROKEN;
	if (!checksum_matches(row, checksum, CHECKSUM_OPENING, key, 1, bytes, length))
		return STORE_DAMAGED;
	return inline_entries_is_room(bytes, length) ? STORE_OK
						     : chunk_set(chunk, 1, NULL, 0, bytes, length);
}

int inline_entries_save(struct sqlite_connection *writer, uint64_t key, const struct chunk *chunk,
			const int64_t *canonical_index)
{
	sqlite3_stmt *s = writer->statements[W_OPENING];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	if (canonical_index != NULL)
		bad |= sqlite3_bind_int64(s, 2, *canonical_index);
	if (chunk != NULL) {
		bad |= sqlite3_bind_blob64(s, 3, chunk->entries, chunk->bytes, SQLITE_STATIC);
		bad |= sqlite3_bind_int(
			s, 4,
			checksum_make(CHECKSUM_OPENING, key, 1, chunk->entries, chunk->bytes));
	}
	return connection_run_bound(writer, W_OPENING, bad);
}
