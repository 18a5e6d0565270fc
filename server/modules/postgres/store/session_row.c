/* session_row.c: a session from a row: checked, its tokens decoded, its entries replayed. */
#include "server/modules/postgres/store/session_row.h"

#include "cube/pack.h"
#include "server/util/utf8.h"

#include <stdlib.h>
#include <string.h>

/* As in SESSION_READ. */
enum session_column {
	KEY,
	ID8,
	ID2,
	SIZE,
	MODE,
	CREATED,
	HEAD,
	REVISION,
	VERSION,
	ASSISTED,
	UPDATED,
	NAME,
	SCRAMBLE,
	BASE,
	SNAPSHOT_FIRST,
	SNAPSHOT_STATE,
	ENTRIES,
	TOKENS
};

uint64_t session_row_key(const PGresult *result, int row)
{
	return result_uint8(result, row, KEY);
}

MUST_USE static enum store_status read_meta(const PGresult *result, int row,
					    struct session_meta *meta)
{
	const int size = result_int2(result, row, SIZE), mode = result_int2(result, row, MODE);
	const int access = mode & MODE_ACCESS;
	const int policy = mode >> MODE_POLICY_SHIFT & MODE_ACCESS;
	const char *name = result_text(result, row, NAME);
	const size_t name_bytes = name == NULL ? 0 : strlen(name);
	const uint64_t id8 = result_uint8(result, row, ID8);
	const uint16_t id2 = (uint16_t)result_int2(result, row, ID2);
	*meta = (struct session_meta){
		.key = session_row_key(result, row),
		.size = (uint8_t)size,
		.access = (uint8_t)access,
		.policy = (uint8_t)policy,
		.deleted = (mode & MODE_DELETED) != 0,
		.listed = (mode & MODE_LISTED) != 0,
		.version = result_uint4(result, row, VERSION),
		.assisted = result_uint4(result, row, ASSISTED),
		.created_ms = result_int8(result, row, CREATED),
		.updated_ms = result_int8(result, row, UPDATED),
	};
	if (result_is_null(result, row, UPDATED))
		meta->updated_ms = meta->created_ms;
	for (int i = 0; i < 8; i++)
		meta->id.bytes[i] = (uint8_t)(id8 >> (56 - 8 * i));
	meta->id.bytes[8] = (uint8_t)(id2 >> 8);
	meta->id.bytes[9] = (uint8_t)id2;
	if (!cube_size_valid(size) || access >= ACCESS_COUNT || policy >= POLICY_COUNT ||
	    (meta->listed && access == ACCESS_NONE) || name_bytes > SESSION_NAME_BYTES)
		return STORE_BROKEN;
	if (name_bytes > 0)
		memcpy(meta->name, name, name_bytes);
	return STORE_OK;
}

/* ---- the state ---- */

enum store_status session_row_state(const PGresult *result, int row, uint32_t revision,
				    struct history **history)
{
	struct chunk chunk;
	size_t state_bytes, base_bytes, bytes;
	const uint8_t *state = result_bytes(result, row, SNAPSHOT_STATE, &state_bytes);
	const uint8_t *base = result_bytes(result, row, BASE, &base_bytes);
	const uint8_t *entries = result_bytes(result, row, ENTRIES, &bytes);
	const uint32_t newest = result_uint4(result, row, REVISION);
	const uint32_t upto = revision < newest ? revision : newest;
	const int size = result_int2(result, row, SIZE);
	*history = NULL;
	if (!cube_size_valid(size) || entries == NULL)
		return STORE_BROKEN;
	if (revision > newest && revision != HISTORY_NONE)
		return STORE_NOT_FOUND;
	chunk_init(&chunk, size, result_int8(result, row, CREATED));
	enum store_status status =
		chunk_set(&chunk, state == NULL ? 1 : result_uint4(result, row, SNAPSHOT_FIRST),
			  state, state_bytes, entries, bytes);
	if (status == STORE_OK)
		status = chunk_state(&chunk, base, base_bytes, upto, history);
	chunk_finish(&chunk);
	if (status == STORE_OK && (*history)->revision != upto) {
		history_destroy(*history);
		*history = NULL;
		return STORE_BROKEN; /* entries are missing */
	}
	if (status == STORE_OK && upto == newest)
		(*history)->id = result_uint8(result, row, HEAD);
	return status;
}

