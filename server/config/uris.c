/* uris.c: the values of --allow-origin, --base-path and --security-contact. */
#include "server/config/uris.h"

#include <string.h>

#include "server/util/base_path.h"

bool origin_parse(struct config *config, const char *value)
{
	if (strcmp(value, "none") == 0)
		return config->only_listed_origins = true;
	const char *separator = strstr(value, "://");
	const bool is_origin = separator && separator > value && separator[3] &&
			       !strpbrk(separator + 3, "/?#@, \t");
	if (config->allow_origin_count == ALLOW_ORIGINS_MAX ||
	    (!is_origin && strcmp(value, "*") != 0))
		return false;
	config->allow_origin[config->allow_origin_count++] = value;
	return true;
}

/* The first parts of the server's own paths: removing them from a request would be ambiguous. */
static const char *const own_paths[] = {
	"v1",           "c",       "assets",  "docs",   "embed", "openapi.json",
	"openapi.yaml", "metrics", "healthz", "readyz", "404"};

static bool is_own(const char *part, size_t length)
{
	for (size_t i = 0; i < sizeof own_paths / sizeof own_paths[0]; i++)
		if (strlen(own_paths[i]) == length && memcmp(own_paths[i], part, length) == 0)
			return true;
	return false;
}

bool base_path_parse(struct config *config, const char *value)
{
	const char *part = value;
	if (value[0] != '/' || strlen(value) >= BASE_PATH_BYTES)
		return false;
	while (*part == '/') {
		part++;
		const size_t length =
			strspn(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789-_.~");
		/* Browsers resolve . and .. */
		if (length == 0 || part[0] == '.' || (part == value + 1 && is_own(part, length)))
			return false;
		part += length;
	}
	config->base_path = value;
	return *part == '\0';
}

bool contact_parse(struct config *config, const char *value)
{
	static const char *const schemes[] = {"mailto:", "https://", "tel:"};
	bool known = false;
	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
		known = known || (strncmp(value, schemes[i], strlen(schemes[i])) == 0 &&
				  value[strlen(schemes[i])]);
	for (const char *at = value; *at; at++)
		known = known && *at > ' ' && *at < 0x7f;
	if (!known || config->security_contact_count == SECURITY_CONTACTS_MAX)
		return false;
	config->security_contact[config->security_contact_count++] = value;
	return true;
}
