/* stats_cache.c: statistics of books, kept until the book changes. */
#include "server/modules/times/stats_cache.h"

#include <stdlib.h>
#include <string.h>

#define ANSWERS 256
#define GENERATIONS 4096

struct kept_stats {
	struct stats_key key;
	uint64_t generation;
	uint64_t asked; /* when, by the cache's count of requests; 0: empty */
	size_t length;
	char text[STATS_BYTES];
};

struct stats_cache {
	uint64_t asked; /* requests so far */
	uint64_t generations[GENERATIONS];
	struct kept_stats answers[ANSWERS];
};

struct stats_cache *stats_cache_create(void)
{
	return calloc(1, sizeof(struct stats_cache));
}

void stats_cache_destroy(struct stats_cache *cache)
{
	free(cache);
}

void stats_cache_changed(struct stats_cache *cache, uint64_t book)
{
	const size_t first = book % GENERATIONS, last = book > 0 ? first : GENERATIONS - 1;
	for (size_t i = first; i <= last; i++)
		cache->generations[i]++;
}

uint64_t stats_cache_generation(const struct stats_cache *cache, uint64_t book)
{
	return cache->generations[book % GENERATIONS];
}

static bool is_same(const struct stats_key *a, const struct stats_key *b)
{
	return a->book == b->book && a->since_ms == b->since_ms && a->until_ms == b->until_ms &&
	       a->size == b->size && a->penalty == b->penalty && a->event == b->event &&
	       a->by_list == b->by_list && a->listed == b->listed &&
	       asked_averages_equal(a->averages, b->averages) && strcmp(a->list, b->list) == 0;
}

static struct kept_stats *find_kept(struct stats_cache *cache, const struct stats_key *key)
{
	for (size_t i = 0; i < ANSWERS; i++)
		if (cache->answers[i].asked > 0 && is_same(&cache->answers[i].key, key))
			return &cache->answers[i];
	return NULL;
}

static struct kept_stats *oldest(struct stats_cache *cache)
{
	struct kept_stats *found = &cache->answers[0];
	for (size_t i = 1; i < ANSWERS; i++)
		if (cache->answers[i].asked < found->asked)
			found = &cache->answers[i];
	return found;
}

void stats_cache_put(struct stats_cache *cache, const struct stats_key *key, uint64_t generation,
		     const struct buffer *answer)
{
	if (answer->failed || answer->length > STATS_BYTES ||
	    generation != stats_cache_generation(cache, key->book))
		return;
	struct kept_stats *kept = find_kept(cache, key);
	if (!kept)
		kept = oldest(cache);
	kept->key = *key;
	kept->generation = generation;
	kept->asked = ++cache->asked;
	kept->length = answer->length;
	memcpy(kept->text, answer->bytes, answer->length);
}

bool stats_cache_get(struct stats_cache *cache, const struct stats_key *key, struct buffer *answer)
{
	struct kept_stats *kept = find_kept(cache, key);
	if (!kept || kept->generation != stats_cache_generation(cache, key->book))
		return false;
	kept->asked = ++cache->asked;
	buffer_add(answer, kept->text, kept->length);
	return true;
}
