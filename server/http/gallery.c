/* gallery.c: the connections of those who watch, and the threads that send to them.
 *
 * A stream of events has no end, and libmicrohttpd knows no good way to hold thousands of them: it
 * walks through all that it has suspended whenever it resumes one, keeps some KB for each, and does
 * not notice who left. So when a request's answer is a watcher, its connection is taken out of
 * libmicrohttpd: the descriptor is duplicated, and the daemon closes its own. (MHD_USE_TURBO keeps
 * it from shutting the socket down.) The head of the answer, its last words as HTTP, is written
 * here; the stream ends with the connection, so that what follows is events and nothing else.
 *
 * Each gallery is a thread, an epoll and an outlet of server/live. It sends with one system call
 * what a watcher has not got yet, as far as the socket takes it; a watcher whose socket is full
 * waits until it has room, and falls behind meanwhile without costing anything. */
#include "server/http/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h> /* its tcp_info is longer than libc's */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server/access/forward.h"
#include "server/api/limit.h"
#include "server/api/problem.h"
#include "server/util/meters.h"
#include "server/util/monotonic.h"

#define EVENTS 256
/* What the kernel keeps for one who does not read. */
#define SEND_BYTES 65536
/* Pings in one go, before what happened meanwhile has its turn. */
#define PING_ROUND 1000
#define PING_USUAL_MS 15000

struct seat {
	struct gallery *gallery;
	struct watcher *watcher;
	struct seat *previous, *next; /* by the time of the next ping */
	struct address *address, *stream;
	int64_t due_ms;        /* of the ping */
	int64_t progress_ms;   /* when something left, or was acknowledged */
	uint64_t acknowledged; /* bytes, when last looked */
	int fd;
	bool started; /* it is counted */
	bool seated;  /* in the epoll and the list */
	bool blocked; /* the socket is full */
};

/* ---- a seat ---- */

static int64_t ping_ms(const struct gallery *gallery)
{
	uint64_t ms = gallery->http->config->limits.ping_ms;
	return ms == LIMIT_OFF || ms > INT32_MAX ? PING_USUAL_MS : (int64_t)ms;
}

static void list_append(struct gallery *gallery, struct seat *seat)
{
	seat->due_ms = gallery->now_ms + ping_ms(gallery);
	seat->previous = gallery->last;
	seat->next = NULL;
	*(gallery->last ? &gallery->last->next : &gallery->first) = seat;
	gallery->last = seat;
}

static void list_remove(struct gallery *gallery, struct seat *seat)
{
	*(seat->previous ? &seat->previous->next : &gallery->first) = seat->next;
	*(seat->next ? &seat->next->previous : &gallery->last) = seat->previous;
}

static bool seat_open(struct seat *seat)
{
	struct gallery *gallery = seat->gallery;
	/* At the edge, for both: nothing is to be changed when the socket is full. */
	struct epoll_event event = {.events = EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = seat};
	list_append(gallery, seat);
	seat->seated = true;
	seat->progress_ms = gallery->now_ms;
	return epoll_ctl(gallery->epoll, EPOLL_CTL_ADD, seat->fd, &event) == 0;
}

static void seat_close(void *argument)
{
	struct seat *seat = argument;
	struct gallery *gallery = seat->gallery;
	struct http *http = gallery->http;
	if (seat->seated) {
		list_remove(gallery, seat);
		/* Its duplicate may still be open: then close() would not do it. */
		epoll_ctl(gallery->epoll, EPOLL_CTL_DEL, seat->fd, NULL);
	}
	close(seat->fd);
	address_leave(http->addresses, seat->address);
	address_leave(http->streams, seat->stream);
	if (seat->started) {
		atomic_fetch_sub(&gallery->watching, 1);
		if (!http->tls)
			meter_add(METER_CONNECTIONS, (uint64_t)-1);
	}
	live_leave(seat->watcher);
	free(seat);
}

