/* access.c: tokens, receipts and the incarnation. */
#include "server/store/sqlite/database_internal.h"

#include "server/util/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- the incarnation ---- */

MUST_USE static int run_text(struct sqlite_connection *connection, const char *sql)
{
	return sqlite3_exec(connection->db, sql, NULL, NULL, NULL);
}

int incarnation_prepare(struct sqlite_store *store)
{
	sqlite3_stmt *s = NULL;
	int result = run_text(&store->writer, "INSERT OR IGNORE INTO meta (name, value)"
					      " VALUES ('epoch', lower(hex(randomblob(8))))");
	if (result == SQLITE_OK)
		result = sqlite3_prepare_v2(store->writer.db,
					    "SELECT value FROM meta WHERE name = 'epoch'", -1, &s,
					    NULL);
	if (result == SQLITE_OK)
		result = sqlite3_step(s);
	if (result == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(s, 0);
		bool whole = text != NULL && strlen(text) == INCARNATION_TEXT &&
			     strspn(text, "0123456789abcdef") == INCARNATION_TEXT;
		if (whole)
			memcpy(store->incarnation, text, INCARNATION_TEXT);
		result = whole ? SQLITE_OK : text == NULL ? SQLITE_NOMEM : SQLITE_CORRUPT;
	}
	sqlite3_finalize(s);
	return result;
}

int incarnation_forget(struct sqlite_connection *connection)
{
	return run_text(connection, "DELETE FROM meta WHERE name = 'epoch'");
}

/* ---- tokens ---- */

int token_bind(sqlite3_stmt *s, uint64_t key, const struct stored_token *token)
{
	int bad = sqlite3_bind_int64(s, 1, (int64_t)key);
	bad |= sqlite3_bind_int64(s, 2, token->number);
	bad |= sqlite3_bind_int(s, 3, token->role);
	bad |= sqlite3_bind_blob(s, 4, token->hash, HASH_BYTES, SQLITE_STATIC);
	bad |= sqlite3_bind_int64(s, 5, token->created_ms);
	if (token->revoked_ms != 0)
		bad |= sqlite3_bind_int64(s, 6, token->revoked_ms);
	if (token->label[0] != '\0')
		bad |= sqlite3_bind_text(s, 7, token->label, -1, SQLITE_STATIC);
	if (token->parent != 0)
		bad |= sqlite3_bind_int64(s, 8, token->parent);
	return bad;
}

int write_token(struct sqlite_store *store, struct store_write *write, uint64_t key)
{
	struct sqlite_connection *writer = &store->writer;
	int bad = token_bind(writer->statements[W_TOKEN], key, write->token);
	int result = connection_run_bound(writer, W_TOKEN, bad);
	if (result == SQLITE_OK && sqlite3_changes(writer->db) == 0)
		write->status = STORE_NOT_FOUND;
	return result;
}

MUST_USE static enum store_status decode_token(sqlite3_stmt *row, size_t before,
					       struct stored_token *token)
{
	const int64_t role = sqlite3_column_int64(row, 1), parent = sqlite3_column_int64(row, 6);
	const void *hash = sqlite3_column_blob(row, 2);
	const char *label = (const char *)sqlite3_column_text(row, 5);
	const size_t label_bytes = (size_t)sqlite3_column_bytes(row, 5);
	*token = (struct stored_token){
		.number = (uint32_t)before + 1,
		.role = (uint8_t)role,
		.created_ms = sqlite3_column_int64(row, 3),
		.revoked_ms = sqlite3_column_int64(row, 4),
		.parent = (uint32_t)parent,
	};
	if (hash == NULL || (label == NULL && sqlite3_column_type(row, 5) != SQLITE_NULL))
		return sqlite3_column_bytes(row, 2) == 0 ? STORE_BROKEN : STORE_NO_MEMORY;
	if (sqlite3_column_int64(row, 0) != (int64_t)before + 1 || role < 0 || role >= ROLE_COUNT ||
	    sqlite3_column_bytes(row, 2) != HASH_BYTES || label_bytes > SESSION_NAME_BYTES ||
	    !utf8_valid(label == NULL ? "" : label, label_bytes) || parent < 0 ||
	    parent > (int64_t)before)
		return STORE_BROKEN;
	memcpy(token->hash, hash, HASH_BYTES);
	if (label != NULL)
		memcpy(token->label, label, label_bytes);
	return STORE_OK;
}

