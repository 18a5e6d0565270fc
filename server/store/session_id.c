/* session_id.c: session ids as text. Alphabet: Douglas Crockford, "Base 32": no i, l, o, u. */
#include "server/store/session_id.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>

const char base32_digits[33] = "0123456789abcdefghjkmnpqrstvwxyz";

/* The value of a digit plus one; 0: not a digit. */
static const uint8_t base32_values[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,
	['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14,
	['e'] = 15, ['f'] = 16, ['g'] = 17, ['h'] = 18, ['j'] = 19, ['k'] = 20, ['m'] = 21,
	['n'] = 22, ['p'] = 23, ['q'] = 24, ['r'] = 25, ['s'] = 26, ['t'] = 27, ['v'] = 28,
	['w'] = 29, ['x'] = 30, ['y'] = 31, ['z'] = 32, ['A'] = 11, ['B'] = 12, ['C'] = 13,
	['D'] = 14, ['E'] = 15, ['F'] = 16, ['G'] = 17, ['H'] = 18, ['J'] = 19, ['K'] = 20,
	['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24, ['R'] = 25, ['S'] = 26, ['T'] = 27,
	['V'] = 28, ['W'] = 29, ['X'] = 30, ['Y'] = 31, ['Z'] = 32,
};

bool session_id_make(struct session_id *id)
{
	return getrandom(id->bytes, sizeof id->bytes, 0) == (ssize_t)sizeof id->bytes;
}

bool session_id_make_in(unsigned bucket, struct session_id *id)
{
	assert(bucket < SESSION_BUCKETS);
	if (!session_id_make(id))
		return false;
	id->bytes[8] = (uint8_t)((id->bytes[8] & 0xf0) | bucket >> 8);
	id->bytes[9] = (uint8_t)bucket;
	return true;
}

bool solve_id_make(const struct session_id *session, uint8_t solve[SESSION_ID_BYTES])
{
	struct session_id id;
	if (!session_id_make_in(session_id_bucket(session), &id))
		return false;
	memcpy(solve, id.bytes, sizeof id.bytes);
	return true;
}

/* Five bytes are eight characters of five bits. */
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
			unsigned value = base32_values[(unsigned char)text[half * 8 + i]];
			if (value == 0)
				return false;
			bits = bits << 5 | (value - 1);
		}
		for (int i = 0; i < 5; i++)
			id->bytes[half * 5 + i] = (uint8_t)(bits >> (32 - 8 * i));
	}
	return true;
}
