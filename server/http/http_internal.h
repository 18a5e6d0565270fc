/* http_internal.h: what the files of server/http share: the loops, a connection, the exchange on it.
 *
 *     listen.c       sockets that listen; admission of who comes
 *     local.c        Unix sockets
 *     inbox.c        what other threads hand to a loop
 *     addresses.c    how many connections an address has
 *     connections.c  connections and their deadlines
 *     departures.c   clients that close in the middle of a request
 *     exchange.c     a request from its first byte to its answer, as libmicrohttpd tells it
 *     audit.c        what a well-formed head is
 *     reply.c        the answer's headers
 *     response_pool.c        responses that are used again
 *     pieces.c       answers that are made while they are read
 *     event_sender.c      those who watch: streams of events
 *     sse_tls.c       the same over TLS
 *     tls.c          the certificate
 *     lingering_close.c       closing so that the last answer is read
 *     loop.c         a loop
 *     http.c         opening, running and closing all of it
 *
 * Each loop is a thread with a libmicrohttpd daemon and connections of its own; nothing of
 * a connection is touched by another thread, but for the reply while the service works on it. The
 * first loop is the one that listens and stops the others. */
#ifndef SERVER_HTTP_HTTP_INTERNAL_H
#define SERVER_HTTP_HTTP_INTERNAL_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "server/api/request/media.h"
#include "server/http/addresses.h"
#include "server/http/http.h"
#include "server/live/live.h"
#include "server/util/lock.h"
#include "server/util/error.h"

#define REQUEST_BYTES 3072
#define LISTENERS_MAX 8
#define LOOPS_MAX 64
/* The reaper's round. Deadlines are this much late at most. */
#define TICK_MS 250
/* How long an answer is awaited before anybody looks whether its client has left: one that has only
 * closed its sending side gets what is answered sooner. */
#define LEAVING_MS 500
#define HEAD_BYTES_MAX 10240
#define TARGET_BYTES_MAX 8192
/* Connections that linger, of one loop. */
#define LINGER_MAX 64
/* The longest body that is kept with its response. */
#define RESPONSE_POOL_LENGTH_MAX 2047

struct loop;

/* What a loop's epoll points at. */
struct watch {
	void (*ready)(struct loop *loop, struct watch *watch);
	int fd;
	uint32_t events; /* within `ready`: what epoll told */
};

/* What a connection waits for; each has its list, in the order of the deadlines. */
enum waiting {
	WAIT_SERVICE, /* the answer of the service, or nothing: no deadline */
	WAIT_HEAD,
	WAIT_BODY,
	WAIT_REPLY, /* the client to read it */
	WAIT_IDLE,  /* the next request */
	WAIT_COUNT
};

/* The answer, between the loop and whatever thread completes it. */
enum answer { ANSWER_PENDING, ANSWER_AWAITED, ANSWER_MADE };

/* Where the exchange on a connection is. */
enum stage {
	STAGE_NONE,
	STAGE_HEAD,    /* the request line has come */
	STAGE_BODY,    /* the head was found good */
	STAGE_REFUSED, /* or not */
	STAGE_SERVED,  /* the service has the request */
	STAGE_REPLIED
};

struct connection {
	struct loop *loop;
	struct MHD_Connection *mhd;
	struct connection *previous, *next; /* in the list of `waiting` */
	struct watch end;                   /* see departures.c */
	struct connection *ended_previous, *ended_next;
	bool ended;                 /* the client has closed its side: it is in loop->ended */
	unsigned char quiet_rounds; /* since then, with nothing to read and nothing to answer */
	uint32_t rooms;             /* of a Unix socket: see departure_count_room() */
	struct address *address;    /* NULL if it is not counted */
	struct idler idler;         /* listed while it may go for a newcomer */
	int64_t due_ms;
	int64_t since_ms; /* WAIT_IDLE, WAIT_SERVICE: its begin; WAIT_REPLY: the last progress */
	uint64_t acknowledged; /* WAIT_REPLY: bytes, when last looked */
	/* The rate at which an answer is read, in all the times of WAIT_REPLY that it has: */
	uint64_t rated;      /* bytes acknowledged when last looked; UINT64_MAX: not looked yet */
	int64_t entered_ms;  /* when `waiting` began, or when last looked */
	int64_t unread_ms;   /* time since last looked, up to entered_ms */
	int64_t patience_ms; /* how much longer it may be read too slowly */
	enum waiting waiting;
	int fd;      /* libmicrohttpd's; we only shut it down */
	bool cut;    /* shut down by us */
	bool linger; /* answered before the whole request was read */
	bool local;  /* a Unix socket */

