/* bare.c: the least that libmicrohttpd can do: what a server on it is measured against.
 *
 *     bare BYTES [NAME VALUE]...    answers on a free port of 127.0.0.1, whose URL it prints
 *
 * Every answer has a body of so many bytes and these headers. That of GET is made once. POST reads the
 * body, drops it, and makes its answer: one that differs from request to request needs that. The daemon
 * runs as ours does: one loop of our own over its epoll descriptor, and MHD_run. */
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#define BYTES_MAX 1000000

static struct MHD_Response *fixed;
static char body[BYTES_MAX];
static size_t bytes;
static char **headers; /* names and values in turn, then NULL */

static void add_headers(struct MHD_Response *response)
{
	for (char **at = headers; at[0] && at[1]; at += 2)
		MHD_add_response_header(response, at[0], at[1]);
}

static enum MHD_Result answer_post(struct MHD_Connection *connection)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_MUST_COPY);
	if (!response)
		return MHD_NO;
	add_headers(response);
	enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_bytes, void **request)
{
	static int seen;
	(void)context;
	(void)url;
	(void)version;
	(void)upload;
	/* An answer in the first call would close the connection. */
	if (!*request) {
		*request = &seen;
		return MHD_YES;
	}
	if (*upload_bytes > 0) {
		*upload_bytes = 0;
		return MHD_YES;
	}
	*request = NULL;
	if (strcmp(method, "POST") == 0)
		return answer_post(connection);
	return MHD_queue_response(connection, MHD_HTTP_OK, fixed);
}

static struct MHD_Daemon *start(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	return MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, handle, NULL, MHD_OPTION_SOCK_ADDR,
				(struct sockaddr *)&address, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
				(size_t)12288, MHD_OPTION_CONNECTION_LIMIT, 4096u, MHD_OPTION_END);
}

static void run(struct MHD_Daemon *daemon, int epoll)
{
	for (;;) {
		struct epoll_event event;
		MHD_UNSIGNED_LONG_LONG wait_ms;
		int sleep_ms = -1;
		if (MHD_get_timeout(daemon, &wait_ms) == MHD_YES)
			sleep_ms = wait_ms < 1000 ? (int)wait_ms : 1000;
		epoll_wait(epoll, &event, 1, sleep_ms);
		MHD_run(daemon);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	bytes = strtoul(argv[1], NULL, 10);
	if (bytes > BYTES_MAX)
		return 2;
	headers = argv + 2;
	memset(body, 'x', sizeof(body));
	fixed = MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_PERSISTENT);
	struct MHD_Daemon *daemon = start();
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!fixed || !daemon || epoll < 0)
		return 1;
	add_headers(fixed);
	struct epoll_event event = {.events = EPOLLIN};
	epoll_ctl(epoll, EPOLL_CTL_ADD,
		  MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, &event);
	printf("bare is ready at http://127.0.0.1:%u\n",
	       (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	run(daemon, epoll);
	return 0;
}
