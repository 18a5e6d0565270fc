/* local.c: Unix sockets: a path to listen on, and the users that connect.
 *
 * The file belongs to the server's user and group and has mode 0660, whatever the umask: users that
 * may write to it may connect. */
#include "server/http/http_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_MODE 0660

static struct sockaddr_un name_of(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	/* config.c checked the length. */
	memcpy(name.sun_path, path, strlen(path) + 1);
	return name;
}

static bool path_is_socket(const char *path, struct stat *status)
{
	return lstat(path, status) == 0 && S_ISSOCK(status->st_mode);
}

/* Returns true if a server listens on the path. */
static bool path_is_served(const char *path)
{
	const struct sockaddr_un name = name_of(path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* EAGAIN: a server with a full backlog. EACCES: perhaps one. */
	bool served = fd < 0 || connect(fd, (const struct sockaddr *)&name, sizeof name) == 0 ||
		      (errno != ECONNREFUSED && errno != ENOENT);
	if (fd >= 0)
		close(fd);
	return served;
}

/* Binds, replacing the file of a server that has ended. Returns 0 or an errno. */
static int bind_path(int fd, const char *path)
{
	const struct sockaddr_un name = name_of(path);
	struct stat status;
	if (bind(fd, (const struct sockaddr *)&name, sizeof name) == 0)
		return 0;
	if (errno != EADDRINUSE)
		return errno;
	if (!path_is_socket(path, &status))
		return EEXIST;
	if (path_is_served(path))
		return EADDRINUSE;
	if (unlink(path) != 0 && errno != ENOENT)
		return errno;
	return bind(fd, (const struct sockaddr *)&name, sizeof name) == 0 ? 0 : errno;
}

/* Two servers that begin at the same time must not both find the file of a third one abandoned: so
 * they lock the folder. -1 if there is no right to: then without. */
static int lock_folder(const char *path)
{
	char folder[sizeof((struct sockaddr_un *)NULL)->sun_path];
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(length ? length : 1) : 1,
		 slash ? path : ".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		flock(fd, LOCK_EX);
	return fd;
}

static int listen_path(struct http *http, const char *path, int backlog)
{
	struct stat status;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	int folder = lock_folder(path);
	int fault = bind_path(fd, path);
	/* No client can connect before listen(), so the mode is right for the first one. */
	if (!fault && (chmod(path, SOCKET_MODE) != 0 || listen(fd, backlog) != 0 ||
		       !path_is_socket(path, &status))) {
		fault = errno;
		unlink(path);
	}
	if (folder >= 0)
		close(folder);
	if (!fault) {
		http->path_device = status.st_dev;
		http->path_inode = status.st_ino;
	}
	if (!fault && !listen_add(http, fd)) {
		fault = errno;
		local_close(http);
	}
	if (fault)
		close(fd);
	return fault;
}

bool local_open(struct http *http, int backlog, struct error *error)
{
	const char *path = http->config->listen_path;
	int fault = listen_path(http, path, backlog);
	if (fault == EADDRINUSE)
		error_set(error, "Another server is listening on the socket %s.", path);
	else if (fault == EEXIST)
		error_set(error, "%s exists and is not a socket.", path);
	else if (fault)
		error_set(error, "Listening on the socket %s is not possible: %s.", path,
			  strerror(fault));
	return fault == 0;
}

void local_close(struct http *http)
{
	const char *path = http->config->listen_path;
	struct stat status;
	/* Not the file of another server that has replaced it. */
	if (http->path_inode != 0 && path_is_socket(path, &status) &&
	    status.st_dev == http->path_device && status.st_ino == http->path_inode)
		unlink(path);
	http->path_inode = 0;
}

void local_peer(struct peer *peer, int fd)
{
	struct ucred credentials = {.uid = (uid_t)-1};
	socklen_t length = sizeof credentials;
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length);
	address_of_user(peer->address, (uint32_t)credentials.uid);
}

bool local_left(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLRDHUP};
	return poll(&poll_fd, 1, 0) != 0;
}
