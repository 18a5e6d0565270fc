/* patterns.c: custom patterns: written, read. */
#include "server/store/sqlite/sqlite_internal.h"

int pattern_bind(sqlite3_stmt *s, uint64_t key, const struct stored_pattern *pattern)
{
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	bad |= sqlite3_bind_int64(s, 2, pattern->token);
	bad |= sqlite3_bind_text(s, 3, pattern->name, -1, SQLITE_STATIC);
	if (pattern->pattern == NULL)
		return bad;
	bad |= sqlite3_bind_text(s, 4, pattern->pattern, -1, SQLITE_STATIC);
	return bad | sqlite3_bind_int64(s, 5, pattern->updated_ms);
}

int write_pattern(struct sqlite_store *store, struct store_write *write)
{
	struct sqlite_connection *writer = &store->writer;
	const int which = write->pattern->pattern != NULL ? W_PATTERN : W_DROP_PATTERN;
	int bad = pattern_bind(writer->statements[which], write->meta.key, write->pattern);
	int result = connection_run_bound(writer, which, bad);
	if (which == W_PATTERN && result == SQLITE_OK && sqlite3_changes(writer->db) == 0)
		write->status = STORE_NOT_FOUND;
	return result;
}

/* A pattern from a row, valid until the next step. */
MUST_USE static enum store_status pattern_decode(sqlite3_stmt *s, bool texts,
						 struct stored_pattern *pattern)
{
	*pattern = (struct stored_pattern){
		.name = (const char *)sqlite3_column_text(s, 0),
		.updated_ms = sqlite3_column_int64(s, 1),
		.pattern = texts ? (const char *)sqlite3_column_text(s, 2) : NULL,
	};
	/* Neither column can be NULL. */
	return pattern->name == NULL || (texts && pattern->pattern == NULL) ? STORE_NO_MEMORY
									    : STORE_OK;
}

enum store_status reader_patterns(struct store_reader *reader, uint64_t key, const char *name,
				  bool texts, store_visit_pattern *visit, void *context)
{
	sqlite3_stmt *s =
		reader_connection(reader)->statements[name != NULL ? R_PATTERN : R_PATTERNS];
	enum store_status status = STORE_OK;
	int result = sqlite3_bind_int64(s, 1, (int64_t)key);
	bool more = true;
	if (result == SQLITE_OK && name != NULL)
		result = sqlite3_bind_text(s, 2, name, -1, SQLITE_STATIC);
	while (status == STORE_OK && more && (result == SQLITE_OK || result == SQLITE_ROW)) {
		struct stored_pattern pattern;
		result = sqlite3_step(s);
		if (result != SQLITE_ROW)
			break;
		status = pattern_decode(s, texts, &pattern);
		more = status == STORE_OK && visit(context, &pattern);
	}
	if (status == STORE_OK)
		status = connection_status(reader_connection(reader), result);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return status;
}
