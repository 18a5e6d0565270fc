/* http_internal.h: what the files of server/http share: the loops, a connection, the exchange on
 * it.
 *
 *     listen.c           listening sockets
 *     admission.c        admission of connections: limits, and room for newcomers
 *     local.c            Unix sockets
 *     inbox.c            what other threads hand to a loop
 *     addresses.c        connections of an address and of a network
 *     connections.c      connections and their deadlines
 *     departures.c       clients that disconnect in the middle of a request
 *     exchange.c         a request from its first byte to its answer: callbacks of libmicrohttpd
 *     receive.c          recv(), with which libmicrohttpd receives
 *     receiver.c         the bytes of a connection on their way to libmicrohttpd
 *     request_head.c     the head of a request, checked and taken apart
 *     library.c          what differs between versions of libmicrohttpd
 *     reply.c            the headers of an answer
 *     response_pool.c    responses that are reused
 *     chunked_body.c     answers that are made while they are read
 *     event_sender.c     streams of events
 *     stream_admission.c which of them are admitted
 *     sse_tls.c          the same over TLS
 *     tls.c              the certificate
 *     lingering_close.c  closing so that the last answer is read
 *     loop.c             a loop
 *     http.c             opens, runs and closes all of it
 *
 * Each loop is a thread with its own libmicrohttpd daemon and connections; no other thread touches
 * a connection, except for the reply while the service works on it. The first loop listens and
 * stops the others. */
#ifndef SERVER_HTTP_HTTP_INTERNAL_H
#define SERVER_HTTP_HTTP_INTERNAL_H

#include <microhttpd.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "server/api/request/media.h"
#include "server/http/addresses.h"
#include "server/http/http.h"
#include "server/http/receiver.h"
#include "server/live/live.h"
#include "server/util/lock.h"
#include "server/util/error.h"

#define REQUEST_BYTES 3072
#define LISTENERS_MAX 8
#define LOOPS_MAX 64
/* The least time between two warnings of the same kind. */
#define WARN_AGAIN_MS 60000
/* The time between two checks of deadlines: they are at most this late. */
#define TICK_MS 250
/* The time after which a client that awaits an answer and has closed its side counts as gone. */
#define LEAVING_MS 500
/* Most lingering connections of a loop. */
#define LINGER_MAX 64
/* The longest body of a pooled response. */
#define RESPONSE_POOL_LENGTH_MAX 2047
/* Pooled responses: those that may not be kept, those to be revalidated, and refusals of a busy server. */
enum { RESPONSE_UNKEPT, RESPONSE_REVALIDATED, RESPONSE_BUSY, RESPONSE_POOL_KINDS };

struct loop;

/* The target of an event of a loop's epoll. */
struct watch {
	void (*ready)(struct loop *loop, struct watch *watch);
	int fd;
	uint32_t events; /* within `ready`: the events */
};

/* The condition that a connection waits for; each has a list, in the order of deadlines. */
enum waiting {
	WAIT_SERVICE, /* the answer of the service, or nothing: no deadline */
	WAIT_HEAD,
	WAIT_BODY,
	WAIT_REPLY, /* for the client to read it */
	WAIT_IDLE,  /* the next request */
	WAIT_COUNT
};

/* The state of an answer, between the loop and the thread that completes it. */
enum answer { ANSWER_PENDING, ANSWER_AWAITED, ANSWER_MADE };

/* The progress of the exchange on a connection. */
enum stage {
	STAGE_NONE,
	STAGE_HEAD,    /* the request line arrived */
	STAGE_BODY,    /* the head is valid */
	STAGE_REFUSED, /* the head is refused */
	STAGE_SERVED,  /* the service has the request */
	STAGE_REPLIED
};

struct connection {
	struct loop *loop;
	struct MHD_Connection *mhd;         /* NULL: in loop->arriving */
	struct receiver receiver;           /* the bytes from the client */
	struct connection *previous, *next; /* in the list of `waiting` */
	struct connection *arriving_previous, *arriving_next;
	struct watch end; /* see departures.c */
	struct connection *ended_previous, *ended_next;
	bool ended;                 /* the client has closed its side: in loop->ended */
	unsigned char quiet_rounds; /* since then, with nothing to read or to answer */
	uint32_t rooms;             /* of a Unix socket, see departure_count_room() */
	struct address *address;    /* NULL if it is not counted */
	struct idler idler;         /* listed while it may be closed for a new connection */
	int64_t due_ms;
	int64_t since_ms; /* WAIT_IDLE, WAIT_SERVICE: their begin; WAIT_REPLY: the last progress */
	uint64_t acknowledged; /* WAIT_REPLY: bytes, when last checked */
	/* The rate at which an answer is read, over all its times in WAIT_REPLY: */
	uint64_t rated;      /* bytes acknowledged when last checked; UINT64_MAX: not yet */
	int64_t entered_ms;  /* when `waiting` began, or when last checked */
	int64_t unread_ms;   /* time since the last check, up to entered_ms */
	int64_t patience_ms; /* the time that it may still be read too slowly */
	enum waiting waiting;
	int fd;      /* owned by libmicrohttpd; we only shut it down */
	bool cut;    /* shut down by us */
	bool linger; /* answered before the whole request was read */
	bool local;  /* a Unix socket */

