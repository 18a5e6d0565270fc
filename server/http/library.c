/* library.c: what differs between versions of libmicrohttpd.
 *
 * The server relies on what libmicrohttpd documents. Tried with 0.9.75 (Debian 12) and 1.0.1
 * (Debian 13); tests/http/answers.mjs demands the same bytes of both.
 *
 *     what                                  0.9.75             1.0.1              here
 *     ------------------------------------  -----------------  -----------------  -----------------
 *     a folded line, a bare LF, a NUL, a    accepted, or a     accepted or        receive.c: the
 *       bare CR, a space before the colon,  page in HTML       refused, by its    library gets none
 *       two lengths, length and chunks,                        "discipline", in   of them
 *       no Host or two                                         HTML
 *     a query with more arguments than      no answer          its own answer     receive.c: it
 *       its memory holds                                                          gets no query
 *     a chunk with a long extension         no answer          its own answer     receive.c: it
 *                                                                                 gets none
 *     MHD_CONNECTION_NOTIFY_STARTED comes   within MHD_add_    in the next        connections.c:
 *                                           connection()       MHD_run()          finds the socket's
 *     a connection that cannot be started   MHD_NO, closed     closed without a   connections_run()
 *                                                              word               forgets it
 *     HEAD of an answer of unknown length   the end of the     right              reply.c: not
 *                                           chunks is sent                        chunked, closes
 *
 * Not documented, and therefore checked: that it receives with recv() or gnutls_record_recv()
 * (receive.c). library_check() sees the first happen before the server listens; without either,
 * no request is served. */
#include "server/http/http_internal.h"

#include <stdio.h>
#include <unistd.h>

/* The oldest version that was tried. */
#define OLDEST (9u << 16 | 75u << 8)

/* Runs of the daemon, at most, until one byte arrives. */
#define RUNS 4

static unsigned version_number(const char *text)
{
	unsigned major = 0, minor = 0, patch = 0;
	if (sscanf(text, "%u.%u.%u", &major, &minor, &patch) != 3)
		return 0;
	return major << 24 | minor << 16 | patch << 8;
}

/* Returns whether a byte that is sent to a connection of the loop arrives at its receiver. */
static bool receives(struct loop *loop, const int pair[2])
{
	const struct arrival arrival = {
		.fd = pair[0], .name.ss_family = AF_UNIX, .name_length = sizeof(sa_family_t)};
	atomic_fetch_add(&loop->connections, 1);
	connection_add(loop, &arrival);
	bool received = false;
	if (write(pair[1], "G", 1) == 1)
		for (int i = 0; i < RUNS && !received; i++) {
			connections_run(loop);
			const struct connection *connection = receive_connection(pair[0]);
			received = connection && connection->receiver.held.length == 1;
		}
	return received;
}

bool library_check(struct loop *loop, struct error *error)
{
	int pair[2];
	if (version_number(MHD_get_version()) < OLDEST)
		return error_set(error,
				 "libmicrohttpd %s is too old: 0.9.75 or a newer one is needed.",
				 MHD_get_version());
	/* Over TLS a byte is not enough. */
	if (loop->http->tls)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
		return error_set(error, "Cannot start: out of file descriptors.");
	const bool received = receives(loop, pair);
	close(pair[1]);
	for (int i = 0; i < RUNS && receive_connection(pair[0]); i++)
		connections_run(loop);
	return received ||
	       error_set(error,
			 "libmicrohttpd %s does not receive with recv(): the heads of requests "
			 "could not be checked. Use a version that was tried: 0.9.75 or 1.0.1.",
			 MHD_get_version());
}
