/* sse_tls.c: streams of events over TLS.
 *
 * Such a connection cannot be taken out of libmicrohttpd, which has the keys. So the event stream
 * writes to one end of a pair of sockets, and libmicrohttpd reads the other and sends it. The
 * connection is suspended while there is nothing. Their number is limited: libmicrohttpd scans all
 * suspended connections whenever it resumes one. */
#include "server/http/event_streams.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "server/util/container_of.h"

#define PIECE_BYTES 16384

struct sse_tls {
	struct watch watch; /* our end */
	struct sse_tls *previous, *next;
	struct connection *connection;
	bool suspended;
};

static void sse_tls_wake(struct sse_tls *sse_tls)
{
	struct loop *loop = sse_tls->connection->loop;
	if (!sse_tls->suspended)
		return;
	sse_tls->suspended = false;
	loop->run_daemon = true;
	connection_wait(sse_tls->connection, WAIT_REPLY);
	MHD_resume_connection(sse_tls->connection->mhd);
}

static void sse_tls_ready(struct loop *loop, struct watch *watch)
{
	(void)loop;
	sse_tls_wake(container_of(watch, struct sse_tls, watch));
}

static ssize_t sse_tls_read(void *context, uint64_t position, char *bytes, size_t most)
{
	struct sse_tls *sse_tls = context;
	(void)position;
	ssize_t length = recv(sse_tls->watch.fd, bytes, most, MSG_DONTWAIT);
	if (length > 0)
		return length;
	if (length == 0 || (errno != EAGAIN && errno != EINTR))
		return MHD_CONTENT_READER_END_OF_STREAM;
	sse_tls->suspended = true;
	connection_wait(sse_tls->connection, WAIT_SERVICE);
	MHD_suspend_connection(sse_tls->connection->mhd);
	return 0;
}

static void sse_tls_free(void *context)
{
	struct sse_tls *sse_tls = context;
	struct loop *loop = sse_tls->connection->loop;
	DL_DELETE2(loop->sse_tls_streams, sse_tls, previous, next);
	close(sse_tls->watch.fd);
	atomic_fetch_sub(&loop->http->sse_tls_streams, 1);
	free(sse_tls);
}

/* Edge-triggered: libmicrohttpd reads again when the client has taken what came before. */
static bool sse_tls_watch(struct loop *loop, struct sse_tls *sse_tls, int fd)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &sse_tls->watch};
	sse_tls->watch = (struct watch){.ready = sse_tls_ready, .fd = fd};
	return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static struct sse_tls *sse_tls_make(struct connection *connection, int fd)
{
	struct loop *loop = connection->loop;
	struct sse_tls *sse_tls = calloc(1, sizeof *sse_tls);
	if (!sse_tls || !sse_tls_watch(loop, sse_tls, fd)) {
		free(sse_tls);
		return NULL;
	}
	sse_tls->connection = connection;
	DL_APPEND2(loop->sse_tls_streams, sse_tls, previous, next);
	atomic_fetch_add(&loop->http->sse_tls_streams, 1);
	return sse_tls;
}

struct MHD_Response *sse_tls_open(struct connection *connection, int *event_stream_fd)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
		return NULL;
	struct sse_tls *sse_tls = sse_tls_make(connection, pair[0]);
	if (!sse_tls) {
		close(pair[0]);
		close(pair[1]);
		return NULL;
	}
	struct MHD_Response *response = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, PIECE_BYTES, sse_tls_read, sse_tls, sse_tls_free);
	if (!response) {
		sse_tls_free(sse_tls);
		close(pair[1]);
		return NULL;
	}
	*event_stream_fd = pair[1];
	return response;
}

void sse_tls_resume_all(struct loop *loop)
{
	for (struct sse_tls *sse_tls = loop->sse_tls_streams; sse_tls; sse_tls = sse_tls->next)
		sse_tls_wake(sse_tls);
}

/* libmicrohttpd does not check a suspended connection, and pings are slow to detect a disconnect:
 * the client's host still accepts the first one after it. */
void sse_tls_end_left(struct loop *loop)
{
	for (struct sse_tls *sse_tls = loop->sse_tls_streams; sse_tls; sse_tls = sse_tls->next)
		if (connection_left(sse_tls->connection))
			shutdown(sse_tls->watch.fd, SHUT_RDWR);
}