	/* The exchange: */
	enum stage stage;
	_Atomic enum answer answer;
	bool awaited;      /* serve() returned without an answer, which has not come yet */
	bool suspended;    /* awaited for long: libmicrohttpd does not poll for it */
	uint64_t body_max; /* bytes */
	struct address *stream_address; /* of a stream of events */
	size_t stream_count;            /* its count there */
	bool watches;                   /* it is one: a stop does not wait for it */
	size_t piece_sent;              /* bytes of the stream's piece that are sent */
	struct pooled_response
		*pooled_response; /* the response in progress, from the pool; NULL: another kind */
	bool lost;                /* the request ended while its answer was awaited */
	bool closed;              /* and libmicrohttpd has closed the connection */
	struct connection *next_answered; /* in the inbox */
	struct buffer body;
	bool body_small; /* in the request's arena; not longer than its Content-Length */
	struct request request;
	/* First memory of the request's arena: enough for a usual request. */
	alignas(max_align_t) unsigned char first[REQUEST_BYTES];
};

struct deadline {
	struct connection *first; /* the first is due first */
	int64_t interval_ms;      /* 0: none */
};

struct listener {
	struct watch watch;
};

/* A closed connection whose input is still read, so that the last answer is not lost. */
struct lingerer {
	struct watch watch;
	struct lingerer *previous, *next;
	int64_t due_ms;
	size_t bytes;
};

/* An accepted connection on its way to its loop. */
struct arrival {
	struct arrival *next;
	int fd;
	struct sockaddr_storage name;
	socklen_t name_length;
	struct peer peer, local;
	struct address *address;
};

#define DATE_BYTES 30

/* Responses to be reused, by their headers and the length of their body; and the current Date. */
struct response_pool {
	struct pooled_response *free[RESPONSE_POOL_KINDS][RESPONSE_POOL_LENGTH_MAX + 1];
	size_t bytes;
	char date[DATE_BYTES]; /* Tue, 15 Nov 1994 08:12:31 GMT */
	int64_t date_due_ms;   /* when to format it again, on the loop's clock */
	uint64_t date_number;  /* number of that date */
};

/* The items that other threads hand to a loop: they push, and wake it if the inbox was empty. */
struct inbox {
	struct watch watch; /* an eventfd */
	struct lock lock;
	struct arrival *arrivals;    /* newest first */
	struct connection *answered; /* newest first */
};

struct loop {
	struct http *http;
	pthread_t thread;
	bool started; /* false for the first loop, which has no thread of its own */
	struct MHD_Daemon *daemon;
	int epoll;
	struct watch daemon_watch, service_watch;
	struct inbox inbox;
	bool run_daemon;          /* MHD_run() has something to do */
	size_t awaiting;          /* connections that await an answer and are not suspended */
	int64_t pressed_until_ms; /* it refused a computation, and may have to refuse others */
	uint64_t now_ns;          /* when its turn began, on the monotonic clock */
	int64_t now_ms, tick_ms;
	size_t open;                 /* connections in libmicrohttpd */
	struct connection *arriving; /* given to libmicrohttpd, which has not started them */
	struct connection *ended;    /* connections whose client has closed its side */
	struct deadline deadlines[WAIT_COUNT];
	struct lingerer *lingering; /* oldest first */
	size_t linger_count;
	struct response_pool response_pool;
	struct sse_tls *sse_tls_streams;

	_Atomic size_t connections; /* admitted and not closed */
	_Atomic size_t serving;     /* requests between serve() and the last byte of their answer */
	_Atomic size_t receiving;   /* see connections_count_receiving() */
};

/* A thread that sends events to subscribers. */
struct event_sender {
	struct http *http;
	pthread_t thread;
	bool started;
	unsigned shard; /* of server/live */
	int epoll;
	int64_t now_ms;
	struct event_stream *first; /* in the order of their next ping */
	_Atomic size_t watching;
};