	/* The exchange: */
	enum stage stage;
	_Atomic enum answer answer;
	bool awaited;      /* serve() came back without an answer, and it is not here yet */
	bool suspended;    /* awaited for so long that libmicrohttpd shall not ask for it */
	uint64_t body_max; /* bytes */
	struct address *stream_address; /* of a stream of events */
	bool watches;                   /* it is one: nothing that a stop would wait for */
	size_t piece_sent;              /* bytes of the stream's piece */
	struct pooled_response *
		pooled_response; /* the response under way, to go back to the response pool; NULL: another kind */
	bool lost;               /* ended while it was awaited */
	bool closed;                      /* and libmicrohttpd has let go of it */
	struct connection *next_answered; /* in the inbox */
	char *target;                     /* in libmicrohttpd's memory */
	char *hidden;                     /* the query's first byte in there, while it is hidden */
	char hidden_byte;
	struct buffer body;
	bool body_small; /* it is in the request's arena; no more of it than was announced comes */
	struct request request;
	/* For the request's arena: the usual one needs no more. */
	alignas(max_align_t) unsigned char first[REQUEST_BYTES];
};

struct deadline {
	struct connection *first; /* due first */
	int64_t interval_ms;      /* 0: none */
};

struct listener {
	struct watch watch;
};

/* A closed connection whose input is still read, so that our last answer is not lost. */
struct lingerer {
	struct watch watch;
	struct lingerer *previous, *next;
	int64_t due_ms;
	size_t bytes;
};

/* A connection that was accepted, on its way to its loop. */
struct arrival {
	struct arrival *next;
	int fd;
	struct sockaddr_storage name;
	socklen_t name_length;
	struct peer peer;
	struct address *address;
};

#define DATE_BYTES 30

/* Responses to be reused, by the length of their body; and the current Date. */
struct response_pool {
	struct pooled_response *free[RESPONSE_POOL_LENGTH_MAX + 1];
	size_t bytes;
	char date[DATE_BYTES]; /* Tue, 15 Nov 1994 08:12:31 GMT */
	int64_t date_due_ms;   /* when it is to be looked at again, of the loop's clock */
	uint64_t date_number;  /* of that date, counted */
};

/* What other threads hand to a loop: they push, and wake it where nothing was there before. */
struct inbox {
	struct watch watch; /* an eventfd */
	struct lock lock;
	struct arrival *arrivals;    /* newest first */
	struct connection *answered; /* likewise */
};

struct loop {
	struct http *http;
	pthread_t thread;
	bool started; /* the thread; never that of the first loop */
	struct MHD_Daemon *daemon;
	int epoll;
	struct watch daemon_watch, service_watch;
	struct inbox inbox;
	bool run_daemon; /* MHD_run has something to do */
	size_t awaiting; /* connections that wait for an answer, not suspended */
	uint64_t now_ns; /* when its round began, of the monotonic clock */
	int64_t now_ms, tick_ms;
	size_t open;                 /* connections of libmicrohttpd's */
	struct connection *arriving; /* within MHD_add_connection */
	struct connection *ended;    /* those whose client has closed its side */
	struct deadline deadlines[WAIT_COUNT];
	struct lingerer *lingering; /* oldest first */
	size_t linger_count;
	struct response_pool response_pool;
	struct sse_tls *sse_tls_streams;

	_Atomic size_t connections; /* admitted and not closed yet */
	_Atomic size_t serving;     /* requests between serve() and the last byte of their answer;
				     * written     by this loop only */
};

