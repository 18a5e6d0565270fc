/* lingering_close.c: closing so that the last answer is read.
 *
 * close() on a socket with unread input makes the kernel send a reset, and a client that is still
 * writing sees the reset instead of the answer. So only our side ends, and input is read and
 * dropped for a short while (RFC 9112, 9.6). Few at a time and not for long. */
#include "server/http/http_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "server/util/container_of.h"

#define LINGER_MS 2000
#define LINGER_BYTES ((size_t)32 << 20)

void raw_send(int fd, const struct buffer *answer)
{
	if (answer->length == 0)
		return;
	/* A refused connection has an empty send buffer: the kernel takes a short answer whole. */
	ssize_t sent = send(fd, answer->bytes, answer->length, MSG_NOSIGNAL | MSG_DONTWAIT);
	(void)sent;
}

static void lingering_close_end(struct loop *loop, struct lingerer *linger)
{
	DL_DELETE2(loop->lingering, linger, previous, next);
	loop->linger_count--;
	close(linger->watch.fd);
	free(linger);
}

static void lingering_close_ready(struct loop *loop, struct watch *watch)
{
	char dropped[16384];
	struct lingerer *linger = container_of(watch, struct lingerer, watch);
	for (int i = 0; i < 8; i++) {
		ssize_t length = recv(watch->fd, dropped, sizeof dropped, MSG_DONTWAIT);
		if (length < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		linger->bytes += length > 0 ? (size_t)length : 0;
		if (length <= 0 || linger->bytes > LINGER_BYTES) {
			lingering_close_end(loop, linger);
			return;
		}
	}
}

void lingering_close_add(struct loop *loop, int fd)
{
	shutdown(fd, SHUT_WR);
	struct lingerer *linger =
		loop->linger_count < LINGER_MAX ? calloc(1, sizeof *linger) : NULL;
	if (!linger || !loop_watch(loop, &linger->watch, fd, lingering_close_ready)) {
		free(linger);
		close(fd);
		return;
	}
	linger->due_ms = loop->now_ms + LINGER_MS;
	DL_APPEND2(loop->lingering, linger, previous, next);
	loop->linger_count++;
}

void lingering_close_reap(struct loop *loop, bool all)
{
	struct lingerer *next;
	for (struct lingerer *linger = loop->lingering; linger; linger = next) {
		next = linger->next;
		if (all || linger->due_ms <= loop->now_ms)
			lingering_close_end(loop, linger);
	}
}
