/* token.h: tokens: a client that has one may do what its role allows, in one session.
 *
 * As text: the session's id, "_", and 256 random bits in Crockford's base 32; 69 characters that
 * need no escaping in a header or a fragment. The id leads to the tokens of its session, which are
 * in memory with it. Only a hash of the random bits is stored. */
#ifndef SERVER_ACCESS_TOKEN_H
#define SERVER_ACCESS_TOKEN_H

#include "server/store/session_id.h"
#include "server/util/error.h"

#define SECRET_TEXT 52 /* 32 bytes, five bits a character */
#define TOKEN_TEXT (SESSION_ID_TEXT + 1 + SECRET_TEXT)

/* The tokens of a session; immutable once shared. A guest (a token with a parent) whose parent is
 * revoked is revoked here too, with the parent's time, whatever is stored of it. */
struct roster {
	_Atomic unsigned references;
	size_t count;
	size_t guests;                /* including revoked ones */
	struct stored_token tokens[]; /* by number, from 1 on */
};

/* Copies the tokens; NULL if out of memory. A NULL roster has no tokens. */
MUST_USE struct roster *roster_create(const struct stored_token *tokens, size_t count);
/* Returns true if both have the same tokens, with the same rights and labels. */
bool roster_equals(const struct roster *a, const struct roster *b);
/* A copy with one token added, or replaced by number. NULL if out of memory. */
MUST_USE struct roster *roster_with(const struct roster *roster, const struct stored_token *token);
struct roster *roster_share(struct roster *roster); /* NULL is fine for both */
void roster_release(struct roster *roster);
/* The token with that number; NULL: none. */
const struct stored_token *roster_at(const struct roster *roster, uint32_t number);

/* A new token of a session, as text with a NUL, and its hash. */
void token_make(const struct session_id *session, char text[TOKEN_TEXT + 1],
		uint8_t hash[HASH_BYTES]);
/* The session and the hash that a text stands for. False if the text is not a token. */
MUST_USE bool token_parse(const char *text, size_t length, struct session_id *session,
			  uint8_t hash[HASH_BYTES]);
/* The token with this hash, unless it is revoked; NULL: none. The time does not depend on which one
 * it is. */
const struct stored_token *token_find(const struct roster *roster, const uint8_t hash[HASH_BYTES]);

#endif
