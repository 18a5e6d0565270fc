/* store.c: opens a store, and what is the same for all of them. */
#include "server/store/store.h"

#include "server/store/kinds.h"

#include <stdlib.h>
#include <string.h>

struct store *store_open(const char *location, const struct store_options *options,
			 struct error *error)
{
	char known[STORE_SCHEMES_BYTES];
	const char *rest;
	const struct store_kind *kind = store_kind_find(location, &rest);
	if (kind != NULL)
		return kind->open(rest, options, error);
	if (store_kind_missing(location) != NULL) {
		store_kind_explain_missing(location, error);
		return NULL;
	}
	store_kind_schemes(known);
	/* The part after a scheme may have a password in it. */
	const size_t shown = strcspn(location, ":");
	error_set(error, "the store \"%.*s%s\" does not begin with one of %s", (int)shown, location,
		  location[shown] == ':' ? ":..." : "", known);
	return NULL;
}

const char *store_location_public(const char *location)
{
	static const char scheme[] = "postgresql:";
	if (strncmp(location, scheme, sizeof(scheme) - 1) != 0)
		return location;
	/* "password", "sslpassword"; in an address //USER:PASSWORD@HOST. */
	const char *rest = location + sizeof(scheme) - 1;
	const char *user = strncmp(rest, "//", 2) == 0 ? rest + 2 : "";
	const size_t length = strcspn(user, "@/?");
	const bool secret = strstr(rest, "password") != NULL || strchr(rest, '%') != NULL ||
			    (user[length] == '@' && memchr(user, ':', length) != NULL);
	return secret ? "postgresql" : location;
}

bool store_write_frees(const struct store_write *write)
{
	switch (write->kind) {
	case WRITE_DELETE:
	case WRITE_SOLVE_DROP:
		return true;
	case WRITE_TOKEN:
		return write->token->revoked_ms != 0;
	case WRITE_PATTERN:
		return write->pattern->pattern == NULL;
	case WRITE_CREATE:
	case WRITE_APPEND:
	case WRITE_META:
	case WRITE_SOLVES:
	case WRITE_SOLVE_CHANGE:
	case WRITE_ASSISTANCE:
	case WRITE_ANSWER:
		break;
	}
	return false;
}

bool store_write_raises_version(const struct store_write *write)
{
	switch (write->kind) {
	case WRITE_META:
	case WRITE_DELETE:
	case WRITE_TOKEN:
	case WRITE_PATTERN:
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
		return true;
	case WRITE_CREATE:
	case WRITE_APPEND:
	case WRITE_SOLVES:
	case WRITE_ASSISTANCE:
	case WRITE_ANSWER:
		break;
	}
	return false;
}

static bool read_actor(void *context, const struct entry *entry)
{
	*(uint32_t *)context = entry->actor;
	return false;
}

enum store_status store_read_last(struct store_reader *reader, uint64_t key,
				  struct history *history)
{
	if (history->last_known)
		return STORE_OK;
	const uint32_t newest = history_done_at(history, 0);
	const enum store_status status = reader->store->operations->entries(
		reader, key, newest - 1, read_actor, &history->last_actor);
	history->last_known = status == STORE_OK;
	return status;
}

void stored_session_free(struct stored_session *session)
{
	history_destroy(session->history);
	free(session->scramble);
	free(session->tokens);
	session->tokens = NULL;
	session->token_count = 0;
	session->history = NULL;
	session->scramble = NULL;
	session->scramble_count = 0;
}
