/* create.c: the rows of a new session. */
#include "server/store/sqlite/sqlite_internal.h"

/* Returns true if the session needs a row in `session_more`. */
static bool has_more(const struct new_session *session)
{
	const struct session_meta *meta = session->meta;
	return meta->size != 3 || meta->access != ACCESS_VIEW ||
	       meta->updated_ms != meta->created_ms || meta->deleted ||
	       meta->policy != POLICY_FREE || meta->name[0] != '\0' || session->scramble != NULL ||
	       session->base != NULL || meta->assisted != 0 || meta->listed;
}

/* Parameters that are not bound are NULL. */
MUST_USE static int write_more(struct sqlite_connection *writer, const struct new_session *session)
{
	sqlite3_stmt *s = writer->statements[W_MORE];
	const struct session_meta *meta = session->meta;
	int bad = sqlite3_bind_int64(s, 1, session->key);
	bad |= sqlite3_bind_int(s, 2, meta->size);
	bad |= sqlite3_bind_int(s, 3, meta->access);
	if (meta->updated_ms != meta->created_ms)
		bad |= sqlite3_bind_int64(s, 4, meta->updated_ms);
	if (meta->deleted)
		bad |= sqlite3_bind_int64(s, 5, session->deleted_ms);
	if (meta->policy != POLICY_FREE)
		bad |= sqlite3_bind_int(s, 6, meta->policy);
	if (meta->name[0] != '\0')
		bad |= sqlite3_bind_text(s, 7, meta->name, -1, SQLITE_STATIC);
	if (session->scramble != NULL)
		bad |= sqlite3_bind_blob64(s, 8, session->scramble, session->scramble_bytes,
					   SQLITE_STATIC);
	if (session->base != NULL)
		bad |= sqlite3_bind_blob64(s, 9, session->base, session->base_bytes, SQLITE_STATIC);
	if (meta->assisted != 0)
		bad |= sqlite3_bind_int64(s, 10, (int64_t)meta->assisted - 1);
	if (meta->listed)
		bad |= sqlite3_bind_int(s, 11, 1);
	return connection_run_bound(writer, W_MORE, bad);
}

int session_create(struct sqlite_connection *writer, const struct new_session *session, bool *there)
{
	sqlite3_stmt *s = writer->statements[W_CREATE];
	const struct session_meta *meta = session->meta;
	int bad = sqlite3_bind_blob(s, 1, meta->id.bytes, SESSION_ID_BYTES, SQLITE_STATIC);
	bad |= sqlite3_bind_int64(s, 2, session->key);
	bad |= sqlite3_bind_int64(s, 3, meta->created_ms);
	if (session->canonical_index != NULL)
		bad |= sqlite3_bind_int64(s, 4, *session->canonical_index);
	bad |= sqlite3_bind_int(s, 5,
				checksum_make(CHECKSUM_OPENING, (uint64_t)session->key, 1,
					      INLINE_ENTRIES_ROOM, INLINE_ENTRIES_ROOM_BYTES));
	int result = connection_run_bound(writer, W_CREATE, bad);
	*there = result == SQLITE_OK && sqlite3_changes(writer->db) == 0;
	if (result != SQLITE_OK || *there || !has_more(session))
		return result;
	return write_more(writer, session);
}
