/* connections.c: connections and their deadlines.
 *
 * libmicrohttpd owns the socket and knows only inactivity, which a byte a second defeats. Here each
 * connection is in the list of what it waits for. All in a list have the same timeout, so the first
 * expires first, and only expired ones are visited. They are only shut down: libmicrohttpd then
 * sees the end of the stream and cleans up. */
#include "server/api/serve.h"
#include "server/http/event_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h> /* its tcp_info is longer than libc's */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "server/util/log.h"
#include "server/util/meters.h"

/* Tolerance between the kernel's clock and ours for "data came after the connection was idle". */
#define CLOCK_SLACK_MS 40
/* The number of checks of an unread reply before its connection is closed. */
#define REPLY_PARTS 4
/* TCP_ESTABLISHED of <netinet/tcp.h>, which conflicts with <linux/tcp.h>. */
#define ESTABLISHED 1

static int64_t interval(uint64_t ms)
{
	if (ms == LIMIT_OFF || ms > INT64_MAX / 2)
		return 0;
	return ms ? (int64_t)ms : 1;
}

void deadlines_init(struct loop *loop)
{
	const struct limits *limits = &loop->http->config->limits;
	int64_t head = interval(limits->header_ms), idle = interval(limits->idle_ms);
	loop->deadlines[WAIT_HEAD].interval_ms = head;
	loop->deadlines[WAIT_BODY].interval_ms = interval(limits->body_ms);
	loop->deadlines[WAIT_REPLY].interval_ms = idle ? (idle + REPLY_PARTS - 1) / REPLY_PARTS : 0;
	/* An idle connection is checked every `head`, in equal parts, for the begin of a
	 * request. */
	int64_t parts = idle && head ? (idle + head - 1) / head : 1;
	loop->deadlines[WAIT_IDLE].interval_ms = idle ? (idle + parts - 1) / parts : head;
}

static void list_remove(struct connection *connection)
{
	DL_DELETE2(connection->loop->deadlines[connection->waiting].first, connection, previous,
		   next);
}

static void list_append(struct connection *connection, enum waiting waiting)
{
	struct deadline *list = &connection->loop->deadlines[waiting];
	connection->waiting = waiting;
	connection->due_ms = connection->loop->now_ms + list->interval_ms;
	DL_APPEND2(list->first, connection, previous, next);
}

static void list_again(struct connection *connection)
{
	list_remove(connection);
	list_append(connection, connection->waiting);
}

void connection_wait(struct connection *connection, enum waiting waiting)
{
	const int64_t now_ms = connection->loop->now_ms;
	if (connection->waiting == WAIT_REPLY)
		connection->unread_ms += now_ms - connection->entered_ms;
	connection->entered_ms = now_ms;
	connection->since_ms = now_ms;
	connection->acknowledged = UINT64_MAX;
	idler_unlist(connection->loop->http->addresses, &connection->idler);
	list_remove(connection);
	list_append(connection, waiting);
}

void connection_wait_reply(struct connection *connection)
{
	connection_wait(connection, WAIT_REPLY);
	connection->rated = UINT64_MAX;
	connection->unread_ms = 0;
	connection->patience_ms = interval(connection->loop->http->config->limits.idle_ms);
}

void connection_shut(struct connection *connection)
{
	connection->cut = true;
	shutdown(connection->fd, SHUT_RDWR);
	connection_wait(connection, WAIT_SERVICE);
}

static void connection_cut(struct connection *connection)
{
	meter_add(METER_CUT, 1);
	connection_shut(connection);
}

static bool connection_info(const struct connection *connection, struct tcp_info *info)
{
	socklen_t length = sizeof *info;
	*info = (struct tcp_info){0};
	return getsockopt(connection->fd, IPPROTO_TCP, TCP_INFO, info, &length) == 0;
}

/* Returns true if data arrived since the connection became idle. Unknown for a Unix socket: there
 * the head of a second request has as long as an idle connection. */
static bool begins(const struct connection *connection, int64_t idle_ms,
		   const struct tcp_info *info)
{
	return !connection->local && connection->loop->deadlines[WAIT_HEAD].interval_ms &&
	       idle_ms - info->tcpi_last_data_recv > CLOCK_SLACK_MS;
}

static void go_on_idling(struct connection *connection)
{
	list_again(connection);
	if (connection->stage == STAGE_NONE)
		idler_list(connection->loop->http->addresses, &connection->idler,
			   connection->address, connection->fd);
}

