/* stats_cache.h: statistics of books, kept until the book changes.
 *
 * Each book has a generation, which any committed write to its solves raises. A reader notes the
 * generation before it reads, so an answer that a write has overtaken is never returned. Books whose
 * keys collide share a generation; the only effect is that a write to one forgets the answers of the
 * other. A fixed number of answers is kept, each up to STATS_BYTES; a new one replaces the least
 * recently used. With the service's lock. */
#ifndef SERVER_MODULES_TIMES_STATS_CACHE_H
#define SERVER_MODULES_TIMES_STATS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/modules/times/asked_averages.h"
#include "server/util/buffer.h"
#include "server/util/error.h"

#define STATS_BYTES 8192
/* The longest name of a list, with its NUL. */
#define STATS_LIST_BYTES 208

/* The request. */
struct stats_key {
	uint64_t book;
	int64_t since_ms, until_ms;
	int size, penalty, event;
	struct average_kind averages[ASKED_AVERAGES];
	bool by_list;
	bool listed; /* only solves of the list: */
	char list[STATS_LIST_BYTES];
};

struct stats_cache;

MUST_USE struct stats_cache *stats_cache_create(void); /* NULL if out of memory */
void stats_cache_destroy(struct stats_cache *cache);

/* Solves of the book were added, changed or removed; 0: any solves may have changed. */
void stats_cache_changed(struct stats_cache *cache, uint64_t book);
uint64_t stats_cache_generation(const struct stats_cache *cache, uint64_t book);

/* Keeps an answer that was read in that generation, unless it is too long or overtaken. */
void stats_cache_put(struct stats_cache *cache, const struct stats_key *key, uint64_t generation,
		     const struct buffer *answer);
/* Appends the answer; false if none is kept. */
MUST_USE bool stats_cache_get(struct stats_cache *cache, const struct stats_key *key,
			      struct buffer *answer);

#endif
