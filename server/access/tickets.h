/* tickets.h: tickets: substitutes for tokens, for clients that cannot send a header (a browser's
 * EventSource); they may be part of a URL. A ticket opens one stream of events, of one or several
 * sessions.
 *
 * A ticket is sealed and has all that it says in itself, so nothing is kept of it and no other
 * client can displace it. The key follows from a secret that all processes of a database share, so
 * any of them opens the tickets of any other; where a database has one process only, it is made when
 * the process starts, and after a restart all tickets are unknown. Whether a token in it was revoked
 * since is for the caller to check. Any thread. */
#ifndef SERVER_ACCESS_TICKETS_H
#define SERVER_ACCESS_TICKETS_H

#include "server/store/store.h"
#include "server/util/error.h"

/* For how long a ticket opens a stream, and opens it again from where it broke off. */
#define TICKET_OPENS_MS 60000
#define TICKET_REOPENS_MS (INT64_C(12) * 60 * 60 * 1000)
#define TICKET_SESSIONS_MAX 128

struct ticket_session {
	struct session_id session;
	uint32_t token; /* its number; 0: anonymous */
};

struct ticket {
	int64_t made_ms;
	size_t count; /* 1 to TICKET_SESSIONS_MAX */
	struct ticket_session sessions[TICKET_SESSIONS_MAX];
};

struct tickets;

/* `secret` (HASH_BYTES): of the database; NULL: a new one. NULL if out of memory. */
MUST_USE struct tickets *tickets_create(const uint8_t *secret);
void tickets_destroy(struct tickets *tickets);

/* Bytes of the text of a ticket for `count` sessions, with a NUL. */
size_t ticket_text_bytes(size_t count);
void tickets_seal(const struct tickets *tickets, const struct ticket *ticket, char *text);
/* False if it was not sealed with this secret. */
MUST_USE bool tickets_open(const struct tickets *tickets, const char *text, size_t length,
			   struct ticket *ticket);

#endif
