/* loop.c: the one loop: sockets, libmicrohttpd, the service, signals, the reaper.
 *
 * libmicrohttpd's own epoll thread waits for ever when a multiple of 128 events is ready at once.
 * In external mode, with its epoll descriptor inside ours and MHD_run, it does not. */
#include "server/http/internal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "server/util/log.h"

#define EVENTS 64
/* What a stop may take, so that the process is gone within a second. */
#define DRAIN_MS 800

/* Handlers have no argument: the descriptor that a signal writes to. An eventfd, and not a
 * signalfd, because threads that were started before us do not block the signals. */
static int signal_wake = -1;

static void on_signal(int number)
{
	int error = errno;
	ssize_t written = write(signal_wake, &(uint64_t){1}, sizeof(uint64_t));
	(void)number;
	(void)written;
	errno = error;
}

static int64_t clock_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool loop_watch(struct http *http, struct watch *watch, int fd,
		void (*ready)(struct http *, struct watch *))
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = watch};
	*watch = (struct watch){.ready = ready, .fd = fd};
	return epoll_ctl(http->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void daemon_ready(struct http *http, struct watch *watch)
{
	(void)watch;
	http->run_daemon = true;
}

static void service_ready(struct http *http, struct watch *watch)
{
	(void)watch;
	service_poll(http->service);
}

static void signal_ready(struct http *http, struct watch *watch)
{
	uint64_t count;
	ssize_t length = read(watch->fd, &count, sizeof count);
	(void)length;
	http->stop = true;
}

static bool catch_signals(struct http *http)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction stop = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	signal_wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return signal_wake >= 0 &&
	       loop_watch(http, &http->signal_watch, signal_wake, signal_ready) &&
	       sigaction(SIGPIPE, &ignore, NULL) == 0 && sigaction(SIGTERM, &stop, NULL) == 0 &&
	       sigaction(SIGINT, &stop, NULL) == 0;
}

bool loop_open(struct http *http)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	http->now_ms = clock_ms();
	return info && loop_watch(http, &http->daemon_watch, info->epoll_fd, daemon_ready) &&
	       loop_watch(http, &http->service_watch, service_wake_fd(http->service),
			  service_ready) &&
	       catch_signals(http);
}

void loop_close(struct http *http)
{
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	if (signal_wake >= 0)
		close(signal_wake);
	signal_wake = -1;
	if (http->epoll >= 0)
		close(http->epoll);
}

static void tick(struct http *http)
{
	http->tick_ms = http->now_ms + TICK_MS;
	deadlines_reap(http);
	linger_reap(http, false);
	listen_resume(http);
}

/* What the loop may sleep; -1 for ever. */
static int64_t sleep_ms(const struct http *http, int64_t max_ms)
{
	MHD_UNSIGNED_LONG_LONG daemon_ms;
	int64_t sleep = max_ms;
	if (http->run_daemon)
		return 0;
	if (http->connection_count > 0 || http->linger_count > 0 || http->paused) {
		int64_t left = http->tick_ms > http->now_ms ? http->tick_ms - http->now_ms : 0;
		if (sleep < 0 || left < sleep)
			sleep = left;
	}
	if (MHD_get_timeout(http->daemon, &daemon_ms) == MHD_YES &&
	    (sleep < 0 || daemon_ms < (uint64_t)sleep))
		sleep = (int64_t)daemon_ms;
	return sleep;
}

static void turn(struct http *http, int64_t max_ms)
{
	struct epoll_event events[EVENTS];
	int64_t sleep = sleep_ms(http, max_ms);
	/* Asked for by libmicrohttpd at once: data that it has read already. */
	if (sleep == 0)
		http->run_daemon = true;
	int count = epoll_wait(http->epoll, events, EVENTS, (int)sleep);
	http->now_ms = clock_ms();
	for (int i = 0; i < count; i++) {
		struct watch *watch = events[i].data.ptr;
		watch->ready(http, watch);
	}
	if (http->run_daemon) {
		http->run_daemon = false;
		MHD_run(http->daemon);
	}
	if (http->now_ms >= http->tick_ms)
		tick(http);
}

/* Lets what the service has been given be answered and leave; new connections are not taken. */
static void drain(struct http *http)
{
	log_event(LOG_INFO, "stopping", LOG_NUMBER("connections", http->connection_count),
		  LOG_NUMBER("requests", http->serving));
	int64_t end_ms = http->now_ms + DRAIN_MS;
	http->draining = true;
	listen_close(http);
	service_stop(http->service);
	while ((http->serving > 0 || service_pending(http->service) > 0) && http->now_ms < end_ms)
		turn(http, end_ms - http->now_ms);
}

int http_run(struct http *http)
{
	http->tick_ms = http->now_ms;
	while (!http->stop)
		turn(http, -1);
	drain(http);
	return 0;
}
