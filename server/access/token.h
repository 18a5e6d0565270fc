/* token.h: tokens: who has one may do what it says, in one session.
 *
 * As text: the session's id, "_", and 256 random bits in Crockford's base 32; 69 characters that go
 * into a header, a fragment or a double-clicked word as they are. With the id a token is found
 * among those of its session, which are in memory with it. Of the random bits only a hash is kept.
 */
#ifndef SERVER_ACCESS_TOKEN_H
#define SERVER_ACCESS_TOKEN_H

#include "server/store/session_id.h"
#include "server/util/error.h"

#define SECRET_TEXT 52 /* 32 bytes, five bits a character */
#define TOKEN_TEXT (SESSION_ID_TEXT + 1 + SECRET_TEXT)

/* The tokens of a session: never changed once it is shared. */
struct roster {
	_Atomic unsigned references;
	size_t count;
	struct stored_token tokens[]; /* by number, from 1 on */
};

/* Copies them; NULL if out of memory. `count` 0: a NULL roster is one without tokens. */
MUST_USE struct roster *roster_create(const struct stored_token *tokens, size_t count);
/* A copy with one token more, or in the place of the one with its number. NULL if out of memory. */
MUST_USE struct roster *roster_with(const struct roster *roster, const struct stored_token *token);
struct roster *roster_share(struct roster *roster); /* NULL is fine, as in the next */
void roster_release(struct roster *roster);
/* The token with that number; NULL: none. */
const struct stored_token *roster_at(const struct roster *roster, uint32_t number);

/* A new secret of that session, as text with a NUL, and its hash. */
void token_make(const struct session_id *session, char text[TOKEN_TEXT + 1],
		uint8_t hash[HASH_BYTES]);
/* What a text says it is: the session and the hash of the secret. False if it is no token. */
MUST_USE bool token_parse(const char *text, size_t length, struct session_id *session,
			  uint8_t hash[HASH_BYTES]);
/* The token with that hash which was not revoked; NULL: none. Looks at all of them alike. */
const struct stored_token *token_find(const struct roster *roster, const uint8_t hash[HASH_BYTES]);

#endif
