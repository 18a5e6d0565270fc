/* event_id.c: reading the ids of events. */
#include "server/live/event_id.h"

#include <string.h>

#include "server/store/store.h"

const char *live_incarnation(const struct store *store)
{
	return store->operations->incarnation(store);
}

static bool all_of(const char *text, size_t length, const char *digits)
{
	for (size_t i = 0; i < length; i++)
		if (!strchr(digits, text[i]) || !text[i])
			return false;
	return length > 0;
}

bool live_id_parse(const struct store *store, const char *text, size_t length, bool *foreign,
		   uint32_t *revision)
{
	const char *incarnation = live_incarnation(store), *dash = memchr(text, '-', length);
	*foreign = false;
	if (dash) {
		size_t before = (size_t)(dash - text);
		if (before > INCARNATION_TEXT || !all_of(text, before, "0123456789abcdef"))
			return false;
		*foreign = before != strlen(incarnation) || memcmp(text, incarnation, before) != 0;
		text += before + 1;
		length -= before + 1;
	}
	uint64_t number = 0;
	if (length > 10 || !all_of(text, length, "0123456789"))
		return false;
	for (size_t i = 0; i < length; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	*revision = (uint32_t)number;
	return number < UINT32_MAX;
}
