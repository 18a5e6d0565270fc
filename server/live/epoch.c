/* epoch.c: reading the ids of events. */
#include "server/live/epoch.h"

#include <string.h>

#include "server/api/state.h"

uint64_t live_epoch(const struct service *service)
{
	(void)service;
	return 1;
}

static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : 16;
}

/* 1 to `most` digits. */
static bool number_parse(const char *text, size_t length, int base, size_t most, uint64_t *number)
{
	*number = 0;
	if (length == 0 || length > most)
		return false;
	for (size_t i = 0; i < length; i++) {
		int digit = digit_value(text[i]);
		if (digit >= base)
			return false;
		*number = *number * (uint64_t)base + (uint64_t)digit;
	}
	return true;
}

bool live_id_parse(const struct service *service, const char *text, size_t length, bool *foreign,
		   uint32_t *revision)
{
	uint64_t epoch = live_epoch(service), number;
	const char *dash = memchr(text, '-', length);
	if (dash) {
		size_t before = (size_t)(dash - text);
		if (!number_parse(text, before, 16, 16, &epoch))
			return false;
		text += before + 1;
		length -= before + 1;
	}
	if (!number_parse(text, length, 10, 10, &number) || number >= UINT32_MAX)
		return false;
	*foreign = epoch != live_epoch(service);
	*revision = (uint32_t)number;
	return true;
}
