/* session_id.h: session ids: 80 random bits, written as 16 characters of Crockford's base 32 in
 * lower case. */
#ifndef SERVER_STORE_SESSION_ID_H
#define SERVER_STORE_SESSION_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "server/store/store.h"
#include "server/util/error.h"

#define SESSION_ID_TEXT 16

/* Crockford's base 32 in lower case, and a NUL. */
extern const char base32_digits[33];

/* A new random id; false if the system has no randomness. */
MUST_USE bool session_id_make(struct session_id *id);
/* Reads exactly SESSION_ID_TEXT characters; false if they are not an id. */
MUST_USE bool session_id_parse(const char *text, size_t length, struct session_id *id);
/* Writes SESSION_ID_TEXT characters and a NUL. */
void session_id_print(const struct session_id *id, char text[SESSION_ID_TEXT + 1]);

#endif
