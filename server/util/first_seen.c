/* first_seen.c: a small table of texts, to log each of them only once. */
#include "server/util/first_seen.h"

/* FNV-1a. If two texts have one hash, the log lacks a line. */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

bool first_seen_enter(struct first_seen *seen, const char *text)
{
	const uint64_t hash = hash_text(text);
	for (int i = 0; i < FIRST_SEEN_MAX; i++) {
		uint64_t found = 0;
		if (atomic_compare_exchange_strong(&seen->hash[i], &found, hash))
			return true;
		if (found == hash)
			return false;
	}
	return false;
}
