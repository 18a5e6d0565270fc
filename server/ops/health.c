/* health.c: cubed --health: asks the running server whether it is ready, for container checks. */
#include "server/ops/ops.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define TIMEOUT_S 3

static const char question[] = "GET /readyz HTTP/1.1\r\n"
			       "Host: localhost\r\n"
			       "Accept: text/plain\r\n"
			       "Connection: close\r\n\r\n";

/* Who listens on every address is asked on loopback. */
static const char *host_to_ask(const char *host)
{
	if (strcmp(host, "0.0.0.0") == 0)
		return "127.0.0.1";
	return strcmp(host, "::") == 0 ? "::1" : host;
}

/* -1 with a word in *why. */
static int connect_to(const struct config *config, const char **why)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	const struct timeval timeout = {.tv_sec = TIMEOUT_S};
	struct addrinfo *found = NULL;
	char port[8];
	snprintf(port, sizeof port, "%u", (unsigned)config->listen_port);
	int failed = getaddrinfo(host_to_ask(config->listen_host), port, &hints, &found);
	int fd = -1;
	*why = failed ? gai_strerror(failed) : "no address";
	for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next) {
		fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
		if (fd < 0 ||
		    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0 ||
		    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) != 0 ||
		    connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
			*why = strerror(errno == EINPROGRESS ? ETIMEDOUT : errno);
			if (fd >= 0)
				close(fd);
			fd = -1;
		}
	}
	if (found)
		freeaddrinfo(found);
	return fd;
}

/* The status of the answer's first line; 0 where none came. */
static int ask(int fd)
{
	static const char version[] = "HTTP/1.1 ";
	char answer[64] = "";
	size_t got = 0;
	int status = 0;
	if (send(fd, question, sizeof question - 1, MSG_NOSIGNAL) != (ssize_t)sizeof question - 1)
		return 0;
	while (got < sizeof version + 3) {
		ssize_t more = recv(fd, answer + got, sizeof answer - 1 - got, 0);
		if (more <= 0)
			return 0;
		got += (size_t)more;
	}
	if (memcmp(answer, version, sizeof version - 1) != 0)
		return 0;
	for (int i = 0; i < 3; i++) {
		char digit = answer[sizeof version - 1 + (size_t)i];
		if (digit < '0' || digit > '9')
			return 0;
		status = status * 10 + (digit - '0');
	}
	return status;
}

int health_run(const struct ops_call *call)
{
	const struct config *config = call->config;
	const char *why;
	if (config->listen_port == 0)
		return ops_failed("--health needs the port that the server listens on: --listen");
	int fd = connect_to(config, &why);
	if (fd < 0)
		return ops_failed("no answer at %s, port %u: %s", config->listen_host,
				  (unsigned)config->listen_port, why);
	int status = ask(fd);
	close(fd);
	if (status == 0)
		return ops_failed("no answer at %s, port %u", config->listen_host,
				  (unsigned)config->listen_port);
	if (status != 200)
		return ops_failed("not ready: status %d", status);
	printf("ready\n");
	return 0;
}
