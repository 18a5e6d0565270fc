/* tunnel.c: streams of events over TLS.
 *
 * Such a connection cannot be taken out of libmicrohttpd: the keys are in there. So the one who
 * watches has one end of a pair of sockets for his seat, and libmicrohttpd reads the other: what is
 * there is the stream. The connection is suspended while there is nothing. There are few of them:
 * libmicrohttpd looks at all that it has suspended whenever it resumes one. */
#include "server/http/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE_BYTES 16384

struct tunnel {
	struct watch watch; /* our end */
	struct tunnel *previous, *next;
	struct connection *connection;
	bool suspended;
};

static void tunnel_resume(struct tunnel *tunnel)
{
	struct loop *loop = tunnel->connection->loop;
	if (!tunnel->suspended)
		return;
	tunnel->suspended = false;
	loop->run_daemon = true;
	connection_wait(tunnel->connection, WAIT_REPLY);
	MHD_resume_connection(tunnel->connection->mhd);
}

static void tunnel_ready(struct loop *loop, struct watch *watch)
{
	(void)loop;
	tunnel_resume((struct tunnel *)watch);
}

static ssize_t tunnel_read(void *context, uint64_t position, char *bytes, size_t most)
{
	struct tunnel *tunnel = context;
	(void)position;
	ssize_t length = recv(tunnel->watch.fd, bytes, most, MSG_DONTWAIT);
	if (length > 0)
		return length;
	if (length == 0 || (errno != EAGAIN && errno != EINTR))
		return MHD_CONTENT_READER_END_OF_STREAM;
	tunnel->suspended = true;
	connection_wait(tunnel->connection, WAIT_SERVICE);
	MHD_suspend_connection(tunnel->connection->mhd);
	return 0;
}

static void tunnel_free(void *context)
{
	struct tunnel *tunnel = context;
	struct loop *loop = tunnel->connection->loop;
	*(tunnel->previous ? &tunnel->previous->next : &loop->tunnels) = tunnel->next;
	if (tunnel->next)
		tunnel->next->previous = tunnel->previous;
	close(tunnel->watch.fd);
	atomic_fetch_sub(&loop->http->tunnels, 1);
	free(tunnel);
}

/* At the edge: what is there is looked at again when the client has taken what came before. */
static bool tunnel_watch(struct loop *loop, struct tunnel *tunnel, int fd)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &tunnel->watch};
	tunnel->watch = (struct watch){.ready = tunnel_ready, .fd = fd};
	return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static struct tunnel *tunnel_make(struct connection *connection, int fd)
{
	struct loop *loop = connection->loop;
	struct tunnel *tunnel = calloc(1, sizeof *tunnel);
	if (!tunnel || !tunnel_watch(loop, tunnel, fd)) {
		free(tunnel);
		return NULL;
	}
	tunnel->connection = connection;
	tunnel->next = loop->tunnels;
	if (tunnel->next)
		tunnel->next->previous = tunnel;
	loop->tunnels = tunnel;
	atomic_fetch_add(&loop->http->tunnels, 1);
	return tunnel;
}

struct MHD_Response *tunnel_open(struct connection *connection, int *seat_fd)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
		return NULL;
	struct tunnel *tunnel = tunnel_make(connection, pair[0]);
	if (!tunnel) {
		close(pair[0]);
		close(pair[1]);
		return NULL;
	}
	struct MHD_Response *response = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, PIECE_BYTES, tunnel_read, tunnel, tunnel_free);
	if (!response) {
		tunnel_free(tunnel);
		close(pair[1]);
		return NULL;
	}
	*seat_fd = pair[1];
	return response;
}

void tunnels_resume(struct loop *loop)
{
	for (struct tunnel *tunnel = loop->tunnels; tunnel; tunnel = tunnel->next)
		tunnel_resume(tunnel);
}

/* libmicrohttpd does not look at a connection that it has suspended, and pings tell late: the first
 * of them after a client's end is still taken by its host. */
void tunnels_left(struct loop *loop)
{
	for (struct tunnel *tunnel = loop->tunnels; tunnel; tunnel = tunnel->next)
		if (connection_left(tunnel->connection))
			shutdown(tunnel->watch.fd, SHUT_RDWR);
}
