/* fanout.c: many who watch one session: how soon the last one has an event, and what they cost while nothing happens.
 *
 *     build/bench/fanout PORT PID WATCHERS EVENTS SECONDS
 *
 * Lines "name value". Every event is checked: each watcher gets each revision once, in order. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "cores.h"

#define WRITERS 64
#define HEADERS " HTTP/1.1\r\nHost: 127.0.0.1\r\n"

/* So short that all fit in a cache. */
struct client {
	int fd;
	unsigned revision; /* of the last entry */
	unsigned short tail_length;
	bool began; /* it has its state */
};

#define READ_BYTES 65536
#define TAIL_BYTES 256 /* an event's id may come in two pieces */

struct reader {
	int epoll;
	size_t first, count; /* every so manieth client */
	unsigned revision;   /* to read up to */
	bool there;
};

static struct sockaddr_in server;
static struct reader readers[CORES_MAX];
static struct client *clients;
static char (*tails)[TAIL_BYTES]; /* of the clients */

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "fanout: %s (%s)\n", what, strerror(errno));
	exit(1);
}

static int open_connection(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	if (fd < 0 || connect(fd, (struct sockaddr *)&server, sizeof server) != 0)
		fail("cannot connect");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return fd;
}

static void send_text(int fd, const char *text)
{
	if (send(fd, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text))
		fail("cannot send");
}

static void post_text(char *text, size_t room, const char *path, const char *body)
{
	snprintf(text, room,
		 "POST %s" HEADERS
		 "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
		 path, strlen(body), body);
}

/* Asks on a connection of its own; the answer's head and body. */
static void ask(const char *path, const char *body, char *answer, size_t room)
{
	char text[512];
	int fd = open_connection();
	post_text(text, sizeof text, path, body);
	send_text(fd, text);
	ssize_t length = recv(fd, answer, room - 1, 0);
	answer[length > 0 ? length : 0] = '\0';
	close(fd);
}

static void make_session(char path[64])
{
	char answer[4096];
	ask("/v1/sessions", "{\"size\":3,\"access\":\"edit\"}", answer, sizeof answer);
	const char *at = strstr(answer, "/v1/sessions/");
	if (!at)
		fail("no session was made");
	snprintf(path, 64, "%.*s", (int)strcspn(at, "\r\n"), at);
}

static void watch(struct client *client, int epoll, const char *path)
{
	char text[256];
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = client};
	client->fd = open_connection();
	snprintf(text, sizeof text, "GET %s/events" HEADERS "\r\n", path);
	send_text(client->fd, text);
	fcntl(client->fd, F_SETFL, O_NONBLOCK);
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, client->fd, &event) != 0)
		fail("cannot watch");
}

/* Reads what came, and takes ids of entries out of it. */
static void take(struct client *client)
{
	static _Thread_local char text[TAIL_BYTES + READ_BYTES + 1];
	if (client->tail_length > 0)
		memcpy(text, tails[client - clients], client->tail_length);
	ssize_t came = recv(client->fd, text + client->tail_length, READ_BYTES, 0);
	if (came <= 0)
		fail("a stream ended");
	const size_t length = client->tail_length + (size_t)came;
	text[length] = '\0';
	char *at = text;
	for (char *next; (next = strstr(at, "\n\n")) != NULL; at = next + 2) {
		*next = '\0';
		const char *id = strstr(at, "\nid: ");
		if (!id)
			continue;
		unsigned revision = (unsigned)strtoul(strchr(id, '-') + 1, NULL, 10);
		if (strncmp(at, "event: entry", 12) == 0) {
			if (revision != client->revision + 1)
				fail("an event was missed, or came twice");
		} else {
			client->began = true;
		}
		client->revision = revision;
	}
	/* The end of a head, or of a state, is enough. */
	size_t rest = (size_t)(text + length - at);
	if (rest >= TAIL_BYTES)
		rest = TAIL_BYTES - 1;
	client->tail_length = (unsigned short)rest;
	if (rest > 0)
		memcpy(tails[client - clients], text + length - rest, rest);
}

static bool is_there(const struct client *client, unsigned revision)
{
	return client->began && client->revision >= revision;
}

static void *read_share(void *argument)
{
	struct reader *reader = argument;
	struct epoll_event events[READ_EVENTS];
	uint64_t end = clock_ns() + WAIT_MS * 1000000ull;
	size_t missing = 0;
	stay_on_core(reader->first);
	for (size_t i = reader->first; i < reader->count; i += cores())
		missing += !is_there(&clients[i], reader->revision);
	while (missing > 0 && clock_ns() < end) {
		int ready = epoll_wait(reader->epoll, events, READ_EVENTS, 0);
		for (int i = 0; i < ready; i++) {
			struct client *client = events[i].data.ptr;
			bool was = is_there(client, reader->revision);
			take(client);
			missing -= !was && is_there(client, reader->revision);
		}
		if (ready < READ_EVENTS)
			usleep(READ_US);
	}
	reader->there = missing == 0;
	return NULL;
}

