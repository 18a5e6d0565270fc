/* listen.c: listening sockets. */
#include "server/http/http_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/config/listen.h"
#include "server/util/log.h"

#define BACKLOG 4096
/* Connections accepted in one turn, before open ones are served. */
#define ACCEPT_ROUND 64
/* The first descriptor that a service manager hands over. */
#define INHERITED_FIRST 3

static void peer_of(struct peer *peer, int fd, const struct sockaddr_storage *name)
{
	if (name->ss_family == AF_UNIX) {
		local_peer(peer, fd);
	} else if (name->ss_family == AF_INET6) {
		const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)name;
		memcpy(peer->address, &v6->sin6_addr, 16);
	} else {
		const struct sockaddr_in *v4 = (const struct sockaddr_in *)name;
		memset(peer->address, 0, 10);
		memset(peer->address + 10, 0xff, 2);
		memcpy(peer->address + 12, &v4->sin_addr, 4);
	}
}

/* Finds the address of this machine that the client has connected to; all zero: none. */
static void local_of(struct peer *local, int fd)
{
	struct sockaddr_storage name;
	socklen_t length = sizeof name;
	if (getsockname(fd, (struct sockaddr *)&name, &length) == 0 && name.ss_family != AF_UNIX)
		peer_of(local, fd, &name);
}

void listen_events(struct http *http, uint32_t events)
{
	for (size_t i = 0; i < http->listener_count; i++) {
		struct watch *watch = &http->listeners[i].watch;
		struct epoll_event event = {.events = events, .data.ptr = watch};
		epoll_ctl(http->loops[0].epoll, EPOLL_CTL_MOD, watch->fd, &event);
	}
}

/* Out of descriptors or memory: a connection in the backlog would make the loop spin. */
static void listen_pause(struct http *http, int fault)
{
	http->paused = true;
	listen_events(http, 0);
	if (may_warn(http, &http->paused_log_ms))
		log_event(LOG_WARNING, "connections cannot be accepted at present",
			  LOG_TEXT("error", strerror(fault)));
}

void listen_resume(struct http *http)
{
	if (http->paused && !http->holding)
		listen_events(http, EPOLLIN);
	http->paused = false;
}

/* Returns whether there may be more. */
static bool accept_round(struct loop *loop, const struct watch *watch)
{
	for (int i = 0; i < ACCEPT_ROUND && !loop->http->holding; i++) {
		struct arrival arrival = {.name_length = sizeof arrival.name};
		arrival.fd = accept4(watch->fd, (struct sockaddr *)&arrival.name,
				     &arrival.name_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (arrival.fd >= 0) {
			peer_of(&arrival.peer, arrival.fd, &arrival.name);
			local_of(&arrival.local, arrival.fd);
			admission_decide(loop, &arrival);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
			listen_pause(loop->http, errno);
			return false;
		}
		if (errno == EAGAIN)
			return false;
		/* Other errors concern this connection: it is gone already. */
	}
	return true;
}

static void listen_ready(struct loop *loop, struct watch *watch)
{
	(void)accept_round(loop, watch);
}

bool listen_add(struct http *http, int fd)
{
	struct watch *watch = &http->listeners[http->listener_count].watch;
	if (!loop_watch(&http->loops[0], watch, fd, listen_ready))
		return false;
	http->listener_count++;
	return true;
}

/* 0 for a Unix socket. */
static uint16_t port_of(int fd)
{
	struct sockaddr_storage name;
	socklen_t length = sizeof name;
	if (getsockname(fd, (struct sockaddr *)&name, &length) != 0 || name.ss_family == AF_UNIX)
		return 0;
	return ntohs(name.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&name)->sin6_port
						: ((struct sockaddr_in *)&name)->sin_port);
}

/* Returns 0 or an errno. */
static int listen_on(struct http *http, const struct addrinfo *info)
{
	struct sockaddr_storage name;
	memcpy(&name, info->ai_addr, info->ai_addrlen);
	if (info->ai_family == AF_INET6)
		((struct sockaddr_in6 *)&name)->sin6_port = htons(http->port);
	else
		((struct sockaddr_in *)&name)->sin_port = htons(http->port);
	int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	if (info->ai_family == AF_INET6) {
		/* "::" means every address, of IPv4 too; without a host those have a socket of
		 * their own, so that a machine without IPv6 does as well. */
		int only = listen_is_everywhere(http->config) ||
			   !IN6_IS_ADDR_UNSPECIFIED(&((struct sockaddr_in6 *)&name)->sin6_addr);
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
	}
	if (bind(fd, (struct sockaddr *)&name, info->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0 ||
	    !listen_add(http, fd)) {
		int fault = errno;
		close(fd);
		return fault;
	}
	if (http->port == 0)
		http->port = port_of(fd);
	return 0;
}

/* Returns the number of sockets that a service manager has passed to this process. */
static long inherited_count(void)
{
	const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
	if (!process || !count || strtol(process, NULL, 10) != getpid())
		return 0;
	return strtol(count, NULL, 10);
}

static bool socket_listens(int fd, struct sockaddr_storage *name)
{
	int listens = 0, kind = 0;
	socklen_t length = sizeof listens, kind_length = sizeof kind, name_length = sizeof *name;
	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens &&
	       getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &kind_length) == 0 &&
	       kind == SOCK_STREAM && getsockname(fd, (struct sockaddr *)name, &name_length) == 0 &&
	       (name->ss_family == AF_INET || name->ss_family == AF_INET6 ||
		name->ss_family == AF_UNIX);
}

