/* manager.c: as much of a service manager as a test needs: hands over sockets, hears notifications.
 *
 *     manager NOTIFY_NAME KINDS PROGRAM [ARGUMENT]...
 *
 * NOTIFY_NAME: a path, or @NAME. KINDS: of the sockets from descriptor 3 on, a letter each: 4 and 6
 * listen on loopback, * on every address, l on the path NOTIFY_NAME.listen, u is of UDP, f is a
 * file; - ends the list. Commands are
 * bytes of stdin: s starts the program, t sends it SIGTERM, w starts it with a wrong LISTEN_PID;
 * the end of stdin ends all. On stdout, a line each: "port N" of each socket, "notify TEXT" with |
 * for line feeds, "exit STATUS". */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOCKETS_MAX 16
#define FIRST 3
#define POLL_MS 20

static void give_up(const char *what)
{
	fprintf(stderr, "manager: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int notify_open(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	size_t length = strlen(path);
	if (length >= sizeof name.sun_path)
		give_up(path);
	memcpy(name.sun_path, path, length);
	if (path[0] == '@')
		name.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&name,
			   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) != 0)
		give_up(path);
	return fd;
}

/* Opens the socket, and replaces that of an earlier run, as systemd does. */
static int local_open(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	snprintf(name.sun_path, sizeof name.sun_path, "%.90s.listen", path);
	unlink(name.sun_path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&name, sizeof name) != 0 || listen(fd, 128) != 0)
		give_up(path);
	printf("path %s\n", name.sun_path);
	return fd;
}

static int socket_open(char kind)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET,
				 .sin_addr.s_addr =
					 htonl(kind == '*' ? INADDR_ANY : INADDR_LOOPBACK)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const struct sockaddr *name = kind == '6' ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4;
	socklen_t length = kind == '6' ? sizeof v6 : sizeof v4;
	if (kind == 'f')
		return open("/dev/null", O_RDONLY);
	int fd = socket(name->sa_family, kind == 'u' ? SOCK_DGRAM : SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, name, length) != 0 || (kind != 'u' && listen(fd, 128) != 0))
		give_up("socket");
	struct sockaddr_storage own;
	length = sizeof own;
	getsockname(fd, (struct sockaddr *)&own, &length);
	printf("port %u\n", ntohs(kind == '6' ? ((struct sockaddr_in6 *)&own)->sin6_port
					      : ((struct sockaddr_in *)&own)->sin_port));
	return fd;
}

static pid_t program_start(const char *notify, const int *sockets, int count, char wrong,
			   char **command)
{
	pid_t child = fork();
	if (child != 0)
		return child;
	int high[SOCKETS_MAX];
	char text[32];
	/* Out of the way first: the places to fill may be taken by one another. */
	for (int i = 0; i < count; i++)
		high[i] = fcntl(sockets[i], F_DUPFD_CLOEXEC, 64);
	for (int i = 0; i < count; i++)
		dup2(high[i], FIRST + i);
	setenv("NOTIFY_SOCKET", notify, 1);
	if (count > 0) {
		snprintf(text, sizeof text, "%d", count);
		setenv("LISTEN_FDS", text, 1);
		snprintf(text, sizeof text, "%d", (int)getpid() + (wrong ? 1 : 0));
		setenv("LISTEN_PID", text, 1);
	}
	execv(command[0], command);
	give_up(command[0]);
	return -1;
}

static void notify_print(int fd)
{
	char text[1024];
	ssize_t length = recv(fd, text, sizeof text - 1, 0);
	if (length < 0)
		return;
	text[length] = '\0';
	for (char *line; (line = strchr(text, '\n'));)
		*line = '|';
	printf("notify %s\n", text);
}

int main(int argc, char **argv)
{
	int sockets[SOCKETS_MAX], count = 0;
	pid_t child = 0;
	if (argc < 4)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	int notify = notify_open(argv[1]);
	for (const char *kind = argv[2]; *kind && *kind != '-' && count < SOCKETS_MAX; kind++)
		sockets[count++] = *kind == 'l' ? local_open(argv[1]) : socket_open(*kind);
	struct pollfd waits[] = {{.fd = 0, .events = POLLIN}, {.fd = notify, .events = POLLIN}};
	for (;;) {
		poll(waits, 2, POLL_MS);
		if (waits[1].revents)
			notify_print(notify);
		int status;
		if (!waits[1].revents && child > 0 && waitpid(child, &status, WNOHANG) == child) {
			printf("exit %d\n",
			       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
			child = 0;
		}
		char command = 0;
		if (waits[0].revents && read(0, &command, 1) <= 0)
			break;
		if ((command == 's' || command == 'w') && child == 0)
			child = program_start(argv[1], sockets, count, command == 'w', argv + 3);
		if (command == 't' && child > 0)
			kill(child, SIGTERM);
	}
	if (child > 0)
		kill(child, SIGKILL);
	if (argv[1][0] == '/')
		unlink(argv[1]);
	return 0;
}