/* A thread that sends events to those who watch. */
struct event_sender {
	struct http *http;
	pthread_t thread;
	bool started;
	unsigned shard; /* of server/live */
	int epoll;
	int64_t now_ms;
	struct event_stream *first; /* by the time of their next ping */
	_Atomic size_t watching;
};

struct http {
	const struct config *config;
	struct service *service;
	struct loop loops[LOOPS_MAX];
	size_t loop_count;
	size_t loops_first; /* of these, the ones that are filled first: see listen.c */
	size_t running;     /* loops that take connections; the first loop's */
	size_t connection_max;
	struct event_sender event_senders[LIVE_SHARDS];
	size_t event_sender_count;
	_Atomic size_t sse_tls_streams; /* of all loops */
	bool tls;
	bool strict_layout;         /* see audit.c */
	const char *default_origin; /* see server/api/steps/origin.h */
	_Atomic bool draining;
	_Atomic bool stop; /* of all loops but the first */

	/* The first loop's: */
	struct watch signal_watch;
	bool signalled;
	struct listener listeners[LISTENERS_MAX];
	size_t listener_count;
	uint16_t port;
	dev_t path_device; /* of the socket's file that this server made */
	ino_t path_inode;  /* 0: none */
	bool paused;       /* not accepting until the next tick: no descriptors */
	int64_t paused_log_ms;
	struct address_table *addresses; /* locks itself: connections leave on every loop */
	struct address_table *streams;   /* likewise: streams of events */

	/* Answers that must not need memory when their time comes: */
	struct buffer refuse_total, refuse_address, refuse_body;
	struct MHD_Response *out_of_memory;
};

/* Changes a count that only this thread writes and others read. */
static inline void count_add(_Atomic size_t *count, size_t change)
{
	size_t now = atomic_load_explicit(count, memory_order_relaxed);
	atomic_store_explicit(count, now + change, memory_order_relaxed);
}

/* listen.c */
MUST_USE bool listen_open(struct http *http, struct error *error);
void listen_resume(struct http *http);
void listen_close(struct http *http);

/* Has the first loop accept from it; false leaves an errno. */
MUST_USE bool listen_add(struct http *http, int fd);

/* local.c */
/* Listens on config->listen_path. */
MUST_USE bool local_open(struct http *http, int backlog, struct error *error);
/* Removes the socket's file. */
void local_close(struct http *http);
/* Who is at the other end of a Unix socket. */
void local_peer(struct peer *peer, int fd);
/* Whether the other end of any socket is closed. */
bool local_left(int fd);

/* inbox.c; *_push from any thread, the others on the loop's own. */
MUST_USE bool inbox_open(struct loop *loop);
void inbox_close(struct loop *loop);
/* Takes over the arrival, which is on the heap. */
void inbox_push_arrival(struct loop *loop, struct arrival *arrival);
void inbox_push_answered(struct loop *loop, struct connection *connection);
void inbox_wake(struct loop *loop);
/* Adds the connections that have arrived, goes on with those that are answered. */
void inbox_take(struct loop *loop);

/* connections.c */
void deadlines_init(struct loop *loop);
void deadlines_reap(struct loop *loop);
/* Tells the service of clients that have left while their answer was awaited. */
void connections_left(struct loop *loop);
/* Whether the client has closed its side: it will not read an answer. */
bool connection_left(const struct connection *connection);
void connection_wait(struct connection *connection, enum waiting waiting);
/* An answer begins: from now on it is to be read. */
void connection_wait_reply(struct connection *connection);
/* It goes on with a further piece. */
void connection_wait_piece(struct connection *connection);
/* Shuts the socket down; libmicrohttpd closes it. */
void connection_shut(struct connection *connection);
/* Takes over the descriptor, the address and its place in loop->connections, whatever happens. */
void connection_add(struct loop *loop, const struct arrival *arrival);
void connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
		       enum MHD_ConnectionNotificationCode code);

/* departures.c */
void departure_watch(struct connection *connection);
void departure_forget(struct connection *connection);
void departures_reap(struct loop *loop);
/* Of a Unix socket, which tells no other progress: how often it was found that there was room to
 * send again. Counted from the first call on. */
uint64_t departure_count_room(struct connection *connection);

