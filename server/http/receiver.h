/* receiver.h: the bytes of a connection on their way to libmicrohttpd.
 *
 * libmicrohttpd has no documented way to see the bytes of a request, and its versions differ in
 * what they tolerate. So the server stands where the bytes come in: receive.c defines recv() and
 * gnutls_record_recv() for the whole process. For the socket of a connection they read through its
 * receiver, which checks each head (request_head.h) and each line of a chunked body, and passes on a
 * plain form of it:
 *
 *     a head       with the framing alone; the real one waits in `heads` until the exchange takes
 *                  it. Behind another one it is as long as it was, up to 1 KB: so libmicrohttpd's
 *                  buffer, when it is full, bounds `heads` as well
 *     a body       as it is; chunks without extensions and trailers
 *     a fault      a request, or the end of its body, after which nothing is passed on; the
 *                  exchange answers with the fault when libmicrohttpd comes to it
 *
 * A head is passed on whole; until then it is kept here. What is received obeys the rules of
 * recv(): less than was asked for means that the socket is empty.
 *
 * The exchange (exchange.c) demands a checked head for each request that libmicrohttpd reports, and
 * that the plain form has the length that it reports (MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE). A library that receives in another way
 * gets no request served, and library_check() refuses it at the start. */
#ifndef SERVER_HTTP_RECEIVER_H
#define SERVER_HTTP_RECEIVER_H

#include <sys/types.h>

#include "server/http/request_head.h"

/* The part of a request that is expected next. */
enum receive_part {
	RECEIVE_HEAD,
	RECEIVE_BODY,
	RECEIVE_CHUNK_SIZE,
	RECEIVE_CHUNK,
	RECEIVE_CHUNK_END, /* the CR LF behind it */
	RECEIVE_TRAILER,
	RECEIVE_STOPPED /* a fault: nothing more */
};

/* All zero: nothing received. */
struct receiver {
	enum receive_part part;
	uint64_t left;            /* bytes of the body or the chunk */
	size_t trailer;           /* bytes of the trailer so far */
	struct request_head head; /* RECEIVE_HEAD: as far as it was read */
	struct buffer held;       /* received and not passed on: */
	size_t held_from;         /* from here */
	size_t held_checked;      /* up to here it is checked */
	struct buffer heads;      /* heads that the exchange has not taken, each after its length */
	size_t heads_from;        /* the first of them */
	uint64_t passed, taken;   /* heads, and the one that stands for a fault */
	struct fault fault;       /* of request number `fault_at`, counted from 1 */
	uint64_t fault_at;
	const char *last; /* the bytes that libmicrohttpd still gets for it */
};

/* Frees what the receiver holds. */
void receiver_finish(struct receiver *receiver);

/* The body that a head declares, RECEIVE_CHUNKED if its length is not known; or the fault of a
 * request that is refused. */
#define RECEIVE_CHUNKED UINT64_MAX
struct taken_head {
	uint64_t body;
	struct fault fault; /* `detail` is NULL if there is none */
};

/* Moves the head of the next request, of whose plain form libmicrohttpd has `length` bytes, onto the
 * request's arena and sets its method, target and headers, unless it is refused. False: the library
 * has a request that was not checked, or there is no memory; no answer can be sent then. */
MUST_USE bool receiver_take(struct receiver *receiver, struct request *request, size_t length,
			    struct taken_head *taken);

/* Returns the fault in the body of the request that was taken last; `detail` is NULL if there is
 * none. */
struct fault receiver_body_fault(const struct receiver *receiver);

/* Reads up to `most` checked bytes. Returns their number; 0 at the end of the stream; negative, as
 * `read` does, if there are none. `read` returns `again` if the source has nothing yet (for -1,
 * errno is EAGAIN, too). `short_is_empty`: less than was asked for means that it is empty. */
struct receive_source {
	ssize_t (*read)(void *from, void *bytes, size_t most);
	void *from;
	ssize_t again;
	bool short_is_empty;
};
ssize_t receiver_read(struct receiver *receiver, const struct receive_source *source, void *bytes,
		      size_t most);

#endif
