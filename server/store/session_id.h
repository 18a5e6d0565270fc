/* session_id.h: session ids: 80 random bits, written as 16 characters of Crockford's base 32 in
 * lower case; and ids of solves, which have the same form.
 *
 * The last 12 bits of an id are its *bucket*. Buckets are reserved for a service with several
 * databases, where a table would map each bucket to the database that has its sessions. Nothing
 * uses them for that yet.
 *
 * The bucket is a slice of the random bits, not a field of its own: so every id has one, also those
 * of older versions, of imports and of migrations, no id changes its length, and ids need no
 * version. Random ids are in all buckets evenly. The reservation consists of two things. First, an
 * id can be made for a given bucket. Second, no code may rely on these bits being random: in a
 * database with few buckets they hardly differ. So hash tables, indexes of a part of the id, and
 * the choice of a thread use the first 8 bytes only (or a hash of all 10). That is why the bucket
 * comes last: SQLite's store has indexes of the first 3 and 4 bytes, and the memory store's hash
 * table and the choice of a lane in PostgreSQL's store use the first 8.
 *
 * Entropy: an id that is made for a bucket has 68 random bits, any other one 80. The id of a session
 * that is open to anybody who knows it is a secret, so 68 bits have to be enough: among a billion
 * sessions (2^30) that are all in one bucket, 2^38 guesses find one on average; with a million
 * (2^20), 2^48. If sessions are spread evenly over the buckets, a guess succeeds as rarely as with
 * 80 bits, because each bucket has 1/4096 of the sessions and of the ids. A billion ids made for
 * one bucket contain two equal ones with a probability of 0.2 %, and a store refuses the second. */
#ifndef SERVER_STORE_SESSION_ID_H
#define SERVER_STORE_SESSION_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "server/store/store.h"
#include "server/util/error.h"

#define SESSION_ID_TEXT 16

/* The bucket is the lower half of byte 8, and byte 9; in the text, the last two characters and two
 * bits of the one before. */
#define SESSION_BUCKETS 4096

/* Crockford's base 32 in lower case, and a NUL. */
extern const char base32_digits[33];

/* Makes a random id, in any bucket; false if the system has no randomness. */
MUST_USE bool session_id_make(struct session_id *id);
/* Makes a random id in a bucket below SESSION_BUCKETS; false as above. */
MUST_USE bool session_id_make_in(unsigned bucket, struct session_id *id);
/* Makes a random id for a solve of a session. It is in the session's bucket, because a solve is
 * looked up by its id alone. False as above. */
MUST_USE bool solve_id_make(const struct session_id *session, uint8_t solve[SESSION_ID_BYTES]);

/* Returns the bucket of an id, below SESSION_BUCKETS. */
static inline unsigned session_id_bucket(const struct session_id *id)
{
	return (unsigned)(id->bytes[8] << 8 | id->bytes[9]) % SESSION_BUCKETS;
}

/* Reads exactly SESSION_ID_TEXT characters; false if they are not an id. */
MUST_USE bool session_id_parse(const char *text, size_t length, struct session_id *id);
/* Writes SESSION_ID_TEXT characters and a NUL. */
void session_id_print(const struct session_id *id, char text[SESSION_ID_TEXT + 1]);

#endif
