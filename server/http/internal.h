/* internal.h: what the files of server/http share: the loop, a connection, the exchange on it.
 *
 *     listen.c       sockets that listen; admission of who comes
 *     addresses.c    how many connections an address has
 *     connections.c  connections and their deadlines
 *     exchange.c     a request from its first byte to its answer, as libmicrohttpd tells it
 *     audit.c        what a well-formed head is
 *     reply.c        the answer's headers
 *     linger.c       closing so that the last answer is read
 *     loop.c         the loop
 *     http.c         opening and closing all of it */
#ifndef SERVER_HTTP_INTERNAL_H
#define SERVER_HTTP_INTERNAL_H

#include <microhttpd.h>

#include "server/http/addresses.h"
#include "server/http/http.h"

#define LISTENERS_MAX 8
/* The reaper's round. Deadlines are this much late at most. */
#define TICK_MS 250
#define HEAD_BYTES_MAX 16384
#define TARGET_BYTES_MAX 8192
#define LINGER_MAX 64

/* What the loop's epoll points at. */
struct watch {
	void (*ready)(struct http *http, struct watch *watch);
	int fd;
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
	struct http *http;
	struct MHD_Connection *mhd;
	struct connection *previous, *next; /* in the list of `waiting` */
	struct address *address;            /* NULL where it is not counted */
	int64_t due_ms;
	int64_t since_ms;      /* WAIT_IDLE: its begin; WAIT_REPLY: the last progress */
	uint64_t acknowledged; /* WAIT_REPLY: bytes, when last looked */
	enum waiting waiting;
	int fd;      /* libmicrohttpd's; we only shut it down */
	bool cut;    /* by the reaper */
	bool linger; /* answered before the whole request was read */

	/* The exchange: */
	enum stage stage;
	bool answered, suspended;
	char *target; /* in libmicrohttpd's memory */
	char *hidden; /* the query's first byte in there, while it is hidden */
	char hidden_byte;
	struct buffer body;
	struct request request;
};

struct deadline {
	struct connection *first, *last;
	int64_t interval_ms; /* 0: none */
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

struct http {
	const struct config *config;
	struct service *service;
	struct MHD_Daemon *daemon;
	int epoll;
	struct watch daemon_watch, service_watch, signal_watch;
	struct listener listeners[LISTENERS_MAX];
	size_t listener_count;
	uint16_t port;
	bool paused;        /* not accepting until the next tick: no descriptors */
	bool strict_layout; /* see audit.c */
	bool run_daemon;    /* MHD_run has something to do */
	bool stop;          /* a signal came */
	bool draining;

	int64_t now_ms, tick_ms, paused_log_ms;
	size_t connection_count, connection_max;
	size_t serving; /* requests between serve() and the last byte of their answer */
	struct connection *arriving; /* within MHD_add_connection */
	struct deadline deadlines[WAIT_COUNT];
	struct address_table *addresses;
	struct lingerer *lingering; /* newest first */
	size_t linger_count;

	/* Answers that must not need memory when their time comes: */
	struct buffer refuse_total, refuse_address, refuse_body;
	struct MHD_Response *out_of_memory;
};

/* listen.c */
bool listen_open(struct http *http, char *problem, size_t capacity);
void listen_resume(struct http *http);
void listen_close(struct http *http);

/* connections.c */
void deadlines_init(struct http *http);
void deadlines_reap(struct http *http);
void connection_wait(struct connection *connection, enum waiting waiting);
/* Takes over the descriptor, whatever happens. */
void connection_add(struct http *http, int fd, const struct sockaddr *name, socklen_t length,
		    const struct peer *peer, struct address *address);
void connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
		       enum MHD_ConnectionNotificationCode code);

/* exchange.c: callbacks of libmicrohttpd. */
void *exchange_target(void *context, const char *uri, struct MHD_Connection *mhd);
enum MHD_Result exchange_handle(void *context, struct MHD_Connection *mhd, const char *url,
				const char *method, const char *version, const char *upload,
				size_t *upload_size, void **request_context);
void exchange_completed(void *context, struct MHD_Connection *mhd, void **request_context,
			enum MHD_RequestTerminationCode code);

/* audit.c: checks the head and fills the request from it; false: the reply says what is wrong.
 * `length`: of the body, MHD_SIZE_UNKNOWN where it is chunked. */
bool audit_head(struct connection *connection, const char *method, const char *version,
		uint64_t *length);

/* reply.c */
bool reply_open(struct http *http);
void reply_close(struct http *http);
enum MHD_Result reply_queue(struct connection *connection);

/* linger.c */
/* Sends the answer as far as the socket takes it. */
void raw_send(int fd, const struct buffer *answer);
/* Takes over the descriptor: ends our side and reads on for a short while. */
void linger_add(struct http *http, int fd);
void linger_reap(struct http *http, bool all);

/* loop.c */
bool loop_open(struct http *http);
bool loop_watch(struct http *http, struct watch *watch, int fd,
		void (*ready)(struct http *, struct watch *));
void loop_close(struct http *http);

#endif
