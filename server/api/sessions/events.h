/* events.h: what the streams of one and of several sessions share. */
#ifndef SERVER_API_SESSIONS_EVENTS_H
#define SERVER_API_SESSIONS_EVENTS_H

#include "server/api/request/context.h"
#include "server/live/live.h"
#include "server/util/error.h"

/* Reads ?cube= and ?turns= into bits of enum live_form. False with a problem. */
MUST_USE bool events_read_form(struct context *ctx, unsigned *form);
/* `after`, or the newer id that an EventSource sends when it reconnects; bytes NULL: neither. */
struct text events_after(const struct context *ctx, bool *from_header);
/* Answers once the other servers of the database are met (live_meet). */
void events_meet(struct context *ctx);
/* Makes the reply the problem of a session that could not be joined. */
void events_refuse(struct context *ctx, enum live_joined joined);

#endif
