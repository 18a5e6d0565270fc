/* log_row.c: a row of the log: entries of one commit, one after another. */
#include "server/store/sqlite/log_row.h"

#include "server/history/history.h"
#include "server/util/varint.h"

#define HEAD_MAX (3 * (size_t)VARINT_MAX)
#define KEPT_BYTES 65536 /* most memory kept from row to row */

const char log_rows_sql[] = "SELECT seq, entries FROM log ORDER BY seq";

void log_row_begin(struct buffer *row)
{
	if (row->failed || row->capacity > KEPT_BYTES)
		buffer_free(row);
	row->length = 0;
}

bool log_row_has_room(const struct buffer *row, size_t length)
{
	return row->length == 0 || row->length + HEAD_MAX + length <= LOG_ROW_BYTES;
}

bool log_row_add(struct buffer *row, uint64_t session, uint32_t revision, const uint8_t *packed,
		 size_t length)
{
	uint8_t *at = (uint8_t *)buffer_room(row, HEAD_MAX + length);
	if (at == NULL)
		return false;
	size_t head = varint_put(at, session);
	head += varint_put(at + head, revision);
	head += varint_put(at + head, length);
	row->length += head;
	buffer_add(row, packed, length);
	return true;
}

/* ---- reading ---- */

static bool possible(uint64_t session, uint64_t revision)
{
	return session >= 1 && session <= INT64_MAX && revision >= 1 && revision < HISTORY_NONE;
}

/* The next entry, prepared: SQLITE_OK, NOMEM or CORRUPT. */
MUST_USE static int next_entry(struct memtable *memtable, int64_t seq, const uint8_t **at,
			       const uint8_t *end, struct memtable_entry **entry)
{
	uint64_t session, revision, length;
	if (!varint_get(at, end, &session) || !varint_get(at, end, &revision) ||
	    !varint_get(at, end, &length))
		return SQLITE_CORRUPT;
	if (!possible(session, revision) || length < 1 || length > (size_t)(end - *at))
		return SQLITE_CORRUPT;
	*entry = memtable_prepare(memtable, session, seq, (uint32_t)revision, *at, length);
	*at += length;
	return *entry == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int log_row_load(struct memtable *memtable, sqlite3_stmt *row)
{
	struct memtable_entry *entries = NULL, **last = &entries;
	const uint8_t *at = sqlite3_column_blob(row, 1);
	const size_t length = (size_t)sqlite3_column_bytes(row, 1);
	if (at == NULL)
		return length > 0 ? SQLITE_NOMEM : SQLITE_CORRUPT;
	const uint8_t *end = at + length;
	int result = SQLITE_OK;
	while (at < end && result == SQLITE_OK) {
		result = next_entry(memtable, sqlite3_column_int64(row, 0), &at, end, last);
		if (result == SQLITE_OK)
			last = &(*last)->next;
	}
	*last = NULL;
	if (result == SQLITE_OK)
		memtable_publish(memtable, entries);
	else
		memtable_discard(entries);
	return result;
}

/* ---- rows of older schemas ---- */

static void make_row(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct buffer row = {0};
	const uint64_t session = (uint64_t)sqlite3_value_int64(values[0]);
	const uint64_t revision = (uint64_t)sqlite3_value_int64(values[1]);
	const uint8_t *entry = sqlite3_value_blob(values[2]);
	const size_t length = (size_t)sqlite3_value_bytes(values[2]);
	(void)count;
	if (!possible(session, revision))
		sqlite3_result_error_code(context, SQLITE_CORRUPT);
	else if ((entry == NULL && length > 0) ||
		 !log_row_add(&row, session, (uint32_t)revision, entry, length))
		sqlite3_result_error_nomem(context);
	else
		sqlite3_result_blob64(context, row.bytes, row.length, SQLITE_TRANSIENT);
	buffer_free(&row);
}

int log_row_define(sqlite3 *db)
{
	return sqlite3_create_function_v2(db, "log_row", 3, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL,
					  make_row, NULL, NULL, NULL);
}
