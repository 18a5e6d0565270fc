/* cut_proxy.c: a proxy that cuts, holds and delays connections to a PostgreSQL server. */
#include "tests/proof/cut_proxy.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define SOCKET_NAME "/.s.PGSQL.5432"

static void must(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	abort();
}

/* An abstract address begins with a zero byte, which libpq writes as @. */
static socklen_t address_of(struct sockaddr_un *address, const char *path)
{
	const size_t length = strlen(path);
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	must(length < sizeof(address->sun_path), "a socket's name");
	memcpy(address->sun_path, path, length);
	if (path[0] == '@')
		address->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

static void close_connection(struct cut_connection *connection)
{
	close(connection->ends[0]);
	close(connection->ends[1]);
	*connection = (struct cut_connection){.ends = {-1, -1}};
}

static void accept_one(struct cut_proxy *proxy)
{
	struct sockaddr_un address;
	const int client = accept(proxy->listener, NULL, NULL);
	if (client < 0)
		return;
	const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const socklen_t length = address_of(&address, proxy->upstream);
	must(server >= 0, "socket");
	if (connect(server, (struct sockaddr *)&address, length) == 0)
		for (int i = 0; i < CUT_PROXY_CONNECTIONS; i++)
			if (proxy->connections[i].ends[0] < 0) {
				proxy->connections[i] =
					(struct cut_connection){.ends = {client, server}};
				return;
			}
	close(client);
	close(server);
}

static bool send_all(int end, const char *bytes, size_t count)
{
	while (count > 0) {
		const ssize_t sent = send(end, bytes, count, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		bytes += sent;
		count -= (size_t)sent;
	}
	return true;
}

/* Passes on what has come from an end, as far as the plan allows. */
static void pass(struct cut_proxy *proxy, struct cut_connection *connection, int from)
{
	char bytes[16384];
	const enum cut_direction direction = from == 0 ? CUT_TO_SERVER : CUT_TO_CLIENT;
	const ssize_t got = recv(connection->ends[from], bytes, sizeof(bytes), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		close_connection(connection);
		return;
	}
	if (proxy->delay_ms > 0)
		nanosleep(&(struct timespec){.tv_nsec = proxy->delay_ms * 1000000L}, NULL);
	size_t count = (size_t)got;
	connection->writes |= direction == CUT_TO_SERVER &&
			      memmem(bytes, count, proxy->statement, strlen(proxy->statement) + 1);
	const bool counts = connection->writes && direction == proxy->direction;
	const bool now = counts && proxy->mode != CUT_NOTHING && count >= proxy->left;
	const enum cut_mode mode = proxy->mode;
	if (now) {
		count = (size_t)proxy->left;
		proxy->mode = CUT_NOTHING;
		proxy->done++;
	} else if (counts) {
		proxy->left -= count;
	}
	if (!send_all(connection->ends[1 - from], bytes, count) || (now && mode == CUT_CLOSE))
		close_connection(connection);
	else if (now)
		connection->held = true;
}

static bool run_once(struct cut_proxy *proxy)
{
	struct pollfd polled[2 + 2 * CUT_PROXY_CONNECTIONS];
	struct cut_connection *owners[CUT_PROXY_CONNECTIONS];
	nfds_t count = 2;
	pthread_mutex_lock(&proxy->mutex);
	polled[0] = (struct pollfd){.fd = proxy->wake[0], .events = POLLIN};
	polled[1] = (struct pollfd){.fd = proxy->listener, .events = POLLIN};
	for (int i = 0; i < CUT_PROXY_CONNECTIONS; i++) {
		struct cut_connection *connection = &proxy->connections[i];
		if (connection->ends[0] < 0 || connection->held)
			continue;
		owners[(count - 2) / 2] = connection;
		for (int end = 0; end < 2; end++)
			polled[count++] =
				(struct pollfd){.fd = connection->ends[end], .events = POLLIN};
	}
	const bool stopping = proxy->stopping;
	pthread_mutex_unlock(&proxy->mutex);
	if (stopping)
		return false;
	if (poll(polled, count, -1) < 0)
		return true;
	pthread_mutex_lock(&proxy->mutex);
	char byte;
	if (polled[0].revents != 0)
		must(read(proxy->wake[0], &byte, 1) == 1, "read");
	for (nfds_t i = 2; i < count; i++) {
		struct cut_connection *connection = owners[(i - 2) / 2];
		/* It may be closed, or another one, since it was polled. */
		if (polled[i].revents != 0 && !connection->held &&
		    connection->ends[i % 2] == polled[i].fd)
			pass(proxy, connection, (int)(i % 2));
	}
	if (polled[1].revents != 0)
		accept_one(proxy);
	pthread_mutex_unlock(&proxy->mutex);
	return true;
}

static void *run(void *context)
{
	while (run_once(context))
		;
	return NULL;
}

static void wake(struct cut_proxy *proxy)
{
	must(write(proxy->wake[1], "", 1) == 1, "write");
}

void cut_proxy_start(struct cut_proxy *proxy, const char *folder, const char *statement)
{
	static unsigned serial;
	char name[108];
	struct sockaddr_un address;
	*proxy = (struct cut_proxy){.statement = statement};
	snprintf(proxy->name, sizeof(proxy->name), "@cubed-proxy-%ld-%u", (long)getpid(), ++serial);
	snprintf(name, sizeof(name), "%s" SOCKET_NAME, proxy->name);
	snprintf(proxy->upstream, sizeof(proxy->upstream), "%s" SOCKET_NAME, folder);
	for (int i = 0; i < CUT_PROXY_CONNECTIONS; i++)
		proxy->connections[i] = (struct cut_connection){.ends = {-1, -1}};
	proxy->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const socklen_t length = address_of(&address, name);
	must(proxy->listener >= 0, "socket");
	must(bind(proxy->listener, (struct sockaddr *)&address, length) == 0, "bind");
	must(listen(proxy->listener, 64) == 0 && pipe(proxy->wake) == 0, "listen");
	must(pthread_mutex_init(&proxy->mutex, NULL) == 0, "mutex");
	must(pthread_create(&proxy->thread, NULL, run, proxy) == 0, "thread");
}

void cut_proxy_stop(struct cut_proxy *proxy)
{
	pthread_mutex_lock(&proxy->mutex);
	proxy->stopping = true;
	pthread_mutex_unlock(&proxy->mutex);
	wake(proxy);
	pthread_join(proxy->thread, NULL);
	cut_proxy_close(proxy, true);
	close(proxy->listener);
	close(proxy->wake[0]);
	close(proxy->wake[1]);
	pthread_mutex_destroy(&proxy->mutex);
}

void cut_proxy_plan(struct cut_proxy *proxy, enum cut_mode mode, enum cut_direction direction,
		    uint64_t bytes)
{
	pthread_mutex_lock(&proxy->mutex);
	proxy->mode = mode;
	proxy->direction = direction;
	proxy->left = bytes;
	pthread_mutex_unlock(&proxy->mutex);
}

unsigned cut_proxy_done(struct cut_proxy *proxy)
{
	pthread_mutex_lock(&proxy->mutex);
	const unsigned done = proxy->done;
	pthread_mutex_unlock(&proxy->mutex);
	return done;
}

void cut_proxy_delay(struct cut_proxy *proxy, int ms)
{
	pthread_mutex_lock(&proxy->mutex);
	proxy->delay_ms = ms;
	pthread_mutex_unlock(&proxy->mutex);
}

void cut_proxy_close(struct cut_proxy *proxy, bool all)
{
	pthread_mutex_lock(&proxy->mutex);
	for (int i = 0; i < CUT_PROXY_CONNECTIONS; i++) {
		struct cut_connection *connection = &proxy->connections[i];
		if (connection->ends[0] >= 0 && (all || connection->held))
			close_connection(connection);
	}
	pthread_mutex_unlock(&proxy->mutex);
	if (!proxy->stopping)
		wake(proxy);
}
