/* event_streams.h: streams of events: who is admitted, and who sends.
 *
 * Without TLS the connection leaves libmicrohttpd for a thread that serves many of them; over TLS
 * libmicrohttpd sends what that thread writes into a pair of sockets. */
#ifndef SERVER_HTTP_EVENT_STREAMS_H
#define SERVER_HTTP_EVENT_STREAMS_H

#include "server/http/http_internal.h"

/* event_sender.c */
void event_senders_start(struct http *http, size_t count);
/* After http->stop: sends what is left, closes the streams and stops the threads. */
void event_senders_stop(struct http *http);
size_t event_senders_watching(const struct http *http);
/* Hands the connection to an event sender; libmicrohttpd must close its part. */
void event_sender_seat(struct connection *connection);

/* The same over TLS: queues the answer, which libmicrohttpd sends. */
enum MHD_Result event_sender_tunnel(struct connection *connection);

/* stream_admission.c */
/* Takes back what a stream of events is counted at its address; NULL: nothing. */
void streams_leave(struct http *http, struct address *address, size_t count);
/* Admits a request whose reply is a subscriber, or makes the reply a problem. */
MUST_USE bool event_sender_admits(struct connection *connection);

/* sse_tls.c */
/* A response that sends what is written to *event_stream_fd; NULL if out of memory or
 * descriptors. */
MUST_USE struct MHD_Response *sse_tls_open(struct connection *connection, int *event_stream_fd);
/* Resumes all: libmicrohttpd must not stop with suspended connections. */
void sse_tls_resume_all(struct loop *loop);
/* Ends the streams of clients that have disconnected. */
void sse_tls_end_left(struct loop *loop);

#endif