/* Sends what there is, for as long as there is room; false: it has come to its end. */
static bool seat_send(void *argument)
{
	struct seat *seat = argument;
	struct iovec pieces[LIVE_PIECES];
	if (!seat->seated && !seat_open(seat))
		return false;
	while (!seat->blocked) {
		int count = live_fill(seat->watcher, pieces);
		if (count <= 0)
			return count == 0;
		struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
		ssize_t sent = sendmsg(seat->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent >= 0) {
			live_sent(seat->watcher, (size_t)sent);
			seat->progress_ms = seat->gallery->now_ms;
		} else if (errno == EAGAIN) {
			seat->blocked = true;
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

static const struct live_calls calls = {.send = seat_send, .end = seat_close};

static void seat_ready(struct seat *seat, uint32_t events)
{
	if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
		seat_close(seat);
		return;
	}
	if (!seat->blocked)
		return;
	seat->blocked = false;
	live_look(seat->watcher);
	if (!seat_send(seat))
		seat_close(seat);
}

/* Whether the one who reads got anything since it was last looked at. */
static bool seat_progresses(struct seat *seat)
{
	const struct gallery *gallery = seat->gallery;
	uint64_t stuck_ms = gallery->http->config->limits.stuck_ms;
	struct tcp_info info = {0};
	socklen_t length = sizeof info;
	if (getsockopt(seat->fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
	    info.tcpi_bytes_acked != seat->acknowledged) {
		seat->acknowledged = info.tcpi_bytes_acked;
		seat->progress_ms = gallery->now_ms;
	}
	return stuck_ms == LIMIT_OFF ||
	       gallery->now_ms - seat->progress_ms < (int64_t)(stuck_ms & INT64_MAX);
}

static void seat_visit(struct seat *seat)
{
	struct gallery *gallery = seat->gallery;
	list_remove(gallery, seat);
	list_append(gallery, seat);
	if (seat->blocked) {
		if (!seat_progresses(seat)) {
			meter_add(METER_STUCK, 1);
			seat_close(seat);
		}
		return;
	}
	if (gallery->http->config->limits.ping_ms == LIMIT_OFF)
		return;
	const char *ping = live_ping(seat->watcher);
	size_t bytes = strlen(ping);
	ssize_t sent = send(seat->fd, ping, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
	/* Nothing of it, or all: half a ping cannot be taken back. */
	if (sent != (ssize_t)bytes && !(sent < 0 && errno == EAGAIN))
		seat_close(seat);
}

/* ---- a gallery ---- */

static int64_t sleep_ms(const struct gallery *gallery, int64_t tick_ms)
{
	int64_t sleep = tick_ms;
	if (gallery->first) {
		int64_t left = gallery->first->due_ms - gallery->now_ms;
		left = left > 0 ? left : 0;
		sleep = sleep < 0 || left < sleep ? left : sleep;
	}
	return sleep;
}

static int64_t gallery_turn(struct gallery *gallery, int64_t wait_ms)
{
	struct epoll_event events[EVENTS];
	struct live *live = service_live(gallery->http->service);
	int64_t tick_ms = -1;
	uint64_t woken;
	int count = epoll_wait(gallery->epoll, events, EVENTS, (int)wait_ms);
	gallery->now_ms = monotonic_ms();
	for (int i = 0; i < count; i++) {
		if (events[i].data.ptr)
			seat_ready(events[i].data.ptr, events[i].events);
		else if (read(live_wake_fd(live, gallery->outlet), &woken, sizeof woken) < 0)
			continue;
	}
	live_turn(live, gallery->outlet, &calls);
	for (int i = 0; i < PING_ROUND && gallery->first; i++) {
		if (gallery->first->due_ms > gallery->now_ms)
			break;
		seat_visit(gallery->first);
	}
	if (gallery->outlet == 0)
		tick_ms = live_tick(live, gallery->now_ms);
	return sleep_ms(gallery, tick_ms);
}

static void *gallery_main(void *argument)
{
	struct gallery *gallery = argument;
	int64_t wait_ms = 0;
	while (!atomic_load(&gallery->http->stop))
		wait_ms = gallery_turn(gallery, wait_ms);
	/* What was published last, and those who came last. */
	gallery_turn(gallery, 0);
	while (gallery->first)
		seat_close(gallery->first);
	return NULL;
}

static bool gallery_open(struct http *http, unsigned outlet)
{
	struct gallery *gallery = &http->galleries[outlet];
	struct live *live = service_live(http->service);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
	gallery->http = http;
	gallery->outlet = outlet;
	gallery->now_ms = monotonic_ms();
	gallery->epoll = epoll_create1(EPOLL_CLOEXEC);
	gallery->started =
		gallery->epoll >= 0 &&
		epoll_ctl(gallery->epoll, EPOLL_CTL_ADD, live_wake_fd(live, outlet), &event) == 0 &&
		pthread_create(&gallery->thread, NULL, gallery_main, gallery) == 0;
	if (!gallery->started && gallery->epoll >= 0)
		close(gallery->epoll);
	return gallery->started;
}

void galleries_start(struct http *http, size_t count)
{
	while (http->gallery_count < count && http->gallery_count < LIVE_OUTLETS &&
	       gallery_open(http, (unsigned)http->gallery_count))
		http->gallery_count++;
}

void galleries_stop(struct http *http)
{
	for (size_t i = 0; i < http->gallery_count; i++)
		live_wake(service_live(http->service), (unsigned)i);
	for (size_t i = 0; i < http->gallery_count; i++) {
		pthread_join(http->galleries[i].thread, NULL);
		close(http->galleries[i].epoll);
	}
	http->gallery_count = 0;
}

size_t galleries_watching(const struct http *http)
{
	size_t watching = 0;
	for (size_t i = 0; i < LIVE_OUTLETS; i++)
		watching +=
			atomic_load_explicit(&http->galleries[i].watching, memory_order_relaxed);
	return watching;
}

/* ---- coming in ---- */

/* The one with the fewest. */
static struct gallery *gallery_choose(struct http *http)
{
	struct gallery *chosen = NULL;
	for (size_t i = 0; i < http->gallery_count; i++)
		if (!chosen ||
		    atomic_load(&http->galleries[i].watching) < atomic_load(&chosen->watching))
			chosen = &http->galleries[i];
	return chosen;
}

static bool send_head(int fd, const struct reply *reply)
{
	struct buffer head = {0};
	char date[64];
	time_t now = time(NULL);
	struct tm parts;
	reply_head(&head, reply, "OK");
	if (gmtime_r(&now, &parts) &&
	    strftime(date, sizeof date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts) > 0)
		buffer_text(&head, date);
	/* Or nginx gathers events before it passes them on. */
	buffer_text(&head, "X-Accel-Buffering: no\r\n\r\n");
	bool sent = !head.failed && send(fd, head.bytes, head.length,
					 MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)head.length;
	buffer_free(&head);
	return sent;
}

/* Takes the descriptor and the watcher over; NULL when memory is out. */
static struct seat *seat_make(struct connection *connection, int fd)
{
	struct http *http = connection->loop->http;
	struct seat *seat = calloc(1, sizeof *seat);
	if (!seat) {
		close(fd);
		return NULL;
	}
	uint64_t stuck_ms = http->config->limits.stuck_ms;
	unsigned silent_ms = stuck_ms < INT32_MAX ? (unsigned)stuck_ms : 0;
	int bytes = SEND_BYTES, on = 1;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	if (!http->tls) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silent_ms, sizeof silent_ms);
	}
	seat->fd = fd;
	seat->gallery = gallery_choose(http);
	seat->watcher = connection->request.reply.watcher;
	seat->stream = connection->stream_address;
	connection->request.reply.watcher = NULL;
	connection->stream_address = NULL;
	return seat;
}

static void seat_start(struct seat *seat)
{
	seat->started = true;
	atomic_fetch_add(&seat->gallery->watching, 1);
	if (!seat->gallery->http->tls)
		meter_add(METER_CONNECTIONS, 1);
	live_start(seat->watcher, seat->gallery->outlet, seat);
}

/* Counts the one whose request it is, whatever proxy he came by. */
static bool admit_address(struct connection *connection)
{
	struct http *http = connection->loop->http;
	const struct config *config = http->config;
	struct peer peer = connection->request.peer;
	forward_apply(config->trusted_proxy, config->trusted_proxy_count,
		      connection->request.header[HEADER_FORWARDED_FOR], peer.address);
	return address_enter(http->streams, &peer, config->limits.address_streams,
			     &connection->stream_address);
}

static bool admit_at_all(const struct http *http)
{
	return http->gallery_count > 0 && !atomic_load(&http->draining) &&
	       (!http->tls || atomic_load(&http->tunnels) < http->config->limits.tls_streams);
}

bool gallery_admits(struct connection *connection)
{
	struct request *request = &connection->request;
	bool room = admit_at_all(connection->loop->http);
	if (room && admit_address(connection))
		return true;
	live_leave(request->reply.watcher);
	request->reply.watcher = NULL;
	if (room)
		limit_full(request,
			   "This address has as many streams of events as one address may have "
			   "(see max-streams-per-address in /v1/limits).");
	else
		problem_answer(request, PROBLEM_BUSY,
			       "There are as many streams of events as there may be over TLS "
			       "(see max-tls-streams in /v1/limits), or the server is stopping.");
	return false;
}

void gallery_seat(struct connection *connection)
{
	int fd = fcntl(connection->fd, F_DUPFD_CLOEXEC, 0);
	/* libmicrohttpd closes its descriptor, and nothing more is sent on it. */
	connection->cut = true;
	connection->request.reply.close = true;
	if (fd >= 0 && send_head(fd, &connection->request.reply)) {
		struct seat *seat = seat_make(connection, fd);
		if (!seat)
			return;
		seat->address = connection->address;
		connection->address = NULL;
		seat_start(seat);
	} else if (fd >= 0) {
		close(fd);
	}
}

enum MHD_Result gallery_tunnel(struct connection *connection)
{
	struct http *http = connection->loop->http;
	struct reply *reply = &connection->request.reply;
	int fd = -1;
	connection_wait(connection, WAIT_REPLY);
	struct MHD_Response *response = tunnel_open(connection, &fd);
	struct seat *seat = response ? seat_make(connection, fd) : NULL;
	if (!seat || !reply_add_fields(response, reply)) {
		if (seat)
			seat_close(seat);
		if (response)
			MHD_destroy_response(response);
		return MHD_queue_response(connection->mhd, MHD_HTTP_SERVICE_UNAVAILABLE,
					  http->out_of_memory);
	}
	connection->watches = true;
	count_add(&connection->loop->serving, (size_t)-1);
	enum MHD_Result result = MHD_queue_response(connection->mhd, reply->status, response);
	MHD_destroy_response(response);
	seat_start(seat);
	return result;
}