struct http {
	const struct config *config;
	struct service *service;
	struct loop loops[LOOPS_MAX];
	size_t loop_count;
	size_t loops_first; /* loops that get connections first, see admission.c */
	size_t running;     /* loops that take connections; used by the first loop */
	size_t connection_max;
	struct event_sender event_senders[LIVE_SHARDS];
	size_t event_sender_count;
	_Atomic size_t sse_tls_streams; /* in all loops */
	bool tls;
	const char *default_origin; /* see server/api/steps/origin.h */
	_Atomic bool closing;       /* each answer is the last of its connection; streams end */
	_Atomic bool stop;          /* for all loops but the first */

	/* Used by the first loop: */
	struct watch signal_watch;
	unsigned signals; /* to stop: the second one ends all waiting */
	struct listener listeners[LISTENERS_MAX];
	size_t listener_count;
	uint16_t port;
	dev_t path_device; /* of the socket file that this server made */
	ino_t path_inode;  /* 0: none */
	bool paused;       /* no descriptors: not accepting until the next tick */
	int64_t paused_log_ms;
	int64_t full_log_ms, displaced_log_ms; /* until then, no other such warning */
	int64_t crowded_ms; /* since when there is no room for an arrival; 0: there is */
	bool holding;       /* an arrival waits for room */
	size_t crowd;       /* the most connections since memory was given back */
	int64_t trim_ms;    /* when it is given back; 0: not yet */
	struct arrival held;
	struct address_table *addresses; /* has a lock of its own */
	struct address_table *streams;   /* the same for streams of events */

	/* Answers that must not need memory when they are sent: */
	struct buffer refuse_total, refuse_address, refuse_network;
	struct MHD_Response *out_of_memory;
};

/* Changes a count that only this thread writes. */
static inline void count_add(_Atomic size_t *count, size_t change)
{
	size_t now = atomic_load_explicit(count, memory_order_relaxed);
	atomic_store_explicit(count, now + change, memory_order_relaxed);
}

/* Returns true if the first loop may log a warning of a kind, once a minute at most; *until_ms is of
 * that kind. */
MUST_USE static inline bool may_warn(const struct http *http, int64_t *until_ms)
{
	const int64_t now_ms = http->loops[0].now_ms;
	if (now_ms < *until_ms)
		return false;
	*until_ms = now_ms + WARN_AGAIN_MS;
	return true;
}

/* Returns the number of connections of all loops; streams that have left their loop are not among
 * them. */
static inline size_t count_connections(const struct http *http)
{
	size_t count = 0;
	for (size_t i = 0; i < http->running; i++)
		count += atomic_load(&http->loops[i].connections);
	return count;
}

/* listen.c */
MUST_USE bool listen_open(struct http *http, struct error *error);
void listen_resume(struct http *http);
/* Accepts the connections that wait in the backlog, which closing the socket would reset. */
void listen_take_rest(struct http *http);
void listen_close(struct http *http);
/* Accepts arrivals (EPOLLIN) or none (0). */
void listen_events(struct http *http, uint32_t events);
/* Lets the first loop accept from the socket; false with errno. */
MUST_USE bool listen_add(struct http *http, int fd);

/* admission.c; on the first loop */
/* Gives an accepted connection to a loop, or refuses it; if there is no room, it is held for a while,
 * and nothing must be accepted meanwhile. */
void admission_decide(struct loop *loop, const struct arrival *arrival);
void admission_retry(struct http *http); /* looks for room for what is held, if anything */
void admission_close(struct http *http); /* closes it */
/* On each tick: gives memory back after most of many connections ended. */
void admission_tick(struct http *http);
MUST_USE bool admission_remembers_crowd(const struct http *http); /* it needs ticks */

/* local.c */
/* Listens on config->listen_path. */
MUST_USE bool local_open(struct http *http, int backlog, struct error *error);
/* Removes the socket's file. */
void local_close(struct http *http);
/* Sets the address of the user at the other end of a Unix socket. */
void local_peer(struct peer *peer, int fd);
/* Returns true if the other end of a socket is closed. */
bool local_left(int fd);

/* inbox.c; *_push and inbox_wake from any thread, the others on the loop's own. */
MUST_USE bool inbox_open(struct loop *loop);
void inbox_close(struct loop *loop);
/* Takes ownership of the arrival, which is on the heap. */
void inbox_push_arrival(struct loop *loop, struct arrival *arrival);
void inbox_push_answered(struct loop *loop, struct connection *connection);
void inbox_wake(struct loop *loop);
/* Adds the connections that have arrived, continues those that are answered. */
void inbox_drain(struct loop *loop);

