/* tickets.c: tickets, sealed: when it was made, then each session and the number of its token; as
 * text in base 32. */
#include "server/access/tickets.h"

#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/store/session_id.h"

#define HEAD_BYTES 8
#define EACH_BYTES (SESSION_ID_BYTES + 4)
#define PLAIN_MAX (HEAD_BYTES + EACH_BYTES * TICKET_SESSIONS_MAX)

struct tickets {
	uint8_t key[HASH_BYTES];
};

struct tickets *tickets_create(const uint8_t *secret)
{
	struct tickets *tickets = malloc(sizeof *tickets);
	if (tickets && secret)
		secret_hash("cubed tickets", secret, HASH_BYTES, tickets->key);
	else if (tickets)
		secret_random(tickets->key, sizeof tickets->key);
	return tickets;
}

void tickets_destroy(struct tickets *tickets)
{
	if (!tickets)
		return;
	secret_forget(tickets->key, sizeof tickets->key);
	free(tickets);
}

/* ---- the text ---- */

static size_t sealed_bytes(size_t count)
{
	return HEAD_BYTES + EACH_BYTES * count + SEAL_OVERHEAD;
}

/* Digits of 5 bits for that many bytes. */
static size_t digits_of(size_t bytes)
{
	return (bytes * 8 + 4) / 5;
}

size_t ticket_text_bytes(size_t count)
{
	return digits_of(sealed_bytes(count)) + 1;
}

static unsigned bit_of(const uint8_t *bytes, size_t bit)
{
	return (unsigned)bytes[bit / 8] >> (7 - bit % 8) & 1;
}

static void print_bytes(const uint8_t *bytes, size_t length, char *text)
{
	for (size_t i = 0; i < digits_of(length); i++) {
		unsigned value = 0;
		for (size_t bit = 5 * i; bit < 5 * i + 5; bit++)
			value = value << 1 | (bit < 8 * length ? bit_of(bytes, bit) : 0);
		text[i] = base32_digits[value];
	}
	text[digits_of(length)] = '\0';
}

static bool parse_bytes(const char *text, uint8_t *bytes, size_t length)
{
	memset(bytes, 0, length);
	for (size_t i = 0; i < digits_of(length); i++) {
		const char *at = text[i] ? strchr(base32_digits, text[i]) : NULL;
		if (!at)
			return false;
		const unsigned value = (unsigned)(at - base32_digits);
		for (size_t k = 0; k < 5 && 5 * i + k < 8 * length; k++)
			if (value >> (4 - k) & 1)
				bytes[(5 * i + k) / 8] |= (uint8_t)(0x80 >> (5 * i + k) % 8);
	}
	return true;
}

/* ---- tickets ---- */

void tickets_seal(const struct tickets *tickets, const struct ticket *ticket, char *text)
{
	uint8_t plain[PLAIN_MAX], sealed[PLAIN_MAX + SEAL_OVERHEAD], *at = plain;
	memcpy(at, &ticket->made_ms, HEAD_BYTES);
	at += HEAD_BYTES;
	for (size_t i = 0; i < ticket->count; i++, at += EACH_BYTES) {
		memcpy(at, ticket->sessions[i].session.bytes, SESSION_ID_BYTES);
		memcpy(at + SESSION_ID_BYTES, &ticket->sessions[i].token, 4);
	}
	secret_seal(tickets->key, plain, (size_t)(at - plain), sealed);
	print_bytes(sealed, sealed_bytes(ticket->count), text);
}

bool tickets_open(const struct tickets *tickets, const char *text, size_t length,
		  struct ticket *ticket)
{
	uint8_t plain[PLAIN_MAX], sealed[PLAIN_MAX + SEAL_OVERHEAD];
	const uint8_t *at = plain;
	size_t count = 1;
	while (count < TICKET_SESSIONS_MAX && ticket_text_bytes(count) < length + 1)
		count++;
	if (ticket_text_bytes(count) != length + 1 ||
	    !parse_bytes(text, sealed, sealed_bytes(count)) ||
	    !secret_open(tickets->key, sealed, sealed_bytes(count), plain))
		return false;
	memcpy(&ticket->made_ms, at, HEAD_BYTES);
	at += HEAD_BYTES;
	ticket->count = count;
	for (size_t i = 0; i < count; i++, at += EACH_BYTES) {
		memcpy(ticket->sessions[i].session.bytes, at, SESSION_ID_BYTES);
		memcpy(&ticket->sessions[i].token, at + SESSION_ID_BYTES, 4);
	}
	return true;
}
