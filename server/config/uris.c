/* uris.c: the values of --allow-origin and --security-contact. */
#include "server/config/uris.h"

#include <string.h>

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
