/* listen.c: the value of --listen, and who can reach such a server. */
#include "server/config/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOCAL "unix:" /* prefix of the path of a Unix socket */

static bool parse_path(struct config *config, const char *path)
{
	const size_t length = strlen(path);
	if (length == 0 || length >= sizeof config->listen_path)
		return false;
	memcpy(config->listen_path, path, length + 1);
	return true;
}

static bool parse_port(struct config *config, const char *text)
{
	char *end;
	errno = 0;
	const unsigned long port = strtoul(text, &end, 10);
	config->listen_port = (uint16_t)port;
	return text[0] >= '0' && text[0] <= '9' && !*end && !errno && port <= 65535;
}

/* Takes the brackets off an IPv6 address; no other host has a colon. */
static bool parse_host(struct config *config, const char *host, size_t length)
{
	if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
		host++;
		length -= 2;
	} else if (length > 0 && (host[0] == '[' || memchr(host, ':', length))) {
		return false;
	}
	if (length >= sizeof config->listen_host)
		return false;
	memcpy(config->listen_host, host, length);
	config->listen_host[length] = '\0';
	config->listen_path[0] = '\0';
	return true;
}

bool listen_parse(struct config *config, const char *value)
{
	if (strncmp(value, LOCAL, strlen(LOCAL)) == 0)
		return parse_path(config, value + strlen(LOCAL));
	const char *colon = strrchr(value, ':');
	return parse_port(config, colon ? colon + 1 : value) &&
	       parse_host(config, value, colon ? (size_t)(colon - value) : 0);
}

bool listen_is_local(const struct config *config)
{
	struct in_addr v4;
	struct in6_addr v6;
	const char *host = config->listen_host;
	if (config->listen_path[0])
		return true;
	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, host, &v6) == 1)
		return IN6_IS_ADDR_LOOPBACK(&v6);
	return strcasecmp(host, "localhost") == 0;
}

bool listen_is_everywhere(const struct config *config)
{
	return !config->listen_path[0] && !config->listen_host[0];
}
