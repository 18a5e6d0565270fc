/* join.h: a session of a server as the cube of `cubed play`: `--join URL`.
 *
 * One thread, without blocking once it is open. What others do comes as a stream of events, which is
 * opened again after a break and continues where it was. Own turns are shown at once and sent one
 * request at a time; turns that are made meanwhile go as one entry with the next. Without an answer,
 * a request is repeated with the same Idempotency-Key. */
#ifndef TERMINAL_JOIN_JOIN_H
#define TERMINAL_JOIN_JOIN_H

#include "clients/terminal/join/address.h"
#include "clients/terminal/play/play.h"

struct join;

/* Connects, and waits for at most ten seconds until the state of the session is known. NULL with a
 * sentence in `error`. */
MUST_USE struct join *join_open(const struct join_address *address, struct error *error);
void join_close(struct join *join);

/* The size of its cube. */
int join_size(const struct join *join);

/* For play_main(); lives as long as `join`. */
struct play_remote join_remote(struct join *join);

#endif
