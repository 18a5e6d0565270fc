/* transfer.h: two requests at a time to one server, without blocking: a stream of lines, and a call.
 *
 * One thread. The texts that are passed in are copied. */
#ifndef TERMINAL_JOIN_TRANSFER_H
#define TERMINAL_JOIN_TRANSFER_H

#include <poll.h>
#include <stdint.h>

#include "clients/terminal/join/libcurl.h"
#include "server/util/buffer.h"

enum transfer_state {
	TRANSFER_IDLE,
	TRANSFER_RUNNING,
	TRANSFER_DONE, /* it has ended; transfer_stop() makes it idle */
};

struct transfer {
	enum transfer_state state;
	CURL *easy;
	struct curl_slist *headers;
	struct buffer body;            /* the bytes received and not yet taken */
	long status;                   /* of HTTP; 0: none yet, or the connection failed */
	char problem[CURL_ERROR_SIZE]; /* why the connection failed; "" if it did not */
};

struct transfers {
	CURLM *multi;
	struct transfer stream, call;
	char agent[32];
};

/* Loads the library. False with a sentence in `error`; close it anyway. */
MUST_USE bool transfer_open(struct transfers *http, struct error *error);
void transfer_close(struct transfers *http);

/* The members that both kinds of request have. */
struct transfer_ask {
	const char *url, *token; /* token "": none */
	const char *header;      /* a further one, "Name: value"; NULL: none */
	const char *body;        /* JSON, for a POST; NULL: a GET */
	const char *accept;
	long timeout_ms; /* for all of it; 0: none, but 40 s of silence end it */
};

/* Begins a request on a call that is idle. False if out of memory. */
MUST_USE bool transfer_begin(struct transfers *http, struct transfer *call,
			     const struct transfer_ask *ask);
/* Ends it, whatever its state. */
void transfer_stop(struct transfers *http, struct transfer *call);

/* Reads and writes what is possible now. */
void transfer_progress(struct transfers *http);
/* Writes the descriptors to wait for, and returns how many. Lowers *timeout_ms; -1 is any time. */
size_t transfer_wait(struct transfers *http, struct pollfd *fds, size_t room, int *timeout_ms);

#endif
