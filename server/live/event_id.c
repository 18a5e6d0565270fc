/* event_id.c: reading the ids of events. */
#include "server/live/event_id.h"

#include <string.h>

#include "server/store/session_id.h"
#include "server/store/store.h"

static bool all_of(const char *text, size_t length, const char *digits)
{
	for (size_t i = 0; i < length; i++)
		if (!strchr(digits, text[i]) || !text[i])
			return false;
	return length > 0;
}

/* Returns true if the digits of an incarnation stand before `dash`. */
static bool parse_incarnation(const struct store *store, const char *text, const char *dash,
			      bool *foreign)
{
	char incarnation[INCARNATION_TEXT + 1];
	store->operations->incarnation(store, incarnation);
	size_t before = (size_t)(dash - text);
	*foreign = before != strlen(incarnation) || memcmp(text, incarnation, before) != 0;
	return before <= INCARNATION_TEXT && all_of(text, before, "0123456789abcdef");
}

static bool parse_revision(const char *text, size_t length, uint32_t *revision)
{
	uint64_t number = 0;
	if (length > 10 || !all_of(text, length, "0123456789"))
		return false;
	for (size_t i = 0; i < length; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	*revision = (uint32_t)number;
	return number < UINT32_MAX;
}

bool live_id_parse(const struct store *store, const char *text, size_t length, bool *foreign,
		   uint32_t *revision)
{
	const char *dash = memchr(text, '-', length);
	*foreign = false;
	if (!dash)
		return parse_revision(text, length, revision);
	size_t before = (size_t)(dash - text) + 1;
	return parse_incarnation(store, text, dash, foreign) &&
	       parse_revision(text + before, length - before, revision);
}

/* ---- of several sessions ---- */

/* The next part; false if it is not one. */
static bool next_part(const char **at, const char *end, const char **prefix,
		      enum live_position *position, uint32_t *revision)
{
	const char *dot = memchr(*at, '.', (size_t)(end - *at));
	const char *stop = dot ? dot : end;
	const size_t length = (size_t)(stop - *at);
	*prefix = *at;
	*at = dot ? dot + 1 : end;
	if (length < LIVE_ID_PREFIX || !all_of(*prefix, LIVE_ID_PREFIX, base32_digits) ||
	    (dot && *at == end))
		return false;
	*position = length == LIVE_ID_PREFIX ? LIVE_OVER : LIVE_AT;
	return *position == LIVE_OVER ||
	       parse_revision(*prefix + LIVE_ID_PREFIX, length - LIVE_ID_PREFIX, revision);
}

bool live_many_id_check(const struct store *store, const char *text, size_t length, bool *foreign)
{
	const char *dash = memchr(text, '-', length), *end = text + length, *prefix;
	enum live_position position;
	uint32_t revision;
	if (!dash || dash + 1 == end || !parse_incarnation(store, text, dash, foreign))
		return false;
	for (const char *at = dash + 1; at < end;)
		if (!next_part(&at, end, &prefix, &position, &revision))
			return false;
	return true;
}

enum live_position live_many_id_find(const char *text, size_t length, const char *id,
				     uint32_t *revision)
{
	const char *end = text + length, *at = memchr(text, '-', length), *prefix;
	enum live_position found = LIVE_UNKNOWN, position;
	uint32_t here = 0;
	for (at = at ? at + 1 : end; at < end;) {
		if (!next_part(&at, end, &prefix, &position, &here))
			return LIVE_UNKNOWN;
		if (memcmp(prefix, id, LIVE_ID_PREFIX) != 0)
			continue;
		if (found != LIVE_UNKNOWN)
			return LIVE_UNKNOWN;
		found = position;
		*revision = here;
	}
	return found;
}
