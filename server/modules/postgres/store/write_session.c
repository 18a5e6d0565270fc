/* write_session.c: writes that change a session but add no entries: its description, tokens,
 * patterns, assistance. */
#include "server/modules/postgres/store/postgres_internal.h"

/* Begins with the session, as the writer knew it. */
static struct parameters *begin(struct transaction *transaction, const struct store_write *write)
{
	struct parameters *p = &transaction->parameters;
	parameters_begin(p);
	parameters_uint8(p, write->meta.key);
	parameters_uint4(p, write->meta.version);
	return p;
}

enum failure meta_send(struct transaction *transaction, const struct store_write *write)
{
	struct session_meta meta = write->meta;
	struct parameters *p = begin(transaction, write);
	meta.deleted = false;
	parameters_int2(p, session_mode_of(&meta));
	parameters_int8(p, meta.updated_ms);
	parameters_text_or_null(p, write->meta.name);
	return transaction_change(transaction, STATEMENT_META);
}

enum failure delete_send(struct transaction *transaction, const struct store_write *write)
{
	struct parameters *p = begin(transaction, write);
	parameters_int8(p, write->meta.updated_ms);
	return transaction_change(transaction, STATEMENT_DELETE);
}

void token_parameters(struct parameters *p, const struct stored_token *token)
{
	parameters_uint4(p, token->number);
	parameters_uint4(p, token->parent);
	parameters_int2(p, token->role);
	parameters_bytes(p, token->hash, HASH_BYTES);
	parameters_int8(p, token->created_ms);
	parameters_int8_or_null(p, token->revoked_ms, 0);
	parameters_text_or_null(p, token->label);
}

enum failure token_send(struct transaction *transaction, const struct store_write *write)
{
	token_parameters(begin(transaction, write), write->token);
	return transaction_change(transaction, STATEMENT_TOKEN);
}

enum failure pattern_send(struct transaction *transaction, const struct store_write *write)
{
	const struct stored_pattern *pattern = write->pattern;
	struct parameters *p = begin(transaction, write);
	parameters_uint4(p, pattern->token);
	parameters_text(p, pattern->name);
	if (pattern->pattern == NULL)
		return transaction_change(transaction, STATEMENT_PATTERN_DROP);
	parameters_text(p, pattern->pattern);
	parameters_int8(p, pattern->updated_ms);
	return transaction_change(transaction, STATEMENT_PATTERN_PUT);
}

enum failure assistance_send(struct transaction *transaction, const struct store_write *write)
{
	struct parameters *p = &transaction->parameters;
	const uint32_t revision = write->revision < INT32_MAX ? write->revision : INT32_MAX - 1;
	parameters_begin(p);
	parameters_uint8(p, write->meta.key);
	parameters_uint4(p, revision + 1);
	return transaction_change(transaction, STATEMENT_ASSISTANCE);
}