/* Reads until the first `count` watchers are at that revision; false when it takes too long. */
static bool gather(size_t count, unsigned revision)
{
	bool there = true;
	for (size_t i = 0; i < cores(); i++) {
		readers[i].first = i;
		readers[i].count = count;
		readers[i].revision = revision;
	}
	on_cores(read_share, readers, sizeof *readers);
	for (size_t i = 0; i < cores(); i++)
		there = there && readers[i].there;
	return there;
}

static size_t resident_kb(int pid)
{
	char path[64], line[256];
	size_t kb = 0;
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	FILE *file = fopen(path, "r");
	if (!file)
		fail("no such process");
	while (fgets(line, sizeof line, file))
		if (strncmp(line, "VmRSS:", 6) == 0)
			kb = strtoul(line + 6, NULL, 10);
	fclose(file);
	return kb;
}

/* Durable writes a second, by WRITERS clients that each wait for their answer. */
static double write_rate(const char *path, double seconds)
{
	int fds[WRITERS], own = epoll_create1(0);
	char text[512], target[96], answer[8192];
	size_t answered = 0;
	snprintf(target, sizeof target, "%s/moves", path);
	post_text(text, sizeof text, target, "{\"moves\":\"R U R' U'\"}");
	for (size_t i = 0; i < WRITERS; i++) {
		fds[i] = open_connection();
		struct epoll_event event = {.events = EPOLLIN, .data.fd = fds[i]};
		epoll_ctl(own, EPOLL_CTL_ADD, fds[i], &event);
		send_text(fds[i], text);
	}
	uint64_t begin = clock_ns(), end = begin + (uint64_t)(seconds * 1e9), now;
	while ((now = clock_ns()) < end) {
		struct epoll_event events[WRITERS];
		int ready = epoll_wait(own, events, WRITERS, 1000);
		for (int i = 0; i < ready; i++) {
			ssize_t length = recv(events[i].data.fd, answer, sizeof answer - 1, 0);
			if (length <= 0 || strncmp(answer, "HTTP/1.1 200", 12) != 0)
				fail("a write was not answered");
			answered++;
			send_text(events[i].data.fd, text);
		}
	}
	for (size_t i = 0; i < WRITERS; i++)
		close(fds[i]);
	close(own);
	return (double)answered / ((double)(now - begin) / 1e9);
}

static void measure_fanout(size_t count, const char *path, size_t events)
{
	char target[96], answer[4096];
	double *last = calloc(events, sizeof *last);
	snprintf(target, sizeof target, "%s/moves", path);
	for (size_t i = 0; i < events; i++) {
		uint64_t begin = clock_ns();
		ask(target, "{\"moves\":\"R\"}", answer, sizeof answer);
		if (!gather(count, (unsigned)i + 1))
			fail("an event did not come");
		last[i] = (double)(clock_ns() - begin) / 1e6;
		usleep(REST_US);
	}
	printf("last_ms %.1f\n", quantile(last, events, 0.5));
	printf("last_worst_ms %.1f\n", last[events - 1]);
	free(last);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		fail("usage: fanout PORT PID WATCHERS EVENTS SECONDS");
	int pid = (int)strtol(argv[2], NULL, 10);
	size_t count = strtoul(argv[3], NULL, 10), events = strtoul(argv[4], NULL, 10);
	double seconds = strtod(argv[5], NULL);
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	server = (struct sockaddr_in){.sin_family = AF_INET,
				      .sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10)),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	for (size_t i = 0; i < cores(); i++)
		readers[i].epoll = epoll_create1(0);
	char watched[64], written[64];
	make_session(watched);
	make_session(written);
	clients = calloc(count, sizeof *clients);
	tails = calloc(count, sizeof *tails);
	if (!clients || !tails)
		fail("no memory");
	double alone = write_rate(written, seconds);
	size_t before = resident_kb(pid);
	for (size_t i = 0; i < count; i++) {
		watch(&clients[i], readers[i % cores()].epoll, watched);
		if (i % 100 == 99 && !gather(i + 1, 0))
			fail("a state did not come");
	}
	if (!gather(count, 0))
		fail("a state did not come");
	sleep(1);
	printf("idle_kb %.2f\n", ((double)resident_kb(pid) - (double)before) / (double)count);
	measure_fanout(count, watched, events);
	double beside = write_rate(written, seconds);
	printf("writes_alone %.0f\nwrites_beside %.0f\nwrites_ratio %.2f\n", alone, beside,
	       beside / alone);
	return 0;
}
