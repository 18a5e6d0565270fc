/* event_id.h: the ids of events: EPOCH-REVISION, the epoch in hexadecimal digits.
 *
 * A revision says which entry it is only within one life of a database: restored from a backup, it
 * counts on from an earlier one, with other entries. So each such life has its own epoch, and an id
 * of another one is answered with the whole state. */
#ifndef SERVER_LIVE_EVENT_ID_H
#define SERVER_LIVE_EVENT_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_ID_BYTES 32 /* INCARNATION_TEXT digits, a dash, 10 digits and a NUL */

struct store;

/* Digits, as long as the store is open. */
const char *live_incarnation(const struct store *store);

/* Reads "EPOCH-REVISION", or "REVISION" alone, which is of this epoch. `*foreign`: of another one.
 * False where it is neither. */
bool live_id_parse(const struct store *store, const char *text, size_t length, bool *foreign,
		   uint32_t *revision);

#endif