/* The clients that can reach a socket. */
enum reach { REACH_NONE, REACH_LOCAL, REACH_LOOPBACK, REACH_OTHERS };

static enum reach reach_of(const struct sockaddr_storage *name)
{
	bool loopback;
	if (name->ss_family == AF_UNIX)
		return REACH_LOCAL;
	if (name->ss_family == AF_INET6)
		loopback = IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)name)->sin6_addr);
	else
		loopback = ntohl(((const struct sockaddr_in *)name)->sin_addr.s_addr) >> 24 == 127;
	return loopback ? REACH_LOOPBACK : REACH_OTHERS;
}

static void inherit_address(struct config *config, int fd, const struct sockaddr_storage *name)
{
	config->listen_path[0] = '\0';
	config->listen_port = port_of(fd);
	if (name->ss_family == AF_UNIX)
		/* An abstract name begins with a NUL. */
		snprintf(config->listen_path, sizeof config->listen_path, "%s",
			 ((const struct sockaddr_un *)name)->sun_path[0]
				 ? ((const struct sockaddr_un *)name)->sun_path
				 : "@");
	else
		getnameinfo((const struct sockaddr *)name, sizeof *name, config->listen_host,
			    sizeof config->listen_host, NULL, 0, NI_NUMERICHOST);
}

bool http_inherit(struct config *config, struct error *error)
{
	long count = inherited_count();
	enum reach most = REACH_NONE;
	if (count > LISTENERS_MAX)
		return error_set(error, "LISTEN_FDS passes %ld sockets; at most %d are possible.",
				 count, LISTENERS_MAX);
	for (int fd = INHERITED_FIRST; fd < INHERITED_FIRST + count; fd++) {
		struct sockaddr_storage name = {0};
		if (!socket_listens(fd, &name))
			return error_set(
				error,
				"LISTEN_FDS passes descriptor %d, which is not a listening TCP "
				"or Unix stream socket.",
				fd);
		if (reach_of(&name) > most) {
			most = reach_of(&name);
			inherit_address(config, fd, &name);
		}
	}
	return true;
}

/* The sockets that http_inherit() accepted. */
static bool listen_inherited(struct http *http, long count)
{
	for (int fd = INHERITED_FIRST; fd < INHERITED_FIRST + count; fd++) {
		int flags = fcntl(fd, F_GETFL);
		if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
		    fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || !listen_add(http, fd))
			return false;
	}
	return true;
}

bool listen_open(struct http *http, struct error *error)
{
	const struct config *config = http->config;
	long inherited = inherited_count();
	if (inherited > 0) {
		http->port = config->listen_port;
		error_set(error, "The inherited sockets cannot be used.");
		return listen_inherited(http, inherited);
	}
	if (config->listen_path[0])
		return local_open(http, BACKLOG, error);
	struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM}, *list;
	const char *host = listen_is_everywhere(config) ? NULL : config->listen_host;
	int fault = getaddrinfo(host, host ? NULL : "0", &hints, &list);
	if (fault != 0)
		return error_set(error, "The address %s to listen on is not known: %s.",
				 config->listen_host, gai_strerror(fault));
	http->port = config->listen_port;
	for (struct addrinfo *info = list; info && http->listener_count < LISTENERS_MAX;
	     info = info->ai_next) {
		if (info->ai_family != AF_INET && info->ai_family != AF_INET6)
			continue;
		int failed = listen_on(http, info);
		/* A name may have addresses of a family that this machine does not support. */
		if (failed && failed != EAFNOSUPPORT && failed != EADDRNOTAVAIL)
			fault = failed;
		else if (failed && !fault && http->listener_count == 0)
			fault = failed;
		else if (!failed && (fault == EAFNOSUPPORT || fault == EADDRNOTAVAIL))
			fault = 0;
	}
	freeaddrinfo(list);
	if (!fault && http->listener_count > 0)
		return true;
	if (fault == EADDRINUSE)
		return error_set(
			error, "Port %u of %s is in use already: another server is running there.",
			(unsigned)http->port, host ? host : "this machine");
	if (fault == EACCES)
		return error_set(
			error,
			"Listening on port %u is not permitted: ports below 1024 need privileges.",
			(unsigned)http->port);
	return error_set(error, "Listening on %s port %u is not possible: %s.",
			 host ? host : "all addresses,", (unsigned)http->port, strerror(fault));
}

void listen_take_rest(struct http *http)
{
	/* A service manager keeps its sockets, and the backlog, for the next process. */
	if (inherited_count() > 0)
		return;
	for (size_t i = 0; i < http->listener_count; i++)
		for (int round = 0; round < BACKLOG / ACCEPT_ROUND; round++)
			if (!accept_round(&http->loops[0], &http->listeners[i].watch))
				break;
}

void listen_close(struct http *http)
{
	while (http->listener_count > 0)
		close(http->listeners[--http->listener_count].watch.fd);
	local_close(http);
	http->paused = false;
	admission_close(http);
}
