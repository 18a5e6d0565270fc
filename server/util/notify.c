/* notify.c: one datagram to the service manager. */
#include "server/util/notify.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify_manager(const char *format, ...)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	size_t length = path ? strlen(path) : 0;
	if (length < 2 || length >= sizeof name.sun_path || (path[0] != '/' && path[0] != '@'))
		return;
	memcpy(name.sun_path, path, length);
	/* The abstract namespace: names that begin with a zero byte. */
	if (path[0] == '@')
		name.sun_path[0] = '\0';

	char text[512];
	va_list arguments;
	va_start(arguments, format);
	int printed = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	size_t bytes = printed < 0                     ? 0
		       : (size_t)printed < sizeof text ? (size_t)printed
						       : sizeof text - 1;

	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	ssize_t sent = sendto(fd, text, bytes, MSG_NOSIGNAL, (struct sockaddr *)&name,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	(void)sent;
	close(fd);
}