static void check_idle(struct connection *connection)
{
	const struct loop *loop = connection->loop;
	int64_t idle_ms = loop->now_ms - connection->since_ms;
	struct tcp_info info;
	if (!connection->local && !connection_info(connection, &info)) {
		connection_cut(connection);
		return;
	}
	/* Bytes came since the last answer, but no complete head: from now on the head's deadline
	 * runs. */
	if (begins(connection, idle_ms, &info))
		connection_wait(connection, WAIT_HEAD);
	else if (loop->http->config->limits.idle_ms != LIMIT_OFF &&
		 idle_ms >= interval(loop->http->config->limits.idle_ms))
		connection_cut(connection);
	else
		go_on_idling(connection);
}

/* Counts the bytes of our answers that the client has taken; for a Unix socket, how often it made
 * room. */
static bool count_received(struct connection *connection, uint64_t *taken)
{
	struct tcp_info info;
	if (connection->local) {
		*taken = departure_count_room(connection);
		return true;
	}
	bool known = connection_info(connection, &info);
	*taken = info.tcpi_bytes_acked;
	return known;
}

/* Returns true if an answer is read fast enough on average: acknowledged bytes buy time, up to
 * idle_ms, and time in which the client could have read is subtracted. Bytes in our kernel do not
 * count as read. */
static bool read_fast_enough(struct connection *connection, uint64_t acknowledged)
{
	const struct limits *limits = &connection->loop->http->config->limits;
	const int64_t now_ms = connection->loop->now_ms, most_ms = interval(limits->idle_ms);
	const int64_t unread_ms = connection->unread_ms + now_ms - connection->entered_ms;
	const uint64_t before = connection->rated;
	connection->rated = acknowledged;
	connection->entered_ms = now_ms;
	connection->unread_ms = 0;
	/* Unknown for a Unix socket. */
	if (limits->read_rate == LIMIT_OFF || connection->local || connection->watches ||
	    before == UINT64_MAX)
		return true;
	const uint64_t bought_ms = (acknowledged - before) * 1000 / limits->read_rate;
	connection->patience_ms -= unread_ms;
	if (bought_ms > (uint64_t)most_ms || connection->patience_ms + (int64_t)bought_ms > most_ms)
		connection->patience_ms = most_ms;
	else
		connection->patience_ms += (int64_t)bought_ms;
	return connection->patience_ms >= 0;
}

static void check_reply(struct connection *connection)
{
	const struct loop *loop = connection->loop;
	uint64_t taken;
	if (!count_received(connection, &taken)) {
		connection_cut(connection);
		return;
	}
	if (!read_fast_enough(connection, taken)) {
		connection_cut(connection);
	} else if (connection->acknowledged != taken) {
		connection->acknowledged = taken;
		connection->since_ms = loop->now_ms;
		list_again(connection);
	} else if (loop->now_ms - connection->since_ms >=
		   interval(loop->http->config->limits.idle_ms)) {
		connection_cut(connection);
	} else {
		list_again(connection);
	}
}

void connection_wait_piece(struct connection *connection)
{
	connection_wait(connection, WAIT_REPLY);
	/* A connection whose pieces are read in less time never reaches the front of the list. */
	const int64_t interval_ms = connection->loop->deadlines[WAIT_REPLY].interval_ms;
	if (interval_ms && connection->unread_ms >= interval_ms)
		check_reply(connection);
}

void deadlines_reap(struct loop *loop)
{
	for (enum waiting waiting = 0; waiting < WAIT_COUNT; waiting++) {
		struct deadline *list = &loop->deadlines[waiting];
		while (list->interval_ms && list->first && list->first->due_ms <= loop->now_ms) {
			if (waiting == WAIT_IDLE)
				check_idle(list->first);
			else if (waiting == WAIT_REPLY)
				check_reply(list->first);
			else
				connection_cut(list->first);
		}
	}
}

bool connection_left(const struct connection *connection)
{
	struct tcp_info info;
	if (connection->local)
		return local_left(connection->fd);
	return !connection_info(connection, &info) || info.tcpi_state != ESTABLISHED;
}

void connections_left(struct loop *loop)
{
	struct connection *next;
	for (struct connection *at = loop->deadlines[WAIT_SERVICE].first; at; at = next) {
		next = at->next;
		if (at->suspended && loop->now_ms - at->since_ms >= LEAVING_MS &&
		    atomic_load_explicit(&at->request.heeds_leaving, memory_order_relaxed) &&
		    connection_left(at))
			serve_left(loop->http->service, &at->request);
	}
}