/* connections.c */
void deadlines_init(struct loop *loop);
void deadlines_reap(struct loop *loop);
/* Reports clients that disconnected while their answer was awaited to the service. */
void connections_left(struct loop *loop);
/* Returns true if the client has closed its side, and so will not read an answer. */
bool connection_left(const struct connection *connection);
void connection_wait(struct connection *connection, enum waiting waiting);
/* An answer begins: from now on its reading is timed. */
void connection_wait_reply(struct connection *connection);
/* The answer continues with another piece. */
void connection_wait_piece(struct connection *connection);
/* Shuts the socket down; libmicrohttpd closes it. */
void connection_shut(struct connection *connection);
/* Takes ownership of the descriptor, the address and its place in loop->connections, also if it
 * fails. */
void connection_add(struct loop *loop, const struct arrival *arrival);
/* Sets loop->receiving: the connections on which a request has begun to arrive and is not complete,
 * or waits in the socket. */
void connections_count_receiving(struct loop *loop);
/* Runs libmicrohttpd, then forgets the connections that it could not start. */
void connections_run(struct loop *loop);
void connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
		       enum MHD_ConnectionNotificationCode code);

/* departures.c */
void departure_watch(struct connection *connection);
void departure_forget(struct connection *connection);
void departures_reap(struct loop *loop);
/* For a Unix socket, which reports no other progress: how often there was room to send again,
 * counted from the first call on. */
uint64_t departure_count_room(struct connection *connection);

/* exchange.c: callbacks of libmicrohttpd. */
void *exchange_target(void *context, const char *uri, struct MHD_Connection *mhd);
enum MHD_Result exchange_handle(void *context, struct MHD_Connection *mhd, const char *url,
				const char *method, const char *version, const char *upload,
				size_t *upload_size, void **request_context);
void exchange_completed(void *context, struct MHD_Connection *mhd, void **request_context,
			enum MHD_RequestTerminationCode code);

/* The awaited answer, or a piece of it, is complete. */
void exchange_arrived(struct connection *connection);

/* receive.c */
/* Makes the table of descriptors, before any connection; false if out of memory. It stays. */
MUST_USE bool receive_open(void);

/* From now on the connection's socket is read through its receiver, until receive_forget(). False
 * if the process has got more descriptors since receive_open(). */
MUST_USE bool receive_register(struct connection *connection);
void receive_forget(struct connection *connection);

/* Returns the connection that has the socket; NULL: none. */
struct connection *receive_connection(int fd);

/* library.c */
/* Demands a version of libmicrohttpd that is known to work, and that it receives through
 * receive.c. Called once, with a loop that is open and has no connections. */
MUST_USE bool library_check(struct loop *loop, struct error *error);

/* reply.c */
MUST_USE bool reply_open(struct http *http);
void reply_close(struct http *http);
enum MHD_Result reply_queue(struct connection *connection);

/* Sends the answer without libmicrohttpd, as far as the socket takes it; not over TLS. */
void reply_send_raw(const struct connection *connection);

/* Adds the headers of an answer; false if out of memory. */
MUST_USE bool reply_add_fields(struct MHD_Response *response, const struct reply *reply,
			       const char *request_id);

/* The status line and the headers, without the empty line after them. */
void reply_head(struct buffer *head, const struct request *request, const char *reason);

/* response_pool.c */
/* Returns true if the pool can serve an answer: JSON, 200, the usual headers. */
bool response_pool_serves(const struct reply *reply);
/* A response with a copy of the body; NULL if out of memory. Put it back when the answer is
 * sent. */
MUST_USE struct pooled_response *response_pool_get(struct loop *loop, const struct reply *reply,
						   const char *request_id);
struct MHD_Response *pooled_response_mhd(const struct pooled_response *pooled_response);
void response_pool_put(struct response_pool *response_pool,
		       struct pooled_response *pooled_response);
void response_pool_empty(struct response_pool *response_pool);

/* chunked_body.c */
/* The response of an answer that is a stream; NULL if out of memory. */
MUST_USE struct MHD_Response *chunked_body_response(struct connection *connection);
/* The request's `produced`: on the thread that made the piece. */
void chunked_body_produced(struct request *request);

/* lingering_close.c */
/* Sends the answer as far as the socket takes it. */
void raw_send(int fd, const struct buffer *answer);
/* Takes ownership of the descriptor: ends our side and reads on for a short while. */
void lingering_close_add(struct loop *loop, int fd);
void lingering_close_reap(struct loop *loop, bool all);

/* loop.c */
MUST_USE bool loop_open(struct loop *loop);
MUST_USE bool loop_watch(struct loop *loop, struct watch *watch, int fd,
			 void (*ready)(struct loop *, struct watch *));
/* Wakes the loop when the service has finished something, until loop_leave_service(). */
MUST_USE bool loop_watch_service(struct loop *loop);
void loop_leave_service(struct loop *loop);
/* One turn: waits at most `max_ms` (-1: without limit) for events, and handles them. */
void loop_turn(struct loop *loop, int64_t max_ms);
void loop_close(struct loop *loop);

#endif