/* exchange.c: callbacks of libmicrohttpd. */
void *exchange_target(void *context, const char *uri, struct MHD_Connection *mhd);
enum MHD_Result exchange_handle(void *context, struct MHD_Connection *mhd, const char *url,
				const char *method, const char *version, const char *upload,
				size_t *upload_size, void **request_context);
void exchange_completed(void *context, struct MHD_Connection *mhd, void **request_context,
			enum MHD_RequestTerminationCode code);

/* audit.c: checks the head and fills the request from it; false: the reply says what is wrong.
 * `length`: of the body, MHD_SIZE_UNKNOWN where it is chunked. */
MUST_USE bool validate_head(struct connection *connection, const char *method, const char *version,
			    uint64_t *length);

/* What was awaited is there: the answer, or a piece of it. */
void exchange_arrived(struct connection *connection);

/* reply.c */
MUST_USE bool reply_open(struct http *http);
void reply_close(struct http *http);
enum MHD_Result reply_queue(struct connection *connection);

/* Sends the answer past libmicrohttpd, as far as the socket takes it; not over TLS. */
void reply_send_raw(const struct connection *connection);

/* Adds the headers of an answer; false if out of memory. */
MUST_USE bool reply_add_fields(struct MHD_Response *response, const struct reply *reply);

/* The status line and the headers, without the empty line behind them. */
void reply_head(struct buffer *head, const struct reply *reply, const char *reason);

/* response_pool.c */
/* Whether an answer is of the usual kind. */
bool response_pool_serves(const struct reply *reply);
/* A response for it, its body copied; NULL if out of memory. To be put back when the answer has
 * left. */
MUST_USE struct pooled_response *response_pool_take(struct loop *loop, const struct reply *reply);
struct MHD_Response *pooled_response_mhd(const struct pooled_response *pooled_response);
void response_pool_put(struct response_pool *response_pool,
		       struct pooled_response *pooled_response);
void response_pool_empty(struct response_pool *response_pool);

/* pieces.c */
/* Of an answer that is a stream; NULL if out of memory. */
MUST_USE struct MHD_Response *chunked_body_response(struct connection *connection);
/* Request.produced: on whatever thread made the piece. */
void chunked_body_produced(struct request *request);

/* event_sender.c */
void event_senders_start(struct http *http, size_t count);
/* After http->stop: sends what is left, and closes. */
void event_senders_stop(struct http *http);
size_t event_senders_watching(const struct http *http);
/* Whether the one whose reply is a subscriber may watch; else the reply is made a problem. */
MUST_USE bool event_sender_admits(struct connection *connection);
/* Gives the connection away; what libmicrohttpd has of it is to be closed. */
void event_sender_seat(struct connection *connection);

/* The same where there is TLS: queues the answer, which stays with libmicrohttpd. */
enum MHD_Result event_sender_tunnel(struct connection *connection);

/* sse_tls.c */
/* An answer of what is written to `*event_stream_fd`; NULL when memory or descriptors are out. */
MUST_USE struct MHD_Response *sse_tls_open(struct connection *connection, int *event_stream_fd);
/* None may be left suspended. */
void sse_tls_resume_all(struct loop *loop);
/* Ends the streams of those who have left. */
void sse_tls_end_left(struct loop *loop);

/* lingering_close.c */
/* Sends the answer as far as the socket takes it. */
void raw_send(int fd, const struct buffer *answer);
/* Takes over the descriptor: ends our side and reads on for a short while. */
void lingering_close_add(struct loop *loop, int fd);
void lingering_close_reap(struct loop *loop, bool all);

/* loop.c */
MUST_USE bool loop_open(struct loop *loop);
MUST_USE bool loop_watch(struct loop *loop, struct watch *watch, int fd,
			 void (*ready)(struct loop *, struct watch *));
/* Whether the loop is woken when the service has finished something. */
MUST_USE bool loop_watch_service(struct loop *loop);
void loop_leave_service(struct loop *loop);
/* One round: waits at most `max_ms` (-1: for ever) for something to do, and does it. */
void loop_turn(struct loop *loop, int64_t max_ms);
void loop_close(struct loop *loop);

#endif
