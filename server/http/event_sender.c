/* event_sender.c: streams of events, and the threads that send them.
 *
 * A stream of events has no end, and libmicrohttpd cannot hold thousands of them well: it scans all
 * suspended connections whenever it resumes one, keeps some KB for each, and does not notice
 * disconnects. So if the answer of a request is a subscriber, its connection is taken out of
 * libmicrohttpd: the descriptor is duplicated, and the daemon closes its own. (With MHD_USE_TURBO
 * it does not shut the socket down.) The head of the answer is written here; the stream ends with
 * the connection, so only events follow.
 *
 * Each event sender is a thread, an epoll and a shard of server/live. One system call sends what a
 * subscriber has not received, as far as the socket takes it; a subscriber whose socket is full
 * waits until it has room, and falls behind at no cost. */
#include "server/http/event_streams.h"

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
#include <utlist.h>

#include "server/util/meters.h"
#include "server/util/monotonic.h"

#define EVENTS 256
/* Send buffer for a subscriber that does not read. */
#define SEND_BYTES 65536
/* Pings in one turn, before other events are handled. */
#define PING_ROUND 1000
#define PING_USUAL_MS 15000

struct event_stream {
	struct event_sender *event_sender;
	struct subscriber *subscriber;
	struct event_stream *previous, *next; /* by the time of the next ping */
	struct address *address, *stream;
	struct idler idler;    /* listed as long as it may be closed for a newcomer */
	int64_t due_ms;        /* of the ping */
	int64_t progress_ms;   /* when something was sent or acknowledged */
	uint64_t acknowledged; /* bytes, when last checked */
	int fd;
	size_t counted; /* at its address, for each session */
	bool started;   /* counted as watching */
	bool listed;    /* in the epoll and the list */
	bool blocked;   /* the socket is full */
};

/* ---- an event stream ---- */

static int64_t ping_ms(const struct event_sender *event_sender)
{
	uint64_t ms = event_sender->http->config->limits.ping_ms;
	return ms == LIMIT_OFF || ms > INT32_MAX ? PING_USUAL_MS : (int64_t)ms;
}

static void list_append(struct event_sender *event_sender, struct event_stream *event_stream)
{
	event_stream->due_ms = event_sender->now_ms + ping_ms(event_sender);
	DL_APPEND2(event_sender->first, event_stream, previous, next);
}

static bool event_stream_open(struct event_stream *event_stream)
{
	struct event_sender *event_sender = event_stream->event_sender;
	/* Edge-triggered: nothing must be changed when the socket is full. */
	struct epoll_event event = {.events = EPOLLOUT | EPOLLRDHUP | EPOLLET,
				    .data.ptr = event_stream};
	list_append(event_sender, event_stream);
	event_stream->listed = true;
	event_stream->progress_ms = event_sender->now_ms;
	return epoll_ctl(event_sender->epoll, EPOLL_CTL_ADD, event_stream->fd, &event) == 0;
}

static void event_stream_close(void *argument)
{
	struct event_stream *event_stream = argument;
	struct event_sender *event_sender = event_stream->event_sender;
	struct http *http = event_sender->http;
	idler_unlist(http->streams, &event_stream->idler);
	if (event_stream->listed) {
		DL_DELETE2(event_sender->first, event_stream, previous, next);
		/* A duplicate may still be open: then close() does not remove it. */
		epoll_ctl(event_sender->epoll, EPOLL_CTL_DEL, event_stream->fd, NULL);
	}
	close(event_stream->fd);
	address_leave(http->addresses, event_stream->address);
	streams_leave(http, event_stream->stream, event_stream->counted);
	if (event_stream->started) {
		atomic_fetch_sub(&event_sender->watching, 1);
		if (!http->tls)
			meter_add(METER_CONNECTIONS, (uint64_t)-1);
	}
	live_leave(event_stream->subscriber);
	free(event_stream);
}

