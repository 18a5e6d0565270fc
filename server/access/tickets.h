/* tickets.h: for those who cannot send a header (a browser's EventSource): a short-lived stand-in
 * for a token, good for one session, that may stand in a URL. Kept in memory only, a bounded
 * number: where that is full the oldest goes. Any thread. */
#ifndef SERVER_ACCESS_TICKETS_H
#define SERVER_ACCESS_TICKETS_H

#include "server/store/store.h"
#include "server/util/error.h"

#define TICKET_TEXT 28 /* three characters for its place, 125 random bits in base 32 */
#define TICKET_MS 60000

struct tickets;

MUST_USE struct tickets *tickets_create(void); /* NULL if out of memory */
void tickets_destroy(struct tickets *tickets);

/* A new ticket for that token of that session; 0: for nobody known. */
void tickets_make(struct tickets *tickets, const struct session_id *session, uint32_t token,
		  int64_t now_ms, char text[TICKET_TEXT + 1]);
/* Whose it is. False if there is no such ticket, or it is too old. */
MUST_USE bool tickets_find(struct tickets *tickets, const char *text, size_t length, int64_t now_ms,
			   struct session_id *session, uint32_t *token);

#endif
