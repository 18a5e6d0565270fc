/* opening.c: a session's entries in its own row, while they are few. */
#include "server/store/sqlite/internal.h"

#include <string.h>

bool opening_is_room(const void *bytes, size_t length)
{
	return length == OPENING_ROOM_BYTES && memcmp(bytes, OPENING_ROOM, length) == 0;
}

enum store_status opening_read(sqlite3_stmt *row, int column, struct chunk *chunk, bool *inside)
{
	*inside = sqlite3_column_type(row, column) != SQLITE_NULL;
	if (!*inside)
		return STORE_OK;
	const void *bytes = sqlite3_column_blob(row, column);
	size_t length = (size_t)sqlite3_column_bytes(row, column);
	/* SQLite gives NULL for a blob with bytes when it had no memory to read it. */
	if (bytes == NULL)
		return length > 0 ? STORE_NO_MEMORY : STORE_BROKEN;
	return opening_is_room(bytes, length) ? STORE_OK
					      : chunk_set(chunk, 1, NULL, 0, bytes, length);
}

int opening_save(struct connection *writer, uint64_t key, const struct chunk *chunk,
		 const int64_t *alike)
{
	sqlite3_stmt *s = writer->statements[W_OPENING];
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	if (alike != NULL)
		bad |= sqlite3_bind_int64(s, 2, *alike);
	if (chunk != NULL)
		bad |= sqlite3_bind_blob64(s, 3, chunk->entries, chunk->bytes, SQLITE_STATIC);
	int result = bad != SQLITE_OK ? SQLITE_NOMEM : connection_run(writer, W_OPENING);
	sqlite3_clear_bindings(s);
	return result;
}