/* ---- tokens, see SESSION_TOKENS ---- */

/* number, role, parent, created_ms, revoked_ms, bytes of the hash, hash, bytes of the label */
#define TOKEN_HEAD_BYTES (4 + 2 + 4 + 8 + 8 + 4 + HASH_BYTES + 4)

/* The token at *at, which has to have the next number; moves behind it. False: damaged. */
MUST_USE static bool decode_token(const uint8_t **at, const uint8_t *end, uint32_t number,
				  struct stored_token *token)
{
	const uint8_t *head = *at;
	if (end - head < TOKEN_HEAD_BYTES)
		return false;
	const size_t label_bytes = get_uint4(head + TOKEN_HEAD_BYTES - 4);
	*token = (struct stored_token){
		.number = get_uint4(head),
		.role = head[5],
		.parent = get_uint4(head + 6),
		.created_ms = (int64_t)get_uint8(head + 10),
		.revoked_ms = (int64_t)get_uint8(head + 18),
	};
	if (get_uint4(head + 26) != HASH_BYTES || token->number != number || head[4] != 0 ||
	    token->role >= ROLE_COUNT || token->parent >= number ||
	    label_bytes > SESSION_NAME_BYTES ||
	    label_bytes > (size_t)(end - head) - TOKEN_HEAD_BYTES)
		return false;
	memcpy(token->hash, head + 30, HASH_BYTES);
	memcpy(token->label, head + TOKEN_HEAD_BYTES, label_bytes);
	*at = head + TOKEN_HEAD_BYTES + label_bytes;
	return utf8_valid(token->label, label_bytes);
}

MUST_USE static enum store_status read_tokens(const PGresult *result, int row,
					      struct stored_session *session)
{
	size_t bytes;
	const uint8_t *at = result_bytes(result, row, TOKENS, &bytes);
	const uint8_t *end = at == NULL ? NULL : at + bytes;
	if (bytes == 0)
		return STORE_OK;
	session->tokens = calloc(bytes / TOKEN_HEAD_BYTES + 1, sizeof(*session->tokens));
	if (session->tokens == NULL)
		return STORE_NO_MEMORY;
	while (at < end) {
		if (!decode_token(&at, end, (uint32_t)session->token_count + 1,
				  &session->tokens[session->token_count]))
			return STORE_BROKEN;
		session->token_count++;
	}
	return STORE_OK;
}

MUST_USE static enum store_status read_scramble(const PGresult *result, int row,
						struct stored_session *session)
{
	size_t bytes;
	const uint8_t *packed = result_bytes(result, row, SCRAMBLE, &bytes);
	if (bytes == 0)
		return STORE_OK;
	session->scramble = calloc(bytes, sizeof(*session->scramble));
	if (session->scramble == NULL)
		return STORE_NO_MEMORY;
	return cube_turns_unpack(packed, bytes, session->meta.size, session->scramble, bytes,
				 &session->scramble_count)
		       ? STORE_OK
		       : STORE_BROKEN;
}

enum store_status session_row_description(const PGresult *result, int row,
					  struct stored_session *session)
{
	*session = (struct stored_session){0};
	enum store_status status = read_meta(result, row, &session->meta);
	if (status == STORE_OK)
		status = read_scramble(result, row, session);
	return status == STORE_OK ? read_tokens(result, row, session) : status;
}

enum store_status session_row_read(const PGresult *result, int row, struct stored_session *session)
{
	enum store_status status = session_row_description(result, row, session);
	if (status == STORE_OK)
		status = session_row_state(result, row, HISTORY_NONE, &session->history);
	if (status != STORE_OK) {
		stored_session_free(session);
		*session = (struct stored_session){0};
	}
	return status;
}