/* Sends what there is, as long as there is room; false: the stream has ended. */
static bool event_stream_send(void *argument)
{
	struct event_stream *event_stream = argument;
	struct iovec pieces[LIVE_PIECES];
	if (!event_stream->listed && !event_stream_open(event_stream))
		return false;
	while (!event_stream->blocked) {
		int count = live_fill(event_stream->subscriber, pieces);
		if (count <= 0)
			return count == 0;
		struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
		ssize_t sent = sendmsg(event_stream->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent >= 0) {
			live_sent(event_stream->subscriber, (size_t)sent);
			event_stream->progress_ms = event_stream->event_sender->now_ms;
		} else if (errno == EAGAIN) {
			event_stream->blocked = true;
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

static const struct live_calls calls = {.send = event_stream_send, .end = event_stream_close};

static void event_stream_ready(struct event_stream *event_stream, uint32_t events)
{
	if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
		event_stream_close(event_stream);
		return;
	}
	if (!event_stream->blocked)
		return;
	event_stream->blocked = false;
	live_look(event_stream->subscriber);
	if (!event_stream_send(event_stream))
		event_stream_close(event_stream);
}

/* Returns true if the subscriber received anything since the last check. */
static bool event_stream_progresses(struct event_stream *event_stream)
{
	const struct event_sender *event_sender = event_stream->event_sender;
	uint64_t stuck_ms = event_sender->http->config->limits.stuck_ms;
	struct tcp_info info = {0};
	socklen_t length = sizeof info;
	if (getsockopt(event_stream->fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
	    info.tcpi_bytes_acked != event_stream->acknowledged) {
		event_stream->acknowledged = info.tcpi_bytes_acked;
		event_stream->progress_ms = event_sender->now_ms;
	}
	return stuck_ms == LIMIT_OFF ||
	       event_sender->now_ms - event_stream->progress_ms < (int64_t)(stuck_ms & INT64_MAX);
}

static void event_stream_visit(struct event_stream *event_stream)
{
	struct event_sender *event_sender = event_stream->event_sender;
	DL_DELETE2(event_sender->first, event_stream, previous, next);
	list_append(event_sender, event_stream);
	if (event_stream->blocked) {
		if (!event_stream_progresses(event_stream)) {
			meter_add(METER_STUCK, 1);
			event_stream_close(event_stream);
		}
		return;
	}
	if (event_sender->http->config->limits.ping_ms == LIMIT_OFF)
		return;
	const char *ping = live_ping(event_stream->subscriber);
	size_t bytes = strlen(ping);
	ssize_t sent = send(event_stream->fd, ping, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
	/* All or nothing: half a ping cannot be undone. */
	if (sent != (ssize_t)bytes && !(sent < 0 && errno == EAGAIN))
		event_stream_close(event_stream);
}

/* ---- an event sender ---- */

static int64_t sleep_ms(const struct event_sender *event_sender, int64_t tick_ms)
{
	int64_t sleep = tick_ms;
	if (event_sender->first) {
		int64_t left = event_sender->first->due_ms - event_sender->now_ms;
		left = left > 0 ? left : 0;
		sleep = sleep < 0 || left < sleep ? left : sleep;
	}
	return sleep;
}

static int64_t event_sender_turn(struct event_sender *event_sender, int64_t wait_ms)
{
	struct epoll_event events[EVENTS];
	struct live *live = service_live(event_sender->http->service);
	int64_t tick_ms = -1;
	uint64_t woken;
	int count = epoll_wait(event_sender->epoll, events, EVENTS, (int)wait_ms);
	event_sender->now_ms = monotonic_ms();
	for (int i = 0; i < count; i++) {
		if (events[i].data.ptr)
			event_stream_ready(events[i].data.ptr, events[i].events);
		else if (read(live_wake_fd(live, event_sender->shard), &woken, sizeof woken) < 0)
			continue;
	}
	live_turn(live, event_sender->shard, &calls);
	for (int i = 0; i < PING_ROUND && event_sender->first; i++) {
		if (event_sender->first->due_ms > event_sender->now_ms)
			break;
		event_stream_visit(event_sender->first);
	}
	if (event_sender->shard == 0)
		tick_ms = live_tick(live, event_sender->now_ms);
	return sleep_ms(event_sender, tick_ms);
}

/* The clients go on at another server, or at the next process, behind the last event they have. */
static void event_streams_end(struct event_sender *event_sender)
{
	while (event_sender->first)
		event_stream_close(event_sender->first);
}

static void *event_sender_main(void *argument)
{
	struct event_sender *event_sender = argument;
	int64_t wait_ms = 0;
	while (!atomic_load(&event_sender->http->stop)) {
		wait_ms = event_sender_turn(event_sender, wait_ms);
		if (atomic_load(&event_sender->http->closing))
			event_streams_end(event_sender);
	}
	/* The last events and the last subscribers. */
	event_sender_turn(event_sender, 0);
	event_streams_end(event_sender);
	return NULL;
}

static bool event_sender_open(struct http *http, unsigned shard)
{
	struct event_sender *event_sender = &http->event_senders[shard];
	struct live *live = service_live(http->service);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
	event_sender->http = http;
	event_sender->shard = shard;
	event_sender->now_ms = monotonic_ms();
	event_sender->epoll = epoll_create1(EPOLL_CLOEXEC);
	event_sender->started =
		event_sender->epoll >= 0 &&
		epoll_ctl(event_sender->epoll, EPOLL_CTL_ADD, live_wake_fd(live, shard), &event) ==
			0 &&
		pthread_create(&event_sender->thread, NULL, event_sender_main, event_sender) == 0;
	if (!event_sender->started && event_sender->epoll >= 0)
		close(event_sender->epoll);
	return event_sender->started;
}

void event_senders_start(struct http *http, size_t count)
{
	while (http->event_sender_count < count && http->event_sender_count < LIVE_SHARDS &&
	       event_sender_open(http, (unsigned)http->event_sender_count))
		http->event_sender_count++;
}

void event_senders_stop(struct http *http)
{
	for (size_t i = 0; i < http->event_sender_count; i++)
		live_wake(service_live(http->service), (unsigned)i);
	for (size_t i = 0; i < http->event_sender_count; i++) {
		pthread_join(http->event_senders[i].thread, NULL);
		close(http->event_senders[i].epoll);
	}
	http->event_sender_count = 0;
}

size_t event_senders_watching(const struct http *http)
{
	size_t watching = 0;
	for (size_t i = 0; i < LIVE_SHARDS; i++)
		watching += atomic_load_explicit(&http->event_senders[i].watching,
						 memory_order_relaxed);
	return watching;
}

/* ---- new streams ---- */

/* The one with the fewest streams. */
static struct event_sender *event_sender_choose(struct http *http)
{
	struct event_sender *chosen = NULL;
	for (size_t i = 0; i < http->event_sender_count; i++)
		if (!chosen ||
		    atomic_load(&http->event_senders[i].watching) < atomic_load(&chosen->watching))
			chosen = &http->event_senders[i];
	return chosen;
}

static bool send_head(int fd, const struct request *request)
{
	struct buffer head = {0};
	char date[64];
	time_t now = time(NULL);
	struct tm parts;
	reply_head(&head, request, "OK");
	if (gmtime_r(&now, &parts) &&
	    strftime(date, sizeof date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts) > 0)
		buffer_text(&head, date);
	/* Otherwise nginx buffers events. */
	buffer_text(&head, "X-Accel-Buffering: no\r\n\r\n");
	bool sent = !head.failed && send(fd, head.bytes, head.length,
					 MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)head.length;
	buffer_free(&head);
	return sent;
}

/* Takes ownership of the descriptor and the subscriber; NULL if out of memory. */
static struct event_stream *event_stream_make(struct connection *connection, int fd)
{
	struct http *http = connection->loop->http;
	struct event_stream *event_stream = calloc(1, sizeof *event_stream);
	if (!event_stream) {
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
	event_stream->fd = fd;
	event_stream->event_sender = event_sender_choose(http);
	event_stream->subscriber = connection->request.reply.subscriber;
	event_stream->stream = connection->stream_address;
	event_stream->counted = connection->stream_count;
	connection->request.reply.subscriber = NULL;
	connection->stream_address = NULL;
	return event_stream;
}

static void event_stream_start(struct event_stream *event_stream)
{
	event_stream->started = true;
	atomic_fetch_add(&event_stream->event_sender->watching, 1);
	if (!event_stream->event_sender->http->tls)
		meter_add(METER_CONNECTIONS, 1);
	if (event_stream->stream)
		idler_list(event_stream->event_sender->http->streams, &event_stream->idler,
			   event_stream->stream, event_stream->fd);
	live_start(event_stream->subscriber, event_stream->event_sender->shard, event_stream);
}

void event_sender_seat(struct connection *connection)
{
	int fd = fcntl(connection->fd, F_DUPFD_CLOEXEC, 0);
	/* libmicrohttpd closes its descriptor and sends nothing more on it. */
	connection->cut = true;
	connection->request.reply.close = true;
	if (fd >= 0 && send_head(fd, &connection->request)) {
		struct event_stream *event_stream = event_stream_make(connection, fd);
		if (!event_stream)
			return;
		event_stream->address = connection->address;
		connection->address = NULL;
		event_stream_start(event_stream);
	} else if (fd >= 0) {
		close(fd);
	}
}

enum MHD_Result event_sender_tunnel(struct connection *connection)
{
	struct http *http = connection->loop->http;
	struct reply *reply = &connection->request.reply;
	int fd = -1;
	connection_wait(connection, WAIT_REPLY);
	reply->close = true; /* so that a stream that is closed for a newcomer makes room */
	struct MHD_Response *response = sse_tls_open(connection, &fd);
	struct event_stream *event_stream = response ? event_stream_make(connection, fd) : NULL;
	if (!event_stream || !reply_add_fields(response, reply, connection->request.id)) {
		if (event_stream)
			event_stream_close(event_stream);
		if (response)
			MHD_destroy_response(response);
		return MHD_queue_response(connection->mhd, MHD_HTTP_SERVICE_UNAVAILABLE,
					  http->out_of_memory);
	}
	connection->watches = true;
	count_add(&connection->loop->serving, (size_t)-1);
	enum MHD_Result result = MHD_queue_response(connection->mhd, reply->status, response);
	MHD_destroy_response(response);
	event_stream_start(event_stream);
	return result;
}
