/* bare.c: the least that libmicrohttpd can do: what a server on it is measured against.
 *
 *     bare GET_BYTES POST_BYTES    answers on a free port of 127.0.0.1, whose URL it prints
 *
 * GET answers a fixed body. POST reads the body, drops it, and answers a body of its own:
 * an answer that differs from request to request needs a response of its own. The daemon runs as
 * ours does: one loop of our own over its epoll descriptor, and MHD_run. */
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
static size_t post_bytes;

static enum MHD_Result answer_post(struct MHD_Connection *connection)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(post_bytes, body, MHD_RESPMEM_MUST_COPY);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", "application/json");
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

static size_t bytes_of(const char *text)
{
	unsigned long bytes = strtoul(text, NULL, 10);
	return bytes < BYTES_MAX ? bytes : BYTES_MAX;
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
	if (argc != 3)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	size_t get_bytes = bytes_of(argv[1]);
	post_bytes = bytes_of(argv[2]);
	memset(body, 'x', sizeof(body));
	fixed = MHD_create_response_from_buffer(get_bytes, body, MHD_RESPMEM_PERSISTENT);
	struct MHD_Daemon *daemon = start();
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!fixed || !daemon || epoll < 0)
		return 1;
	MHD_add_response_header(fixed, "Content-Type", "application/json");
	struct epoll_event event = {.events = EPOLLIN};
	epoll_ctl(epoll, EPOLL_CTL_ADD,
		  MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, &event);
	printf("bare is ready at http://127.0.0.1:%u\n",
	       (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	run(daemon, epoll);
	return 0;
}
