/* loop.c: a loop: sockets, libmicrohttpd, the service, deadlines.
 *
 * libmicrohttpd's own epoll thread hangs if a multiple of 128 events is ready at once. In external
 * mode, with its epoll descriptor inside ours and MHD_run(), it does not. */
#include "server/http/event_streams.h"

#include <sys/epoll.h>
#include <unistd.h>

#include "server/api/request_log.h"
#include "server/util/awake.h"
#include "server/util/monotonic.h"

#define EVENTS 64
/* The time that libmicrohttpd waits for its turn if it is unknown if it has something to do. */
#define AWAIT_MS 1
/* The time between two looks for room for an arrival that is held. */
#define HELD_MS 1

static void read_clock(struct loop *loop)
{
	loop->now_ns = monotonic_ns();
	loop->now_ms = (int64_t)(loop->now_ns / 1000000u);
}

static bool watch_events(struct loop *loop, struct watch *watch, int fd, uint32_t events,
			 void (*ready)(struct loop *, struct watch *))
{
	struct epoll_event event = {.events = events, .data.ptr = watch};
	*watch = (struct watch){.ready = ready, .fd = fd};
	return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool loop_watch(struct loop *loop, struct watch *watch, int fd,
		void (*ready)(struct loop *, struct watch *))
{
	return watch_events(loop, watch, fd, EPOLLIN, ready);
}

static void daemon_ready(struct loop *loop, struct watch *watch)
{
	(void)watch;
	loop->run_daemon = true;
}

static void service_ready(struct loop *loop, struct watch *watch)
{
	(void)watch;
	service_poll(loop->http->service);
}

bool loop_open(struct loop *loop)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	read_clock(loop);
	loop->tick_ms = loop->now_ms;
	return info && loop_watch(loop, &loop->daemon_watch, info->epoll_fd, daemon_ready) &&
	       (loop != &loop->http->loops[0] || loop_watch_service(loop));
}

bool loop_watch_service(struct loop *loop)
{
	return watch_events(loop, &loop->service_watch, service_wake_fd(loop->http->service),
			    EPOLLIN | EPOLLEXCLUSIVE, service_ready);
}

void loop_leave_service(struct loop *loop)
{
	epoll_ctl(loop->epoll, EPOLL_CTL_DEL, loop->service_watch.fd, NULL);
}

void loop_close(struct loop *loop)
{
	if (loop->epoll >= 0)
		close(loop->epoll);
}

static void loop_tick(struct loop *loop)
{
	loop->tick_ms = loop->now_ms + TICK_MS;
	service_tick(loop->http->service);
	deadlines_reap(loop);
	departures_reap(loop);
	connections_left(loop);
	sse_tls_end_left(loop);
	lingering_close_reap(loop, false);
	if (loop == &loop->http->loops[0]) {
		listen_resume(loop->http);
		admission_tick(loop->http);
	}
}

/* Returns the time that the loop may sleep; -1: without limit. */
static int64_t sleep_ms(const struct loop *loop, int64_t max_ms)
{
	MHD_UNSIGNED_LONG_LONG daemon_ms;
	int64_t sleep = max_ms;
	bool ticks = atomic_load_explicit(&loop->connections, memory_order_relaxed) > 0 ||
		     loop->linger_count > 0 ||
		     (loop == &loop->http->loops[0] &&
		      (loop->http->paused || request_log_has_left_out() ||
		       admission_remembers_crowd(loop->http)));
	if (loop->run_daemon)
		return 0;
	if (loop == &loop->http->loops[0] && loop->http->holding && (sleep < 0 || sleep > HELD_MS))
		sleep = HELD_MS;
	if (ticks) {
		int64_t left = loop->tick_ms > loop->now_ms ? loop->tick_ms - loop->now_ms : 0;
		if (sleep < 0 || left < sleep)
			sleep = left;
	}
	if (MHD_get_timeout(loop->daemon, &daemon_ms) == MHD_YES) {
		/* For libmicrohttpd, connections that await an answer are always ready; the inbox
		 * reports the answer. But others may be ready as well. */
		if (daemon_ms == 0 && loop->awaiting > 0)
			daemon_ms = AWAIT_MS;
		if (sleep < 0 || daemon_ms < (uint64_t)sleep)
			sleep = (int64_t)daemon_ms;
	}
	return sleep;
}

/* Like epoll_wait(), but polls at first if connections of this loop await a large commit. */
static int wait_events(const struct loop *loop, struct epoll_event *events, int64_t sleep)
{
	if (sleep != 0 && loop->awaiting > 0 && service_writes(loop->http->service) >= AWAKE_MANY) {
		uint64_t end = monotonic_ns() + AWAKE_NS;
		while (awake_until(end)) {
			int count = epoll_wait(loop->epoll, events, EVENTS, 0);
			if (count != 0)
				return count;
		}
	}
	return epoll_wait(loop->epoll, events, EVENTS, (int)sleep);
}

void loop_turn(struct loop *loop, int64_t max_ms)
{
	struct epoll_event events[EVENTS];
	int64_t sleep = sleep_ms(loop, max_ms);
	int count = wait_events(loop, events, sleep);
	/* libmicrohttpd asked for it, for example for data that it has read already. */
	if (sleep == 0 || count <= 0)
		loop->run_daemon = true;
	read_clock(loop);
	for (int i = 0; i < count; i++) {
		struct watch *watch = events[i].data.ptr;
		watch->events = events[i].events;
		watch->ready(loop, watch);
	}
	if (loop->run_daemon) {
		loop->run_daemon = false;
		connections_run(loop);
	}
	service_flush(loop->http->service);
	if (loop == &loop->http->loops[0])
		admission_retry(loop->http);
	if (loop->now_ms >= loop->tick_ms)
		loop_tick(loop);
	if (atomic_load_explicit(&loop->http->closing, memory_order_relaxed))
		connections_count_receiving(loop);
}
