/* http.c: opens, runs and closes the server on the network: the loops, and the signals that stop
 * them. */
#include "server/http/http.h"
#include "server/http/event_streams.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/api/steps/origin.h"
#include "server/http/tls.h"
#include "server/util/log.h"
#include "server/util/meters.h"
#include "server/util/notify.h"
#include "server/util/process_usage.h"

/* Descriptors for the store and the log; and for a loop, with its lingering connections. */
#define DESCRIPTORS_RESERVED 64
#define DESCRIPTORS_LOOP (8 + LINGER_MAX)
/* More are not used: receive.c has a table of them. */
#define DESCRIPTORS_MAX ((rlim_t)1 << 20)
/* By default one loop for two cores, at most this many, takes connections from the first one on; as
 * many again when those are full (admission.c). The other cores are for the writer, the readers and
 * the workers, and the sessions have one lock. */
#define LOOPS_USUAL 4
/* The time in which running requests must be finished, so that the process ends within a second; as long
 * as --drain-ms, if that is longer. */
#define FINISH_MS 800
/* The time after which searches are cancelled meanwhile: short ones have ended by then. */
#define SEARCHES_MS 300
/* The time for which idle connections stay open meanwhile: a request may be on its way, which gets an answer
 * that closes its connection. */
#define IDLE_MS 100
/* The time between two checks of the other loops meanwhile. */
#define LOOK_MS 10
/* The time that a service manager must grant beside --drain-ms, to finish requests and to close the store. */
#define CLOSE_STORE_MS 15000
/* A connection's memory in libmicrohttpd: what it reads at a time, and the head of an answer. It
 * clears one and a half times as much for each request: twice 12 KB cost 0.8 us more. */
#define POOL_BYTES 8192
/* 1.2 and 1.3; no key exchange without forward secrecy, no CBC with HMAC-SHA1. */
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-SHA1"
/* libmicrohttpd's own limits must not be reached: it stops accepting there. */
#define DAEMON_SPARE 64

static size_t leave_text_alone(void *context, struct MHD_Connection *mhd, char *text)
{
	(void)context;
	(void)mhd;
	return strlen(text);
}

static void on_panic(void *context, const char *file, unsigned line, const char *reason)
{
	(void)context;
	log_event(LOG_ERROR, "libmicrohttpd panics", LOG_TEXT("file", file),
		  LOG_NUMBER("line", line), LOG_TEXT("reason", reason));
	abort();
}

/* The configured number of connections, or as many as there are descriptors for. */
static size_t fit_connections(const struct config *config, size_t loops)
{
	const uint64_t reserved = DESCRIPTORS_RESERVED + loops * DESCRIPTORS_LOOP;
	struct rlimit files;
	uint64_t wanted = config->limits.connections, room = 1024;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur =
			files.rlim_max < DESCRIPTORS_MAX ? files.rlim_max : DESCRIPTORS_MAX;
		setrlimit(RLIMIT_NOFILE, &files);
		getrlimit(RLIMIT_NOFILE, &files);
		room = files.rlim_cur;
	}
	room = room > 2 * reserved ? room - reserved : room / 2;
	uint64_t max = wanted < room ? wanted : room;
	/* libmicrohttpd counts in an unsigned int. */
	if (max > 1 << 30)
		max = 1 << 30;
	log_event(wanted != LIMIT_OFF && max < wanted ? LOG_WARNING : LOG_INFO, "connections",
		  LOG_NUMBER("most", max), LOG_NUMBER("open_files", files.rlim_cur));
	return (size_t)max;
}

/* Returns the number of loops, and how many of them take connections from the first one on. */
static size_t choose_loops(const struct config *config, size_t *first)
{
	const size_t cores = process_cores();
	if (config->loops > 0)
		return *first = config->loops < LOOPS_MAX ? config->loops : LOOPS_MAX;
	*first = cores / 2 < LOOPS_USUAL ? cores / 2 : LOOPS_USUAL;
	if (cores < 2)
		*first = 1;
	return cores < 2 * *first ? cores : 2 * *first;
}

static struct MHD_Daemon *daemon_start(struct loop *loop)
{
	unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;
	/* Turbo: the daemon closes sockets and does not shut them down, see event_sender.c. */
	flags |= loop->http->tls ? MHD_USE_TLS : MHD_USE_TURBO;
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(uintptr_t)tls_retrieve},
		{MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)TLS_PRIORITIES},
		{MHD_OPTION_END, 0, NULL},
	};
	if (!loop->http->tls)
		tls[0].option = MHD_OPTION_END;
	unsigned most = (unsigned)(loop->http->connection_max + DAEMON_SPARE);
	/* clang-format off */
	return MHD_start_daemon(flags, 0, NULL, NULL, exchange_handle, loop,
	                        MHD_OPTION_NOTIFY_CONNECTION, connection_notify, loop,
	                        MHD_OPTION_URI_LOG_CALLBACK, exchange_target, loop,
	                        MHD_OPTION_NOTIFY_COMPLETED, exchange_completed, loop,
	                        MHD_OPTION_UNESCAPE_CALLBACK, leave_text_alone, NULL,
	                        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES,
	                        MHD_OPTION_CONNECTION_LIMIT, most,
	                        MHD_OPTION_CONNECTION_TIMEOUT, 0u,
	                        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	                        MHD_OPTION_ARRAY, tls,
	                        MHD_OPTION_END);
	/* clang-format on */
}

