/* address.c: links to sessions, and tokens. */
#include "clients/terminal/join/address.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define EXPECTED "write a link as the page shows it, for example http://localhost:8080/c/ID#SECRET"

static const char id_letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
static const char token_letters[] = "0123456789abcdefghijklmnopqrstuvwxyz_";

static bool take_id(struct join_address *address, const char *id, size_t length)
{
	if (length != JOIN_ID || strspn(id, id_letters) < JOIN_ID)
		return false;
	memcpy(address->id, id, JOIN_ID);
	return true;
}

bool join_token_set(struct join_address *address, const char *token, const char *where,
		    struct error *error)
{
	const size_t length = strlen(token);
	if (length == 0 || length >= sizeof address->token ||
	    strspn(token, token_letters) != length)
		return error_set(error,
				 "%s has no valid token; a token is one word of lowercase letters, "
				 "digits and _",
				 where);
	memcpy(address->token, token, length + 1);
	return true;
}

bool join_token_read(struct join_address *address, const char *path, struct error *error)
{
	char line[JOIN_TOKEN_BYTES + 2] = "";
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return error_set(error, "--token-file %s: %s", path, strerror(errno));
	const bool read = fgets(line, sizeof line, file) != NULL;
	fclose(file);
	line[strcspn(line, " \t\r\n")] = '\0';
	return join_token_set(address, read ? line : "", path, error);
}

/* The id at the end of the path, or at the beginning of the fragment; the rest is the base. */
static bool take_parts(struct join_address *address, const char *link, const char **token)
{
	const char *hash = strchr(link, '#');
	size_t length = hash ? (size_t)(hash - link) : strlen(link);
	bool found = false;
	*token = hash ? hash + 1 : "";
	if (length > JOIN_ID + 3 && memcmp(link + length - JOIN_ID - 3, "/c/", 3) == 0) {
		found = take_id(address, link + length - JOIN_ID, JOIN_ID);
		length -= JOIN_ID + 3;
	} else if (hash) {
		const size_t id = strcspn(*token, ".");
		found = take_id(address, *token, id);
		*token += id + ((*token)[id] == '.');
	}
	while (length > 0 && link[length - 1] == '/')
		length--;
	if (!found || length >= sizeof address->base)
		return false;
	memcpy(address->base, link, length);
	return true;
}

/* Takes the token of a link. A token is ID_SECRET; a link to /c/ID may have only the secret. */
static bool take_token(struct join_address *address, const char *text, struct error *error)
{
	static const char where[] = "the link of --join";
	char token[JOIN_TOKEN_BYTES];
	if (text[0] == '\0')
		return true;
	if (strchr(text, '_') || strlen(text) + JOIN_ID + 1 >= sizeof token)
		return join_token_set(address, text, where, error);
	snprintf(token, sizeof token, "%s_%s", address->id, text);
	return join_token_set(address, token, where, error);
}

bool join_address_read(struct join_address *address, const char *link, struct error *error)
{
	const char *token;
	*address = (struct join_address){.base = ""};
	const size_t shown = strcspn(link, "#");
	const size_t scheme = strncmp(link, "http://", 7) == 0    ? 7
			      : strncmp(link, "https://", 8) == 0 ? 8
								  : 0;
	if (scheme == 0)
		return error_set(
			error,
			"--join \"%.*s\": begins with neither http:// nor https://; " EXPECTED,
			(int)(shown < 100 ? shown : 100), link);
	if (strpbrk(link, " \t\r\n\"\\") || !take_parts(address, link, &token) ||
	    strlen(address->base) <= scheme)
		return error_set(error, "--join \"%.*s\": has no id of a session; " EXPECTED,
				 (int)(shown < 100 ? shown : 100), link);
	return take_token(address, token, error);
}

void join_link_hide(char *link)
{
	char *hash = strchr(link, '#');
	if (hash)
		memset(hash + 1, '*', strlen(hash + 1));
}
