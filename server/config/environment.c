/* environment.c: the environment variables of flags. */
#include "server/config/environment.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/util/suggest.h"

#define PREFIX "CUBED_"

void environment_name(const char *flag, char name[FLAG_BYTES])
{
	size_t length = (size_t)snprintf(name, FLAG_BYTES, PREFIX "%s", flag);
	for (size_t i = 0; i < length && i < FLAG_BYTES - 1; i++)
		if (name[i] == '-')
			name[i] = '_';
		else if (name[i] >= 'a' && name[i] <= 'z')
			name[i] = (char)(name[i] - 32);
}

/* Variables of cubed play --join, of docker/compose-cluster.yaml, of docker/cluster/haproxy.cfg and of
 * the tests; with "_" at the end, all that begin so. */
static const char *const others[] = {
	"TOKEN",
	"DATABASE_PASSWORD",
	"SUPERUSER_PASSWORD",
	"REPLICATION_PASSWORD",
	"NETWORK",
	"BIND",
	"NODE_",
	"ADDRESS_REQUESTS",
	"SILENT",
	"INTERVAL",
	"CHECK_TIMEOUT",
	"ADDRESS_CONNECTIONS",
	"TEST_",
};

static bool is_of_others(const char *name)
{
	const char *rest = name + strlen(PREFIX);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const size_t length = strlen(others[i]);
		if (others[i][length - 1] == '_' ? strncmp(rest, others[i], length) == 0
						 : strcmp(rest, others[i]) == 0)
			return true;
	}
	return false;
}

/* Returns true for what Kubernetes sets in each container for a service named cubed or cubed-...:
 * CUBED_SERVICE_HOST, CUBED_SERVICE_PORT_HTTP, CUBED_PORT=tcp://10.0.0.1:80, CUBED_PORT_80_TCP. */
static bool is_of_service(const char *name, const char *value)
{
	if (strstr(name, "_SERVICE_HOST") || strstr(name, "_SERVICE_PORT"))
		return true;
	const char *port = strstr(name, "_PORT");
	if (!port)
		return false;
	port += strlen("_PORT");
	return *port ? port[0] == '_' && port[1] >= '0' && port[1] <= '9'
		     : strstr(value, "://") != NULL;
}

static bool is_known(const char *name, const char *value, const char *const *flags, size_t count)
{
	char known[FLAG_BYTES];
	for (size_t i = 0; i < count; i++) {
		environment_name(flags[i], known);
		if (strcmp(name, known) == 0)
			return true;
	}
	return !value[0] || is_of_others(name) || is_of_service(name, value);
}

/* Compares without the prefix, as suggest_nearest() allows short names fewer mistakes. */
static const char *nearest_flag(const char *name, const char *const *flags, size_t count)
{
	char meant[FLAG_BYTES];
	snprintf(meant, sizeof meant, "%s", name + strlen(PREFIX));
	for (char *at = meant; *at; at++)
		if (*at == '_')
			*at = '-';
		else if (*at >= 'A' && *at <= 'Z')
			*at = (char)(*at + 32);
	return suggest_nearest(meant, strlen(meant), flags, count);
}

bool environment_is_known(const char *const *flags, size_t count)
{
	for (char *const *at = environ; *at; at++) {
		char name[FLAG_BYTES], meant[FLAG_BYTES];
		const size_t length = strcspn(*at, "=");
		if (strncmp(*at, PREFIX, strlen(PREFIX)) != 0 || (*at)[length] == '\0')
			continue;
		snprintf(name, sizeof name, "%.*s", (int)length, *at);
		if (is_known(name, *at + length + 1, flags, count))
			continue;
		const char *nearest = nearest_flag(name, flags, count);
		if (nearest)
			environment_name(nearest, meant);
		fprintf(stderr,
			"cubed: unknown environment variable %s%s%s; --help lists the flags, and "
			"--log-level is CUBED_LOG_LEVEL\n",
			name, nearest ? "; did you mean " : "", nearest ? meant : "");
		return false;
	}
	return true;
}

bool flag_is_known(const char *flag, const char *const *flags, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(flags[i], flag) == 0)
			return true;
	const char *nearest = suggest_nearest(flag, strlen(flag), flags, count);
	fprintf(stderr, "cubed: unknown flag --%s%s%s; --help lists them\n", flag,
		nearest ? "; did you mean --" : "", nearest ? nearest : "");
	return false;
}
