/* http.c: opening and closing the server on the network. */
#include "server/http/http.h"
#include "server/http/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "server/util/log.h"

/* Descriptors for the store, the log, the loop and the connections that linger. */
#define DESCRIPTORS_RESERVED (64 + LINGER_MAX)
/* A connection's memory: a head of 16 KiB with its list of headers, then the answer's head. All of
 * it is cleared after each request. */
#define POOL_BYTES 24576
/* libmicrohttpd's own limits are never to be reached: it stops accepting there. */
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

/* As many connections as are asked for, and as there are descriptors for. */
static size_t fit_connections(const struct config *config)
{
	struct rlimit files;
	uint64_t wanted = config->limits.connections, room = 1024;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
		getrlimit(RLIMIT_NOFILE, &files);
		room = files.rlim_cur;
	}
	room = room > 2 * DESCRIPTORS_RESERVED ? room - DESCRIPTORS_RESERVED : room / 2;
	uint64_t max = wanted < room ? wanted : room;
	/* libmicrohttpd counts in an unsigned int. */
	if (max > 1 << 30)
		max = 1 << 30;
	log_event(wanted != LIMIT_OFF && max < wanted ? LOG_WARNING : LOG_INFO, "connections",
		  LOG_NUMBER("most", max), LOG_NUMBER("open_files", files.rlim_cur));
	return (size_t)max;
}

static struct MHD_Daemon *daemon_start(struct http *http)
{
	unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;
	/* clang-format off */
	return MHD_start_daemon(flags, 0, NULL, NULL, exchange_handle, http,
	                        MHD_OPTION_NOTIFY_CONNECTION, connection_notify, http,
	                        MHD_OPTION_URI_LOG_CALLBACK, exchange_target, http,
	                        MHD_OPTION_NOTIFY_COMPLETED, exchange_completed, http,
	                        MHD_OPTION_UNESCAPE_CALLBACK, leave_text_alone, NULL,
	                        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES,
	                        MHD_OPTION_CONNECTION_LIMIT, (unsigned)(http->connection_max + DAEMON_SPARE),
	                        MHD_OPTION_CONNECTION_TIMEOUT, 0u,
	                        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	                        MHD_OPTION_END);
	/* clang-format on */
}

struct http *http_open(const struct config *config, struct service *service, char *problem,
		       size_t capacity)
{
	struct http *http = calloc(1, sizeof *http);
	if (!http) {
		snprintf(problem, capacity, "There is not enough memory to start.");
		return NULL;
	}
	http->config = config;
	http->service = service;
	http->strict_layout = strcmp(MHD_get_version(), "0.9.75") == 0;
	http->connection_max = fit_connections(config);
	http->epoll = epoll_create1(EPOLL_CLOEXEC);
	http->addresses = address_table_create();
	deadlines_init(http);
	MHD_set_panic_func(on_panic, NULL);
	http->daemon =
		http->epoll >= 0 && http->addresses && reply_open(http) ? daemon_start(http) : NULL;
	if (!http->daemon || !loop_open(http)) {
		snprintf(problem, capacity,
			 "There is too little memory, or too few file descriptors, to start.");
		http_close(http);
		return NULL;
	}
	if (!listen_open(http, problem, capacity)) {
		http_close(http);
		return NULL;
	}
	return http;
}

uint16_t http_port(const struct http *http)
{
	return http->port;
}

void http_close(struct http *http)
{
	listen_close(http);
	if (http->daemon)
		MHD_stop_daemon(http->daemon);
	linger_reap(http, true);
	reply_close(http);
	address_table_destroy(http->addresses);
	loop_close(http);
	free(http);
}
