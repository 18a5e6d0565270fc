/* tickets.c: a ring of tickets; a ticket's text contains its place. */
#include "server/access/tickets.h"

#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/store/session_id.h"
#include "server/util/lock.h"

#define TICKETS 16384u
#define PURPOSE "cubed ticket"

struct ticket {
	uint8_t hash[HASH_BYTES];
	int64_t until_ms; /* 0: none */
	struct session_id session;
	uint32_t token;
};

struct tickets {
	struct lock lock;
	unsigned next;
	struct ticket ring[TICKETS];
};

struct tickets *tickets_create(void)
{
	struct tickets *tickets = calloc(1, sizeof *tickets);
	if (!tickets || lock_init(&tickets->lock))
		return tickets;
	free(tickets);
	return NULL;
}

void tickets_destroy(struct tickets *tickets)
{
	if (!tickets)
		return;
	lock_destroy(&tickets->lock);
	free(tickets);
}

/* 15 bits; TICKETS needs 14. */
#define PLACE_TEXT 3

void tickets_make(struct tickets *tickets, const struct session_id *session, uint32_t token,
		  int64_t now_ms, char text[TICKET_TEXT + 1])
{
	uint8_t bytes[TICKET_TEXT];
	secret_random(bytes, sizeof bytes);
	for (size_t i = 0; i < TICKET_TEXT; i++)
		text[i] = base32_digits[bytes[i] & 31];
	text[TICKET_TEXT] = '\0';
	secret_forget(bytes, sizeof bytes);
	lock_acquire(&tickets->lock);
	unsigned place = tickets->next++ % TICKETS;
	for (size_t i = PLACE_TEXT; i-- > 0;)
		text[i] = base32_digits[place >> (5 * (PLACE_TEXT - 1 - i)) & 31];
	struct ticket *ticket = &tickets->ring[place];
	*ticket = (struct ticket){
		.until_ms = now_ms + TICKET_MS, .session = *session, .token = token};
	secret_hash(PURPOSE, text, TICKET_TEXT, ticket->hash);
	lock_release(&tickets->lock);
}

bool tickets_find(struct tickets *tickets, const char *text, size_t length, int64_t now_ms,
		  struct session_id *session, uint32_t *token)
{
	uint8_t hash[HASH_BYTES];
	unsigned place = 0;
	if (length != TICKET_TEXT)
		return false;
	for (size_t i = 0; i < PLACE_TEXT; i++) {
		const char *at = text[i] ? strchr(base32_digits, text[i]) : NULL;
		if (!at)
			return false;
		place = place << 5 | (unsigned)(at - base32_digits);
	}
	secret_hash(PURPOSE, text, length, hash);
	lock_acquire(&tickets->lock);
	const struct ticket *ticket = &tickets->ring[place % TICKETS];
	bool good = place < TICKETS && ticket->until_ms > now_ms &&
		    ticket->until_ms <= now_ms + TICKET_MS && secret_equal(ticket->hash, hash);
	*session = ticket->session;
	*token = ticket->token;
	lock_release(&tickets->lock);
	return good;
}
