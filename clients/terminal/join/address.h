/* address.h: where a shared session is: a link as the page makes it, and its token. */
#ifndef TERMINAL_JOIN_ADDRESS_H
#define TERMINAL_JOIN_ADDRESS_H

#include "server/util/error.h"

#define JOIN_ID 16
#define JOIN_BASE_BYTES 512
#define JOIN_TOKEN_BYTES 256

struct join_address {
	char base[JOIN_BASE_BYTES]; /* "https://cube.example.org", without a slash at its end */
	char id[JOIN_ID + 1];
	char token[JOIN_TOKEN_BYTES]; /* "": none */
};

/* Reads BASE/c/ID, BASE/c/ID#SECRET, BASE/c/ID#TOKEN, BASE/#ID or BASE/#ID.TOKEN, where a token is
 * ID_SECRET. False with a sentence in `error`, which has no token. */
MUST_USE bool join_address_read(struct join_address *address, const char *link,
				struct error *error);

/* Takes the token from the first line of a file, in place of the one that the link has. */
MUST_USE bool join_token_read(struct join_address *address, const char *path, struct error *error);

/* Takes a token that was given otherwise. `where` says how, for the error. */
MUST_USE bool join_token_set(struct join_address *address, const char *token, const char *where,
			     struct error *error);

/* Overwrites the token in a link that is an argument of the program, so that the list of processes
 * does not show it. */
void join_link_hide(char *link);

#endif
