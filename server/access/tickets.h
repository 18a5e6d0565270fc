/* tickets.h: tickets: short-lived substitutes for a token of one session, for clients that cannot
 * send a header (a browser's EventSource); they may be part of a URL. Kept in memory only, a
 * bounded number: the oldest is dropped. Any thread. */
#ifndef SERVER_ACCESS_TICKETS_H
#define SERVER_ACCESS_TICKETS_H

#include "server/store/store.h"
#include "server/util/error.h"

#define TICKET_TEXT 28 /* three characters for its place, 125 random bits in base 32 */
#define TICKET_MS 60000

struct tickets;

MUST_USE struct tickets *tickets_create(void); /* NULL if out of memory */
void tickets_destroy(struct tickets *tickets);

/* A new ticket for a token of a session; token 0: anonymous. */
void tickets_make(struct tickets *tickets, const struct session_id *session, uint32_t token,
		  int64_t now_ms, char text[TICKET_TEXT + 1]);
/* Finds a ticket. False if there is none, or it is too old. */
MUST_USE bool tickets_find(struct tickets *tickets, const char *text, size_t length, int64_t now_ms,
			   struct session_id *session, uint32_t *token);

#endif
