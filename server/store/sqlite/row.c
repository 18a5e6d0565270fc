/* row.c: a row of the table of sessions, decoded and checked. */
#include "server/store/sqlite/row.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/util/utf8.h"

#include <stdlib.h>
#include <string.h>

const char session_row_sql[] = "SELECT " SESSION_COLUMNS " FROM " SESSION_TABLES " ORDER BY key";

const char session_tokens_sql[] =
	"SELECT " TOKEN_COLUMNS " FROM token WHERE session = ?1 ORDER BY number";
const char session_patterns_sql[] =
	"SELECT token, updated_ms, name, pattern FROM pattern WHERE session = ?1"
	" ORDER BY token, name";

static bool is_null(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL;
}

/* SQLite returns NULL for bytes if it is out of memory. */
MUST_USE static enum store_status bytes_of(sqlite3_stmt *row, int column, const uint8_t **bytes,
					   size_t *length)
{
	*bytes = sqlite3_column_blob(row, column);
	*length = (size_t)sqlite3_column_bytes(row, column);
	return *bytes || *length == 0 ? STORE_OK : STORE_NO_MEMORY;
}

enum store_status session_row_meta(sqlite3_stmt *s, struct session_meta *meta, const char **wrong)
{
	const int64_t size = sqlite3_column_int64(s, ROW_SIZE);
	const int64_t access = sqlite3_column_int64(s, ROW_ACCESS);
	const int64_t policy = sqlite3_column_int64(s, ROW_POLICY);
	const int64_t assisted = sqlite3_column_int64(s, ROW_ASSISTED);
	const int64_t listed = sqlite3_column_int64(s, ROW_LISTED);
	const uint8_t *id, *name;
	size_t id_bytes, name_bytes;
	if (bytes_of(s, ROW_ID, &id, &id_bytes) != STORE_OK ||
	    bytes_of(s, ROW_NAME, &name, &name_bytes) != STORE_OK)
		return STORE_NO_MEMORY;
	meta->key = (uint64_t)sqlite3_column_int64(s, ROW_KEY);
	if (id_bytes == SESSION_ID_BYTES)
		memcpy(meta->id.bytes, id, SESSION_ID_BYTES);
	*wrong = !cube_size_valid(size)                     ? "its size is impossible"
		 : access < 0 || access >= ACCESS_COUNT     ? "its access is impossible"
		 : policy < 0 || policy >= POLICY_COUNT     ? "its turn policy is impossible"
		 : assisted < 0 || assisted >= HISTORY_NONE ? "its assistance is impossible"
		 : listed < 0 || listed > 1 || (listed && access == ACCESS_NONE)
			 ? "it cannot be listed"
		 : id_bytes != SESSION_ID_BYTES    ? "its id is impossible"
		 : name_bytes > SESSION_NAME_BYTES ? "its name is impossible"
						   : NULL;
	if (*wrong)
		return STORE_BROKEN;
	meta->size = (uint8_t)size;
	meta->access = (uint8_t)access;
	meta->policy = (uint8_t)policy;
	meta->listed = listed != 0;
	meta->assisted = is_null(s, ROW_ASSISTED) ? 0 : (uint32_t)assisted + 1;
	meta->created_ms = sqlite3_column_int64(s, ROW_CREATED);
	meta->updated_ms =
		is_null(s, ROW_UPDATED) ? meta->created_ms : sqlite3_column_int64(s, ROW_UPDATED);
	meta->deleted = !is_null(s, ROW_DELETED);
	if (name_bytes > 0)
		memcpy(meta->name, name, name_bytes);
	return STORE_OK;
}

/* Checks what a reader does not, and when the session was deleted. */
MUST_USE static enum store_status check_meta(struct session_row *row, sqlite3_stmt *s,
					     const char **wrong)
{
	const struct session_meta *meta = &row->session.meta;
	const size_t name_bytes = (size_t)sqlite3_column_bytes(s, ROW_NAME);
	row->session.deleted_ms = sqlite3_column_int64(s, ROW_DELETED);
	if (strlen(meta->name) == name_bytes && utf8_valid(meta->name, name_bytes))
		return STORE_OK;
	*wrong = "its name is impossible";
	return STORE_BROKEN;
}

enum store_status session_row_scramble(sqlite3_stmt *s, int size, struct cube_turn **turns,
				       size_t *count)
{
	const uint8_t *bytes;
	size_t length;
	if (bytes_of(s, ROW_SCRAMBLE, &bytes, &length) != STORE_OK)
		return STORE_NO_MEMORY;
	if (length == 0)
		return STORE_OK;
	*turns = calloc(length, sizeof **turns);
	if (!*turns)
		return STORE_NO_MEMORY;
	return cube_turns_unpack(bytes, length, size, *turns, length, count) ? STORE_OK
									     : STORE_BROKEN;
}