static bool receives(const struct connection *connection)
{
	const struct receiver *receiver = &connection->receiver;
	int unread = 0;
	return connection->stage == STAGE_HEAD || connection->stage == STAGE_BODY ||
	       receiver->held.length > 0 || receiver->taken != receiver->passed ||
	       (ioctl(connection->fd, FIONREAD, &unread) == 0 && unread > 0);
}

void connections_count_receiving(struct loop *loop)
{
	static const enum waiting for_client[] = {WAIT_IDLE, WAIT_HEAD, WAIT_BODY};
	size_t count = 0;
	for (size_t i = 0; i < sizeof for_client / sizeof for_client[0]; i++)
		for (const struct connection *at = loop->deadlines[for_client[i]].first; at;
		     at = at->next)
			count += receives(at);
	atomic_store(&loop->receiving, count);
}

/* Any sleeping loop takes what the service has finished: the first loop always, the others while
 * they have connections. */
static void count_open(struct loop *loop, int change)
{
	bool any = loop->open > 0;
	loop->open += (size_t)change;
	if (loop == &loop->http->loops[0] || any == (loop->open > 0))
		return;
	if (any)
		loop_leave_service(loop);
	else if (!loop_watch_service(loop))
		log_event(LOG_WARNING, "a loop leaves finished work to the others",
			  LOG_TEXT("error", strerror(errno)));
}

static void connection_free(struct connection *connection)
{
	meter_add(METER_CONNECTIONS, (uint64_t)-1);
	count_open(connection->loop, -1);
	list_remove(connection);
	receive_forget(connection);
	departure_forget(connection);
	idler_unlist(connection->loop->http->addresses, &connection->idler);
	address_leave(connection->loop->http->addresses, connection->address);
	streams_leave(connection->loop->http, connection->stream_address, connection->stream_count);
	atomic_fetch_sub(&connection->loop->connections, 1);
	receiver_finish(&connection->receiver);
	connection->closed = true;
	/* While the service works on the request, the memory stays: see exchange_arrived(). */
	if (!connection->awaited)
		free(connection);
}

/* The client gets an answer, and the arrival is over. */
static void arrival_refuse(struct loop *loop, const struct arrival *arrival)
{
	atomic_fetch_sub(&loop->connections, 1);
	address_leave(loop->http->addresses, arrival->address);
	raw_send(arrival->fd, &loop->http->refuse_total);
	close(arrival->fd);
}

void connection_add(struct loop *loop, const struct arrival *arrival)
{
	struct connection *connection = calloc(1, sizeof *connection);
	if (!connection) {
		arrival_refuse(loop, arrival);
		return;
	}
	connection->loop = loop;
	connection->fd = arrival->fd;
	connection->address = arrival->address;
	connection->request.peer = arrival->peer;
	connection->request.local = arrival->local;
	connection->local = arrival->name.ss_family == AF_UNIX;
	if (!receive_register(connection)) {
		free(connection);
		arrival_refuse(loop, arrival);
		return;
	}
	meter_add(METER_CONNECTIONS, 1);
	count_open(loop, 1);
	list_append(connection, WAIT_HEAD);
	DL_APPEND2(loop->arriving, connection, arriving_previous, arriving_next);
	loop->run_daemon = true;
	departure_watch(connection);
	/* If it fails, it closes the descriptor and does not start the connection. */
	(void)MHD_add_connection(loop->daemon, arrival->fd, (const struct sockaddr *)&arrival->name,
				 arrival->name_length);
}

void connections_run(struct loop *loop)
{
	struct connection *next;
	MHD_run(loop->daemon);
	for (struct connection *failed = loop->arriving; failed; failed = next) {
		next = failed->arriving_next;
		connection_free(failed);
	}
	loop->arriving = NULL;
}

static void connection_closed(struct connection *connection)
{
	int unread = 0;
	if (!connection->cut &&
	    (connection->linger || (ioctl(connection->fd, FIONREAD, &unread) == 0 && unread > 0))) {
		int fd = fcntl(connection->fd, F_DUPFD_CLOEXEC, 0);
		if (fd >= 0)
			lingering_close_add(connection->loop, fd);
	}
	connection_free(connection);
}

void connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
		       enum MHD_ConnectionNotificationCode code)
{
	struct loop *loop = context;
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *info =
			MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
		struct connection *connection = receive_connection(info->connect_fd);
		*socket_context = connection;
		connection->mhd = mhd;
		DL_DELETE2(loop->arriving, connection, arriving_previous, arriving_next);
	} else if (*socket_context) {
		connection_closed(*socket_context);
		*socket_context = NULL;
	}
}
