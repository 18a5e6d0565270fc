/* id.c: session ids as text. Alphabet: Douglas Crockford, "Base 32": no i, l, o, u. */
#include "server/session/id.h"

#include <string.h>
#include <sys/random.h>

const char base32_digits[33] = "0123456789abcdefghjkmnpqrstvwxyz";

bool session_id_make(struct session_id *id)
{
	return getrandom(id->bytes, sizeof id->bytes, 0) == (ssize_t)sizeof id->bytes;
}

/* Five bytes are eight characters of five bits each. */
void session_id_print(const struct session_id *id, char text[SESSION_ID_TEXT + 1])
{
	for (int half = 0; half < 2; half++) {
		uint64_t bits = 0;
		for (int i = 0; i < 5; i++)
			bits = bits << 8 | id->bytes[half * 5 + i];
		for (int i = 0; i < 8; i++)
			text[half * 8 + i] = base32_digits[bits >> (35 - 5 * i) & 31];
	}
	text[SESSION_ID_TEXT] = '\0';
}

bool session_id_parse(const char *text, size_t length, struct session_id *id)
{
	if (length != SESSION_ID_TEXT)
		return false;
	for (int half = 0; half < 2; half++) {
		uint64_t bits = 0;
		for (int i = 0; i < 8; i++) {
			char c = text[half * 8 + i];
			const char *at = c ? strchr(base32_digits, c) : NULL;
			if (!at)
				return false;
			bits = bits << 5 | (uint64_t)(at - base32_digits);
		}
		for (int i = 0; i < 5; i++)
			id->bytes[half * 5 + i] = (uint8_t)(bits >> (32 - 8 * i));
	}
	return true;
}
