/* departures.c: clients that close their side in the middle of a request.
 *
 * libmicrohttpd waits for edges. If the end of the stream arrives together with the last bytes, it
 * reads these and waits for an edge that never comes, until the deadline. So each connection is
 * also watched here, only for the end of the stream. After that, once all bytes are read, an
 * incomplete request will never be complete: the connection is closed.
 *
 * A client that has sent a whole request and closed its side still gets an answer if it comes soon.
 * TCP does not show whether such a client still reads, since close() sends the same FIN as
 * shutdown(SHUT_WR). So if the answer takes long, the client counts as disconnected
 * (connections_left()), and the answer is 503 and says so. */
#include "server/http/http_internal.h"

#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <utlist.h>

#include "server/util/container_of.h"

/* Checks with nothing left to read: libmicrohttpd parses what it has read in the same round, or in
 * the next. */
#define QUIET_ROUNDS 2

static void peer_changed(struct loop *loop, struct watch *watch)
{
	struct connection *connection = container_of(watch, struct connection, end);
	if (watch->events & EPOLLOUT)
		connection->rooms++;
	if (connection->ended || !(watch->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)))
		return;
	connection->ended = true;
	DL_PREPEND2(loop->ended, connection, ended_previous, ended_next);
}

void departure_watch(struct connection *connection)
{
	struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = &connection->end};
	connection->end = (struct watch){.ready = peer_changed, .fd = connection->fd};
	/* If this fails, the deadlines remain. */
	epoll_ctl(connection->loop->epoll, EPOLL_CTL_ADD, connection->fd, &event);
}

uint64_t departure_count_room(struct connection *connection)
{
	struct epoll_event event = {.events = EPOLLRDHUP | EPOLLOUT | EPOLLET,
				    .data.ptr = &connection->end};
	if (connection->rooms == 0)
		epoll_ctl(connection->loop->epoll, EPOLL_CTL_MOD, connection->fd, &event);
	return connection->rooms;
}

void departure_forget(struct connection *connection)
{
	/* A duplicate of the descriptor would keep it in the epoll. */
	epoll_ctl(connection->loop->epoll, EPOLL_CTL_DEL, connection->fd, NULL);
	if (!connection->ended)
		return;
	DL_DELETE2(connection->loop->ended, connection, ended_previous, ended_next);
	connection->ended = false;
}

static bool waits_for_client(const struct connection *connection)
{
	int unread = 0;
	return (connection->waiting == WAIT_IDLE || connection->waiting == WAIT_HEAD ||
		connection->waiting == WAIT_BODY) &&
	       !(ioctl(connection->fd, FIONREAD, &unread) == 0 && unread > 0);
}

void departures_reap(struct loop *loop)
{
	for (struct connection *at = loop->ended; at; at = at->ended_next) {
		if (!waits_for_client(at))
			at->quiet_rounds = 0;
		else if (++at->quiet_rounds == QUIET_ROUNDS)
			connection_shut(at);
	}
}