/* The descriptor that a signal handler writes to. An eventfd, and not a signalfd, because threads
 * started earlier do not block the signals. */
static int signal_wake = -1;

static volatile sig_atomic_t signal_stops, signal_reloads;

static void on_signal(int number)
{
	int error = errno;
	if (number == SIGHUP)
		signal_reloads = 1;
	else
		signal_stops = 1;
	ssize_t written = write(signal_wake, &(uint64_t){1}, sizeof(uint64_t));
	(void)written;
	errno = error;
}

/* For new connections. */
static void reload_certificate(const struct config *config)
{
	struct error error = {0};
	if (tls_load(config->tls_cert, config->tls_key, &error))
		log_event(LOG_INFO, "the certificate was read again",
			  LOG_TEXT("path", config->tls_cert));
	else
		log_event(LOG_ERROR, "the certificate stays as it was",
			  LOG_TEXT("problem", error.text));
}

static void signal_ready(struct loop *loop, struct watch *watch)
{
	uint64_t count;
	ssize_t length = read(watch->fd, &count, sizeof count);
	(void)length;
	if (signal_stops) {
		signal_stops = 0;
		loop->http->signals++;
	}
	if (signal_reloads) {
		signal_reloads = 0;
		reload_certificate(loop->http->config);
	}
}

static bool catch_signals(struct http *http)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction stop = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	signal_stops = signal_reloads = 0;
	if (http->tls && sigaction(SIGHUP, &stop, NULL) != 0)
		return false;
	signal_wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return signal_wake >= 0 &&
	       loop_watch(&http->loops[0], &http->signal_watch, signal_wake, signal_ready) &&
	       sigaction(SIGPIPE, &ignore, NULL) == 0 && sigaction(SIGTERM, &stop, NULL) == 0 &&
	       sigaction(SIGINT, &stop, NULL) == 0;
}