enum store_status tokens_read(struct sqlite_connection *connection, sqlite3_stmt *s,
			      struct stored_token **tokens, size_t *count)
{
	enum store_status status = STORE_OK;
	int result;
	while (status == STORE_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
		/* Most sessions have one token; capacities are powers of two. */
		if ((*count & (*count - 1)) == 0) {
			size_t room = *count == 0 ? 1 : *count * 2;
			struct stored_token *more = realloc(*tokens, room * sizeof(**tokens));
			if (more == NULL) {
				status = STORE_NO_MEMORY;
				break;
			}
			*tokens = more;
		}
		status = decode_token(s, *count, &(*tokens)[*count]);
		*count += status == STORE_OK;
	}
	if (status == STORE_OK)
		status = connection_status(connection, result);
	sqlite3_reset(s);
	return status;
}

/* ---- receipts ---- */

int insert_receipt(struct sqlite_connection *writer, const struct receipt *receipt)
{
	sqlite3_stmt *s = writer->statements[W_RECEIPT];
	int bad = sqlite3_bind_blob(s, 1, receipt->key, HASH_BYTES, SQLITE_STATIC);
	bad |= sqlite3_bind_blob(s, 2, receipt->body, HASH_BYTES, SQLITE_STATIC);
	bad |= sqlite3_bind_int64(s, 3, receipt->created_ms);
	bad |= sqlite3_bind_blob64(s, 4, receipt->answer, receipt->answer_bytes, SQLITE_STATIC);
	return connection_run_bound(writer, W_RECEIPT, bad);
}

int write_receipt(struct sqlite_connection *writer, const struct receipt *receipt)
{
	int bad = sqlite3_bind_blob(writer->statements[W_DROP_RECEIPT], 1, receipt->key, HASH_BYTES,
				    SQLITE_STATIC);
	int result = connection_run_bound(writer, W_DROP_RECEIPT, bad);
	return result == SQLITE_OK ? insert_receipt(writer, receipt) : result;
}

enum store_status receipt_decode(sqlite3_stmt *row, struct receipt *receipt)
{
	const void *key = sqlite3_column_blob(row, 0), *body = sqlite3_column_blob(row, 1);
	const void *answer = sqlite3_column_blob(row, 3);
	*receipt = (struct receipt){
		.created_ms = sqlite3_column_int64(row, 2),
		.answer_bytes = (size_t)sqlite3_column_bytes(row, 3),
	};
	if (sqlite3_column_bytes(row, 0) != HASH_BYTES ||
	    sqlite3_column_bytes(row, 1) != HASH_BYTES || receipt->answer_bytes == 0)
		return STORE_BROKEN;
	receipt->answer = malloc(receipt->answer_bytes);
	if (key == NULL || body == NULL || answer == NULL || receipt->answer == NULL) {
		free(receipt->answer);
		receipt->answer = NULL;
		return STORE_NO_MEMORY;
	}
	memcpy(receipt->key, key, HASH_BYTES);
	memcpy(receipt->body, body, HASH_BYTES);
	memcpy(receipt->answer, answer, receipt->answer_bytes);
	return STORE_OK;
}

enum store_status receipts_scan(struct sqlite_connection *connection,
				const struct database_visitor *visitor,
				struct database_counts *counts, int *result)
{
	static const char sql[] =
		"SELECT " RECEIPT_COLUMNS " FROM receipt ORDER BY created_ms, key";
	sqlite3_stmt *s = NULL;
	enum store_status status = STORE_OK;
	*result = sqlite3_prepare_v2(connection->db, sql, -1, &s, NULL);
	while (status == STORE_OK && (*result == SQLITE_OK || *result == SQLITE_ROW)) {
		struct receipt receipt;
		*result = sqlite3_step(s);
		if (*result != SQLITE_ROW)
			break;
		status = receipt_decode(s, &receipt);
		if (status == STORE_BROKEN) {
			database_report(visitor, counts, NULL, "a receipt is damaged");
			status = STORE_OK;
		} else if (status == STORE_OK && visitor->receipt != NULL &&
			   !visitor->receipt(visitor->context, &receipt)) {
			status = STORE_STOPPED;
		}
		free(receipt.answer);
	}
	sqlite3_finalize(s);
	return status == STORE_OK ? connection_status(connection, *result) : status;
}
