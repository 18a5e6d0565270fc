/* event_id.h: the ids of events: INCARNATION-REVISION, the incarnation in hexadecimal.
 *
 * A revision identifies an entry only within one life of a database: a database restored from a
 * backup counts on from an earlier revision, with other entries. So each life has its own incarnation,
 * and an id of another incarnation is answered with the whole state. */
#ifndef SERVER_LIVE_EVENT_ID_H
#define SERVER_LIVE_EVENT_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

#define LIVE_ID_BYTES 32 /* INCARNATION_TEXT digits, a dash, 10 digits and a NUL */

struct store;

/* Reads "INCARNATION-REVISION", or "REVISION" alone, which means this incarnation. `*foreign`: it has another
 * incarnation. False if it is neither. */
MUST_USE bool live_id_parse(const struct store *store, const char *text, size_t length,
			    bool *foreign, uint32_t *revision);

/* The ids of a stream of several sessions: INCARNATION-PART.PART..., a part for each session of which
 * the client has something: the first LIVE_ID_PREFIX characters of its id, then the revision; or
 * nothing if its end was sent. The order does not matter, so an id serves for other tickets, too. */
#define LIVE_ID_PREFIX 6

/* The part of a session that a client has: nothing; all up to a revision; its end. */
enum live_position { LIVE_UNKNOWN, LIVE_AT, LIVE_OVER };

/* Returns true if it is such an id. `*foreign`: of another incarnation. */
MUST_USE bool live_many_id_check(const struct store *store, const char *text, size_t length,
				 bool *foreign);
/* Returns what it says of a session, `id` as text. LIVE_UNKNOWN also if two parts could be
 * meant. */
enum live_position live_many_id_find(const char *text, size_t length, const char *id,
				     uint32_t *revision);

#endif