static void release_signals(void)
{
	signal(SIGHUP, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	if (signal_wake >= 0)
		close(signal_wake);
	signal_wake = -1;
}

/* All of a loop but its thread. */
static bool loop_prepare(struct http *http, struct loop *loop)
{
	loop->http = http;
	loop->inbox.watch.fd = -1;
	deadlines_init(loop);
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	http->loop_count++;
	if (loop->epoll < 0 || !inbox_open(loop))
		return false;
	loop->daemon = daemon_start(loop);
	return loop->daemon && loop_open(loop);
}

static bool http_prepare(struct http *http)
{
	size_t loops = choose_loops(http->config, &http->loops_first);
	http->connection_max = fit_connections(http->config, loops);
	meter_add(METER_CONNECTIONS_LIMIT, http->connection_max);
	http->addresses = address_table_create(ADDRESSES_OF_CONNECTIONS);
	MHD_set_panic_func(on_panic, NULL);
	http->streams = address_table_create(ADDRESSES_OF_STREAMS);
	http->default_origin = origin_default(http->config);
	if (!receive_open() || !http->addresses || !http->streams || !reply_open(http))
		return false;
	while (http->loop_count < loops)
		if (!loop_prepare(http, &http->loops[http->loop_count]))
			return false;
	return catch_signals(http);
}

struct http *http_open(const struct config *config, struct service *service, struct error *error)
{
	struct http *http = calloc(1, sizeof *http);
	if (!http) {
		error_set(error, "Cannot start: out of memory.");
		return NULL;
	}
	http->config = config;
	http->service = service;
	http->tls = config->tls_cert != NULL;
	if (http->tls && !tls_load(config->tls_cert, config->tls_key, error)) {
		free(http);
		return NULL;
	}
	if (!http_prepare(http)) {
		error_set(error, "Cannot start: out of memory or file descriptors.");
		http_close(http);
		return NULL;
	}
	if (!library_check(&http->loops[0], error) || !listen_open(http, error)) {
		http_close(http);
		return NULL;
	}
	return http;
}

uint16_t http_port(const struct http *http)
{
	return http->port;
}

static void *loop_main(void *argument)
{
	struct loop *loop = argument;
	while (!atomic_load(&loop->http->stop))
		loop_turn(loop, -1);
	return NULL;
}

/* A loop whose thread cannot be created gets no connections. */
static void loops_start(struct http *http)
{
	for (http->running = 1; http->running < http->loop_count; http->running++) {
		struct loop *loop = &http->loops[http->running];
		loop->started = pthread_create(&loop->thread, NULL, loop_main, loop) == 0;
		if (!loop->started)
			break;
	}
	if (http->loops_first > http->running)
		http->loops_first = http->running;
	event_senders_start(http, http->running);
	log_event(LOG_INFO, "loops", LOG_NUMBER("running", http->running));
}

static void loops_stop(struct http *http)
{
	atomic_store(&http->stop, true);
	for (size_t i = 1; i < http->loop_count; i++) {
		struct loop *loop = &http->loops[i];
		if (!loop->started)
			continue;
		inbox_wake(loop);
		pthread_join(loop->thread, NULL);
		loop->started = false;
	}
	event_senders_stop(http);
}

static size_t count_receiving(const struct http *http)
{
	size_t receiving = 0;
	for (size_t i = 0; i < http->running; i++)
		receiving += atomic_load(&http->loops[i].receiving);
	return receiving;
}

static size_t count_serving(const struct http *http)
{
	size_t serving = 0;
	for (size_t i = 0; i < http->loop_count; i++)
		serving += atomic_load_explicit(&http->loops[i].serving, memory_order_relaxed);
	return serving;
}

/* Goes on as before, so that a load balancer can ask /readyz and send new requests elsewhere. */
static void http_drain(struct http *http)
{
	struct loop *loop = &http->loops[0];
	const int64_t drain_ms = http->config->drain_ms, end_ms = loop->now_ms + drain_ms;
	notify_manager("STOPPING=1\nSTATUS=Finishing what runs.\nEXTEND_TIMEOUT_USEC=%lld",
		       (long long)(2 * drain_ms + CLOSE_STORE_MS) * 1000);
	service_drain(http->service);
	if (drain_ms > 0)
		log_event(LOG_INFO, "draining", LOG_NUMBER("drain_ms", http->config->drain_ms));
	while (http->signals < 2 && loop->now_ms < end_ms)
		loop_turn(loop, end_ms - loop->now_ms);
}

static bool is_answered(const struct http *http)
{
	return count_serving(http) == 0 && count_receiving(http) == 0;
}

/* Serves until nothing is under way and, before `idle_ms`, nothing is open; or until `end_ms`. */
static void finish_until(struct http *http, int64_t idle_ms, int64_t end_ms,
			 size_t (*unfinished)(const struct service *service))
{
	struct loop *loop = &http->loops[0];
	while (http->signals < 2 && loop->now_ms < end_ms &&
	       (unfinished(http->service) > 0 || !is_answered(http) ||
		(loop->now_ms < idle_ms && count_connections(http) > 0))) {
		for (size_t i = 1; i < http->running; i++)
			inbox_wake(&http->loops[i]);
		loop_turn(loop, LOOK_MS);
	}
}

/* Accepts no new connections, and lets open ones have one more answer. */
static void http_finish(struct http *http)
{
	struct loop *loop = &http->loops[0];
	log_event(LOG_INFO, "stopping", LOG_NUMBER("requests", count_serving(http)));
	const int64_t now_ms = loop->now_ms, drain_ms = http->config->drain_ms;
	listen_take_rest(http);
	listen_close(http);
	for (size_t i = 0; i < http->running; i++)
		atomic_store(&http->loops[i].receiving, 1); /* until it has counted */
	atomic_store(&http->closing, true);
	for (size_t i = 0; i < http->event_sender_count; i++)
		live_wake(service_live(http->service), (unsigned)i);
	service_end_polls(http->service);
	finish_until(http, now_ms + IDLE_MS, now_ms + SEARCHES_MS, service_pending);
	service_stop(http->service);
	finish_until(http, now_ms, now_ms + (drain_ms > FINISH_MS ? drain_ms : FINISH_MS),
		     service_unfinished);
}

int http_run(struct http *http)
{
	loops_start(http);
	while (http->signals == 0)
		loop_turn(&http->loops[0], -1);
	http_drain(http);
	http_finish(http);
	loops_stop(http);
	return 0;
}

static void loop_finish(struct loop *loop)
{
	/* No connection may be left suspended. */
	inbox_drain(loop);
	sse_tls_resume_all(loop);
	if (loop->daemon)
		MHD_stop_daemon(loop->daemon);
	lingering_close_reap(loop, true);
	response_pool_empty(&loop->response_pool);
	inbox_close(loop);
	loop_close(loop);
}

void http_close(struct http *http)
{
	listen_close(http);
	for (size_t i = 0; i < http->loop_count; i++)
		loop_finish(&http->loops[i]);
	reply_close(http);
	address_table_destroy(http->addresses);
	address_table_destroy(http->streams);
	meter_add(METER_CONNECTIONS_LIMIT, (uint64_t)0 - http->connection_max);
	release_signals();
	tls_unload();
	free(http);
}
