/* health.c: cubed --health: asks the running server whether it is ready, for container checks. */
#include "server/ops/ops.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define TIMEOUT_S 3

static const char question[] = "GET /readyz HTTP/1.1\r\n"
			       "Host: localhost\r\n"
			       "Accept: text/plain\r\n"
			       "Connection: close\r\n\r\n";

/* A server that listens on every address is asked on loopback. */
static const char *host_to_ask(const char *host)
{
	if (!host[0] || strcmp(host, "0.0.0.0") == 0)
		return "127.0.0.1";
	return strcmp(host, "::") == 0 ? "::1" : host;
}

/* An open socket with time-outs that is connected; -1 with a word in *why. */
static int connect_one(int family, const struct sockaddr *name, socklen_t length, const char **why)
{
	const struct timeval timeout = {.tv_sec = TIMEOUT_S};
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) == 0 &&
	    connect(fd, name, length) == 0)
		return fd;
	*why = strerror(errno == EINPROGRESS ? ETIMEDOUT : errno);
	if (fd >= 0)
		close(fd);
	return -1;
}

static int connect_path(const char *path, const char **why)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	memcpy(name.sun_path, path, strlen(path));
	return connect_one(AF_UNIX, (const struct sockaddr *)&name, sizeof name, why);
}

/* -1 with a word in *why. */
static int connect_to(const struct config *config, const char **why)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	char port[8];
	snprintf(port, sizeof port, "%u", (unsigned)config->listen_port);
	int failed = getaddrinfo(host_to_ask(config->listen_host), port, &hints, &found);
	int fd = -1;
	*why = failed ? gai_strerror(failed) : "no address";
	for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
		fd = connect_one(at->ai_family, at->ai_addr, at->ai_addrlen, why);
	if (found)
		freeaddrinfo(found);
	return fd;
}

/* Sends the request and reads at most `room` bytes of the answer. */
static size_t converse(int fd, char *answer, size_t room)
{
	size_t got = 0;
	ssize_t more;
	if (send(fd, question, sizeof question - 1, MSG_NOSIGNAL) != (ssize_t)sizeof question - 1)
		return 0;
	while (got < room && (more = recv(fd, answer + got, room - got, 0)) > 0)
		got += (size_t)more;
	return got;
}

/* The same over TLS, without checking the certificate: the server is on this machine, and its
 * certificate may be for any name. */
static size_t converse_tls(int fd, char *answer, size_t room)
{
	gnutls_session_t session;
	gnutls_certificate_credentials_t credentials;
	size_t got = 0;
	ssize_t more;
	if (gnutls_init(&session, GNUTLS_CLIENT) != 0)
		return 0;
	if (gnutls_certificate_allocate_credentials(&credentials) != 0) {
		gnutls_deinit(session);
		return 0;
	}
	gnutls_set_default_priority(session);
	gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
	gnutls_transport_set_int(session, fd);
	gnutls_handshake_set_timeout(session, TIMEOUT_S * 1000);
	if (gnutls_handshake(session) == 0 &&
	    gnutls_record_send(session, question, sizeof question - 1) ==
		    (ssize_t)sizeof question - 1)
		while (got < room &&
		       (more = gnutls_record_recv(session, answer + got, room - got)) > 0)
			got += (size_t)more;
	gnutls_deinit(session);
	gnutls_certificate_free_credentials(credentials);
	return got;
}

/* The status of the answer; 0 if none came. */
static int ask_status(const struct config *config, int fd)
{
	static const char version[] = "HTTP/1.1 ";
	char answer[64] = "";
	int status = 0;
	size_t got = config->tls_cert ? converse_tls(fd, answer, sizeof version + 3)
				      : converse(fd, answer, sizeof version + 3);
	if (got < sizeof version + 3 || memcmp(answer, version, sizeof version - 1) != 0)
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
	const char *why, *path = config->listen_path;
	char where[320];
	if (!path[0] && config->listen_port == 0)
		return ops_failed("--health needs the port that the server listens on: --listen");
	if (path[0])
		snprintf(where, sizeof where, "%s", path);
	else
		snprintf(where, sizeof where, "%s, port %u", config->listen_host,
			 (unsigned)config->listen_port);
	int fd = path[0] ? connect_path(path, &why) : connect_to(config, &why);
	if (fd < 0)
		return ops_failed("no answer at %s: %s", where, why);
	int status = ask_status(config, fd);
	close(fd);
	if (status == 0)
		return ops_failed("no answer at %s", where);
	if (status != 200)
		return ops_failed("not ready: status %d", status);
	printf("ready\n");
	return 0;
}