MUST_USE static enum store_status decode_base(struct session_row *row, sqlite3_stmt *s,
					      const char **wrong)
{
	const int size = row->session.meta.size;
	const uint8_t *bytes;
	size_t length;
	if (is_null(s, ROW_BASE))
		return STORE_OK;
	if (bytes_of(s, ROW_BASE, &bytes, &length) != STORE_OK)
		return STORE_NO_MEMORY;
	row->base = malloc(cube_bytes(size));
	if (!row->base)
		return STORE_NO_MEMORY;
	*wrong = "its first cube is damaged";
	if (length == 0 || !cube_unpack(row->base, size, bytes, length))
		return STORE_BROKEN;
	row->session.base = row->base;
	return STORE_OK;
}

enum store_status session_row_decode(struct session_row *row, sqlite3_stmt *statement,
				     const char **wrong)
{
	*row = (struct session_row){0};
	struct database_session *session = &row->session;
	enum store_status status = session_row_meta(statement, &session->meta, wrong);
	if (status == STORE_OK)
		status = check_meta(row, statement, wrong);
	if (status == STORE_OK)
		status = decode_base(row, statement, wrong);
	if (status == STORE_OK) {
		*wrong = "its scramble is damaged";
		status = session_row_scramble(statement, session->meta.size, &row->scramble,
					      &session->scramble_count);
		session->scramble = row->scramble;
	}
	row->has_inline_entries = !is_null(statement, ROW_OPENING);
	if (status == STORE_OK)
		status = bytes_of(statement, ROW_OPENING, &row->inline_entries,
				  &row->inline_entries_bytes);
	row->inline_entries_sound =
		status == STORE_OK &&
		checksum_matches(statement, ROW_CHECKSUM, CHECKSUM_OPENING, session->meta.key, 1,
				 row->inline_entries, row->inline_entries_bytes);
	return status;
}

/* ---- what belongs to a session ---- */

enum store_status session_row_tokens(struct session_row *row, struct sqlite_connection *connection,
				     sqlite3_stmt *statement, const char **wrong)
{
	*wrong = "a token of it is damaged, or missing";
	if (sqlite3_bind_int64(statement, 1, (int64_t)row->session.meta.key) != SQLITE_OK)
		return STORE_NO_MEMORY;
	enum store_status status =
		tokens_read(connection, statement, &row->tokens, &row->session.token_count);
	row->session.tokens = row->tokens;
	return status;
}

static void free_patterns(struct session_row *row)
{
	for (size_t i = 0; i < row->session.pattern_count; i++)
		free((char *)(uintptr_t)row->patterns[i].name);
	free(row->patterns);
}

/* Name and pattern in one block. */
MUST_USE static enum store_status decode_pattern(sqlite3_stmt *s, struct stored_pattern *pattern)
{
	const char *name = (const char *)sqlite3_column_text(s, 2);
	const char *json = (const char *)sqlite3_column_text(s, 3);
	if (!name || !json)
		return STORE_NO_MEMORY;
	const size_t name_bytes = strlen(name), json_bytes = strlen(json);
	const int64_t token = sqlite3_column_int64(s, 0);
	if (token < 0 || token > UINT32_MAX || !utf8_valid(name, name_bytes) ||
	    !utf8_valid(json, json_bytes) ||
	    name_bytes + json_bytes !=
		    (size_t)sqlite3_column_bytes(s, 2) + (size_t)sqlite3_column_bytes(s, 3))
		return STORE_BROKEN;
	char *block = malloc(name_bytes + json_bytes + 2);
	if (!block)
		return STORE_NO_MEMORY;
	memcpy(block, name, name_bytes + 1);
	memcpy(block + name_bytes + 1, json, json_bytes + 1);
	*pattern = (struct stored_pattern){.token = (uint32_t)token,
					   .updated_ms = sqlite3_column_int64(s, 1),
					   .name = block,
					   .pattern = block + name_bytes + 1};
	return STORE_OK;
}

enum store_status session_row_patterns(struct session_row *row,
				       struct sqlite_connection *connection,
				       sqlite3_stmt *statement, const char **wrong)
{
	size_t *count = &row->session.pattern_count;
	enum store_status status = STORE_OK;
	int result = SQLITE_DONE;
	*wrong = "a pattern of it is damaged";
	if (sqlite3_bind_int64(statement, 1, (int64_t)row->session.meta.key) != SQLITE_OK)
		return STORE_NO_MEMORY;
	while (status == STORE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		struct stored_pattern *more =
			realloc(row->patterns, (*count + 1) * sizeof *row->patterns);
		if (!more) {
			status = STORE_NO_MEMORY;
			break;
		}
		row->patterns = more;
		status = decode_pattern(statement, &row->patterns[*count]);
		*count += status == STORE_OK;
		if (status == STORE_OK &&
		    row->patterns[*count - 1].token > row->session.token_count)
			status = STORE_BROKEN;
	}
	if (status == STORE_OK)
		status = connection_status(connection, result);
	sqlite3_reset(statement);
	row->session.patterns = row->patterns;
	return status;
}

void session_row_finish(struct session_row *row)
{
	free_patterns(row);
	free(row->tokens);
	free(row->base);
	free(row->scramble);
	*row = (struct session_row){0};
}
