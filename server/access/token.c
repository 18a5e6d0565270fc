/* token.c: tokens as text, and the tokens of a session. */
#include "server/access/token.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"

#define SECRET_BYTES 32
#define PURPOSE "cubed token"

/* ---- as text ---- */

/* 256 bits are 51 characters and one bit, the highest of the last character. */
static void print_secret(const uint8_t secret[SECRET_BYTES], char *text)
{
	for (unsigned i = 0; i < SECRET_TEXT; i++) {
		unsigned value = 0;
		for (unsigned bit = 5 * i; bit < 5 * i + 5; bit++)
			value = value << 1 |
				(bit < 8 * SECRET_BYTES ? secret[bit / 8] >> (7 - bit % 8) & 1 : 0);
		text[i] = base32_digits[value];
	}
	text[SECRET_TEXT] = '\0';
}

static bool parse_secret(const char *text, uint8_t secret[SECRET_BYTES])
{
	memset(secret, 0, SECRET_BYTES);
	for (unsigned i = 0; i < SECRET_TEXT; i++) {
		const char *at = text[i] ? strchr(base32_digits, text[i]) : NULL;
		if (!at)
			return false;
		unsigned value = (unsigned)(at - base32_digits);
		for (unsigned bit = 5 * i, k = 0; k < 5; bit++, k++) {
			unsigned one = value >> (4 - k) & 1;
			if (bit >= 8 * SECRET_BYTES && one)
				return false; /* every token has one form */
			if (bit < 8 * SECRET_BYTES)
				secret[bit / 8] |= (uint8_t)(one << (7 - bit % 8));
		}
	}
	return true;
}

void token_make(const struct session_id *session, char text[TOKEN_TEXT + 1],
		uint8_t hash[HASH_BYTES])
{
	uint8_t secret[SECRET_BYTES];
	secret_random(secret, sizeof secret);
	session_id_print(session, text);
	text[SESSION_ID_TEXT] = '_';
	print_secret(secret, text + SESSION_ID_TEXT + 1);
	secret_hash(PURPOSE, secret, sizeof secret, hash);
	secret_forget(secret, sizeof secret);
}

bool token_parse(const char *text, size_t length, struct session_id *session,
		 uint8_t hash[HASH_BYTES])
{
	uint8_t secret[SECRET_BYTES];
	if (length != TOKEN_TEXT || text[SESSION_ID_TEXT] != '_' ||
	    !session_id_parse(text, SESSION_ID_TEXT, session) ||
	    !parse_secret(text + SESSION_ID_TEXT + 1, secret))
		return false;
	secret_hash(PURPOSE, secret, sizeof secret, hash);
	secret_forget(secret, sizeof secret);
	return true;
}

/* ---- rosters ---- */

static struct roster *roster_room(size_t count)
{
	struct roster *roster = malloc(sizeof *roster + count * sizeof(struct stored_token));
	if (roster) {
		atomic_init(&roster->references, 1);
		roster->count = count;
		roster->guests = 0;
	}
	return roster;
}

/* Parents come before their guests: one pass revokes the guests of guests as well. */
static void settle_guests(struct roster *roster)
{
	for (size_t i = 0; i < roster->count; i++) {
		struct stored_token *token = &roster->tokens[i];
		token->shared = false;
		if (token->parent == 0 || token->parent > i)
			continue;
		struct stored_token *parent = &roster->tokens[token->parent - 1];
		roster->guests++;
		if (token->revoked_ms == 0)
			token->revoked_ms = parent->revoked_ms;
		if (token->revoked_ms == 0)
			parent->shared = true;
	}
}

struct roster *roster_create(const struct stored_token *tokens, size_t count)
{
	struct roster *roster = roster_room(count);
	if (roster && count > 0)
		memcpy(roster->tokens, tokens, count * sizeof *tokens);
	if (roster)
		settle_guests(roster);
	return roster;
}

bool roster_equals(const struct roster *a, const struct roster *b)
{
	const size_t count = a ? a->count : 0;
	if (count != (b ? b->count : 0))
		return false;
	for (size_t i = 0; i < count; i++)
		if (a->tokens[i].role != b->tokens[i].role ||
		    a->tokens[i].revoked_ms != b->tokens[i].revoked_ms ||
		    strcmp(a->tokens[i].label, b->tokens[i].label) != 0)
			return false;
	return true;
}

struct roster *roster_with(const struct roster *roster, const struct stored_token *token)
{
	size_t count = roster ? roster->count : 0;
	struct roster *copy = roster_room(token->number > count ? token->number : count);
	if (!copy)
		return NULL;
	if (count > 0)
		memcpy(copy->tokens, roster->tokens, count * sizeof *token);
	copy->tokens[token->number - 1] = *token;
	settle_guests(copy);
	return copy;
}

struct roster *roster_share(struct roster *roster)
{
	if (roster)
		atomic_fetch_add_explicit(&roster->references, 1, memory_order_relaxed);
	return roster;
}

void roster_release(struct roster *roster)
{
	if (roster && atomic_fetch_sub_explicit(&roster->references, 1, memory_order_acq_rel) == 1)
		free(roster);
}

const struct stored_token *roster_at(const struct roster *roster, uint32_t number)
{
	return roster && number >= 1 && number <= roster->count ? &roster->tokens[number - 1]
								: NULL;
}

const struct stored_token *token_find(const struct roster *roster, const uint8_t hash[HASH_BYTES])
{
	const struct stored_token *found = NULL;
	for (size_t i = 0; roster && i < roster->count; i++)
		if (secret_equal(roster->tokens[i].hash, hash) && roster->tokens[i].revoked_ms == 0)
			found = &roster->tokens[i];
	return found;
}
